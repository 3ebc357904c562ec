"""Keeping and sharing in JupyterLab: by keyboard, on a phone, after a kernel has ended, with texts that do harm."""

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from hostile import HIDDEN, SEEN
from lab import RUN_ALL, open_and_run, show_output, write_notebook
from nbconvert import HTMLExporter
from playwright.sync_api import expect
from seeing import board
from using import CARD, IS_DRAWN, Lesson

import ninety_nine_kit as kit
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.browser
IMPORTS = "import ninety_nine_kit as kit\nfrom ninety_nine_kit.widgets import Table"


@pytest.fixture(scope="module")
def open_notebook(lab: tuple[Any, str], lessons: Path) -> Iterator[Any]:
    """Makes a notebook of these cells, opens it and runs it."""
    opened = []

    def show(name: str, *cells: str, watch: Callable[..., None] = lambda page, *own: None) -> Lesson:
        write_notebook(lessons / f"{name}.ipynb", IMPORTS, *cells)
        window = lab[0].browser.new_context(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce")
        opened.append(Lesson(window.new_page()))  # JupyterLab sends a second page of one window elsewhere
        watch(opened[-1].page, lab[1], "data:", "blob:")
        open_and_run(opened[-1].page, lab[1], f"{name}.ipynb")
        return opened[-1]

    yield show
    for lesson in opened:
        lesson.page.context.close()
        assert lesson.errors == []


# By keyboard, and on a phone

# What sticks out of the panel's place or of the window, and what is wider inside than outside, which only a line to
# type in may be.
STICKS_OUT = """root => {
  const right = Math.min(innerWidth, root.closest('.jp-OutputArea-output').getBoundingClientRect().right);
  return [...root.querySelectorAll('.nn-share, .nn-share *')].filter(part => part.checkVisibility()).filter(part =>
    part.getBoundingClientRect().right > right + 1 || (part.scrollWidth > part.offsetWidth && part.tagName !== 'INPUT')
  ).map(part => `${part.tagName} ${part.className} ${part.textContent}`);
}"""


@pytest.fixture(scope="module")
def lesson(open_notebook: Any) -> Lesson:
    """A notebook with a table for each test of the panel."""
    names = "keys", "costs", "phone"
    return open_notebook("shared", *(f"{name} = Table(kit.ADDING_RU, seed=99)\n{name}" for name in names))


def test_a_game_is_copied_and_another_one_pasted_by_keyboard_alone(lesson: Lesson) -> None:
    here, table = Table(kit.ADDING_RU, seed=99), lesson.widget("keys")
    line = table.box("Line to share")
    table.enter("8♣")
    here.button("8♣").click()
    table.reach(table.button("Keep and share"))
    table.press("Enter")
    expect(line).to_have_value(kit.share_line(here.history))
    table.reach(line)
    table.press("Control+a")
    assert line.evaluate("box => box.value.slice(box.selectionStart, box.selectionEnd)") == line.input_value()
    table.press("Control+c")
    table.reach(table.button("2♥"))
    table.press("Enter")
    expect(line).not_to_have_value(kit.share_line(here.history))
    table.reach(table.box("Load a game"))
    table.press("Control+v")
    table.press("Enter")
    table.shows(".nn-share p", "The game is on the table, at step 3.", focus="Load a game")
    lesson.page.wait_for_function(IS_DRAWN, arg=[table.root.element_handle(), board(here)])
    assert "The game is on the table, at step 3." in table.spoken().text


def test_a_click_with_the_panel_open_costs_three_messages_more(lesson: Lesson) -> None:
    table = lesson.widget("costs")
    table.button("Keep and share").click()
    expect(table.root.get_by_role("link", name="Download")).to_be_visible()  # the last thing that it is sent
    table.click("8♣", "2♥", "Back", "Forward", more=3)


def test_the_open_panel_breaks_no_rule_of_accessibility_and_fits_a_phone(lesson: Lesson) -> None:
    page, table, wide = lesson.page, lesson.widget("phone"), lesson.page.viewport_size
    record = json.loads(kit.write_record(kit.History(kit.deal(kit.ADDING_RU, seed=99))))
    table.click("8♣")
    table.button("Keep and share").click()
    page.set_viewport_size({"width": 390, "height": 844})
    for theme, act, told in (
        ("JupyterLab Dark", table.button("Save").click, "The game is in the file"),
        ("JupyterLab Light", lambda: table.paste("Load a game", json.dumps(record | {"W" * 60: 1})), "WWW"),
    ):
        act()
        table.shows(".nn-share p", told)
        assert table.root.evaluate(STICKS_OUT) == []
        page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        result = Axe().run(page, context={"include": [[".jp-OutputArea-output:has(.nn-share p)"]]})
        assert result.violations_count == 0, f"{theme}\n{result.generate_report()}"
        assert len(result.response["passes"]) > 5
    page.set_viewport_size(wide)


# A game that is kept

RESTART = """() => {
  const panel = [...jupyterapp.shell.widgets('main')].find(widget => widget.context);
  return panel.sessionContext.restartKernel().then(() => panel.sessionContext.session.kernel.info);
}"""
MONDAY = 'table = Table(kit.ADDING_RU, seed=99, name="monday")\ntable'


def test_a_named_game_goes_on_after_the_kernel_has_ended_and_is_played_in_one_notebook(
    open_notebook: Any, lessons: Path
) -> None:
    lesson = open_notebook("kept", MONDAY)
    table, here = lesson.widget("table"), Table(kit.ADDING_RU, seed=99)
    table.click("8♣", "2♥")
    for name in "8♣", "2♥":
        here.button(name).click()
    lines = table.text(".nn-story").split("\n")[::2]
    lesson.page.evaluate(RESTART)
    assert lesson.page.evaluate(RUN_ALL)
    question = "A game is kept as “monday”: Adding, Russian text, deal 1, step 6. Go on with it?"
    table = lesson.widget("table")
    table.asks(question)
    for name in "Go on with the kept game", "Start anew":
        expect(table.root.get_by_role("button", name=name, exact=True)).to_be_visible()
    table.enter(table.cards()[0])
    table.refuses("First choose whether to go on with the game that is kept.", focus=CARD)
    table.enter("Back")  # refused or not, the question stands
    assert question in table.spoken().text
    table.reach(table.button("Go on with the kept game"))
    table.press("Enter")
    table.shows(".nn-head", "kept as “monday”", focus=CARD)
    table.shows(".nn-story", *lines)
    assert table.spoken().text.startswith(lines[0])
    expect(table.box("Step (of 6)")).to_have_value("6")

    second = open_notebook("kept-too", MONDAY).widget("table")
    second.shows(".nn-board", "“monday” is open in another notebook, so this game is not kept.")
    second.click("8♣")
    assert "so this game is not kept" in second.spoken().text
    assert "kept as" not in second.text(".nn-head")
    assert kit.load(lessons / "games" / "monday.json").states == here.history.states


# Texts that do harm

SHOW = """
from IPython.display import HTML, display
from dataclasses import replace
from ninety_nine_kit.events import NotYourTurn

def house(title):
    return replace(kit.ADDING_ES, name=title[:40], title=title, source=kit.Source('x', 'en', title))

def deals(titles, names):
    for place in range(0, len(names), 8):
        yield kit.deal(house(titles[place % len(titles)]), 8, seed=1), (names[place:] + names)[:8]

def tables(titles, names):
    for state, eight in deals(titles, names):
        display(Table(state, names=eight, agents=None, view='everyone'))

def pages(titles, names):
    shown = [kit.html(state, names=eight) for state, eight in deals(titles, names)]
    for title in titles:
        shown += kit.html(house(title)), kit.differences(kit.ADDING_ES, house(title))._repr_html_()
    display(HTML(''.join(shown)))

def words(titles, names):
    for state, eight in deals(titles, names):
        print(kit.text(state, names=eight))
    print(*(kit.text(house(title)) for title in titles))
    print(*(kit.narrate(NotYourTurn(0), names=[name]) for name in names))
"""
#: What is shown of harmful texts, and of which innocent ones: one table is enough, many at once are much for a server.
KINDS = {"tables": "one", "pages": "innocent", "words": "innocent"}
#: The elements of what a cell shows, with the names of their attributes.
ELEMENTS = """shown => shown.flatMap(part => [...part.querySelectorAll('*')]).map(
  node => `${node.tagName} ${node.getAttributeNames().sort()}`)"""
#: Of printed text, in which JupyterLab itself makes links: elements, and where they lead.
PRINTED = """shown => shown.flatMap(part => [...part.querySelectorAll('*')]).map(
  node => node.tagName + (node.protocol ?? ''))"""
#: Whether the panel says just this, as text.
TOLD = """([root, told]) => [...root.querySelectorAll('.nn-share p')].some(
  part => part.textContent === told && !part.childElementCount)"""


class Harm:
    """Texts that do harm, and what they do to pages: each is to do nothing."""

    def __init__(self, server: socket.socket) -> None:
        self._server, self._done = server, []
        server.setblocking(False)
        do, to = "window.hit=1", "http://{}:{}/hit".format(*server.getsockname())
        tags = [f"<script>{do}</script>", f"<img src={to} onerror={do}>", f"<svg onload={do}>", f'"><iframe src={to}>']
        links = [f"<link rel=preconnect href={to}>", f"![x]({to})", f"[x](javascript:{do})"]
        self.titles = [*tags, *links, *SEEN.values()]
        self.names = [*self.titles, *HIDDEN.values()]

    def watch(self, page: Any, *needed: str) -> None:
        """`needed` are the beginnings of the addresses that the page needs."""
        page.on("dialog", lambda dialog: (self._done.append(dialog.message), dialog.dismiss()))
        page.on("popup", lambda other: self._done.append(other.url))
        page.on("request", lambda asked: asked.url.startswith(needed) or self._done.append(asked.url))

    def done(self, page: Any) -> list[str]:
        """Windows, requests, and whether a text ran as a script."""
        with pytest.raises(BlockingIOError):  # nobody has called
            self._server.accept()
        return self._done + ["a script"] * (page.evaluate("window.hit") is not None)

    def record(self) -> str:
        """A record that is right, of house rules and people with such names."""
        rules = replace(kit.ADDING_ES, name="x", title=self.titles[0], source=kit.Source("x", "en", self.titles[1]))
        history = kit.History(kit.deal(rules, 7, seed=1), [name[:40] for name in self.titles[:7]])
        history.play(history.state.legal_actions()[0])
        return kit.write_record(history)

    def records(self) -> Iterator[str]:
        """Records with each text at a place where it is wrong; what is said of it may have it again."""
        data = json.loads(kit.write_record(kit.History(kit.deal(kit.ADDING_ES, seed=1))))
        for place, text in enumerate(self.names):
            wrong = [{text: 1}, {"rules": {"preset": text}}, {"deals": [data["deals"][0] | {"actions": [text]}]}]
            yield json.dumps(data | wrong[place % len(wrong)])


@pytest.fixture(scope="module")
def harm() -> Iterator[Harm]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Harm(server)


@pytest.fixture(scope="module")
def shown(open_notebook: Any, lessons: Path, harm: Harm) -> Lesson:
    """A notebook that shows such texts, and innocent ones in the same way."""
    (lessons / "games").mkdir(exist_ok=True)
    (lessons / "games" / "right.json").write_text(harm.record(), encoding="utf-8")
    (lessons / "games" / "wrong.json").write_text(next(harm.records()), encoding="utf-8")
    innocent = ["Ann"] * len(harm.titles), ["Ann"] * len(harm.names)
    given = [SHOW, f"harmful = {(harm.titles, harm.names)!r}", f"innocent = {innocent!r}", "one = ['Ann'], ['Ann'] * 8"]
    called = [f"{kind}(*{which})" for kind, other in KINDS.items() for which in ("harmful", other)]
    kept = [f"{name} = Table(kit.ADDING_RU, seed=99, name='{name}')\n{name}" for name in ("right", "wrong")]
    rest = ["new = Table(kit.ADDING_RU, seed=99)\nnew", "formula = HTML('<p>$x$</p>')\nformula"]
    return open_notebook("harm", *given, *called, *kept, *rest, watch=harm.watch)


def test_names_and_titles_that_do_harm_make_no_element_and_do_nothing(shown: Lesson, harm: Harm) -> None:
    expect(show_output(shown.page, "formula").locator("mjx-container")).to_be_visible()
    for kind, other in KINDS.items():
        innocent, harmful = (show_output(shown.page, f"{kind}(*{which})") for which in (other, "harmful"))
        if kind == "words":
            assert set(harmful.evaluate_all(PRINTED)) <= {"PRE", "A:", "Adata:", "Ahttp:", "Ahttps:"}
        else:
            count = -(-len(harm.names) // 8) if kind == "tables" else 1
            expect(harmful.locator("*")).to_have_count(innocent.locator("*").count() * count)
            assert harmful.evaluate_all(ELEMENTS) == innocent.evaluate_all(ELEMENTS) * count != []
    assert harm.done(shown.page) == []


def test_a_kept_game_that_does_harm_is_offered_or_refused_in_words(shown: Lesson, harm: Harm) -> None:
    right, wrong = shown.widget("right"), shown.widget("wrong")
    right.asks(f"A game is kept as “right”: {harm.titles[0]}, deal 1, step 1. Go on with it?")
    wrong.shows(".nn-board", "This game is not kept. ", f"{json.dumps(harm.titles[0])} is not known here.")
    right.button("Go on with the kept game").click()
    right.shows(".nn-head", harm.titles[0])
    assert harm.done(shown.page) == []


def test_pasted_records_that_do_harm_are_refused_in_words_and_right_ones_shown(shown: Lesson, harm: Harm) -> None:
    table = shown.widget("new")
    box, root = table.box("Load a game"), table.root.element_handle()
    table.button("Keep and share").click()
    for record in harm.records():
        with pytest.raises(kit.RecordError) as wrong:
            kit.read_record(record)
        box.fill(record)
        box.press("Enter")
        shown.page.wait_for_function(TOLD, arg=[root, f"⊘ {wrong.value}"])
    table.paste("Load a game", harm.record())
    table.shows(".nn-head", harm.titles[0])
    shown.page.wait_for_function(IS_DRAWN, arg=[root, board(Table(kit.read_record(harm.record())))])
    assert harm.done(shown.page) == []


def test_the_same_notebook_exported_as_a_page_does_nothing(shown: Lesson, lessons: Path, harm: Harm) -> None:
    shown.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    exported = lessons / "harm.html"
    exported.write_text(HTMLExporter().from_filename(lessons / "harm.ipynb")[0], encoding="utf-8")
    page = shown.page.context.new_page()
    page.route("https://**", lambda route: route.abort())  # what nbconvert's own page has from there
    harm.watch(page, "file:", "https://cdnjs.cloudflare.com/")
    page.goto(exported.as_uri())
    for kind, other in KINDS.items():
        cells = (page.locator(".jp-CodeCell").filter(has_text=f"{kind}(*{which})") for which in (other, "harmful"))
        innocent, harmful = (cell.locator(".jp-OutputArea-output").evaluate_all(ELEMENTS) for cell in cells)
        assert harmful == innocent * (len(harmful) // len(innocent)) != []
    assert harm.done(page) == []
