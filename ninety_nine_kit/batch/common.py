"""What both families share when many tables play at once: cards as numbers, chance, views, and how seats are asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ninety_nine_kit.card import Card, Mistake, Rank, Suit

Array = NDArray[Any]

#: Deals that one table plays in a row at most, with the dealer moving on.
ROUNDS = 8

#: A card's number has its suit above the lowest four bits and its rank in them, so numbers sort as `card_order` does.
RANKS, EMPTY, NUMBERS = 16, 63, 64
NUMBER = {
    Card(rank, suit): place * RANKS + number for place, suit in enumerate(Suit) for number, rank in enumerate(Rank)
}
CARDS = {number: card for card, number in NUMBER.items()}


class Chance:
    """All that is random at the tables of one block, from the seed and the block's number alone.

    The packs have a generator of their own: they are the same whatever the rules do with them.
    """

    def __init__(self, seed: int | str, block: int, tables: int, rounds: int = ROUNDS) -> None:
        self._tables, self.rounds = tables, rounds
        keys = {name: sha256(f"{seed}/{block}/{name}".encode()).digest() for name in ("packs", "choices", "refills")}
        self._bits = {name: np.random.SFC64(int.from_bytes(key)) for name, key in keys.items()}

    def _draw(self, name: str, count: int, bits: int = 32) -> Array:
        """So many random whole numbers. Raw ones are those that numpy promises never to change."""
        drawn = self._bits[name].random_raw(-(-count * bits // 64))
        return np.asarray(drawn, "<u8").view(f"<u{bits // 8}")[:count]

    def packs(self, pack: Array) -> Array:
        """Shuffled packs as (round, table, card)."""
        shuffled = np.empty((self.rounds, self._tables, len(pack)), np.uint8)
        for part in shuffled:
            part[:] = self._sorted("packs", np.broadcast_to(pack, part.shape))  # keeps the lowest eight bits
        return shuffled

    def refills(self, cards: Array, lanes: Array) -> Array:
        """Each row in a new order, with EMPTY, which it may hold at its end, still there."""
        return self._sorted("refills", cards).astype(np.uint8)

    def _sorted(self, name: str, cards: Array) -> Array:
        """Sorts numbers that are random but for the card in their lowest eight bits, and the highest for no card."""
        keys = self._draw(name, cards.size).reshape(cards.shape)
        keys &= np.uint32(0x7FFFFF00)
        keys |= cards
        if name == "refills":
            keys[cards == EMPTY] |= np.uint32(0x80000000)
        keys.sort(axis=1)
        return keys

    def below(self, choices: Array, lanes: Array) -> Array:
        """A number from 0 up for each lane, below its number of choices.

        None is likelier than another by more than one in 2³²; of few choices, counted in bytes, one in 2¹⁶.
        """
        bits = 16 if choices.dtype == np.uint8 else 32
        drawn = self._draw("choices", self._tables, bits)
        if len(lanes) < self._tables:
            drawn = drawn.take(lanes)
        product = drawn.astype(f"u{bits // 4}")
        product *= choices.astype(product.dtype)
        product >>= product.dtype.type(bits)
        return product.view(f"i{bits // 4}")


@dataclass(eq=False, kw_only=True)
class View:
    """What the seats to act may see, in many games at once; every array has a place for each game (its *lane*).

    `phase` is that of the clear engine, `lanes` the numbers of the tables, `seats` who is to act. `choices` is how
    many legal actions there are; they are numbered from 0 in the order of `legal_actions()`.
    """

    phase: str
    lanes: Array
    choices: Array
    _seats: Callable[[], Array]
    _hand: Callable[[], Array]

    @cached_property
    def seats(self) -> Array:
        return self._seats()

    @cached_property
    def hand(self) -> Array:
        """The cards held, as (place, lane), sorted; EMPTY where there is none."""
        return self._hand()


Policy = Callable[[Any, Chance], Array]


class Seats:
    """Asks the policy of the seat to act; policies by seat."""

    def __init__(self, policies: Sequence[Policy], chance: Chance, trusted: Sequence[Policy]) -> None:
        self._distinct = list(dict.fromkeys(policies))
        self._which = np.array([self._distinct.index(policy) for policy in policies])
        self._chance, self._trusted = chance, trusted

    def ask(self, view: View) -> Array:
        """The numbers of the actions chosen."""
        answers = [self._answer(policy, view) for policy in self._distinct]
        if len(answers) == 1:
            return answers[0]
        which = self._which.take(view.seats)
        chosen = answers[0]
        for number, answer in enumerate(answers[1:], 1):
            chosen = np.where(which == number, answer, chosen)
        return chosen

    def _answer(self, policy: Policy, view: View) -> Array:
        if policy in self._trusted:
            return policy(view, self._chance)
        # what others write into a view must not change the game
        seen = {
            name: value.copy() for name, value in [*vars(view).items(), ("hand", view.hand)] if hasattr(value, "copy")
        }
        vars(view).update(seen)
        given = np.asarray(policy(view, self._chance))
        fits = given.shape == view.choices.shape and given.dtype.kind in "iu"
        if not fits or (given < 0).any() or (given >= view.choices).any():
            name = getattr(policy, "__name__", type(policy).__name__)
            raise Mistake(f"the policy {name} must give a whole number below view.choices for each lane")
        return given.astype(np.intp)


def sort_rows(rows: Array) -> Array:
    """The rows so that each column is sorted: few rows of many columns, by Batcher's exchange of whole rows."""
    sorted_rows = list(rows)
    for low, high in _exchanges(len(rows)):
        least = np.minimum(sorted_rows[low], sorted_rows[high])
        sorted_rows[high] = np.maximum(sorted_rows[low], sorted_rows[high])
        sorted_rows[low] = least
    return np.stack(sorted_rows)


@lru_cache(maxsize=32)
def _exchanges(count: int) -> tuple[tuple[int, int], ...]:
    """Which two of so many are to be put in order, one pair after another (Knuth 5.2.2, algorithm M)."""
    pairs, top = [], 1 << max(count - 1, 1).bit_length() - 1
    width = top
    while width:
        distance, reach, rest = width, top, 0
        while True:
            pairs += [(low, low + distance) for low in range(count - distance) if low & width == rest]
            if reach == width:
                break
            distance, reach, rest = reach - width, reach // 2, width
        width //= 2
    return tuple(pairs)


def find(counts: Array, number: Array) -> tuple[Array, Array]:
    """In which row, from the top, thing number so-and-so of a lane is, and how many of that row come before it."""
    rest, row, passed = number.astype(np.uint16), np.zeros(number.shape, np.uint16), np.zeros(number.shape, np.uint16)
    total = np.zeros(number.shape, np.uint16)
    for count in counts[:-1]:
        total += count
        beyond = rest >= total
        row += beyond
        passed = np.maximum(passed, total * beyond)
    return row.astype(np.int32), rest - passed
