"""Surveys and comparisons count what was played, say how sure they are, and draw only what they also say in words."""

import html
import logging
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import hypot, inf, isinf, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from workers import Bar, any_legal, broken

import ninety_nine_kit as kit
from ninety_nine_kit import batch
from ninety_nine_kit.experiment import Comparison, Difference, Measure, Survey, compare, play, run, survey
from ninety_nine_kit.experiment.count import Deal, Sums, Tally
from ninety_nine_kit.experiment.measure import change, ratio
from ninety_nine_kit.experiment.play import Plan, make_plan, table_of

each_preset = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
#: The Russian adding game, but its nine, which makes the total 0, adds nothing.
NINE: Any = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"9": kit.Effect()})
#: The Polish one, but its nine, which adds nothing, adds nine.
PLUS_NINE: Any = replace(kit.ADDING_PL, effects=kit.ADDING_PL.effects | {"9": kit.Effect(add=9)})
HEARTS: Any = replace(kit.TRICKS_FR, bid_values=kit.TRICKS_FR.bid_values | {"♥": 3})
HEARTS_RU: Any = replace(kit.TRICKS_RU, bid_values=HEARTS.bid_values)
DOWN: Any = replace(kit.PARANOIA_RU, milestones_down=True)
NOTHING: Any = replace(kit.ADDING_PL, name="nothing", effects=dict.fromkeys(kit.Rank, kit.Effect()))
#: Hands that are too large for the arrays.
SEVENTEEN: Any = replace(kit.TRICKS_RU, players=(2,), ranks=tuple(kit.Rank), hand_size=17)
PLACES = ("1 (acts first)", "2", "3 (acts last)")
MIXED = ["simple", "random", "greedy"]


@pytest.fixture(scope="module")
def nine() -> Comparison:
    return compare(kit.ADDING_RU, NINE, 4_000, agents="random")


@pytest.fixture(scope="module")
def tricks() -> Survey:
    """A sensible player against one that plays at random and one that is greedy."""
    return survey(kit.TRICKS_FR, 4_000, agents=MIXED)


@pytest.fixture(scope="module")
def adding() -> Survey:
    return survey(kit.ADDING_PL, 4_000, agents="random")


@pytest.fixture(scope="module")
def mixed() -> Comparison:
    """Two games that have little in common."""
    return compare(kit.TRICKS_RU, kit.ADDING_RU, 500, agents="random")


def every(surveyed: Survey) -> Iterator[tuple[str, str, Measure]]:
    return ((title, label, one) for title, rows in surveyed.measures().items() for label, one in rows.items())


def changes(compared: Comparison) -> Iterator[tuple[str, str, Difference]]:
    return ((title, label, one) for title, rows in compared.differences().items() for label, one in rows.items())


def sentences(result: Any) -> list[str]:
    return [block for block in result.report().blocks if isinstance(block, str)]


class Counted(NamedTuple):
    first: int
    points: tuple[int, ...]
    best: list[int]
    lays: int
    turns: int
    choices: int
    won: tuple[int, ...]
    bids: list[int]
    open_bids: int

    def share(self, seat: int) -> float:
        return (seat in self.best) / len(self.best)


@cache
def count_by_hand(rules: Any) -> list[Counted]:
    """Eight deals at each of five tables, from whole matches as `playout` gives them, with the seed 7.

    A deal in which a player is missing is left out, with all that follow in that match.
    """
    counted: list[Counted] = []
    for table in range(5):
        while len(counted) < 8 * (table + 1):
            number = len(counted) % 8
            start = kit.deal(rules, 3, seed=f"7.{table}.{number}", dealer=(table + number) % 3)
            by_deal: dict[int, list[Any]] = {}
            for state in kit.playout(start, "random", max_actions=500).states:
                by_deal.setdefault(state.deal_number, []).append(state)
            for states in list(by_deal.values())[: 8 - number]:
                if not all(map(states[0].is_in, range(3))):
                    break
                counted.append(count_deal(states))
    return counted


def count_deal(states: list[Any]) -> Counted:
    start, end = states[0], states[-1]
    assert end.phase in (kit.Phase.DEAL_OVER, kit.Phase.MATCH_OVER)
    rules, points = end.rules, end.sheet[end.deal_number - 1].points
    plays = [state for state in states if state.phase is kit.Phase.PLAY]
    lays, won, bids, open_bids = 0, (), [], 0
    if isinstance(end, kit.TrickState):
        lays, won = len(end.tricks), end.won
        bids = [rules.bid_value(bid) for bid in end.bids]
        before = [tricks - (seat == end.tricks[-1].winner) for seat, tricks in enumerate(won)]
        with_it = [tricks + 1 == bid for tricks, bid in zip(before, bids, strict=True)]
        without = [tricks == bid for tricks, bid in zip(before, bids, strict=True)]
        open_bids = sum(one != other for one, other in zip(with_it, without, strict=True))
    else:
        steps = pairwise(states)
        lays = sum(one.phase is kit.Phase.PLAY and one.lives == after.lives for one, after in steps)
    if rules.counts_points:
        best = [seat for seat in range(3) if points[seat] == max(points)]
    elif rules.over_limit == "deal over":
        best = [seat for seat in range(3) if end.lives[seat] < start.lives[seat]]
    else:
        best = list(end.winners)
    choices = sum(len(state.legal_actions()) > 1 for state in plays)
    return Counted(start.to_act, points, best, lays, len(plays), choices, won, bids, open_bids)


@cache
def play_the_same(rules: Any) -> Survey:
    """The deals that were counted by hand."""
    return survey(rules, 40, agents=any_legal, seed=7)


