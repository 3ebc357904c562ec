"""What every lay of an adding game does, as arrays: one row for each effect, one column for each total before it."""

from functools import lru_cache
from typing import Any

import numpy as np

from ninety_nine_kit.batch.common import CARDS, NUMBER, NUMBERS, RANKS, Array
from ninety_nine_kit.card import Rank, Suit
from ninety_nine_kit.rules import AddingRules, Effect

PAIRS = NUMBERS  # above the cards' numbers there are those of two cards of a rank, and last that of no pair
NO_PAIR = PAIRS + len(Rank) * len(Suit) ** 2
MOST_ROWS, MOST_TOTALS, MOST_CARDS = 8, 10_000, 520


def refuse(rules: AddingRules) -> None:
    """Says by name what is too large for the tables of numbers here."""
    rows = {str(key): len(rows) for key, rows in [*rules.effects.items(), *rules.pairs.items()]}
    most = max(rows, key=lambda key: rows[key])
    rules.need(
        rows[most] <= MOST_ROWS, f"batch knows up to {MOST_ROWS} effects to choose from; {most} has {rows[most]}"
    )
    size = max(len(rules.pack(players)) for players in rules.players)
    rules.need(size <= MOST_CARDS, f"batch plays with up to {MOST_CARDS} cards, and packs gives {size}")
    span = rules.limit - lowest_total(rules)
    rules.need(span <= MOST_TOTALS, f"batch knows up to {MOST_TOTALS} totals; limit and effects here span {span}")


def lowest_total(rules: AddingRules) -> int:
    """A total below which all totals are alike: no lay leads from there to a border, to 0 or to the limit."""
    rows = _effects(rules)
    special = [0, rules.start, rules.limit, *(row.set_to or 0 for row in rows), *(m.at for m in rules.milestones)]
    return min(special) - 2 * max(abs(row.add) for row in rows) - 20


def _effects(rules: AddingRules) -> list[Effect]:
    return [row for rows in [*rules.effects.values(), *rules.pairs.values()] for row in rows]


def pair_kind(low: Any, high: Any) -> Any:
    """The kind of two cards of one rank, from their numbers."""
    return PAIRS + low % RANKS * np.uint16(RANKS) + low // RANKS * len(Suit) + high // RANKS


@lru_cache(maxsize=8)
def lay_book(rules: AddingRules, players: int) -> "LayBook":
    return LayBook(rules, players)


class LayBook:
    """The rules of an adding game as arrays.

    A *kind* is a card's number, or that of a pair; a *lay* is kind × width + number of its effect. Columns stand for
    totals from `lowest` up to the limit, so that column 0 is also all that is lower.
    """

    def __init__(self, rules: AddingRules, players: int) -> None:
        refuse(rules)
        self.rules, self.players, self.lowest = rules, players, lowest_total(rules)
        rows: dict[int, tuple[Effect, ...]] = {number: rules.rows((card,)) for number, card in CARDS.items()}
        for low, high in (
            (low, high) for low in NUMBER.values() for high in NUMBER.values() if low % RANKS == high % RANKS
        ):
            rows[pair_kind(low, high)] = rules.rows((CARDS[low], CARDS[high]))
        self.width = max(map(len, rows.values()))
        self.kinds = NO_PAIR + 1
        names = {"plus": "add", "reverse": "reverse", "skip": "skip", "exchange": "exchange"}
        table = {
            name: np.zeros(self.kinds * self.width, np.int32) for name in (*names, "keep", "own", "levy", "border")
        }
        self.exists, self.lays = np.zeros(self.kinds, np.uint8), np.arange(self.kinds * self.width)
        for kind, effects in rows.items():
            self.exists[kind] = (1 << len(effects)) - 1
            for number, effect in enumerate(effects):
                lay = kind * self.width + number
                for name, field in names.items():
                    table[name][lay] = getattr(effect, field)
                table["keep"][lay] = effect.set_to is None
                table["plus"][lay] += effect.set_to or 0
                table["own"][lay], table["levy"][lay] = effect.on_cross, effect.levy
                table["border"][lay] = not effect.instead
        self.keep, self.plus, self.skip = table["keep"], table["plus"], table["skip"]
        self.turn, self.exchange = 1 - 2 * table["reverse"], table["exchange"] > 0
        self.reverses, self.exchanges, self.skips = (table[name].any() for name in ("reverse", "exchange", "skip"))
        self.penalty = np.zeros(NUMBERS, np.int32)
        for card, points in rules.penalties.items():
            self.penalty[NUMBER[card]] = points
        self._make_columns(table)

    def _make_columns(self, table: dict[str, Array]) -> None:
        """After each lay, from each total: the new total, whether it is safe, and what crossing borders brings."""
        rules = self.rules
        self.before = np.arange(self.lowest, rules.limit + 1, dtype=np.int32)
        self.after = self.new_total(self.before, self.lays[:, None])
        low, high = np.minimum(self.before, self.after), np.maximum(self.before, self.after)
        counts = (self.before < self.after) | rules.milestones_down
        crossed = [(low <= m.at) & (m.at < high) & counts for m in rules.milestones]
        points = sum((m.points * over for m, over in zip(rules.milestones, crossed, strict=True)), 0 * self.after)
        crosses = np.logical_or.reduce(crossed) if crossed else np.zeros(self.after.shape, bool)
        levied = crosses * table["levy"][:, None]
        self.others = -levied
        self.own = points * table["border"][:, None] + crosses * table["own"][:, None] + levied * (self.players - 1)
        bits = self.is_safe(self.after).reshape(self.kinds, self.width, -1)
        bits = (bits << np.arange(self.width)[:, None]).sum(axis=1).astype(np.uint8)
        self.safe_bits = (bits & self.exists[:, None]).ravel()

    def new_total(self, total: Array, lay: Array) -> Array:
        """The total after a lay, place by place."""
        after: Array = total * self.keep.take(lay) + self.plus.take(lay)
        return np.maximum(after, 0) if self.rules.floor == "clamp" else after

    def is_safe(self, total: Array) -> Array:
        rules = self.rules
        safe: Array = np.ones(total.shape, bool) if rules.over_limit == "allowed" else total <= rules.limit
        return safe & (total >= 0) if rules.floor == "forbid" else safe

    def column(self, total: Array) -> Array:
        column: Array = np.maximum(total - self.lowest, 0)
        return column


def bits_of_bytes() -> Array:
    """For each byte, where its bits are: byte × 8 + number of the bit → place."""
    table = np.zeros((256, 8), np.int32)
    for byte in range(256):
        places = [place for place in range(8) if byte >> place & 1]
        table[byte, : len(places)] = places
    return table.ravel()


def seats_after(players: int) -> Array:
    """The next seat that is in: (bits of the seats that are in × 2 + whether turned) × players + seat → seat."""
    table = np.zeros((1 << players, 2, players), np.int32)
    for alive in range(1, 1 << players):
        for turned, step in enumerate((1, -1)):
            for seat in range(players):
                ahead = ((seat + step * far) % players for far in range(1, players + 1))
                table[alive, turned, seat] = next(other for other in ahead if alive >> other & 1)
    return table.ravel()
