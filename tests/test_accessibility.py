"""Can it be used without a mouse, without colours, without eyes, on a slow line? Tried in JupyterLab in Chromium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lab import open_and_run, write_notebook
from seeing import next_press
from using import CARD, Lesson, Widget, play_beside

import ninety_nine_kit as kit
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.browser
Show = Callable[..., Widget]
LAST_LIFE = "Lay any one; it will not count, and it costs the last life."
SLOW = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...message) { setTimeout(() => send.apply(this, message), 300); };
}"""


@pytest.fixture
def show(lab: tuple[Any, str], lessons: Path) -> Any:
    """Shows the widget that a line of Python makes, in a notebook of its own."""
    pages = []

    def open_notebook(made: str, before: str = "") -> Widget:
        page = lab[0].new_page()
        pages.append(page)
        imports = "import ninety_nine_kit as kit\nfrom ninety_nine_kit.widgets import *"
        write_notebook(lessons / "shown.ipynb", f"{imports}\nshown = {made}\nshown")
        if before:
            page.add_init_script(f"({before})()")
        lesson = Lesson(page)
        open_and_run(page, lab[1], "shown.ipynb")
        return lesson.widget("shown")

    yield open_notebook
    for page in pages:
        page.close()


def presses_to_the_next_deal(table: Table) -> int:
    for presses in range(1, 200):
        next_press(table).click()
        if table.state.deal_number == 2:
            return presses
    raise AssertionError("a deal of this seed does not end")


@pytest.mark.parametrize("rules", ["TRICKS_RU", "ADDING_ES", "PARANOIA_RU"])
def test_a_whole_deal_is_played_by_keyboard_alone_and_the_focus_is_never_lost(rules: str, show: Show) -> None:
    game = getattr(kit, rules)
    table = show(f"Table(kit.{rules}, seed=99)")
    presses = presses_to_the_next_deal(Table(game, seed=99))
    play_beside(table, Table(game, seed=99), presses, mouse=False)
    table.shows(".nn-head", "deal 2", focus=CARD)


def test_what_happens_is_said_once_and_a_refusal_again_and_again(show: Show) -> None:
    table = show("Table(kit.position(kit.ADDING_RU, ['7♣ 2♥ Q♦', '2♣ 3♦ 5♣', '7♦ 6♣ 5♦'], total=95))")
    node, text = table.spoken()
    assert text == ""  # a table that is opened does not talk
    table.enter("7♣")
    refused = "7♣ would make 102, which is over 99. Lay a card that stays at 99 or less."
    assert table.spoken() == (node, refused)
    table.enter("7♣")
    assert table.spoken() == (node, f"{refused}\u00a0")  # an equal text would not be said
    table.enter("2♥")
    said = table.spoken()
    assert said.node == node
    assert said.text.startswith("A lays 2♥: 95 → 97. ")
    assert said.text.endswith("C has no life left and is out. A: no card is safe now. " + LAST_LIFE)
    assert said.text.count("A lays 2♥") == 1


def test_letters_that_are_still_on_their_way_are_waited_for(show: Show) -> None:
    table = show("Table(kit.ADDING_RU, seed=99)", before=SLOW)
    table.box("Type a move").focus()
    table.lesson.page.keyboard.type("Q♥")
    table.press("Enter")
    table.tells("A lays Q♥: 0 → 10.")
    table.click("New game")
    table.box("Deal number").focus()
    table.lesson.page.keyboard.type("1234")
    table.button("New deal").click()
    table.shows(".nn-head", "deal number 1234")


def test_nothing_moves_where_the_reader_wants_no_motion(show: Show) -> None:
    table, durations = show("Table(kit.TRICKS_RU, seed=99)"), set()
    motion = "root => [...root.querySelectorAll('*')].map(node => getComputedStyle(node))"
    motion += ".map(style => style.transitionDuration + ' ' + style.animationName)"
    for wish in ("reduce", "no-preference"):
        table.lesson.page.emulate_media(reduced_motion=wish)
        moving = {found for found in table.root.evaluate(motion) if found != "0s none"}
        durations.add((wish, bool(moving)))
    assert durations == {("reduce", False), ("no-preference", True)}


def test_each_sign_by_colour_is_a_shape_or_a_word_too(show: Show) -> None:
    table = show("Table(kit.TRICKS_RU, seed=99)")
    flat = table.button("9♦").bounding_box()["y"]
    table.click("9♦", "10♥", "10♠")
    assert table.button("9♦").bounding_box()["y"] < flat - 5  # a picked card is raised
    table.click("Lay aside", "pass")
    acting = table.root.locator(".nn-acts")
    assert "▶" in acting.inner_text()
    while not table.cards(".nn-no"):
        table.click(table.cards()[0])
    content = "card => getComputedStyle(card, '::after').content"
    signs = {name: "⊘" in table.button(name).evaluate(content) for name in table.cards()}
    assert {name for name, sign in signs.items() if sign} == set(table.cards(".nn-no"))
    for name in table.cards():  # the suit is a shape, in the corner and in the name
        assert name[-1] in table.button(name).evaluate("card => getComputedStyle(card, '::before').content")
