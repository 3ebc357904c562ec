"""Plays the same tables twice, in arrays and on the clear engine, with the same packs and the same chance."""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

import ninety_nine_kit as kit
from ninety_nine_kit import batch
from ninety_nine_kit.batch.common import CARDS, EMPTY, NUMBER, ROUNDS
from ninety_nine_kit.batch.lays import lowest_total
from ninety_nine_kit.card import card_order, shuffle, stream
from ninety_nine_kit.events import CardsLaid
from ninety_nine_kit.game import Phase


class Given(batch.Chance):
    """Chance that both engines can be given: packs, numbers and refills as the kit's own generators make them."""

    def __init__(self, seed: str, tables: int, rounds: int) -> None:
        super().__init__(seed, 0, tables, rounds)
        self.seed = seed
        self.streams = [Numbers(seed, lane) for lane in range(tables)]

    def packs(self, pack: Any) -> Any:
        self.whole = [CARDS[number] for number in pack.tolist()]
        rows = [
            [[NUMBER[card] for card in self.pack(lane, number)] for lane in range(self._tables)]
            for number in range(self.rounds)
        ]
        return np.array(rows, np.uint8)

    def pack(self, lane: int, number: int) -> tuple[kit.Card, ...]:
        return shuffle(self.whole, self.seed, lane, number)

    def below(self, choices: Any, lanes: Any) -> Any:
        pairs = zip(choices.tolist(), lanes.tolist(), strict=True)
        return np.array([int(self.streams[lane].random() * n) for n, lane in pairs], np.intp)

    def refills(self, cards: Any, lanes: Any) -> Any:
        rows = [[CARDS[number] for number in row if number != EMPTY] for row in cards.tolist()]
        orders = [[NUMBER[card] for card in refill(row)] for row in rows]
        return np.array([row + [EMPTY] * (cards.shape[1] - len(row)) for row in orders], np.uint8)


class Numbers:
    """Numbers of 32 bits as shares of one, the same each time."""

    def __init__(self, seed: str, lane: int) -> None:
        self._stream = stream(seed, "numbers", lane)

    def random(self) -> float:
        return int(self._stream.random() * 2**32) / 2**32


def refill(cards: Sequence[kit.Card], *key: object) -> tuple[kit.Card, ...]:
    """A shuffle that depends on which cards they are alone, not on their order, for both engines."""
    return shuffle(sorted(cards, key=card_order), "refill")


def in_arrays(
    rules: Any, players: int, names: Sequence[str], seed: str, tables: int, rounds: int
) -> tuple[batch.Deals, list[list[Any]]]:
    """The deals, and for each table every decision in turn: who, how many choices, which, what was seen."""
    seen: list[list[Any]] = [[] for _ in range(tables)]

    def noted(view: Any, chance: Any) -> Any:
        asked = [names[seat] for seat in view.seats.tolist()]
        assert asked, "somebody must be there to be asked"
        needed = {*asked, *({"random"} & {*names})}  # one that draws does so for every seat
        answers = {name: batch.POLICIES[name](view, chance).tolist() for name in needed}
        chosen = [answers[name][place] for place, name in enumerate(asked)]
        seats, choices = view.seats.tolist(), view.choices.tolist()
        for place, lane in enumerate(view.lanes.tolist()):
            seen[lane].append((seats[place], view.phase, choices[place], chosen[place], *_legal(view, place)))
        return np.array(chosen, np.intp)

    return play(rules, players, [noted] * players, seed, tables, rounds), seen


def play(
    rules: Any, players: int, policies: Sequence[batch.Policy], seed: str, tables: int, rounds: int
) -> batch.Deals:
    """The arrays' deals with chance that both can be given."""
    return batch.play_tables(rules, players, policies, Given(seed, tables, rounds), tables, 0, tables * rounds)


def _legal(view: Any, place: int) -> tuple[Any, ...]:
    """The cards that a view says may be played, or the hand, and the total."""
    hand = [CARDS[number] for number in view.hand[:, place].tolist() if number != EMPTY]
    if hasattr(view, "book"):
        return (*hand, int(view.column[place]) + view.book.lowest)
    if view.phase == "announce":
        return ()
    if view.phase == "play":
        hand = [card for number, card in enumerate(hand) if int(view.legal[place]) >> number & 1]
    return tuple(hand)


