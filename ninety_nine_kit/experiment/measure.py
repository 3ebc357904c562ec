"""Measured numbers with their give or take, and the tables that they stand in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf, sqrt
from typing import NamedTuple

from ninety_nine_kit.events import N_
from ninety_nine_kit.narration import number
from ninety_nine_kit.show.blocks import Block, Grid, Say, blocks_html, text_grid

GIVE_OR_TAKE = N_(
    "± is the give or take: in about 95 of 100 such surveys the true number is no further away than that."
)


class Measure(NamedTuple):
    """A measured number and its give or take; `n` is how many things were counted, `digits` how many decimals to show.

    In about 95 of 100 surveys the true number is no further than `margin` from `value`.

    >>> print(share(102, 300), average([4, 6, 8]), sep=" | ")
    0.34 ± 0.05 | 6.0 ± 2.3
    """

    value: float
    margin: float
    n: int
    digits: int = 2

    def __str__(self) -> str:
        return f"{self.number} ± {'?' if isinf(self.margin) else f'{self.margin:.{self.digits}f}'}"

    @property
    def number(self) -> str:
        """The value as it is shown, without its give or take."""
        return number(f"{self.value:z.{self.digits}f}")


def share(hits: int | Fraction, n: int) -> Measure:
    """How often it happened, from 0 to 1.

    The give or take is that of two more hits and two more misses: without them it would be 0 for what happened never.
    """
    likely = float((hits + 2) / Fraction(n + 4))
    return Measure(float(Fraction(hits) / n), 1.96 * sqrt(likely * (1 - likely) / (n + 4)), n)


def average(values: Sequence[int]) -> Measure:
    """The mean of whole numbers. One number alone tells nothing of its give or take."""
    n, total = len(values), sum(values)
    squares = n * sum(value * value for value in values) - total * total
    return Measure(total / n, 1.96 * sqrt(Fraction(squares, n * n * (n - 1))) if n > 1 else inf, n, digits=1)


def difference(before: Measure, after: Measure) -> Measure:
    """How much greater the second is, taking the two as independent."""
    margin = sqrt(before.margin * before.margin + after.margin * after.margin)
    return Measure(after.value - before.value, margin, min(before.n, after.n), after.digits)


class Section(NamedTuple):
    """Measures of one kind by their labels, in words of one language.

    `head` says what the labels are, `unit` what the numbers are, `finding` is a sentence on them. `fair` is the value
    that all would have if nothing mattered. Those not `drawn` stand in the tables only.
    """

    title: str
    head: str
    unit: str
    rows: Mapping[str, Measure]
    finding: str = ""
    fair: float | None = None
    drawn: bool = True


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


def together(columns: Sequence[Sequence[Section]]) -> list[tuple[Section | None, ...]]:
    """The sections of several surveys, those of one title side by side; None where a survey has none of it."""
    by_title = [{section.title: section for section in sections} for sections in columns]
    titles = dict.fromkeys(title for sections in by_title for title in sections)
    return [tuple(sections.get(title) for sections in by_title) for title in titles]


def labels_of(sections: Sequence[Section | None]) -> list[str]:
    """The labels of the rows of sections that stand side by side, in the order of the longest."""
    longest_first = sorted((section for section in sections if section), key=lambda section: -len(section.rows))
    return list(dict.fromkeys(label for section in longest_first for label in section.rows))


def grid(sections: Sequence[Section | None], names: Sequence[str], say: Say) -> Grid:
    """A table with a column for each survey; of one how many were counted, of two also how they differ."""
    some = next(section for section in sections if section)
    head = [some.head, *names] if len(sections) > 1 else [some.head, say("measured"), say("out of")]
    head += [say("difference"), say("clear?")] * (len(sections) == 2)
    rows = []
    for label in labels_of(sections):
        measures = [section.rows.get(label) if section else None for section in sections]
        row = [label, *("–" if measure is None else str(measure) for measure in measures)]
        match measures:
            case [Measure() as only]:
                row.append(str(only.n))
            case [Measure() as before, Measure() as after]:
                change = difference(before, after)
                sign = "" if change.number.startswith("−") else "+"
                row += [f"{sign}{change}", say("yes") if stands_out(change) else say("no")]
            case [_, _]:
                row += ["–", "–"]
        rows.append(tuple(row))
    return Grid(f"{some.title} ({some.unit})", tuple(head), tuple(rows))


def stands_out(change: Measure) -> bool:
    """Whether a difference is further from 0 than its give or take."""
    return abs(change.value) > change.margin
