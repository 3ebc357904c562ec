"""The prepared deals show what they promise: each feature by the engine, each number in a comment by hand."""

import ast
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.events import BorderCrossed, Busted, CrossedWith, DirectionTurned, Levied
from ninety_nine_kit.teaching import prepared
from ninety_nine_kit.teaching.prepared import PLAIN_TRICKS, PREPARED
from ninety_nine_kit.teaching.walkthrough import Walkthrough
from ninety_nine_kit.tricks import best

DEALS: dict[str, tuple[Any, int]] = {
    "follow suit": (PLAIN_TRICKS, 1635),
    "keep the promise": (kit.TRICKS_RU, 869),
    "forced overtrick": (kit.TRICKS_RU, 1890),
    "declare and fail": (kit.TRICKS_RU, 1378),
    "reveal and make": (kit.TRICKS_FR, 2991),
    "just 99": (kit.ADDING_RU, 1910),
    "a reverse saves you": (kit.ADDING_RU, 948),
    "crossed by a queen": (kit.PARANOIA_RU, 453),
}
each_deal = pytest.mark.parametrize("told", PREPARED.values(), ids=list(PREPARED))


def line(name: str) -> list[Any]:
    """The states of a prepared deal: number n is the state after step n."""
    told = PREPARED[name]
    history = kit.History(told.start)
    for action in told.actions():
        history.play(action)
    return history.states


def before(name: str, step: int) -> Any:
    return line(name)[step - 1]


def texts(state: Any) -> list[str]:
    return [str(action) for action in state.legal_actions()]


def takes(state: Any, action: Any) -> bool:
    """Whether the card is better than all that lie on the table."""
    return best((*state.trick, *action.cards), state.trump, state.rules.ranks) == len(state.trick)


def takers(state: Any) -> list[str]:
    return [str(action) for action in state.legal_actions() if takes(state, action)]


def rank(state: Any, card: Any) -> int:
    return list(state.rules.ranks).index(card.rank)


def taken_by(name: str) -> list[int]:
    return [trick.winner for trick in line(name)[-1].tricks]


def is_out(state: Any) -> list[tuple[int, int]]:
    """Who busts in this state, and with what total."""
    return [(event.seat, event.would_be) for event in state.events if isinstance(event, Busted)]


def highest(state: Any) -> list[str]:
    """The cards of A's hand of the highest rank: one of them where a question asks for it."""
    top = max(rank(state, card) for card in state.hands[0])
    return [str(card) for card in state.hands[0] if rank(state, card) == top]


def lowest(state: Any) -> list[str]:
    low = min(rank(state, card) for card in state.hands[0])
    return [str(card) for card in state.hands[0] if rank(state, card) == low]


def suits(state: Any, seat: int = 0) -> set[str]:
    return {card.suit for card in state.hands[seat]}


# All of them


#: What was played of "forced overtrick" before the learner comes in: bids, passes, four tricks.
FIRST = """
    bid 6♦ 8♠ K♠, bid J♣ 7♦ 9♦, bid 6♣ 8♦ A♦, pass, pass, pass,
    K♥, A♥, 8♥, A♣, 7♣, 6♥, Q♥, J♥, 7♥, 6♠, A♠, 10♠
"""


def test_each_prepared_deal_is_the_one_that_its_number_deals() -> None:
    assert list(PREPARED) == list(DEALS)
    for name, (rules, seed) in DEALS.items():
        start = PREPARED[name].start
        assert (start.rules, start.seed, start.players) == (rules, seed, 3)
        state = kit.deal(rules, 3, seed=start.seed)
        assert state.dealer == start.dealer
        for action in FIRST.split(",") if name == "forced overtrick" else ():
            state = state.apply(action)
        assert state.hands == start.hands
        assert state == start


