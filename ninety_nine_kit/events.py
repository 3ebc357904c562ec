"""What happened, and why something may not, as data; `narration` puts it in words.

The English text stands beside each class, with its fields in braces; `{working}`, `{count}` and `{todo}` are made by
`narration`.
"""

from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any, ClassVar, Never, Self, dataclass_transform

from ninety_nine_kit.card import BACK, Card, Suit

#: An English text, or (singular, plural, number).
Message = str | tuple[str, str, int]


def N_(message: str) -> str:
    """Marks a text for the translators' catalogue; it is translated when it is shown."""
    return message


def NP_(one: str, many: str) -> tuple[str, str]:
    """The same for a singular and its plural."""
    return one, many


@dataclass_transform(frozen_default=True)
class Event:
    """Something that happened, or (a `Refusal`) the reason why something may not; a frozen dataclass.

    Made, compared and printed by the five methods here, since letting `dataclass` write them for each of some fifty
    classes would cost a fifth of the time that the kit takes to import.
    """

    #: The text, or its singular and plural by the number (or length) of the field `counted`.
    english: ClassVar[str | tuple[str, str]] = ""
    counted: ClassVar[str] = ""
    #: The same where `cards` are hidden, and the seat fields whose players may see them; () if everybody may.
    unseen: ClassVar[str | tuple[str, str]] = ""
    owners: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, *values: Any, **named: Any) -> None:
        names: tuple[str, ...] = getattr(self, "__match_args__", ())
        if named:
            values = (*values, *(named.pop(name) for name in names[len(values) :] if name in named))
        if len(values) != len(names) or named:
            raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'nothing'}")
        self.__dict__.update(zip(names, values, strict=True))

    def __setattr__(self, name: str, value: object) -> Never:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @property
    def message(self) -> Message:
        text = self.unseen if self.unseen and BACK in getattr(self, "cards", ()) else self.english
        if isinstance(text, str):
            return text
        counted = getattr(self, self.counted)
        return *text, abs(counted) if isinstance(counted, int) else len(counted)

    def seen_by(self, seat: int | None) -> Self:
        """The event as one seat (None: a spectator) may know it."""
        if not self.owners or seat in [getattr(self, owner) for owner in self.owners]:
            return self
        known: Any = self
        return replace(known, cards=(BACK,) * len(known.cards))  # type: ignore[no-any-return]


class SeatEvent(Event):
    seat: int


class CardsEvent(SeatEvent):
    cards: tuple[Card, ...]


class Dealt(Event):
    deal: int
    dealer: int
    each: int
    english = N_("Deal {deal}. Dealer: {dealer}. Cards for each player: {each}.")


class TrumpSet(Event):
    trump: Suit | None

    @property
    def message(self) -> Message:
        return N_("Trump in this deal: {trump}.") if self.trump else N_("This deal has no trump.")


class BidLaid(CardsEvent):
    owners = ("seat",)
    english = N_("{seat} lays {cards} aside, face down.")
    unseen = N_("{seat} lays the bid aside, face down.")


class Announced(SeatEvent):
    premium: str | None

    @property
    def message(self) -> Message:
        return N_("{seat} says: {premium}.") if self.premium else N_("{seat} passes.")


class BidOpened(CardsEvent):
    value: int
    english = N_("{seat} opens the bid: {cards} spell {value}.")


class HandOpened(CardsEvent):
    english = N_("{seat} plays with an open hand: {cards}.")


class CardPlayed(SeatEvent):
    card: Card
    english = N_("{seat} plays {card}.")


class TrickTaken(SeatEvent):
    card: Card
    trumped: bool

    @property
    def message(self) -> Message:
        if self.trumped:
            return N_("{seat} takes the trick: {card} is the highest trump.")
        return N_("{seat} takes the trick: {card} is the highest card of the suit led.")


class BidScored(SeatEvent):
    """`parts`: points for tricks, for the bid made, from the premium; `bid` is None in a game without bids."""

    bid: int | None
    tricks: int
    parts: tuple[int, ...]
    points: int

    @property
    def message(self) -> Message:
        if self.bid is None:
            return N_("{seat} took {tricks}: {working}.")
        if self.bid == self.tricks:
            return N_("{seat} bid {bid} and took {tricks}, bid made: {working}.")
        return N_("{seat} bid {bid} and took {tricks}, bid failed: {working}.")


class GameWon(SeatEvent):
    game: int
    points: int
    english = N_("{seat} wins game {game}. Points: {points}.")


class GameTied(Event):
    points: int
    english = N_("More than one player leads. Points: {points}. The next deal decides.")


class CardsLaid(CardsEvent):
    """`effect`: the row chosen in notation, None where the cards leave no choice."""

    effect: str | None
    before: int
    total: int

    @property
    def message(self) -> Message:
        if self.effect is None:
            return N_("{seat} lays {cards}: {before} → {total}.")
        return N_("{seat} lays {cards} as {effect}: {before} → {total}.")


class DirectionTurned(Event):
    direction: int

    @property
    def message(self) -> Message:
        if self.direction > 0:
            return N_("The direction turns: play goes clockwise now.")
        return N_("The direction turns: play goes counter-clockwise now.")


class Skipped(SeatEvent):
    english = N_("{seat} is skipped.")


