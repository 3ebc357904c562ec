"""Text from outside is shown as it stands: it makes no element, commands no terminal and hides nothing."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import islice
from random import Random
from typing import Any

import nbformat
import pytest
from hostile import CORPUS, HIDDEN, INNOCENT, LONG, SEEN
from ipywidgets.embed import dependency_state
from nbconvert import HTMLExporter
from playing import choose, random_match

import ninety_nine_kit as kit
from ninety_nine_kit.card import hidden_signs
from ninety_nine_kit.events import Event, NotInHand, NotYourTurn, PremiumTaken
from ninety_nine_kit.rules import Rules, Source
from ninety_nine_kit.widgets import Table

#: Stands in no text of the kit, needs no escaping, and is told apart from what surrounds it.
STAND_IN = "Innocentia"
MOST_OF_A_MESSAGE = 500

each = pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS.keys())


class Parts(HTMLParser):
    """A page as a browser takes it apart: tags with attributes, texts, and whatever else there may be."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, Any]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((f"<{tag}>", attrs))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"</{tag}>", None))

    def handle_data(self, data: str) -> None:
        self.found.append(("text", data))

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.found.append(("declaration", decl))

    unknown_decl = handle_pi = handle_decl


def parts(page: str) -> list[tuple[str, Any]]:
    return Parts(page).found


def with_name(found: list[tuple[str, Any]], name: str) -> list[tuple[str, Any]]:
    """The parts of an innocent page, with a name in its texts in the place of the stand-in."""
    return [(kind, said.replace(STAND_IN, name) if kind == "text" else said) for kind, said in found]


def cleaned(text: str) -> str:
    hidden = hidden_signs(text)
    return "".join("�" if sign in hidden else sign for sign in text)


def shows_nothing_hidden(text: str) -> bool:
    return not hidden_signs(text) - {"\n"}


@cache
def moments() -> list[kit.State]:
    """Both kinds of game in play and after a deal, with bids, a premium, borders and a score sheet."""
    found = []
    for rules, seed in ((kit.TRICKS_FR, 3), (kit.ADDING_ES, 1), (kit.PARANOIA_RU, 2)):
        line = [state for _, state in islice(random_match(kit.deal(rules, 3, seed=seed, dealer=0), Random(seed)), 150)]
        ended = next(place for place, state in enumerate(line) if state.sheet)
        found += [line[ended - 2], line[ended], line[-1]]
    return found


@cache
def events() -> list[Event]:
    """An event of each kind that names a seat, and some refusals."""
    kinds: dict[type, Event] = {}
    for rules in kit.PRESETS.values():
        for seed in range(12):
            match = random_match(kit.deal(rules, rules.players[0], seed=seed), Random(seed))
            for _, state in islice(match, 400):
                kinds |= {type(event): event for event in state.events}
    refused = [NotYourTurn(0), NotInHand(1, kit.cards("Q♥")), PremiumTaken("declare", 0, "reveal")]
    return [*kinds.values(), *refused]


def three(name: str) -> list[str]:
    return [name] * 3


# Names that are given in Python


@each
def test_an_event_is_told_with_the_name_as_it_stands_and_nothing_hidden(text: str) -> None:
    names = [*three(text), *three(text)]
    for event in events():
        told = kit.narrate(event, names=names)
        innocent = kit.narrate(event, names=[STAND_IN] * 6)
        assert told == innocent.replace(STAND_IN, cleaned(text))
        assert not hidden_signs(told)


def test_most_events_name_a_seat() -> None:
    assert len(events()) > 25
    assert sum(STAND_IN in kit.narrate(event, names=[STAND_IN] * 6) for event in events()) > 20


@each
def test_a_text_has_the_name_as_it_stands_and_the_lines_of_the_kit_only(text: str) -> None:
    for state in moments():
        told, innocent = kit.text(state, names=three(text)), kit.text(state, names=three(STAND_IN))
        assert told.count("\n") == innocent.count("\n")
        assert cleaned(text).strip() in told
        assert shows_nothing_hidden(told)


@each
def test_a_page_has_the_name_as_text_and_no_element_or_attribute_of_it(text: str) -> None:
    for state in moments():
        page, innocent = kit.html(state, names=three(text)), kit.html(state, names=three(STAND_IN))
        assert parts(page) == with_name(parts(innocent), cleaned(text))
        assert shows_nothing_hidden(page)


def htmls(table: Table) -> Iterator[str]:
    """Everything that a table sends as HTML."""
    yield table._board.value
    yield table._sheet.value
    yield table.controls.rules.value
    yield table._repr_mimebundle_()["text/html"]


def table(start: kit.State, name: str) -> Table:
    return Table(start, agents=None, names=three(name))


