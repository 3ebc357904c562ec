"""Colours can be told apart, by the numbers of WCAG 2.2: text from its ground 4.5 to 1, signs from theirs 3 to 1."""

import re
import sys
from itertools import product
from pathlib import Path

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.show.blocks import Grid, blocks_html
from ninety_nine_kit.widgets.style import FOUR_COLOURS, SUIT_CLASS, TWO_COLOURS, stylesheet

Paint = tuple[float, ...]  # red, green, blue from 0 to 255, and how much of the ground it covers, from 0 to 1
TEXT, SIGN = 4.5, 3
COLOUR = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})\b|rgba\([^)]*\)")
THEMES = Path(sys.prefix, "share", "jupyter", "lab", "themes", "@jupyterlab")


def declared(inside: str) -> dict[str, str]:
    return {name.strip(): value.strip() for name, _, value in (part.partition(":") for part in inside.split(";"))}


SHEET: dict[str, dict[str, str]] = {}
for selector, inside in re.findall(r"([^{}]+)\{([^{}]*)\}", stylesheet([]).removeprefix("<style>")):
    SHEET.setdefault("".join(selector.splitlines()), {}).update(declared(inside))

BUTTON, CHOICE = ".jupyter-widgets.jupyter-button.nn-card", ".nn-choices .jupyter-button.nn-choice"
CARD, NO, PICKED = f":is({BUTTON},span.nn-card)", f"{BUTTON}.nn-no", f"{BUTTON}.nn-picked"
RING, CHOICE_RING = (f"{BUTTON}:focus-visible", "box-shadow"), (f"{CHOICE}:focus-visible", "box-shadow")
FELT, SEAT, STORY = (), (".nn-seat", "background"), (".nn-story", "background")
HTML = ".nn-felt .widget-html,.nn-felt .widget-html-content"
# What lies below (on the felt), the property that names a colour, and where. `color` is of a text, all others of signs.
PAIRS = [
    *[(below, "color", ".nn-felt", HTML, ".nn-felt .widget-label") for below in (FELT, SEAT, STORY)],
    *[((own, "background"), "color", own) for own in (".nn-mini", ".nn-story .nn-no-way", CHOICE, f"{NO}::after")],
    *[((mark, "background"), "color", ".nn-mark") for mark in (".nn-mark", ".nn-mark.nn-turn")],
    ((CARD, "background-color"), "color", CARD),
    *[((card, "background-color"), "border", CARD) for card in (CARD, NO)],  # parts a card from other cards
    (FELT, "background-color", CARD, NO),  # parts it from the felt
    (FELT, "background", CHOICE, ".nn-bar b"),
    (FELT, "border", f"{CARD}.nn-back", ".nn-empty", ".nn-felt :is(th,td)"),
    (FELT, "outline", PICKED),
    (FELT, "box-shadow", RING[0], CHOICE_RING[0], f"{NO}:focus-visible", f"{BUTTON}:hover"),
    *[(ring, "outline", ring[0]) for ring in (RING, CHOICE_RING)],
    (RING, "outline-color", f"{PICKED}:focus-visible"),
    *[(below, "border-color", ".nn-seat.nn-acts") for below in (FELT, SEAT)],
    (SEAT, "border", ".nn-backs"),
    (SEAT, "background", ".nn-mini", ".nn-mark", ".nn-mark.nn-turn"),
    (STORY, "border-left", ".nn-story .nn-comment"),
    ((".nn-bar", "background"), "background", ".nn-bar i"),
]
EACH = [(below, name, selector) for below, name, *selectors in PAIRS for selector in selectors]
IDS = [" ".join((selector, name, "on", *(below or ["the felt"]))) for below, name, selector in EACH]
# The grounds of pages, of rows of stored tables, of boxes to type in, of buttons, and of buttons held down.
OUTSIDE = ["layout-color0", "rendermime-table-row-background", "rendermime-table-row-hover-background"]
OUTSIDE += ["layout-color1", "layout-color2", "layout-color3"]


def read(colour: str) -> Paint:
    if colour.startswith("rgba"):
        return tuple(map(float, re.findall(r"[\d.]+", colour)))
    return (*bytes.fromhex(re.sub("^(.)(.)(.)$", r"\1\1\2\2\3\3", colour[1:])), 1)


def over(front: Paint, ground: Paint) -> Paint:
    return (*(front[3] * above + (1 - front[3]) * below for above, below in zip(front[:3], ground[:3], strict=True)), 1)


def greyed(colour: Paint, filters: str) -> Paint:
    """By the matrix of `grayscale()` in the CSS module Filter Effects."""
    amount = float(filters.removeprefix("grayscale(").removesuffix(")"))
    grey = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]
    return (*(part + amount * (grey - part) for part in colour[:3]), 1)


