"""Opens a match, or a position that a person sets up, with the engine that the rules need."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from random import SystemRandom
from typing import Any, overload

from ninety_nine_kit import adding, tricks
from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import Card, Mistake, card_order, hidden_signs, listed, read_cards, read_suit, shuffle, stream
from ninety_nine_kit.game import Cards, NextDeal, Phase, State
from ninety_nine_kit.rules import AddingRules, Rules, TrickRules, told_by
from ninety_nine_kit.tricks import Trick, TrickState

GivenCards = str | Iterable[Card | str]


@overload
def deal(
    rules: TrickRules,
    players: int = ...,
    seed: int | str | None = ...,
    dealer: int | None = ...,
    packs: Sequence[GivenCards] | str | None = ...,
) -> TrickState: ...
@overload
def deal(
    rules: AddingRules,
    players: int = ...,
    seed: int | str | None = ...,
    dealer: int | None = ...,
    packs: Sequence[GivenCards] | str | None = ...,
) -> AddingState: ...
def deal(
    rules: Rules,
    players: int = 3,
    seed: int | str | None = None,
    dealer: int | None = None,
    packs: Sequence[GivenCards] | str | None = None,
) -> State:
    """Deals the first deal of a match.

    The same `seed` (99 and "99" are the same) is the same match on every machine; without one it is drawn and kept in
    the state. `dealer`: a seat, or by lot from the seed. `packs`: the cards of the first deal in dealing order (one
    at a time from the dealer's left, then the stock), or a list of such packs for several deals.

    >>> from ninety_nine_kit.presets import ADDING_RU
    >>> state = deal(ADDING_RU, players=3, seed=99)
    >>> state.total, state.to_act == (state.dealer + 1) % 3, len(state.stock)
    (0, True, 43)
    """
    check_rules(rules)
    rules.check_players(players)
    seed = SystemRandom().randrange(1_000_000) if seed is None else _read_seed(seed)
    if dealer is None:
        dealer = int(stream(seed, "dealer").random() * players)
    _check_seat(rules, players, "dealer", dealer)
    return _blank(rules, players, seed, dealer, _read_packs(rules, players, packs)).apply(NextDeal())


def check_rules(rules: object) -> None:
    if not isinstance(rules, TrickRules | AddingRules):
        raise TypeError(f"{rules!r} is not rules: take one of kit.PRESETS, such as kit.PRESETS['adding-ru']")


def _read_seed(seed: int | str) -> int | str:
    """A number typed as text is that number, so that it deals the same cards."""
    if not isinstance(seed, int | str) or isinstance(seed, bool):
        raise TypeError(f"a seed is a whole number or a text, not {seed!r}")
    if isinstance(seed, str):
        if hidden_signs(seed):
            raise Mistake(f"a seed has no characters that cannot be seen: {seed!r}")
        if len(seed) <= 100 and seed.removeprefix("-").isdecimal() and str(int(seed)) == seed:
            return int(seed)
    return seed


def _blank(
    rules: Rules, players: int, seed: int | str, dealer: int, packs: tuple[Cards, ...] = ()
) -> TrickState | AddingState:
    if isinstance(rules, TrickRules):
        return tricks.blank(rules, players, seed, dealer, packs)
    return adding.blank(rules, players, seed, dealer, packs)


def _read_packs(rules: Rules, players: int, packs: Sequence[GivenCards] | str | None) -> tuple[Cards, ...]:
    if packs is None:
        return ()
    packs = packs if isinstance(packs, str) else list(packs)
    first = packs[0] if packs else ""
    one = isinstance(packs, str) or isinstance(first, Card) or (isinstance(first, str) and len(first.split()) < 2)
    read = tuple(map(read_cards, [packs] if one else packs))  # type: ignore[arg-type]
    whole = Counter(rules.pack(players))
    for pack in read:
        lacks, extra = whole - Counter(pack), Counter(pack) - whole
        if lacks or extra:
            wrong = [f"lacks {_listed(lacks)}"] * bool(lacks) + [f"has {_listed(extra)} too many"] * bool(extra)
            raise Mistake(f"{rules.name}: the pack given {' and '.join(wrong)}")
    return read


def _listed(counted: Counter[Card]) -> str:
    return listed(sorted(counted.elements(), key=card_order))


def _check_seat(rules: Rules, players: int, name: str, seat: object) -> None:
    if seat not in range(players):
        raise Mistake(f"{rules.name}: {name} is {seat!r}, but the seats are 0 to {players - 1}")


@overload
def position(rules: TrickRules, hands: Sequence[GivenCards], **given: Any) -> TrickState: ...
@overload
def position(rules: AddingRules, hands: Sequence[GivenCards], **given: Any) -> AddingState: ...
def position(rules: Rules, hands: Sequence[GivenCards], **given: Any) -> State:
    """A set-up to start from, checked: one hand a seat, and any fields of the state by name; cards may be texts.

    What is not given is as in a first deal dealt by the last seat: seat 0 begins. The cards that are nowhere else are
    the stock, shuffled by `seed` (0 if not given), unless `stock` is given; then the other cards are left out of the
    game. At tricks the bidding is over when `bids` are given, or anything of the play, or hands too small to bid from;
    without `bids` nobody has made one. `phase="announce"` starts with the premiums. ValueError begins with the rules'
    name.

    >>> from ninety_nine_kit.presets import PARANOIA_RU
    >>> state = position(PARANOIA_RU, ["10♥ 2♣ 5♦", "3♣ 3♦ K♠"], total=24)
    >>> state.apply("10♥ +10").total
    34
    """
    check_rules(rules)
    with told_by(rules.name):
        rules.check_players(len(hands))
        return _position(rules, hands, given)


def _position(rules: Rules, hands: Sequence[GivenCards], given: dict[str, Any]) -> State:
    players = len(hands)
    dealer = given.setdefault("dealer", players - 1)
    _check_seat(rules, players, "dealer", dealer)
    state = _blank(rules, players, _read_seed(given.setdefault("seed", 0)), dealer)
    known = {field.name for field in fields(state)} - NOT_GIVEN
    for name in given:
        rules.need(name in known, f"a position has no field “{name}”; it has {', '.join(sorted(known))}")
    given = {name: _read_field(rules, name, value) for name, value in given.items()}
    given["seed"] = state.seed
    given["hands"] = tuple(tuple(sorted(read_cards(hand), key=card_order)) for hand in hands)
    given.setdefault("deal_number", 1)
    for name in ("scores", "bids", "won", "games_won", "lives", "earned"):
        right = name not in given or len(given[name]) == players
        rules.need(right, f"{name} needs one entry for each of {players} players")
    for name in ("scores", "won", "games_won", "lives"):
        whole = all(type(number) is int and (number >= 0 or name == "scores") for number in given.get(name, ()))
        rules.need(whole, f"{name} must be whole numbers, not {given.get(name)}")
    state = state._with(**given)
    ready = _set_up_tricks(state, given) if isinstance(state, TrickState) else _set_up_adding(state, given)
    rest = _rest(ready)
    for name in ("to_act", "leader", "layer"):
        _check_seat(rules, players, name, getattr(ready, name, 0))
    return ready if "stock" in given else ready._with(stock=rest)


#: Fields of a state that a position settles itself.
NOT_GIVEN = {
    "rules",
    "players",
    "is_view",
    "view_of",
    "events",
    "packs",
    "given",
    "winners",
    "sheet",
    "refills",
    "next_seat",
}


def _read_field(rules: Rules, name: str, value: Any) -> Any:
    if name == "premium" and value is not None:
        seat, premium = value
        return seat, next(
            (known for known in getattr(rules, "premiums", ()) if premium in (known, known.name)), premium
        )
    if name in ("stock", "pile", "trick"):
        return read_cards(value)
    if name == "tricks":
        rules.need(all(isinstance(trick, Trick) for trick in value), "tricks are kit.tricks.Trick values")
        for trick in value:
            for seat in (trick.leader, trick.winner):
                _check_seat(rules, max(rules.players), "a seat of tricks", seat)
    if name == "bids":
        return tuple(tuple(sorted(read_cards(cards), key=card_order)) for cards in value)
    if name == "trump" and value is not None:
        return read_suit(value)
    if name == "phase":
        return Phase(value)
    return tuple(value) if isinstance(value, list) else value


def _rest(state: State) -> Cards:
    """The pack less the cards that the position places, shuffled; refused where a card is placed too often."""
    placed = [*state.stock, *getattr(state, "pile", ()), *getattr(state, "trick", ())]
    for name in ("hands", "bids"):
        for cards in getattr(state, name, ()):
            placed += cards
    for taken in getattr(state, "tricks", ()):
        placed += taken.cards
    pack = Counter(state.rules.pack(state.players))
    extra = Counter(placed) - pack
    state.rules.need(not extra, f"the pack does not hold {_listed(extra)} so often")
    rest = pack - Counter(placed)
    return shuffle(sorted(rest.elements(), key=card_order), str(state.seed), state.deal_number, 0)


def _set_up_tricks(state: TrickState, given: dict[str, Any]) -> State:
    rules, players = state.rules, state.players
    plays = given.keys() & {"bids", "trick", "tricks", "won", "leader", "premium"}
    bids = not plays and all(len(hand) > rules.bid_cards for hand in state.hands) and rules.bid_cards
    phase = given.get("phase", Phase.BID if bids else Phase.PLAY)
    rules.need(phase in (Phase.BID, Phase.ANNOUNCE, Phase.PLAY), f"a position cannot start at “{phase}”")
    leader = given.get("leader", state.eldest)
    if phase is Phase.BID:
        order = [(state.eldest + step) % players for step in range(players)]
        bidding = [seat for seat in order if not state.bids[seat]]
        rules.need(bidding and bidding == order[-len(bidding) :], "bids are laid in turn from the eldest on")
        short = [seat for seat in bidding if len(state.hands[seat]) <= rules.bid_cards]
        rules.need(not short, f"give bids, or hands of more than {rules.bid_cards} cards to bid from")
        rules.need(given.get("to_act", bidding[0]) == bidding[0], f"seat {bidding[0]} is the next to bid")
        early = state.premium or any(state.won) or state.trick or state.tricks
        rules.need(not early, "while bids are laid, nothing is announced, played or won")
        held = {len(hand) + len(bid) for hand, bid in zip(state.hands, state.bids, strict=True)}
        rules.need(len(held) == 1, "the hands and the bids do not fit: all seats need as many cards")
        return state._with(phase=phase, leader=state.eldest, to_act=bidding[0])
    holder, premium = state.premium or (0, None)
    right = premium in (None, *rules.premiums)
    rules.need(right, f"premium is (seat, one of rules.premiums) or None, not {state.premium!r}")
    _check_seat(rules, players, "the premium's holder", holder)
    for bid in state.bids if any(state.bids) or phase is Phase.ANNOUNCE or premium else ():
        rules.need(len(bid) == rules.bid_cards, f"a bid is {rules.bid_cards} cards, not “{listed(bid)}”")
    to_act = given.get("to_act", (leader + len(state.trick)) % players if phase is Phase.PLAY else state.eldest)
    if phase is Phase.PLAY:
        rules.need(len(state.trick) < players, "the trick on the table is full")
        rules.need(to_act == (leader + len(state.trick)) % players, "to_act does not fit leader and trick")
    played = [phase is Phase.PLAY and (seat - leader) % players < len(state.trick) for seat in range(players)]
    sizes = {len(hand) + had for hand, had in zip(state.hands, played, strict=True)}
    whole = rules.hand_size - rules.bid_cards
    rules.need(sum(state.won) + max(sizes) <= whole, f"tricks won and cards left are more than {whole}")
    rules.need(len(sizes) == 1 and sizes != {0}, "the hands and the trick do not fit: all need as many cards")
    return state._with(phase=phase, leader=leader, to_act=to_act)


def _set_up_adding(state: AddingState, given: dict[str, Any]) -> State:
    rules = state.rules
    rules.need(given.get("phase", Phase.PLAY) is Phase.PLAY, "a position starts when a card is to be laid")
    right = all(len(parts) == 4 for parts in state.earned)
    rules.need(right, "earned has four parts for each seat, as in a SheetRow")
    rules.need(sum(map(bool, state.lives)) > 1, "at least two players must have a life left")
    for seat, hand in enumerate(state.hands):
        rules.need(len(hand) <= rules.hand_size, f"seat {seat} holds more than {rules.hand_size} cards")
        rules.need(bool(hand) == state.is_in(seat), f"seat {seat} needs cards and a life, or neither")
    state = state._with(direction=given.get("direction", rules.direction))
    rules.need(state.direction in (1, -1), f"direction is 1 (clockwise) or -1, not {state.direction!r}")
    total = given.get("total", rules.start)
    rules.need(isinstance(total, int), f"the total must be a whole number, not {total!r}")
    rules.need(total <= rules.limit, f"a total of {total} is over {rules.limit}")
    to_act = given.get("to_act", state.next_in(state.dealer))
    _check_seat(rules, state.players, "to_act", to_act)
    rules.need(state.is_in(to_act), f"seat {to_act} is to act but has no life left")
    return state._with(phase=Phase.PLAY, total=total, to_act=to_act)
