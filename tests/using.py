"""A person who uses a lesson in a browser, by mouse and by keyboard, and what each click costs."""

import re
from collections.abc import Callable
from functools import partialmethod
from typing import Any, NamedTuple

from lab import Frame, recorded_frames, show_output
from playwright.sync_api import expect
from seeing import board, next_press

import ninety_nine_kit as kit
from ninety_nine_kit.tricks import best

CARD = r"(?:10|[2-9JQKA])[♣♦♥♠]"
BYTES = 16_000  # for each click

FACES = """root => [...root.querySelectorAll('.nn-hand button, .nn-choices button, input[type=text]')].map(
  node => [node.value || node.textContent, ...[...node.classList].filter(name => name.startsWith('nn-'))].join(' '))"""
IS_DRAWN = """([root, html]) => {
  const made = document.createElement('div');
  made.innerHTML = html;
  return [...root.querySelectorAll('.widget-html-content')].some(part => part.innerHTML === made.innerHTML);
}"""
HOLDS_FOCUS = "root => root.contains(document.activeElement) && document.activeElement.offsetParent !== null"
TAB_TO = """node => node === document.activeElement ? ''
  : document.activeElement.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Tab' : 'Shift+Tab'"""


class Spoken(NamedTuple):
    """A live region: the page's number of the node, and what a screen reader says when that changes."""

    node: int
    text: str


class Lesson:
    """A lesson: its page, and the messages that were sent. Where the kernel runs in the page itself there is nothing to
    count, and no click is held to a budget."""

    def __init__(self, page: Any, counted: bool = True) -> None:
        self.page, self.frames, self.counted = page, recorded_frames(page), counted
        self.errors: list[str] = []
        page.on("console", lambda line: self._note(line.text) if line.type == "error" else None)
        page.on("pageerror", lambda error: self._note(str(error)))

    def _note(self, error: str) -> None:
        if "@jupyterlite/services" not in error:  # of what the site is built with, which no server needs
            self.errors.append(error)

    def widget(self, name: str) -> "Widget":
        return Widget(self, show_output(self.page, name).locator(".nn-table"))

    def until_idle(self, mark: int, last: Callable[[dict[str, Any]], bool] = lambda state: True) -> list[Frame]:
        """All frames since the mark, when the kernel has done what the browser asked for, last to take this state."""
        for _ in range(3_000):
            new = self.frames[mark:]
            asked = [frame for frame in new if frame.kind == "comm_msg" and not frame.parent]
            idle = {frame.parent for frame in new if frame.content.get("execution_state") == "idle"}
            done = bool(asked) and {frame.id for frame in asked} <= idle
            if done and last(asked[-1].content["data"].get("state", {})):
                return new
            self.page.wait_for_timeout(10)
        raise AssertionError("the kernel did not answer within 30 s")


