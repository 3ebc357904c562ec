"""The table, played as a person would: by pressing the buttons that it shows, choosing from menus and typing."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from itertools import pairwise
from random import Random
from typing import Any

import ipywidgets
import pytest
from playing import CASE_IDS, CASES
from seeing import (
    BIDS,
    CARD,
    PRESETS,
    Sent,
    adding,
    bid,
    board,
    choices,
    click,
    faces,
    focused,
    hand,
    htmls,
    in_budget,
    labels,
    open_cards,
    seat_shown,
    sheet,
    step_on,
    submit,
    texts,
    told,
    widgets_in,
    words,
)

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.show import sorted_hand
from ninety_nine_kit.show.blocks import NOT_MATHS
from ninety_nine_kit.widgets import Table, session, style

pytestmark = pytest.mark.usefixtures("no_handler_fails")

NAMES = ["Ann", "Ben", "Cem"]


def story(table: Table) -> list[str]:
    """The lines of what happened."""
    return [words(line) for line in re.findall(r"<p>(.*?)</p>", board(table))]


def covered(table: Table) -> bool:
    return labels(table) == ["Show the hand"]


def tricks(hands: Sequence[str] = ("6♥ 9♣", "8♥ K♣", "J♦ 10♥"), **given: Any) -> kit.TrickState:
    rules = given.pop("rules", kit.TRICKS_FR)
    return kit.position(rules, hands, **{"bids": BIDS, **given})


def test_a_handler_that_raises_would_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    table = following()
    table.cards[0].on_click(lambda button: button.no_such_thing)
    table.cards[0].click()
    assert "no_such_thing" in caplog.records[0].getMessage()
    caplog.clear()


# ---- Bidding and premiums


def test_a_bid_is_picked_card_by_card_and_its_sum_runs_along() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    for card, so_far in (
        ("9♣", "Your bid so far: ♣3 = 3"),
        ("J♠", "Your bid so far: ♣3 + ♠1 = 4"),
        ("A♥", "Your bid so far: ♣3 + ♥2 + ♠1 = 6"),
    ):
        table.button(card).click()
        assert so_far in told(table)
        assert so_far in repr(table)
    assert faces(table, "nn-picked") == ["9♣", "A♥", "J♠"]
    assert table.history.step == 0
    table.button("Lay aside").click()
    assert table.history.actions[0] == kit.Bid(kit.cards("9♣ A♥ J♠"))
    assert "9♣ A♥ J♠ = 6" in told(table)
    assert len(hand(table)) == 9


def test_a_fourth_card_is_refused_and_the_three_stay() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    for card in ("9♣", "J♠", "A♥", "Q♦"):
        table.button(card).click()
    assert "Choose 3 cards, not 4." in told(table)
    assert faces(table, "nn-picked") == ["9♣", "A♥", "J♠"]


def test_a_picked_card_can_be_taken_back() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    for card in ("9♣", "J♠", "9♣"):
        table.button(card).click()
    assert faces(table, "nn-picked") == ["J♠"]
    assert "Your bid so far: ♠1 = 1" in told(table)
    assert "take it back" in table.button("J♠").tooltip
    table.button("J♠").click()
    assert "lay 3 cards aside" in told(table)


def test_a_bid_of_two_cards_is_refused_and_stays_picked() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    bid(table, "9♣", "J♠")
    assert table.history.step == 0
    assert "Choose 3 cards, not 2." in told(table)
    assert faces(table, "nn-picked") == ["9♣", "J♠"]


def test_a_french_table_offers_pass_declare_reveal_and_a_russian_one_no_reveal() -> None:
    for rules, names in ((kit.TRICKS_FR, ["pass", "declare", "reveal"]), (kit.TRICKS_RU, ["pass", "declare"])):
        table = Table(rules, seed=99)
        bid(table, "9♣", "J♠", "A♥")
        assert [label.split(":")[0] for label in labels(table)] == names
    assert {"+30", "−60"} <= set(re.findall(r"[+−]\d+", labels(table)[1]))


def test_declaring_opens_the_bid_and_revealing_the_hand_too() -> None:
    for premium, others_see in (("declare", 0), ("reveal", 2)):
        table = Table(tricks(phase="announce"), names=NAMES)
        next(button for button in choices(table) if button.description.startswith(premium)).click()
        assert f"Ann says: {premium}." in told(table)
        assert "Ann opens the bid: 6♣ 7♣ 8♣ spell 9." in told(table)
        assert f"Ann ▶ to act {premium}" in told(table)
        table.controls.view.value = 1
        assert "6♣ 7♣ 8♣ = 9" in told(table)
        assert len({"6♥", "9♣"} & set(CARD.findall(told(table).split("Ben")[0]))) == others_see


def test_a_premium_that_is_too_late_is_marked_and_told_why() -> None:
    table = Table(tricks(phase="announce"), agents=None, names=NAMES)
    choices(table)[1].click()
    table.button("Show the hand").click()
    assert [label.endswith("⊘") for label in labels(table)] == [False, True, False]
    choices(table)[1].click()
    assert "“declare” is too late: Ann has said “declare”" in told(table)
    assert table.history.step == 1


# ---- Tricks


def following(**more: Any) -> Table:
    """Cem has led the ace of hearts, Ann is to follow."""
    return Table(tricks(["6♥ 9♣", "K♣ 9♦", "10♥"], leader=2, trick="A♥"), **{"names": NAMES, **more})


def test_a_card_that_does_not_follow_is_marked_and_a_click_says_why() -> None:
    table = following()
    assert faces(table, "nn-no") == ["9♣"]
    assert "click to hear why" in table.button("9♣").tooltip
    assert not table.button("9♣").disabled
    before = list(table.history.states)
    table.button("9♣").click()
    assert "⊘ 9♣ does not follow: ♥ was led and you hold ♥. You can play: 6♥." in told(table)
    assert table.history.states == before
    table.button("6♥").click()
    assert "⊘" not in told(table)


def test_the_cards_that_stay_keep_their_places() -> None:
    table = Table(tricks(["6♥ 9♣ K♠", "8♥ K♣ J♠", "J♦ 10♥ Q♠"]))
    places = {card.description: card for card in hand(table)}
    table.button("6♥").click()
    assert faces(table) == ["9♣", "K♠"]
    assert [table.button("9♣"), table.button("K♠")] == [places["9♣"], places["K♠"]]


def test_the_trick_stands_on_the_table_and_then_as_the_last_one_with_its_winner() -> None:
    table = following(agents=None)
    assert re.search("Trick 1.* A♥ Cem Ann Ben", told(table))
    table.button("6♥").click()
    table.button("Show the hand").click()
    table.button("K♣").click()
    assert "A♥ Cem ✓ takes it 6♥ Ann K♣ Ben" in told(table)
    assert "Cem takes the trick: A♥ is the highest card of the suit led." in told(table)
    assert "Tricks 1 ●" in told(table)
    table.button("Show the hand").click()
    table.button("10♥").click()
    assert "Last trick: Cem took it" in told(table)


def test_the_score_sheet_shows_its_working_and_the_next_deal_its_trump() -> None:
    reveal = kit.TRICKS_FR.premiums[1]
    bids = ["6♠ 6♦ 7♦", "6♣ 7♣ 8♣", "8♦ 9♦ 10♦"]
    start = kit.position(kit.TRICKS_FR, ["A♥", "8♥", "7♥"], bids=bids, premium=(0, reveal))
    table = Table(start, agents="first", names=NAMES)
    assert sheet(table) == ""
    table.button("A♥").click()
    assert "bid 1, took 1 ✓: 1 + 20 + 60 = 81" in sheet(table)
    assert "bid 9, took 0 ✗: 0" in sheet(table)
    assert "Points 81 0 20" in sheet(table)
    assert "Ann bid 1 and took 1, bid made: 1 + 20 + 60 = 81." in told(table)
    assert labels(table) == ["Next deal"]
    table.button("Next deal").click()
    assert "deal 2 · trump ♥" in told(table)
    assert len(hand(table)) == 12
    assert "Points 81 0 20" in sheet(table)


# ---- The running total


def test_a_card_with_several_effects_asks_with_their_results() -> None:
    table = Table(adding("A♥ 9♣ 5♠", total=95))
    table.button("A♥").click()
    assert labels(table) == ["+1 → 96", "+11 → 106 ⊘"]
    assert "What shall the card do?" in told(table)
    assert table.history.step == 0
    table.button("+11 → 106 ⊘").click()
    assert "A♥ would make 106, which is over 99." in told(table)
    assert labels(table) == ["+1 → 96", "+11 → 106 ⊘"]
    assert table.history.step == 0
    table.button("+1 → 96").click()
    assert "A lays A♥ as +1: 95 → 96." in told(table)


def test_a_second_click_on_the_card_takes_the_question_back() -> None:
    table = Table(adding("A♥ 9♣ 5♠", total=95))
    table.button("A♥").click()
    table.button("A♥").click()
    assert labels(table) == []
    assert "A: play a card." in told(table)


def test_a_ten_goes_up_or_down() -> None:
    table = Table(adding("10♥ 9♣ 5♠", total=50), agents=None)
    table.button("10♥").click()
    assert labels(table) == ["+10 → 60", "−10 → 40"]
    table.button("−10 → 40").click()
    assert "Running total 40 / 99" in told(table)


def test_a_card_that_passes_the_limit_is_marked_and_told_why() -> None:
    table = Table(adding("A♥ K♣ 5♠", total=97))
    assert faces(table, "nn-no") == ["5♠"]
    table.button("5♠").click()
    assert "⊘ 5♠ would make 102, which is over 99." in told(table)
    assert "Running total 97 / 99" in told(table)


def test_a_pair_may_keep_or_turn_the_direction() -> None:
    for label, action, direction in (
        ("3♣ 3♥ → 33", "3♣ 3♥ =33", "clockwise ↻"),
        ("3♣ 3♥ → 33, direction turns", "3♣ 3♥ =33 reverse", "counter-clockwise ↺"),
    ):
        table = Table(adding("3♣ 3♥ 2♠", kit.PARANOIA_RU, total=50), agents=None)
        table.button("3♥").click()
        assert labels(table) == ["+3 → 53", "3♣ 3♥ → 33", "3♣ 3♥ → 33, direction turns"]
        table.button(label).click()
        assert f"Running total 33 / 99 {direction}" in told(table)
        assert table.history.actions == [kit.read_action(table.history.states[0], action)]


def test_an_exchange_is_chosen_by_clicking_the_card_to_pass() -> None:
    table = Table(adding("3♣ 9♥ 2♠", kit.PARANOIA_RU, total=50), names=NAMES)
    table.button("2♠").click()
    assert "Ann: choose a card to pass to the next player." in told(table)
    assert faces(table, "nn-no") == []
    table.button("9♥").click()
    assert "Ann passes 9♥ to Ben. Ben passes a card to Cem." in told(table)
    assert re.search(r"Cem passes [0-9JQKA]+. to Ann.", told(table))
    assert "9♥" not in faces(table)
    assert len(hand(table)) == 3


def test_with_no_safe_card_any_may_be_laid_and_a_life_is_lost() -> None:
    table = Table(adding("5♥ 3♣ 2♠", kit.ADDING_ES, total=98), names=NAMES)
    assert "Ann: no card is safe now." in told(table)
    assert faces(table, "nn-no") == []
    table.button("5♥").click()
    assert "Ann loses a life and has 2 left." in told(table)
    assert "Lives 2 ●●○" in told(table)
    assert "Running total 98 / 99" in told(table)
    assert "lives left: 2" in sheet(table)
    table.button("Next deal").click()
    assert table.state.deal_number == 2
    assert "Lives 2 ●●○" in told(table)


def test_points_of_a_round_stand_on_the_sheet_with_their_working() -> None:
    table = Table(adding("Q♥ 5♥ J♠", kit.PARANOIA_RU, total=96), agents=None, names=NAMES)
    table.button("Q♥").click()
    assert table.state.phase is kit.Phase.DEAL_OVER
    assert "3 − 2 − 3 = −2" in sheet(table)
    assert "Ann scores 3 − 2 − 3 = −2 in this round." in told(table)
    assert "Points −2 0 0" in sheet(table)


@PRESETS
def test_every_game_is_played_to_its_end_by_pressing_and_then_again(rules: Rules) -> None:
    table = Table(rules, seed=99)
    for _ in range(2_000):
        if table.state.phase is kit.Phase.MATCH_OVER:
            break
        step_on(table)
    assert labels(table) == ["Play again"]
    assert "Winner: " in told(table)
    assert "winner" in told(table)
    first = table.state
    table.button("Play again").click()
    assert table.state.rules == first.rules
    assert table.state.players == first.players
    assert table.state.seed != first.seed
    assert table.state.phase is not kit.Phase.MATCH_OVER
    assert table.state.deal_number == 1


# ---- Agents, steps and history


def test_an_agents_action_is_one_step_like_a_persons() -> None:
    table = Table(kit.ADDING_ES, seed=99)
    start = table.state
    assert start.to_act == 0
    step_on(table)
    history = table.history
    assert len(history.actions) == history.step == len(history.states) - 1
    assert [state.to_act for state in history.states[:3]] == [0, 1, 2]
    for before, action, after in zip(history.states, history.actions, history.states[1:], strict=False):
        assert before.apply(action) == after


def test_back_forward_and_the_step_box_never_start_agents_and_go_on_does() -> None:
    table = Table(kit.ADDING_ES, seed=99, names=NAMES)
    step_on(table)
    states = list(table.history.states)
    table.button("Back").click()
    table.button("Back").click()
    assert (table.history.step, table.state.to_act) == (1, 1)
    assert labels(table) == ["Go on"]
    assert "Ben is next: press “Go on”." in told(table)
    table.button("Forward").click()
    assert table.history.step == 2
    table.controls.step.value = 1
    assert (table.history.step, table.history.states) == (1, states)
    table.button("Go on").click()
    assert table.state.to_act == 0
    assert table.history.states == states
    assert table.controls.step.value == table.history.step == 3


def test_the_step_box_goes_anywhere_and_back_and_forward_stop_at_the_ends() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    bid(table, "9♣", "J♠", "A♥")
    steps = table.history.step
    assert (table.controls.step.value, table.controls.step.max) == (steps, steps)
    assert table.controls.step.description == f"Step (of {steps})"
    table.button("Forward").click()
    assert table.history.step == steps
    table.controls.step.value = 0
    assert "lay 3 cards aside" in told(table)
    assert len(hand(table)) == 12
    table.button("Back").click()
    assert table.history.step == 0


def test_playing_from_an_earlier_step_drops_what_came_after_but_a_refused_action_does_not() -> None:
    table = following(agents=None)
    for card in "6♥", "9♦":
        table.button(card).click()
        table.button("Show the hand").click()
    table.controls.step.value = 0
    table.button("Show the hand").click()
    table.button("9♣").click()
    assert len(table.history.actions) == 2
    table.button("6♥").click()
    assert (table.history.step, len(table.history.actions)) == (1, 1)


def test_a_table_with_a_person_never_deals_by_itself_whoever_deals() -> None:
    for agents in ("simple", {0: "simple", 1: "simple"}):
        table = Table(tricks(["A♥", "8♥", "7♥"]), agents=agents)
        for _ in range(3):
            if table.state.phase is kit.Phase.PLAY:
                step_on(table)
        assert table.state.phase is kit.Phase.DEAL_OVER
        assert labels(table) == ["Next deal"]
        table.button("Back").click()
        table.button("Forward").click()
        assert table.state.phase is kit.Phase.DEAL_OVER
        table.button("Next deal").click()
        assert table.state.deal_number == 2


def test_a_table_of_agents_takes_one_step_for_each_go_on() -> None:
    table = Table(tricks(["A♥", "8♥", "7♥"]), agents=dict.fromkeys(range(3), "first"))
    for step in range(1, 5):
        assert labels(table) == ["Go on"]
        table.button("Go on").click()
        assert table.history.step == step
    assert table.state.deal_number == 2


def test_an_agent_can_be_a_function_and_an_illegal_action_of_it_is_told() -> None:
    asked = []

    def wrong(view: kit.State, random: Random) -> kit.Play:
        asked.append(view.view_of)
        return kit.Play(kit.cards("9♣"))

    table = Table(tricks(), agents={1: wrong}, names=NAMES)
    table.button("6♥").click()
    assert asked == [1]
    assert table.history.step == 1
    assert "⊘ The agent of Ben failed: “9♣” ⊘" in told(table)


def test_the_turn_of_an_agent_is_not_played_by_hand() -> None:
    table = following(agents={1: "first", 2: "first"})
    table.button("6♥").click()
    table.go(1)
    before = list(table.history.states)
    for typed in ("9♦", "K♣", "2♣"):
        submit(table, typed)
        assert (table.history.step, table.history.states) == (1, before)
        assert "press “Go on”" in told(table)
        assert table.controls.action.value == typed


def test_a_state_or_a_history_is_taken_up_where_it_stands() -> None:
    history = kit.playout(kit.deal(kit.ADDING_ES, seed=99), "simple", max_actions=7)
    history.back()
    table = Table(history)
    assert (table.history.step, table.controls.step.value, table.controls.step.max) == (6, 6, 7)
    assert Table(history.state).history.step == 0
    assert Table(history.state).state == table.state


# ---- What is told and refused


@pytest.mark.parametrize("rules", [kit.PARANOIA_RU, kit.TRICKS_FR, kit.ADDING_ES], ids=lambda rules: rules.name)
def test_what_happened_tells_everything_since_this_seats_last_action(rules: Rules) -> None:
    """Who presses “Next deal” acts too, whoever deals."""
    table = Table(rules, seed=99, names=NAMES)
    for _ in range(60):
        step_on(table)
        history, seat = table.history, table.session.person_to_show()
        done = zip(history.states, history.actions[: history.step], strict=False)
        own = [n for n, (state, action) in enumerate(done) if state.to_act == seat or isinstance(action, kit.NextDeal)]
        first = own[-1] + 1 if own else 0
        events = [event for state in history.states[first : history.step + 1] for event in state.events]
        expected = [kit.narrate(event.seen_by(seat), names=NAMES) for event in events]
        assert story(table) == expected
        assert "\n".join(expected) in repr(table)


def test_a_long_story_keeps_its_beginning_and_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(kit.ADDING_ES, seed=99)
    step_on(table)
    whole = story(table)
    assert len(whole) > 4
    monkeypatch.setattr(session, "FIRST_LINES", 1)
    monkeypatch.setattr(session, "LAST_LINES", 2)
    table.go(table.history.step)
    assert story(table) == [whole[0], "…", *whole[-2:]]


def test_a_typed_move_is_played_and_leaves_the_box_empty() -> None:
    table = following(agents=None)
    submit(table, "  6h ")
    assert table.history.actions == [kit.Play(kit.cards("6♥"))]
    assert table.controls.action.value == ""
    submit(table, "   ")
    assert table.history.step == 1


@pytest.mark.parametrize("typed", ["9♣", "Q♠", "hello", "1♥", "bid 6♣ 7♦", "declare", "6♥ +11", "next deal"])
def test_a_refused_action_changes_nothing_says_why_and_keeps_the_typed_text(typed: str) -> None:
    table = following()
    why = table.state.why_not(typed)
    assert why
    reason = kit.narrate(why, names=NAMES)
    before, shown = list(table.history.states), faces(table)
    submit(table, typed)
    assert f"⊘ {reason}" in told(table)
    assert f"⊘ {reason}" in repr(table)
    assert (table.history.states, table.history.step) == (before, 0)
    assert table.controls.action.value == typed
    assert faces(table) == shown
    table.button("6♥").click()
    assert reason not in told(table)


def test_a_refused_text_does_not_lose_the_picked_cards() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    table.button("9♣").click()
    submit(table, "Q♥")
    assert faces(table, "nn-picked") == ["9♣"]
    assert "Your bid so far: ♣3 = 3" in told(table)


def test_a_cell_plays_like_a_person_and_is_refused_like_one() -> None:
    table = following(agents={1: "first"})
    table.play("9♣")
    assert "⊘ 9♣ does not follow" in repr(table)
    table.play("6♥")
    assert table.history.step == 2
    table.back()
    assert table.history.step == 1
    table.forward()
    table.go(0)
    assert (table.history.step, len(table.history.actions)) == (0, 2)
    table.button("Show the hand").click()
    with pytest.raises(ValueError, match=r"no button “Lay aside” now; there are: 9♣, 6♥, Back, Forward, New deal"):
        table.button("Lay aside")


# ---- Two people, views and hidden cards


def test_between_two_people_the_hand_is_covered_until_the_next_shows_it() -> None:
    table = following(agents={2: "first"})
    assert faces(table) == ["9♣", "6♥"]
    table.button("6♥").click()
    assert "Pass to Ben, then show the hand." in told(table)
    assert labels(table) == ["Show the hand"]
    assert set(faces(table)) == {"??"}
    assert not {"9♣", "K♣", "9♦"} & set(CARD.findall(told(table) + repr(table)))
    hand(table)[0].click()
    assert table.history.step == 1
    table.button("Show the hand").click()
    assert faces(table) == ["K♣", "9♦"]
    assert labels(table) == []


def test_at_an_agents_turn_the_person_who_acted_last_is_asked_to_look() -> None:
    table = Table(tricks(), agents={2: "first"}, names=NAMES)
    for card in "6♥", "8♥":
        table.button(card).click()
        table.button("Show the hand").click()
    table.go(2)
    assert table.state.to_act == 2
    assert "Pass to Ben, then show the hand." in told(table)
    table.button("Show the hand").click()
    assert faces(table) == ["K♣"]
    assert labels(table) == ["Go on"]


def test_one_person_among_agents_is_never_covered() -> None:
    table = Table(kit.ADDING_ES, seed=99)
    for _ in range(30):
        assert "??" not in faces(table)
        assert "Show the hand" not in labels(table)
        step_on(table)


def test_each_view_shows_its_hands_and_no_more() -> None:
    hands = ["6♥ 9♣", "K♣ 9♦", "10♥"]
    seen = {"actor": 1, 0: 1, 1: 2, 2: 4, "spectator": 0, "everyone": 7}
    bids = {"actor": [0], 0: [0], 1: [1], 2: [2], "spectator": [], "everyone": [0, 1, 2]}
    for view, which in seen.items():
        table = following()
        table.controls.view.value = view
        shown = set(CARD.findall(" ".join(texts(table)))) - {"A♥"}
        expected = {card for n, cards in enumerate(hands) if which >> n & 1 for card in cards.split()}
        expected |= {card for seat in bids[view] for card in BIDS[seat].split()}
        assert shown == expected


@pytest.mark.parametrize("view", ["actor", 0, "spectator"])
def test_the_table_is_the_same_whatever_the_hidden_cards_are(view: str | int) -> None:
    """Also after a refusal: what Ann types for Ben, whose hand is covered, must not tell her what he holds."""
    hands, bids = ["6♥ 9♣", "8♥ K♣", "10♥"], BIDS
    others, laid = ["6♥ 9♣", "10♥ J♦", "8♥"], [BIDS[0], BIDS[2], BIDS[1]]
    starts = [tricks(hands, bids=bids, leader=2, trick="A♥"), tricks(others, bids=laid, leader=2, trick="A♥")]
    tables = [Table(start, agents=None, view=view, names=NAMES) for start in starts]
    for typed in ("", "6♥", "K♣", "J♦", "2♣", "hello"):
        for table in tables:
            submit(table, typed)
        assert texts(tables[0]) == texts(tables[1])
        assert not {"8♥", "10♥", "K♣", "J♦"} - {typed} & set(CARD.findall(told(tables[0])))


def test_nothing_told_for_one_view_stays_in_another() -> None:
    start = kit.position(kit.PARANOIA_RU, ["2♣ 5♦ 8♠", "9♣ 9♦ K♥", "7♦ 4♠ A♣"], total=50, to_act=1)
    for view in ("spectator", 0):
        table = Table(start, agents=None, view="everyone")
        table.button("9♦").click()
        submit(table, "9♦ K♥")
        assert "9♣ 9♦ → 99" in labels(table)
        assert "9♦ K♥ cannot be laid together" in told(table)
        table.controls.action.value = ""
        table.controls.view.value = view
        assert not {"9♣", "9♦", "K♥"} & set(CARD.findall(" ".join(texts(table))))


def test_a_click_on_a_hidden_card_says_what_to_do() -> None:
    table = following(view="spectator")
    hand(table)[0].click()
    assert "Choose another view" in told(table)
    assert table.history.step == 0
    table = following(view=1)
    table.button("K♣").click()
    assert "It is the turn of Ann." in told(table)
    assert table.history.step == 0


# ---- Menus, looks, rules of one's own


@pytest.mark.parametrize(("rules", "players"), CASES, ids=CASE_IDS)
def test_the_menus_open_every_game_for_every_number_of_players(rules: Rules, players: int) -> None:
    table = Table(kit.TRICKS_RU, seed=1)
    controls = table.controls
    controls.game.value = rules.name
    assert tuple(controls.players.options) == rules.players
    controls.players.value = players
    controls.seed.value = " 99 "
    controls.others.value = "first"
    controls.view.value = 1
    assert table.state.rules == kit.TRICKS_RU
    table.button("New deal").click()
    assert (table.state.rules, table.state.players, str(table.state.seed)) == (rules, players, "99")
    expected = kit.deal(rules, players, seed=99)
    assert table.history.states[0].hands == expected.hands
    assert set(table.session.agents) == set(range(1, players))
    assert words(controls.rules.value) == words(kit.html(rules))
    assert (controls.view.value, controls.others.value) == (1, "first")
    controls.view.value = "actor"
    assert something_to_press(table)
    step_on(table)


def test_a_new_deal_without_a_number_takes_one_that_is_shown_and_can_be_played_again() -> None:
    table = Table(kit.ADDING_RU, seed=1)
    table.button("New deal").click()
    seed = table.state.seed
    assert f"deal number {seed}" in told(table)
    again = Table(kit.ADDING_RU)
    again.controls.seed.value = str(seed)
    again.button("New deal").click()
    assert again.history.states[0].hands == table.history.states[0].hands


def test_other_seats_can_be_given_to_people() -> None:
    table = Table(kit.ADDING_ES, seed=99)
    table.controls.others.value = "people"
    table.button("New deal").click()
    assert table.session.people == [0, 1, 2]
    step_on(table)
    assert table.history.step == 1
    assert labels(table) == ["Show the hand"]


def test_every_control_has_a_label() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    named = (ipywidgets.Dropdown, ipywidgets.Text, ipywidgets.BoundedIntText)
    controls = [widget for widget in widgets_in(table) if isinstance(widget, named)]
    assert len(controls) > 7
    assert all(control.description for control in controls)
    assert all(button.description for button in [*hand(table), *choices(table)])
    assert all(table.button(name) for name in ("Back", "Forward", "New deal"))
    assert [opener.description for opener in table.controls.openers] == [
        "New game",
        "View",
        "Keep and share",
        "Rules of this game",
    ]


def test_the_hand_is_sorted_by_suit() -> None:
    for seed in range(5):
        table = Table(kit.TRICKS_FR, seed=seed, agents=None)
        assert faces(table) == list(map(str, sorted_hand(table.state.hands[table.state.to_act])))
        changes = [suit != after for suit, after in pairwise(card.description[-1] for card in hand(table))]
        assert sum(changes) == len({card.suit for card in table.state.hands[table.state.to_act]}) - 1


def test_a_pack_of_four_colours_and_a_large_table_can_be_chosen() -> None:
    table = Table(kit.TRICKS_FR, seed=99)
    assert table._dom_classes == ("nn-table",)
    table.controls.colours.value = "nn-four"
    table.controls.size.value = "nn-large"
    assert set(table._dom_classes) == {"nn-table", "nn-four", "nn-large"}
    step_on(table)
    assert set(table._dom_classes) == {"nn-table", "nn-four", "nn-large"}
    assert "nn-large" in Table(kit.TRICKS_FR, seed=99, large=True)._dom_classes
    assert len(set(style.FOUR_COLOURS.values())) == 4
    css = style.stylesheet([])
    for suit, name in style.SUIT_CLASS.items():
        if style.FOUR_COLOURS[suit] != style.TWO_COLOURS[suit]:
            assert re.search(rf"\.nn-four [^{{]*\.{name}{{color:{style.FOUR_COLOURS[suit]}", css)


def test_rules_of_ones_own_are_played_shown_and_dealt_again() -> None:
    rules = replace(kit.ADDING_RU, title="My nines", effects=kit.ADDING_RU.effects | {"9": kit.Effect(add=9)})
    table = Table(adding("9♥ K♣ 5♠", rules, total=50), agents=None)
    table.button("9♥").click()
    assert "Running total 59 / 99" in told(table)
    assert "9 +9" in words(table.controls.rules.value)
    assert table.controls.game.label == "the game of this table"
    table.button("New deal").click()
    assert table.state.rules == rules
    table.controls.game.value = "adding-pl"
    table.button("New deal").click()
    assert table.state.rules == kit.ADDING_PL
    table.controls.game.value = ""
    table.button("New deal").click()
    assert table.state.rules == rules


@pytest.mark.parametrize("name", kit.READINGS)
def test_every_reading_is_played_by_pressing(name: str) -> None:
    reading = kit.READINGS[name]
    for preset in reading.presets:
        for choice in reading.choices:
            table = Table(reading.read(kit.PRESETS[preset], choice), seed=99)
            for _ in range(25):
                if table.state.to_act is not None:
                    step_on(table)
            assert table.history.step > 2


# ---- Words for where the widget is not shown, and text from outside


@PRESETS
def test_repr_and_bundle_tell_the_table_in_words_with_a_captioned_table(rules: Rules) -> None:
    table = Table(rules, seed=99, names=NAMES[:2])
    for _ in range(8):
        step_on(table)
    bundle = table._repr_mimebundle_()
    assert bundle["text/plain"] == repr(table) == str(table)
    assert rules.title in repr(table)
    assert all(re.search(rf"\b{name}\b", repr(table)) for name in ("Ann", "Ben", "C"))
    assert all(label in repr(table) for label in labels(table))
    page = bundle["text/html"]
    assert ">Table</caption>" in page
    assert "<style" not in page
    assert page.count("class=") == page.count(f'class="{NOT_MATHS}"') == 1
    assert "<svg" not in page
    assert set(faces(table)) <= set(words(page).split())
    assert "application/vnd.jupyter.widget-view+json" in bundle


WILD = ['<img src=x onerror="alert(1)">', 'O\'Brien & "Co"', "<b class='x'>C</b>"]


class _Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        assert "x" not in dict(attributes).values()


@pytest.mark.parametrize("rules", [kit.TRICKS_FR, kit.PARANOIA_RU, kit.ADDING_ES], ids=lambda rules: rules.name)
def test_names_and_typed_text_are_escaped_wherever_they_stand(rules: Rules) -> None:
    wild = replace(rules, title=WILD[0])
    for view in ("actor", "everyone"):
        table = Table(wild, seed=WILD[0], names=WILD, view=view, agents="first")
        for press in range(70):
            step_on(table)
            if press % 5 == 0:
                submit(table, "<img/src=x>")
                for page in [*htmls(table), table._repr_mimebundle_()["text/html"]]:
                    found = _Tags(page)
                    assert not found.tags & {"img", "script", "style", "a"}
                    assert not [name for name in found.attributes if name.startswith(("on", "src"))]
                assert all(name in told(table) for name in WILD)
                assert "“<img/src=x>” is not a card" in told(table)


def test_without_ipywidgets_the_import_says_what_to_install() -> None:
    code = "import sys; sys.modules['ipywidgets'] = None; import ninety_nine_kit; import ninety_nine_kit.widgets"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ninety_nine_kit.widgets needs ipywidgets")
    assert "pip install 'ninety-nine-kit[lab]'" in last


# ---- Colours


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _luminance(colour: tuple[int, ...]) -> float:
    return sum(part * _channel(value) for part, value in zip((0.2126, 0.7152, 0.0722), colour, strict=True))


def contrast(ink: str, paper: str) -> float:
    """As WCAG defines it, from two colours such as #c4122f or #fff."""
    low, high = sorted(map(_luminance, (_rgb(ink), _rgb(paper))))
    return (high + 0.05) / (low + 0.05)


