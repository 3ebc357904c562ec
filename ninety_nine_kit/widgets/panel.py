"""What all widgets of the kit share: each is also words, for a cell, a stored notebook and a screen reader."""

from collections.abc import Sequence
from typing import Any

from ipywidgets import HTML, Button, VBox, Widget

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.show.blocks import Block, blocks_html, blocks_text
from ninety_nine_kit.widgets.live import Live
from ninety_nine_kit.widgets.style import stylesheet


class Panel(VBox):
    """A box that carries its stylesheet. `shown` are the buttons that its board shows and hides by name; `large` is for
    a projector. `print(panel)` tells in words what it shows."""

    #: Whether the words have the captions of tables too.
    captions = True
    _talks = False

    def __init__(self, children: Sequence[Widget], shown: Sequence[str] = (), large: bool = False) -> None:
        style = HTML(stylesheet(shown))
        style.layout.display = "none"
        self._live = Live()
        self._live.add_class("nn-live")
        self._fall_silent()
        super().__init__([style, *children, self._live])
        self._dom_classes = ("nn-table", "nn-large") if large else ("nn-table",)

    def buttons(self) -> list[Button]:
        """The buttons that can be pressed now."""
        return []

    def blocks(self) -> list[Block]:
        """What is shown, as lines and tables."""
        raise NotImplementedError

    def restart(self) -> None:
        """Back to how it was when it was opened; what was played or answered is forgotten."""
        raise NotImplementedError

    def _clicked(self, button: Button) -> None:
        """After a click in the browser."""
        self._focus_on_from(button)
        self._talk()

    def _focus_on_from(self, button: Button | None) -> None:
        """Moves the keyboard focus on where the button that had it is gone."""

    def _talk(self) -> None:
        """From now on a screen reader says what happens. A widget that nobody has touched is silent: cells play too."""
        if not self._talks:
            self._talks = True
            self._draw()

    def _fall_silent(self) -> None:
        self._talks, self._live.text, self._happened = False, "", [""]

    def _draw(self) -> None:
        raise NotImplementedError

    def _tell(self, happened: Sequence[str], now: str) -> None:
        """Has a screen reader say what happened, unless it just did, and what there is to be said now."""
        if self._talks:
            told = [*happened] * (happened != self._happened)
            self._happened, text = [*happened], " ".join(filter(None, [*told, now]))
            again = bool(text) and text == self._live.text
            self._live.text = text + "\u00a0" * again  # the very same text would not be said again

    def button(self, name: str) -> Button:
        """The button that shows this text, or this card; ValueError lists those that can be pressed."""
        buttons = self.buttons()
        for button in buttons:
            if button.description == name:
                return button
        raise Mistake(f"no button “{name}” now; there are: {', '.join(b.description for b in buttons)}")

    def __repr__(self) -> str:
        return blocks_text(self.blocks(), self.captions)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget, and for where no kernel runs the same in words and as small tables."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = repr(self)
        bundle["text/html"] = blocks_html(self.blocks())
        return bundle
