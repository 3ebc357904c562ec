"""What a game is kept and shared with: a line to copy, a box to paste one into, a file, a link to download it."""

from base64 import b64encode
from collections.abc import Callable
from itertools import count
from pathlib import Path

from ipywidgets import HTML, Button, Textarea, VBox

from ninety_nine_kit.game import History
from ninety_nine_kit.narration import translator
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.record import RecordError, read_record, save, share_line, write_record
from ninety_nine_kit.show.blocks import tag
from ninety_nine_kit.widgets.controls import Press, TextBox, labelled, make_buttons, row, update


class Sharing:
    """A panel of the table, `box`. `message` tells what came of what was last done in it. While it is closed nothing is
    written or sent."""

    def __init__(
        self, history: Callable[[], History], load: Callable[[History], None], draw: Callable[[], None], clicked: Press
    ) -> None:
        self._history, self._put_on_table, self._draw = history, load, draw
        self.lang, self.message = "en", ""
        self.line = labelled(Textarea, rows=3)
        self.paste = TextBox("30em", lambda _: self._load())
        self._load_button, self._save_button = make_buttons(2, self._press, clicked)
        self._download, self._told = HTML(), HTML()
        keep, load = row(self._save_button, self._download), row(self.paste, self._load_button)
        self.box = VBox([self.line, keep, load, self._told])
        self.box.add_class("nn-share")
        self.box.layout.observe(lambda _: self.show(), "display")

    def label(self, lang: str) -> None:
        say = translator(lang)
        self.lang = lang
        update(self.line, description=say("Line to share"))
        update(self.paste, description=say("Load a game"), placeholder=say("paste a line or a record here"))
        update(self._load_button, description=say("Load"), tooltip=say("The game on the table is lost"))
        update(self._save_button, description=say("Save"), tooltip=say("Writes the game to a file in this folder"))

    def open_buttons(self) -> list[Button]:
        """Those that can be pressed now: none while the panel is closed."""
        return [] if self.box.layout.display == "none" else [self._save_button, self._load_button]

    def show(self) -> None:
        """Fills the panel, if it is open, with the game as it is now."""
        if not self.open_buttons():
            return
        say, line, link, told = translator(self.lang), "", "", self.message
        try:
            line, record = share_line(self._history()), write_record(self._history())
            address = f"data:application/json;base64,{b64encode(record.encode()).decode()}"
            link = tag("a", say("Download"), href=address, download=f"{self._name()}.json")
        except RecordError as wrong:
            told = told or f"⊘ {wrong.tell(self.lang)}"
        update(self.line, value=line)
        update(self._download, value=link)
        update(self._told, value=tag("p", told) if told else "")

    def _name(self) -> str:
        """For a file; nothing of it comes from a record but the name of a preset and a number."""
        state = self._history().states[0]
        preset = state.rules.name if state.rules in PRESETS.values() else "ninety-nine"
        short = isinstance(state.seed, int) and len(str(state.seed)) < 20
        return f"{preset}-{state.seed}" if short else preset

    def _press(self, button: Button) -> None:
        if button is self._load_button:
            self._load()
        else:
            self._save()

    def _load(self) -> None:
        """The game that was pasted takes the place of the one on the table. What was refused stays in the box."""
        try:
            history = read_record(self.paste.value)
        except RecordError as wrong:
            return self._tell(f"⊘ {wrong.tell(self.lang)}")
        self.paste.value = ""
        self._put_on_table(history)
        told = translator(self.lang)("The game is on the table, at step {step}.")
        self._tell(told.format(step=history.step))

    def _save(self) -> None:
        names = (f"{self._name()}{'' if number == 1 else f'-{number}'}.json" for number in count(1))
        name = next(name for name in names if not Path(name).exists())
        try:
            save(self._history(), name)
        except RecordError as wrong:
            return self._tell(f"⊘ {wrong.tell(self.lang)}")
        told = translator(self.lang)("The game is in the file {name}, in the folder of this notebook.")
        self._tell(told.format(name=name))

    def _tell(self, message: str) -> None:
        self.message = message
        self._draw()
