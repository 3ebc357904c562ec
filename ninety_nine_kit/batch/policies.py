"""Players as functions over arrays: those that `agents` has for one game, choosing alike."""

from functools import lru_cache
from typing import Any

import numpy as np

from ninety_nine_kit.batch.common import CARDS, NUMBER, NUMBERS, RANKS, Array, Chance, Policy, View
from ninety_nine_kit.batch.lays import LayBook, pair_kind
from ninety_nine_kit.batch.tricks import NO_TRUMP, SUITS, TrickView
from ninety_nine_kit.card import STRENGTH
from ninety_nine_kit.rules import TrickRules


def random_policy(view: View, chance: Chance) -> Array:
    """Any legal action, all equally likely."""
    return chance.below(view.choices, view.lanes)


def first_policy(view: View, chance: Chance) -> Array:
    """The first legal action."""
    return np.zeros(len(view.lanes), np.intp)


def simple_policy(view: Any, chance: Chance) -> Array:
    """A beginner with sense: at tricks bids what the hand is worth, in adding keeps what is always safe."""
    match view.phase:
        case "bid":
            strength = _strengths(view.rules).take(view.trump * NUMBERS + view.hand)
            worth = 100 * _spelt(view.rules).take(view.hand) + strength
            return _least(view.ways, worth, strength.sum(axis=0))
        case "announce":
            return first_policy(view, chance)
        case "give":
            return _first_highest(_burdens(view.book).take(view.hand), view.bits)
        case _ if isinstance(view, TrickView):
            return _simple_card(view)
    return _highest_lay(view, simple_ranks(view.book))


def greedy_policy(view: Any, chance: Chance) -> Array:
    """Takes as much as it can at once: the highest bid, premium and card, the lay that makes the highest total."""
    match view.phase:
        case "bid":
            spelt = _spelt(view.rules)
            return _least(view.ways, spelt.take(view.hand), np.full(len(view.lanes), len(view.ways[0]) * spelt.max()))
        case "announce":
            return view.choices.astype(np.intp) - 1  # type: ignore[no-any-return]
        case "give":
            return first_policy(view, chance)
        case _ if isinstance(view, TrickView):
            return _first_highest(_ranks(view.rules).take(view.hand), _legal(view))
    return _highest_lay(view, greedy_ranks(view.book))


POLICIES: dict[str, Policy] = {
    "random": random_policy,
    "first": first_policy,
    "simple": simple_policy,
    "greedy": greedy_policy,
}


@lru_cache(maxsize=8)
def _spelt(rules: TrickRules) -> Array:
    """What a card says in a bid, by its number."""
    return np.array([rules.bid_values[CARDS[n].suit] if n in CARDS else 0 for n in range(NUMBERS)])


@lru_cache(maxsize=8)
def _ranks(rules: TrickRules) -> Array:
    """How high a card is, by its number."""
    return np.array([rules.ranks.index(CARDS[n].rank) if _plays(rules, n) else -1 for n in range(NUMBERS)])


def _plays(rules: TrickRules, number: int) -> bool:
    return number in CARDS and CARDS[number].rank in rules.ranks


@lru_cache(maxsize=8)
def _strengths(rules: TrickRules) -> Array:
    """In how many of a hundred tricks a card wins: trump × NUMBERS + card."""
    table = np.zeros((NO_TRUMP + 1, NUMBERS), np.int64)
    for number in filter(lambda number: _plays(rules, number), range(NUMBERS)):
        below_top = len(rules.ranks) - 1 - _ranks(rules)[number]
        strength = STRENGTH[below_top] if below_top < len(STRENGTH) else 5
        table[:, number] = strength
        table[SUITS.index(CARDS[number].suit), number] = min(strength + 35, 100)
    return table.ravel()


def _least(ways: Array, worth: Array, target: Array) -> Array:
    """The first of the ways to bid whose cards' worth in all is nearest to the target."""
    best = None
    for number, places in enumerate(ways):
        key = abs(sum(worth[place] for place in places) - target) * len(ways) + number
        best = key if best is None else np.minimum(best, key)
    assert best is not None
    return best % len(ways)  # type: ignore[no-any-return]


def _legal(view: TrickView) -> Array:
    """1 for each place in the hand that may be played."""
    assert view.legal is not None
    return view.legal >> np.arange(len(view.hand), dtype=np.uint16)[:, None] & 1


