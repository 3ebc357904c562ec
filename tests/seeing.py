"""What the tests of widgets share: what a person sees of one, how it is used, and what that sends to the browser."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, ClassVar

import comm.base_comm
import pytest
from ipywidgets import HTML, Button

import ninety_nine_kit as kit
from ninety_nine_kit.widgets.controls import TextBox

PRESETS = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=lambda rules: rules.name)
ADDING_GAMES = [rules for rules in kit.PRESETS.values() if isinstance(rules, kit.AddingRules)]
CARD = re.compile(r"(?<!\w)(?:10|[2-9JQKA])[♣♦♥♠]")
BIDS = ["6♣ 7♣ 8♣", "6♦ 7♦ 8♦", "6♠ 7♠ 8♠"]
Sent = list[tuple[str, Any]]


def adding(first: str, rules: Any = kit.ADDING_RU, **given: Any) -> kit.AddingState:
    return kit.position(rules, [first, "2♣ 3♦ 5♣", "7♦ 6♣ 5♦"], **given)


# ---- What a person sees


def widgets_in(widget: Any) -> Iterator[Any]:
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets_in(child)


def htmls(panel: Any) -> list[str]:
    """All HTML but the stylesheet."""
    found = [widget.value for widget in widgets_in(panel) if isinstance(widget, HTML)]
    return [value for value in found if "<style>" not in value]


def board(panel: Any) -> str:
    return next(value for value in htmls(panel) if "nn-board" in value)


def words(markup: str) -> str:
    """The text of HTML, with a space for every tag."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def told(panel: Any) -> str:
    return words(board(panel))


def sheet(panel: Any) -> str:
    return words(next((value for value in htmls(panel) if "Score sheet" in value), ""))


def texts(panel: Any) -> list[str]:
    """Every text that stands anywhere in a widget, also on hovering, but the rules below a table."""
    rules = getattr(getattr(panel, "controls", None), "rules", None)
    found = [text for widget in widgets_in(panel) if widget is not rules for text in _strings(widget)]
    bundle = panel._repr_mimebundle_()
    return [text for text in found if "<style>" not in text] + [repr(panel), bundle["text/plain"], bundle["text/html"]]


def _strings(widget: Any) -> list[str]:
    named = [
        getattr(widget, name, None) for name in ("value", "text", "description", "tooltip", "_dom_classes", "titles")
    ]
    return [*(str(text).rstrip("\u00a0") for text in named), str(getattr(widget, "options", ""))]


def hand(panel: Any) -> list[Any]:
    """The cards of the hand that can be seen, backs too."""
    cards = panel.hand.buttons if hasattr(panel, "hand") else panel.cards
    return [card for card in cards if "nn-gone" not in card._dom_classes]


def faces(panel: Any, mark: str = "") -> list[str]:
    """The names of the cards of the hand that have a mark; of all without one."""
    return [card.description for card in hand(panel) if not mark or mark in card._dom_classes]


def choices(panel: Any) -> list[Any]:
    """The buttons below the hand that the stylesheet shows now."""
    shown = re.search(r'data-show="([^"]*)"', board(panel))
    assert shown
    return [getattr(panel, "controls", panel).commands[name] for name in shown[1].split()]


def labels(panel: Any) -> list[str]:
    return [button.description for button in choices(panel)]


def seat_shown(table: Any) -> int | None:
    """Whose hand stands below the board; in the views of nobody and of everyone, that of the seat to act."""
    kind = table.controls.view.value
    if isinstance(kind, int):
        return kind
    return table.session.person_to_show() if kind == "actor" else table.state.to_act


def open_cards(table: Any) -> list[Any]:
    """Cards of the hand that may be played (or picked) now."""
    if table.state.to_act != seat_shown(table):
        return []
    return [card for card in hand(table) if not {"nn-no", "nn-back"} & set(card._dom_classes)]


# ---- What a person does


def send(widget: Any, content: dict[str, str]) -> None:
    """What the browser sends, as the kernel receives it."""
    data = {"method": "custom", "content": content}
    widget.comm.handle_msg({"content": {"comm_id": widget.model_id, "data": data}, "buffers": []})


def click(button: Any) -> None:
    """A click in the browser, which may move the focus."""
    send(button, {"event": "click"})


def press(panel: Any, *names: str) -> None:
    """Presses buttons as a cell does it."""
    for name in names:
        panel.button(name).click()


def enter(box: Any, text: str) -> None:
    """Types a text and presses Enter; the browser answers the question that this may bring."""
    box.value = text
    send(box, {"event": "submit"})
    if isinstance(box, TextBox):
        box.answer.set_state({"order": box.question.order})


def submit(table: Any, text: str) -> None:
    """Types a move and presses Enter."""
    enter(table.controls.action, text)


def bid(table: Any, *cards: str) -> None:
    press(table, *cards, "Lay aside")


def next_press(table: Any) -> Button:
    """A button that a sensible person would press: the game goes on with each few of them."""
    picked, state = faces(table, "nn-picked"), table.state
    buttons = choices(table)
    if state.phase is kit.Phase.BID and len(picked) < state.rules.bid_cards and "Go on" not in labels(table):
        buttons = [card for card in open_cards(table) if card.description not in picked]
    buttons = [button for button in buttons if not button.description.endswith("⊘")] or open_cards(table)
    return (buttons or hand(table))[0]


def step_on(table: Any) -> None:
    next_press(table).click()


# ---- What that sends


class RecordingComm(comm.base_comm.BaseComm):
    sent: ClassVar[Sent] = []

    def publish_msg(self, msg_type: str, data: Any = None, *rest: Any, **more: Any) -> None:
        self.sent.append((self.comm_id, data))


def focus_after(panel: Any, sent: Sent, name: str) -> list[Any]:
    """The widgets that a click in the browser gives the keyboard focus."""
    sent.clear()
    click(panel.button(name))
    return focused(panel, sent)


def focused(panel: Any, sent: Sent) -> list[Any]:
    models = [model for model, data in sent if data["method"] == "custom" and data["content"] == {"do": "focus"}]
    return [widget for model in models for widget in widgets_in(panel) if widget.model_id == model]


def in_budget(panel: Any, sent: Sent, act: Callable[[], None], most: int = 4) -> None:
    """A click costs board, step, focus and what is said, a sheet that grows, and one message for each button whose face
    or mark changes; at most 16 kB."""
    before, rows = _buttons(panel), sheet(panel)
    sent.clear()
    act()
    changed = sum(was != now for was, now in zip(before, _buttons(panel), strict=True))
    assert len(sent) <= most + changed + (sheet(panel) != rows), sent
    assert sum(len(json.dumps(data)) for _, data in sent) <= 16_000


def _buttons(panel: Any) -> list[tuple[str, Any]]:
    return [(widget.description, widget._dom_classes) for widget in widgets_in(panel) if isinstance(widget, Button)]