def expected(rules: Any, counted: list[Counted]) -> dict[tuple[str, str], tuple[float, int]]:
    """What the tables must say: (title, label) → (value, out of how many)."""
    deals, known = len(counted), {}
    lost = getattr(rules, "over_limit", "") == "deal over"
    for place, label in enumerate(PLACES):
        seats = [(deal.first + getattr(rules, "direction", 1) * place) % 3 for deal in counted]
        shares = [deal.share(seat) for deal, seat in zip(counted, seats, strict=True)]
        known[f"Deals {'lost' if lost else 'won'}, by place in turn", label] = fmean(shares), deals
        if rules.counts_points:
            points = [deal.points[seat] for deal, seat in zip(counted, seats, strict=True)]
            known["Points in a deal, by place in turn", label] = fmean(points), deals
    turns = sum(deal.turns for deal in counted)
    known["How open it is", "turns with a choice"] = sum(deal.choices for deal in counted) / turns, turns
    if isinstance(rules, kit.AddingRules):
        known["Length of a deal", "lays"] = fmean(deal.lays for deal in counted), deals
        return known
    bids = [(bid, bid == won) for deal in counted for bid, won in zip(deal.bids, deal.won, strict=True)]
    known["Bids made", "all"] = fmean(made for _, made in bids), len(bids)
    for value in {bid for bid, _ in bids}:
        such = [made for bid, made in bids if bid == value]
        known["Bids made", str(value)] = fmean(such), len(such)
    for premium in rules.premiums:
        gained = [premium.made if made else premium.failed for _, made in bids]
        title = "The holder's points, if every bid were announced"
        known[title, premium.name] = fmean(gained), len(gained)
    open_ones = fmean(deal.open_bids > 0 for deal in counted)
    known["How open it is", "deals whose last trick makes or breaks a bid"] = open_ones, deals
    return known


@each_preset
def test_every_deal_is_counted_as_by_hand(rules: Any) -> None:
    by_hand = count_by_hand(rules)
    found = [deal for table in range(5) for deal in table_of(rules, 3, [any_legal] * 3, 7, table)]
    assert len(found) == len(by_hand) == 40
    for deal, counted in zip(found, by_hand, strict=True):
        best = [seat for seat in range(3) if deal.best[seat]]
        made = (deal.lengths, deal.turns, deal.choices, tuple(deal.won), list(deal.bids) * bool(deal.won))
        assert (deal.first, deal.points, best, *made, deal.open_bids) == counted
        assert deal.turn == 1


@pytest.mark.parametrize(
    "rules", [*kit.PRESETS.values(), replace(kit.ADDING_ES, direction=-1)], ids=[*kit.PRESETS, "counter-clockwise"]
)
def test_the_tables_hold_the_shares_of_what_was_counted_by_hand(rules: Any) -> None:
    found = every(play_the_same(rules))
    measured = {(title, label): one for title, label, one in found if title != "Deals by length"}
    known = expected(rules, count_by_hand(rules))
    assert set(measured) == set(known)
    for key, (value, out_of) in known.items():
        assert (measured[key].value, measured[key].n) == (pytest.approx(value), out_of), key


@each_preset
def test_deals_by_length_are_shares_of_what_was_counted_by_hand(rules: Any) -> None:
    groups = play_the_same(rules).measures().get("Deals by length", {})
    assert bool(groups) == isinstance(rules, kit.AddingRules)
    lengths = [deal.lays for deal in count_by_hand(rules)]
    for label, one in groups.items():
        low, *high = map(int, re.findall(r"\d+", label))
        top = inf if label.endswith("or more") else max(low, *high)
        assert one.value == pytest.approx(sum(low <= length <= top for length in lengths) / 40), label


def unnamed(name: str) -> Any:
    """A named agent that is not known by its name."""
    return lambda view, rng: kit.AGENTS[name](view, rng)


@each_preset
@pytest.mark.parametrize("names", [["random"] * 3, MIXED], ids="-".join)
def test_both_ways_of_playing_measure_the_same(rules: Any, names: list[str]) -> None:
    """Within four standard errors, which is twice the give or take."""
    many, few = survey(rules, 20_000, agents=names), survey(rules, 120, agents=list(map(unnamed, names)))
    assert many.plan.in_arrays and not few.plan.in_arrays
    assert next(iter(many.measures())) == next(iter(few.measures()))
    for title, label, one in every(few):
        if title not in ("Deals by length", "Deals won, by seat", "Deals lost, by seat"):
            other = many.measures()[title][label]
            assert abs(one.value - other.value) <= 2 * (one.margin + other.margin), (title, label)


@each_preset
@pytest.mark.parametrize("agents", [MIXED, list(map(unnamed, MIXED))], ids=["in arrays", "one by one"])
def test_shares_of_deals_add_up_to_one(rules: Any, agents: Any) -> None:
    measures = survey(rules, 40, agents=agents).measures()
    shares = [title for title in measures if title.startswith("Deals ")]
    assert len(shares) >= 2
    for title in shares:
        assert sum(row.value for row in measures[title].values()) == pytest.approx(1)


def test_bids_by_number_add_up_to_all_bids(tricks: Survey) -> None:
    all_bids, *by_number = tricks.measures()["Bids made"].values()
    assert all_bids.n == sum(row.n for row in by_number) == 12_000
    assert all_bids.value * 12_000 == pytest.approx(sum(row.value * row.n for row in by_number))