def test_a_begins_where_the_learner_should_act_early() -> None:
    first = {name: told.start.to_act for name, told in PREPARED.items()}
    assert [name for name, seat in first.items() if seat == 0] == ["declare and fail", "reveal and make", "just 99"]


def test_plain_tricks_are_the_russian_tricks_without_bids() -> None:
    named = replace(kit.TRICKS_RU, name="plain tricks", title="Plain tricks")
    assert replace(named, hand_size=6, bid_cards=0, premiums=(), target=None, deals=1, games=1) == PLAIN_TRICKS


@each_deal
def test_the_learner_is_seat_0_and_guesses_two_to_four_of_its_own_actions(told: Walkthrough) -> None:
    history = kit.History(told.start)
    asked = []
    for step in told.steps:
        asked += [history.state.to_act] * bool(step.guess)
        history.play(step.action)
    assert told.seat == 0
    assert set(asked) == {0}
    assert 2 <= len(asked) <= 4


@each_deal
def test_every_guess_is_a_question_and_is_explained_afterwards(told: Walkthrough) -> None:
    for step in told.steps:
        if step.guess:
            assert step.guess.endswith("?")
            assert step.comment
            assert step.action not in step.guess


def test_these_are_the_answers() -> None:
    answers = {
        name: {n: step.action for n, step in enumerate(told.steps, start=1) if step.guess}
        for name, told in PREPARED.items()
    }
    assert answers == {
        "follow suit": {3: "10♠", 6: "6♦", 9: "Q♥"},
        "keep the promise": {9: "A♥", 21: "6♣", 29: "9♥"},
        "forced overtrick": {3: "Q♣", 6: "10♣", 9: "9♣"},
        "declare and fail": {11: "Q♥", 14: "7♦", 19: "Q♣", 25: "8♦"},
        "reveal and make": {1: "bid 6♦ 8♦ K♦", 9: "7♣", 12: "9♥", 22: "10♣"},
        "just 99": {1: "5♣", 4: "4♣", 6: "Q♥"},
        "a reverse saves you": {3: "J♣", 6: "4♥", 9: "8♦"},
        "crossed by a queen": {4: "give Q♠", 12: "9♣", 16: "K♥ K♠"},
    }


@each_deal
def test_every_text_is_short(told: Walkthrough) -> None:
    assert told.title
    assert told.opening
    for text in (told.opening, *(part for step in told.steps for part in (step.comment, step.guess))):
        assert len(text) <= 200
        assert len(re.findall(r"[.?!](?= |$)", text)) <= 2


@each_deal
def test_the_last_step_is_explained(told: Walkthrough) -> None:
    assert told.steps[-1].comment


@each_deal
def test_every_text_is_marked_for_the_translators(told: Walkthrough) -> None:
    source = ast.parse(Path(prepared.__file__).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(source) if isinstance(node, ast.Call) and ast.unparse(node.func) == "N_"]
    marked = {ast.literal_eval(call.args[0]) for call in calls}
    said = {told.title, told.opening, *(step.comment for step in told.steps), *(step.guess for step in told.steps)}
    assert said - {""} <= marked


@each_deal
def test_the_steps_are_written_as_the_engine_writes_them(told: Walkthrough) -> None:
    assert [step.action for step in told.steps] == list(map(str, told.actions()))


# Follow suit


def test_follow_suit_begins_with_a_card_and_is_one_whole_deal() -> None:
    states = line("follow suit")
    assert states[0].phase == "play"
    assert len(states) == 1 + 18
    assert states[-1].won == (4, 2, 0)
    assert states[-1].scores == (4, 2, 0)
    assert states[-1].winners == (0,)
    assert taken_by("follow suit") == [1, 1, 0, 0, 0, 0]


def test_follow_suit_forces_a_to_follow_with_its_only_spade() -> None:
    state = before("follow suit", 3)
    assert state.trick == kit.cards("A♠ 7♠")
    assert len(state.hands[0]) == 6
    assert texts(state) == ["10♠"]


