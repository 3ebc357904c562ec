"""Rules as values: everything that can differ between two games called Ninety-nine.

A variant is `dataclasses.replace(PRESET, field=…)`. What cannot be played is refused when the rules are made.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal, NamedTuple, Never, TypeVar

from ninety_nine_kit.card import Card, Mistake, Rank, Suit, hidden_signs, pack, plain, read_rank, read_suit

K = TypeVar("K")
V = TypeVar("V")


class Chart(Mapping[K, V]):
    """A mapping that never changes, so that rules can be compared, hashed and shared. `chart | {…}` makes a new one."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[K, V] | Iterable[tuple[K, V]]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, key: K) -> V:
        return self._entries[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __or__(self, other: Mapping[Any, Any]) -> "Chart[Any, Any]":
        return Chart({**self._entries, **other})

    def __setitem__(self, key: object, value: object) -> Never:
        raise TypeError(
            f"a chart never changes: make new rules with replace(rules, field=rules.field | {{{str(key)!r}: …}})"
        )

    def __repr__(self) -> str:
        return f"Chart({self._entries!r})"


NOTHING: Chart[Any, Any] = Chart(())


class Source(NamedTuple):
    """Where a game's rules come from: the text's mark in our notes (RU-a, FR …), its language, its heading."""

    mark: str
    lang: str
    heading: str


def check_fields(thing: Any) -> None:
    """Refuses what is no whole number, no text or no yes-or-no in a field that is one."""
    for field in fields(thing):
        value = getattr(thing, field.name)
        kinds = {int: "a whole number", str: "a text", bool: "True or False"}
        kind = int if field.type == int | None and value is not None else field.type
        if kind in kinds and type(value) is not kind:
            raise Mistake(f"{field.name} must be {kinds[kind]}, not {value!r}")
        if type(value) is str and hidden_signs(value):
            raise Mistake(f"{field.name} has characters that cannot be seen: {value!r}")


@dataclass(frozen=True)
class Premium:
    """An announcement that risks points: what the holder gets when the bid is made, and who gets what when it fails."""

    name: str
    made: int
    failed: int = 0
    others: int = 0
    opens_hand: bool = False

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True)
class Effect:
    """What a lay does to the total and the turn; several for one rank mean that the player chooses.

    `on_cross` are points for the layer when the lay carries the total over a milestone, on top of the milestone's
    (or `instead` of them); `levy` are points that each other player then gives to the layer.

    >>> print(Effect(add=-10), Effect(set_to=33, reverse=True), Effect(), sep=" | ")
    -10 | =33 reverse | +0
    """

    add: int = 0
    set_to: int | None = None
    reverse: bool = False
    skip: int = 0
    exchange: bool = False
    on_cross: int = 0
    instead: bool = False
    levy: int = 0

    def __post_init__(self) -> None:
        check_fields(self)
        if self.add and self.set_to is not None:
            raise Mistake(f"an effect adds or sets, not both: add={self.add}, set_to={self.set_to}")
        if self.skip < 0:
            raise Mistake(f"an effect cannot skip {self.skip} players")

    def __str__(self) -> str:
        words = [f"={self.set_to}"] if self.set_to is not None else [f"{self.add:+d}"] if self.add else []
        words += ["reverse"] * self.reverse + [f"skip {self.skip}"] * bool(self.skip) + ["exchange"] * self.exchange
        words += [f"cross {self.on_cross}"] * bool(self.on_cross) + [f"levy {self.levy}"] * bool(self.levy)
        return " ".join(words) or "+0"


class Milestone(NamedTuple):
    """A border in the total: `points` for who carries it from `at` or less to more than `at`."""

    at: int
    points: int


@contextmanager
def told_by(name: str) -> Iterator[None]:
    """Turns every error about wrong values into a ValueError that begins with the rules' name."""
    try:
        yield
    except (AttributeError, TypeError, ValueError) as wrong:
        told = str(wrong)
        raise Mistake(plain(told if told.startswith(f"{name}: ") else f"{name}: {told}")) from None