@pytest.mark.parametrize("agents", ["random", any_legal], ids=["in arrays", "one by one"])
@pytest.mark.parametrize(
    "rules, title, known",
    [
        (kit.TRICKS_RU, "Bids made", 0.120),
        (replace(kit.ADDING_RU, over_limit="deal over", objective="first out"), "Length of a deal", 18.7),
        (kit.ADDING_PL, "Length of a deal", 12.4),
        (kit.ADDING_ES, "Length of a deal", 13.6),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_random_players_do_what_is_known_of_them(rules: Any, title: str, known: float, agents: Any) -> None:
    """rules.md 3.6: bids made; lays until somebody is over 99, three players. Within four standard errors."""
    one = next(iter(survey(rules, 200, agents=agents).measures()[title].values()))
    assert abs(one.value - known) < 2 * one.margin < known / 2


def test_a_strong_player_is_seen_to_win_more(tricks: Survey) -> None:
    simple, *others = tricks.measures()["Deals won, by seat"].values()
    assert simple.value - simple.margin > 1 / 3 > max(row.value for row in others)
    [told] = [line for line in sentences(tricks) if line.startswith("Deals won, by seat: a fair share is 0.33")]
    assert f"A (simple)”, {simple}. This is sure." in told


# Sums of blocks, and what is made of them


def stacked(deals: Sequence[Deal]) -> Deal:
    """Many deals as one with arrays; `turn` is the same in all."""
    columns = {name: [getattr(deal, name) for deal in deals] for name in Deal._fields}
    by_seat = ("points", "best", "won", "bids")
    arrays = {name: list(np.array(kept).T) if name in by_seat else np.array(kept) for name, kept in columns.items()}
    return Deal(**arrays | {"turn": deals[0].turn})


def added(tallies: Sequence[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.add(tally)
    return whole


@each_preset
def test_blocks_add_up_to_the_whole_however_they_are_cut_and_however_they_are_counted(rules: Any) -> None:
    deals = [deal for table in range(2) for deal in table_of(rules, 3, [any_legal] * 3, 1, table)]
    whole = Tally.of([(rules, stacked(deals))], 16, True)
    for cut in (1, 5, 8, 15):
        halves = [Tally.of([(rules, stacked(part))], len(part), True) for part in (deals[:cut], deals[cut:])]
        assert added(halves) == added(halves[::-1]) == whole
    assert added([Tally.of([(rules, deal)], 1, True) for deal in deals]) == whole


@each_preset
def test_the_blocks_of_a_plan_add_up_to_its_result(rules: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(batch, "BLOCK", 32)
    for agents in ("random", any_legal):
        surveyed = survey(rules, 40, agents=agents)
        blocks = [surveyed.plan.play(*block) for block in surveyed.plan.blocks()]
        assert len(blocks) == 2
        assert added(blocks) == surveyed.tally
        assert surveyed.games == sum(block.deals for block in blocks) == 40


def delta(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """How much each deal moves a ratio of sums, times the number of deals: the textbook's linear approximation."""
    above, below = (fmean(column) for column in zip(*pairs, strict=True))
    return [(a - b * above / below) / below for a, b in pairs]


def margin(moves: Sequence[float]) -> float:
    return 1.96 * stdev(moves) / sqrt(len(moves))


#: Key, unit, and what a deal adds above and below.
READ: Any = [
    (("points", 0), None, lambda deal: (deal.points[deal.first], 1)),
    (("choice", None), 1, lambda deal: (deal.choices, deal.turns)),
]


@pytest.mark.parametrize("key, unit, read", READ, ids=["an average", "a ratio"])
def test_values_and_their_give_or_take_are_those_of_the_textbook(key: Any, unit: Any, read: Callable[..., Any]) -> None:
    rules = kit.TRICKS_FR, HEARTS
    pairs = [list(map(read, count_by_hand(one))) for one in rules]
    compared = compare(*rules, games=40, agents=any_legal, seed=7).tally.sums[key]
    moves = list(map(delta, pairs))
    for game in (0, 1):
        above, below = map(sum, zip(*pairs[game], strict=True))
        assert ratio(compared, 40, game, unit) == (
            pytest.approx(above / below),
            pytest.approx(margin(moves[game])),
            below,
        )
    step = change(compared, 40, unit)
    assert step is not None
    textbook = margin([after - before for before, after in zip(*moves, strict=True)])
    seldom = 0 if unit is None else 1.96 * sqrt(2) / (min(compared.single[1], compared.single[3]) + 4)
    assert step.margin == pytest.approx(hypot(textbook, seldom))  # two more deals that differ
    if key[0] == "points":
        differences = [after[0] - before[0] for before, after in zip(*pairs, strict=True)]
        assert step == (pytest.approx(fmean(differences)), pytest.approx(margin(differences)), 40)


def hits(count: int, deals: int) -> Sums:
    """The sums of something that was so in some deals."""
    return Sums.of([np.arange(deals) < count, 1], deals)


def share(count: int, deals: int) -> Measure:
    found = ratio(hits(count, deals), deals, 0, 1)
    assert found is not None
    return found


def test_what_never_or_always_came_has_the_give_or_take_of_two_more_hits_and_misses() -> None:
    for count, deals in ((0, 1), (1, 1), (0, 20), (20, 20), (0, 300)):
        likely = (count + 2) / (deals + 4)
        wide = 1.96 * sqrt(likely * (1 - likely) / (deals + 4))
        assert share(count, deals) == (count / deals, pytest.approx(wide), deals)


@each_preset
@pytest.mark.parametrize("games", [1, 3, 40])
def test_the_give_or_take_of_a_share_is_never_0(rules: Any, games: int) -> None:
    for seed in range(5):
        for title, label, one in every(survey(rules, games, agents="random", seed=seed)):
            assert one.margin > 0 or "oints" in title or title == "Length of a deal", (title, label)


def test_numbers_are_shown_with_as_many_decimals_as_make_sense() -> None:
    assert str(share(102, 300)) == "0.34 ± 0.06"
    assert str(share(0, 300)) == "0.000 ± 0.010"
    assert str(share(10_200, 30_000)) == "0.340 ± 0.006"
    assert str(Measure(-1, 3.84, 2)) == "−1.0 ± 3.9"
    assert str(Measure(-0.01, 0.8, 4)) == "0.0 ± 0.8"


def test_one_deal_alone_does_not_say_how_sure_an_average_is() -> None:
    for rules in (kit.TRICKS_FR, kit.PARANOIA_RU):
        averages = [one for title, _, one in every(survey(rules, 1, agents="random")) if "Points" in title]
        assert len(averages) == 3
        assert all(isinf(one.margin) and str(one).endswith(" ± ?") for one in averages)


# How sure it is


def share_held(found: Sequence[Measure | None], truth: float) -> float:
    return fmean(one is not None and abs(one.value - truth) <= one.margin for one in found)


def told(case: str, shares: Sequence[float]) -> str:
    return f"95 % intervals that hold the true number, {case}: {', '.join(f'{share:.1%}' for share in shares)}"


BIDS, POINTS = ("Bids made", "all"), ("Points in a deal, by place in turn", PLACES[0])
LENGTH, LOST = ("Length of a deal", "lays"), ("Deals lost, by place in turn", PLACES[0])
INTERVALS: Any = {
    "adding-pl and its nine": (kit.ADDING_PL, PLUS_NINE, [LENGTH, LOST]),
    "tricks-ru and its hearts": (kit.TRICKS_RU, HEARTS_RU, [BIDS, POINTS]),
}


@pytest.mark.parametrize("case", INTERVALS)
def test_about_95_of_100_intervals_hold_the_true_number(case: str, record_property: Any) -> None:
    """200 small runs against one of 400,000 deals: each game alone, as in a survey, and the difference."""
    *games, rows = INTERVALS[case]
    runs = [(400_000, "truth"), *((160, seed) for seed in range(200))]
    truth, *small = (compare(*games, games=deals, agents="random", seed=seed).differences() for deals, seed in runs)
    shares = []
    for title, label in rows:
        for what in ("before", "after", "change"):
            true, *found = (getattr(tables[title][label], what) for tables in (truth, *small))
            shares.append(share_held(found, true.value))
    record_property("held", told(case, shares))
    assert 0.88 <= min(shares) <= max(shares) < 1  # 200 of them: three standard errors are 0.05


def test_intervals_are_honest_where_deals_in_a_row_hang_together(record_property: Any) -> None:
    """At tricks-fr by the trump, which eight deals at a table hand on."""
    runs = [(400_000, "truth"), *((160, seed) for seed in range(200))]
    truth, *small = (survey(kit.TRICKS_FR, deals, agents="random", seed=seed).measures() for deals, seed in runs)
    rows = [([tables[title][label] for tables in small], truth[title][label].value) for title, label in (BIDS, POINTS)]
    shares = [share_held(*row) for row in rows]
    record_property("held", told("tricks-fr", shares))
    assert 0.88 <= min(shares) <= max(shares) < 1  # 200 of them: three standard errors are 0.05


def test_the_same_cards_make_a_difference_clearer_than_two_surveys_would() -> None:
    compared = compare(kit.PARANOIA_RU, DOWN, 4_000, agents="random")
    for one in compared.differences()["Points in a deal, by place in turn"].values():
        assert one.before and one.after and one.change
        assert one.change.margin < 0.5 * sqrt(one.before.margin**2 + one.after.margin**2)


def test_of_several_numbers_more_is_asked_before_one_is_sure() -> None:
    """A standard error is 1 here. Of 20, the normal table asks for 3.023 (Bonferroni), of 1 for 1.96."""
    assert not Measure(1.95, 1.96, 9).beyond(0)
    assert Measure(1.97, 1.96, 9).beyond(0)
    assert not Measure(-3.02, 1.96, 9).beyond(0, among=20)
    assert Measure(-3.03, 1.96, 9).beyond(0, among=20)
    assert Measure(7, 1.96, 9).beyond(5) and not Measure(7, 1.96, 9).beyond(6)
    assert not Measure(5.0, inf, 1).beyond(0)


def allowed(among: int) -> float:
    """How many margins away from what is expected a number of several must be to be sure."""
    return NormalDist().inv_cdf(1 - 0.025 / among) / 1.96


@pytest.mark.parametrize("games", [40, 2_000])
@each_preset
def test_the_furthest_of_several_is_called_sure_only_beyond_what_chance_does_to_it(rules: Any, games: int) -> None:
    surveyed = survey(rules, games, agents=MIXED)
    told = [line for line in sentences(surveyed) if ": a fair share is 0.33; furthest is " in line]
    assert len(told) == 2
    for line in told:
        rows = surveyed.measures()[line.partition(":")[0]]
        label, furthest = max(rows.items(), key=lambda row: abs(row[1].value - 1 / 3))
        sure = abs(furthest.value - 1 / 3) > furthest.margin * allowed(3)
        assert line.endswith(f"“{label}”, {furthest}. {'This is sure.' if sure else 'This may be luck.'}")


# Comparisons


@each_preset
@pytest.mark.parametrize("agents", ["random", any_legal], ids=["in arrays", "one by one"])
def test_a_game_does_not_differ_from_itself_and_that_is_said(rules: Any, agents: Any) -> None:
    compared = compare(rules, rules, 16, agents=agents)
    assert all(one.before == one.after and one.change and one.change.value == 0 for *_, one in changes(compared))
    assert {one.verdict for *_, one in changes(compared)} == {"noise"}
    assert "Every deal came out alike: these players never met the change" in str(compared)
    assert "Noise" not in str(compared)
    assert "Changed" not in str(compared)


def test_one_deal_of_each_is_not_said_to_come_out_alike_if_it_does_not() -> None:
    compared = compare(kit.TRICKS_RU, HEARTS, 1, agents="simple")
    assert any(one.before != one.after for *_, one in changes(compared))
    assert "Every deal came out alike" not in str(compared)


def test_a_change_that_shortens_deals_is_told_as_sure_with_its_direction(nine: Comparison) -> None:
    one = nine.differences()["Length of a deal"]["lays"]
    assert one.before and one.after and one.change
    assert one.verdict == "sure"
    assert one.change.value == pytest.approx(one.after.value - one.before.value)
    assert one.change.value < -one.change.margin
    sure = next(line for line in sentences(nine) if line.startswith("Sure: "))
    assert f"lays {one.change}" in sure
    assert str(one.change).startswith("−")
    opposite = compare(NINE, kit.ADDING_RU, 4_000, agents="random").differences()["Length of a deal"]["lays"]
    assert opposite == (one.after, one.before, one.change._replace(value=-one.change.value), "sure")


def test_both_games_of_a_comparison_are_those_of_surveys_with_the_same_seed(nine: Comparison) -> None:
    for which, rules in enumerate((kit.ADDING_RU, NINE)):
        alone = survey(rules, 4_000, agents="random").measures()
        for title, label, one in changes(nine):
            if title != "Deals by length":  # whose groups hold the lengths of both
                assert one[which] == alone[title][label]


def test_what_was_changed_is_named_with_what_it_was(nine: Comparison) -> None:
    [told] = [line for line in sentences(nine) if line.startswith("Changed: ")]
    assert re.fullmatch(r"Changed: effects 9: .+ → .+\.", told)
    [told] = [line for line in sentences(compare(kit.PARANOIA_RU, DOWN, 2)) if line.startswith("Changed: ")]
    assert told == "Changed: milestones_down: no → yes."


VARIANTS: Any = {
    "nine": (kit.ADDING_RU, NINE),
    "down": (kit.PARANOIA_RU, DOWN),
    "hearts": (kit.TRICKS_FR, HEARTS),
    "two games": (kit.TRICKS_RU, kit.ADDING_RU),
}


@pytest.mark.parametrize("games", [60, 2_000])
@pytest.mark.parametrize("pair", VARIANTS.values(), ids=VARIANTS)
def test_each_difference_is_sure_or_perhaps_or_noise_by_its_give_or_take(pair: Any, games: int) -> None:
    """Sure with Bonferroni's allowance for all numbers of the tables; and each is named in the sentence for it."""
    compared = compare(*pair, games=games, agents="random")
    found = list(changes(compared))
    counted = {"sure": 0, "perhaps": 0, "noise": 0}
    lines = {line.split()[0].strip(":"): line for line in sentences(compared)}
    for title, label, (before, after, step, verdict) in found:
        assert (step is None) == (before is None or after is None)
        size = abs(step.value) / step.margin if step and step.margin else 0
        assert verdict == ("sure" if size > allowed(len(found)) else "perhaps" if size > 1 else "noise"), (title, label)
        if step is None or title == "Deals by length":
            continue
        counted[verdict] += 1
        shown = f"{label} {'' if str(step).startswith('−') else '+'}{step}"
        assert shown in lines.get("Perhaps", "") or verdict != "perhaps"
        assert shown in lines.get("Sure", "") or verdict != "sure" or counted["sure"] > 6
    assert ("Sure" in lines) == (counted["sure"] > 0) == ("Nothing" not in lines)
    assert f" and {counted['sure'] - 6} more" in lines.get("Sure", "") or counted["sure"] <= 6
    told = f"Noise: {counted['noise']} of {sum(counted.values())} differences"
    assert lines.get("Noise", "").startswith(told) == (counted["noise"] > 0)


def heads(compared: Comparison) -> set[tuple[str, ...]]:
    return {block.head[1:] for block in compared.report().blocks if not isinstance(block, str)}


def test_games_are_called_by_their_labels_or_titles_or_before_and_after(nine: Comparison, mixed: Comparison) -> None:
    end = ("difference", "sure?")
    assert heads(nine) == {("before", "after", *end)}
    assert "of “Adding, Russian text” in two versions with 3 players (random), seed 1." in str(nine)
    assert heads(mixed) == {("Tricks, Russian text", "Adding, Russian text", *end)}
    assert "500 deals of “Tricks, Russian text” and of “Adding, Russian text” with" in str(mixed).replace("\u202f", "")
    named = compare(kit.ADDING_RU, NINE, 8, labels=["old", "new"])
    assert heads(named) == {("old", "new", *end)}
    for labels in ("ab", ["one"], ["one", "two", "three"]):
        with pytest.raises(ValueError, match="give a list with a label for each of the two games"):
            compare(kit.ADDING_RU, NINE, 8, labels=labels)


def test_what_only_one_of_two_games_has_is_left_empty(mixed: Comparison) -> None:
    one = mixed.differences()["Bids made"]["all"]
    assert one.before and (one.after, one.change) == (None, None)
    [line] = [line for line in str(mixed).splitlines() if line.startswith("  all ")]
    assert line.split()[-3:] == ["–", "–", "–"]
    [line] = [line for line in str(mixed).splitlines() if line.startswith("  lays ")]
    assert line.split()[1] == "–"


def test_tricks_are_no_lays(mixed: Comparison) -> None:
    for title in ("Length of a deal", "Deals by length"):
        assert {(one.before, one.change) for one in mixed.differences()[title].values()} == {(None, None)}


# Words, tables, pictures


def words(text: str) -> list[str]:
    """The words of HTML, or of text, without tags."""
    return html.unescape(re.sub("<[^>]*>", " ", text)).split()


def test_the_text_and_the_html_say_the_same(
    tricks: Survey, adding: Survey, nine: Comparison, mixed: Comparison
) -> None:
    for result in (tricks, adding, nine, mixed):
        assert str(result) == repr(result) == repr(result.report())
        assert words(result._repr_html_()) == str(result).split()


def test_every_measure_stands_in_the_tables(tricks: Survey, nine: Comparison) -> None:
    lines = [line.split("  ") for line in str(tricks).splitlines()]
    rows = {tuple(cell.strip() for cell in line if cell) for line in lines}
    for _, label, one in every(tricks):
        assert (label, str(one), f"{one.n:,}".replace(",", "\u202f")) in rows
    for _, label, one in changes(nine):
        [line] = [line for line in str(nine).splitlines() if line.startswith(f"  {label}  ")]
        for measure in one[:3]:
            assert str(measure) in line
        assert line.endswith(one.verdict)


def test_a_survey_begins_with_what_was_surveyed(tricks: Survey) -> None:
    told = "4\u202f000 deals of “Tricks, French text” with 3 players (A (simple), B (random), C (greedy)), seed 1."
    assert sentences(tricks)[0] == told
    assert "± is the give or take" in str(tricks)
    assert survey(kit.ADDING_PL, 1, agents=any_legal, seed="x").report().blocks[0].endswith("(any_legal), seed x.")


def test_names_from_outside_are_escaped() -> None:
    rules: Any = replace(kit.ADDING_PL, title="<b>$x$_ & co</b>")
    surveyed, compared = survey(rules, 2), compare(rules, kit.ADDING_PL, 2, labels=["<b>one", "<b>two"], seed="<b>")
    for result in (surveyed, compared):
        assert "<b>" not in result._repr_html_()
        assert "&lt;b&gt;" in result._repr_html_()
        assert result.plot().png


def test_an_unknown_language_is_refused(tricks: Survey, nine: Comparison) -> None:
    views = [view for one in (tricks, nine) for view in (one.report, one.plot, one.to_pandas)]
    for view in (*views, tricks.measures, nine.differences):
        with pytest.raises(ValueError, match="no language “xx”"):
            view("xx")


def test_every_text_can_be_translated(tricks: Survey, nine: Comparison, mixed: Comparison, marked: None) -> None:
    """Numbers and names stay, and so do the numbers themselves."""
    for result in (tricks, nine, mixed):
        plain, told = str(result), repr(result.report("xx"))
        for line in told.splitlines():
            assert not line or "«" in line or re.match(r"  (\S+ \((simple|random|greedy)\)|\d)", line), line
        assert re.findall(r"\d[\d.]*", told) == re.findall(r"\d[\d.]*", plain)


def test_a_survey_as_a_table_of_pandas_holds_every_measure(tricks: Survey) -> None:
    frame = tricks.to_pandas()
    assert list(frame.columns) == ["title", "label", "value", "margin", "n"]
    assert [tuple(row) for row in frame.itertuples(index=False)] == [
        (t, label, *one) for t, label, one in every(tricks)
    ]


def test_a_comparison_as_a_table_of_pandas_holds_every_difference(mixed: Comparison) -> None:
    frame = mixed.to_pandas()
    numbers = [f"{name}{more}" for name in ("before", "after", "change") for more in ("", " margin")]
    assert list(frame.columns) == ["title", "label", *numbers, "verdict"]
    found = list(changes(mixed))
    assert len(frame) == len(found)
    for (_, row), (title, label, one) in zip(frame.iterrows(), found, strict=True):
        assert (row["title"], row["label"], row["verdict"]) == (title, label, one.verdict)
        known = [number for measure in one[:3] for number in (measure[:2] if measure else (None, None))]
        assert [None if np.isnan(row[name]) else row[name] for name in numbers] == known


def test_without_pandas_it_is_told_how_to_get_it(tricks: Survey, nine: Comparison, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for result in (tricks, nine):
        with pytest.raises(ValueError, match=r"^to_pandas\(\) needs pandas: pip install pandas, then restart"):
            result.to_pandas()


def test_every_number_in_a_picture_stands_in_its_text(
    tricks: Survey, adding: Survey, nine: Comparison, mixed: Comparison, monkeypatch: Any
) -> None:
    drawn: list[str] = []
    annotate, axhline = Axes.annotate, Axes.axhline
    monkeypatch.setattr(Axes, "annotate", lambda *args, **more: (drawn.append(args[1]), annotate(*args, **more))[1])
    monkeypatch.setattr(
        Axes, "axhline", lambda *args, **more: (drawn.append(f"{args[1]:.2f}"), axhline(*args, **more))[1]
    )
    for result in (tricks, adding, nine, mixed):
        drawn.clear()
        picture = result.plot()
        assert len(drawn) > 6
        for number in drawn:
            assert number in repr(picture)
            assert number in picture.report._repr_html_()


@pytest.mark.parametrize("rules", [kit.TRICKS_FR, kit.PARANOIA_RU], ids=lambda rules: rules.name)
@pytest.mark.parametrize("games", [1, 2])
def test_a_picture_can_be_drawn_of_few_deals_as_well(rules: Any, games: int) -> None:
    assert survey(rules, games, agents=MIXED).plot().png
    assert compare(rules, replace(rules, title="another"), games).plot().png


def test_a_picture_can_be_drawn_of_a_game_without_bids() -> None:
    bare: Any = replace(kit.TRICKS_RU, bid_cards=0, premiums=())
    for games in (1, 20):
        assert survey(bare, games).plot().png
        compared = compare(bare, replace(bare, hand_size=5), games)
        assert repr(compared.plot()).endswith(str(compared))
    assert compared.plot().png


def test_a_notebook_gets_the_picture_and_its_words(tricks: Survey, nine: Comparison) -> None:
    """And no HTML: JupyterLab would show that instead of the picture."""
    for result in (tricks, nine):
        picture = result.plot()
        bundle, more = DisplayFormatter().format(picture)
        assert set(bundle) == {"text/plain", "image/png"}
        assert bundle["image/png"].startswith(b"\x89PNG")
        assert bundle["text/plain"] == repr(picture) == repr(picture.report) == repr(result)
        assert more == {"image/png": {"alt": " ".join(sentences(result))}}
        for shown in (result, picture.report):
            assert set(DisplayFormatter().format(shown)[0]) == {"text/plain", "text/html"}


def test_a_picture_of_the_same_numbers_is_the_same_bytes_whatever_the_settings(
    adding: Survey, nine: Comparison
) -> None:
    pictures = [adding.plot().png, nine.plot().png]
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        settings = dict(matplotlib.rcParams)
        assert [adding.plot().png, nine.plot().png] == pictures
        assert dict(matplotlib.rcParams) == settings
    assert len(set(pictures)) == 2
    assert all(png and b"Software" not in png for png in pictures)


def test_matplotlib_tells_a_learner_nothing(tricks: Survey, monkeypatch: Any, caplog: Any) -> None:
    savefig, logger = Figure.savefig, logging.getLogger("matplotlib")
    level = logger.level

    def noisy(*args: Any, **more: Any) -> None:
        logging.getLogger("matplotlib.font_manager").warning("building the font cache")
        savefig(*args, **more)

    monkeypatch.setattr(Figure, "savefig", noisy)
    assert tricks.plot().png
    assert not caplog.records
    assert logger.level == level


def test_without_matplotlib_there_are_the_tables_and_how_to_get_the_picture(
    tricks: Survey, nine: Comparison, monkeypatch: Any
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    how = "The picture itself needs matplotlib: pip install 'ninety-nine-kit[plots]', then restart the kernel."
    here = "The picture itself is not drawn where Python runs in the browser; the tables say the same."
    for platform, told in ((sys.platform, how), ("emscripten", here)):  # where nothing can be installed
        monkeypatch.setattr(sys, "platform", platform)
        for result in (tricks, nine):
            picture = result.plot()
            bundle, _ = DisplayFormatter().format(picture)
            assert picture.png is None
            assert bundle["text/plain"] == f"{told}\n{result}"
            assert set(bundle) == {"text/plain", "text/html"}
            assert words(bundle["text/html"]) == bundle["text/plain"].split()


# The same again


@each_preset
@pytest.mark.parametrize("agents", ["random", any_legal], ids=["in arrays", "one by one"])
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(rules: Any, agents: Any) -> None:
    one = survey(rules, 16, agents=agents, seed=99)
    assert one.tally == survey(rules, 16, agents=agents, seed="99").tally == one.again().tally
    assert str(one) == str(one.again())
    assert one.tally != survey(rules, 16, agents=agents, seed=98).tally
    compared = compare(rules, rules, 16, agents=agents, seed=99)
    assert compared.tally == compared.again().tally
    assert str(compared) == str(compared.again())


def test_a_fresh_process_gives_the_same_text(nine: Comparison) -> None:
    code = (
        "from dataclasses import replace; import ninety_nine_kit as kit;"
        "from ninety_nine_kit.experiment import compare, survey; from workers import any_legal;"
        "nine = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {'9': kit.Effect()});"
        "print(compare(kit.ADDING_RU, nine, 4_000, agents='random'));"
        "print(survey(kit.TRICKS_FR, 40, agents=any_legal))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
    assert told.decode() == f"{nine}\n{survey(kit.TRICKS_FR, 40, agents=any_legal)}\n"


def test_a_result_holds_all_that_its_numbers_depend_on(tricks: Survey, nine: Comparison) -> None:
    plan = tricks.plan
    assert (plan.games, plan.players, plan.seed, plan.deals) == ((kit.TRICKS_FR,), 3, 1, 4_000)
    assert plan.agents == plan.names == tuple(MIXED)
    assert nine.plan.games == (kit.ADDING_RU, NINE)
    for name in ("python", "ninety-nine-kit", "numpy"):
        assert re.match(r"\d+\.\d+", tricks.versions[name])
    assert survey(kit.ADDING_PL, 1, agents=[any_legal, "simple", "random"]).plan.names[:2] == ("any_legal", "simple")


def test_results_and_plans_can_be_pickled(tricks: Survey, nine: Comparison) -> None:
    for result in (tricks, nine, survey(kit.ADDING_PL, 8, agents=any_legal)):
        assert pickle.loads(pickle.dumps(result.plan)) == result.plan
        copy = pickle.loads(pickle.dumps(result))
        assert type(copy) is type(result)
        assert (copy.tally, copy.versions, str(copy)) == (result.tally, result.versions, str(result))


# What cannot be played, and which way is taken


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"games": 0}, "games must be a whole number from 1 up, such as 20_000, not 0"),
        ({"games": -5}, "games must be a whole number"),
        ({"games": 2.5}, "games must be a whole number"),
        ({"games": True}, "games must be a whole number"),
        ({"games": "many"}, "games must be a whole number"),
        ({"seed": None}, "a seed is a whole number or a text, not None"),
        ({"players": 7}, "adding-ru: is not for 7 players; allowed: 2, 3, 4, 5"),
        ({"players": "3"}, "adding-ru: players must be a whole number, not '3'"),
        ({"agents": "clever"}, "no agent 'clever'; there are: random, first, simple, greedy, or give a function"),
        ({"agents": None}, "no agent None; there are"),
        ({"agents": ["simple"]}, "1 agents for 3 seats"),
        ({"agents": {0: "simple"}}, "1 agents for 3 seats"),
        ({"agents": {0: "simple", 3: "simple"}}, "no seat 3 for an agent"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(given: dict[str, Any], reason: str) -> None:
    for rules in ([kit.ADDING_RU], [kit.ADDING_RU, NINE]):
        with pytest.raises(ValueError) as refused:
            (survey if len(rules) == 1 else compare)(*rules, **given)  # type: ignore[operator]
        assert str(refused.value).startswith(reason)


def test_what_is_no_rules_is_refused_in_words() -> None:
    for call in (lambda: survey("adding-ru"), lambda: compare(kit.ADDING_RU, "adding-pl")):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"is not rules: take one of kit\.PRESETS"):
            call()


def test_games_that_no_number_of_players_can_both_play_are_refused() -> None:
    with pytest.raises(ValueError, match="is not for 3 players; allowed: 2"):
        compare(kit.TRICKS_RU, SEVENTEEN)


def test_a_deal_without_end_is_refused_with_the_name_of_the_rules_in_both_ways_of_playing(monkeypatch: Any) -> None:
    monkeypatch.setattr(play, "MAX_ACTIONS", 200)
    monkeypatch.setattr("ninety_nine_kit.batch.adding.MAX_LAYS", 200)
    for agents in ("random", any_legal):
        with pytest.raises(ValueError, match=r"^nothing: a (deal|round) went on for 200 "):
            survey(NOTHING, 1, agents=agents)
        with pytest.raises(ValueError, match=r"^nothing: a (deal|round) went on for 200 "):
            compare(kit.ADDING_PL, NOTHING, 1, agents=agents)


def test_an_error_in_an_agent_comes_through() -> None:
    with pytest.raises(KeyError, match="my own mistake"):
        survey(kit.ADDING_PL, 1, agents=broken)


def test_an_agent_can_be_any_callable() -> None:
    class Agent:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, view: Any, rng: Any) -> Any:
            return view.legal_actions()[0]

    assert survey(kit.ADDING_PL, 8, agents=Agent()).tally == survey(kit.ADDING_PL, 8, agents=[Agent()] * 3).tally


def way(*games: Any, agents: Any = "simple") -> tuple[bool, int]:
    plan = make_plan(games, None, None, agents, 1)
    return plan.in_arrays, plan.deals


def test_arrays_are_taken_for_named_agents_and_rules_that_they_know() -> None:
    many, few = (True, 20_000), (False, 100)
    for name in kit.AGENTS:
        assert way(kit.TRICKS_RU, agents=name) == way(kit.ADDING_RU, NINE, agents=[name] * 3) == many
    assert way(kit.TRICKS_RU, agents=kit.AGENTS["simple"]) == many  # known by name all the same
    for agents in (any_legal, ["simple", "simple", any_legal]):
        assert way(kit.TRICKS_RU, agents=agents) == few
    assert way(SEVENTEEN) == way(SEVENTEEN, replace(SEVENTEEN, target=50)) == few
    assert survey(kit.ADDING_PL).games == 20_000
    assert survey(kit.ADDING_PL, agents=any_legal).games == 100
    assert survey(SEVENTEEN, 2).games == 2


def test_it_is_said_why_deals_are_played_one_by_one() -> None:
    told = "They were played one after another, since {}. Thousands would take long."
    own = told.format("there are agents that are functions of your own")
    hands = told.format(f"{SEVENTEEN.name}: batch plays hands of up to 16 cards, not hand_size 17")
    assert sentences(survey(kit.ADDING_PL, 2, agents=any_legal))[1] == own
    assert sentences(survey(SEVENTEEN, 2))[1] == hands
    assert "one after another" not in str(survey(kit.ADDING_PL, 2))


def test_without_numpy_deals_are_played_one_by_one(monkeypatch: Any) -> None:
    same = survey(kit.ADDING_PL, 40, agents=any_legal)
    for name in [name for name in sys.modules if name.startswith("ninety_nine_kit.batch")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(kit, "batch")
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert way(kit.ADDING_PL) == (False, 100)
    surveyed = survey(kit.ADDING_PL, 40, agents="random")
    assert surveyed.tally == same.tally
    assert "since numpy is not installed." in str(surveyed)


def test_three_play_where_they_may_else_the_fewest_that_all_games_allow() -> None:
    four, more = replace(kit.ADDING_RU, players=(5, 4)), replace(kit.ADDING_RU, players=(2, 5))
    for games, players in (([kit.ADDING_RU], 3), ([four], 4), ([four, kit.ADDING_RU], 4), ([four, more], 5)):
        assert make_plan(games, None, None, "random", 1).players == players


def test_importing_it_loads_none_of_the_packages_that_it_can_do_without() -> None:
    code = (
        "import ninety_nine_kit.experiment, sys;"
        "assert not {'numpy', 'matplotlib', 'pandas', 'tqdm'} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# What ends early, and what is shown meanwhile


@pytest.fixture
def stop_after(monkeypatch: Any) -> Callable[[int], None]:
    """Interrupts the play as a stop button does, after so many blocks; blocks in arrays are small."""
    monkeypatch.setattr(batch, "BLOCK", 128)
    played = Plan.play

    def stop(blocks: int) -> None:
        def play(plan: Plan, number: int, *more: int) -> Tally:
            if number == blocks:
                raise KeyboardInterrupt
            return played(plan, number, *more)

        monkeypatch.setattr(Plan, "play", play)

    return stop


@pytest.mark.parametrize("agents, done", [("random", 256), (any_legal, 64)], ids=["in arrays", "one by one"])
@pytest.mark.parametrize("rules", [[kit.TRICKS_FR], [kit.ADDING_RU, NINE]], ids=["a survey", "a comparison"])
def test_a_stop_keeps_what_was_done(rules: Any, agents: Any, done: int, stop_after: Callable[[int], None]) -> None:
    again = survey if len(rules) == 1 else compare
    whole = again(*rules, games=done, agents=agents)
    stop_after(2)
    stopped = again(*rules, games=400, agents=agents)
    assert (stopped.games, stopped.ended, stopped.plan.deals) == (done, "stopped", 400)
    assert f"It ended early, after {done} of 400 deals: stopped." in sentences(stopped)
    assert stopped.tally == whole.tally
    assert "It ended early" not in str(whole)


def test_a_stop_before_anything_is_done_comes_through(stop_after: Callable[[int], None]) -> None:
    stop_after(0)
    with pytest.raises(KeyboardInterrupt):
        survey(kit.TRICKS_FR, 400)


def test_a_bar_shows_itself_after_two_seconds(monkeypatch: Any) -> None:
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    with run.progress(1234) as bar:
        assert (bar.total, bar.delay, bar.leave, bar.disable) == (1234, 2, False, False)
    monkeypatch.setenv("TQDM_DISABLE", "1")
    with run.progress(1234) as bar:
        assert bar.disable


def test_there_is_no_bar_without_tqdm(monkeypatch: Any) -> None:
    for name in ("tqdm", "tqdm.auto"):
        monkeypatch.setitem(sys.modules, name, None)
    with run.progress(1234) as bar:
        assert bar is None
    assert survey(kit.ADDING_PL, 40, agents=any_legal).games == 40


def test_a_bar_is_told_of_every_block(monkeypatch: Any) -> None:
    bar = Bar(lambda: None)
    monkeypatch.setattr(run, "progress", bar)
    survey(kit.ADDING_PL, 80, agents=any_legal)
    assert (bar.done, bar.updates) == (80, 3)