class Drew(CardsEvent):
    owners = ("seat",)
    english = N_("{seat} draws {cards}.")
    unseen = NP_("{seat} draws a card.", "{seat} draws {count} cards.")
    counted = "cards"


class StockRefilled(Event):
    number: int
    english = N_("The stock is empty: the pile is shuffled and becomes the new stock (cards: {number}).")


class BorderCrossed(SeatEvent):
    border: int
    points: int
    english = NP_("{seat} crosses {border}: {points} point.", "{seat} crosses {border}: {points} points.")
    counted = "points"


class CrossedWith(CardsEvent):
    """Points of the layer for the cards that crossed a border."""

    points: int
    english = N_("Crossing with {cards} counts {points} for {seat}.")


class Levied(SeatEvent):
    points: int
    english = NP_("{seat} gets {points} point from each opponent.", "{seat} gets {points} points from each opponent.")
    counted = "points"


class Busted(CardsEvent):
    would_be: int
    english = N_(
        "{seat} lays {cards}, which would make {would_be}. It does not count; all cards of {seat} go under the pile."
    )


class LifeLost(SeatEvent):
    left: int

    @property
    def message(self) -> Message:
        if not self.left:
            return N_("{seat} has no life left and is out.")
        return N_("{seat} loses a life and has {left} left.")


class ExchangeCalled(SeatEvent):
    english = N_("{seat} calls an exchange: everybody passes one card to the next player.")


class GiftChosen(CardsEvent):
    owners = ("seat",)
    english = N_("{seat} has chosen to pass {cards}.")
    unseen = N_("{seat} has chosen a card to pass.")


class Given(SeatEvent):
    to: int
    cards: tuple[Card, ...]
    owners = ("seat", "to")
    english = N_("{seat} passes {cards} to {to}.")
    unseen = N_("{seat} passes a card to {to}.")


class HandShown(CardsEvent):
    points: int
    english = N_("{seat} shows {cards}: {points}.")


class RoundScored(SeatEvent):
    """`parts`: points for borders, for the cards that crossed, given by others, for cards held at the end."""

    parts: tuple[int, ...]
    points: int
    english = N_("{seat} scores {working} in this round.")


class AntePaid(SeatEvent):
    chips: int
    pot: int
    english = N_("{seat} pays {chips} into the pot, which holds {pot} now.")


class PotTaken(SeatEvent):
    chips: int
    english = N_("{seat} takes the pot of {chips}.")


class MatchWon(Event):
    seats: tuple[int, ...]
    english = NP_("{seats} wins the match.", "{seats} share the win.")
    counted = "seats"


class Refusal(Event):
    """Why an action is not legal, in words that say what to do."""


class WrongPhase(Refusal):
    phase: str
    english = N_("Not now: {todo}")


class NotYourTurn(Refusal):
    seat: int
    english = N_("It is the turn of {seat}.")


class HiddenInView(Refusal):
    english = N_("Some cards are hidden in this view, so nobody can play on from it: use the whole state.")


class NotInHand(Refusal):
    seat: int
    cards: tuple[Card, ...]
    english = N_("Not in the hand of {seat}: {cards}. Choose from the cards in the hand.")


class WrongNumber(Refusal):
    needed: int
    given: int
    english = NP_("Choose one card, not {given}.", "Choose {needed} cards, not {given}.")
    counted = "needed"


class MustFollow(Refusal):
    card: Card
    suit: Suit
    cards: tuple[Card, ...]
    english = N_("{card} does not follow: {suit} was led and you hold {suit}. You can play: {cards}.")


class NoSuchPremium(Refusal):
    premium: str
    english = N_("These rules have no “{premium}”: say something else or pass.")


class PremiumTaken(Refusal):
    premium: str
    seat: int
    taken: str
    english = N_("“{premium}” is too late: {seat} has said “{taken}”, and only something higher beats that.")


class OverLimit(Refusal):
    cards: tuple[Card, ...]
    would_be: int
    limit: int
    english = N_("{cards} would make {would_be}, which is over {limit}. Lay a card that stays at {limit} or less.")


class BelowFloor(Refusal):
    cards: tuple[Card, ...]
    would_be: int
    english = N_("{cards} would make {would_be}, and the total may not go below 0. Lay another card.")


class NotAPair(Refusal):
    cards: tuple[Card, ...]
    pairs: tuple[str, ...]

    @property
    def message(self) -> Message:
        if self.pairs:
            return N_("{cards} cannot be laid together. Lay one card or one of the pairs {pairs}.")
        return N_("{cards} cannot be laid together. Lay one card.")


class ChooseEffect(Refusal):
    """`choices`: each row's notation and the total that it makes."""

    cards: tuple[Card, ...]
    choices: tuple[tuple[str, int], ...]
    english = N_("{cards} can do more than one thing. Say which: {choices}.")


class NoSuchEffect(Refusal):
    cards: tuple[Card, ...]
    effect: str
    choices: tuple[tuple[str, int], ...]

    @property
    def message(self) -> Message:
        if self.choices:
            return N_("{cards} cannot do “{effect}” here. It can do: {choices}.")
        return N_("“{effect}” means nothing here: play {cards} as it is.")


class NotAMove(Refusal):
    text: str
    hint: str
    english = N_("“{text}” is not a move. {hint}")


class NotACard(Refusal):
    word: str
    english = N_("“{word}” is not a card. Write a rank and a suit, as in 10♥ or 10H.")
