"""A prepared deal at the table, walked as a learner walks it."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from seeing import BIDS, Sent, adding, faces, focus_after, labels, press, step_on, submit, texts, told

import ninety_nine_kit as kit
from ninety_nine_kit.teaching import PREPARED, Step, Walkthrough
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.usefixtures("no_handler_fails")

#: B leads; A is asked for its lowest heart and for its only club; one card each is left to play after the line.
LINE, GUESSES = ["A♥", "J♥", "9♥", "9♦", "A♦", "K♦", "Q♣", "10♣", "J♣"], {3: "Which heart?", 8: "Which club?"}
FOUR_TRICKS = Walkthrough(
    "Four tricks",
    kit.position(kit.TRICKS_RU, ["9♥ Q♥ K♦ 10♣", "A♥ 9♦ J♣ 9♠", "J♥ A♦ Q♣ 10♠"], bids=BIDS, leader=1),
    tuple(Step(card, f"Comment {number}.", GUESSES.get(number, "")) for number, card in enumerate(LINE, start=1)),
    "Opening comment.",
)
BY = [press, submit, Table.play]  # by button, typed, from a cell


def walked(walk: Walkthrough = FOUR_TRICKS, step: int = 0, **more: Any) -> Table:
    """A table at a step of a prepared deal, reached as a learner reaches it."""
    table = Table(walk, **more)
    while table.history.step < step:
        press(table, labels(table)[-1])
    return table


def asks(table: Table) -> bool:
    return "Show the answer" in labels(table)


def comments(table: Table) -> list[str]:
    return re.findall(r"Opening comment\.|Comment \d+\.", told(table))


def test_go_on_shows_one_step_with_its_comment_only() -> None:
    for step, expected in enumerate(("Opening comment.", "Comment 1.", "Comment 2.")):
        table = walked(step=step)
        assert comments(table) == [expected]
        assert expected in repr(table)
        assert set(faces(table)) == {"10♣", "K♦", "9♥", "Q♥"}  # the learner's, though B and C play
        assert labels(table) == ["Show the answer" if step == 2 else "Go on"]
    assert "C plays J♥." in told(table)
    assert "B plays A♥." not in told(table)


def test_at_a_question_the_move_is_hidden_and_nothing_passes_it() -> None:
    table = walked(step=2)
    press(table, "Forward")
    table.controls.step.value = 3
    assert (table.history.step, len(table.history.actions), table.controls.step.value) == (2, 2, 2)
    assert "Which heart?" in told(table)
    assert "Which heart?" in repr(table)
    assert "Comment 3." not in " ".join(texts(table))


@pytest.mark.parametrize(("by", "move"), [*((by, "9♥") for by in BY), (press, "Show the answer")])
def test_the_right_move_goes_on_and_tells_its_comment(by: Callable[..., None], move: str) -> None:
    table = walked(step=2)
    by(table, move)
    assert (table.history.step, table.history.actions[2]) == (3, kit.Play(kit.cards("9♥")))
    assert (comments(table), labels(table), table.controls.action.value) == (["Comment 3."], ["Go on"], "")
    assert "A plays 9♥." in told(table)
    assert "Which heart?" not in told(table)


TYPED = ["K♦", "qh", "2♣", "hello", "bid 9♥ Q♥ K♦", "9♥ +11"]


@pytest.mark.parametrize(("by", "move"), [(press, "K♦"), (press, "Q♥"), *((submit, text) for text in TYPED)])
def test_any_other_move_is_told_why_and_loses_nothing(by: Callable[..., None], move: str) -> None:
    """The engine's reason, or that a legal move is not the answer."""
    table = walked(step=2)
    before, shown, why = list(table.history.states), faces(table), table.state.why_not(move)
    other = "Q♥ is allowed, but it is not the answer here. Try again, or press “Show the answer”."
    by(table, move)
    assert f"⊘ {kit.narrate(why) if why else other}" in told(table)
    assert (table.history.states, faces(table), labels(table)) == (before, shown, ["Show the answer"])
    assert "Which heart?" in told(table)
    assert table.controls.action.value == (move if by is submit else "")
    press(table, "9♥")
    assert "⊘" not in told(table)


def test_a_wrong_effect_is_told_and_leaves_the_others_to_choose() -> None:
    start = adding("A♥ 9♣ 7♠", total=50)
    table = Table(Walkthrough("An ace", start, (Step("A♥ +11", "Comment 1.", "Which card makes 61?"), Step("2♣"))))
    press(table, "A♥", "+1 → 51")
    assert "⊘ A♥ +1 is allowed, but it is not the answer here" in told(table)
    assert labels(table) == ["+1 → 51", "+11 → 61", "Show the answer"]
    press(table, "+11 → 61")
    assert comments(table) == ["Comment 1."]


def test_a_question_is_asked_again_after_a_step_back() -> None:
    table = walked(step=2)
    press(table, "Q♥", "Show the answer", "Back")
    assert ("Which heart?" in told(table), labels(table)) == (True, ["Show the answer"])
    known = list(table.history.states)
    press(table, "9♥")
    assert (table.history.step, table.history.states, comments(table)) == (3, known, ["Comment 3."])


