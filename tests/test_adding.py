"""The adding engine: limits and floors, turns, lives and who is left, the stock, the pot, rounds for points."""

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest
from playing import cards_of, random_match

import ninety_nine_kit as kit
from ninety_nine_kit import ADDING_ES, ADDING_PL, ADDING_RU, PARANOIA_RU, Effect
from ninety_nine_kit.card import stream
from ninety_nine_kit.events import BelowFloor, Busted, CardsLaid, MatchWon, PotTaken, Skipped, StockRefilled

STUCK = "5♣ 7♣ 8♣"  # no safe card at 99


def read(rules: kit.AddingRules, name: str, choice: str) -> kit.AddingRules:
    return kit.READINGS[name].read(rules, choice)


def lays(state: kit.State) -> list[str]:
    return list(map(str, state.legal_actions()))


# ---- The limit and the floor


@pytest.mark.parametrize("rules", [ADDING_RU, ADDING_ES, ADDING_PL], ids=lambda rules: rules.name)
def test_exactly_99_is_safe_and_ends_nothing(rules: kit.AddingRules) -> None:
    laid = kit.position(rules, ["9♠ 7♣", "2♦", "2♥"], total=92).apply("7♣")
    assert (laid.total, laid.phase, laid.to_act) == (99, kit.Phase.PLAY, 1)
    assert laid.lives == (rules.lives_for(3),) * 3


def test_who_holds_no_safe_card_lays_any_and_is_out_while_the_others_play_on() -> None:
    state = kit.position(ADDING_RU, [STUCK, "2♦", "4♥"], total=99, direction=-1, pile="9♦ K♦")
    out = state.apply("7♣")
    assert Busted(0, kit.cards("7♣"), 106) in out.events
    assert (out.total, out.direction, out.to_act, out.lives) == (99, -1, 2, (0, 1, 1))
    assert out.pile[-2:] == kit.cards("9♦ K♦")
    assert Counter(out.pile[:-2]) == Counter(kit.cards(STUCK))
    assert out.hands == ((), kit.cards("2♦"), kit.cards("4♥"))
    assert out.apply("4♥").to_act == 1


def test_going_over_on_purpose_is_a_reading() -> None:
    hands = ["4♣ 5♣", "2♦", "2♥"]
    assert lays(kit.position(ADDING_RU, hands, total=99)) == ["4♣"]
    free = kit.position(read(ADDING_RU, "going over", "at any time"), hands, total=99)
    assert lays(free) == ["4♣", "5♣"]
    assert free.apply("5♣").lives == (0, 1, 1)


def test_the_total_may_fall_below_0() -> None:
    state = kit.position(ADDING_ES, ["10♣ K♣", "10♦", "2♥"])
    assert state.apply("10♣").total == -10
    assert state.apply("10♣").apply("10♦").total == -20
    assert kit.position(ADDING_ES, ["10♣ K♣", "10♦", "2♥"], total=-20).apply("K♣").total == 99


def test_the_total_may_stop_at_0() -> None:
    clamped = read(ADDING_RU, "below zero", "stays at zero")
    state = kit.position(clamped, ["10♣ 2♣", "2♦"], total=5)
    assert state.apply("10♣ -10").total == 0
    assert kit.position(clamped, ["10♣", "2♦"], total=15).apply("10♣ -10").total == 5


def test_a_lay_below_0_may_be_forbidden() -> None:
    forbidden = read(ADDING_RU, "below zero", "forbidden")
    state = kit.position(forbidden, ["10♣ 2♣", "2♦"], total=5)
    assert lays(state) == ["2♣", "10♣ +10"]
    low = kit.Play(kit.cards("10♣"), Effect(add=-10))
    assert state.why_not(low) == BelowFloor(kit.cards("10♣"), -5)
    assert "-10" in str(kit.position(forbidden, ["10♣", "2♦"], total=10).apply("10♣ -10").events[0]).replace("−", "-")