@cache
def innocent_table(start: kit.State) -> tuple[list[list[tuple[str, Any]]], int]:
    """The pages of a table in parts, and the lines of its words."""
    innocent = table(start, STAND_IN)
    return [parts(page) for page in htmls(innocent)], repr(innocent).count("\n")


@each
def test_a_table_shows_the_name_as_text_in_its_board_its_sheet_and_its_words(text: str) -> None:
    for state in moments()[1:6:2]:
        shown, (innocent, lines) = table(state, text), innocent_table(state)
        for page, other in zip(htmls(shown), innocent, strict=True):
            assert parts(page) == with_name(other, cleaned(text))
            assert shows_nothing_hidden(page)
        words = repr(shown)
        assert words == shown._repr_mimebundle_()["text/plain"]
        assert words.count("\n") == lines
        assert cleaned(text).strip() in words
        assert shows_nothing_hidden(words)
        assert not [label for label in labels(shown) if hidden_signs(label)]


def labels(table: Table) -> list[str]:
    """The texts of all menus and buttons."""
    made: list[Any] = [table]
    for widget in made:
        made += getattr(widget, "children", ())
    options = [str(option) for widget in made for option in getattr(widget, "_options_labels", ())]
    return [*options, *(getattr(widget, "description", "") for widget in made)]


def test_an_innocent_name_stays_as_it_is() -> None:
    for name in INNOCENT.values():
        assert kit.narrate(NotYourTurn(0), names=[name]) == f"It is the turn of {name}."


# Words of house rules


def house(rules: Rules, **words: Any) -> Rules:
    source = Source("x", "en", words.pop("heading", "x"))
    return replace(rules, **{"name": "house", "title": "A house game", "source": source} | words)


@each
@pytest.mark.parametrize("rules", [kit.TRICKS_FR, kit.ADDING_ES], ids=lambda rules: rules.name)
def test_the_words_of_house_rules_are_shown_as_they_stand_or_refused(rules: Rules, text: str) -> None:
    if hidden_signs(text):
        for field in ("name", "title"):
            with pytest.raises(ValueError, match="characters that cannot be seen"):
                house(rules, **{field: text})
        return
    ours = house(rules, name=text, title=text, heading=text)
    innocent = house(rules, name=STAND_IN, title=STAND_IN, heading=STAND_IN)
    shown = [(ours, innocent), (kit.deal(ours, 3, seed=1), kit.deal(innocent, 3, seed=1))]
    for one, other in shown:
        assert parts(kit.html(one)) == with_name(parts(kit.html(other)), text)
        assert kit.text(one) == kit.text(other).replace(STAND_IN, text)
    tables = [Table(rules, 3, seed=1, agents=None) for rules in (ours, innocent)]
    pages, others = map(htmls, tables)
    for page, other in zip(pages, others, strict=True):
        assert parts(page) == with_name(parts(other), text)
    assert repr(tables[0]) == repr(tables[1]).replace(STAND_IN, text)
    assert repr(tables[0].state) == repr(tables[1].state).replace(STAND_IN, text)


@pytest.mark.parametrize("text", SEEN.values(), ids=SEEN.keys())
def test_a_record_of_house_rules_keeps_their_words(text: str) -> None:
    rules = house(kit.ADDING_ES, name=text[:40], title=text, heading=text)
    read = kit.read_record(kit.write_record(kit.History(kit.deal(rules, 3, seed=1))))
    assert read.state.rules == rules


# Records


@cache
def document() -> dict[str, Any]:
    history = kit.History(kit.deal(kit.TRICKS_FR, 3, seed=3, dealer=0), three("Ann"))
    for _ in range(8):
        history.play(choose(history.state, Random(1)))
    return json.loads(kit.write_record(history))


def written(**changes: Any) -> str:
    return json.dumps(document() | changes)


@each
def test_a_record_keeps_names_that_can_be_seen_and_refuses_all_others(text: str) -> None:
    name = text[:40]
    for ascii_only in (True, False):
        record = json.dumps(document() | {"names": three(name)}, ensure_ascii=ascii_only)
        if hidden_signs(name):
            with pytest.raises(kit.RecordError, match=r"names 1 has characters that cannot be seen"):
                kit.read_record(record)
        else:
            history = kit.read_record(record)
            assert history.names == (name, name, name)
            assert json.loads(kit.write_record(history))["names"] == three(name)


@each
def test_a_name_that_no_record_may_have_is_not_written(text: str) -> None:
    history = kit.History(kit.deal(kit.ADDING_RU, 3, seed=1), three(text))
    if hidden_signs(text) or len(text) > 40:
        with pytest.raises(kit.RecordError):
            kit.write_record(history)
    else:
        assert kit.read_record(kit.write_record(history)).names == (text, text, text)


