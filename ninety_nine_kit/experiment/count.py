"""What is counted in every deal, and sums of it that any number of blocks add up to the same."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import lcm
from typing import Any, NamedTuple

from ninety_nine_kit.rules import AddingRules, Rules, TrickRules

#: What is measured (a word for the programmer) and of what: a place in turn, a seat, a bid …
Key = tuple[str, Any]


class Deal(NamedTuple):
    """One deal, or many at once: then each number is an array. What is by seat is a sequence.

    `turn` is 1 where the first to act is followed by the next clockwise. The rest is as in `batch.Deals`.
    """

    first: Any
    turn: int
    points: Sequence[Any]
    best: Sequence[Any]
    lengths: Any
    turns: Any
    choices: Any
    won: Sequence[Any] = ()
    bids: Sequence[Any] = ()
    open_bids: Any = 0


def measured(rules: Rules, deal: Deal, by_seat: bool) -> Iterator[tuple[Key, Any, Any]]:
    """Every key with two numbers for a deal; their sums over all deals make a ratio, which is the measure."""
    players = len(deal.points)
    seats, whole = range(players), lcm(*range(1, players + 1))
    part = whole // sum(deal.best)  # a deal that is shared counts in parts
    best = "lost" if has_loser(rules) else "won"
    for place in seats:
        here = [(deal.first + deal.turn * place) % players == seat for seat in seats]
        yield (best, place), sum(is_here * best for is_here, best in zip(here, deal.best, strict=True)) * part, whole
        if rules.counts_points:
            points = sum(is_here * points for is_here, points in zip(here, deal.points, strict=True))
            yield ("points", place), points, 1
    for seat in seats if by_seat else ():
        yield (f"{best} by seat", seat), deal.best[seat] * part, whole
    if isinstance(rules, AddingRules):
        yield ("length", None), deal.lengths, 1
    elif rules.bid_cards:
        yield from _bids(rules, deal)
    yield ("choice", None), deal.choices, deal.turns


def _bids(rules: TrickRules, deal: Deal) -> Iterator[tuple[Key, Any, Any]]:
    made = [(won == bid) * 1 for won, bid in zip(deal.won, deal.bids, strict=True)]
    yield ("bid", None), sum(made), len(made)
    for value in possible_bids(rules):
        such = [(bid == value) * 1 for bid in deal.bids]
        yield ("bid", value), sum(one * hit for one, hit in zip(such, made, strict=True)), sum(such)
    for premium in rules.premiums:
        gained = [hit * premium.made + (1 - hit) * premium.failed for hit in made]
        yield ("premium", premium.name), sum(gained), len(made)
    yield ("last trick", None), (deal.open_bids > 0) * 1, 1


def has_loser(rules: Rules) -> bool:
    """Whether a deal has a loser rather than a winner."""
    return isinstance(rules, AddingRules) and rules.over_limit == "deal over"


def possible_bids(rules: TrickRules) -> list[int]:
    ways = combinations_with_replacement(rules.bid_values.values(), rules.bid_cards)
    return sorted({sum(way) for way in ways})


class Sums(NamedTuple):
    """Sums over deals of some numbers x: of each, and of the product of each two of them, in the order of `pairs`."""

    single: tuple[int, ...]
    double: tuple[int, ...]

    @classmethod
    def of(cls, numbers: Sequence[Any], deals: int) -> "Sums":
        """`numbers` are arrays, or whole numbers that stand for the same number in every deal."""
        wide = [number if isinstance(number, int) else number.astype("int64") for number in numbers]
        single = [number * deals if isinstance(number, int) else int(number.sum()) for number in wide]
        return cls(tuple(single), tuple(_product(wide, single, deals, i, j) for i, j in pairs(len(wide))))

    def plus(self, other: "Sums") -> "Sums":
        return Sums(_add(self.single, other.single), _add(self.double, other.double))


def pairs(count: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(count) for j in range(i, count)]


def _product(numbers: Sequence[Any], single: Sequence[int], deals: int, i: int, j: int) -> int:
    one, two = numbers[i], numbers[j]
    if isinstance(one, int):
        return one * single[j]
    if isinstance(two, int):
        return two * single[i]
    return int(one @ two)


def _add(one: Sequence[int], two: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, two, strict=True))


@dataclass
class Tally:
    """All that is kept of any number of deals: sums, and how often each length came (of one game, or of two)."""

    deals: int = 0
    sums: dict[Key, Sums] = field(default_factory=dict)
    lengths: Counter[tuple[int, ...]] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.deals += other.deals
        self.lengths += other.lengths
        for key, sums in other.sums.items():
            self.sums[key] = self.sums[key].plus(sums) if key in self.sums else sums

    @classmethod
    def of(cls, games: Sequence[tuple[Rules, Deal]], deals: int, by_seat: bool) -> "Tally":
        """Counts the same deals of one game, or of two; of two only what both have is set side by side.

        With one deal alone the numbers may be plain ones.
        """
        columns: list[Mapping[Key, tuple[Any, Any]]] = [
            {key: (above, below) for key, above, below in measured(rules, deal, by_seat)} for rules, deal in games
        ]
        empty = (0, 0)
        keys = dict.fromkeys(key for column in columns for key in column)
        sums = {key: Sums.of([n for column in columns for n in column.get(key, empty)], deals) for key in keys}
        return cls(deals, sums, Counter(zip(*(_listed(deal.lengths) for _, deal in games), strict=True)))


def _listed(numbers: Any) -> list[int]:
    return [numbers] if isinstance(numbers, int) else list(numbers.tolist())