def test_who_can_only_go_below_a_floor_loses_as_over_the_limit() -> None:
    forbidden = read(ADDING_ES, "below zero", "forbidden")
    state = kit.position(forbidden, ["10♣ 10♠", "10♦", "2♥"], total=5)
    assert lays(state) == ["10♣", "10♠"]
    over = state.apply("10♣")
    assert Busted(0, kit.cards("10♣"), -5) in over.events
    assert (over.total, over.lives, over.phase) == (5, (2, 3, 3), kit.Phase.DEAL_OVER)


# ---- Whose turn it is


@pytest.mark.parametrize("direction", [1, -1])
def test_with_two_players_a_turn_of_direction_is_only_a_pass(direction: int) -> None:
    state = kit.position(ADDING_RU, ["4♣ 4♦ 2♣", "4♥ 4♠ 2♦"], direction=direction)
    once = state.apply("4♣")
    assert (once.to_act, once.direction, once.total) == (1, -direction, 0)
    assert once.apply("4♥").to_act == 0


@pytest.mark.parametrize(
    "lives, effect, following, skipped",
    [
        ((1, 1, 1, 1), Effect(add=3, skip=1), 2, [1]),
        ((1, 1, 1, 1), Effect(add=3, skip=2), 3, [1, 2]),
        ((1, 1, 1, 1), Effect(add=3, skip=1, reverse=True), 2, [3]),
        ((1, 0, 1, 1), Effect(add=3, skip=1), 3, [2]),
        ((1, 0, 0, 1), Effect(add=3, skip=1), 0, [3]),
    ],
)
def test_skipping_passes_over_living_seats(
    lives: tuple[int, ...], effect: Effect, following: int, skipped: list[int]
) -> None:
    rules = replace(ADDING_RU, effects=ADDING_RU.effects | {"3": effect})
    hands = ["3♣", *[f"{seat + 5}♦" * lives[seat] for seat in (1, 2, 3)]]
    laid = kit.position(rules, hands, lives=lives).apply("3♣")
    assert (laid.total, laid.to_act) == (3, following)
    assert [event.seat for event in laid.events if isinstance(event, Skipped)] == skipped


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("rules", [ADDING_PL, PARANOIA_RU], ids=lambda rules: rules.name)
def test_the_deal_goes_round_and_the_left_of_the_dealer_begins(rules: kit.AddingRules, players: int) -> None:
    states = kit.playout(kit.deal(rules, players, seed=99), "random").states
    starts = [states[0]] + [after for before, after in pairwise(states) if after.deal_number > before.deal_number]
    assert [state.deal_number for state in starts] == list(range(1, len(starts) + 1))
    assert len(starts) >= 3
    for state in starts:
        assert state.to_act == next_living(state, state.dealer)
        assert (state.total, state.direction) == (rules.start, 1)
        assert [len(hand) for hand in state.hands] == [3 * bool(life) for life in state.lives]
    for before, after in pairwise(starts):
        assert after.dealer == next_living(after, before.dealer)


def next_living(state: kit.AddingState, seat: int) -> int:
    around = [(seat + step) % state.players for step in range(1, state.players + 1)]
    return next(other for other in around if state.lives[other])


@pytest.mark.parametrize(
    "objective, lives, direction, loser, first",
    [
        ("first loser ends it", (3, 3, 3, 3), 1, 2, 2),
        ("last one in", (3, 3, 3, 3), 1, 2, 2),
        ("last one in", (3, 3, 1, 3), 1, 2, 3),
        ("last one in", (3, 3, 1, 3), -1, 2, 1),
    ],
)
def test_the_loser_of_a_round_may_begin_the_next(
    objective: str, lives: tuple[int, ...], direction: int, loser: int, first: int
) -> None:
    rules = read(read(ADDING_ES, "next starter", "loser"), "end of the match", objective)
    hands = ["2♦", "3♦", STUCK, "5♦"]
    fields = {"lives": lives, "direction": direction, "to_act": loser, "total": 99, "dealer": 3}
    over = kit.position(rules, hands, **fields).apply("5♣")
    assert (over.phase, over.to_act) == (kit.Phase.DEAL_OVER, 0)
    assert (over.apply("next deal").dealer, over.apply("next deal").to_act) == (0, first)


# ---- Lives, and who is left


