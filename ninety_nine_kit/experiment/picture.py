"""Sections as bars, drawn by matplotlib where it is installed; no other module knows it."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ninety_nine_kit.experiment.measure import Report, Section, labels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
            in_row = len(panels) == 2 and len(names) * sum(sizes) < 32
            figure = Figure((9, 4) if in_row else (9, 0.8 + 2.8 * len(panels)), dpi=100, layout="constrained")
            shape: dict[str, Any] = {"ncols": 2, "width_ratios": sizes} if in_row else {"nrows": len(panels)}
            for axes, columns in zip(figure.subplots(squeeze=False, **shape).flat, panels, strict=True):
                _panel(axes, columns, fair_name)
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
    axes.set(title=some.title, xlabel=some.head, ylabel=some.unit)
    axes.set_ylim(0, 1.2 * max(axes.get_ylim()[1], 0.1))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=FAINT, alpha=0.3)
    axes.set_axisbelow(True)