def test_follow_suit_shows_a_void_that_takes_nothing() -> None:
    state = before("follow suit", 6)
    assert state.trick == kit.cards("Q♣ 10♣")
    assert "♣" not in suits(state)
    assert len(texts(state)) == len(state.hands[0])
    assert takers(state) == []
    assert lowest(state) == ["6♦"]


def test_follow_suit_has_one_card_that_beats_the_ten() -> None:
    state = before("follow suit", 9)
    assert state.trick == kit.cards("9♥ 10♥")
    assert texts(state) == ["8♥", "Q♥"]
    assert takers(state) == ["Q♥"]


def test_follow_suit_ends_with_an_eight_that_beats_a_queen_of_another_suit() -> None:
    states = line("follow suit")
    assert highest(states[9]) == ["J♦"]
    assert [state.tricks[-1] for state in (states[12], states[15], states[18])] == [
        (0, kit.cards("J♦ 7♦ 8♠"), 0),
        (0, kit.cards("10♦ 8♦ J♣"), 0),
        (0, kit.cards("8♥ 9♠ Q♠"), 0),
    ]


# Keep the promise


def test_keep_the_promise_spells_three_and_takes_exactly_three() -> None:
    states = line("keep the promise")
    assert [states[3].bid_value(seat) for seat in range(3)] == [3, 2, 2]
    assert states[3].bids[0] == kit.cards("K♣ Q♦ K♦")
    assert states[-1].sheet[-1].tricks == (3, 2, 4)
    assert states[-1].sheet[-1].bids == (3, 2, 2)
    assert states[-1].scores == (3 + 20, 2 + 20, 4)


def test_keep_the_promise_keeps_three_aces_without_trump() -> None:
    states = line("keep the promise")
    assert states[6].trump is None
    assert sum(card.rank == "A" for card in states[6].hands[0]) == 3
    assert (states[6].leader, states[6].dealer) == (1, 0)
    assert [states[n].won[0] for n in (6, 9, 12, 15)] == [0, 1, 2, 3]
    assert taken_by("keep the promise") == [0, 0, 0, 1, 1, 2, 2, 2, 2]


def test_keep_the_promise_hides_the_bids_of_others_to_the_end() -> None:
    states = [state.seen_by(0) for state in line("keep the promise")]
    assert all(state.bid_value(1) is None and state.bid_value(2) is None for state in states[:33])
    assert [states[33].bid_value(seat) for seat in range(3)] == [3, 2, 2]


def test_keep_the_promise_asks_for_the_only_right_cards() -> None:
    beats = before("keep the promise", 9)
    assert texts(beats) == ["8♥", "9♥", "J♥", "A♥"]
    assert takers(beats) == ["A♥"]
    avoids = before("keep the promise", 21)
    assert avoids.won[0] == avoids.bid_value(0) == 3
    assert avoids.trick == kit.cards("10♣ 9♣")
    assert texts(avoids) == ["6♣", "J♣"]
    assert takers(avoids) == ["J♣"]
    ducks = before("keep the promise", 29)
    assert texts(ducks) == ["8♥", "9♥"]
    assert takers(ducks) == []


def test_keep_the_promise_leads_a_low_diamond_and_holds_no_spade() -> None:
    states = line("keep the promise")
    assert (states[18].tricks[-1].cards, states[18].leader) == (kit.cards("7♦ J♦ 7♥"), 1)
    for step in (24, 26):
        state = before("keep the promise", step)
        assert "♠" not in suits(state)
        assert takers(state) == []


# Forced overtrick


def test_the_forced_overtrick_is_forced() -> None:
    state = before("forced overtrick", 9)
    assert state.bid_value(0) == state.won[0] == 3
    assert state.trick == kit.cards("8♣ J♦")
    assert len(state.hands[0]) == 3
    assert texts(state) == takers(state) == ["9♣"]


