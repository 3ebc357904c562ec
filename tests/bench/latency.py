"""How long a person waits in JupyterLab in Chromium: `python tests/bench/latency.py`. Figures differ by machine.

Opening: from the start of `jupyter lab` until it answers (asked ten times a second); from then until the frame in which
the first card of 00-start stands in the page. For each lesson: from when its address is asked for until Run All starts,
its kernel being ready; and from then until JupyterLab says that all cells have run. The browser is running already.

Clicks: two tables and a bare label, whose value alone changes, stand in one notebook and get a click in turn, so that
noise hits all alike. The time is taken in the page, from just before `element.click()` to the animation frame after the
last change: of any node or attribute in the table (cards, board, step box, score sheet, words for a screen reader), or
in the box of the label. Which change was the last is known afterwards: the kernel is idle, the board or the label is
another than before, and nothing has changed for 200 ms. A frame comes every 16.7 ms, and what the browser needs to
paint it is not counted. Messages are the widgets', to and from the kernel (comm_msg), bytes theirs on the websocket. At
the adding table every counted click lays a card; to deal anew, or to ask a card what it can do, is not counted.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lab import chromium, jupyter, open_and_run, show_output, write_notebook
from using import Lesson

import ninety_nine_kit as kit

Cost = tuple[float, int, int]  # of a click: milliseconds, messages, bytes
LESSONS = Path(__file__).resolve().parents[2] / "notebooks"
WARM_UPS = 5

BID = """from ipywidgets import Button, Label, VBox
import ninety_nine_kit as kit
from ninety_nine_kit.widgets import Table
bid = Table(kit.TRICKS_RU, seed=99)
bid"""

# The button New deal takes the number in its box, which then gets the next number.
ADDING = """adding = Table(kit.ADDING_RU, players=5, seed=99)
number = adding.controls.seed
number.value = "100"
adding.controls.deal.on_click(lambda _: setattr(number, "value", str(int(number.value) + 1)))
adding"""

LABEL = """label, button = Label("0"), Button(description="Count")
button.on_click(lambda _: setattr(label, "value", str(int(label.value) + 1)))
counter = VBox([label, button])
counter"""

# When the first card stands in the page, and when Run All starts and ends, in seconds since 1970.
WATCH = """(() => {
  const at = window.at = {}, note = what => { at[what] = Date.now() / 1000; };
  const find = () => document.querySelector('.nn-hand .nn-card:not(.nn-gone)')?.checkVisibility()
    ? note('card') : requestAnimationFrame(find);
  const listen = () => window.jupyterapp
    ? window.jupyterapp.commands.commandExecuted.connect((_, {id, result}) => {
        if (id === 'notebook:run-all-cells') { note('start'); result.then(() => note('end')); }
      })
    : setTimeout(listen, 20);
  find(); listen();
})()"""

CLICK = """([root, button, part]) => {
  const timed = window.timed = {part: () => root.querySelector(part).innerHTML, changed: 0, drawn: 0};
  timed.before = timed.part();
  timed.observer = new MutationObserver(() => {
    timed.changed = performance.now();
    requestAnimationFrame(() => { timed.drawn = performance.now(); });
  });
  timed.observer.observe(root, {subtree: true, childList: true, attributes: true, characterData: true});
  timed.start = performance.now();
  button.click();
}"""
IS_DRAWN = """() => timed.part() !== timed.before
  && timed.drawn >= timed.changed && performance.now() - timed.drawn > 200"""
TAKEN = "() => { timed.observer.disconnect(); return timed.drawn - timed.start; }"


class Clicked:
    """A widget that is clicked. `part`: what must be another after every click."""

    def __init__(self, lesson: Lesson, name: str, part: str) -> None:
        self.lesson, self.part = lesson, part
        self.root = show_output(lesson.page, name).locator(".widget-vbox").first

    def click(self, button: Any) -> Cost:
        page, mark = self.lesson.page, len(self.lesson.frames)
        self.root.scroll_into_view_if_needed()
        page.evaluate(CLICK, [self.root.element_handle(), button.element_handle(), self.part])
        messages = [frame for frame in self.lesson.until_idle(mark) if frame.kind == "comm_msg"]
        page.wait_for_function(IS_DRAWN, polling=50)
        return page.evaluate(TAKEN), len(messages), sum(frame.size for frame in messages)

    def pick(self, turn: int) -> Cost:
        """Three cards are picked in three turns, and put back in the next three."""
        return self.click(self.root.locator(".nn-hand .nn-card:visible").nth(turn % 3 * 4))

    def lay(self, turn: int) -> Cost:
        """Lays a card; what must be clicked before is not counted."""
        while True:
            names = self.root.locator(".nn-board").get_attribute("data-show").split()
            cards = self.root.locator(".nn-hand .nn-card:visible:not(.nn-no)").all()
            plain = [card for card in cards if len(kit.ADDING_RU.effects[card.inner_text()[:-1]]) == 1]
            if names == ["new"]:  # the match is over
                self.click(self.root.get_by_role("button", name="New deal", include_hidden=True))
            elif names:  # what the card can do
                return self.click(self.root.locator("button.nn-choice:visible").filter(has_not_text="⊘").first)
            elif plain:
                return self.click(plain[0])
            else:
                self.click(cards[0])

    def count(self, turn: int) -> Cost:
        return self.click(self.root.locator("button"))


def print_opening(context: Any, address: str, answered: float, lessons: list[str]) -> None:
    """Opens these lessons, or all; `answered`: when the server did, in seconds since 1970."""
    rows: list[str] = []
    names = lessons or sorted(lesson.stem for lesson in LESSONS.glob("*.ipynb"))
    for name in names:
        page, asked = context.new_page(), time.time()
        open_and_run(page, address, f"{name}.ipynb")
        at = page.wait_for_function("at.end && at").json_value()
        if not rows:
            card = page.wait_for_function("at.card").json_value()
            print(f"{card - answered:6.2f} s  from then to the first card of {name}\n")
        rows.append(f"{name:24}{at['start'] - asked:10.2f}{at['end'] - at['start']:10.2f}")
        page.close()
    print("lesson                     opened   run all  (seconds)", *rows, "", sep="\n", flush=True)


def print_clicks(context: Any, address: str, clicks: int) -> None:
    lesson = Lesson(context.new_page())
    lesson.page.set_viewport_size({"width": 1300, "height": 2000})  # all three have room
    open_and_run(lesson.page, address, "latency.ipynb")
    acts = {
        "a bare label": Clicked(lesson, "counter", ".widget-label").count,
        "5 players: lay a card, 4 others answer (at most 4)": Clicked(lesson, "adding", ".nn-board").lay,
        "12 cards: pick one or put it back (at most 2)": Clicked(lesson, "bid", ".nn-board").pick,
    }
    costs: dict[str, list[Cost]] = {name: [] for name in acts}
    for turn in range(WARM_UPS + clicks):
        for name, act in acts.items():
            costs[name].append(act(turn))
    print(f"{f'{clicks} clicks on each':52}median ms  90 % ms  messages   bytes  times the label's")
    base = 0.0
    for name, counted in costs.items():
        times, messages, sizes = map(sorted, zip(*counted[WARM_UPS:], strict=True))
        base, late = base or median(times), times[round(0.9 * (clicks - 1))]
        cost = f"{median(times):9.1f}{late:9.1f}{median(messages):10g}{median(sizes):8,.0f}"
        print(f"{name:52}{cost}{median(times) / base:19.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how long a person waits in JupyterLab.")
    parser.add_argument("--clicks", type=int, default=50, help="that count, on each widget")
    parser.add_argument("lessons", nargs="*", help="those to open, such as 00-start (default: all)")
    args = parser.parse_args()
    with TemporaryDirectory() as folder, TemporaryDirectory() as home, chromium() as browser:
        shutil.copytree(LESSONS, folder, dirs_exist_ok=True)
        write_notebook(Path(folder) / "latency.ipynb", BID, ADDING, LABEL)
        context = browser.new_context(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce")
        context.add_init_script(WATCH)
        started = time.time()
        with jupyter("lab", Path(folder), Path(home)) as address:
            answered = time.time()
            print(f"{answered - started:6.2f} s  from the start of jupyter lab until it answers", flush=True)
            print_opening(context, address, answered, args.lessons)
            print_clicks(context, address, args.clicks)


if __name__ == "__main__":
    main()
