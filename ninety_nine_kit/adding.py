"""The adding engine: cards laid on a running total, lives, borders, exchanges; Paranoia included."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from ninety_nine_kit.card import BACK, Card, card_order, shuffle
from ninety_nine_kit.events import (
    AntePaid,
    BelowFloor,
    BorderCrossed,
    Busted,
    CardsLaid,
    ChooseEffect,
    CrossedWith,
    Dealt,
    DirectionTurned,
    Drew,
    Event,
    ExchangeCalled,
    GiftChosen,
    Given,
    HandShown,
    Levied,
    LifeLost,
    MatchWon,
    NoSuchEffect,
    NotAPair,
    NotInHand,
    OverLimit,
    PotTaken,
    Refusal,
    RoundScored,
    Skipped,
    StockRefilled,
    WrongNumber,
)
from ninety_nine_kit.game import Action, Cards, Give, Phase, Play, SheetRow, State, choices, missing, put, without
from ninety_nine_kit.rules import AddingRules, Effect, Milestone


class Crossing(NamedTuple):
    """What a lay earns: milestones crossed, points for them, for the cards, and from each other player."""

    milestones: tuple[Milestone, ...]
    borders: int
    cards: int
    levy: int


def total_after(rules: AddingRules, total: int, effect: Effect) -> int:
    """The total that an effect makes; it may be over the limit or below the floor."""
    after = total + effect.add if effect.set_to is None else effect.set_to
    return max(after, 0) if rules.floor == "clamp" else after


def crossing(rules: AddingRules, before: int, after: int, effect: Effect) -> Crossing:
    """The points for carrying the total from one number to another, going up (or down, where that counts)."""
    low, high = (before, after) if before < after else (after, before)
    counts = before < after or rules.milestones_down
    crossed = tuple(milestone for milestone in rules.milestones if counts and low <= milestone.at < high)
    if not crossed:
        return Crossing((), 0, 0, 0)
    borders = 0 if effect.instead else sum(milestone.points for milestone in crossed)
    return Crossing(crossed, borders, effect.on_cross, effect.levy)


@dataclass(frozen=True, kw_only=True, repr=False)
class AddingState(State):
    """A match of an adding game at one moment.

    `direction` is 1 clockwise, −1 the other way. The last card of `pile` lies on top. `given` are cards chosen in an
    exchange, by seat; () before. `earned` are each seat's points in this deal, as the parts of a `SheetRow`. `refills`
    counts how often this deal's stock was made from the pile. `layer` laid the last card.
    """

    rules: AddingRules
    lives: tuple[int, ...]
    total: int = 0
    direction: int = 1
    pile: Cards = ()
    given: tuple[Cards, ...]
    earned: tuple[tuple[int, ...], ...]
    pot: int = 0
    refills: int = 0
    layer: int = 0
    next_seat: int = 0

    def is_in(self, seat: int) -> bool:
        return self.lives[seat] > 0

    def results(self, cards: Cards) -> dict[Effect, int]:
        return {row: total_after(self.rules, self.total, row) for row in self.rules.rows(cards)}

    def ways(self, card: Card) -> tuple[Play, ...]:
        assert self.to_act is not None
        lays = [(cards, rows) for cards, rows in self._lays(self.hands[self.to_act]) if card in cards]
        return tuple(Play(cards, row if len(rows) > 1 else None) for cards, rows in lays for row in rows)

    def _is_safe(self, total: int) -> bool:
        rules = self.rules
        return (total <= rules.limit or rules.over_limit == "allowed") and not (rules.floor == "forbid" and total < 0)

    def _lays(self, hand: Cards) -> list[tuple[Cards, tuple[Effect, ...]]]:
        """Every card and pair of the hand that may be laid together, once each, with its rows."""
        single = tuple(dict.fromkeys(hand))
        lays: list[tuple[Cards, tuple[Effect, ...]]] = [((card,), self.rules.rows((card,))) for card in single]
        if self.rules.pairs:
            pairs = dict.fromkeys((low, high) for i, low in enumerate(hand) for high in hand[i + 1 :])
            lays += [(pair, rows) for pair in pairs if (rows := self.rules.rows(pair))]
        return lays

    def _legal(self) -> tuple[Action, ...]:
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        if self.phase is Phase.GIVE:
            return tuple(map(Give, dict.fromkeys(hand)))
        every, safe = [], []
        for cards, rows in self._lays(hand):
            for row in rows:
                play = Play(cards, row if len(rows) > 1 else None)
                every.append(play)
                if self._is_safe(total_after(self.rules, self.total, row)):
                    safe.append(play)
        return tuple(every if not safe or self.rules.voluntary_bust else safe)

    def _judge(self, action: Any) -> Refusal | None:
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        if isinstance(action, Give):
            return None if action.card in hand else NotInHand(self.to_act, (action.card,))
        cards, effect = action.cards, action.effect
        if not cards:
            return WrongNumber(1, 0)
        absent = missing(hand, cards)
        if absent:
            return NotInHand(self.to_act, absent)
        results = self.results(cards)
        if not results:
            return NotAPair(cards, tuple(f"{rank}-{rank}" for rank in self.rules.pairs))
        if effect is None and len(results) > 1:
            return ChooseEffect(cards, choices(results))
        if effect is not None and (effect not in results or len(results) == 1):
            return NoSuchEffect(cards, str(effect), choices(results) if effect not in results else ())
        return self._judge_total(hand, cards, results[effect] if effect else next(iter(results.values())))

    def _judge_total(self, hand: Cards, cards: Cards, total: int) -> Refusal | None:
        """Whoever holds a safe lay must stay in the bounds."""
        if self._is_safe(total) or self.rules.voluntary_bust or not self._holds_safe(hand):
            return None
        if total > self.rules.limit:
            return OverLimit(cards, total, self.rules.limit)
        return BelowFloor(cards, total)

    def is_stuck(self) -> bool:
        """Whether the seat to act holds cards that are seen, and none that keeps to the bounds."""
        hand = () if self.to_act is None or self.phase is not Phase.PLAY else self.hands[self.to_act]
        return bool(hand) and BACK not in hand and not self._holds_safe(hand)

    def _holds_safe(self, hand: Cards) -> bool:
        rules, total = self.rules, self.total
        return any(self._is_safe(total_after(rules, total, row)) for _, rows in self._lays(hand) for row in rows)

    def _do(self, action: Any) -> Self:
        match action:
            case Play():
                return self._lay(action.cards, action.effect or self.rules.rows(action.cards)[0], action.effect)
            case Give(card):
                return self._give(card)
        return self._next_deal()

    def _next_deal(self) -> Self:
        dealer, deal_number = self.to_act or 0, self.deal_number + 1
        hands, stock = self._deal_cards(dealer, deal_number)
        first = self.next_seat if self.sheet and self.rules.next_leader == "loser" else self.next_in(dealer)
        nothing: tuple[Cards, ...] = ((),) * self.players
        return self._with(
            dealer=dealer,
            deal_number=deal_number,
            hands=hands,
            stock=stock,
            total=self.rules.start,
            direction=self.rules.direction,
            pile=(),
            given=nothing,
            earned=((0, 0, 0, 0),) * self.players,
            refills=0,
            layer=dealer,
            phase=Phase.PLAY,
            to_act=first,
            events=(Dealt(deal_number, dealer, self.rules.hand_size),),
        )

    def _lay(self, cards: Cards, effect: Effect, chosen: Effect | None) -> Self:
        seat = self.to_act
        assert seat is not None
        paid = self._pay(seat)
        total = total_after(self.rules, self.total, effect)
        hand = without(self.hands[seat], cards)
        if not self._is_safe(total):
            return paid._bust(seat, cards, hand, total)
        laid = paid._with(
            hands=put(self.hands, seat, hand),
            pile=self.pile + cards,
            total=total,
            direction=-self.direction if effect.reverse else self.direction,
            layer=seat,
            events=(*paid.events, CardsLaid(seat, cards, str(chosen) if chosen else None, self.total, total)),
        )
        if effect.reverse:
            laid = laid._tell(DirectionTurned(laid.direction))
        return laid._count_crossing(self.total, cards, effect)._pass_turn(effect)

    def _pay(self, seat: int) -> Self:
        ante = self.rules.ante
        if not ante:
            return self._with(events=())
        return self._with(pot=self.pot + ante, events=(AntePaid(seat, ante, self.pot + ante),))

    def _count_crossing(self, before: int, cards: Cards, effect: Effect) -> Self:
        """Notes what the last lay earned for crossing borders."""
        milestones, borders, own, levy = crossing(self.rules, before, self.total, effect)
        if not milestones:
            return self
        events: list[Event] = []
        if not effect.instead:
            events = [BorderCrossed(self.layer, milestone.at, milestone.points) for milestone in milestones]
        events += [CrossedWith(self.layer, cards, own)] * bool(own) + [Levied(self.layer, levy)] * bool(levy)
        others = self.players - 1
        gains = [
            (borders, own, levy * others, 0) if seat == self.layer else (0, 0, -levy, 0) for seat in range(self.players)
        ]
        return self._with(earned=_add(self.earned, gains), events=(*self.events, *events))

    def _pass_turn(self, effect: Effect) -> Self:
        """After a safe lay: draw, exchange where it is called for, and on to the next seat or the end of the round."""
        over = self.total > self.rules.limit
        refilled = self._refill(self.layer) if not over or effect.exchange or self.rules.draw_after_end else self
        next_seat = self.next_in(self.layer, self.direction)
        for _ in range(effect.skip):
            refilled = refilled if over else refilled._tell(Skipped(next_seat))
            next_seat = self.next_in(next_seat, self.direction)
        refilled = refilled._with(to_act=next_seat, next_seat=next_seat)
        if effect.exchange and any(refilled.hands):
            asked = refilled._tell(ExchangeCalled(self.layer))._with(phase=Phase.GIVE)
            return asked._ask_gift(self.layer)
        return refilled._end_deal() if over else refilled

    def _refill(self, seat: int) -> Self:
        """Draws up to the hand's size. An empty stock is made anew from the pile, all but its top card."""
        short = self.rules.hand_size - len(self.hands[seat])
        drawn, stock, pile, refills = self.stock[:short], self.stock[short:], self.pile, self.refills
        events: list[Event] = []
        if len(drawn) < short and len(pile) > 1:
            refills += 1
            stock = shuffle(pile[:-1], str(self.seed), self.deal_number, refills)
            events, pile = [StockRefilled(len(stock))], pile[-1:]
            more = short - len(drawn)
            drawn, stock = drawn + stock[:more], stock[more:]
        if not drawn:
            return self
        hand = tuple(sorted(self.hands[seat] + drawn, key=card_order))
        return self._with(
            hands=put(self.hands, seat, hand),
            stock=stock,
            pile=pile,
            refills=refills,
            events=(*self.events, *events, Drew(seat, drawn)),
        )

    def _ask_gift(self, seat: int) -> Self:
        """The next seat in the direction of play, from the layer on, that has a card to give and has not chosen."""
        for _ in range(self.players):
            if self.hands[seat] and not self.given[seat]:
                return self._with(to_act=seat)
            seat = self.next_in(seat, self.direction)
        return self._exchange()

    def _give(self, card: Card) -> Self:
        seat = self.to_act
        assert seat is not None
        chosen = self._with(
            hands=put(self.hands, seat, without(self.hands[seat], (card,))),
            given=put(self.given, seat, (card,)),
            events=(GiftChosen(seat, (card,)),),
        )
        return chosen._ask_gift(self.next_in(seat, self.direction))

    def _exchange(self) -> Self:
        """All chosen cards move at once to the next seat in the direction of play."""
        hands, events = list(self.hands), list(self.events)
        for seat, cards in enumerate(self.given):
            if cards:
                to = self.next_in(seat, self.direction)
                hands[to] = tuple(sorted(hands[to] + cards, key=card_order))
                events.append(Given(seat, to, cards))
        moved = self._with(
            hands=tuple(hands),
            given=((),) * self.players,
            phase=Phase.PLAY,
            to_act=self.next_seat,
            events=tuple(events),
        )
        return moved._end_deal() if self.total > self.rules.limit else moved

    def _bust(self, seat: int, cards: Cards, hand: Cards, would_be: int) -> Self:
        """Over the limit with no safe card: nothing counts, the cards go under the pile, a life is lost."""
        left = self.lives[seat] - 1
        out = self._with(
            hands=put(self.hands, seat, ()),
            pile=cards + hand + self.pile,
            lives=put(self.lives, seat, left),
            events=(*self.events, Busted(seat, cards, would_be), LifeLost(seat, left)),
            layer=seat,
        )
        last_in = sum(map(bool, out.lives)) == 1
        ends = last_in or (left == 0 and self.rules.objective == "first out")
        if ends or self.rules.over_limit == "deal over":
            return out._end_deal()
        following = out.next_in(seat, self.direction)
        return (out._refill(seat) if left else out)._with(to_act=following)

    def _end_deal(self) -> Self:
        """Hands are settled, the deal goes on the sheet, and the match may be over."""
        held = [sum(self.rules.penalties.get(card, 0) for card in hand) for hand in self.hands]
        earned = _add(self.earned, [(0, 0, 0, points) for points in held])
        points = tuple(map(sum, earned))
        scores = tuple(map(sum, zip(self.scores, points, strict=True)))
        events = self.events
        if self.rules.penalties:
            events += tuple(map(HandShown, range(self.players), self.hands, held))
        if self.rules.counts_points:
            events += tuple(map(RoundScored, range(self.players), earned, points))
        row = SheetRow(self.game_number, self.deal_number, earned, points, lives=self.lives)
        ended = self._with(
            earned=earned,
            scores=scores,
            sheet=(*self.sheet, row),
            phase=Phase.DEAL_OVER,
            to_act=self.next_in(self.dealer),
            next_seat=self.layer if self.is_in(self.layer) else self.next_in(self.layer, self.direction),
            events=events,
        )
        return ended._end_match()

    def _end_match(self) -> Self:
        rules, living = self.rules, sum(map(bool, self.lives))
        ends = {
            "last in": living == 1,
            "first out": living < self.players,
            "high": self.deal_number >= (rules.rounds or 0),
            "low": self.deal_number >= (rules.rounds or 0),
        }
        if not ends[rules.objective]:
            return self
        ranking = self.lives if rules.objective in ("last in", "first out") else self.scores
        best = min(ranking) if rules.objective == "low" else max(ranking)
        winners = tuple(seat for seat, value in enumerate(ranking) if value == best)
        events = (*self.events, MatchWon(winners))
        if self.pot:
            events += (PotTaken(winners[0], self.pot),)
        return self._with(pot=0, phase=Phase.MATCH_OVER, to_act=None, winners=winners, events=events)

    def _tell(self, event: Event) -> Self:
        return self._with(events=(*self.events, event))

    def _hand_is_open(self, seat: int) -> bool:
        """At the end of a round for points, and where cards held cost points, all hands are shown."""
        shown = self.rules.over_limit == "allowed" or bool(self.rules.penalties)
        return shown and self.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)

    def _hidden_fields(self, seat: int | None) -> dict[str, Any]:
        given = tuple(cards if giver == seat else (BACK,) * len(cards) for giver, cards in enumerate(self.given))
        return {"given": given}


def _add(earned: tuple[tuple[int, ...], ...], gains: list[tuple[int, int, int, int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(sum, zip(old, new, strict=True))) for old, new in zip(earned, gains, strict=True))


def blank(rules: AddingRules, players: int, seed: int | str, dealer: int, packs: tuple[Cards, ...] = ()) -> AddingState:
    """A match before its first deal, with the dealer to deal."""
    nothing: tuple[Cards, ...] = ((),) * players
    return AddingState(
        rules=rules,
        players=players,
        seed=seed,
        dealer=dealer,
        phase=Phase.DEAL_OVER,
        to_act=dealer,
        hands=nothing,
        scores=(0,) * players,
        packs=packs,
        lives=(rules.lives_for(players),) * players,
        given=nothing,
        earned=((0, 0, 0, 0),) * players,
    )
