"""What every game of the kit has in common: states, actions with their notation, the refusal, the history."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from ninety_nine_kit.card import BACK, Card, Mistake, card_order, listed, shuffle
from ninety_nine_kit.events import (
    N_,
    BelowFloor,
    ChooseEffect,
    Event,
    HiddenInView,
    NoSuchEffect,
    NotACard,
    NotAMove,
    NotYourTurn,
    OverLimit,
    Refusal,
    WrongPhase,
)
from ninety_nine_kit.narration import PREMIUM_NAMES, narrate
from ninety_nine_kit.rules import Effect, Premium, Rules

Cards = tuple[Card, ...]
T = TypeVar("T")


class Phase(StrEnum):
    BID = "bid"
    ANNOUNCE = "announce"
    PLAY = "play"
    GIVE = "give"
    DEAL_OVER = "deal over"
    MATCH_OVER = "match over"


class Action:
    """A move of the seat whose turn it is; `str(action)` is its notation. `phase` is when it may be made."""

    phase: ClassVar[Phase]


@dataclass(frozen=True)
class _CardsAction(Action):
    cards: Cards

    def __post_init__(self) -> None:
        if type(self.cards) is tuple and len(self.cards) < 2:
            return
        if isinstance(self.cards, Card | str):
            raise TypeError(f"give the cards as a tuple, such as kit.cards('Q♥'), not {self.cards!r}")
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=card_order)))


@dataclass(frozen=True)
class Bid(_CardsAction):
    """Lays cards aside, face down; the notation is `bid 6♣ 7♦ 8♥`."""

    phase = Phase.BID

    def __str__(self) -> str:
        return f"bid {listed(self.cards)}"


@dataclass(frozen=True)
class Announce(Action):
    """Announces a premium of the rules, or passes (None): `declare`, `reveal`, `pass`."""

    premium: Premium | None
    phase = Phase.ANNOUNCE

    def __post_init__(self) -> None:
        if self.premium is not None and not isinstance(self.premium, Premium):
            raise TypeError(f"give a premium, such as rules.premiums[0], or None to pass, not {self.premium!r}")

    def __str__(self) -> str:
        return self.premium.name if self.premium else "pass"


@dataclass(frozen=True)
class Play(_CardsAction):
    """Plays a card to a trick, or lays a card or a pair on the pile: `Q♥`, `A♥ +11`, `3♣ 3♦ =33 reverse`.

    `effect` is the row chosen where the cards have several, else None.
    """

    effect: Effect | None = None
    phase = Phase.PLAY

    def __str__(self) -> str:
        return f"{listed(self.cards)} {self.effect}" if self.effect else listed(self.cards)


@dataclass(frozen=True)
class Give(Action):
    """Chooses the card to pass in an exchange: `give 5♦`."""

    card: Card
    phase = Phase.GIVE

    def __str__(self) -> str:
        return f"give {self.card}"


@dataclass(frozen=True)
class NextDeal(Action):
    """The next dealer deals: `next deal`."""

    phase = Phase.DEAL_OVER

    def __str__(self) -> str:
        return "next deal"


class IllegalActionError(Mistake):
    """An action that is not legal now. `action` is as given (text stays text); `why` is the event that says why."""

    def __init__(self, action: Action | str, why: Refusal) -> None:
        super().__init__(action, why)
        self.action, self.why = action, why

    def __str__(self) -> str:
        return narrate(self.why)


class SheetRow(NamedTuple):
    """One finished deal in the score sheet; everything by seat.

    `parts` add up to `points`. At tricks they are the points for tricks, for the bid made, from the premium; in the
    adding games for borders, for the cards that crossed, from other players, for cards held at the end. `bids` are
    numbers (None in a game without bids), `premium` is (seat, Premium); `lives` are those left after an adding deal.
    """

    game: int
    deal: int
    parts: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...] = ()
    bids: tuple[int | None, ...] = ()
    premium: tuple[int, Premium] | None = None
    lives: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, repr=False)
class State(ABC):
    """A match at one moment: a value that never changes. `seed` is None in a view.

    `hands` by seat, sorted. `events` is what the last action caused. `stock` are cards dealt to nobody, the next one
    first. `packs` are packs given for the first deals instead of shuffled ones. `view_of` is the seat whose view this
    is, `is_view` tells that cards are hidden.
    """

    rules: Rules
    players: int
    seed: int | str | None
    dealer: int
    phase: Phase
    to_act: int | None
    hands: tuple[Cards, ...]
    scores: tuple[int, ...]
    stock: Cards = ()
    sheet: tuple[SheetRow, ...] = ()
    winners: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    deal_number: int = 0
    game_number: int = 1
    packs: tuple[Cards, ...] = ()
    view_of: int | None = None
    is_view: bool = False

    def __repr__(self) -> str:
        turn = "nobody to act" if self.to_act is None else f"seat {self.to_act} to act"
        view = f", seen by {'a spectator' if self.view_of is None else f'seat {self.view_of}'}" if self.is_view else ""
        return f"<{self.rules.name}, {self.players} players, deal {self.deal_number}, {self.phase}, {turn}{view}>"

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything that may be done now, in a stable order; () when the match is over or in another seat's view."""
        if self.to_act is None or (self.is_view and self.view_of != self.to_act):
            return ()
        return (NextDeal(),) if self.phase is Phase.DEAL_OVER else self._legal()

    def why_not(self, action: Action | str) -> Refusal | None:
        """None if the action is legal now, else the reason. Text is read as in `apply`."""
        if isinstance(action, str):
            try:
                action = read_action(self, action)
            except IllegalActionError as unread:
                return unread.why
        if not isinstance(action, Action):
            raise TypeError(f"{action!r} is no action: give a Bid, Announce, Play, Give, NextDeal, or its text")
        if action.phase is not self.phase:
            return WrongPhase(self.phase)
        if self.is_view and self.view_of != self.to_act and self.to_act is not None:
            return NotYourTurn(self.to_act)
        return None if isinstance(action, NextDeal) else self._judge(action)

    def apply(self, action: Action | str) -> Self:
        """The state after the action, which may be given as text; IllegalActionError says why it cannot be done."""
        if self.is_view:
            raise IllegalActionError(action, HiddenInView())
        move = read_action(self, action) if isinstance(action, str) else action
        if why := self.why_not(move):
            raise IllegalActionError(action, why)
        return self._do(move)

    def seen_by(self, seat: int | None) -> Self:
        """What this seat may know, as a state of the same type; None is a spectator. Hidden cards are BACK."""
        if self.is_view:
            if self.view_of == seat:
                return self
            raise Mistake("this is a view already: ask the whole state for another one")
        if seat is not None and not 0 <= seat < self.players:
            raise Mistake(f"there is no seat {seat}: seats are 0 to {self.players - 1}")
        shown = [holder == seat or self._hand_is_open(holder) for holder in range(self.players)]
        return self._with(
            hands=tuple(hand if open_ else (BACK,) * len(hand) for open_, hand in zip(shown, self.hands, strict=True)),
            stock=(BACK,) * len(self.stock),
            seed=None,
            packs=(),
            events=tuple(event.seen_by(seat) for event in self.events),
            view_of=seat,
            is_view=True,
            **self._hidden_fields(seat),
        )

    def results(self, cards: Cards) -> dict[Effect, int]:
        """What each effect of these cards would make of the total; {} where there is no total."""
        return {}

    def ways(self, card: Card) -> tuple[Play, ...]:
        """Every way in which the seat to act could play this card of its hand, legal or not."""
        return (Play((card,)),)

    def is_in(self, seat: int) -> bool:
        """Whether the seat still takes part in the match."""
        return True

    def next_in(self, seat: int, direction: int = 1) -> int:
        """The next seat in a direction that still takes part."""
        others = ((seat + direction * step) % self.players for step in range(1, self.players))
        return next(filter(self.is_in, others), seat)

    @abstractmethod
    def _legal(self) -> tuple[Action, ...]: ...

    @abstractmethod
    def _judge(self, action: Any) -> Refusal | None: ...

    @abstractmethod
    def _do(self, action: Any) -> Self: ...

    @abstractmethod
    def _hand_is_open(self, seat: int) -> bool: ...

    @abstractmethod
    def _hidden_fields(self, seat: int | None) -> dict[str, Any]: ...

    def _with(self, **changes: Any) -> Self:
        """A copy with some fields changed; `dataclasses.replace` does the same in five times the time."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(changes)
        return copy

    def pack_dealt(self, deal_number: int) -> Cards:
        """All cards of a deal in dealing order, as they were given or shuffled."""
        given = self.packs[deal_number - 1 : deal_number]
        return given[0] if given else shuffle(self.rules.pack(self.players), str(self.seed), deal_number, 0)

    def _deal_cards(self, dealer: int, deal_number: int) -> tuple[tuple[Cards, ...], Cards]:
        """Hands and stock of a new deal: one card at a time, clockwise from the dealer's left, to seats that are in."""
        pack = self.pack_dealt(deal_number)
        clockwise = range(dealer + 1, dealer + 1 + self.players)
        seats = [place % self.players for place in clockwise if self.is_in(place % self.players)]
        dealt = len(seats) * self.rules.hand_size
        hands: list[Cards] = [()] * self.players
        for place, seat in enumerate(seats):
            hands[seat] = tuple(sorted(pack[place : dealt : len(seats)], key=card_order))
        return tuple(hands), pack[dealt:]


