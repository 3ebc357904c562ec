"""Many tables play at once, with numpy: the same rules and players as in one deal, some hundred times as fast."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from ninety_nine_kit.batch import lays, tricks
from ninety_nine_kit.batch.adding import AddingGame
from ninety_nine_kit.batch.common import ROUNDS, Array, Chance, Policy, Seats, View
from ninety_nine_kit.batch.policies import POLICIES
from ninety_nine_kit.batch.tricks import TrickGame
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.rules import AddingRules, Rules, TrickRules

__all__ = ["BLOCK", "POLICIES", "ROUNDS", "Deals", "Policy", "View", "play_block", "simulate"]

#: Deals in a block, whose tables all play at a time: 8,192 with ROUNDS deals in a row, or, where no deal depends on the
#: one before, twice as many, which is faster.
BLOCK = 65_536
#: Numbers in the rules further from 0 than this could make sums too large.
LARGEST, MOST_PLAYERS = 10_000, 10
#: Fields whose numbers enter no sum.
NO_SUMS = ("target", "deals", "games", "games_to_win", "rounds", "ante")


@dataclass(frozen=True, eq=False)
class Deals:
    """What happened in many deals, as arrays of whole numbers with a row for each deal; those by seat have two axes.

    `dealer`, `first` (who acted first): seats. `points` (by seat). `best` (by seat): 1 for who won the deal, or lost it
    where a deal has one loser; several if equal. `decisions`: actions taken. `turns`: cards and pairs played, or laid;
    `choices`: in how many of these there was more than one legal action.

    `lengths`: lays that counted on the total, or tricks played. Only at tricks, elsewhere None: `won` and `bids` (by
    seat; a bid is −1 where the game has none), `trump` (0 to 3 in the order ♣♦♥♠, 4 for none), `premium` (its number in
    the rules, or −1) and its `holder`, `open_bids` (how many bids the last trick made or broke).
    """

    rules: Rules
    players: int
    dealer: Array
    first: Array
    points: Array
    best: Array
    decisions: Array
    turns: Array
    choices: Array
    lengths: Array
    won: Array | None = None
    bids: Array | None = None
    trump: Array | None = None
    premium: Array | None = None
    holder: Array | None = None
    open_bids: Array | None = None


def simulate(
    rules: Rules,
    players: int = 3,
    deals: int = 20_000,
    seed: int | str = 1,
    policy: str | Policy | Sequence[str | Policy] = "random",
) -> Deals:
    """Plays so many deals, each dealt and played once, and tells what happened in each.

    Where a deal depends on the one before, by its trump or its first player, ROUNDS deals are played in a row at every
    table. A new match begins when one is over or a player is out, so that everybody is in every deal. The dealer moves
    on by one seat a deal and a table. Rows stand for all tables' first deals, then their second ones, and so on. The
    same seed gives the same deals.

    `policy`: a name from POLICIES or a function (view, chance) → array of numbers of legal actions; one for all seats,
    or a list with one for each. Mistake, a ValueError, names what is wrong or too large.

    >>> from ninety_nine_kit.presets import TRICKS_RU
    >>> played = simulate(TRICKS_RU, deals=20_000, seed=1)
    >>> round(float((played.won == played.bids).mean()), 2)
    0.12
    """
    check(rules, players)
    if type(deals) is not int or deals < 1:
        raise Mistake(f"deals must be a whole number from 1 up, such as 20_000, not {deals!r}")
    if not isinstance(seed, int | str):
        raise Mistake(f"a seed is a whole number or a text, not {seed!r}")
    policies = find_policies(policy, players)
    blocks = [play_block(rules, players, policies, seed, *block) for block in blocks_of([rules], deals)]
    if len(blocks) == 1:
        return blocks[0]
    found = {name: [getattr(block, name) for block in blocks] for name in Deals.__dataclass_fields__}
    joined = {name: np.concatenate(kept) for name, kept in found.items() if isinstance(kept[0], np.ndarray)}
    return Deals(rules, players, **joined)


def blocks_of(games: Sequence[Rules], deals: int) -> Iterator[tuple[int, int, int]]:
    """Blocks that together have so many deals: number, deals, and how many deals are played in a row at a table.

    Games that are to be played with the same packs must be given together.
    """
    remember = any(map(remembers, games))
    for number, start in enumerate(range(0, deals, BLOCK)):
        size = min(BLOCK, deals - start)
        yield number, size, ROUNDS if remember else -(-size // (2 * BLOCK // ROUNDS))


def remembers(rules: Rules) -> bool:
    """Whether a deal depends on the one before."""
    if isinstance(rules, TrickRules):
        return any(trump != rules.first_trump for trump in rules.trump_after.values())
    return rules.next_leader == "loser"


def play_block(
    rules: Rules, players: int, policies: Sequence[Policy], seed: int | str, number: int, deals: int, rounds: int
) -> Deals:
    """The deals of one block; what is given must have been checked."""
    tables = -(-deals // rounds)
    chance = Chance(seed, number, tables, rounds)
    return play_tables(rules, players, policies, chance, tables, number * BLOCK // rounds, deals)


def play_tables(
    rules: Rules, players: int, policies: Sequence[Policy], chance: Chance, tables: int, first: int, deals: int
) -> Deals:
    """So many tables, of which the first has the number `first`, with chance as given."""
    seats = Seats(policies, chance, list(POLICIES.values()))
    if isinstance(rules, TrickRules):
        found = TrickGame(rules, players, seats, chance, tables, first).play()
    else:
        found = AddingGame(rules, players, seats, chance, tables, first).play()
    return Deals(rules, players, **{name: kept[:deals] for name, kept in found.items()})


def check(rules: Rules, players: int) -> None:
    """Refuses, by name, what cannot be played here."""
    if not isinstance(rules, TrickRules | AddingRules):
        raise TypeError(f"{rules!r} is not rules: take one of kit.PRESETS, such as kit.PRESETS['adding-ru']")
    rules.check_players(players)
    rules.need(players <= MOST_PLAYERS, f"batch plays with up to {MOST_PLAYERS} players, not {players}")
    large = [number for number in _numbers(rules) if abs(number) > LARGEST]
    rules.need(not large, f"batch counts with numbers up to {LARGEST}, not {large and large[0]}")
    if isinstance(rules, TrickRules):
        tricks.refuse(rules)
    else:
        lays.refuse(rules)


def _numbers(value: Any) -> Iterator[int]:
    """Every whole number in rules, however deep."""
    if isinstance(value, int):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in NO_SUMS:
                yield from _numbers(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from _numbers(tuple(value.values()))
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)


def find_policies(policy: str | Policy | Sequence[str | Policy], players: int) -> list[Policy]:
    """The policy of each seat."""
    alone = isinstance(policy, str) or not isinstance(policy, Sequence)
    given: list[Any] = [policy] * players if alone else list(policy)  # type: ignore[arg-type]
    if len(given) != players:
        raise Mistake(f"{len(given)} policies for {players} seats: give one for all or one for each")
    unknown = [name for name in given if not callable(name) and name not in list(POLICIES)]
    if unknown:
        raise Mistake(f"no policy {unknown[0]!r}; there are: {', '.join(POLICIES)}, or give a function")
    return [POLICIES[name] if isinstance(name, str) else name for name in given]