def test_the_forced_overtrick_breaks_the_promise() -> None:
    states = line("forced overtrick")
    assert states[0].won == (3, 1, 0)
    assert states[0].bid_value(0) == 3
    assert len(states[0].tricks) == 4
    assert states[-1].sheet[-1].bids == (3, 3, 2)
    assert states[-1].sheet[-1].tricks == (4, 3, 2)
    assert states[-1].scores == (4, 3 + 20, 2 + 20)


def test_before_the_forced_overtrick_a_does_what_it_can() -> None:
    free = before("forced overtrick", 3)
    assert "♦" not in suits(free)
    assert highest(free) == ["Q♣"]
    king = before("forced overtrick", 6)
    assert king.trick == kit.cards("K♣ 9♥")
    assert texts(king) == ["9♣", "10♣"]
    assert takers(king) == []
    assert "♣" not in suits(before("forced overtrick", 7), seat=2)


# Declare and fail


def test_declare_and_fail_opens_the_bid_and_costs_60() -> None:
    states = line("declare and fail")
    assert states[4].premium[1].name == "declare"
    assert [states[4].seen_by(1).bid_value(seat) for seat in range(3)] == [3, 3, None]
    row = states[-1].sheet[-1]
    assert (row.tricks, row.bids) == ((4, 3, 2), (3, 3, 2))
    assert row.parts[0] == (4, 0, -60)
    assert states[-1].scores == (4 - 60, 3 + 20, 2 + 20) == (-56, 23, 22)


def test_declare_and_fail_has_its_three_tricks_and_must_take_a_fourth() -> None:
    states = line("declare and fail")
    assert [states[n].won[0] for n in (7, 10, 13, 22, 25, 31)] == [1, 2, 3, 3, 4, 4]
    state = before("declare and fail", 25)
    assert state.trick == kit.cards("6♦ 10♥")
    assert len(state.hands[0]) == 3
    assert texts(state) == takers(state) == ["8♦"]
    assert "♦" not in suits(before("declare and fail", 24), seat=2)


def test_declare_and_fail_could_have_bid_three_with_the_queen_of_clubs() -> None:
    hand = before("declare and fail", 1).hands[0]
    bid = kit.cards("Q♣ 7♦ J♦")
    assert set(bid) <= set(hand)
    assert kit.TRICKS_RU.bid_value(bid) == 3
    assert set(kit.cards("Q♥ K♥ A♥")) <= set(hand)


def test_declare_and_fail_asks_for_the_only_right_cards() -> None:
    queen = before("declare and fail", 11)
    assert [trick.cards[0] for trick in queen.tricks] == list(kit.cards("A♥ K♥"))
    assert [str(card) for card in queen.hands[0] if card.suit == "♥"] == ["Q♥"]
    assert not {card.rank for card in queen.hands[0] if card.suit != "♥"} & {"K", "A"}
    assert lowest(before("declare and fail", 14)) == ["7♦"]
    free = before("declare and fail", 19)
    assert "♠" not in suits(free)
    assert highest(free) == ["Q♣"]


def test_declare_and_fail_keeps_the_lower_diamond() -> None:
    state = before("declare and fail", 22)
    assert "♠" not in suits(state)
    assert [str(card) for card in state.hands[0] if card.suit == "♦"] == ["8♦", "J♦"]
    assert state.rules.ranks[0] == "6"


# Reveal and make


def test_reveal_and_make_has_one_way_to_say_nothing() -> None:
    state = before("reveal and make", 1)
    zeros = [str(bid) for bid in state.legal_actions() if state.rules.bid_value(bid.cards) == 0]
    assert zeros == ["bid 6♦ 8♦ K♦"]


