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

DEALS = {
    "follow suit": (PLAIN_TRICKS, 46),
    "keep the promise": (kit.TRICKS_RU, 374),
    "forced overtrick": (kit.TRICKS_RU, 385),
    "declare and fail": (kit.TRICKS_RU, 518),
    "reveal and make": (kit.TRICKS_FR, 421),
    "just 99": (kit.ADDING_RU, 643),
    "a reverse saves you": (kit.ADDING_RU, 948),
    "crossed by a queen": (kit.PARANOIA_RU, 1825),
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


# All of them


def test_the_prepared_deals_are_real_deals_with_small_numbers() -> None:
    assert list(PREPARED) == list(DEALS)
    for name, (rules, seed) in DEALS.items():
        start = PREPARED[name].start
        assert (start.rules, start.seed, start.players) == (rules, seed, 3)
        dealt = kit.deal(rules, 3, seed=seed, dealer=start.dealer)
        if name == "forced overtrick":
            assert [trick.cards[0] for trick in start.tricks] == list(kit.cards("A♠ A♣ K♠ 6♣"))
            assert set(dealt.hands[0]) == {*start.hands[0], *start.bids[0], *kit.cards("A♠ A♣ K♠ 6♣")}
        else:
            assert start == dealt


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
        "follow suit": {3: "6♠", 6: "6♦", 9: "A♦"},
        "keep the promise": {9: "9♦", 12: "A♠", 26: "6♠"},
        "forced overtrick": {2: "J♦", 5: "8♥", 12: "9♦"},
        "declare and fail": {11: "K♣", 14: "6♥", 25: "7♠", 28: "Q♣"},
        "reveal and make": {1: "bid 7♦ 9♦ A♦", 9: "J♥", 15: "Q♠"},
        "just 99": {4: "7♥", 6: "3♥", 9: "K♥"},
        "a reverse saves you": {3: "J♣", 6: "4♥", 9: "8♦"},
        "crossed by a queen": {4: "give J♠", 6: "J♥", 16: "K♣ K♦"},
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
    assert texts(state) == ["6♠"]


def test_follow_suit_shows_a_void_that_takes_nothing() -> None:
    state = before("follow suit", 6)
    assert state.trick == kit.cards("A♥ 8♥")
    assert "♥" not in {card.suit for card in state.hands[0]}
    assert len(texts(state)) == len(state.hands[0])
    assert takers(state) == []
    lowest = min(rank(state, card) for card in state.hands[0])
    assert [str(card) for card in state.hands[0] if rank(state, card) == lowest] == ["6♦"]


def test_follow_suit_has_one_card_that_beats_the_king() -> None:
    state = before("follow suit", 9)
    assert state.trick == kit.cards("K♦ 7♦")
    assert takers(state) == ["A♦"]


def test_follow_suit_ends_with_a_nine_that_beats_a_king_of_another_suit() -> None:
    assert line("follow suit")[18].tricks[-1] == (0, kit.cards("9♦ 9♥ K♠"), 0)
    leads = before("follow suit", 10)
    assert max(leads.hands[0][:2], key=lambda card: rank(leads, card)) == kit.cards("Q♣")[0]
    assert line("follow suit")[15].tricks[-1] == (0, kit.cards("J♣ 8♣ 10♠"), 0)


# Keep the promise


def test_keep_the_promise_spells_three_and_takes_exactly_three() -> None:
    states = line("keep the promise")
    assert [states[3].bid_value(seat) for seat in range(3)] == [3, 2, 2]
    assert states[3].bids[0] == kit.cards("10♦ Q♥ 10♠")
    assert states[-1].sheet[-1].tricks == (3, 4, 2)
    assert states[-1].sheet[-1].bids == (3, 2, 2)
    assert states[-1].scores == (3 + 20, 4, 2 + 20)


def test_keep_the_promise_keeps_three_aces_without_trump() -> None:
    states = line("keep the promise")
    assert states[6].trump is None
    assert sum(card.rank == "A" for card in states[6].hands[0]) == 3
    assert (states[6].leader, states[6].dealer) == (1, 0)
    assert [states[n].won[0] for n in (9, 12, 15, 18)] == [0, 1, 2, 3]
    assert taken_by("keep the promise") == [1, 0, 0, 0, 2, 2, 1, 1, 1]


def test_keep_the_promise_hides_the_bids_of_others_to_the_end() -> None:
    states = [state.seen_by(0) for state in line("keep the promise")]
    assert all(state.bid_value(1) is None and state.bid_value(2) is None for state in states[:33])
    assert [states[33].bid_value(seat) for seat in range(3)] == [3, 2, 2]


def test_keep_the_promise_asks_for_the_only_right_cards() -> None:
    ducks = before("keep the promise", 9)
    assert texts(ducks) == ["6♦", "9♦"]
    assert takers(ducks) == []
    assert takers(before("keep the promise", 12)) == ["A♠"]
    avoids = before("keep the promise", 26)
    assert avoids.won[0] == avoids.bid_value(0) == 3
    assert avoids.trick == kit.cards("7♠")
    assert set(texts(avoids)) - set(takers(avoids)) == {"6♠"}
    assert texts(avoids) == ["6♠", "8♠"]


def test_keep_the_promise_loses_the_jack_under_the_king_and_holds_no_heart_later() -> None:
    assert texts(before("keep the promise", 23)) == ["J♣"]
    assert takers(before("keep the promise", 23)) == []
    state = before("keep the promise", 30)
    assert "♥" not in {card.suit for card in state.hands[0]}
    assert takers(state) == []


# Forced overtrick


def test_the_forced_overtrick_is_forced() -> None:
    state = before("forced overtrick", 12)
    assert state.bid_value(0) == state.won[0] == 3
    assert state.trick == kit.cards("8♦ 10♥")
    assert len(state.hands[0]) == 2
    assert texts(state) == takers(state) == ["9♦"]


def test_the_forced_overtrick_breaks_the_promise() -> None:
    states = line("forced overtrick")
    assert states[0].won == (3, 0, 1)
    assert states[0].bid_value(0) == 3
    assert states[-1].sheet[-1].bids == (3, 2, 3)
    assert states[-1].sheet[-1].tricks == (4, 2, 3)
    assert states[-1].scores == (4, 2 + 20, 3 + 20)


def test_before_the_forced_overtrick_a_does_what_it_can() -> None:
    ace = before("forced overtrick", 2)
    assert texts(ace) == ["9♦", "J♦"]
    assert takers(ace) == []
    heart = before("forced overtrick", 5)
    assert texts(heart) == ["8♥"]
    assert takers(heart) == []
    free = before("forced overtrick", 9)
    assert "♠" not in {card.suit for card in free.hands[0]}
    assert max(free.hands[0], key=lambda card: rank(free, card)) == kit.cards("10♣")[0]


# Declare and fail


def test_declare_and_fail_opens_the_bid_and_costs_60() -> None:
    states = line("declare and fail")
    assert states[4].premium[1].name == "declare"
    assert [states[4].seen_by(1).bid_value(seat) for seat in range(3)] == [3, 2, None]
    row = states[-1].sheet[-1]
    assert (row.tricks, row.bids) == ((4, 3, 2), (3, 2, 2))
    assert row.parts[0] == (4, 0, -60)
    assert states[-1].scores == (4 - 60, 3, 2 + 30) == (-56, 3, 32)


def test_declare_and_fail_has_its_three_tricks_and_must_take_a_fourth() -> None:
    states = line("declare and fail")
    assert [states[n].won[0] for n in (7, 10, 13, 25, 28)] == [1, 2, 3, 3, 4]
    state = before("declare and fail", 28)
    assert state.trick == kit.cards("J♣ K♦")
    assert len(state.hands[0]) == 2
    assert texts(state) == takers(state) == ["Q♣"]


def test_declare_and_fail_could_have_bid_three_with_the_queen_of_clubs() -> None:
    hand = before("declare and fail", 1).hands[0]
    bid = kit.cards("Q♣ 10♦ J♦")
    assert set(bid) <= set(hand)
    assert kit.TRICKS_RU.bid_value(bid) == 3


def test_declare_and_fail_asks_for_the_only_right_cards() -> None:
    king = before("declare and fail", 11)
    assert max((card for card in king.hands[0] if card.suit == "♣"), key=lambda card: rank(king, card)).rank == "K"
    assert kit.cards("A♣")[0] in king.tricks[1].cards
    low = before("declare and fail", 14)
    assert [str(card) for card in low.hands[0] if card.suit == "♥"] == ["6♥", "8♥"]
    assert low.rules.ranks[0] == "6"
    spades = before("declare and fail", 25)
    assert texts(spades) == ["6♠", "7♠"]
    assert takers(spades) == []


def test_declare_and_fail_is_saved_once_by_a_queen() -> None:
    state = before("declare and fail", 21)
    assert texts(state) == takers(state) == ["10♦"]
    assert takes(before("declare and fail", 22), PREPARED["declare and fail"].actions()[21])
    assert texts(before("declare and fail", 18)) == ["8♥"]
    assert takers(before("declare and fail", 18)) == []


# Reveal and make


def test_reveal_and_make_has_one_way_to_say_nothing() -> None:
    state = before("reveal and make", 1)
    zeros = [str(bid) for bid in state.legal_actions() if state.rules.bid_value(bid.cards) == 0]
    assert zeros == ["bid 7♦ 9♦ A♦"]


def test_reveal_and_make_opens_the_hand_and_brings_60() -> None:
    states = line("reveal and make")
    assert states[4].premium[1].name == "reveal"
    assert states[4].seen_by(1).hands[0] == states[4].hands[0]
    suits = {card.suit for card in states[4].hands[0]}
    assert suits == {card.suit for card in states[4].hands[0] if card.rank == "6"} == {"♣", "♥", "♠"}
    row = states[31].sheet[-1]
    assert (row.tricks, row.bids) == ((0, 0, 9), (0, 2, 4))
    assert row.parts[0] == (0, 30, 60)
    assert states[31].scores == (30 + 60, 0, 9) == (90, 0, 9)


def test_reveal_and_make_throws_high_cards_where_they_cannot_win() -> None:
    ace = before("reveal and make", 9)
    assert texts(ace) == ["6♥", "9♥", "J♥"]
    assert takers(ace) == []
    void = before("reveal and make", 15)
    assert "♦" not in {card.suit for card in void.hands[0]}
    ranks = {str(card): rank(void, card) for card in void.hands[0]}
    assert [card for card, height in ranks.items() if height == max(ranks.values())] == ["Q♠"]
    assert takers(void) == []
    assert texts(before("reveal and make", 12)) == ["6♥", "9♥"]
    assert takers(before("reveal and make", 12)) == []
    assert texts(before("reveal and make", 21)) == ["7♣", "9♣"]
    assert takers(before("reveal and make", 21)) == []


def test_reveal_and_make_gets_its_next_trump_from_the_one_bid_made() -> None:
    states = line("reveal and make")
    assert states[31].phase == "deal over"
    assert (states[31].deal_number, states[32].deal_number) == (1, 2)
    assert (states[31].trump, states[32].trump) == (None, "♠")
    assert [states[32].rules.trump_after[made] for made in (3, 2, 1, 0)] == ["♣", "♥", "♠", "♦"]


# Just 99


def test_just_99_has_the_totals_that_are_told() -> None:
    assert [state.total for state in line("just 99")[1:]] == [10, 99, 89, 96, 96, 99, 99, 99, 99]


def test_just_99_reaches_exactly_99_with_the_only_card_that_is_no_king() -> None:
    state = before("just 99", 6)
    makes = {str(action): state.apply(action).total for action in state.legal_actions()}
    assert makes == {"10♦ -10": 86, "3♥": 99, "K♥": 99}


def test_just_99_puts_the_next_player_out() -> None:
    states = line("just 99")
    assert states[6].to_act == 2
    assert states[6].is_stuck()
    assert is_out(states[7]) == [(2, 100)]
    assert min(total for card in states[6].hands[2] for total in states[6].results((card,)).values()) == 100


def test_just_99_asks_for_the_only_right_cards() -> None:
    near = before("just 99", 4)
    makes = {str(action): near.apply(action).total for action in near.legal_actions()}
    assert makes == {"3♥": 92, "7♥": 96, "K♥": 99}
    at_99 = before("just 99", 9)
    makes = {str(action): at_99.apply(action).total for action in at_99.legal_actions()}
    assert makes == {"10♦ -10": 89, "K♥": 99}


def test_just_99_turns_twice_and_leaves_two_players_in() -> None:
    states = line("just 99")
    turned = [n for n, state in enumerate(states) if any(isinstance(event, DirectionTurned) for event in state.events)]
    assert turned == [5, 8]
    assert (states[4].to_act, states[5].to_act) == (1, 0)
    assert states[9].lives == (1, 1, 0)
    assert states[9].to_act == 1


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


def test_33_is_crossed_by_a_queen() -> None:
    states = line("crossed by a queen")
    assert (states[7].total, states[8].total) == (32, 42)
    crossed = [event for event in states[8].events if isinstance(event, BorderCrossed | CrossedWith)]
    assert [(event.seat, event.points) for event in crossed] == [(2, 1), (2, -2)]
    assert sum(states[8].earned[2]) == 1 - 2 == -1
    assert states[8].rules.penalties[kit.Card.parse("Q♠")] == -5


def test_66_is_crossed_by_a_pair_of_kings() -> None:
    states = line("crossed by a queen")
    assert (states[15].total, states[16].total) == (66, 76)
    crossed = [event for event in states[16].events if isinstance(event, BorderCrossed | Levied)]
    assert [(event.seat, event.points) for event in crossed] == [(0, 2), (0, 1)]
    assert [sum(parts) for parts in states[16].earned] == [2 + 2, -1, -1 - 1]
    assert sum(states[15].earned[2]) == -1


def test_the_pair_of_kings_earns_most() -> None:
    state = before("crossed by a queen", 16)
    earns = {str(action): sum(state.apply(action).earned[0]) for action in state.legal_actions()}
    assert earns == {"K♣": 2, "K♦": 2, "10♠ +10": 2, "10♠ -10": 0, "K♣ K♦": 4}


def test_crossed_by_a_queen_begins_with_an_exchange() -> None:
    states = line("crossed by a queen")
    assert [state.phase for state in states[1:5]] == ["give", "give", "give", "play"]
    gives = before("crossed by a queen", 4)
    costs = {str(card): gives.rules.penalties.get(card, 0) for card in gives.hands[0]}
    assert costs == {"K♦": 0, "J♠": -3, "A♠": 0}
    assert kit.Card.parse("J♥") in states[4].hands[0]
    assert kit.Card.parse("J♠") in states[4].hands[1]


def test_crossed_by_a_queen_gets_rid_of_a_jack_below_the_border() -> None:
    state = before("crossed by a queen", 6)
    costs = {str(card): state.rules.penalties.get(card, 0) for card in state.hands[0]}
    assert costs == {"K♦": 0, "J♥": -3, "A♠": 0}
    assert max(state.apply(action).total for action in state.legal_actions()) == 23


def test_crossed_by_a_queen_has_the_totals_that_are_told() -> None:
    totals = [state.total for state in line("crossed by a queen")]
    assert totals == [0, 2, 2, 2, 2, 12, 22, 32, 42, 53, 53, 53, 53, 56, 56, 66, 76]
    states = line("crossed by a queen")
    fours = [n for n, (old, new) in enumerate(pairwise(states), start=1) if old.direction != new.direction]
    assert fours == [10, 12]
    assert [states[n].to_act for n in fours] == [0, 0]
