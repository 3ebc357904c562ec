"""Measured numbers with their give or take, and the tables that they stand in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, isinf, log10, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple

from ninety_nine_kit.events import N_
from ninety_nine_kit.experiment.count import Sums, pairs
from ninety_nine_kit.narration import number
from ninety_nine_kit.show.blocks import Block, Grid, Say, blocks_html, text_grid

GIVE_OR_TAKE = N_(
    "± is the give or take (the 95 % interval): in about 95 of 100 such runs the true number is no further away."
)


#: What was counted less often than one in so many of the commonest is rare.
RARE = 500


class Measure(NamedTuple):
    """A measured number and its give or take; `n` is how many things were counted.

    In about 95 of 100 runs the true number is no further than `margin` from `value`.

    >>> print(Measure(0.34, 0.05, 300), Measure(-5.912, 0.0431, 20_000), sep=" | ")
    0.34 ± 0.05 | −5.91 ± 0.05
    """

    value: float
    margin: float
    n: int

    def __str__(self) -> str:
        if isinf(self.margin):
            return f"{self.number} ± ?"
        margin = ceil(round(self.margin * 10**self.digits, 6)) / 10**self.digits  # rather too much than too little
        return f"{self.number} ± {margin:.{self.digits}f}"

    @property
    def digits(self) -> int:
        """Decimals to show: those that the give or take leaves some sense."""
        return min(3, max(1, ceil(-log10(self.margin / 2)))) if 0 < self.margin < inf else 2

    @property
    def number(self) -> str:
        """The value as it is shown, without its give or take."""
        return number(f"{self.value:z.{self.digits}f}")

    def beyond(self, other: float, among: int = 1) -> bool:
        """Whether it is further from another number than chance explains, as one of so many looked at (Bonferroni)."""
        wider = NormalDist().inv_cdf(1 - 0.025 / among) / 1.96 if among > 1 else 1.0
        return abs(self.value - other) > self.margin * wider


def ratio(sums: Sums, deals: int, game: int, unit: int | None) -> Measure | None:
    """What was measured in one game; None if it had nothing of that kind. Each deal is one draw.

    `unit` is given for a share: by how much one thing counts. The give or take of a share is never 0: it is that of two
    more hits and two more misses.
    """
    above, below = sums.single[2 * game : 2 * game + 2]
    if not below:
        return None
    spread = _spread(sums, deals, _weights(sums, game))
    if unit is not None:
        alone, little = _apart(sums, game, unit)
        spread = (spread or alone) + little
    margin = 1.96 * sqrt(spread) if deals > 1 or unit else inf
    return Measure(above / below, margin, below // (unit or 1))


def change(sums: Sums, deals: int, unit: int | None) -> Measure | None:
    """How much more the second game has than the first; both were played with the same packs, deal by deal.

    For shares two more deals that differ are thought of, so that what came but seldom is not taken to be sure.
    """
    if not (sums.single[1] and sums.single[3]) or deals < 2:
        return None
    before, after = (Fraction(*sums.single[2 * game : 2 * game + 2]) for game in (0, 1))
    weights = [*_weights(sums, 1), *((place, -weight) for place, weight in _weights(sums, 0))]
    spread = _spread(sums, deals, weights)
    if unit is not None:
        n = min(sums.single[1], sums.single[3]) // unit
        spread += Fraction(2, (n + 4) ** 2) + sum(_apart(sums, game, unit)[1] for game in (0, 1))
    return Measure(float(after - before), 1.96 * sqrt(spread), deals)


def alike(sums: Sums) -> bool:
    """Whether both games gave the same numbers in every deal: the squares of what differs add up to 0."""
    places = pairs(len(sums.single))
    double = dict(zip(places, sums.double, strict=True))
    return all(double[i, i] - 2 * double[i, i + 2] + double[i + 2, i + 2] == 0 for i in (0, 1))


def _weights(sums: Sums, game: int) -> list[tuple[int, Fraction]]:
    """How much each number of a deal moves the ratio of their sums."""
    above, below = sums.single[2 * game : 2 * game + 2]
    return [(2 * game, Fraction(1, below)), (2 * game + 1, -Fraction(above, below * below))]


def _apart(sums: Sums, game: int, unit: int) -> tuple[Fraction, Fraction]:
    """A share's variance if all that was counted had nothing in common, and how much greater that of two more hits and
    two more misses is."""
    above, below = sums.single[2 * game : 2 * game + 2]
    n, value = Fraction(below, unit), Fraction(above, below)
    likely = (value * n + 2) / (n + 4)
    alone = value * (1 - value) / n
    return alone, max(likely * (1 - likely) / (n + 4) - alone, Fraction(0))


def _spread(sums: Sums, deals: int, weights: Sequence[tuple[int, Fraction]]) -> Fraction:
    """The variance of a weighted sum over deals, where the mean of what is summed is 0."""
    whole = Fraction(0)
    for i, one in weights:
        for j, two in weights:
            whole += one * two * sums.double[_place(sums, min(i, j), max(i, j))]
    return max(whole, Fraction(0)) * Fraction(deals, max(deals - 1, 1))


def _place(sums: Sums, i: int, j: int) -> int:
    return pairs(len(sums.single)).index((i, j))


class Section(NamedTuple):
    """Measures of one kind by their labels, in words of one language.

    `head` says what the labels are, `unit` what the numbers are. `fair` is the value that all would have if nothing
    mattered. `drawn` as bars or as intervals around 0; the others stand in tables only.
    """

    title: str
    head: str
    unit: str
    rows: Mapping[str, Measure]
    fair: float | None = None
    drawn: Literal["bars", "intervals", ""] = ""

    def without_rare(self) -> "Section":
        """The same without what was counted so seldom, beside the others, that it is not worth a place in a picture."""
        most = max((measure.n for measure in self.rows.values()), default=0)
        return self._replace(rows={label: one for label, one in self.rows.items() if RARE * one.n >= most})


@dataclass(frozen=True, repr=False)
class Report:
    """Sentences and tables, as text and as HTML."""

    blocks: tuple[Block, ...]

    def __repr__(self) -> str:
        return "\n".join(
            block if isinstance(block, str) else f"\n{block.caption}\n{text_grid(block)}" for block in self.blocks
        )

    def _repr_html_(self) -> str:
        return blocks_html(self.blocks)


def grid(section: Section, say: Say) -> Grid:
    """A table of what was measured, and out of how many."""
    rows = tuple((label, str(measure), thousands(measure.n)) for label, measure in section.rows.items())
    return Grid(f"{section.title} ({section.unit})", (section.head, say("measured"), say("out of")), rows)


def thousands(count: int) -> str:
    """A number as it is read in any language, with a thin space."""
    return f"{count:,}".replace(",", "\u202f")