def _rgb(colour: str) -> tuple[int, ...]:
    digits = colour.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    return tuple(int(digits[place : place + 2], 16) for place in (0, 2, 4))


def test_contrast_is_computed_as_it_is_defined() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#fff") == pytest.approx(4.54, abs=0.01)


def test_every_colour_of_a_suit_can_be_read_on_a_card_also_on_one_that_is_not_allowed() -> None:
    css = style.stylesheet([])
    greyed = re.search(r"\.nn-no{background-color:(#\w+)", css)
    panel = re.search(r"linear-gradient\((#\w+),\1\)", css)
    assert greyed
    assert panel
    for colour in {*style.TWO_COLOURS.values(), *style.FOUR_COLOURS.values()}:
        for paper in (style.FACE, panel[1], greyed[1]):
            assert contrast(colour, paper) >= 4.5, (colour, paper)


def test_every_text_on_the_felt_can_be_read() -> None:
    css = style.stylesheet([])
    felt = re.search(r"\.nn-felt{background:radial-gradient\([^;]*;", css)
    assert felt
    stops = re.findall(r"#\w{6}", felt[0])
    assert len(stops) > 1
    assert min(contrast("#fff", stop) for stop in stops) >= 4.5
    both = re.findall(r"background:(#\w+);color:(#\w+)", css)
    assert len(both) >= 3
    assert min(contrast(ink, paper) for paper, ink in both) >= 4.5
    assert contrast(style.BLACK, "#ffd84d") >= 4.5