def test_reveal_and_make_opens_the_hand_and_brings_60() -> None:
    states = line("reveal and make")
    assert states[4].premium[1].name == "reveal"
    assert states[4].seen_by(1).hands[0] == states[4].hands[0]
    sixes = {card.suit for card in states[4].hands[0] if card.rank == "6"}
    assert suits(states[4]) == sixes == {"♣", "♥", "♠"}
    row = states[31].sheet[-1]
    assert (row.tricks, row.bids) == ((0, 3, 6), (0, 3, 4))
    assert row.parts[0] == (0, 20, 60)
    assert states[31].scores == (20 + 60, 3 + 20, 6) == (80, 23, 6)


def test_reveal_and_make_avoids_a_trick_that_the_ten_would_take() -> None:
    nine = before("reveal and make", 9)
    assert nine.trick == kit.cards("9♣")
    assert texts(nine) == ["7♣", "10♣"]
    assert takers(nine) == ["10♣"]
    assert "♣" not in suits(nine, seat=1)


def test_reveal_and_make_throws_high_cards_where_they_cannot_win() -> None:
    ten = before("reveal and make", 12)
    assert ten.trick == kit.cards("10♥")
    assert texts(ten) == ["6♥", "8♥", "9♥"]
    assert takers(ten) == []
    ace = before("reveal and make", 16)
    assert texts(ace) == ["6♠", "7♠", "10♠"]
    assert takers(ace) == []
    void = before("reveal and make", 22)
    assert "♦" not in suits(void)
    assert highest(void) == ["10♣"]
    assert takers(void) == []


def test_reveal_and_make_gets_its_next_trump_from_the_two_bids_made() -> None:
    states = line("reveal and make")
    assert states[31].phase == "deal over"
    assert (states[31].deal_number, states[32].deal_number) == (1, 2)
    assert (states[31].trump, states[32].trump) == (None, "♥")
    assert [states[32].rules.trump_after[made] for made in (3, 2, 1, 0)] == ["♣", "♥", "♠", "♦"]


# Just 99


def test_just_99_has_the_totals_that_are_told() -> None:
    assert [state.total for state in line("just 99")[1:]] == [5, 99, 99, 99, 89, 99, 99]


def test_just_99_lays_the_one_card_that_is_not_always_safe() -> None:
    state = before("just 99", 1)
    makes = {str(action): state.apply(action).total for action in state.legal_actions()}
    assert makes == {"5♣": 5, "K♣": 99, "9♥": 0}


def test_just_99_stays_at_99_with_a_four() -> None:
    state = before("just 99", 4)
    makes = {str(action): state.apply(action).total for action in state.legal_actions()}
    assert makes == {"4♣": 99, "K♣": 99, "9♥": 0}
    assert any(isinstance(event, DirectionTurned) for event in line("just 99")[4].events)
    assert line("just 99")[4].to_act == 1


def test_just_99_reaches_exactly_99_with_the_only_card_that_is_no_king() -> None:
    state = before("just 99", 6)
    makes = {str(action): state.apply(action).total for action in state.legal_actions()}
    assert makes == {"Q♥": 99, "K♣": 99, "9♥": 0}


@pytest.mark.parametrize(("step", "seat", "least"), [(3, 2, 102), (7, 1, 104)])
def test_just_99_puts_the_next_player_out(step: int, seat: int, least: int) -> None:
    state = before("just 99", step)
    assert (state.total, state.to_act) == (99, seat)
    assert state.is_stuck()
    assert is_out(line("just 99")[step]) == [(seat, least)]
    assert min(total for card in state.hands[seat] for total in state.results((card,)).values()) == least


def test_just_99_is_won_by_the_last_one_in() -> None:
    state = line("just 99")[-1]
    assert state.phase == "match over"
    assert state.lives == (1, 0, 0)
    assert state.winners == (0,)


# A reverse saves you


def test_the_reverse_is_the_only_safe_card_and_sends_the_turn_back() -> None:
    states = line("a reverse saves you")
    state = states[5]
    assert (state.total, state.to_act, state.layer) == (99, 0, 2)
    assert texts(state) == ["4♥"]
    assert not state.is_stuck()
    assert (states[6].total, states[6].to_act) == (99, 2)


