"""The adding games, Paranoia included, at many tables at once; a table whose deal is over goes on to its next."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ninety_nine_kit.batch.common import EMPTY, NUMBER, NUMBERS, RANKS, Array, Chance, Seats, View, find, sort_rows
from ninety_nine_kit.batch.lays import NO_PAIR, LayBook, bits_of_bytes, lay_book, pair_kind, seats_after
from ninety_nine_kit.rules import AddingRules

#: A deal that has not ended after so many lays is taken to have no end.
MAX_LAYS = 10_000


@dataclass(eq=False, kw_only=True)
class LayView(View):
    """A view of an adding game. `book` holds the rules as arrays, `column` tells the total in its columns.

    To play, `kinds` and `bits` are (way to lay, lane): the cards and then the pairs of the hand, and for each a bit for
    every effect that is legal. To give, they are the cards, with a 1 for each that may be given, equal ones once.
    """

    book: LayBook
    column: Array
    kinds: Array
    bits: Array


class AddingGame:
    """Plays as many deals in a row at each table as `chance` has rounds.

    `numbers` has a row for each of NUMBERS and a column for each table in play.
    The stock of a table lies in `packs`, from `drawn` up to `end`. The pile is all that is nowhere else, with the card
    `top` on top. What is counted goes on from deal to deal; `out` notes it at the end of each.
    """

    COUNTS = ("lengths", "turns", "choices", "gifts")
    DEALT = ("round", "first", "to_act", "total", "direction", "drawn", "end", "top")
    NUMBERS = (*COUNTS, *DEALT, "lane", "alive", "layer")
    BY_SEAT = ("lives", "points")

    def __init__(self, rules: AddingRules, players: int, seats: Seats, chance: Chance, tables: int, first: int) -> None:
        self.rules, self.players, self.seats, self.chance = rules, players, seats, chance
        self.hand_size = rules.hand_size
        self.book, self.tables, self.rounds = lay_book(rules, players), tables, chance.rounds
        self.everybody = (1 << players) - 1
        # where a deal has a loser, lives only tell when a new match begins, and that matters to who leads
        self.counts_lives = rules.over_limit == "play on" or rules.next_leader == "loser"
        pack = np.array([NUMBER[card] for card in rules.pack(players)], np.uint8)
        self.packs, self.cards, self.doubles = chance.packs(pack), len(pack), len(set(pack.tolist())) < len(pack)
        self.pairs = list(combinations(range(rules.hand_size), 2)) if rules.pairs else []
        ways = [(place, place) for place in range(rules.hand_size)] + self.pairs
        self.whole = np.bincount(pack, minlength=NUMBERS)
        self.one, self.two = np.array(ways, np.int32).T.copy()
        self.places = np.arange(rules.hand_size, dtype=np.int32)[:, None]
        self.nth_bit, self.following = bits_of_bytes(), seats_after(players)
        self.dealer = (first + np.arange(tables) + np.arange(self.rounds)[:, None]).ravel() % players
        self.dealer = self.dealer.astype(np.int32)
        self.dealt = self._hands()
        self._open_tables()

    def _hands(self) -> Array:
        """The hands of every deal by seat, sorted: one card at a time from the dealer's left."""
        players, size = self.players, self.hand_size
        first = np.ascontiguousarray(self.packs[..., : players * size].reshape(-1, players * size).T)
        dealt = sort_rows(first.reshape(size, -1)).reshape(size, players, -1)
        deals = np.arange(len(self.dealer))
        hands = np.empty((len(self.dealer), players, size), np.uint8)
        for seat in range(players):
            place = (seat - self.dealer - 1) % players
            hands[:, seat] = dealt[:, place, deals].T
        return hands

    def _open_tables(self) -> None:
        tables, players = self.tables, self.players
        self._hold(np.zeros((len(self.NUMBERS), tables), np.int32))
        self.lane[:], self.round[:], self.alive[:] = np.arange(tables), -1, self.everybody
        self.lives: Array = np.zeros((tables, players), np.int32)
        self.points: Array = np.zeros((tables, players), np.int32)
        self.hands = np.zeros((tables, players, self.hand_size), np.uint8)
        width = len(self.COUNTS) + 1 + 2 * players
        # in one round more tables play on that are done
        self.out = np.zeros(((self.rounds + 1) * tables, width), np.int32)
        self._next_deal(np.arange(tables), np.ones(tables, bool))

    def _hold(self, numbers: Array) -> None:
        """Takes the matrix, and each row of it by its name."""
        self.numbers = numbers
        self.lengths, self.turns, self.choices, self.gifts, self.round, self.first, self.to_act = numbers[:7]
        self.total, self.direction, self.drawn, self.end, self.top = numbers[7:12]
        self.lane, self.alive, self.layer = numbers[12:]

    def _keep(self, rows: Array) -> None:
        """Drops the other tables."""
        self._hold(self.numbers[:, rows])
        for name in (*self.BY_SEAT, "hands"):
            setattr(self, name, getattr(self, name)[rows])

    def play(self) -> dict[str, Array]:
        """What happened, as arrays with a row for each deal: all tables' first deals, their second ones …"""
        while len(self.lane):
            before = np.full(self.tables, -1)
            before[self.lane] = self.round
            for _ in range(MAX_LAYS):
                self._step()
                done = self.round >= self.rounds
                if 4 * np.count_nonzero(done) > len(done):
                    self._keep(np.flatnonzero(~done))
                if not len(self.lane):
                    break
            endless = (self.round == before[self.lane]).any()
            self.rules.need(not endless, f"a deal went on for {MAX_LAYS} lays: change the rules or the policy")
        return self._found()

    def _found(self) -> dict[str, Array]:
        counts, players = len(self.COUNTS), self.players
        out = self.out[: self.rounds * self.tables]
        up_to = out[:, :counts].reshape(self.rounds, self.tables, counts)
        found = dict(zip(self.COUNTS, np.diff(up_to, axis=0, prepend=0).reshape(-1, counts).T.copy(), strict=True))
        found["decisions"] = found["turns"] + found.pop("gifts")
        found |= {"dealer": self.dealer, "first": out[:, counts].copy()}
        return found | {"points": out[:, counts + 1 : -players].copy(), "best": out[:, -players:].copy()}

    def _next_deal(self, rows: Array, new_match: Array) -> None:
        """Deals at these rows. Everybody is in; where a new match begins, with all lives."""
        number = self.round[rows] + 1
        deal = number % self.rounds * self.tables + self.lane[rows]
        first = (self.dealer.take(deal) + 1) % self.players
        if self.rules.next_leader == "loser":
            first = np.where(new_match, first, self.layer[rows])
        if self.counts_lives:
            fresh = rows[new_match]
            self.lives[fresh], self.alive[fresh] = self.rules.lives_for(self.players), self.everybody
        self.hands[rows] = self.dealt.take(deal, axis=0)
        start = deal * self.cards
        stock = (start + self.players * self.hand_size, start + self.cards)
        given = (number, first, first, self.rules.start, self.rules.direction, *stock, EMPTY)
        dealt = np.empty((len(given), len(rows)), np.int32)
        for row, values in enumerate(given):
            dealt[row] = values
        begin = len(self.COUNTS)
        self.numbers[begin : begin + len(self.DEALT), rows] = dealt

    def _step(self) -> None:
        """One lay at each table, with all that follows from it."""
        book, rules, row = self.book, self.rules, np.arange(len(self.lane), dtype=np.int32)
        column = book.column(self.total)
        where = (row * self.players + self.to_act) * self.hand_size + self.places
        hand = self.hands.take(where)
        kinds = self._kinds(hand)
        way, lay = self._choose(kinds, self._legal_bits(kinds, column), column)
        after = book.new_total(self.total, lay)
        safe = book.is_safe(after)
        self._count(row, safe, lay, column)
        self.layer[:] = self.to_act
        self.total[:] = np.where(safe, after, self.total)
        if book.reverses:
            self.direction *= np.where(safe, book.turn.take(lay), 1)
        draws = safe
        over = safe & (after > rules.limit) if rules.over_limit == "allowed" else np.zeros(len(row), bool)
        gifts = safe & book.exchange.take(lay) if book.exchanges else over[:0]
        if rules.over_limit == "allowed" and not rules.draw_after_end:
            draws = ~over | gifts if book.exchanges else ~over
        busts = np.flatnonzero(~safe)
        one, two = self.one.take(way), self.two.take(way)
        self._draw(row, hand, one, two, safe, draws)
        self.hands.ravel()[where] = sort_rows(hand)
        over[self._lose_life(busts)] = True
        self._pass_turn(np.where(safe, book.skip.take(lay), 0) if book.skips else None)
        self._exchange(np.flatnonzero(gifts))
        ended = np.flatnonzero(over)
        if len(ended):
            self._end_deals(ended)

    def _kinds(self, hand: Array) -> Array:
        """The hand's cards, and its pairs where there are any."""
        if not self.pairs:
            return hand
        ranks = hand % RANKS
        pairs = [np.where(ranks[i] == ranks[j], pair_kind(hand[i], hand[j]), NO_PAIR) for i, j in self.pairs]
        return np.concatenate([hand, pairs]).astype(np.uint16)

    def _distinct(self, kinds: Array) -> Array:
        """1 for every way to lay that is not the same as one before it, as with equal cards of two packs."""
        hand, distinct = kinds[: self.hand_size], np.ones(kinds.shape, np.uint8)
        distinct[1 : self.hand_size] = hand[1:] != hand[:-1]
        for number, (low, high) in enumerate(self.pairs, self.hand_size):
            if low:
                distinct[number] &= distinct[low]
            if high > low + 1:
                distinct[number] &= distinct[high]
        return distinct

    def _legal_bits(self, kinds: Array, column: Array) -> Array:
        """Safe effects; where there is none, or where one may go over on purpose, all."""
        book, columns = self.book, len(self.book.before)
        if self.rules.voluntary_bust:
            bits = book.exists.take(kinds)
        else:
            bits = book.safe_bits.take(kinds * np.int32(columns) + column)
            stuck = np.flatnonzero(np.bitwise_or.reduce(bits, axis=0) == 0)
            bits[:, stuck] = book.exists.take(kinds[:, stuck])
        return bits * self._distinct(kinds) if self.doubles else bits

    def _choose(self, kinds: Array, bits: Array, column: Array) -> tuple[Array, Array]:
        """The way to lay that the seats choose, and the lay."""
        counts = np.bitwise_count(bits)
        most = 8 * len(counts)
        choices = counts.sum(axis=0, dtype=np.uint8 if most < 256 else np.uint16)
        self.turns += 1
        self.choices += choices > 1
        view = self._view("play", self.lane, self.to_act, choices, column, kinds, bits)
        way, rest = find(counts, self.seats.ask(view))
        at = way * len(self.lane) + np.arange(len(self.lane), dtype=np.int32)
        number = self.nth_bit.take(bits.take(at) * np.int32(8) + rest)
        return way, kinds.take(at) * np.int32(self.book.width) + number

    def _view(
        self, phase: str, lanes: Array, seats: Array, choices: Array, column: Array, kinds: Array, bits: Array
    ) -> LayView:
        return LayView(
            phase=phase,
            lanes=lanes,
            choices=choices,
            book=self.book,
            column=column,
            kinds=kinds,
            bits=bits,
            _seats=lambda: seats,
            _hand=lambda: kinds[: self.hand_size],
        )

    def _count(self, row: Array, safe: Array, lay: Array, column: Array) -> None:
        """A lay that keeps to the bounds is counted, and so is what it earns by crossing borders."""
        self.lengths += safe
        if self.rules.milestones:
            at = lay * len(self.book.before) + column
            others = self.book.others.take(at) * safe
            self.points += others[:, None]
            self.points.ravel()[row * self.players + self.to_act] += self.book.own.take(at) * safe - others

    def _draw(self, row: Array, hand: Array, one: Array, two: Array, safe: Array, draws: Array) -> None:
        """Cards laid go on the pile, and others come into their places of the hand: from the stock, or none."""
        at = one * len(row) + row
        last = two * len(row) + row if self.pairs else at
        # who busts puts all cards under the pile; where that is empty, one of them is its top
        busts = np.flatnonzero(~safe & (self.top == EMPTY))
        self.top[:] = np.where(safe, hand.take(last), self.top)
        if len(busts):
            laid = (self.places == one[busts]) | (self.places == two[busts])
            rest = np.where(laid, -1, hand[:, busts].astype(np.int32)).max(axis=0)
            self.top[busts] = np.where(rest < 0, hand.take(last[busts]), rest)
        short = np.flatnonzero(draws & (self.drawn + (one != two) >= self.end))
        if len(short):
            hand[one[short], short] = hand[two[short], short] = EMPTY
            self.hands[short, self.to_act[short]] = hand[:, short].T
            self._refill(short)
        hand.ravel()[at] = self.packs.take(self.drawn, mode="clip")
        self.drawn += draws
        if self.pairs:
            second = np.flatnonzero((one != two) & safe)
            hand[two[second], second] = self.packs.take(self.drawn[second], mode="clip")
            self.drawn[second] += draws[second]
        none = np.flatnonzero(~draws)
        hand[one[none], none] = hand[two[none], none] = EMPTY
        hand[:, np.flatnonzero(~safe)] = EMPTY

    def _refill(self, rows: Array) -> None:
        """Where the stock is too small its last cards are followed by the pile, shuffled, but for its top card."""
        deal = self.round[rows] % self.rounds * self.tables + self.lane[rows]
        packs, columns = self.packs.reshape(-1, self.cards), np.arange(self.cards)
        stock = packs[deal]
        begin, left = (self.drawn[rows] - deal * self.cards)[:, None], (self.end[rows] - self.drawn[rows])[:, None]
        in_stock = np.where((columns >= begin) & (columns < begin + left), stock, EMPTY)
        elsewhere = np.concatenate([in_stock, self.hands[rows].reshape(len(rows), -1), self.top[rows, None]], axis=1)
        at = np.arange(len(rows))[:, None] * NUMBERS + elsewhere
        found = np.bincount(at.ravel(), minlength=len(rows) * NUMBERS).reshape(-1, NUMBERS)
        count = np.maximum(self.whole - found, 0)  # a table that is done plays on with cards of an old stock
        count[:, EMPTY] = self.cards - count[:, :EMPTY].sum(axis=1)  # so that all rows are of one length
        under = np.repeat(np.tile(np.arange(NUMBERS, dtype=np.uint8), len(rows)), count.ravel()).reshape(-1, self.cards)
        under = self.chance.refills(under, self.lane[rows])
        under[under == EMPTY] = packs[0, 0]  # beyond the end there are real cards, too
        both = np.concatenate([stock, under], axis=1)
        at = np.where(columns < left, begin + columns, self.cards + columns - left)
        packs[deal] = np.take_along_axis(both, at, axis=1)
        self.drawn[rows] = deal * self.cards
        self.end[rows] = self.drawn[rows] + left[:, 0] + self.cards - count[:, EMPTY]

    def _lose_life(self, rows: Array) -> Array:
        """Those of the rows where the deal is over; elsewhere who has a life left draws a new hand."""
        if not len(rows) or not self.counts_lives:
            return rows
        seat = self.to_act[rows]
        left = self.lives[rows, seat] - 1
        self.lives[rows, seat] = left
        if self.rules.over_limit == "deal over":
            return rows
        self.alive[rows] ^= (left == 0) << seat
        ends: Array = np.bitwise_count(self.alive[rows]) == 1
        if self.rules.objective == "first out":
            ends = ends | (left == 0)
        again = rows[~ends & (left > 0)]
        short = again[self.drawn[again] + self.hand_size > self.end[again]]
        if len(short):
            self._refill(short)
        cards = self.packs.take(self.drawn[again, None] + np.arange(self.hand_size))
        self.hands[again, self.to_act[again]] = np.sort(cards, axis=1)
        self.drawn[again] += self.hand_size
        over: Array = rows[ends]
        return over

    def _after(self, rows: Array | slice, seat: Array) -> Array:
        """The next seat that is in, in the direction of play."""
        turned = self.direction[rows] < 0
        following: Array = self.following.take((self.alive[rows] * 2 + turned) * self.players + seat)
        return following

    def _pass_turn(self, skip: Array | None) -> None:
        everywhere = slice(None)
        self.to_act[:] = self._after(everywhere, self.to_act)
        if skip is None:
            return
        for skipped in range(int(skip.max())):
            self.to_act[:] = np.where(skip > skipped, self._after(everywhere, self.to_act), self.to_act)

    def _exchange(self, rows: Array) -> None:
        """From the layer on each chooses a card; then all cards move at once to the next seat."""
        if not len(rows):
            return
        seat, living = self.layer[rows], np.bitwise_count(self.alive[rows])
        place, given = np.zeros((len(rows), self.players), np.intp), np.zeros((len(rows), self.players), np.uint8)
        for turn in range(self.players):
            at = np.flatnonzero(living > turn)
            if not len(at):
                break
            who = seat[at]
            hand = np.ascontiguousarray(self.hands[rows[at], who].T)
            bits = np.ones(hand.shape, np.uint8)
            bits[1:] = hand[1:] != hand[:-1]
            lanes, column = self.lane[rows[at]], self.book.column(self.total[rows[at]])
            view = self._view("give", lanes, who, bits.sum(axis=0, dtype=np.uint8), column, hand, bits)
            place[at, who], _ = find(bits, self.seats.ask(view))
            given[at, who] = hand[place[at, who], np.arange(len(at))]
            self.gifts[rows[at]] += 1
            seat[at] = self._after(rows[at], who)
        for giver in range(self.players):
            at = np.flatnonzero(self.alive[rows] >> giver & 1)
            to = self._after(rows[at], np.full(len(at), giver))
            self.hands[rows[at], to, place[at, to]] = given[at, giver]
        self.hands[rows] = np.sort(self.hands[rows], axis=2)

    def _end_deals(self, rows: Array) -> None:
        """What happened is kept, and the tables go on."""
        rules, counts = self.rules, self.numbers[: len(self.COUNTS), rows].T
        number = np.minimum(self.round[rows], self.rounds) * self.tables + self.lane[rows]
        if rules.penalties:
            self.points[rows] += self.book.penalty.take(self.hands[rows]).sum(axis=2)
        points = self.points[rows] if rules.counts_points else np.zeros((len(rows), self.players), np.int32)
        new_match = np.ones(len(rows), bool)
        if rules.over_limit == "deal over":  # the deal has one loser, and all play on until somebody is out
            best = np.arange(self.players) == self.layer[rows, None]
            new_match = self.lives[rows].min(axis=1) == 0 if self.counts_lives else new_match
        elif rules.over_limit == "play on":
            best = self.lives[rows] == self.lives[rows].max(axis=1, keepdims=True)
        else:
            best = points == (points.min if rules.objective == "low" else points.max)(axis=1, keepdims=True)
        if rules.counts_points:
            self.points[rows] = 0
        self.out[number] = np.concatenate([counts, self.first[rows, None], points, best], axis=1)
        self._next_deal(rows, new_match)