# ---- Messages


@pytest.mark.parametrize(("rules", "players"), CASES, ids=CASE_IDS)
def test_a_click_stays_in_its_budget_of_messages_and_bytes(rules: Rules, players: int, sent: Sent) -> None:
    """And the focus goes to what can be used now."""
    table = Table(rules, players, seed=99)
    draw = Random(99).random
    for _ in range(120):
        if table.state.phase is kit.Phase.MATCH_OVER:
            break
        buttons = choices(table) or open_cards(table) or hand(table)
        if table.state.phase is kit.Phase.BID and len(faces(table, "nn-picked")) < 3:
            buttons = open_cards(table)
        button = buttons[int(draw() * len(buttons))]
        in_budget(table, sent, partial(click, button))
        assert set(focused(table, sent)) <= {*choices(table), *open_cards(table), table.controls.action}


# ---- Any presses at all


def known_cards(table: Table) -> set[str]:
    """Cards that may be known at the table: those in the view chosen, and those of all that was told in it."""
    kind, seat = table.controls.view.value, seat_shown(table)
    viewer = None if kind == "spectator" or covered(table) else seat
    states = table.history.states[: table.history.step + 1]
    views = states if kind == "everyone" else [state.seen_by(viewer) for state in states]
    held = [str(card) for cards in (*views[-1].hands, *getattr(views[-1], "bids", ())) for card in cards]
    told = [kit.narrate(event) for view in views for event in view.events]
    return set(CARD.findall(" ".join([*held, *told, kit.text(views[-1])])))