@pytest.mark.parametrize(
    "rules, hand, lay",
    [
        (ADDING_RU, STUCK, "5♣"),
        (read(ADDING_RU, "after a loss", "new deal"), STUCK, "5♣"),
        (read(ADDING_RU, "going over", "at any time"), "4♣ 5♣", "5♣"),
        (read(ADDING_RU, "pot", "one a turn"), STUCK, "5♣"),
        (replace(ADDING_RU, lives=2), STUCK, "5♣"),
        (ADDING_PL, STUCK, "5♣"),
        (read(ADDING_PL, "going over", "at any time"), "4♣ 5♣", "5♣"),
        (read(ADDING_ES, "end of the match", "last one in"), STUCK, "5♣"),
        (read(read(ADDING_ES, "end of the match", "last one in"), "below zero", "forbidden"), "10♣", "10♣"),
    ],
)
@pytest.mark.parametrize("loser", [0, 2])
@pytest.mark.parametrize("direction", [1, -1])
def test_the_last_one_in_wins_on_every_way_out(
    rules: kit.AddingRules, hand: str, lay: str, loser: int, direction: int
) -> None:
    others = {0: "2♦", 2: "2♥"}
    hands = [hand if seat == loser else "" if seat == 1 else others[seat] for seat in range(3)]
    total = 99 if hand != "10♣" else 0
    fields = {"lives": [0 if seat == 1 else 1 for seat in range(3)], "to_act": loser, "total": total}
    over = kit.position(rules, hands, direction=direction, **fields).apply(lay)
    assert (over.phase, over.to_act, over.winners) == (kit.Phase.MATCH_OVER, None, (2 - loser,))
    assert MatchWon((2 - loser,)) in over.events


def test_the_spanish_match_ends_with_its_first_loser() -> None:
    over = kit.position(ADDING_ES, [STUCK, "2♦", "2♥"], lives=(1, 2, 3), total=99).apply("5♣")
    assert (over.phase, over.lives, over.winners) == (kit.Phase.MATCH_OVER, (0, 2, 3), (2,))
    shared = kit.position(ADDING_ES, [STUCK, "2♦", "2♥"], lives=(1, 2, 2), total=99).apply("5♣")
    assert shared.winners == (1, 2)


def test_a_chip_more_may_be_read_into_the_polish_text() -> None:
    assert kit.deal(ADDING_PL, players=4, seed=99).lives == (3, 3, 3, 3)
    assert kit.deal(read(ADDING_PL, "last chip", "one more loss"), players=4, seed=99).lives == (4, 4, 4, 4)
    assert kit.deal(read(ADDING_PL, "last chip", "one more loss"), players=3, seed=99).lives == (6, 6, 6)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rules", [ADDING_RU, ADDING_PL], ids=lambda rules: rules.name)
def test_a_match_ends_with_one_player_left_who_never_lost_the_last_life(rules: kit.AddingRules, players: int) -> None:
    for seed in range(5):
        states = kit.playout(kit.deal(rules, players, seed=seed), "random").states
        (winner,) = states[-1].winners
        assert [seat for seat in range(players) if states[-1].lives[seat]] == [winner]
        busts = Counter(event.seat for state in states for event in state.events if isinstance(event, Busted))
        assert all(busts[seat] == rules.lives_for(players) for seat in range(players) if seat != winner)
        assert busts[winner] < rules.lives_for(players)


# ---- The stock


@pytest.mark.parametrize("hand_size", [11, 16, 17])
def test_no_card_is_lost_or_made_when_the_stock_runs_out(hand_size: int) -> None:
    rules = replace(ADDING_PL, players=(3,), hand_size=hand_size)
    state, refills = kit.deal(rules, seed=99), 0
    for _, after in islice(random_match(state, stream(99)), 400):
        assert cards_of(after) == Counter(rules.pack(3))
        new = [event.number for event in after.events if isinstance(event, StockRefilled)]
        refills += len(new)
        if new:
            (laid,) = [event for event in after.events if isinstance(event, CardsLaid)]
            assert (after.pile, after.total) == (laid.cards, laid.total)
            assert new == [len(state.pile)]
        state = after
    assert refills > 3


