"""The trick-taking engine: bids laid aside, premiums, tricks, scores, games and the match."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from typing import Any, NamedTuple, Self

from ninety_nine_kit.card import BACK, Card, Suit
from ninety_nine_kit.events import (
    Announced,
    BidLaid,
    BidOpened,
    BidScored,
    CardPlayed,
    Dealt,
    Event,
    GameTied,
    GameWon,
    HandOpened,
    MatchWon,
    MustFollow,
    NoSuchEffect,
    NoSuchPremium,
    NotInHand,
    PremiumTaken,
    Refusal,
    TrickTaken,
    TrumpSet,
    WrongNumber,
)
from ninety_nine_kit.game import Action, Announce, Bid, Cards, Phase, Play, SheetRow, State, missing, put, without
from ninety_nine_kit.rules import Premium, TrickRules


class Trick(NamedTuple):
    """A trick that was taken: who led, the cards in order of play, who won."""

    leader: int
    cards: Cards
    winner: int


@dataclass(frozen=True, kw_only=True, repr=False)
class TrickState(State):
    """A match of the trick-taking game at one moment.

    By seat: `bids` (cards laid aside, () before), `won` (tricks in this deal), `games_won`. `trick` are the cards on
    the table in order, `leader` who led them or leads next; `tricks` are those taken in this deal.
    """

    rules: TrickRules
    bids: tuple[Cards, ...]
    won: tuple[int, ...]
    games_won: tuple[int, ...]
    leader: int = 0
    trump: Suit | None = None
    premium: tuple[int, Premium] | None = None
    trick: Cards = ()
    tricks: tuple[Trick, ...] = ()

    def bid_value(self, seat: int) -> int | None:
        """How many tricks the seat's bid spells; None before it, where it is hidden, and in games without bids."""
        bid = self.bids[seat]
        return None if not bid or BACK in bid else self.rules.bid_value(bid)

    @property
    def eldest(self) -> int:
        return (self.dealer + 1) % self.players

    def _legal(self) -> tuple[Action, ...]:
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        if self.phase is Phase.BID:
            return tuple(map(_bid, combinations(hand, self.rules.bid_cards)))
        if self.phase is Phase.ANNOUNCE:
            return (Announce(None), *map(Announce, self._higher_premiums()))
        return tuple([Play((card,)) for card in self._followers(hand) or hand])

    def _followers(self, hand: Cards) -> list[Card]:
        return [card for card in hand if card.suit == self.trick[0].suit] if self.trick else []

    def _judge(self, action: Any) -> Refusal | None:
        assert self.to_act is not None
        if isinstance(action, Announce):
            return self._judge_premium(action.premium)
        hand = self.hands[self.to_act]
        needed = self.rules.bid_cards if isinstance(action, Bid) else 1
        if len(action.cards) != needed:
            return WrongNumber(needed, len(action.cards))
        absent = missing(hand, action.cards)
        if absent:
            return NotInHand(self.to_act, absent)
        if isinstance(action, Bid):
            return None
        if action.effect:
            return NoSuchEffect(action.cards, str(action.effect), ())
        followers = self._followers(hand)
        if followers and action.cards[0] not in followers:
            return MustFollow(action.cards[0], self.trick[0].suit, tuple(followers))
        return None

    def _judge_premium(self, premium: Premium | None) -> Refusal | None:
        if premium is None or premium in self._higher_premiums():
            return None
        if premium not in self.rules.premiums or self.premium is None:
            return NoSuchPremium(premium.name)
        return PremiumTaken(premium.name, self.premium[0], self.premium[1].name)

    def _higher_premiums(self) -> tuple[Premium, ...]:
        """Those above the one taken so far."""
        premiums = self.rules.premiums
        return premiums[premiums.index(self.premium[1]) + 1 :] if self.premium else premiums

    def _do(self, action: Any) -> Self:
        match action:
            case Bid(cards):
                return self._lay_bid(cards)
            case Announce(premium):
                return self._announce(premium)
            case Play((card,)):
                return self._play(card)
        return self._next_deal()

    def _next_deal(self) -> Self:
        new_game = self.deal_number == 0 or self._game_is_won()
        dealer, deal_number = self.to_act or 0, self.deal_number + 1
        hands, stock = self._deal_cards(dealer, deal_number)
        trump = self.rules.first_trump if new_game else self.rules.trump_after[_made(self.sheet[-1])]
        nothing: tuple[Cards, ...] = ((),) * self.players
        dealt = self._with(
            dealer=dealer,
            deal_number=deal_number,
            game_number=self.game_number + (new_game and self.deal_number > 0),
            scores=(0,) * self.players if new_game else self.scores,
            hands=hands,
            stock=stock,
            bids=nothing,
            won=(0,) * self.players,
            trump=trump,
            premium=None,
            leader=(dealer + 1) % self.players,
            tricks=(),
            phase=Phase.BID,
            events=(Dealt(deal_number, dealer, self.rules.hand_size), TrumpSet(trump)),
        )
        return dealt._with(to_act=dealt.eldest) if self.rules.bid_cards else dealt._lead(dealt.events)

    def _lay_bid(self, cards: Cards) -> Self:
        seat = self.to_act
        assert seat is not None
        laid = self._with(
            hands=put(self.hands, seat, without(self.hands[seat], cards)), bids=put(self.bids, seat, cards)
        )
        events = (BidLaid(seat, cards),)
        if seat == self.dealer:
            return laid._ask_from(self.eldest, events)
        return laid._with(to_act=self.next_in(seat), events=events)

    def _announce(self, premium: Premium | None) -> Self:
        seat = self.to_act
        assert seat is not None
        asked = self._with(premium=(seat, premium)) if premium else self
        events = (Announced(seat, premium.name if premium else None),)
        return asked._lead(events) if seat == self.dealer else asked._ask_from(self.next_in(seat), events)

    def _ask_from(self, seat: int, events: tuple[Event, ...]) -> Self:
        """The seat is asked for a premium; if it could only pass, so could all after it, and play begins."""
        if self._higher_premiums():
            return self._with(phase=Phase.ANNOUNCE, to_act=seat, events=events)
        return self._lead(events)

    def _lead(self, events: tuple[Event, ...]) -> Self:
        """Announcing is over: the holder's cards open, the eldest leads."""
        if self.premium:
            seat, premium = self.premium
            events += (BidOpened(seat, self.bids[seat], self.rules.bid_value(self.bids[seat])),)
            events += (HandOpened(seat, self.hands[seat]),) * premium.opens_hand
        return self._with(phase=Phase.PLAY, leader=self.eldest, to_act=self.eldest, trick=(), events=events)

    def _play(self, card: Card) -> Self:
        seat = self.to_act
        assert seat is not None
        hands = put(self.hands, seat, without(self.hands[seat], (card,)))
        trick = (*self.trick, card)
        events: tuple[Event, ...] = (CardPlayed(seat, card),)
        if len(trick) < self.players:
            return self._with(hands=hands, trick=trick, to_act=(seat + 1) % self.players, events=events)
        place = best(trick, self.trump, self.rules.ranks)
        winner = (self.leader + place) % self.players
        events += (TrickTaken(winner, trick[place], trick[place].suit == self.trump),)
        taken = self._with(
            hands=hands,
            trick=(),
            tricks=(*self.tricks, Trick(self.leader, trick, winner)),
            won=put(self.won, winner, self.won[winner] + 1),
            leader=winner,
            to_act=winner,
            events=events,
        )
        return taken if any(hands) else taken._score()

    def _score(self) -> Self:
        """The deal is over: points, and perhaps the end of a game or of the match."""
        bids = tuple(map(self.bid_value, range(self.players)))
        parts = score(self.rules, self.won, bids, self.premium)
        points = tuple(map(sum, parts))
        row = SheetRow(self.game_number, self.deal_number, parts, points, self.won, bids, self.premium)
        scores = tuple(map(sum, zip(self.scores, points, strict=True)))
        scored = self._with(phase=Phase.DEAL_OVER, to_act=self.eldest, sheet=(*self.sheet, row), scores=scores)
        events = (*self.events, *map(BidScored, range(self.players), bids, self.won, parts, points))
        best_score = max(scores)
        if not scored._game_is_won():
            tied = scored._game_is_due() and scores.count(best_score) > 1
            return scored._with(events=events + (GameTied(best_score),) * tied)
        winner = scores.index(best_score)
        events += (GameWon(winner, self.game_number, best_score),)
        games_won = put(self.games_won, winner, self.games_won[winner] + 1)
        return scored._with(games_won=games_won, events=events)._end_match()

    def _game_is_due(self) -> bool:
        rules, this_game = self.rules, takewhile(lambda row: row.game == self.game_number, reversed(self.sheet))
        dealt = sum(1 for _ in this_game)
        return bool((rules.target and max(self.scores) >= rules.target) or (rules.deals and dealt >= rules.deals))

    def _game_is_won(self) -> bool:
        """A game that is due goes on while the lead is shared."""
        return self._game_is_due() and self.scores.count(max(self.scores)) == 1

    def _end_match(self) -> Self:
        """After a game: the match is over when enough are played, or one player has won enough."""
        won, to_win = self.games_won, self.rules.games_to_win
        if max(won) < to_win if to_win else sum(won) < (self.rules.games or 0):
            return self
        all_points = [sum(row.points[seat] for row in self.sheet) for seat in range(self.players)]
        ranking = list(zip(won, all_points, strict=True))
        winners = tuple(seat for seat, rank in enumerate(ranking) if rank == max(ranking))
        return self._with(
            phase=Phase.MATCH_OVER, to_act=None, winners=winners, events=(*self.events, MatchWon(winners))
        )

    def _hand_is_open(self, seat: int) -> bool:
        holder, premium = self.premium or (None, None)
        return holder == seat and premium is not None and premium.opens_hand and self.phase is not Phase.ANNOUNCE

    def _hidden_fields(self, seat: int | None) -> dict[str, Any]:
        if self.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER):
            return {}
        holder = self.premium[0] if self.premium and self.phase is Phase.PLAY else None
        shown = (seat, holder)
        return {"bids": tuple(bid if s in shown else (BACK,) * len(bid) for s, bid in enumerate(self.bids))}


