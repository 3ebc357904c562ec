"""What texts and pages are made of: lines and grids. Text from outside is escaped in `tag` and nowhere else."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple

from ninety_nine_kit.card import BACK, Card, Suit, listed
from ninety_nine_kit.game import Cards

Say = Callable[[str], str]
Names = Sequence[str] | None
Cell = str | Cards


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str) -> Markup:
    """An element. Content that is no `Markup`, and every attribute, is escaped; `class_` writes `class`.

    >>> print(tag("b", "<i>", tag("br"), class_="x"))
    <b class="x">&lt;i&gt;<br></b>
    """
    inside = "".join(part if isinstance(part, Markup) else escape(part) for part in content)
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>" if name == "br" else f"<{name}{written}>{inside}</{name}>")


class Grid(NamedTuple):
    """A table with a caption; cells are texts or cards."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __repr__(self) -> str:
        return f"{self.caption}\n{text_grid(self)}"

    def _repr_html_(self) -> str:
        return blocks_html([self])


Block = str | Grid


def blocks_text(blocks: Iterable[Block], captions: bool = False) -> str:
    grid = repr if captions else text_grid
    return "\n".join(block if isinstance(block, str) else grid(block) for block in blocks)


#: Without it JupyterLab and exported pages take $…$ in a name for a formula, and a formula can hold a link.
NOT_MATHS = "tex2jax_ignore mathjax_ignore"


def blocks_html(blocks: Iterable[Block]) -> Markup:
    lines = (tag("p", b, style="margin:0") if isinstance(b, str) else html_grid(b) for b in blocks)
    return tag("div", *lines, class_=NOT_MATHS)


def text_grid(grid: Grid) -> str:
    cells = [[cell if isinstance(cell, str) else listed(cell) for cell in row] for row in (grid.head, *grid.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(f"  {line}".rstrip() for line in lines)


RED, BLACK = "#b40f2a", "#1b1b1f"


def card_span(card: Card) -> Markup:
    """A small card of inline styles."""
    colour = RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK
    if card == BACK:
        colour = "#3350a8"
    style = f"color:{colour};background:#fffef9;border:1px solid #8a8a8a;border-radius:3px;padding:0 3px;margin:1px"
    return tag("span", str(card), style=style)


#: Without it JupyterLab sets the cells of a table to the right.
_LEFT = "text-align:left"


def html_grid(grid: Grid) -> Markup:
    """A grid as a captioned table; its first column are row headings."""
    head = tag("tr", *(tag("th", cell, scope="col", style=_LEFT) for cell in grid.head))
    rows = [
        tag(
            "tr",
            tag("th", _cell(row[0]), scope="row", style=_LEFT),
            *(tag("td", _cell(cell), style=_LEFT) for cell in row[1:]),
        )
        for row in grid.rows
    ]
    caption = tag("caption", grid.caption, style=f"{_LEFT};font-weight:600")
    return tag("table", caption, tag("thead", head), tag("tbody", *rows))


def _cell(cell: Cell) -> Markup:
    return Markup("".join(map(card_span, cell))) if isinstance(cell, tuple) else Markup(escape(cell))
