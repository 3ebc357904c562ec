"""Lessons in a real JupyterLab in headless Chromium: cards played by mouse and by keyboard, and what a click costs."""

import json
import os
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lab import CHROMIUM, chromium, jupyter_lab, open_and_run
from playwright.sync_api import expect

import ninety_nine_kit as kit
from ninety_nine_kit.tricks import best

pytestmark = pytest.mark.browser
LESSONS = Path(__file__).resolve().parents[1] / "notebooks"
CARD = r"(?:10|[2-9JQKA])[♣♦♥♠]"
BYTES = 16_000  # for each click, see part 5 of the design

HAS_FOCUS = """() => {
  const focused = document.activeElement;
  return focused.matches('.nn-hand .nn-card:not(.nn-gone)') && focused.offsetParent !== null;
}"""
FACES = """table => [...table.querySelectorAll('.nn-hand button, .nn-choices button')].map(
  button => [button.textContent, ...[...button.classList].filter(name => name.startsWith('nn-'))].join(' '))"""


STAYS_UNDER_THE_POINTER = """async card => {
  for (let frame = 0; frame < 20; frame++) {
    await new Promise(requestAnimationFrame);
    if (frame > 5 && !card.matches(':hover')) return false;
  }
  return true;
}"""


class Frame(NamedTuple):
    """A message of the kernel's websocket. `parent`: the id of the message that it answers."""

    kind: str
    id: str
    parent: str
    content: dict[str, Any]
    size: int


def read_frame(frame: bytes) -> Frame:
    """Protocol v1.kernel.websocket.jupyter.org: a count, so many offsets, then the parts that they divide."""
    numbers = [int.from_bytes(frame[place : place + 8], "little") for place in range(0, len(frame) - 7, 8)]
    offsets = numbers[1 : numbers[0] + 1]
    parts = [frame[start:end] for start, end in pairwise(offsets)]
    header, parent, content = json.loads(parts[1]), json.loads(parts[2]), json.loads(parts[4])
    return Frame(header["msg_type"], header["msg_id"], parent.get("msg_id", ""), content, len(frame))


class Lesson:
    """A lesson that has run: its page, its first table, and the messages that pressing something costs."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.table = page.locator(".nn-table").first
        self.frames: list[Frame] = []
        self.errors: list[str] = []
        self.costs: list[str] = []
        page.on("websocket", self._listen)
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _listen(self, socket: Any) -> None:
        if "/channels" in socket.url:
            for event in "framesent", "framereceived":
                socket.on(event, lambda frame: self.frames.append(read_frame(frame)))

    def at(self, table: Any) -> None:
        """Goes on at another table of the lesson."""
        self.table = table
        table.scroll_into_view_if_needed()

    def cards(self, mark: str = ":not(.nn-no)") -> Any:
        return self.table.locator(f".nn-hand .nn-card:not(.nn-gone){mark}")

    @property
    def choices(self) -> Any:
        return self.table.locator(".nn-choices button:visible")

    def text(self, part: str) -> str:
        return self.table.locator(part).inner_text() if self.table.locator(part).count() else ""

    def press(self, button: Any, key: str = "") -> None:
        """By mouse, or by the keyboard: waits for the kernel and the page, and holds the click to its budget."""
        name, faces, sheet = button.text_content(), self.table.evaluate(FACES), self.text(".nn-sheet")
        mark = len(self.frames)
        if key:
            button.focus()
            self.page.keyboard.press(key)
        else:
            button.click()
        messages = [frame for frame in self._until_idle(mark) if frame.kind == "comm_msg"]
        self._until_drawn(messages)
        changed = sum(was != now for was, now in zip(faces, self.table.evaluate(FACES), strict=True))
        allowed = 4 + changed + (self.text(".nn-sheet") != sheet)
        size = sum(frame.size for frame in messages)
        self.costs.append(f"{name}: {len(messages)} of {allowed} messages, {size} bytes")
        assert len(messages) <= allowed, self.costs[-1]
        assert size <= BYTES, self.costs[-1]

    def _until_idle(self, mark: int) -> list[Frame]:
        """All frames since the mark, when the kernel has done what the browser asked for."""
        for _ in range(3_000):
            new = self.frames[mark:]
            asked = {frame.id for frame in new if frame.kind == "comm_msg" and not frame.parent}
            idle = {frame.parent for frame in new if frame.content.get("execution_state") == "idle"}
            if asked and asked <= idle:
                return new
            self.page.wait_for_timeout(10)
        raise AssertionError("the kernel did not answer the click within 30 s")

    def _until_drawn(self, messages: list[Frame]) -> None:
        """The board is the last but one thing to change, the box with the step the last."""
        for frame in messages:
            value = frame.content["data"].get("state", {}).get("value")
            if isinstance(value, str) and "nn-board" in value:
                self.page.wait_for_function(
                    "([table, html]) => { const made = document.createElement('div'); made.innerHTML = html;"
                    " return table.querySelector('.nn-board').outerHTML === made.innerHTML }",
                    arg=[self.table.element_handle(), value],
                )
            elif isinstance(value, int):
                expect(self.table.locator("input[type=number]")).to_have_value(str(value))

    def focus_is_on_a_card(self) -> None:
        self.page.wait_for_function(HAS_FOCUS)

    def holds_still(self, card: Any) -> bool:
        """Whether a card with the pointer on its lowest edge stays there, and does not jump up and down."""
        box = card.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 2)
        still: bool = card.evaluate(STAYS_UNDER_THE_POINTER)
        self.page.mouse.move(1, 1)
        return still

    def story(self) -> str:
        return self.text(".nn-story")

    def total(self) -> int:
        return int(self.text(".nn-total").split("/")[0].replace("−", "-"))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A browser, and the address of a JupyterLab that serves copies of the lessons."""
    if CHROMIUM is None:
        reason = "no Chromium here: install chromium (see .ci/run) to run the browser tests"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    folder = tmp_path_factory.mktemp("lessons")
    for lesson in LESSONS.glob("*.ipynb"):
        shutil.copy(lesson, folder)
    with chromium() as browser, jupyter_lab(folder, tmp_path_factory.mktemp("jupyter")) as address:
        yield browser, address