def something_to_press(table: Table) -> bool:
    watching = table.controls.view.value not in ("actor", "everyone")
    return watching or bool(choices(table) or open_cards(table))


SITTING = [("simple", "actor"), (None, "actor"), ({0: "random"}, 1), (None, "everyone")]


@pytest.mark.parametrize(("rules", "players"), CASES, ids=CASE_IDS)
def test_any_presses_leave_something_to_press_and_no_hidden_card_in_sight(rules: Rules, players: int) -> None:
    for case, (agents, view) in enumerate(SITTING):
        draw = Random(f"{rules.name} {players} {case}").random
        table = Table(rules, players, seed=case, agents=agents, view=view)
        for press in range(80):
            navigation = [table.controls.back, table.controls.forward] * (draw() < 0.2)
            buttons = [*choices(table) * 3, *(open_cards(table) or hand(table)) * 2, *hand(table), *navigation]
            assert all(button.description for button in buttons)
            (buttons or [table.controls.back])[int(draw() * len(buttons))].click()
            if case == 3 and draw() < 0.3:
                table.controls.view.value = ("spectator", "everyone", "actor", 0, 1)[int(draw() * 5)]
            assert something_to_press(table)
            if press % 3 == 0:
                assert set(CARD.findall(" ".join(texts(table)))) <= known_cards(table)


def test_an_agent_that_fails_loses_nothing() -> None:
    def failing(view: kit.State, random: Random) -> Any:
        raise ZeroDivisionError

    table = Table(kit.ADDING_RU, seed=99, agents={1: failing})
    table.play("8♣")
    assert (table.history.step, "B is next: press “Go on”." in repr(table)) == (1, True)
    assert "The agent of B failed: ZeroDivisionError" in repr(table)
