"""The trick-taking game at many tables in lock-step: a hand is a row of sorted cards and a mask of those still held."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from ninety_nine_kit.batch.common import NUMBER, NUMBERS, RANKS, Array, Chance, Seats, View, sort_rows
from ninety_nine_kit.card import Rank, Suit
from ninety_nine_kit.rules import TrickRules

SUITS = list(Suit)
NO_TRUMP = len(SUITS)
LARGEST_HAND, MOST_BIDS = 16, 5_000
ONE, NOTHING = np.uint16(1), np.zeros(0, np.uint16)
TRUMP, SUIT_BITS = 64, 48  # a card's power is its number, ranks in their order, with one bit more for trump


def refuse(rules: TrickRules) -> None:
    """Says by name what is too large for the tables of numbers here."""
    size, bid = rules.hand_size, rules.bid_cards
    rules.need(size <= LARGEST_HAND, f"batch plays hands of up to {LARGEST_HAND} cards, not hand_size {size}")
    ways = comb(size, bid)
    rules.need(ways <= MOST_BIDS, f"batch knows up to {MOST_BIDS} ways to bid, and bid_cards {bid} gives {ways}")


def trump_number(suit: Suit | None) -> int:
    return NO_TRUMP if suit is None else SUITS.index(suit)


@dataclass(eq=False, kw_only=True)
class TrickView(View):
    """A view of the trick-taking game; `hand` holds the cards dealt, laid aside or not.

    `trump` is 0 to 3 in the order ♣♦♥♠, or 4. To bid: `ways` are the bids to choose from as places in the hand (bid,
    card). To play: `legal` has a bit for each place in the hand, `wanted` says how many tricks are still missing to
    the bid (1 where there are no bids), `leads` and `last` tell the place in the trick.
    """

    rules: TrickRules
    trump: Array
    ways: Array | None = None
    legal: Array | None = None
    leads: bool = False
    last: bool = False
    _wanted: Callable[[], Array] = lambda: NOTHING
    _takes: Callable[[Array], Array] = lambda hand: NOTHING

    @cached_property
    def wanted(self) -> Array:
        return self._wanted()

    @cached_property
    def takes(self) -> Array:
        """Whether each card of the hand would be the best in the trick so far, as (place, lane)."""
        return self._takes(self.hand)


class TrickGame:
    """Plays as many deals in a row at each table as `chance` has rounds.

    Places in turn, from the eldest on, stand for seats until the result.
    What belongs to a hand has a row of its own: its place × tables + its table.
    """

    def __init__(self, rules: TrickRules, players: int, seats: Seats, chance: Chance, tables: int, first: int) -> None:
        refuse(rules)
        self.rules, self.players, self.seats, self.size = rules, players, seats, rules.hand_size
        self.tables, self.rounds, self.lanes = tables, chance.rounds, np.arange(tables)
        self.first = first + self.lanes
        self.packs = chance.packs(np.array([NUMBER[card] for card in rules.pack(players)], np.uint8))
        self._make_tables()
        self.trump = np.full(tables, trump_number(rules.first_trump))
        self.scores = np.zeros((players, tables), np.int64)
        self.dealt = np.zeros(tables, np.int64)

    def _make_tables(self) -> None:
        """The rules as arrays by the number of a card, of a mask, of a bid."""
        rules, players = self.rules, self.players
        self.spells, self.power = np.zeros(NUMBERS, np.int32), np.zeros(NUMBERS, np.uint8)
        for card in rules.pack(players):
            number = NUMBER[card]
            self.spells[number] = rules.bid_values[card.suit]
            self.power[number] = number - number % RANKS + rules.ranks.index(card.rank)
        ways = list(combinations(range(self.size), rules.bid_cards))
        self.ways = np.array(ways, np.intp).reshape(len(ways), rules.bid_cards)
        self.way_places, self.way_masks = self.ways.T.copy(), (1 << self.ways).sum(axis=1).astype(np.uint16)
        self.select = _nth_bits(self.size).ravel()
        self.next_row = np.roll(np.arange(players * self.tables), -self.tables)  # of the next place at the same table
        self.bonus = np.array([rules.success_bonus.get(made, 0) for made in range(players + 1)], np.int32)
        self.trump_after = np.array([trump_number(rules.trump_after[made]) for made in range(players + 1)])
        self.is_ascending = list(rules.ranks) == [rank for rank in Rank if rank in rules.ranks]
        self.has_trump = rules.first_trump is not None or any(rules.trump_after.values())
        self.trump_changes = bool((self.trump_after != trump_number(rules.first_trump)).any())
        stakes = [(0, 0, 0), *((p.made, p.failed, p.others) for p in rules.premiums)]
        self.made, self.failed, self.others = np.array(stakes, np.int32).T.copy()

    def play(self) -> dict[str, Array]:
        """What happened, as arrays with a row for each deal: all tables' first deals, their second ones …"""
        rounds = []
        for number in range(self.rounds):
            dealer = (self.first + number) % self.players
            self.eldest = (dealer + 1) % self.players
            self.found = {"dealer": dealer, "first": self.eldest, "trump": self.trump}
            self._deal(number)
            self._take_bids()
            self._ask_premiums()
            self._play_tricks()
            self._score()
            rounds.append(self.found)
        columns = {name: [found[name] for found in rounds] for name in self.found}
        return {
            name: np.concatenate(kept, axis=-1, dtype=np.int32, casting="unsafe").T for name, kept in columns.items()
        }

    def _deal(self, number: int) -> None:
        """One card at a time from the eldest on; then each hand is sorted, and its suits are marked as masks."""
        players, size, tables = self.players, self.size, self.tables
        dealt = np.ascontiguousarray(self.packs[number, :, : players * size].T)
        hands = sort_rows(dealt.reshape(size, players * tables))  # (place in the hand, row)
        self.hands, self.suits = hands.ravel(), _suit_masks(hands)
        powers = hands if self.is_ascending else self.power.take(hands)
        if self.has_trump:
            trump = np.tile((self.trump * RANKS).astype(np.uint8), players)
            powers = powers | np.uint8(TRUMP) * ((powers & SUIT_BITS) == trump)
        self.powers = powers.ravel()
        self.held = np.full(players * tables, (1 << size) - 1, np.uint16)
        self.won = np.zeros(players * tables, np.int32)
        self.bids = np.full(players * tables, -1, np.int32)
        self.at_stake, self.holder = np.full(tables, -1), np.full(tables, -1)
        self.decisions, self.choices = np.zeros(tables, np.int64), np.zeros(tables, np.uint16)

    def _view(self, phase: str, lanes: Array, row: Array, choices: Array, **more: Any) -> TrickView:
        def seats() -> Array:
            seats: Array = (self.eldest.take(lanes) + row // self.tables) % self.players
            return seats

        return TrickView(
            phase=phase,
            lanes=lanes,
            choices=choices,
            rules=self.rules,
            trump=self.trump if len(lanes) == self.tables else self.trump.take(lanes),
            _seats=seats,
            _hand=lambda: self.hands.reshape(self.size, -1).take(row, axis=1),
            **more,
        )

    def _take_bids(self) -> None:
        choices = np.full(self.tables, len(self.ways))
        for place in range(self.players if self.rules.bid_cards else 0):
            row = self.lanes + place * self.tables
            chosen = self.seats.ask(self._view("bid", self.lanes, row, choices, ways=self.ways))
            here = slice(place * self.tables, (place + 1) * self.tables)
            self.held[here] ^= self.way_masks.take(chosen)
            self.bids[here] = 0
            for places in self.way_places:
                card = self.hands.take(places.take(chosen) * len(self.held) + row)
                self.bids[here] += self.spells.take(card)
            self.decisions += 1

    def _ask_premiums(self) -> None:
        """Each place in turn may take a premium above the last one taken, or pass."""
        top = len(self.rules.premiums) - 1
        for place in range(self.players):
            lanes = np.flatnonzero(self.at_stake < top)
            if not len(lanes):
                return
            before = self.at_stake.take(lanes)
            row = lanes + place * self.tables
            chosen = self.seats.ask(self._view("announce", lanes, row, 1 + top - before))
            self.at_stake[lanes] = before + chosen
            self.holder[lanes[chosen > 0]] = place
            self.decisions[lanes] += 1

    def _play_tricks(self) -> None:
        tricks, tables = self.size - self.rules.bid_cards, self.tables
        leader = self.lanes
        for number in range(tricks):
            last = number == tricks - 1
            if last:
                missing = (self.bids - self.won).reshape(self.players, tables)
                self.found["open_bids"] = ((missing == 0) | (missing == 1)).sum(axis=0)
            leader = self._play_trick(leader, last)
        self.found["turns"] = np.full(tables, tricks * self.players)
        self.found["decisions"] = self.decisions + tricks * self.players
        self.found["choices"] = self.choices.astype(np.int64)

    def _play_trick(self, leader: Array, forced: bool) -> Array:
        """The row that takes the trick. With one card left nobody is asked."""
        row, best, led, winner = leader, np.zeros(self.tables, np.uint8), leader, leader
        for turn in range(self.players):
            held = legal = self.held.take(row)
            if turn and not forced:
                followers = held & self.suits.take(led + row)
                legal = followers + held * (followers == 0)
            at = legal.astype(np.intp)
            at *= self.size
            if not forced:
                choices = np.bitwise_count(legal)
                self.choices += choices > 1
                at += self.seats.ask(self._to_play(row, legal, choices, turn, best))
            slot = self.select.take(at)
            self.held[row] = held ^ (ONE << slot)
            at = slot * np.intp(len(self.held))
            at += row
            power = self.powers.take(at)
            if turn:
                better = self._beats(power, best)
                winner = np.where(better, row, winner)
                best = np.where(better, power, best)
            else:
                best = power
                led = ((power & SUIT_BITS) // RANKS).astype(np.intp) * len(self.held)
            row = self.next_row.take(row) if turn < self.players - 1 else row
        self.won[winner] += 1
        return winner

    def _beats(self, power: Array, best: Array) -> Array:
        """Whether a card beats the best of the trick: a higher one of its suit, or a trump where that is none."""
        same = (power ^ best) < RANKS
        if self.has_trump:
            same |= power >= TRUMP
        return same & (power > best)

    def _to_play(self, row: Array, legal: Array, choices: Array, turn: int, best: Array) -> TrickView:
        def takes(hand: Array) -> Array:
            powers = self.powers.reshape(self.size, -1).take(row, axis=1)
            return self._beats(powers, best) if turn else np.ones(hand.shape, bool)

        def wanted() -> Array:
            return self.bids.take(row) - self.won.take(row) if self.rules.bid_cards else np.ones(len(row), np.int64)

        end = {"leads": turn == 0, "last": turn == self.players - 1}
        return self._view("play", self.lanes, row, choices, legal=legal, _wanted=wanted, _takes=takes, **end)

    def _score(self) -> None:
        """The points, by seats from here on, and what the next deal takes over: trump, and the score of the game."""
        rules, shape = self.rules, (self.players, self.tables)
        won, bids = self.won.reshape(shape), self.bids.reshape(shape)
        made = won == bids
        count = made.sum(axis=0, dtype=np.int32)
        points = won * rules.trick_points + made * self.bonus.take(count)
        if rules.premiums:
            level, holder = self.at_stake + 1, np.maximum(self.holder, 0)
            kept = made[holder, self.lanes]
            others = np.where(kept, 0, self.others.take(level))
            points += others
            points[holder, self.lanes] += np.where(kept, self.made.take(level), self.failed.take(level)) - others
        rows = [(seat - self.eldest) % self.players * self.tables + self.lanes for seat in range(self.players)]
        for name, values in (("points", points), ("won", won), ("bids", bids)):
            self.found[name] = np.stack([values.take(row) for row in rows])
        points = self.found["points"]
        self.found["best"] = points == points.max(axis=0)
        self.found["lengths"] = np.full(self.tables, self.size - rules.bid_cards)
        self.found["premium"] = self.at_stake
        self.found["holder"] = np.where(self.holder < 0, -1, (self.eldest + self.holder) % self.players)
        if self.trump_changes:
            self._count_game(points, count)

    def _count_game(self, points: Array, made: Array) -> None:
        """Sets the trump of the next deal: that of a first deal where a game has been won."""
        rules = self.rules
        self.scores += points
        self.dealt += 1
        top = self.scores.max(axis=0)
        due = (top >= rules.target) if rules.target else np.zeros(self.tables, bool)
        if rules.deals:
            due = due | (self.dealt >= rules.deals)
        over = due & ((self.scores == top).sum(axis=0) == 1)  # a game goes on while the lead is shared
        self.trump = np.where(over, trump_number(rules.first_trump), self.trump_after.take(made))
        self.scores[:, over], self.dealt[over] = 0, 0


def _nth_bits(size: int) -> Array:
    """For each mask of so many bits, where its bits are: (mask, number of the bit) → place."""
    rest = np.arange(1 << size)
    table = np.zeros((1 << size, size), np.uint16)
    for number in range(size):
        lowest = rest & -rest
        table[:, number] = np.bitwise_count(np.maximum(lowest, 1) - 1)
        rest ^= lowest
    return table


def _suit_masks(hands: Array) -> Array:
    """For each suit and hand a mask of the places with that suit, flat. Sorted hands hold their suits side by side."""
    size, rows = hands.shape
    up_to = ((1 << np.arange(size + 1)) - 1).astype(np.uint16)
    masks, lower = np.empty((NO_TRUMP, rows), np.uint16), np.zeros(rows, np.uint16)
    for suit in range(NO_TRUMP - 1):
        upper = up_to.take((hands < (suit + 1) * RANKS).sum(axis=0, dtype=np.uint8))
        np.bitwise_xor(upper, lower, out=masks[suit])
        lower = upper
    np.bitwise_xor(up_to[size], lower, out=masks[NO_TRUMP - 1])
    return masks.ravel()