class Widget:
    """A widget of a lesson. A click or a key is held to its budget, and must leave the focus in the widget."""

    def __init__(self, lesson: Lesson, root: Any) -> None:
        self.lesson, self.root, self.press = lesson, root, lesson.page.keyboard.press
        expect(root).to_be_visible()

    def text(self, part: str) -> str:
        return "\n".join(self.root.locator(part).all_inner_texts())

    def cards(self, mark: str = "") -> list[str]:
        return list(self.root.locator(f".nn-hand .nn-card:visible{mark}").all_text_contents())

    def button(self, name: str) -> Any:
        words = re.compile(f"^{re.escape(name)}$")
        return self.root.locator("button:visible, .widget-checkbox label").filter(has_text=words)

    def box(self, label: str) -> Any:
        return self.root.get_by_label(label, exact=True)

    def shows(self, part: str, *words: str, focus: str = "") -> None:
        """These words in a part of it, and the focus on a control with this name, or on any card that can be seen."""
        for expected in words:
            expect(self.root.locator(part).first).to_contain_text(expected)
        if focus:
            card = self.root.locator(".nn-hand .nn-card:visible:focus")
            expect(card if focus == CARD else self.button(focus).or_(self.box(focus))).to_be_focused()

    asks = partialmethod(shows, ".nn-todo")
    tells = partialmethod(shows, ".nn-story")
    refuses = partialmethod(shows, ".nn-no-way")

    def spoken(self) -> Spoken:
        """What the accessibility tree has as this widget's live region."""
        cdp = self.lesson.page.context.new_cdp_session(self.lesson.page)
        self.root.locator(".nn-live").evaluate("node => { window.live = node; }")
        found = cdp.send("Runtime.evaluate", {"expression": "window.live"})["result"]["objectId"]
        region = cdp.send("Accessibility.getPartialAXTree", {"objectId": found, "fetchRelatives": False})["nodes"][0]
        told = cdp.send("Accessibility.queryAXTree", {"objectId": found, "role": "StaticText"})["nodes"]
        assert (region["role"]["value"], region["ignored"]) == ("status", False)
        assert {"live": "polite"}.items() <= {of["name"]: of["value"]["value"] for of in region["properties"]}.items()
        return Spoken(region["backendDOMNodeId"], " ".join(part["name"]["value"] for part in told))

    def holds_still(self, card: str) -> bool:
        """Whether a card stays under a pointer that moves along its lowest edge, and does not jump up and down."""
        button, mouse, over = self.button(card), self.lesson.page.mouse, []
        box = button.bounding_box()
        for step in range(5):
            mouse.move(box["x"] + box["width"] / 2 + step, box["y"] + box["height"] - 2)
            over.append(
                button.evaluate("card => new Promise(requestAnimationFrame).then(() => card.matches(':hover'))")
            )
        mouse.move(1, 1)
        return all(over)

    def click(self, *names: str, more: int = 0) -> None:
        """By mouse."""
        for name in names:
            self._pay(name, self.button(name).click, more)

    def choose(self, label: str, option: str) -> None:
        """From a menu by mouse: a script cannot point at the list that opens, so it does what a click there would."""
        self.box(label).focus()
        self._pay(option, lambda: self.box(label).select_option(label=option.replace(" ", "\xa0")))

    def reach(self, target: Any) -> None:
        """By keyboard from where the focus is."""
        for _ in range(40):
            if not (key := target.evaluate(TAB_TO)):
                return
            self.press(key)
        raise AssertionError(f"no way to {target} by keyboard")

    def key(self, key: str) -> None:
        self._pay(key, lambda: self.press(key))

    def enter(self, *names: str) -> None:
        """Reaches buttons by keyboard and presses Enter on each."""
        for name in names:
            self.reach(self.button(name))
            self.key("Enter")

    def write(self, label: str, text: str) -> None:
        """Reaches a box by keyboard, replaces what is in it, and presses Enter."""
        self.reach(self.box(label))
        self.press("Control+a")
        self.lesson.page.keyboard.type(text)
        if self.box(label).get_attribute("type") == "text":
            # The text is sent and echoed; then the browser is asked whether it has sent it, and answers.
            self._pay("Enter", lambda: self.press("Enter"), more=5, last=lambda state: "order" in state)
        else:
            self.key("Enter")

    def paste(self, label: str, text: str) -> None:
        """Reaches a box by keyboard, puts a text in the place of what is in it, and presses Enter. What comes of it may
        be a whole game, which has no budget."""
        self.reach(self.box(label))
        self.press("Control+a")
        self.lesson.page.keyboard.insert_text(text)
        self.press("Enter")

    def pick(self, label: str, option: str) -> None:
        """From a menu by keyboard: Enter opens it, the arrows choose, Enter takes."""
        menu = self.box(label)
        self.reach(menu)
        options = [words.replace("\xa0", " ") for words in menu.locator("option").all_text_contents()]
        way = options.index(option) - menu.evaluate("menu => menu.selectedIndex")
        for key in ["Enter", *["ArrowDown" if way > 0 else "ArrowUp"] * abs(way)]:
            self.press(key)
        self.key("Enter")

    def _pay(self, name: str, act: Callable[[], object], more: int = 0, **wait: Any) -> None:
        """Acts, waits for the kernel and the page, and holds the act to its budget."""
        if not self.lesson.counted:
            act()
            return
        page, mark = ".nn-sheet, .nn-rules", len(self.lesson.frames)
        faces, below = self.root.evaluate(FACES), self.text(page)
        act()
        messages = [frame for frame in self.lesson.until_idle(mark, **wait) if frame.kind == "comm_msg"]
        states = {frame.content["comm_id"]: frame.content["data"].get("state", {}) for frame in messages}
        for value in (state.get("value") for state in states.values()):
            if isinstance(value, str) and value.startswith("<"):
                self.lesson.page.wait_for_function(IS_DRAWN, arg=[self.root.element_handle(), value])
        changed = sum(was != now for was, now in zip(faces, self.root.evaluate(FACES), strict=True))
        # The click, the board, the step and what a screen reader says; one more where the focus must move on.
        moved = any(frame.content["data"].get("content") == {"do": "focus"} for frame in messages)
        allowed = 4 + more + moved + changed + (self.text(page) != below)
        size = sum(frame.size for frame in messages)
        print(cost := f"{name}: {len(messages)} of {allowed} messages, {size} bytes")
        assert len(messages) <= allowed and size <= BYTES, cost
        self.lesson.page.wait_for_function(HOLDS_FOCUS, arg=self.root.element_handle())


def play_beside(table: Widget, here: Any, presses: int, mouse: bool = True) -> None:
    """Plays a game in the browser, by mouse and by keyboard in turn, and the same here: after each press the browser
    shows what this table would show, cards, totals and all."""
    for turn in range(presses):
        button = next_press(here)
        if button.description == "Play again":  # with cards that nobody can foresee
            button = here.button("Back")
        (table.click if mouse and turn % 2 == 0 else table.enter)(button.description)
        button.click()
        table.lesson.page.wait_for_function(IS_DRAWN, arg=[table.root.element_handle(), board(here)])


def tricks_taken_rightly(story: str) -> int:
    """How many tricks a story without trump tells, each of three cards and taken by the highest of the suit led."""
    plays, takers = re.findall(rf"(\w+) plays ({CARD})\.", story), re.findall(r"(\w+) takes the trick", story)
    for trick, taker in enumerate(takers):
        names, cards = zip(*plays[3 * trick : 3 * trick + 3], strict=True)
        assert names[best(kit.cards(" ".join(cards)), None, kit.TRICKS_RU.ranks)] == taker
    return len(takers)


def total_added_up(table: Widget, rules: kit.AddingRules, total: int = 0) -> int:
    """The total on the table, which is what the lays that are told make of the total before them."""
    lays = re.findall(rf"lays ({CARD}).*?: (\S+) → (\S+)\.", table.text(".nn-story").replace("−", "-"))
    assert lays
    for name, before, after in lays:
        effects = rules.effects[kit.Card.parse(name).rank]
        assert int(before) == total
        total = int(after)
        assert total in {int(before) + effect.add if effect.set_to is None else effect.set_to for effect in effects}
    assert table.text(".nn-total").replace("−", "-").split("/")[0].strip() == str(total)
    return total
