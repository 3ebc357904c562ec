"""Sections as bars, drawn by matplotlib where it is installed; no other module knows it."""

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import N_
from ninety_nine_kit.experiment.measure import Report, Section
from ninety_nine_kit.show.blocks import Say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

NO_PICTURE = N_("The picture itself needs matplotlib: pip install 'ninety-nine-kit[plots]', then restart the kernel.")
NO_PICTURE_HERE = N_("The picture itself is not drawn where Python runs in the browser; the tables say the same.")

Columns = Sequence[Section | None]

#: Colours that look different to everybody (Okabe and Ito), each with a hatch of its own, and black on all of them.
FILLS = (("#56b4e9", ""), ("#e69f00", "//"), ("#009e73", ".."))
INK, FAINT = "#1b1b1f", "#8a8a8a"


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture, and in `report` all that it shows in words and tables. `png` is None without matplotlib.

    A notebook shows the picture, or the report where there is none. Not both: given HTML too, JupyterLab would show
    that alone. `display(picture.report, picture)` puts one above the other.
    """

    report: Report
    png: bytes | None

    def __repr__(self) -> str:
        return repr(self.report)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> tuple[dict[str, Any], Any]:
        """What a notebook shows, and the words for who cannot see the picture."""
        shown = {"image/png": self.png} if self.png else {"text/html": self.report._repr_html_()}
        told = " ".join(block for block in self.report.blocks if isinstance(block, str))
        return {"text/plain": repr(self), **shown}, {"image/png": {"alt": told}}


def table(rows: Iterable[Mapping[str, Any]]) -> "DataFrame":
    """Rows as a table of pandas."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise Mistake("to_pandas() needs pandas: pip install pandas, then restart the kernel") from None
    return DataFrame(list(rows))


def picture(
    report: Report, panels: Sequence[Columns], names: Sequence[str], title: str, fair_name: str, say: Say
) -> Picture:
    """The picture of a report, which says why if there is none."""
    png = draw(panels, names, title, fair_name) if panels else None
    if panels and png is None:
        why = say(NO_PICTURE_HERE if sys.platform == "emscripten" else NO_PICTURE)
        report = Report((why, *report.blocks))
    return Picture(report, png)


def draw(panels: Sequence[Columns], names: Sequence[str], title: str, fair_name: str) -> bytes | None:
    """The sections as a PNG file, one panel for those side by side; None if matplotlib is not installed.

    Two panels stand in a row if there is room. `fair_name` names the line of the fair share; without it there is none.
    The same numbers give the same bytes with the same matplotlib; nobody's settings or open figures are touched.
    """
    with _quiet():
        try:
            from matplotlib import style
            from matplotlib.figure import Figure
            from matplotlib.patches import Patch
        except ImportError:
            return None
        with style.context(["default", {"text.parse_math": False, "font.size": 9, "hatch.linewidth": 0.7}]):
            sizes = [max(3, len(labels_of(columns))) for columns in panels]
            heights = [0.7 + 0.24 * len(labels_of(columns)) if _is_intervals(columns) else 2.8 for columns in panels]
            in_row = len(panels) == 2 and len(names) * sum(sizes) < 32 and not any(map(_is_intervals, panels))
            figure = Figure((9, 4) if in_row else (9, 0.8 + sum(heights)), dpi=100, layout="constrained")
            shape: dict[str, Any] = {"nrows": len(panels), "height_ratios": heights}
            shape = {"ncols": 2, "width_ratios": sizes} if in_row else shape
            for axes, columns in zip(figure.subplots(squeeze=False, **shape).flat, panels, strict=True):
                (_intervals if _is_intervals(columns) else _panel)(axes, columns, fair_name)
            figure.suptitle("\n".join(fill(line, 120) for line in title.splitlines()), fontsize=10)
            bars = [Patch(**_look(index), label=name) for index, name in enumerate(names)] * (len(names) > 1)
            line = [line for line in figure.axes[0].lines if line.get_label() == fair_name]
            figure.legend(handles=[*line, *bars], loc="outside lower center", ncols=4, frameon=False)
            file = BytesIO()
            figure.savefig(file, format="png", metadata={"Software": None})
    return file.getvalue()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps matplotlib from telling a learner that it builds its cache of fonts."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _look(index: int) -> dict[str, Any]:
    colour, hatch = FILLS[index]
    return {"facecolor": colour, "hatch": hatch, "edgecolor": INK, "linewidth": 0.7}


def labels_of(sections: Columns) -> list[str]:
    """The labels of the rows of sections that stand side by side, in the order of the longest."""
    longest_first = sorted((section for section in sections if section), key=lambda section: -len(section.rows))
    return list(dict.fromkeys(label for section in longest_first for label in section.rows))


def _is_intervals(columns: Columns) -> bool:
    return any(section is not None and section.drawn == "intervals" for section in columns)


def _intervals(axes: "Axes", columns: Columns, fair_name: str) -> None:
    """Differences as dots with their give or take around 0; those that reach 0 are hollow and grey."""
    section = columns[0]
    assert section is not None
    for place, measure in enumerate(section.rows.values()):
        clear = measure.beyond(0)
        look: dict[str, Any] = {"color": INK if clear else FAINT, "markerfacecolor": INK if clear else "white"}
        axes.errorbar(measure.value, place, xerr=measure.margin, fmt="o", markersize=5, capsize=3, **look)
        where: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom", "fontsize": 8}
        where["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}
        axes.annotate(measure.number, (measure.value, place), (0, 4), **where)
    axes.axvline(0, color=INK, linestyle="--", linewidth=1)
    axes.set_yticks(range(len(section.rows)), list(section.rows))
    axes.set_ylim(len(section.rows) - 0.4, -0.9)  # the first on top
    axes.set(title=section.title)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color=FAINT, alpha=0.3)
    axes.set_axisbelow(True)


def _panel(axes: "Axes", columns: Columns, fair_name: str) -> None:
    """Grouped bars, each with its give or take as a line through the end, and its number above that."""
    labels, width = labels_of(columns), 0.84 / len(columns)
    turn = 90 if len(labels) * len(columns) > 8 else 0
    for index, section in enumerate(columns):
        rows = section.rows if section else {}
        places = [labels.index(label) + (index - (len(columns) - 1) / 2) * width for label in rows]
        values, margins = [row.value for row in rows.values()], [row.margin for row in rows.values()]
        axes.bar(places, values, width * 0.92, **_look(index))
        axes.errorbar(places, values, margins, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
        for place, row in zip(places, rows.values(), strict=True):
            at = (place, row.value + row.margin)
            where: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom", "rotation": turn}
            where["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
            axes.annotate(row.number, at, (0, 3), fontsize=8, **where)
    some = next(section for section in columns if section)
    if fair_name and some.fair is not None:
        axes.axhline(some.fair, color=INK, linestyle="--", linewidth=1, label=fair_name)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.set_xticks(range(len(labels)), [label.replace(" ", "\n", 1) for label in labels])
    if len(labels) > 6:
        axes.tick_params(axis="x", labelsize=7)
    axes.set(title=some.title, xlabel=some.head, ylabel=some.unit)
    axes.set_ylim(0, 1.2 * max(axes.get_ylim()[1], 0.1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=FAINT, alpha=0.3)
    axes.set_axisbelow(True)
