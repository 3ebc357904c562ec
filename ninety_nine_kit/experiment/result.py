"""What came out of a plan: the measures, and how it was played; surveys and comparisons are such results."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import pairwise
from math import inf, lcm
from typing import NamedTuple, Self

from ninety_nine_kit.experiment.count import Key, Sums, Tally, pairs, possible_bids
from ninety_nine_kit.experiment.measure import Report, Section, ratio, thousands
from ninety_nine_kit.experiment.play import Plan, versions
from ninety_nine_kit.experiment.run import ExecutorFailedError, run
from ninety_nine_kit.narration import number, seat_name
from ninety_nine_kit.rules import TrickRules
from ninety_nine_kit.show.blocks import Say


class Group(NamedTuple):
    """Measures that stand in one table: title, what the labels are, what the numbers are; label → key.

    `unit` is given for shares: by how much one thing counts. `drawn` tells whether they are drawn as bars, `plain`
    whether the labels say it all without the title.
    """

    title: str
    head: str
    what: str
    rows: Mapping[str, Key]
    unit: int | None = None
    fair: float | None = None
    drawn: bool = False
    plain: bool = False

    def name(self, label: str) -> str:
        """What a row is called where it stands alone."""
        return label if self.plain else f"{self.title}: {label}"


def groups(plan: Plan, say: Say) -> Iterator[Group]:
    """All that may have been measured."""
    seats, head, deals = range(plan.players), say("Place in turn"), say("share of the deals")
    label = {seat: str(seat + 1) for seat in seats}
    label |= {0: say("1 (acts first)"), seats[-1]: say("{last} (acts last)").format(last=plan.players)}
    parts, fair = lcm(*range(1, plan.players + 1)), 1 / plan.players
    titles = {"won": say("Deals won, by place in turn"), "lost": say("Deals lost, by place in turn")}
    for best, title in titles.items():
        yield Group(title, head, deals, {label[place]: (best, place) for place in seats}, parts, fair, drawn=True)
    titles = {"won by seat": say("Deals won, by seat"), "lost by seat": say("Deals lost, by seat")}
    for best, title in titles.items():
        rows: dict[str, Key] = {seated(plan, seat): (best, seat) for seat in seats}
        yield Group(title, say("Seat"), deals, rows, parts, fair, drawn=True)
    rows = {label[place]: ("points", place) for place in seats}
    yield Group(say("Points in a deal, by place in turn"), head, say("points"), rows)
    yield Group(say("Length of a deal"), say("Counted"), say("lays on average"), {say("lays"): ("length", None)})
    tricks = [rules for rules in plan.games if isinstance(rules, TrickRules)]
    values = sorted({value for rules in tricks for value in possible_bids(rules)})
    rows = {say("all"): ("bid", None), **{number(value): ("bid", value) for value in values}}
    yield Group(say("Bids made"), say("Bid"), say("share of such bids"), rows, 1, drawn=True)
    names = dict.fromkeys(premium.name for rules in tricks for premium in rules.premiums)
    rows = {say(name): ("premium", name) for name in names}
    yield Group(say("The holder's points, if every bid were announced"), say("Premium"), say("points"), rows)
    rows = {
        say("turns with a choice"): ("choice", None),
        say("deals whose last trick makes or breaks a bid"): ("last trick", None),
    }
    yield Group(say("How open it is"), say("Counted"), say("share"), rows, 1, plain=True)


def seated(plan: Plan, seat: int) -> str:
    return f"{seat_name(seat)} ({plan.names[seat]})"


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What surveys and comparisons share. `plan` holds all that the numbers depend on, `versions` what made them.

    `ended` tells why it ended early, if it did; then fewer deals were played than the plan asks for.
    """

    plan: Plan
    tally: Tally
    versions: Mapping[str, str]
    ended: str | None = None

    @classmethod
    def play(cls, plan: Plan, executor: Executor | None) -> Self:
        """Plays all deals of a plan; whatever ends it early, what is done is kept."""
        tally, ended = run(plan, executor)
        if ended is None:
            return cls(plan, tally, versions())
        result = cls(plan, tally, versions(), str(ended) or "stopped") if tally.deals else None
        if isinstance(ended, ExecutorFailedError):
            kept = f"{tally.deals} of {plan.deals} deals are done and kept in the error's “result”"
            failed = ExecutorFailedError(f"{ended}; {kept}. Run it again with another executor, or with none.")
            failed.result = result
            raise failed from ended
        if result is None:
            raise ended
        return result

    def again(self, executor: Executor | None = None) -> Self:
        """Plays the same once more; the numbers come out the same, however many workers there are."""
        return self.play(self.plan, executor)

    @property
    def games(self) -> int:
        """How many deals were played (of each game)."""
        return self.tally.deals

    def __repr__(self) -> str:
        return repr(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def report(self, lang: str = "en") -> Report:
        """All of it in words and tables."""
        raise NotImplementedError

    def _start(self, say: Say) -> Iterator[str]:
        """What was played; with what, if anything, ended it early."""
        plan, titles = self.plan, [f"“{say(rules.title)}”" for rules in self.plan.games]
        if len(titles) > len(set(titles)):
            titles = [say("{title} in two versions").format(title=titles[0])]
        alike = len(set(plan.names)) == 1
        agents = plan.names[0] if alike else ", ".join(seated(plan, seat) for seat in range(plan.players))
        told = say("{deals} deals of {titles} with {players} players ({agents}), seed {seed}.")
        yield told.format(
            deals=thousands(self.games),
            titles=say(" and of ").join(titles),
            players=plan.players,
            agents=agents,
            seed=plan.seed,
        )
        if plan.one_by_one:
            told = say("They were played one after another, since {reason}. Thousands would take long.")
            yield told.format(reason=say(plan.one_by_one))
        if self.ended is not None:
            told = say("It ended early, after {done} of {all} deals: {reason}.")
            yield told.format(done=thousands(self.games), all=thousands(plan.deals), reason=self.ended)

    def _measured(self, say: Say) -> list[tuple[Group, dict[str, Sums]]]:
        """All tables: what stands in them, and the sums behind each row."""
        found = []
        for group in groups(self.plan, say):
            rows = {label: self.tally.sums[key] for label, key in group.rows.items() if key in self.tally.sums}
            found.append((group, {label: sums for label, sums in rows.items() if any(sums.single[1::2])}))
        lengths = Group(say("Deals by length"), say("Lays"), say("share of the deals"), {}, 1, drawn=True)
        return [(group, rows) for group, rows in (*found, (lengths, self._lengths(say))) if rows]

    def _section(self, group: Group, rows: Mapping[str, Sums], game: int) -> Section:
        """What was measured in one of the games; it may be nothing."""
        measures = {label: ratio(sums, self.games, game, group.unit) for label, sums in rows.items()}
        known = {label: measure for label, measure in measures.items() if measure is not None}
        return Section(group.title, group.head, group.what, known, group.fair, "bars" if group.drawn else "")

    def _fair(self, say: Say) -> str:
        return say("a fair share: {fair:.2f}").format(fair=1 / self.plan.players)

    def _counts_lays(self, game: int) -> bool:
        return not isinstance(self.plan.games[game], TrickRules)

    def _lengths(self, say: Say) -> dict[str, Sums]:
        """How often a deal had so many lays, in groups: label → sums as those of a measure."""
        games = range(len(self.plan.games))
        outof = [self.games * self._counts_lays(game) for game in games]
        counted: Counter[int] = Counter()
        for lengths, times in self.tally.lengths.items():
            for game in filter(self._counts_lays, games):
                counted[lengths[game]] += times
        borders = _borders(counted)
        found = {}
        for low, high in pairwise((*borders, inf) if borders else ()):
            label = say("{low} or more").format(low=low) if high == inf else f"{low}–{int(high) - 1}"
            single, double = [0] * len(games), dict[tuple[int, int], int]()
            for lengths, times in self.tally.lengths.items():
                within = [low <= lengths[game] < high and self._counts_lays(game) for game in games]
                for game in games:
                    single[game] += within[game] * times
                    for other in games[game:]:
                        double[game, other] = double.get((game, other), 0) + (within[game] and within[other]) * times
            found[str(low) if high == low + 1 else label] = _indicators(single, double, outof)
        return found


def _indicators(single: Sequence[int], double: Mapping[tuple[int, int], int], outof: Sequence[int]) -> Sums:
    """The sums of things that are so in a deal or not, each out of one, or of none where a game has no such thing."""
    both = [count for pair in zip(single, outof, strict=True) for count in pair]
    products = []
    for i, j in pairs(len(both)):
        if i % 2 == j % 2 == 0:
            products.append(double[i // 2, j // 2])
        else:  # one of the two is 1 in every deal, or 0 in every deal
            products.append(min(both[i], both[j]))
    return Sums(tuple(both), tuple(products))


def _borders(counted: Counter[int]) -> tuple[int, ...]:
    """Where groups begin, at most eleven, with round widths; the last is open and holds about one in twenty."""
    if not counted:
        return ()
    low, twentieth = min(counted), sum(counted.values()) // 20
    high = low
    for high in sorted(counted, reverse=True):
        twentieth -= counted[high]
        if twentieth < 0:
            break
    widths = (step * 10**power for power in range(9) for step in (1, 2, 5))
    width = next(width for width in widths if high // width - low // width <= 10)
    return tuple(range(low // width * width, high + 1, width))