def paint(selector: str, name: str) -> Paint:
    """The first colour that the sheet declares there, as it is seen; an error if there is none."""
    colour = read(COLOUR.findall(SHEET[selector][name])[0])
    return greyed(colour, SHEET[NO]["filter"]) if selector in (NO, f"{NO}::after") else colour


def contrast(front: Paint, ground: Paint) -> float:
    light = []
    for colour in (over(front, ground), ground):
        parts = [part / 255 for part in colour[:3]]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        light.append(0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
    return max(light) / min(light)


def test_the_formulas_give_the_values_that_are_known() -> None:
    assert contrast(read("#000"), read("#ffffff")) == pytest.approx(21)
    assert contrast(read("#fff"), read("#767676")) == pytest.approx(4.54, abs=0.005)
    assert over(read("rgba(0,0,0,.2)"), read("#fff")) == pytest.approx((204, 204, 204, 1))
    assert greyed(read("#f00"), "grayscale(.45)") == pytest.approx((164.646, 24.396, 24.396, 1), abs=0.001)


@pytest.mark.parametrize("below, name, selector", EACH, ids=IDS)
def test_what_lies_on_the_felt_can_be_told_from_it(below: tuple[str, ...], name: str, selector: str) -> None:
    """On each stop of its gradient."""
    stops = [read(colour) for colour in COLOUR.findall(SHEET[".nn-felt"]["background"])]
    grounds = [over(paint(*below), stop) if below else stop for stop in stops]
    lowest = min(contrast(paint(selector, name), ground) for ground in grounds)
    assert lowest >= (TEXT if name == "color" else SIGN)


@pytest.mark.parametrize("pack, inks", [("", TWO_COLOURS), (".nn-four ", FOUR_COLOURS)], ids=["two", "four"])
def test_suits_can_be_read_on_every_face_of_both_packs(pack: str, inks: dict[kit.Suit, str]) -> None:
    """On court cards too, and on those that may not be played: they are greyed until they have the focus."""
    faces = [read(COLOUR.findall(SHEET[card]["background-color"])[0]) for card in (CARD, NO)]
    faces += [paint(".nn-mini", "background"), *(paint(f"{CARD}.nn-r{rank}", "background-image") for rank in "JQK")]
    for suit, ink in inks.items():
        card, mini = f"{CARD}.{SUIT_CLASS[suit]}", f"{pack}.nn-mini.{SUIT_CLASS[suit]}"
        rule = SHEET.get(pack + card, SHEET[card])
        pictures = re.findall(r"fill='%23(\w+)'", "".join(rule.values()))
        assert {rule["color"], SHEET[mini]["color"], *(f"#{colour}" for colour in pictures)} == {ink}
        for filters in "grayscale(0)", SHEET[NO]["filter"]:
            assert min(contrast(greyed(read(ink), filters), greyed(face, filters)) for face in faces) >= TEXT


def test_no_colour_in_the_sheet_is_left_out() -> None:
    named = {name for name, rule in SHEET.items() if any(COLOUR.search(rule[key]) for key in rule if key[:2] != "--")}
    named -= {place for below, _, selector in EACH for place in (selector, *below[:1])}
    left = {name for name in named if not re.search(r"\.nn-(s[CDHS]|r[JQK])$", name)}
    assert left == {":is(.nn-sheet,.nn-rules) :is(th,td)"}  # lines in a colour of the theme


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_outside_the_felt_can_be_read_in_both_themes(theme: str) -> None:
    css = (THEMES / f"theme-{theme}-extension" / "index.css").read_text(encoding="utf-8").replace(":white", ":#fff")
    known = declared(re.sub("[{}]", ";", re.sub(r"var\(--md-[\w-]+,(#\w+)\)", r"\1", css)))
    assert set(re.findall(r"--jp-[\w-]+", stylesheet([]))) <= known.keys()
    for text, below in product(["content", "ui"], OUTSIDE):
        ground = over(read(known[f"--jp-{below}"]), read(known["--jp-layout-color0"]))
        assert contrast(read(known[f"--jp-{text}-font-color1"]), ground) >= TEXT


def test_cards_in_stored_outputs_can_be_read_and_all_else_has_the_colours_of_the_page() -> None:
    cards = (*kit.TRICKS_RU.pack(3), kit.BACK)
    html = blocks_html(["A line", Grid("A table", ("Cards",), ((cards,), ("none",)))])
    styles = [declared(style) for style in re.findall(r'style="([^"]*)"', html) if COLOUR.search(style)]
    assert len(styles) == len(cards)
    for style in styles:
        assert contrast(read(style["color"]), read(style["background"])) >= TEXT
        assert contrast(read(COLOUR.findall(style["border"])[0]), read(style["background"])) >= SIGN