def hostile_records(text: str) -> Iterator[str]:
    """Records with the text in each kind of place, where it is never right."""
    data = document()
    deal = data["deals"][0]
    yield written(**{text: 1})
    yield written(rules={text: 1})
    yield written(rules={"preset": text})
    yield written(rules={"preset": "tricks-fr", "without": {text: []}})
    for field in ("players", "first_trump", "ranks", "bid_values", "premiums", "source", "target"):
        yield written(rules={"preset": "tricks-fr", "tricks": {field: text}})
    yield written(rules={"preset": "tricks-fr", "tricks": {"ranks": [text]}})
    yield written(rules={"preset": "tricks-fr", "tricks": {"premiums": [{"name": text + "!", "made": 1}]}})
    yield written(rules={"preset": "adding-es", "adding": {"effects": {text: [{"add": 1}]}}})
    for field in ("format", "version", "players", "dealer", "deals", "result", "names", "position"):
        yield written(**{field: text})
        yield written(**{field: [text] * 4})
        yield written(**{field: {text: text}})
    yield written(packs=text)
    yield written(packs=[text])
    yield written(position={"hands": [text] * 3})
    yield written(position={"hands": ["2♣", "3♣", "4♣"], "premium": {"seat": 0, "name": text}})
    yield written(deals=[deal | {"actions": [text]}])
    yield written(deals=[deal | {"actions": [f"give {text}"]}])
    yield written(deals=[deal | {"actions": [f"2♣ +{text}"]}])
    yield written(deals=[deal | {"pack": text}])
    yield written(deals=[deal | {"refills": [text]}])
    yield written(result=data["result"] | {"winners": [text]})
    yield text
    yield f"nn1.{text}.00000000"
    yield f"nn7.{text}"


@each
def test_a_record_error_is_short_and_has_nothing_hidden(text: str) -> None:
    for record in hostile_records(text):
        with pytest.raises(kit.RecordError) as wrong:
            kit.read_record(record)
        for told in (str(wrong.value), wrong.value.tell("en"), *wrong.value._render_traceback_()):
            assert not hidden_signs(told)
            assert len(told) < MOST_OF_A_MESSAGE


# A stored notebook, exported


def notebook(names: list[str], with_widgets: bool) -> Any:
    """A cell for each eight names with a table, its words printed and its game drawn, as JupyterLab would store it."""
    start = kit.deal(replace(kit.ADDING_RU, players=(8,), packs=2), 8, seed=99)
    tables = [Table(start, agents=None, names=[*names[place : place + 8]]) for place in range(0, len(names), 8)]
    cells = []
    for place, table in enumerate(tables):
        bundle = table._repr_mimebundle_() if with_widgets else {"text/plain": repr(table)} | html_of(table)
        outputs = [
            nbformat.v4.new_output("display_data", data=bundle),
            nbformat.v4.new_output("stream", text=f"{table!r}\n"),
            nbformat.v4.new_output("display_data", data=html_of(table)),
        ]
        cells.append(nbformat.v4.new_code_cell("table", outputs=outputs, id=f"cell{place}"))
    stored = nbformat.v4.new_notebook(cells=cells)
    if with_widgets:
        state = {"version_major": 2, "version_minor": 0, "state": dependency_state(tables)}
        stored.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": state}
    return nbformat.from_dict(json.loads(json.dumps(stored)))


def html_of(table: Table) -> dict[str, str]:
    return {"text/html": kit.html(table.state, names=table.session.names)}


def exported(names: list[str], with_widgets: bool) -> list[tuple[str, Any]]:
    """The parts of the page from its first output on."""
    page = HTMLExporter().from_notebook_node(notebook(names, with_widgets))[0]
    return Parts(re.sub(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", "number", page)).found


@pytest.mark.parametrize("with_widgets", [False, True], ids=["words", "widgets"])
def test_a_notebook_stored_with_such_names_exports_to_a_page_without_an_element_of_theirs(with_widgets: bool) -> None:
    names = [text for text in CORPUS.values() if text not in LONG.values()]
    page, innocent = exported(names, with_widgets), exported([STAND_IN] * len(names), with_widgets)
    elements = [[part for part in found if part[0] != "text"] for found in (page, innocent)]
    assert elements[0] == elements[1]
    said = "".join(data for kind, data in page if kind == "text")
    assert not [name for name in names if cleaned(name).strip() not in said]


def test_the_corpus_is_what_it_says() -> None:
    assert all(hidden_signs(text) for text in HIDDEN.values())
    assert not any(map(hidden_signs, [*SEEN.values(), *LONG.values(), *INNOCENT.values()]))
    assert len(CORPUS) == len(SEEN) + len(HIDDEN) + len(LONG) + len(INNOCENT)