class _Checked:
    """What both kinds of rules share: settling fields when made, and refusing by name."""

    name: str
    players: tuple[int, ...]
    hand_size: int

    def __post_init__(self) -> None:
        with told_by(self.name):
            check_fields(self)
            self._check()

    def _check(self) -> None: ...

    def _settle(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def need(self, true: object, reason: str) -> None:
        if not true:
            raise Mistake(f"{self.name}: {reason}")

    def _settle_players(self) -> None:
        given: Any = self.players
        self.need(not isinstance(given, int), f"players is a tuple of the numbers allowed: ({given},), not {given}")
        self._settle(players=tuple(given))
        self.need(self.players and min(self.players) >= 2, "needs at least two players")
        self.need(self.hand_size >= 1, f"a hand of {self.hand_size} cards cannot be played")

    def check_players(self, players: object) -> None:
        self.need(type(players) is int, f"players must be a whole number, not {players!r}")
        allowed = ", ".join(map(str, self.players))
        self.need(players in self.players, f"is not for {players} players; allowed: {allowed}")


@dataclass(frozen=True, kw_only=True)
class TrickRules(_Checked):
    """A trick-taking game with bids laid aside as cards. Points are whole numbers, `target` ends a game.

    `success_bonus`: number of bids made in the deal → points for each of them. `trump_after`: the same number →
    trump of the next deal. `premiums` from low to high. With `bid_cards=0` there are no bids, only tricks. A game ends
    at `target` points or after `deals` deals, whichever comes first; a match is `games` games, or ends with the first
    to win `games_to_win`.
    """

    name: str
    title: str
    source: Source
    players: tuple[int, ...]
    ranks: tuple[Rank, ...]
    hand_size: int
    bid_cards: int
    bid_values: Chart[Suit, int]
    trick_points: int
    success_bonus: Chart[int, int]
    trump_after: Chart[int, Suit | None]
    first_trump: Suit | None = None
    premiums: tuple[Premium, ...] = ()
    target: int | None = None
    deals: int | None = None
    games: int | None = None
    games_to_win: int | None = None

    def _check(self) -> None:
        self._settle_players()
        self._settle(
            ranks=tuple(map(read_rank, self.ranks)),
            bid_values=Chart({read_suit(suit): value for suit, value in self.bid_values.items()}),
            success_bonus=Chart(self.success_bonus),
            trump_after=Chart({made: suit and read_suit(suit) for made, suit in self.trump_after.items()}),
            first_trump=self.first_trump and read_suit(self.first_trump),
            premiums=tuple(self.premiums),
        )
        most, size = max(self.players), len(self.pack(max(self.players)))
        need = most * self.hand_size
        self.need(need <= size, f"{most} hands of {self.hand_size} need {need} cards, the pack has {size}")
        self.need(len(set(self.ranks)) == len(self.ranks), "a rank stands twice in ranks")
        self.need(0 <= self.bid_cards < self.hand_size, f"a bid of {self.bid_cards} cards leaves no card to play")
        for suit in Suit:
            self.need(suit in self.bid_values, f"bid_values lacks {suit}")
        for made in range(most + 1):
            self.need(made == 0 or made in self.success_bonus, f"success_bonus says nothing about {made} bids made")
            self.need(made in self.trump_after, f"trump_after says nothing about {made} bids made")
        numbers = [*self.bid_values.values(), *self.success_bonus, *self.success_bonus.values()]
        self.need(all(type(n) is int for n in numbers), "bid_values and success_bonus must be whole numbers")
        self.need(all(isinstance(p, Premium) for p in self.premiums), "a premium is made with Premium(…)")
        names = [premium.name.lower() for premium in self.premiums]
        self.need(len(set(names)) == len(names), "each premium needs a name of its own")
        for name in names:  # so that it is read back as this announcement and as nothing else
            readable = len(name) > 2 and name.isalpha() and name not in ("pass", "bid", "give")
            self.need(readable, f"a premium cannot be called “{name}”: take one word")
        self.need(self.bid_cards or not self.premiums, "premiums need a bid to be made")
        self.need(self.bid_cards or not any(self.trump_after.values()), "trump_after needs bids to be made")
        self.need(self.target or self.deals, "a game would never end: give target or deals")
        self.need((self.target or 1) > 0 and (self.deals or 1) > 0, "target and deals must be above 0")
        self.need(bool(self.games) != bool(self.games_to_win), "give one of games and games_to_win")
        self.need((self.games or 1) > 0 and (self.games_to_win or 1) > 0, "games must be above 0")

    def pack(self, players: int) -> tuple[Card, ...]:
        return pack(self.ranks)

    @property
    def counts_points(self) -> bool:
        return True

    def bid_value(self, cards: Iterable[Card]) -> int:
        """The number of tricks that bid cards spell."""
        return sum(self.bid_values[card.suit] for card in cards)


OVER_LIMIT = ("play on", "deal over", "allowed")
FLOOR = (None, "clamp", "forbid")
OBJECTIVE = ("last in", "first out", "high", "low")
NEXT_LEADER = ("dealer's left", "loser")


@dataclass(frozen=True, kw_only=True)
class AddingRules(_Checked):
    """A game of adding cards to a running total that should not pass `limit`.

    `effects`: rank, or one card, → rows to choose from; keys and single rows may be given as they are typed.
    `pairs`: rank → rows for two cards of it laid together. `packs`, `lives`: a number, or a Chart by number of players.
    `over_limit`: who must pass the limit loses a life and the others "play on" or the deal is "deal over"; or it is
    "allowed" and ends the round for everybody. `floor`: below 0 the total may go, is set to 0 ("clamp") or must not go
    ("forbid"). `objective`: to be "last in", not to be "first out", or most ("high") or fewest ("low") points after
    `rounds`. `ante`: chips that every turn costs. `penalties`: points for cards held when a deal ends.
    """

    name: str
    title: str
    source: Source
    players: tuple[int, ...]
    packs: int | Chart[int, int]
    hand_size: int
    effects: Chart[Any, Any]
    pairs: Chart[Any, Any] = NOTHING
    start: int = 0
    direction: int = 1
    limit: int = 99
    over_limit: Literal["play on", "deal over", "allowed"]
    voluntary_bust: bool = False
    floor: Literal["clamp", "forbid"] | None = None
    lives: int | Chart[int, int] = 1
    ante: int = 0
    milestones: tuple[Milestone, ...] = ()
    milestones_down: bool = False
    penalties: Chart[Any, int] = NOTHING
    rounds: int | None = None
    objective: Literal["last in", "first out", "high", "low"]
    next_leader: Literal["dealer's left", "loser"] = "dealer's left"
    draw_after_end: bool = False

    def _check(self) -> None:
        self._settle_players()
        self._settle(
            effects=Chart({_rank_or_card(key): _rows(rows) for key, rows in self.effects.items()}),
            pairs=Chart({read_rank(str(rank)): _rows(rows) for rank, rows in self.pairs.items()}),
            penalties=NOTHING | {c if isinstance(c, Card) else Card.parse(c): n for c, n in self.penalties.items()},
            milestones=tuple(self.milestones),
        )
        for field in ("packs", "lives"):
            given = getattr(self, field)
            self.need(isinstance(given, int | Mapping), f"{field} must be a whole number or a Chart, not {given!r}")
            by_number = Chart(given if isinstance(given, Mapping) else dict.fromkeys(self.players, given))
            self._settle(**{field: given if isinstance(given, int) else by_number})
            for players in self.players:
                self.need(players in by_number, f"{field} says nothing about {players} players")
                self.need(by_number[players] > 0, f"{field} must be above 0")
        for players in self.players:
            need, size = players * self.hand_size + 1, len(self.pack(players))
            self.need(need <= size, f"{players} hands of {self.hand_size} need {need} cards, the pack has {size}")
        for milestone in self.milestones:
            right = isinstance(milestone, Milestone) and all(type(n) is int for n in milestone)
            self.need(right, f"a milestone is Milestone(at, points) in whole numbers, not {milestone!r}")
        self.need(all(type(n) is int for n in self.penalties.values()), "penalties must be whole numbers")
        self._check_effects()
        self._check_choices()

    def _check_effects(self) -> None:
        for rank in Rank:
            self.need(rank in self.effects, f"no effect for {rank}")
        for key, rows in [*self.effects.items(), *self.pairs.items()]:
            self.need(rows, f"no effect for {key}")
            for row in rows:
                self.need(isinstance(row, Effect), f"the effect of {key} must be made with Effect(…), not {row!r}")
            texts = [str(row) for row in rows]
            self.need(len(set(texts)) == len(texts), f"two choices for {key} are both written {min(texts)}")

    def _check_choices(self) -> None:
        for field, allowed in (
            ("over_limit", OVER_LIMIT),
            ("floor", FLOOR),
            ("objective", OBJECTIVE),
            ("next_leader", NEXT_LEADER),
            ("direction", (1, -1)),
        ):
            value = getattr(self, field)
            self.need(value in allowed, f"{field} is {value!r}; it can be {', '.join(map(repr, allowed))}")
        points = self.objective in ("high", "low")
        self.need(self.start <= self.limit, f"starts at {self.start}, above the limit of {self.limit}")
        self.need(self.ante >= 0, f"a turn cannot cost {self.ante}")
        self.need(
            points == (self.over_limit == "allowed"),
            f"objective {self.objective!r} does not go with over_limit {self.over_limit!r}",
        )
        self.need(points == bool(self.rounds), "rounds must be given when points decide, and only then")
        lives = not points or self.floor != "forbid"
        self.need(lives, "floor 'forbid' needs lives to lose, and nobody loses one here")
        self.need((self.rounds or 1) > 0, "rounds must be above 0")
        self._check_idle(points)

    def _check_idle(self, points: bool) -> None:
        """A field that could change nothing is a mistake."""
        several_deals = self.over_limit == "deal over"
        idle = {
            "voluntary_bust": self.voluntary_bust and points,
            "lives": self.lives != 1 and points,
            "next_leader": self.next_leader == "loser" and not several_deals,
            "draw_after_end": self.draw_after_end and not points,
            "milestones_down": self.milestones_down and not self.milestones,
            "ante": self.ante and self.objective != "last in",
        }
        for field, does_nothing in idle.items():
            self.need(
                not does_nothing,
                f"{field} would change nothing with over_limit {self.over_limit!r} and objective {self.objective!r}",
            )

    def pack(self, players: int) -> tuple[Card, ...]:
        return pack(packs=self.packs if isinstance(self.packs, int) else self.packs[players])

    @property
    def counts_points(self) -> bool:
        return self.objective in ("high", "low") or bool(self.milestones or self.penalties)

    def lives_for(self, players: int) -> int:
        return self.lives if isinstance(self.lives, int) else self.lives[players]

    @cached_property
    def _by_card(self) -> dict[Card, tuple[Effect, ...]]:
        return {card: self.effects.get(card, self.effects[card.rank]) for card in pack()}

    def rows(self, cards: tuple[Card, ...]) -> tuple[Effect, ...]:
        """The effects to choose from when these cards are laid together; () if they may not be."""
        if len(cards) == 1:
            return self._by_card.get(cards[0], ())
        if len(cards) == 2 and cards[0].rank == cards[1].rank:
            return self.pairs.get(cards[0].rank, ())  # type: ignore[no-any-return]
        return ()


Rules = TrickRules | AddingRules


def _rank_or_card(key: Rank | Card | str) -> Rank | Card:
    if isinstance(key, Card):
        return key
    name = str(key).strip()  # a number will do for a rank
    return read_rank(name) if len(name) == 1 or name == "10" else Card.parse(name)


def _rows(rows: Any) -> tuple[Any, ...]:
    return tuple(rows) if isinstance(rows, list | tuple) else (rows,)
