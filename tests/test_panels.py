"""What all lesson widgets promise, each used in any way that it offers."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any
from xml.etree import ElementTree

import ipywidgets
import pytest
from seeing import ADDING_GAMES, CARD, Sent, click, enter, htmls, in_budget, texts, widgets_in, words

import ninety_nine_kit as kit
from ninety_nine_kit.show.blocks import NOT_MATHS, Grid
from ninety_nine_kit.teaching import PREPARED
from ninety_nine_kit.widgets import BidPicker, EffectTable, Quiz, ReadingPage, Table, TotalPractice

pytestmark = pytest.mark.usefixtures("no_handler_fails")

TRICK_GAMES = [rules for rules in kit.PRESETS.values() if rules not in ADDING_GAMES]
Maker = Callable[..., Any]
LESSON_WIDGETS: dict[str, Maker] = {
    "prepared tricks": lambda **more: Table(PREPARED["forced overtrick"], **more),
    "prepared total": lambda **more: Table(PREPARED["just 99"], **more),
    "quiz of numbers": lambda **more: Quiz(kit.TRICKS_FR, "score", **more),
    "quiz of a card": lambda **more: Quiz(kit.TRICKS_FR, "takes", **more),
    "quiz of cards": lambda **more: Quiz(kit.ADDING_RU, "safe", **more),
    "bid picker": lambda **more: BidPicker(kit.TRICKS_RU, 99, **more),
    "practice": lambda **more: TotalPractice(kit.ADDING_RU, seed=99, **more),
    "practice, Paranoia": lambda **more: TotalPractice(kit.PARANOIA_RU, seed=99, **more),
    "effects": lambda **more: EffectTable(kit.ADDING_RU, kit.PARANOIA_RU, **more),
    "readings": lambda **more: ReadingPage("court suits", **more),
}
EVERY_WIDGET = pytest.mark.parametrize("make", LESSON_WIDGETS.values(), ids=LESSON_WIDGETS)
NAMED = (ipywidgets.Dropdown, ipywidgets.Text, ipywidgets.BoundedIntText, ipywidgets.Checkbox)


def parts(panel: Any, kind: Any) -> list[Any]:
    return [widget for widget in widgets_in(panel) if isinstance(widget, kind)]


def parsed(page: str) -> ElementTree.Element:
    """HTML in which every element is closed in its turn."""
    return ElementTree.fromstring(f"<div>{page.replace('<br>', '<br/>')}</div>")


def one_of(things: Any, lots: Random) -> Any:
    return things[int(lots.random() * len(things))]


def use(panel: Any, lots: Random) -> None:
    """One press, choice or typed text by lot, among those that a person has."""
    chosen = one_of([*panel.buttons(), *parts(panel, (ipywidgets.Dropdown, ipywidgets.Text))], lots)
    if isinstance(chosen, ipywidgets.Button):
        chosen.click()
    elif isinstance(chosen, ipywidgets.Text):
        enter(chosen, one_of(["", "5", "K♣", "-5", "hello", "next deal", "<b>", "61"], lots))
    else:
        chosen.index = one_of(range(len(chosen.options)), lots)


def presses(panel: Any) -> list[Any]:
    """The buttons that go on in this game."""
    others = ("Back", "Forward", "New deal", "Play again")
    return [button for button in panel.buttons() if button.description not in others]


def tells_the_same(panel: Any) -> None:
    """The bundle's text is `print`'s, its HTML is well formed and has every table and line, and needs no stylesheet."""
    bundle, blocks = panel._repr_mimebundle_(), panel.blocks()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == repr(panel) == str(panel)
    nodes, grids = list(parsed(bundle["text/html"]).iter()), [block for block in blocks if isinstance(block, Grid)]
    tags = Counter(node.tag for node in nodes)
    assert tags["table"] == tags["caption"] == len(grids)
    assert tags["tr"] == sum(1 + len(grid.rows) for grid in grids)
    assert not tags.keys() & {"img", "script", "style", "svg", "a"}
    assert {node.get("class") for node in nodes} == {None, NOT_MATHS}
    lines = [block for block in blocks if not isinstance(block, Grid)]
    cells = [cell for grid in grids for row in (grid.head, *grid.rows) for cell in row]
    lines += [cell if isinstance(cell, str) else " ".join(map(str, cell)) for cell in cells]
    lines += [grid.caption for grid in grids if panel.captions]
    for told in (words(bundle["text/html"]), " ".join(repr(panel).split())):
        assert all(" ".join(line.split()) in told for line in lines)
    for markup in htmls(panel):
        parsed(markup)


@EVERY_WIDGET
def test_it_can_be_used_in_any_way_and_always_tells_the_same_in_words(make: Maker) -> None:
    panel, lots = make(), Random(99)
    for number in range(60):
        use(panel, lots)
        if number % 4 == 0:
            tells_the_same(panel)
    panel.restart()
    tells_the_same(panel)


@EVERY_WIDGET
def test_it_opens_alike_each_time_and_after_a_restart(make: Maker) -> None:
    panel, lots = make(), Random(5)
    assert texts(panel) == texts(make())
    for _ in range(30):
        if presses(panel):
            one_of(presses(panel), lots).click()
    panel.restart()
    assert repr(panel) == repr(make())


@EVERY_WIDGET
def test_large_adds_its_class_and_keeps_the_words(make: Maker) -> None:
    small, large = make(), make(large=True)
    assert "nn-large" not in small._dom_classes
    assert {"nn-table", "nn-large"} <= set(large._dom_classes)
    assert repr(large) == repr(small)


@EVERY_WIDGET
def test_every_control_is_reached_by_keyboard_and_named_in_the_language_asked_for(make: Maker, marked: None) -> None:
    panel = make(lang="xx")
    assert not [button for button in panel.buttons() if button.disabled or button.tabbable is False]
    named = [control.description for control in [*panel.buttons(), *parts(panel, NAMED)]]
    assert named
    assert not [name for name in named if "«" not in name and not CARD.fullmatch(name) and name != "??"]
    assert "«" in repr(panel)
    with pytest.raises(ValueError, match="no button “Fold” now; there are: "):
        panel.button("Fold")


PLAIN = replace(kit.TRICKS_RU, name="plain", bid_cards=0, premiums=())
REFUSED = [
    *((BidPicker, rules, "there are no bids to pick in this game") for rules in (*ADDING_GAMES, PLAIN)),
    *((TotalPractice, rules, "this practice needs a game with a running total") for rules in TRICK_GAMES),
    (EffectTable, kit.TRICKS_RU, "only an adding game has cards with effects"),
    (lambda rules: EffectTable(kit.ADDING_RU, rules), kit.TRICKS_RU, "only an adding game has cards with effects"),
    (lambda rules: Quiz(rules, "bid"), kit.ADDING_RU, "no questions “bid”; there are: total, safe"),
    (lambda rules: Quiz(rules, ["safe", "x"]), kit.ADDING_RU, "no questions “x”; there are: total, safe"),
]


@pytest.mark.parametrize(("make", "rules", "told"), REFUSED)
def test_what_a_game_does_not_have_is_refused_in_words(make: Maker, rules: Any, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{rules.name}: {told}$"):
        make(rules)


@EVERY_WIDGET
def test_a_click_and_a_typed_total_stay_in_their_budget_of_messages_and_bytes(make: Maker, sent: Sent) -> None:
    panel, lots = make(), Random(99)
    for _ in range(70):
        if presses(panel):
            in_budget(panel, sent, partial(click, one_of(presses(panel), lots)))
        if getattr(panel, "_laying", None):
            total = str(panel.state.apply(panel._laying).total)  # typed, cleared, asked for and answered
            in_budget(panel, sent, partial(enter, panel.new_total, total), most=8)


@pytest.mark.parametrize(
    ("make", "control", "value", "most"),
    [
        (lambda: EffectTable(kit.ADDING_RU), "other", kit.ADDING_ES, 2),
        (ReadingPage, "choice", "adds nothing", 2),
        (ReadingPage, "name", "below zero", 6),
        (lambda: BidPicker(kit.TRICKS_RU, 99), "number", 5, 2),
        (lambda: BidPicker(kit.TRICKS_RU, 99), "seed", 5, 2 + 1 + 12),
        (lambda: Quiz(kit.TRICKS_FR), "kinds", ("takes",), 2 + 1 + 3),
    ],
)
def test_a_choice_from_a_menu_sends_few_messages(make: Maker, control: str, value: Any, most: int, sent: Sent) -> None:
    panel = make()
    sent.clear()
    getattr(panel, control).value = value
    assert len(sent) <= most