def test_after_the_reverse_the_player_before_is_stuck_and_out() -> None:
    states = line("a reverse saves you")
    assert states[6].is_stuck()
    assert is_out(states[7]) == [(2, 105)]
    assert states[7].lives == (1, 1, 0)


def test_a_reverse_saves_you_has_the_totals_that_are_told() -> None:
    assert [state.total for state in line("a reverse saves you")[1:]] == [11, 21, 31, 99, 99, 99, 99, 89, 97]


def test_a_reverse_saves_you_asks_for_the_only_right_cards() -> None:
    first = before("a reverse saves you", 3)
    makes = {str(action): first.apply(action).total for action in first.legal_actions()}
    assert makes == {"J♣": 31, "8♦": 29, "4♥": 21}
    last = before("a reverse saves you", 9)
    makes = {str(action): last.apply(action).total for action in last.legal_actions()}
    assert makes == {"6♣": 95, "8♦": 97, "7♥": 96}
    assert line("a reverse saves you")[9].to_act == 1


# Crossed by a queen


def test_33_is_crossed_by_the_queen_that_a_passed_on() -> None:
    states = line("crossed by a queen")
    assert (states[9].total, states[10].total) == (28, 38)
    crossed = [event for event in states[10].events if isinstance(event, BorderCrossed | CrossedWith)]
    assert [(event.seat, event.points) for event in crossed] == [(1, 1), (1, -2)]
    assert sum(states[10].earned[1]) == 1 - 2 == -1
    assert states[10].rules.penalties[kit.Card.parse("Q♠")] == -5


def test_66_is_crossed_by_a_pair_of_kings() -> None:
    states = line("crossed by a queen")
    assert (states[15].total, states[16].total) == (66, 76)
    crossed = [event for event in states[16].events if isinstance(event, BorderCrossed | Levied)]
    assert [(event.seat, event.points) for event in crossed] == [(0, 2), (0, 1)]
    assert [sum(parts) for parts in states[16].earned] == [2 + 2, -1 - 1, -1]
    assert sum(states[15].earned[1]) == -1


def test_the_pair_of_kings_earns_most() -> None:
    state = before("crossed by a queen", 16)
    earns = {str(action): sum(state.apply(action).earned[0]) for action in state.legal_actions()}
    assert earns == {"A♦ +1": 2, "A♦ +11": 2, "K♥": 2, "K♠": 2, "K♥ K♠": 4}


def test_crossed_by_a_queen_begins_with_an_exchange() -> None:
    states = line("crossed by a queen")
    assert [state.phase for state in states[3:7]] == ["give", "give", "give", "play"]
    gives = before("crossed by a queen", 4)
    costs = {str(card): gives.rules.penalties.get(card, 0) for card in gives.hands[0]}
    assert costs == {"7♥": 0, "K♥": 0, "Q♠": -5}
    assert kit.Card.parse("9♣") in states[6].hands[0]
    assert kit.Card.parse("Q♠") in states[6].hands[1]


def test_crossed_by_a_queen_keeps_both_kings_while_nothing_can_cross() -> None:
    state = before("crossed by a queen", 12)
    makes = {str(action): state.apply(action).total for action in state.legal_actions()}
    assert makes == {"9♣": 56, "K♥": 57, "K♠": 57, "K♥ K♠": 57}


def test_crossed_by_a_queen_has_the_totals_that_are_told() -> None:
    totals = [state.total for state in line("crossed by a queen")]
    assert totals == [0, 6, 16, 18, 18, 18, 18, 18, 21, 28, 38, 47, 56, 56, 56, 66, 76]
    states = line("crossed by a queen")
    fours = [n for n, (old, new) in enumerate(pairwise(states), start=1) if old.direction != new.direction]
    assert fours == [14]
    assert states[14].to_act == 1