@pytest.fixture
def lesson(lab: tuple[Any, str], request: pytest.FixtureRequest) -> Iterator[Lesson]:
    browser, address = lab
    page = browser.new_page(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce")
    page.set_default_timeout(30_000)
    opened = Lesson(page)
    try:
        open_and_run(page, address, f"{request.param}.ipynb")
        expect(opened.table).to_be_visible()
        yield opened
        print(*opened.costs, sep="\n")
        assert opened.errors == []
    finally:
        page.close()


def in_lesson(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("lesson", [name], indirect=True)


def taken_rightly(story: str) -> int:
    """How many tricks a story without trump tells, each of three cards and taken by the highest of the suit led."""
    plays, takers = re.findall(rf"(\w+) plays ({CARD})\.", story), re.findall(r"(\w+) takes the trick", story)
    for trick, taker in enumerate(takers):
        names, cards = zip(*plays[3 * trick : 3 * trick + 3], strict=True)
        assert names[best([*map(kit.Card.parse, cards)], None, kit.TRICKS_RU.ranks)] == taker
    return len(takers)


@in_lesson("02-bid-by-suit")
def test_a_bid_is_laid_tricks_are_taken_and_an_illegal_card_says_why(lesson: Lesson) -> None:
    for place in range(3):
        lesson.press(lesson.cards().nth(4 * place), "" if place else "Enter")
        lesson.focus_is_on_a_card()
    expect(lesson.table.locator(".nn-todo")).to_contain_text("Your bid so far:")
    lesson.press(lesson.choices.first)
    lesson.press(lesson.choices.first, "Enter")
    lesson.focus_is_on_a_card()
    story = lesson.story()
    for played, key in enumerate(("", "Enter", "Space", "", "Enter", "Space")):
        if played > 1 and lesson.cards(".nn-no").count():
            break
        name = lesson.cards().first.text_content()
        lesson.press(lesson.cards().first, key)
        lesson.focus_is_on_a_card()
        assert f"plays {name}." in lesson.story()
        story += lesson.story()
        assert taken_rightly(story) == played + 1
        taker = re.findall(r"(\w+) takes the trick", story)[-1]
        assert re.search(rf"{taker} (took it|✓ takes it)", lesson.text(".nn-middle"))
    illegal = lesson.cards(".nn-no").first
    name, before = illegal.text_content(), lesson.cards("").count()
    lesson.press(illegal)
    expect(lesson.table.locator(".nn-no-way")).to_have_text(re.compile(f"⊘ {name} does not follow: . was led"))
    lesson.focus_is_on_a_card()
    assert lesson.cards("").count() == before


def play_to_a_total(lesson: Lesson, key: str = "") -> int:
    """Plays the first card that may be played, with its first effect; gives the total on the table."""
    lesson.press(lesson.cards().first, key)
    told = lesson.story()
    for _ in range(4):
        passing = "choose a card to pass" in lesson.text(".nn-todo")
        if lesson.choices.count() or passing:
            lesson.press(lesson.cards().first if passing else lesson.choices.first, key)
            told += lesson.story()
    lesson.focus_is_on_a_card()
    last = re.findall(r"lays .*: \S+ → (\S+)\.", told)[-1]
    assert lesson.total() == int(last.replace("−", "-"))
    return lesson.total()


@in_lesson("04-running-total")
def test_the_total_is_read_after_a_click_and_a_key_and_an_illegal_card_says_why(lesson: Lesson) -> None:
    totals = [play_to_a_total(lesson), play_to_a_total(lesson, "Enter"), play_to_a_total(lesson, "Space")]
    assert len(set(totals)) == 3
    assert lesson.holds_still(lesson.cards().first)
    marked = lesson.page.locator(".nn-table:has(.nn-hand .nn-card.nn-no:not(.nn-gone))")
    if marked.count():
        lesson.at(marked.first)
    for _ in range(20):
        if lesson.cards(".nn-no").count():
            break
        play_to_a_total(lesson, "Enter")
    before = lesson.total()
    name = lesson.cards(".nn-no").first.text_content()
    lesson.press(lesson.cards(".nn-no").first, "Enter")
    expect(lesson.table.locator(".nn-no-way")).to_have_text(re.compile(rf"⊘ {name} would make 1\d\d, which is over 99"))
    lesson.focus_is_on_a_card()
    assert lesson.total() == before


@in_lesson("06-paranoia")
def test_paranoia_is_played_by_mouse_and_keyboard_and_a_typed_card_is_refused(lesson: Lesson) -> None:
    totals = [play_to_a_total(lesson), play_to_a_total(lesson, "Enter"), play_to_a_total(lesson, "Space")]
    assert totals[0] != totals[-1]
    held = {card.text_content() for card in lesson.cards("").all()}
    absent = next(str(card) for card in kit.cards("2♣ 3♦ 4♥ 5♠") if str(card) not in held)
    box = lesson.table.locator("input[type=text]").first
    box.fill(absent)
    box.press("Enter")
    expect(lesson.table.locator(".nn-no-way")).to_have_text(re.compile(f"⊘ .*hand of A.*{absent}"))
    expect(box).to_have_value(absent)
    assert lesson.total() == totals[-1]