def test_a_pair_on_an_empty_stock_leaves_one_card_on_the_pile() -> None:
    state = kit.position(PARANOIA_RU, ["3♣ 3♦ 5♣", "2♦ 5♦ 7♦"], pile="8♣ 8♦ 8♥ 8♠", stock="9♠", total=40)
    laid = state.apply("3♣ 3♦ =33")
    assert laid.pile == kit.cards("3♦")
    assert len(laid.hands[0]) == 3
    assert set(kit.cards("9♠ 5♣")) < set(laid.hands[0])
    assert Counter(cards_of(laid)) == Counter(cards_of(state))
    assert len(laid.stock) == 4


def test_with_nothing_to_draw_the_hand_is_smaller() -> None:
    laid = kit.position(ADDING_RU, ["2♣ 3♣ 5♣", "2♦ 3♦ 5♦"], stock="").apply("2♣")
    assert (laid.hands[0], laid.pile, laid.stock) == (kit.cards("3♣ 5♣"), kit.cards("2♣"), ())
    again = laid.apply("2♦")
    assert (again.hands[1], again.pile) == (kit.cards("2♣ 3♦ 5♦"), kit.cards("2♦"))


# ---- The pot


def test_every_turn_costs_a_chip_the_last_one_too_and_the_winner_takes_the_pot() -> None:
    state = kit.position(read(ADDING_RU, "pot", "one a turn"), ["5♣ 7♣", "4♦", "Q♥ J♥"], total=94)
    for lay, pot in (("5♣", 1), ("4♦", 2)):
        state = state.apply(lay)
        assert state.pot == pot
    assert state.to_act == 0
    state = kit.position(state.rules, [STUCK, "4♦", ""], lives=(1, 1, 0), total=99, pot=2)
    over = state.apply("5♣")
    assert (over.pot, over.winners) == (0, (1,))
    assert over.events[-1] == PotTaken(1, 3)
    assert kit.position(ADDING_RU, ["5♣", "4♦"]).apply("5♣").pot == 0


def test_the_pot_holds_a_chip_for_every_turn_of_a_match() -> None:
    history = kit.playout(kit.deal(read(ADDING_RU, "pot", "one a turn"), players=4, seed=99), "random")
    assert history.state.events[-1] == PotTaken(history.state.winners[0], len(history.states) - 1)


# ---- Rounds for points


def points(state: kit.AddingState) -> list[int]:
    return [sum(parts) for parts in state.earned]


def test_a_falling_total_scores_only_where_that_is_the_reading_and_a_second_rise_scores_again() -> None:
    hands = ["10♣ 9♣ 5♣", "10♦ 7♦ 5♦"]
    both = read(PARANOIA_RU, "falling total", "both ways")
    for rules, after in ((PARANOIA_RU, [[1, 0], [1, 0], [2, 0]]), (both, [[1, 0], [1, 1], [2, 1]])):
        state, seen = kit.position(rules, hands, total=30), []
        for lay in ("9♣", "10♦ -10", "5♣"):
            state = state.apply(lay)
            seen.append(points(state))
        assert state.total == 34
        assert seen == after


@pytest.mark.parametrize(
    "lay, upward, downward",
    [("3♣ 3♦ =33", [0, 0], [3, 0]), ("9♣ +9", [0, 0], [0, 0]), ("6♣ 6♦ =66", [0, 0], [2, 0])],
)
def test_pairs_that_take_the_total_down_cross_only_in_that_reading(
    lay: str, upward: list[int], downward: list[int]
) -> None:
    cards = [word for word in lay.split() if word[-1] in "♣♦"]
    for choice, expected in (("upward only", upward), ("both ways", downward)):
        rules = read(PARANOIA_RU, "falling total", choice)
        assert points(kit.position(rules, [cards, "2♥"], total=70).apply(lay)) == expected


def test_fewest_points_turns_every_sign() -> None:
    low = read(PARANOIA_RU, "objective", "fewest points")
    for card, mine in (("J♣", 2), ("Q♣", 3), ("9♣", 1)):
        assert points(kit.position(low, [card, "2♥"], total=30).apply(card)) == [mine, 0]
    assert points(kit.position(low, ["K♣ K♦", "2♥", "2♦"], total=30).apply("K♣ K♦")) == [-1, 1, 1]
    over = kit.position(low, ["A♣", "J♠ Q♠"], total=99).apply("A♣ +1")
    assert over.scores == (3, 8)