def _first_highest(worth: Array, legal: Array) -> Array:
    """The number, among the legal ones, of the first with the highest worth."""
    best, chosen, number = np.full(worth.shape[1], worth.min() - 1), np.zeros(worth.shape[1], np.intp), 0
    for value, may in zip(worth, legal, strict=True):
        better = (may != 0) & (value > best)
        best, chosen = np.where(better, value, best), np.where(better, number, chosen)
        number = number + may.astype(np.intp)
    return chosen


def _simple_card(view: TrickView) -> Array:
    """Takes the trick while tricks are needed, else not: as late and as cheaply, or as dearly, as may be."""
    legal, takes = _legal(view) != 0, view.takes
    # in order of strength, and equal ones as they stand in the hand
    order = _strengths(view.rules).take(view.trump * NUMBERS + view.hand) * NUMBERS + np.arange(len(view.hand))[:, None]
    low = -order
    want = view.wanted > 0
    if view.leads:
        worth = np.where(want, order, low)
        return _first_highest(worth, legal)
    taking = low if view.last else order
    # what is asked for comes first; where there is none of it the lowest card goes
    asked = np.where(want, takes, ~takes)
    worth = np.where(asked, np.where(want, taking, order) + ABOVE, low)
    return _first_highest(worth, legal)


ABOVE = 1 << 20


def _highest_lay(view: Any, ranks: Array) -> Array:
    """The number of the first legal lay with the highest rank; ranks are above 0."""
    width, columns = view.book.width, len(view.book.before)
    best, chosen, number = (np.zeros(len(view.lanes), np.int32) for _ in range(3))
    for kinds, bits in zip(view.kinds, view.bits, strict=True):
        at = kinds * np.int32(width * columns) + view.column
        for effect in range(width):
            may = bits >> effect & 1
            rank = ranks.take(at + effect * columns) * may
            chosen = np.where(rank > best, number, chosen)
            best = np.maximum(best, rank)
            number = number + may
    return chosen


def _burdens(book: LayBook) -> Array:
    """What each card in hand costs when the deal ends; positive is bad."""
    return book.penalty if book.rules.objective == "low" else -book.penalty


@lru_cache(maxsize=8)
def simple_ranks(book: LayBook) -> Array:
    """How a simple player ranks each lay from each total: points first, then keeping what is safe, then the total."""
    rules, after, effects = book.rules, book.after, np.arange(book.width)
    near = np.zeros(after.shape, np.int64)
    for milestone in rules.milestones:
        near += milestone.points * ((after <= milestone.at) & (milestone.at < after + 10))
    always: Array = book.new_total(np.array(rules.limit), book.lays).reshape(book.kinds, -1) <= rules.limit
    safe = (always & (book.exists[:, None] >> effects & 1)).any(axis=1)
    burden, kept = np.zeros((2, book.kinds), np.int64)
    for low in NUMBER.values():
        together = [(pair_kind(low, high), (low, high)) for high in NUMBER.values() if high % RANKS == low % RANKS]
        for kind, cards in [(low, (low,)), *together]:
            burden[kind] = sum(_burdens(book)[card] for card in cards)
            kept[kind] = sum(safe[card] for card in cards)
    gain = 4 * (book.own - book.others) - 2 * near  # in quarters of a point
    gain = (-gain if rules.objective == "low" else gain) + np.repeat(burden, book.width)[:, None]
    return _ranked(_within(book), gain, np.repeat(-kept, book.width)[:, None] + 0 * after, after)


@lru_cache(maxsize=8)
def greedy_ranks(book: LayBook) -> Array:
    """How a greedy player ranks each lay from each total: what keeps to the limit, then the total."""
    return _ranked(_within(book), book.after)


def _within(book: LayBook) -> Array:
    return (book.after <= book.rules.limit) | (book.rules.over_limit == "allowed")


def _ranked(*keys: Array) -> Array:
    """A number for each place, the greater the greater the first key, the next where that is equal, and so on."""
    flat = [key.ravel() for key in keys]
    order = np.lexsort(flat[::-1])
    steps = np.logical_or.reduce([np.diff(key[order].astype(np.int64), prepend=0) != 0 for key in flat])
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.cumsum(steps) + 1
    return ranks