def one_by_one(
    rules: Any, players: int, names: Sequence[str], seed: str, tables: int, rounds: int
) -> Iterator[tuple[list[Any], list[Any]]]:
    """For each table the rows of its deals, and every decision, as the kit's agents play on the clear engine.

    `adding.shuffle` must be `refill`.
    """
    given = Given(seed, tables, rounds)
    given.whole = list(rules.pack(players))
    lowest = lowest_total(rules) if isinstance(rules, kit.AddingRules) else 0
    for lane in range(tables):
        rows: list[Any] = []
        decisions: list[Any] = []
        state: Any = None
        for number in range(rounds):
            if state is None or state.to_act is None or not all(map(state.is_in, range(players))):
                packs = [given.pack(lane, later) for later in range(number, rounds)]
                state = kit.deal(rules, players, seed="x", dealer=(lane + number) % players, packs=packs)
            else:
                state = state.apply("next deal")
            states = [state]
            while state.to_act is not None and state.phase is not Phase.DEAL_OVER:
                decision, state = _step(state, names, given.streams[lane], lowest)
                states.append(state)
                decisions += [decision] * (decision is not None)
            rows.append(row_of(states))
        yield rows, decisions


def _step(state: Any, names: Sequence[str], numbers: Numbers, lowest: int) -> tuple[Any, Any]:
    seat, legal = state.to_act, state.legal_actions()
    tricks = isinstance(state, kit.TrickState)
    if tricks and state.phase is Phase.PLAY and len(state.hands[seat]) == 1:
        return None, state.apply(legal[0])  # nobody is asked for the last card
    number = numbers.random() if "random" in names else 0.0
    given: Any = SimpleNamespace(random=lambda: number)
    action = kit.AGENTS[names[seat]](state.seen_by(seat), given)
    if tricks:
        seen = state.hands[seat] if state.phase is not Phase.PLAY else tuple(play.cards[0] for play in legal)
        seen = () if state.phase is Phase.ANNOUNCE else seen
    else:
        seen = (*state.hands[seat], max(state.total, lowest))
    return (seat, str(state.phase), len(legal), legal.index(action), *seen), state.apply(action)


def row_of(states: Sequence[Any]) -> dict[str, Any]:
    """What a row of `Deals` says of a deal, from all its states."""
    dealt, ended, rules = states[0], states[-1], states[0].rules
    plays = [state for state in states if state.phase is Phase.PLAY]
    row = ended.sheet[-1]
    tricks = isinstance(ended, kit.TrickState)
    found = {
        "dealer": dealt.dealer,
        "first": dealt.to_act,
        "points": row.points,
        "decisions": len(states) - 1,
        "turns": len(plays),
        "choices": sum(len(state.legal_actions()) > 1 for state in plays),
        "lengths": sum(any(isinstance(e, CardsLaid) for e in state.events) for state in states[1:]),
    }
    if tricks or rules.over_limit == "allowed":
        top = (min if getattr(rules, "objective", "") == "low" else max)(row.points)
        best = [points == top for points in row.points]
    elif rules.over_limit == "deal over":
        before = dealt.lives
        best = [left < had for left, had in zip(ended.lives, before, strict=True)]
    else:
        best = [seat in ended.winners for seat in range(ended.players)]
    found["best"] = tuple(map(int, best))
    if tricks:
        last = next(state for state in reversed(plays) if not state.trick)
        holder, premium = ended.premium or (-1, None)
        found |= {
            "lengths": len(ended.tricks),
            "won": row.tricks,
            "bids": tuple(-1 if bid is None else bid for bid in row.bids),
            "trump": 4 if dealt.trump is None else list(kit.Suit).index(dealt.trump),
            "premium": rules.premiums.index(premium) if premium else -1,
            "holder": holder,
            "open_bids": sum(
                bid is not None and bid - won in (0, 1) for bid, won in zip(row.bids, last.won, strict=True)
            ),
        }
    return found


def rows_in(deals: batch.Deals, lane: int, tables: int) -> list[dict[str, Any]]:
    """The same of one table, from the arrays."""
    columns = {name: kept[lane::tables].tolist() for name, kept in vars(deals).items() if isinstance(kept, np.ndarray)}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [{name: tuple(map(int, v)) if isinstance(v, list) else v for name, v in row.items()} for row in rows]


def agree(rules: Any, players: int, names: Sequence[str], seed: str, tables: int = 1, rounds: int = ROUNDS) -> None:
    """Asserts that both engines play the same tables alike, decision by decision and row by row."""
    deals, seen = in_arrays(rules, players, names, seed, tables, rounds)
    for lane, (rows, decisions) in enumerate(one_by_one(rules, players, names, seed, tables, rounds)):
        for mine, clear in zip(seen[lane], decisions, strict=False):
            assert mine == clear
        assert len(seen[lane]) >= len(decisions)
        assert rows_in(deals, lane, tables) == rows
