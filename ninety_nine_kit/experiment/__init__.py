"""Many deals played by agents, counted: who wins from which place, how long a deal lasts, how often a bid is made.

A survey is a value; two of them stand side by side in `before_after`, and any few in the picture that `plot` draws.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from statistics import NormalDist
from typing import NamedTuple

from ninety_nine_kit.agents import AGENTS, Agent, ask, find_agents
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.dealing import deal
from ninety_nine_kit.events import N_, CardsLaid
from ninety_nine_kit.experiment.measure import (
    GIVE_OR_TAKE,
    Measure,
    Report,
    Section,
    average,
    difference,
    grid,
    share,
    stands_out,
    together,
)
from ninety_nine_kit.experiment.picture import FILLS, Picture, draw
from ninety_nine_kit.game import Phase, State
from ninety_nine_kit.narration import seat_name, translator
from ninety_nine_kit.rules import AddingRules, Rules, TrickRules
from ninety_nine_kit.show.blocks import Say

__all__ = ["DealResult", "Measure", "Picture", "Report", "Survey", "before_after", "plot", "survey"]

#: A deal that has not ended after so many actions is taken to have no end.
MAX_ACTIONS = 10_000

NO_PICTURE = N_("The picture itself needs matplotlib: pip install 'ninety-nine-kit[plots]', then restart the kernel.")
NO_PICTURE_HERE = N_("The picture itself is not drawn where Python runs in the browser; the tables say the same.")


class DealResult(NamedTuple):
    """What is counted of one deal; all but `order` and `lays` by seat.

    `order`: the seats in turn, from the one that acted first. `best`: who won the deal, or who lost it where a deal has
    one loser; several if equal. `lays`: how many lays counted on the total, 0 at tricks. `bids` are numbers.
    """

    order: tuple[int, ...]
    best: tuple[int, ...]
    points: tuple[int, ...]
    lays: int
    bids: tuple[int | None, ...]
    tricks: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Survey:
    """What many deals of one game gave. `agents` are names by seat, `results` one for each deal in the order played."""

    rules: Rules
    players: int
    agents: tuple[str, ...]
    seed: int | str
    results: tuple[DealResult, ...]

    def __repr__(self) -> str:
        return repr(self.report())

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def report(self, lang: str = "en") -> Report:
        """The survey in words and tables."""
        say = translator(lang)
        tables = [grid([section], (), say) for section in _sections(self, say)]
        return Report((*_told([self], [""], say), say(GIVE_OR_TAKE), *tables))

    def measures(self, lang: str = "en") -> dict[str, dict[str, Measure]]:
        """Every number of the tables: title → label → measure, such as `measures()["Bids made"]["all"].value`."""
        return {section.title: dict(section.rows) for section in _sections(self, translator(lang))}


def survey(
    rules: Rules,
    deals: int = 300,
    players: int | None = None,
    agents: str | Agent | Sequence[str | Agent] | Mapping[int, str | Agent] = "simple",
    seed: int | str = 1,
) -> Survey:
    """Plays so many deals and counts. 300 take a few seconds; the same seed gives the same numbers everywhere.

    The unit is a deal: dealt and played once (in the adding games a round). Deals are played as they come in matches,
    so that trump, lives and dealer go on; a new match begins when one is over or a player is out, so that everybody is
    in every deal. Match number k, from 0, is `deal(rules, players, seed=f"{seed}.{k}", dealer=k % players)`.

    `players`: three, where the rules allow it, else the fewest. `agents`: one for all seats, or one for each, as in
    `playout`. ValueError tells which value is wrong; an error in an agent comes through.

    >>> from ninety_nine_kit.presets import ADDING_PL
    >>> few = survey(ADDING_PL, deals=20, agents="random")
    >>> print(few.measures()["Length of a deal"]["lays"])
    10.9 ± 2.9
    """
    if type(deals) is not int or deals < 1:
        raise Mistake(f"deals must be a whole number from 1 up, such as 300, not {deals!r}")
    if not isinstance(seed, int | str):
        raise Mistake(f"a seed is a whole number or a text, not {seed!r}")
    if players is None:
        allowed = getattr(rules, "players", (3,))
        players = 3 if 3 in allowed else min(allowed)
    deal(rules, players, seed)  # refuses rules and players that do not fit, before it is the agents' turn
    if isinstance(agents, str) or not isinstance(agents, Mapping | Sequence):
        agents = [agents] * players
    seats = find_agents(agents, players)
    if len(seats) < players:
        raise Mistake(f"{len(seats)} agents for {players} seats: give one for all or one for each")
    names = tuple(_agent_name(seats[seat]) for seat in range(players))
    played = _results(rules, players, seats, seed)
    return Survey(rules, players, names, seed, tuple(next(played) for _ in range(deals)))


def _agent_name(agent: Agent) -> str:
    known = [name for name, function in AGENTS.items() if function is agent]
    return known[0] if known else str(getattr(agent, "__name__", type(agent).__name__))


def _results(rules: Rules, players: int, agents: Mapping[int, Agent], seed: int | str) -> Iterator[DealResult]:
    """Deal after deal, match after match, without end."""
    match = 0
    while True:
        state: State = deal(rules, players, f"{seed}.{match}", dealer=match % players)
        match, step = match + 1, 0
        while True:
            dealt, last, lays = state, step + MAX_ACTIONS, 0
            while state.to_act is not None and state.phase is not Phase.DEAL_OVER:
                rules.need(step < last, f"a deal went on for {MAX_ACTIONS} actions: change the rules or the agents")
                state, step = state.apply(ask(agents[state.to_act], state, step)), step + 1
                lays += any(isinstance(event, CardsLaid) for event in state.events)
            yield _result(dealt, state, lays)
            if state.to_act is None or not all(map(state.is_in, range(players))):
                break
            state, step = state.apply(ask(agents[state.to_act], state, step)), step + 1


def _result(dealt: State, ended: State, lays: int) -> DealResult:
    rules, row, seats = ended.rules, ended.sheet[-1], range(ended.players)
    first, turn = dealt.to_act or 0, getattr(dealt, "direction", 1)
    order = tuple((first + turn * place) % ended.players for place in seats)
    if isinstance(rules, TrickRules) or rules.over_limit == "allowed":
        top = min(row.points) if getattr(rules, "objective", "") == "low" else max(row.points)
        best = tuple(seat for seat in seats if row.points[seat] == top)
    elif _has_loser(rules):
        before = dealt.sheet[-1].lives if dealt.sheet else (rules.lives_for(ended.players),) * ended.players
        best = tuple(seat for seat in seats if row.lives[seat] < before[seat])
    else:  # play went on until the match was over
        best = ended.winners
    return DealResult(order, best, row.points, lays, row.bids, row.tricks)


def _has_loser(rules: Rules) -> bool:
    """Whether a deal has a loser rather than a winner."""
    return isinstance(rules, AddingRules) and rules.over_limit == "deal over"


def _sections(survey: Survey, say: Say, borders: Sequence[int] = ()) -> list[Section]:
    """All that is measured. `borders`: where groups of deals by length begin, if not as is best for this survey."""
    results, seats = survey.results, range(survey.players)
    head, lost = say("Place in turn"), _has_loser(survey.rules)
    label = {seat: str(seat + 1) for seat in seats}
    label |= {0: say("1 (acts first)"), seats[-1]: say("{last} (acts last)").format(last=survey.players)}
    in_place = {label[place]: [result.order[place] for result in results] for place in seats}
    title = say("Deals lost, by place in turn") if lost else say("Deals won, by place in turn")
    sections = [_shares(title, head, in_place, survey, say)]
    if len(set(survey.agents)) > 1:
        title = say("Deals lost, by seat") if lost else say("Deals won, by seat")
        always = {_seated(survey, seat): [seat] * len(results) for seat in seats}
        sections.append(_shares(title, say("Seat"), always, survey, say))
    if survey.rules.counts_points:
        rows = {
            name: average([result.points[seat] for result, seat in zip(results, who, strict=True)])
            for name, who in in_place.items()
        }
        sections.append(Section(say("Points in a deal, by place in turn"), head, say("points"), rows, drawn=False))
    return sections + (_bids(results, say) if isinstance(survey.rules, TrickRules) else _lays(results, say, borders))


def _shares(title: str, head: str, who: Mapping[str, Sequence[int]], survey: Survey, say: Say) -> Section:
    """How often the seat named for each deal won it (or lost it). A deal shared by two counts half for each."""
    rows = {}
    for label, seats in who.items():
        found = zip(survey.results, seats, strict=True)
        parts = (Fraction(1, len(result.best)) for result, seat in found if seat in result.best)
        rows[label] = share(sum(parts, Fraction()), len(survey.results))
    fair = 1 / survey.players
    furthest = max(rows, key=lambda label: abs(rows[label].value - fair))
    clear = say("{title}: a fair share is {fair:.2f}; furthest is {label}, {share}. Chance alone would hardly do that.")
    unclear = say("{title}: a fair share is {fair:.2f}; furthest is {label}, {share}. Chance alone can do that.")
    # of several places the furthest is often outside its own give or take, so more is asked of it (Bonferroni)
    wider = rows[furthest].margin * NormalDist().inv_cdf(1 - 0.025 / len(rows)) / 1.96
    told = clear if abs(rows[furthest].value - fair) > wider else unclear
    finding = told.format(title=title, fair=fair, label=furthest, share=rows[furthest])
    return Section(title, head, say("share of the deals"), rows, finding, fair)


def _lays(results: Sequence[DealResult], say: Say, borders: Sequence[int]) -> list[Section]:
    lays = [result.lays for result in results]
    borders = borders or _borders(lays)
    rows = {}
    for low, high in zip(borders, [*borders[1:], inf], strict=True):
        label = say("{low} or more").format(low=low) if high == inf else f"{low}–{high - 1}"
        rows[str(low) if high == low + 1 else label] = share(sum(low <= count < high for count in lays), len(lays))
    mean = average(lays)
    finding = say("A deal takes {lays} lays on average.").format(lays=mean)
    return [
        Section(say("Length of a deal"), say("Counted"), say("average"), {say("lays"): mean}, finding, drawn=False),
        Section(say("Deals by length"), say("Lays"), say("share of the deals"), rows),
    ]


def _borders(counts: Sequence[int]) -> tuple[int, ...]:
    """Where groups begin, at most eleven, with round widths; the last is open and holds about one in twenty."""
    ordered = sorted(counts)
    low, high = ordered[0], ordered[len(ordered) * 19 // 20]
    widths = (step * 10**power for power in range(9) for step in (1, 2, 5))
    width = next(width for width in widths if high // width - low // width <= 10)
    return tuple(range(low // width * width, high + 1, width))


def _bids(results: Sequence[DealResult], say: Say) -> list[Section]:
    made: dict[int, list[bool]] = {}
    for result in results:
        for bid, tricks in zip(result.bids, result.tricks, strict=True):
            if bid is not None:
                made.setdefault(bid, []).append(tricks == bid)
    if not made:
        return []
    rows = {say("all"): share(sum(map(sum, made.values())), sum(map(len, made.values())))}
    rows |= {str(bid): share(sum(made[bid]), len(made[bid])) for bid in sorted(made)}
    finding = say("Bids made: {share} of all {count}.").format(share=rows[say("all")], count=rows[say("all")].n)
    return [Section(say("Bids made"), say("Bid"), say("share of such bids"), rows, finding)]


def _seated(survey: Survey, seat: int) -> str:
    return f"{seat_name(seat)} ({survey.agents[seat]})"


def _headline(survey: Survey, say: Say) -> str:
    alike = len(set(survey.agents)) == 1
    agents = survey.agents[0] if alike else ", ".join(_seated(survey, seat) for seat in range(survey.players))
    return say("{deals} deals of “{title}” with {players} players ({agents}), seed {seed}.").format(
        deals=len(survey.results),
        title=say(survey.rules.title),
        players=survey.players,
        agents=agents,
        seed=survey.seed,
    )


def before_after(before: Survey, after: Survey, labels: Sequence[str] | None = None, lang: str = "en") -> Report:
    """Two surveys side by side, with what differs by more than the give or take; `labels` name them.

    The difference takes the two as independent. With the same seed much falls alike, and its give or take is rather
    smaller than the one shown.
    """
    say, surveys = translator(lang), (before, after)
    names = _names(surveys, labels or (say("before"), say("after")), say)
    panels = _panels(surveys, say)
    notes = [f"{name}: {_headline(survey, say)}" for survey, name in zip(surveys, names, strict=True)]
    notes.append(say("A difference above its give or take is clear; 1 in 20 is so by chance."))
    for one, two in panels:
        common = [label for label in one.rows if label in two.rows] if one and two else []
        if one and two and common:
            clear = sum(stands_out(difference(one.rows[label], two.rows[label])) for label in common)
            told = say("{title}: {clear} of {count} differences clear.")
            notes.append(told.format(title=one.title, clear=clear, count=len(common)))
    return Report((*notes, say(GIVE_OR_TAKE), *(grid(columns, names, say) for columns in panels)))


def plot(*surveys: Survey, labels: Sequence[str] | None = None, lang: str = "en") -> Picture:
    """One to three surveys as bars in one picture. Its text and tables hold every number drawn.

    `labels` name the surveys. Without matplotlib there are the tables, and a sentence that says how to get it.
    """
    if not 1 <= len(surveys) <= len(FILLS):
        raise Mistake(f"a picture shows 1 to {len(FILLS)} surveys, not {len(surveys)}")
    say = translator(lang)
    names = _names(surveys, labels, say)
    panels = [columns for columns in _panels(surveys, say) if any(section and section.drawn for section in columns)]
    told = list(dict.fromkeys(_headline(survey, say) for survey in surveys))
    if len(told) > 1:
        told = [f"{name}: {_headline(survey, say)}" for survey, name in zip(surveys, names, strict=True)]
    alike = len({survey.players for survey in surveys}) == 1
    fair = say("a fair share: {fair:.2f}").format(fair=1 / surveys[0].players) if alike else ""
    png = draw(panels, names, "\n".join(told), fair)
    why = say(NO_PICTURE_HERE if sys.platform == "emscripten" else NO_PICTURE)
    notes = [*_told(surveys, names, say), *([] if png else [why]), say(GIVE_OR_TAKE)]
    return Picture(Report((*notes, *(grid(columns, names, say) for columns in panels))), png)


def _panels(surveys: Sequence[Survey], say: Say) -> list[tuple[Section | None, ...]]:
    """The sections of the surveys side by side, with deals grouped alike by length."""
    borders = _borders([result.lays for survey in surveys for result in survey.results])
    return together([_sections(survey, say, borders) for survey in surveys])


def _names(surveys: Sequence[Survey], labels: Sequence[str] | None, say: Say) -> list[str]:
    """What to call the surveys: as given, or by their games, or before and after."""
    if labels is not None:
        if isinstance(labels, str) or len(labels) != len(surveys):
            raise Mistake(f"give a list with a label for each of {len(surveys)} surveys, not {labels!r}")
        return list(map(str, labels))
    titles = [say(survey.rules.title) for survey in surveys]
    if len(set(titles)) == len(titles):
        return titles
    return [say("before"), say("after")] if len(titles) == 2 else [f"{n}: {t}" for n, t in enumerate(titles, 1)]


def _told(surveys: Sequence[Survey], names: Sequence[str], say: Say) -> Iterator[str]:
    """What was surveyed and what it says, in sentences; of several surveys each with its name."""
    for survey, name in zip(surveys, names, strict=True):
        findings = [section.finding for section in _sections(survey, say) if section.finding]
        for sentence in [_headline(survey, say), *findings]:
            yield f"{name}: {sentence}" if len(surveys) > 1 else sentence
