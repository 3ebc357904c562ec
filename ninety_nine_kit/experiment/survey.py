"""One game measured: who wins from which place, how long a deal lasts, how often a bid is made."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ninety_nine_kit.experiment.measure import GIVE_OR_TAKE, Measure, Report, Section, grid, thousands
from ninety_nine_kit.experiment.picture import Picture, picture, table
from ninety_nine_kit.experiment.result import Result
from ninety_nine_kit.narration import translator
from ninety_nine_kit.show.blocks import Say

if TYPE_CHECKING:
    from pandas import DataFrame


class Survey(Result):
    """What many deals of one game gave."""

    def measures(self, lang: str = "en") -> dict[str, dict[str, Measure]]:
        """Every number of the tables: title → label → measure, such as `measures()["Bids made"]["all"].value`."""
        return {section.title: dict(section.rows) for section in self._sections(translator(lang))}

    def report(self, lang: str = "en") -> Report:
        """The survey in words and tables."""
        say = translator(lang)
        sections = self._sections(say)
        findings = (told for section in sections for told in _findings(section, say))
        return Report((*self._start(say), *findings, say(GIVE_OR_TAKE), *(grid(section, say) for section in sections)))

    def to_pandas(self, lang: str = "en") -> "DataFrame":
        """A row for each number: title, label, value, margin, n. It needs pandas."""
        return table(
            {"title": title, "label": label, "value": one.value, "margin": one.margin, "n": one.n}
            for title, rows in self.measures(lang).items()
            for label, one in rows.items()
        )

    def plot(self, lang: str = "en") -> Picture:
        """Bars in a picture. Its text and tables hold every number drawn."""
        say = translator(lang)
        panels = [(section.without_rare(),) for section in self._sections(say) if section.drawn]
        return picture(self.report(lang), panels, [""], next(self._start(say)), self._fair(say), say)

    def _sections(self, say: Say) -> list[Section]:
        return [self._section(group, rows, 0) for group, rows in self._measured(say)]


def _findings(section: Section, say: Say) -> Iterator[str]:
    """What a table says, in a sentence."""
    rows = section.rows
    first = next(iter(rows))
    if section.fair is not None:
        # of several places the furthest is often outside its own give or take, so more is asked of it
        furthest = max(rows, key=lambda label: abs(rows[label].value - (section.fair or 0)))
        clear = say("{title}: a fair share is {fair:.2f}; furthest is “{label}”, {share}. This is sure.")
        unclear = say("{title}: a fair share is {fair:.2f}; furthest is “{label}”, {share}. This may be luck.")
        told = clear if rows[furthest].beyond(section.fair, len(rows)) else unclear
        yield told.format(title=section.title, fair=section.fair, label=furthest, share=rows[furthest])
    elif section.title == say("Length of a deal"):
        yield say("A deal takes {lays} lays on average.").format(lays=rows[first])
    elif section.title == say("Bids made"):
        yield say("Bids made: {share} of all {count}.").format(share=rows[first], count=thousands(rows[first].n))
