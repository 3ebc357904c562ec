"""Two lesson widgets that are a menu and a page: what the cards do in each game, and the unsure sentences."""

from ipywidgets import HTML, Checkbox, Dropdown

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.narration import translator
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.readings import READINGS
from ninety_nine_kit.rules import AddingRules, Rules
from ninety_nine_kit.show.blocks import Block, blocks_html
from ninety_nine_kit.show.compare import differences, effect_table
from ninety_nine_kit.teaching.examples import example_grid
from ninety_nine_kit.widgets.controls import labelled, row, update
from ninety_nine_kit.widgets.panel import Panel


class EffectTable(Panel):
    """What each card does in a game, beside another one; the differences are marked, or shown alone."""

    def __init__(
        self, rules: AddingRules, other: AddingRules | None = None, *, lang: str = "en", large: bool = False
    ) -> None:
        self.rules, self._first, self.lang, say = rules, other or "", lang, translator(lang)
        games = [game for game in PRESETS.values() if isinstance(game, AddingRules) and game != rules]
        if other and other not in games:
            games.append(other)
        self.other = labelled(
            Dropdown,
            options=[(say("no other game"), ""), *((say(game.title), game) for game in games)],
            value=self._first,
            description=say("Compare with"),
        )
        self.only = Checkbox(False, description=say("only differences"), indent=False)
        self._page = HTML()
        self._page.add_class("nn-sheet")
        super().__init__([row(self.other, self.only), self._page], large=large)
        for control in (self.other, self.only):
            control.observe(lambda _: self._draw(), "value")
        self._draw()

    def restart(self) -> None:
        self.only.value = False
        self.other.value = self._first

    def blocks(self) -> list[Block]:
        games = [self.rules] + [self.other.value] * bool(self.other.value)
        return [effect_table(*games, only_differences=self.only.value and len(games) > 1, lang=self.lang)]

    def _draw(self) -> None:
        update(self._page, value=blocks_html(self.blocks()))


class ReadingPage(Panel):
    """The unsure sentences of the texts: each as it stands, in English, and what its meanings change.

    `rules` are those of the game with the meaning that is chosen in the menu.
    """

    def __init__(self, name: str = "nine", *, lang: str = "en", large: bool = False) -> None:
        self._check(name)
        self._first, self.lang, say = name, lang, translator(lang)
        games = {name: say(PRESETS[reading.presets[0]].title) for name, reading in READINGS.items()}
        self.name = labelled(
            Dropdown,
            options=[(f"{game}: {name}", name) for name, game in games.items()],
            value=name,
            description=say("Sentence"),
        )
        self.choice = labelled(Dropdown, description=say("Meaning"))
        self._page = HTML()
        self._page.add_class("nn-rules")
        super().__init__([row(self.name, self.choice), self._page], large=large)
        self._offer()
        self.name.observe(lambda _: self._offer(), "value")
        self.choice.observe(lambda _: self._draw(), "value")

    def choose(self, name: str, choice: str) -> None:
        """Shows a sentence in one of its meanings; ValueError lists what there is."""
        self._check(name)
        READINGS[name].read(PRESETS[READINGS[name].presets[0]], choice)
        self.name.value = name
        self.choice.value = choice

    @staticmethod
    def _check(name: str) -> None:
        if name not in READINGS:
            raise Mistake(f"no reading “{name}”; there are: {', '.join(READINGS)}")

    @property
    def rules(self) -> Rules:
        reading = READINGS[self.name.value]
        return reading.read(PRESETS[reading.presets[0]], self.choice.value)

    def restart(self) -> None:
        self.name.value = self._first
        self._offer()

    def blocks(self) -> list[Block]:
        say, reading = translator(self.lang), READINGS[self.name.value]
        games = ", ".join(say(PRESETS[name].title) for name in reading.presets)
        changed = differences(self.rules, PRESETS[reading.presets[0]], self.lang)
        return [
            f"{games} ({reading.source})",
            *(f"«{line}»" for line in reading.quote.splitlines()),
            say(reading.meaning),
            changed if changed.rows else changed.caption,
            example_grid(self.name.value, self.lang),
        ]

    def _offer(self) -> None:
        """The meanings of the sentence; first the one that the preset takes."""
        say, reading = translator(self.lang), READINGS[self.name.value]
        names = sorted(reading.choices, key=lambda name: name != reading.taken)
        self.choice.options = [(say(reading.choices[name].words), name) for name in names]
        self.choice.value = reading.taken
        self._draw()

    def _draw(self) -> None:
        if self.choice.value in READINGS[self.name.value].choices:  # not while the menus change
            update(self._page, value=blocks_html(self.blocks()))