def choices(results: dict[Effect, int]) -> tuple[tuple[str, int], ...]:
    """Effects in notation with the totals that they make, as events hold them."""
    return tuple((str(row), total) for row, total in results.items())


def put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """The values by seat with one of them changed."""
    return (*values[:seat], value, *values[seat + 1 :])


def without(hand: Cards, cards: Cards) -> Cards:
    """The hand less these cards, each taken once."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def missing(hand: Cards, cards: Cards) -> Cards:
    """Those of the cards that the hand does not hold (often enough)."""
    return tuple(card for place, card in enumerate(cards) if cards[: place + 1].count(card) > hand.count(card))


MOVES = N_("Write for example Q♥, A♥ +11, bid 6♣ 7♦ 8♥, declare, pass, give 5♦ or next deal.")
_PREMIUMS = tuple(Premium(name, 0) for name in PREMIUM_NAMES)  # possible or not: why_not tells
_EFFECT_WORDS = ("reverse", "skip", "exchange", "cross", "levy")


def read_action(state: State, text: str) -> Action:
    """The action that a text names, legal or not; IllegalActionError if it names none. Suits may be letters C D H S and
    ten may be T, in any case. Where cards have several effects and none is named, the only legal one is taken."""
    words = text.replace("−", "-").split()
    low = [word.lower() for word in words]
    line = " ".join(low)
    if line == str(NextDeal()):
        return NextDeal()
    for premium in (None, *getattr(state.rules, "premiums", ()), *_PREMIUMS) if line.isalpha() else ():
        if line == str(Announce(premium)).lower():
            return Announce(premium)
    verb = line.partition(" ")[0]
    if verb == "bid":
        return Bid(_read_cards(text, words[1:]))
    if verb == "give" and len(words) == 2:
        return Give(_read_cards(text, words[1:])[0])
    place = next((n for n, word in enumerate(low) if word[0] in "+-=" or word in _EFFECT_WORDS), len(low))
    if place == 0 or (verb.isalpha() and len(verb) > 2):
        raise IllegalActionError(text, NotAMove(text, MOVES))
    return _read_play(state, text, _read_cards(text, words[:place]), " ".join(low[place:]))


def _read_cards(text: str, words: list[str]) -> Cards:
    read = []
    for word in words:
        try:
            read.append(Card.parse(word))
        except ValueError:
            raise IllegalActionError(text, NotACard(word)) from None
    return tuple(read)


def _read_play(state: State, text: str, cards: Cards, effect: str) -> Play:
    play = Play(cards)
    results = state.results(play.cards)
    named = [row for row in results if str(row) == effect]
    if effect and not named and (results or len(cards) == 1):
        raise IllegalActionError(text, NoSuchEffect(play.cards, effect, choices(results)))
    if named or len(results) < 2:
        return Play(cards, named[0]) if named and len(results) > 1 else play
    whys = {row: state.why_not(Play(cards, row)) for row in results}
    legal = [row for row, why in whys.items() if why is None]
    if len(legal) == 1:
        return Play(cards, legal[0])
    if not legal and not all(isinstance(why, OverLimit | BelowFloor) for why in whys.values()):
        return Play(cards, next(iter(results)))
    raise IllegalActionError(text, ChooseEffect(play.cards, choices(results)))


class History:
    """A match as the line of its states, with a place in it. Step 0 is the start. `names` by seat, where given."""

    def __init__(self, state: State, names: Sequence[str] = ()) -> None:
        self.states, self.names = [state], tuple(names)
        self.actions: list[Action] = []
        self.step = 0

    @property
    def state(self) -> State:
        """The state at the present step."""
        return self.states[self.step]

    def play(self, action: Action | str) -> State:
        """Plays at the present step and goes one on; if it is legal, what came after this step is dropped."""
        move = read_action(self.state, action) if isinstance(action, str) else action
        try:
            after = self.state.apply(move)
        except IllegalActionError as refused:
            raise IllegalActionError(action, refused.why) from None
        self.states[self.step + 1 :] = [after]
        self.actions[self.step :] = [move]
        self.step += 1
        return after

    def back(self) -> State:
        """One step back; at the start it stays."""
        return self.go(max(self.step - 1, 0))

    def forward(self) -> State:
        """One step forward; at the end it stays."""
        return self.go(min(self.step + 1, len(self.actions)))

    def go(self, step: int) -> State:
        """To any step; ValueError tells which there are."""
        if step not in range(len(self.actions) + 1):
            raise Mistake(f"there is no step {step}: this game has steps 0 to {len(self.actions)}")
        self.step = step
        return self.state