def test_after_the_last_lay_only_a_2_or_a_king_draws_unless_read_otherwise() -> None:
    hands = ["9♣ A♣ 5♣", "2♥ 5♥ 7♥"]
    for choice, held in (("only then", 2), ("always", 3)):
        over = kit.position(read(PARANOIA_RU, "last draw", choice), hands, total=99).apply("9♣")
        assert (over.phase, len(over.hands[0])) == (kit.Phase.DEAL_OVER, held)


def test_two_kings_exchange_only_in_that_reading() -> None:
    hands = ["K♣ K♦ 5♣", "2♥ 5♥ 7♥"]
    for choice, phase in (("no exchange", kit.Phase.PLAY), ("exchange", kit.Phase.GIVE)):
        assert kit.position(read(PARANOIA_RU, "two kings", choice), hands).apply("K♣ K♦").phase is phase


@pytest.mark.parametrize(
    "choice, ways", [("layer chooses", ["=33", "=33 reverse"]), ("always turns", [""]), ("never turns", [""])]
)
def test_who_lays_a_pair_may_turn_the_direction(choice: str, ways: list[str]) -> None:
    state = kit.position(read(PARANOIA_RU, "pair direction", choice), ["3♣ 3♦ 2♣", "2♥", "2♦"])
    pairs = [lay for lay in lays(state) if lay.startswith("3♣ 3♦")]
    assert pairs == [f"3♣ 3♦ {way}".strip() for way in ways]
    turned = {state.apply(pair).direction for pair in pairs}
    assert turned == {"layer chooses": {1, -1}, "always turns": {-1}, "never turns": {1}}[choice]


@pytest.mark.parametrize("objective, best", [("most points", max), ("fewest points", min)])
def test_the_agreed_rounds_are_played_and_the_best_share_the_win(objective: str, best: Any) -> None:
    rules, shared = read(PARANOIA_RU, "objective", objective), 0
    for seed in range(60):
        end = kit.playout(kit.deal(rules, seed=seed), "random").state
        assert [row.deal for row in end.sheet] == [1, 2, 3]
        assert list(end.scores) == [sum(row.points[seat] for row in end.sheet) for seat in range(3)]
        assert end.winners == tuple(seat for seat in range(3) if end.scores[seat] == best(end.scores))
        shared += len(end.winners) > 1
    assert shared


def test_a_match_for_points_ends_also_when_it_is_set_up_after_its_last_round() -> None:
    late = kit.position(PARANOIA_RU, ["A♥", "4♣", "10♠"], total=99, deal_number=4)
    assert late.apply("A♥ +1").phase is kit.Phase.MATCH_OVER


def test_hands_are_shown_at_the_end_of_a_round_for_points_also_without_penalties() -> None:
    rules = replace(PARANOIA_RU, penalties={})
    over = kit.position(rules, ["9♥ 2♣ 3♣", "4♣ 5♣ 6♣", "7♣ 8♣ 10♣"], total=95).apply("9♥")
    assert over.seen_by(1).hands == over.hands


def test_points_are_told_also_where_no_border_counts() -> None:
    effects = PARANOIA_RU.effects | {"J": Effect(add=10), "Q": Effect(add=10)}
    rules = replace(PARANOIA_RU, milestones=(), effects=effects)
    over = kit.position(rules, ["9♥ J♠", "4♣", "7♣"], total=95).apply("9♥")
    assert (over.scores, "Points" in kit.text(over)) == ((-3, 0, 0), True)


def test_nobody_is_skipped_after_the_end() -> None:
    skipping = replace(PARANOIA_RU, effects=PARANOIA_RU.effects | {"9": Effect(add=9, skip=1)})
    events = kit.position(skipping, ["9♥", "4♣", "7♣"], total=95).apply("9♥").events
    assert not [event for event in events if isinstance(event, Skipped)]