@pytest.mark.parametrize("by", BY)
def test_who_plays_where_nothing_is_asked_is_told_to_go_on(by: Callable[..., None]) -> None:
    """At the learner's turn in a part that goes on by itself."""
    table, step = walked(step=5), 5
    before = list(table.history.states)
    by(table, "K♦")
    assert "press “Go on”" in told(table)
    table.press("answer")
    assert (table.history.step, table.history.states, labels(table)) == (step, before, ["Go on"])
    press(table, "Go on")
    assert comments(table) == [f"Comment {step + 1}."]


def test_steps_go_back_and_forward_in_what_is_known_and_a_restart_asks_again() -> None:
    table = walked(step=5)
    states = list(table.history.states)
    press(table, "Back", "Back", "Back", "Back")
    assert (table.history.step, comments(table)) == (1, ["Comment 1."])
    press(table, *["Forward"] * 20)
    assert (table.history.step, asks(table), table.history.states[:6]) == (7, True, states[:6])
    table.restart()
    assert (table.history.step, len(table.history.actions), comments(table)) == (0, 2, ["Opening comment."])
    press(table, *["Forward"] * 5)
    assert (table.history.step, asks(table)) == (2, True)


def test_after_the_last_prepared_step_it_is_an_ordinary_table_with_agents() -> None:
    table = walked(step=9)
    assert (comments(table), labels(table)) == (["Comment 9."], ["Go on"])
    table.press("answer")
    press(table, "Go on")
    assert (table.history.step, table.state.to_act, faces(table), comments(table)) == (10, 0, ["Q♥"], [])
    press(table, "Q♥", "Next deal")
    assert table.state.deal_number == 2
    assert len(table.history.states) > 12
    table.controls.step.value = 1
    assert comments(table) == ["Comment 1."]


@pytest.mark.parametrize("agents", ["simple", kit.AGENTS["first"]])
def test_the_person_after_the_line_sits_where_the_learner_sat(agents: Any) -> None:
    table = walked(replace(FOUR_TRICKS, steps=FOUR_TRICKS.steps[:1], seat=2), 1, agents=agents)
    assert (table.session.people, set(faces(table))) == ([2], {"Q♣", "J♥", "10♠", "A♦"})


def test_a_new_game_leaves_the_prepared_deal() -> None:
    table = walked(step=2)
    table.controls.game.value, table.controls.seed.value = "adding-es", "99"
    press(table, "New deal")
    assert (comments(table), asks(table)) == ([], False)
    assert table.state == kit.deal(kit.ADDING_ES, 3, 99)
    table.restart()
    assert (table.state, comments(table)) == (FOUR_TRICKS.start, [FOUR_TRICKS.opening])


@pytest.mark.parametrize("view", ["actor", 0, 1, 2, "spectator"])
def test_the_table_is_the_same_whatever_the_hidden_move_is(view: str | int) -> None:
    """What is compared is every text anywhere in the widget, at each step up to the question and after refusals."""
    other = (*FOUR_TRICKS.steps[:2], FOUR_TRICKS.steps[2]._replace(action="Q♥", comment="Comment 4."))
    tables = [Table(walk, view=view) for walk in (FOUR_TRICKS, replace(FOUR_TRICKS, steps=other))]
    for by, what in ((press, "Go on"), (press, "Go on"), (submit, "K♦"), (submit, "hello"), (press, "Forward")):
        for table in tables:
            by(table, what)
        assert texts(tables[0]) == texts(tables[1])
    assert tables[0].session.question(0, "en") == "Which heart?"


def test_comment_question_and_refusals_are_translated(marked: None) -> None:
    table = walked(step=2, lang="xx")
    assert "«Which heart?»" in told(table)
    press(table, "Q♥")
    assert "«Q♥ is allowed, but it is not the answer here." in told(table)
    press(table, "«Show the answer»")
    assert "«Comment 3.»" in told(table)
    table.play("9♦")
    assert "«This deal goes on by itself here: press “Go on”.»" in told(table)


@pytest.mark.parametrize("name", PREPARED)
@pytest.mark.parametrize("way", ["found", "shown"])
def test_every_prepared_deal_can_be_walked_to_its_end(name: str, way: str) -> None:
    walk = PREPARED[name]
    table = Table(walk)
    assert walk.opening in told(table)
    for step, asked in enumerate(walk.steps, start=1):
        assert asks(table) == bool(asked.guess)
        if asked.guess:
            assert asked.guess in told(table)
            assert asked.comment not in " ".join(texts(table))
        if asked.guess and way == "found":
            submit(table, asked.action)
        else:
            press(table, labels(table)[-1])
        assert table.history.actions[: table.history.step] == list(walk.actions()[:step])
        shown = [other.comment for other in walk.steps if other.comment and other.comment in told(table)]
        assert shown == [asked.comment] * bool(asked.comment)
    step_on(table)  # and further


def test_focus_goes_where_the_prepared_deal_goes_on(sent: Sent) -> None:
    table = walked(step=1)
    assert focus_after(table, sent, "Go on") == [table.button("9♥")]  # the first that may be played
    assert focus_after(table, sent, "9♥") == [table.button("Go on")]
    assert focus_after(table, sent, "Go on") == []
    own_turn = kit.position(kit.TRICKS_RU, ["A♥ K♦", "9♦", "J♠"], bids=BIDS, leader=1, trick="8♥ 9♥")
    table = Table(Walkthrough("Lead", own_turn, (Step("A♥", "", "Which card takes it?"), Step("K♦", "You lead."))))
    assert focus_after(table, sent, "A♥") == [table.button("Go on")]