def _bid(cards: Cards) -> Bid:
    """A bid of cards known to be sorted; 220 of these are made at once."""
    bid = object.__new__(Bid)
    object.__setattr__(bid, "cards", cards)
    return bid


def _made(row: SheetRow) -> int:
    """How many bids were made in a deal."""
    return sum(tricks == bid for tricks, bid in zip(row.tricks, row.bids, strict=True))


def best(trick: Sequence[Card], trump: Suit | None, ranks: Sequence[Any]) -> int:
    """The place of the winning card: the highest trump, or else the highest card of the suit led.

    >>> from ninety_nine_kit.card import Rank, cards
    >>> best(cards("10♥ 6♠ 7♠"), Suit.SPADES, list(Rank))
    2
    """
    suits = [card.suit for card in trick]
    wins = trump if trump in suits else suits[0]
    return max(range(len(trick)), key=lambda place: (suits[place] == wins, ranks.index(trick[place].rank)))


def score(
    rules: TrickRules, won: Sequence[int], bids: Sequence[int | None], premium: tuple[int, Premium] | None
) -> tuple[tuple[int, int, int], ...]:
    """Points of one deal by seat, as (for tricks, for the bid made, from the premium)."""
    made = [tricks == bid for tricks, bid in zip(won, bids, strict=True)]
    holder, at_stake = premium or (None, None)
    parts = []
    for seat, tricks in enumerate(won):
        extra = 0
        if at_stake is not None and holder is not None:
            kept = made[holder]
            extra = (at_stake.made if kept else at_stake.failed) if seat == holder else 0 if kept else at_stake.others
        bonus = rules.success_bonus[sum(made)] if made[seat] else 0
        parts.append((tricks * rules.trick_points, bonus, extra))
    return tuple(parts)


def blank(rules: TrickRules, players: int, seed: int | str, dealer: int, packs: tuple[Cards, ...] = ()) -> TrickState:
    """A match before its first deal, with the dealer to deal."""
    zeros = (0,) * players
    nothing: tuple[Cards, ...] = ((),) * players
    return TrickState(
        rules=rules,
        players=players,
        seed=seed,
        dealer=dealer,
        phase=Phase.DEAL_OVER,
        to_act=dealer,
        hands=nothing,
        scores=zeros,
        packs=packs,
        bids=nothing,
        won=zeros,
        games_won=zeros,
    )
