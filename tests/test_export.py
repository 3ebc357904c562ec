"""A lesson as a printable page: exported to HTML, and read in Chromium with JavaScript switched off."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter

pytestmark = pytest.mark.browser
NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


class Cells(HTMLParser):
    """The texts of table cells, captions and paragraphs of an output, and how many tables and cards it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tables = html.count("<table>")
        self.cards = len(re.findall(r"border-radius:3px[^>]*>(?:10|[2-9JQKA])[♣♦♥♠]", html))
        self._open = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in ("td", "th", "caption", "p"):
            self.texts.append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag not in ("td", "th", "caption", "p")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[-1] += data


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def page(browser: Any) -> Any:
    return browser.new_context(java_script_enabled=False, offline=True).new_page()


@pytest.mark.parametrize("lesson", LESSONS)
def test_an_exported_lesson_shows_every_table_and_card_without_javascript(
    lesson: str, page: Any, tmp_path: Path
) -> None:
    notebook = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    exported = tmp_path / f"{lesson}.html"
    exported.write_text(HTMLExporter().from_notebook_node(notebook)[0], encoding="utf-8")
    page.goto(exported.as_uri(), wait_until="domcontentloaded")
    shown = squeezed(page.locator("body").inner_text())
    outputs = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    pages = [Cells(data["text/html"]) for data in outputs if "text/html" in data]
    assert pages
    assert not [text for page_ in pages for text in page_.texts if squeezed(text) not in shown]
    in_outputs = page.locator(".jp-OutputArea-output")
    assert in_outputs.locator("table:visible").count() == sum(page_.tables for page_ in pages)
    cards = in_outputs.locator("span[style*='border-radius']:visible")
    assert len(re.findall(r"[♣♦♥♠]", "".join(cards.all_inner_texts()))) == sum(page_.cards for page_ in pages)
    assert in_outputs.locator("img:visible").count() == sum("image/png" in data for data in outputs)
    printed = [output.text for cell in notebook.cells for output in cell.get("outputs", []) if "text" in output]
    assert not [text for text in printed if squeezed(text) not in shown]
