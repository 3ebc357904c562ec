"""How a block of deals is played and counted: in arrays where that can be done, else one deal after another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from platform import python_version
from typing import Any

from ninety_nine_kit.agents import AGENTS, Agent, ask, find_agent, find_agents
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.dealing import deal
from ninety_nine_kit.events import N_, CardsLaid
from ninety_nine_kit.experiment.count import Deal, Tally, has_loser
from ninety_nine_kit.game import Phase, State
from ninety_nine_kit.rules import Rules, TrickRules

#: Deals in a row at one table, tables in a block that is played one by one, and how many deals if it is not told.
ROUNDS, FEW_TABLES, MANY, FEW = 8, 4, 20_000, 100
NO_NUMPY, OWN_AGENTS = N_("numpy is not installed"), N_("there are agents that are functions of your own")
#: A deal that has not ended after so many actions is taken to have no end.
MAX_ACTIONS = 10_000


@dataclass(frozen=True)
class Plan:
    """All that the numbers depend on, and in `labels` what to call the games, if not by their titles.

    `one_by_one` tells why the deals are played one after another; if it is empty, they are played in arrays.
    """

    games: tuple[Rules, ...]
    players: int
    agents: tuple[str | Agent, ...]
    seed: int | str
    deals: int
    one_by_one: str = ""
    labels: tuple[str, ...] = ()

    @property
    def in_arrays(self) -> bool:
        return not self.one_by_one

    def blocks(self) -> Iterator[tuple[int, int, int]]:
        """The blocks of deals: number, how many, and how many are played in a row at a table."""
        if self.in_arrays:
            from ninety_nine_kit import batch

            yield from batch.blocks_of(self.games, self.deals)
            return
        size = ROUNDS * FEW_TABLES
        for number, start in enumerate(range(0, self.deals, size)):
            yield number, min(size, self.deals - start), ROUNDS

    @property
    def names(self) -> tuple[str, ...]:
        """The agents by name; a function by its own."""
        return tuple(map(_agent_name, self.agents))

    def play(self, number: int, deals: int, rounds: int) -> Tally:
        """Plays a block: in both games, if there are two, with the same packs."""
        by_seat = any(agent != self.agents[0] for agent in self.agents)
        if self.in_arrays:
            found = [(rules, self._in_arrays(rules, number, deals, rounds)) for rules in self.games]
            return Tally.of(found, deals, by_seat)
        tally, together = Tally(), zip(*(self._one_by_one(rules, number) for rules in self.games), strict=True)
        for found in islice(together, deals):
            tally.add(Tally.of(list(zip(self.games, found, strict=True)), 1, by_seat))
        return tally

    def _in_arrays(self, rules: Rules, number: int, deals: int, rounds: int) -> Deal:
        from ninety_nine_kit import batch

        policies = batch.find_policies(self.names, self.players)
        found = batch.play_block(rules, self.players, policies, self.seed, number, deals, rounds)

        def by_seat(values: Any) -> list[Any]:
            return [] if values is None else list(values.T)

        return Deal(
            first=found.first,
            turn=getattr(rules, "direction", 1),
            points=by_seat(found.points),
            best=by_seat(found.best),
            lengths=found.lengths,
            turns=found.turns,
            choices=found.choices,
            won=by_seat(found.won),
            bids=by_seat(found.bids),
            open_bids=found.open_bids,
        )

    def _one_by_one(self, rules: Rules, number: int) -> Iterator[Deal]:
        agents = [find_agent(agent) for agent in self.agents]
        for table in range(number * FEW_TABLES, (number + 1) * FEW_TABLES):
            yield from table_of(rules, self.players, agents, self.seed, table)


def make_plan(
    games: Sequence[Rules],
    deals: int | None,
    players: int | None,
    agents: str | Agent | Sequence[str | Agent] | Mapping[int, str | Agent],
    seed: int | str,
    labels: Sequence[str] = (),
) -> Plan:
    """Checks all that is given, before anything is played."""
    if deals is not None and (type(deals) is not int or deals < 1):
        raise Mistake(f"games must be a whole number from 1 up, such as 20_000, not {deals!r}")
    if not isinstance(seed, int | str):
        raise Mistake(f"a seed is a whole number or a text, not {seed!r}")
    if players is None:
        allowed = set.intersection(*(set(getattr(rules, "players", (3,))) for rules in games)) or {3}
        players = 3 if 3 in allowed else min(allowed)
    for rules in games:
        deal(rules, players, seed)  # refuses rules and players that do not fit
    if isinstance(agents, str) or not isinstance(agents, Mapping | Sequence):
        agents = [agents] * players
    seats = find_agents(agents, players)
    if len(seats) < players:
        raise Mistake(f"{len(seats)} agents for {players} seats: give one for all or one for each")
    chosen = tuple(_by_name(seats[seat]) for seat in range(players))
    why = _why_one_by_one(games, players, chosen)
    deals = deals or (FEW if why else MANY)
    return Plan(tuple(games), players, chosen, seed, deals, why, tuple(map(str, labels)))


def _why_one_by_one(games: Sequence[Rules], players: int, agents: Sequence[str | Agent]) -> str:
    """Why these games and agents cannot be played in arrays, or nothing if they can."""
    try:
        from ninety_nine_kit import batch

        for rules in games:
            batch.check(rules, players)
    except ImportError:
        return NO_NUMPY
    except Mistake as refused:
        return str(refused)
    known = all(isinstance(agent, str) and agent in batch.POLICIES for agent in agents)
    return "" if known else OWN_AGENTS


def _by_name(agent: Agent) -> str | Agent:
    """An agent of the kit by its name, others as they are."""
    return next((name for name, known in AGENTS.items() if known is agent), agent)


def _agent_name(agent: str | Agent) -> str:
    return agent if isinstance(agent, str) else str(getattr(agent, "__name__", type(agent).__name__))


def versions() -> dict[str, str]:
    """What the numbers were made with."""
    packages = ("ninety-nine-kit", "numpy")
    found = {"python": python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except ImportError:  # PackageNotFoundError: without numpy deals are played one by one
            found[package] = "–"
    return found


def table_of(rules: Rules, players: int, agents: Sequence[Agent], seed: int | str, table: int) -> Iterator[Deal]:
    """The deals of one table, as many as `ROUNDS`, on the clear engine.

    The dealer of deal number k is (table + k) % players. A match that begins with deal k has the seed
    f"{seed}.{table}.{k}"; a new one begins when one is over or a player is out, so that everybody is in every deal.
    """
    state: State | None = None
    step = 0
    for number in range(ROUNDS):
        if state is None or state.to_act is None or not all(map(state.is_in, range(players))):
            state, step = deal(rules, players, f"{seed}.{table}.{number}", dealer=(table + number) % players), 0
        else:
            state, step = state.apply("next deal"), step + 1
        dealt, last = state, step + MAX_ACTIONS
        lays, turns, choices, open_bids = 0, 0, 0, 0
        while state.to_act is not None and state.phase is not Phase.DEAL_OVER:
            rules.need(step < last, f"a deal went on for {MAX_ACTIONS} actions: change the rules or the agents")
            if state.phase is Phase.PLAY:
                turns += 1
                choices += len(state.legal_actions()) > 1
                open_bids = _open_bids(state, open_bids)
            state, step = state.apply(ask(agents[state.to_act], state, step)), step + 1
            lays += any(isinstance(event, CardsLaid) for event in state.events)
        yield _deal(dealt, state, lays, turns, choices, open_bids)


def _open_bids(state: Any, known: int) -> int:
    """How many bids the trick that begins will make or break if it is the last; what is known, if none begins."""
    if not isinstance(state.rules, TrickRules) or state.trick:
        return known
    values = [(state.bid_value(seat), won) for seat, won in enumerate(state.won)]
    return sum(bid is not None and bid - won in (0, 1) for bid, won in values)


def _deal(dealt: State, ended: Any, lays: int, turns: int, choices: int, open_bids: int) -> Deal:
    rules, row, seats = ended.rules, ended.sheet[-1], range(ended.players)
    if isinstance(rules, TrickRules) or rules.over_limit == "allowed":
        top = min(row.points) if getattr(rules, "objective", "") == "low" else max(row.points)
        best = [points == top for points in row.points]
    elif has_loser(rules):
        before = dealt.sheet[-1].lives if dealt.sheet else (rules.lives_for(ended.players),) * ended.players
        best = [row.lives[seat] < before[seat] for seat in seats]
    else:  # play went on until the match was over
        best = [seat in ended.winners for seat in seats]
    return Deal(
        first=dealt.to_act,
        turn=getattr(rules, "direction", 1),
        points=row.points,
        best=list(map(int, best)),
        lengths=lays or len(getattr(ended, "tricks", ())),
        turns=turns,
        choices=choices,
        won=row.tricks,
        bids=[-1 if bid is None else bid for bid in row.bids],
        open_bids=open_bids,
    )
