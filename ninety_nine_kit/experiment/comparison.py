"""Two games played with the same cards, and what the one does otherwise than the other."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ninety_nine_kit.experiment.measure import GIVE_OR_TAKE, RARE, Measure, Report, Section, alike, change, ratio
from ninety_nine_kit.experiment.picture import Picture, picture, table
from ninety_nine_kit.experiment.result import Group, Result
from ninety_nine_kit.narration import translator
from ninety_nine_kit.show.blocks import Grid, Say
from ninety_nine_kit.show.compare import differences

if TYPE_CHECKING:
    from pandas import DataFrame

#: So many differences are named in a sentence; the tables have them all.
NAMED = 6
SURE, PERHAPS, NOISE = "sure", "perhaps", "noise"


class Difference(NamedTuple):
    """One measure in both games, and how much more the second has. `verdict` is "sure", "perhaps" or "noise".

    Sure is what chance alone would do in 1 of 20 comparisons, however many numbers they look at (Bonferroni); perhaps
    is what lies beyond its own give or take, as 1 in 20 does by luck. A game may have nothing of the kind: None.
    """

    before: Measure | None
    after: Measure | None
    change: Measure | None
    verdict: str

    @property
    def counted(self) -> int:
        """How many things, in the game that had fewer."""
        return min(measure.n if measure else 0 for measure in (self.before, self.after))


class Comparison(Result):
    """What two games gave in the same deals."""

    def differences(self, lang: str = "en") -> dict[str, dict[str, Difference]]:
        """Every number of the tables: title → label → difference, as `differences()["Bids made"]["all"].change`."""
        return {group.title: found for group, found in self._tables(translator(lang))}

    def report(self, lang: str = "en") -> Report:
        """The comparison in words and tables."""
        say = translator(lang)
        tables, names = self._tables(say), self._names(say)
        same = all(map(alike, self.tally.sums.values()))
        told = (
            *self._start(say),
            *self._changed(lang),
            *_verdicts(tables, same, say),
            say(GIVE_OR_TAKE),
        )
        return Report((*told, *(_grid(group, found, names, say) for group, found in tables)))

    def to_pandas(self, lang: str = "en") -> "DataFrame":
        """A row for each number: title, label, both values, the change, their margins, the verdict. It needs pandas."""
        rows = []
        for title, found in self.differences(lang).items():
            for label, one in found.items():
                row: dict[str, object] = {"title": title, "label": label}
                for name, measure in zip(("before", "after", "change"), one[:3], strict=True):
                    row[name], row[f"{name} margin"] = measure[:2] if measure else (None, None)
                rows.append(row | {"verdict": one.verdict})
        return table(rows)

    def plot(self, lang: str = "en") -> Picture:
        """The differences as intervals, and bars of both games. Its text and tables hold every number drawn."""
        say = translator(lang)
        names = self._names(say)
        bars = [
            tuple(self._section(group, rows, game).without_rare() for game in (0, 1))
            for group, rows in self._measured(say)
            if group.drawn and group.fair is None
        ]
        return picture(
            self.report(lang), [*_intervals(self._tables(say), say), *bars], names, next(self._start(say)), "", say
        )

    def _tables(self, say: Say) -> list[tuple[Group, dict[str, Difference]]]:
        measured, deals = self._measured(say), self.games
        among = sum(len(rows) for _, rows in measured)
        tables = []
        for group, rows in measured:
            found = {}
            for label, sums in rows.items():
                before, after = (ratio(sums, deals, game, group.unit) for game in (0, 1))
                step = change(sums, deals, group.unit)
                found[label] = Difference(before, after, step, _verdict(step, among))
            tables.append((group, found))
        return tables

    def _names(self, say: Say) -> tuple[str, ...]:
        """What to call the games: as given, or by their titles, or before and after."""
        if self.plan.labels:
            return self.plan.labels
        titles = tuple(say(rules.title) for rules in self.plan.games)
        return titles if len(set(titles)) == 2 else (say("before"), say("after"))

    def _changed(self, lang: str) -> Iterator[str]:
        """What was changed, if it is little enough to read."""
        one, two = self.plan.games
        say = translator(lang)
        rows = differences(two, one, lang).rows if type(one) is type(two) and one.source == two.source else ()
        if 0 < len(rows) <= NAMED:
            told = (f"{what}: {was} → {now}" for what, was, now in rows)
            yield say("Changed: {changes}.").format(changes="; ".join(told))


def _verdict(step: Measure | None, among: int) -> str:
    if step is None or not step.beyond(0):
        return NOISE
    return SURE if step.beyond(0, among) else PERHAPS


def _verdicts(tables: Sequence[tuple[Group, dict[str, Difference]]], same: bool, say: Say) -> Iterator[str]:
    """What is sure and what is noise; `same` if no deal differed."""
    told = [(group, rows) for group, rows in tables if group.title != say("Deals by length")]
    found = [(group.name(label), one) for group, rows in told for label, one in rows.items()]
    changes = [(name, one, one.change) for name, one in found if one.change is not None]
    if same:
        yield say("Every deal came out alike: these players never met the change, or it does nothing within a deal.")
        return
    sure, perhaps, noise = ([c for c in changes if c[1].verdict == verdict] for verdict in (SURE, PERHAPS, NOISE))
    named = "; ".join(f"{name} {_signed(step)}" for name, _, step in sure[:NAMED])
    more = say(" and {count} more").format(count=len(sure) - NAMED) if len(sure) > NAMED else ""
    yield say("Sure: {named}{more}.").format(named=named, more=more) if sure else say("Nothing is sure.")
    if perhaps:
        named = "; ".join(f"{name} {_signed(step)}" for name, _, step in perhaps)
        yield say("Perhaps (1 in 20 looks so by luck): {named}.").format(named=named)
    if noise:
        yield say("Noise: {count} of {all} differences are no larger than luck makes them.").format(
            count=len(noise), all=len(changes)
        )


def _signed(step: Measure) -> str:
    return f"{step}" if step.number.startswith("−") else f"+{step}"


def _grid(group: Group, found: Mapping[str, Difference], names: Sequence[str], say: Say) -> Grid:
    words = {SURE: say("sure"), PERHAPS: say("perhaps"), NOISE: say("noise")}
    rows = []
    for label, (before, after, step, verdict) in found.items():
        cells = ("–" if measure is None else str(measure) for measure in (before, after))
        rows.append((label, *cells, "–" if step is None else _signed(step), "–" if step is None else words[verdict]))
    head = (group.head, *names, say("difference"), say("sure?"))
    return Grid(f"{group.title} ({group.what})", head, tuple(rows))


def _intervals(tables: Sequence[tuple[Group, dict[str, Difference]]], say: Say) -> list[tuple[Section]]:
    """The differences to draw: shares in one panel, and lays and points, which have a scale of their own, in others."""
    panels: dict[str, dict[str, Measure]] = {}
    for group, found in tables:
        if group.title == say("Deals by length"):
            continue
        what = say("shares") if group.unit is not None else group.what
        most = max((one.counted for one in found.values()), default=0)
        for label, one in found.items():
            if one.change is not None and RARE * one.counted >= most:
                panels.setdefault(what, {})[group.name(label)] = one.change
    title = say("Difference ({what})")
    return [(Section(title.format(what=what), "", what, rows, drawn="intervals"),) for what, rows in panels.items()]
