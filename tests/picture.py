"""Draws the picture of the table for the README, and screenshots for people who want to look.

    python tests/picture.py                 writes notebooks/images/table.png
    python tests/picture.py --all [FOLDER]  both families in JupyterLab in light and dark, 00-start in Notebook 7, Voilà
                                            and the site without a server, all on a phone's width too: screenshots/

The same rules and the same computer give the same picture: all comes from seeds.
"""

import argparse
import shutil
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from struct import iter_unpack, pack
from tempfile import TemporaryDirectory
from typing import Any
from zlib import compress, crc32

from lab import chromium, jupyter, open_and_run, static_site, write_notebook

README_PICTURE = Path(__file__).resolve().parents[1] / "notebooks" / "images" / "table.png"
SITE = README_PICTURE.parents[2] / "_site"
SERVERS = ("notebook", "voila")
WIDE, PHONE = 1080, 390  # of the window; the table is 180 px narrower (on a phone 116)

IMPORTS = "import ninety_nine_kit as kit\nfrom ninety_nine_kit.widgets import Table\n"

# Seat 0 declares whenever it may. Taken in the second deal, when it must follow suit and holds cards that do not.
TRICKS = f"""{IMPORTS}
def ready(state):
    legal, hand = state.legal_actions(), state.hands[0]
    return state.deal_number == 2 and len(state.trick) == 2 and len(state.tricks) > 2 and 1 < len(legal) < len(hand)

state = kit.deal(kit.TRICKS_FR, seed=36)
history = kit.History(state)
while not ready(history.state):
    seat = history.state.to_act
    declares = seat == 0 and history.state.why_not("declare") is None
    history.play("declare" if declares else kit.AGENTS["simple"](history.state.seen_by(seat), None))
table = Table(history, names=["Ann", "Ben", "Cem"])
for card in table.cards:
    if "nn-no" in card._dom_classes:
        illegal = card
illegal.click()
table"""

ADDING = f"""{IMPORTS}
state = kit.position(
    kit.PARANOIA_RU, ["10♥ A♣ K♦", "3♣ 3♦ K♠", "2♣ 5♦ 7♠"], total=94, pile="6♦ J♠", earned=[(3, 0, 0, 0)] * 3
)
table = Table(state, names=["Ann", "Ben", "Cem"])
table.button("A♣").click()
table"""

OVER = f"""{IMPORTS}
table = Table(kit.position(kit.ADDING_RU, ["5♥ A♣ K♦", "3♣ 3♦ K♠", "2♣ 5♦ 7♠"], total=97, pile="6♦ J♠"))
table.button("5♥").click()
table"""

BID = f"""{IMPORTS}
table = Table(kit.TRICKS_RU, seed=99)
for card in "9♣", "A♥", "10♠":
    table.button(card).click()
table"""


# The pixels of a picture, each channel in steps of 4, so that the felt takes few colours.
PIXELS = """async picture => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const brush = new OffscreenCanvas(image.width, image.height).getContext('2d', {alpha: false});
  brush.drawImage(image, 0, 0);
  const pixels = brush.getImageData(0, 0, image.width, image.height).data.map(value => 4 * Math.round(value / 4));
  return [image.width, btoa(pixels.reduce((text, byte) => text + String.fromCharCode(byte), ''))];
}"""


@contextmanager
def table_shown(browser: Any, address: str, folder: Path, cell: str, width: int) -> Iterator[Any]:
    """A page with the table of a cell, and nothing in the way of it."""
    write_notebook(folder / "picture.ipynb", cell)
    page = browser.new_page(viewport={"width": width, "height": 2600}, reduced_motion="reduce")
    open_and_run(page, address, "picture.ipynb")
    table = page.locator(".nn-table")
    table.wait_for()
    page.evaluate("document.activeElement.blur()")
    yield table
    page.close()


def save(shown: Any, file: Path) -> None:
    """A screenshot of a table or a page with at most 256 colours, a third of the size of Chromium's."""
    page = getattr(shown, "page", shown)
    width, written = page.evaluate(PIXELS, b64encode(shown.screenshot()).decode())
    pixels = [pixel for (pixel,) in iter_unpack("4s", b64decode(written))]
    counted = [colour for colour, _ in Counter(pixels).most_common()]
    palette = counted[:256]
    index = {colour: bytes([min(range(len(palette)), key=lambda n: _apart(palette[n], colour))]) for colour in counted}
    rows = [b"\0" + b"".join(index[p] for p in pixels[at : at + width]) for at in range(0, len(pixels), width)]
    head = pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0)
    colours = b"".join(colour[:3] for colour in palette)
    parts = {b"IHDR": head, b"PLTE": colours, b"IDAT": compress(b"".join(rows), 9), b"IEND": b""}
    chunks = [pack(">I", len(data)) + name + data + pack(">I", crc32(name + data)) for name, data in parts.items()]
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
    print(f"wrote {file}, {file.stat().st_size // 1000} kB")


def _apart(one: bytes, other: bytes) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


@contextmanager
def lab_in(theme: str) -> Iterator[tuple[Any, str, Path]]:
    """A browser, and the address and the folder of a JupyterLab."""
    with (
        TemporaryDirectory() as folder,
        TemporaryDirectory() as home,
        chromium() as browser,
        jupyter("lab", Path(folder), Path(home), f"JupyterLab {theme}") as address,
    ):
        yield browser, address, Path(folder)


def draw_for_readme() -> None:
    README_PICTURE.parent.mkdir(exist_ok=True)
    with lab_in("Light") as lab, table_shown(*lab, TRICKS, WIDE) as table:
        save(table, README_PICTURE)


def draw_all(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for theme in ("Light", "Dark"):
        with lab_in(theme) as lab:
            for name, cell in {"tricks": TRICKS, "bid": BID, "adding": ADDING, "over": OVER}.items():
                for width in (WIDE, PHONE):
                    with table_shown(*lab, cell, width) as table:
                        save(table, target / f"{name}-{theme.lower()}-{width}.png")
    draw_front_ends(target)


def draw_front_ends(target: Path) -> None:
    """What a window shows of 00-start where else it may be opened."""
    with TemporaryDirectory() as home, chromium() as browser, ExitStack() as stack:
        lessons = Path(shutil.copytree(README_PICTURE.parents[1], Path(home) / "lessons"))
        servers = {app: stack.enter_context(jupyter(app, lessons, Path(home))) for app in SERVERS}
        if (SITE / "jupyter-lite.json").is_file():
            servers["lite/notebooks"] = stack.enter_context(static_site(SITE, Path(home)))
        else:
            print("The site without a server is left out. To see it too: python binder/build_lite.py")
        for app, address in servers.items():
            for width in (WIDE, PHONE):
                page = browser.new_page(viewport={"width": width, "height": 1000}, reduced_motion="reduce")
                open_and_run(page, address, "00-start.ipynb", app)
                page.locator(".nn-table").first.evaluate("table => table.scrollIntoView()")
                page.wait_for_timeout(500)
                save(page, target / f"{app.replace('/', '-')}-{width}.png")
                page.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the table in JupyterLab in Chromium.")
    parser.add_argument(
        "--all",
        type=Path,
        nargs="?",
        const=README_PICTURE.parents[2] / "screenshots",
        metavar="FOLDER",
        help="many screenshots, into this folder (default: screenshots)",
    )
    args = parser.parse_args()
    if args.all:
        draw_all(args.all)
    else:
        draw_for_readme()


if __name__ == "__main__":
    main()
