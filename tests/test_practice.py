"""Practice with the running total: a card counts when its total was said, by pressing and typing."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from seeing import ADDING_GAMES, Sent, adding, enter, focus_after, focused, labels, press, step_on, submit, texts, told

import ninety_nine_kit as kit
from ninety_nine_kit.teaching import Step, Walkthrough
from ninety_nine_kit.widgets import TotalPractice

pytestmark = pytest.mark.usefixtures("no_handler_fails")

PAIR = kit.position(kit.PARANOIA_RU, ["3♣ 3♥ 2♠", "7♣ 9♥ 5♣", "7♦ 6♣ 5♦"], total=50)


def practice(first: str = "A♥ 10♣ 7♠", rules: Any = kit.ADDING_RU, total: int = 50, agents: Any = "first") -> Any:
    return TotalPractice(adding(first, rules, total=total), agents=agents)


def asked(table: TotalPractice) -> str:
    """The lay whose total is asked for."""
    return "".join(re.findall(r"You lay ([^.]*)\. What is the new total\?", told(table)))


def at_once(table: TotalPractice) -> str:
    (found,) = re.findall(r"Right at once: (\d+ of \d+)\.", told(table))
    return found


@pytest.mark.parametrize("said", ["58", "-57", "", "hello", "57.0", "5 7"])
def test_a_card_counts_only_when_its_total_was_said_and_another_total_loses_nothing(said: str) -> None:
    table = practice()
    press(table, "7♠")
    before = list(table.history.states)
    enter(table.new_total, said)
    assert re.search("⊘ .*(is not right. The total is 50, and you lay 7♠. Count again.|is not a number)", told(table))
    assert "Running total 50 / 99" in told(table)
    assert (table.history.states, table.new_total.value) == (before, "")
    assert (asked(table), at_once(table)) == ("7♠", "0 of 0")
    enter(table.new_total, " 57 ")
    assert "A lays 7♠: 50 → 57." in told(table)
    assert ("⊘" in told(table), table.new_total.value) == (False, "")
    assert table.history.step > 1  # the agents have played


def test_right_at_once_counts_first_answers_only_also_when_the_card_is_chosen_again() -> None:
    table = practice(agents=None)
    table.controls.view.value = "everyone"
    for card, totals, expected in (("7♠", "57", "1 of 1"), ("5♣", "60 61 62", "1 of 2"), ("6♣", "x 68", "2 of 3")):
        for total in totals.split():
            press(table, card)
            table.say(total)
        assert at_once(table) == expected


def test_another_card_or_effect_can_be_chosen_before_the_total_is_said() -> None:
    table = practice()
    table.say("57")
    assert "⊘ First choose a card, then say the total that it makes." in told(table)
    press(table, "7♠", "10♣")
    assert "What shall the card do?" in told(table)
    table.say("57")
    assert "⊘ What shall the card do?" in told(table)
    press(table, "−10")
    assert asked(table) == "10♣ −10"
    submit(table, "a♥ +11")
    assert (asked(table), table.controls.action.value) == ("A♥ +11", "")
    table.play("10♣ -10")
    table.say("57")
    assert table.history.step == 0
    table.say("40")
    assert table.history.actions[0] == kit.read_action(table.history.states[0], "10♣ -10")


@pytest.mark.parametrize(
    ("by", "card", "start", "effects"),
    [
        *((by, card, adding("A♥ 10♣ 7♠", total=50), ["+1", "+11"]) for by, card in ((press, "A♥"), (submit, "A♥ +5"))),
        *((by, "10♣", adding("A♥ 10♣ 7♠", total=50), ["+10", "−10"]) for by in (press, submit)),
        (press, "3♥", PAIR, ["+3", "3♣ 3♥ total becomes 33", "3♣ 3♥ total becomes 33, direction turns"]),
    ],
)
def test_nothing_gives_the_total_away(by: Callable[..., None], card: str, start: Any, effects: list[str]) -> None:
    table = TotalPractice(start, agents="first")
    by(table, card)
    assert (labels(table), table.history.step) == (effects, 0)
    assert "→" not in " ".join(texts(table))


def test_an_illegal_card_is_refused_as_usual_and_keeps_what_was_chosen() -> None:
    table = practice("K♣ 9♥ 5♠", total=97)
    press(table, "9♥", "5♠")
    assert "⊘ 5♠ would make 102, which is over 99." in told(table)
    assert (asked(table), table.history.step) == ("9♥", 0)
    table.say("0")
    assert table.history.states[1].total == 0


def test_what_is_no_safe_lay_happens_at_once() -> None:
    table = practice("5♥ 3♣ 2♠", kit.ADDING_ES, total=98)  # no card is safe
    press(table, "5♥")
    assert "A loses a life and has 2 left." in told(table)
    assert (labels(table), at_once(table)) == (["Next deal"], "0 of 0")
    table = TotalPractice(PAIR, agents="first")
    press(table, "2♠")
    table.say("52")
    press(table, "3♥")  # is passed on
    assert "A passes 3♥ to B." in told(table)
    assert at_once(table) == "1 of 1"


def test_pairs_the_end_of_a_round_and_totals_below_zero_are_said_too() -> None:
    for first, rules, total, presses, said in (
        ("3♣ 3♥ 2♠", kit.PARANOIA_RU, 50, ["3♣", "3♣ 3♥ total becomes 33, direction turns"], "33"),
        ("Q♥ 5♥ J♠", kit.PARANOIA_RU, 96, ["Q♥"], "106"),
        ("10♥ 5♥ J♠", kit.ADDING_ES, 5, ["10♥"], "-5"),
    ):
        table = practice(first, rules, total)
        press(table, *presses)
        table.say(said)
        assert table.history.states[1].total == int(said)


@pytest.mark.parametrize(("move", "score"), [(TotalPractice.back, "1 of 1"), (TotalPractice.restart, "0 of 0")])
def test_another_step_clears_the_chosen_card_and_only_a_restart_the_score(move: Any, score: str) -> None:
    table = practice()
    press(table, "7♠")
    table.say("57")
    table.go(0)
    press(table, "A♥", "+1")
    assert asked(table) == "A♥ +1"
    move(table)
    table.say("51")
    assert "First choose a card" in told(table)
    assert (table.history.step, at_once(table)) == (0, score)


def test_a_prepared_deal_is_practised_too() -> None:
    start = adding("A♥ 9♣ 7♠", total=50)
    table = TotalPractice(Walkthrough("An ace", start, (Step("A♥ +11", "Well done.", "61?"), Step("2♣"))))
    for lay, total, reaction in (
        ("9♣", "0", "⊘ 9♣ is allowed, but it is not the answer here."),
        ("A♥ +11", "60", "⊘ 60 is not right."),
        ("A♥ +11", "61", "Well done."),
    ):
        table.play(lay)
        if asked(table):
            table.say(total)
        assert reaction in told(table)
    assert at_once(table) == "0 of 1"
    table.play("2♣")  # B's card: the deal goes on by itself
    assert (asked(table), "press “Go on”" in told(table)) == ("", True)


def test_a_new_trick_game_is_played_as_at_any_table() -> None:
    table = practice()
    press(table, "7♠")
    table.controls.game.value, table.controls.seed.value = "tricks-fr", "99"
    press(table, "New deal")
    assert (table.state.rules, asked(table)) == (kit.TRICKS_FR, "")
    for _ in range(12):
        step_on(table)
    assert table.history.step > 6


@pytest.mark.parametrize("rules", ADDING_GAMES, ids=lambda rules: rules.name)
def test_every_adding_game_is_practised_to_its_end(rules: Any) -> None:
    table, said = TotalPractice(rules, seed=99), 0
    while table.state.phase is not kit.Phase.MATCH_OVER:
        if asked(table):
            table.say(str(table.state.apply(kit.read_action(table.state, asked(table))).total))
            said += 1
        else:
            step_on(table)
        assert said < 500
    assert at_once(table) == f"{said} of {said}"


def test_focus_goes_to_the_total_and_then_to_what_can_be_done(sent: Sent) -> None:
    table = practice()
    assert focus_after(table, sent, "7♠")[-1:] == [table.new_total]
    assert focus_after(table, sent, "A♥") == []
    assert focus_after(table, sent, "+11") == [table.new_total]
    for total, expected in (("60", 0), ("61", 1)):
        sent.clear()
        enter(table.new_total, total)
        assert len(focused(table, sent)) == expected
    assert focused(table, sent)[0] in table.cards
    for table, card, said, label in (
        (practice("Q♥ 5♥ J♠", kit.PARANOIA_RU, 96), "Q♥", "106", "Next deal"),
        (practice(agents=None), "7♠", "57", "Show the hand"),
    ):
        press(table, card)
        sent.clear()
        enter(table.new_total, said)
        assert focused(table, sent) == [table.button(label)]
