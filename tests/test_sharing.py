"""The panel “Keep and share”: a line to copy, a box to paste one into, a file, a download."""

import os
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from seeing import PRESETS, Sent, adding, click, enter, faces, focused, labels, press, step_on, texts, told, words

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.teaching import PREPARED
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.usefixtures("no_handler_fails", "folder")

NO_LINE = "⊘ Only a game from its first deal, or from a position that was set up, can be kept."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def opened(start: Any = kit.ADDING_RU, players: int | None = None, seed: Any = 99, **given: Any) -> Table:
    """A table with the panel open."""
    table = Table(start, players, seed, **given)
    table.controls.openers[2].value = True
    return table


def line(table: Table) -> str:
    return str(table.sharing.line.value)


def message(table: Table) -> str:
    return words(table.sharing._told.value)


def link(table: Table) -> str:
    return str(table.sharing._download.value)


def by_button(table: Table, text: str) -> None:
    table.sharing.paste.value = text
    press(table, "Load")


def by_enter(table: Table, text: str) -> None:
    enter(table.sharing.paste, text)


each_way = pytest.mark.parametrize("load", [by_button, by_enter])


def shared() -> kit.History:
    """Five players at another game, who have names."""
    history = kit.playout(kit.deal(kit.PARANOIA_RU, 5, seed=7), "simple", 20)
    history.names = ("Ann", "Бен", "Cem", "Dan", "Eve")
    return history


# ---- Open and closed


def test_a_panel_that_is_closed_shows_and_sends_nothing(sent: Sent) -> None:
    table = Table(kit.ADDING_RU, seed=99)
    mine = {widget.model_id for widget in (table.sharing.line, table.sharing._download, table.sharing._told)}
    sent.clear()
    click(table.button("8♣"))
    assert not mine & {model for model, _ in sent}
    assert (line(table), link(table), message(table)) == ("", "", "")
    with pytest.raises(ValueError, match="no button “Load” now"):
        table.button("Load")
    assert [opener.description for opener in table.controls.openers if opener.value] == []


def test_an_open_panel_sends_the_line_and_the_download_once_for_each_action(sent: Sent) -> None:
    table = opened()
    mine = {table.sharing.line.model_id, table.sharing._download.model_id}
    sent.clear()
    click(table.button("8♣"))
    assert sorted(model for model, _ in sent if model in mine) == sorted(mine)


@PRESETS
def test_the_line_is_that_of_the_game_and_goes_on_with_it(rules: Rules) -> None:
    table = opened(rules)
    assert line(table) == kit.share_line(table.history)
    for _ in range(12):
        step_on(table)
        assert line(table) == kit.share_line(table.history)
        assert kit.read_record(line(table)).states == table.history.states
    press(table, "Back")
    assert line(table) == kit.share_line(table.history)
    table.restart()
    assert line(table) == kit.share_line(kit.History(kit.deal(rules, seed=99)))


def test_opened_after_some_play_it_shows_the_game_as_it_is_and_closed_again_it_stands_still() -> None:
    table = Table(kit.ADDING_RU, seed=99)
    table.play("8♣")
    opener = table.controls.openers[2]
    opener.value = True
    first = line(table)
    assert first == kit.share_line(table.history)
    opener.value = False
    table.play("2♥")
    assert line(table) == first
    opener.value = True
    assert line(table) == kit.share_line(table.history)


# ---- Load


@each_way
@pytest.mark.parametrize("write", [kit.share_line, kit.write_record])
def test_what_is_pasted_stands_on_the_table_with_its_rules_and_players(
    load: Callable[[Table, str], None], write: Callable[[kit.History], str]
) -> None:
    table, history = opened(kit.TRICKS_FR), shared()
    load(table, f"  {write(history)}\n")
    assert table.history.states == history.states
    assert table.history.step == 20
    assert (table.controls.game.value, table.controls.players.value) == ("paranoia-ru", 5)
    assert words(table.controls.rules.value) == words(kit.html(kit.PARANOIA_RU))
    assert (table.controls.step.value, table.controls.step.max) == (20, 20)
    assert message(table) == "The game is on the table, at step 20."
    assert table.sharing.paste.value == ""
    assert line(table) == kit.share_line(history)
    named = write is kit.write_record
    assert table.session.names == ([*history.names] if named else [*"ABCDE"])
    assert ("Бен" in told(table), "Бен" in dict(table.controls.view.options)) == (named, named)
    assert set(table.session.agents) == {1, 2, 3, 4}
    for _ in range(5):
        step_on(table)
    assert table.history.states[:21] == history.states
    assert message(table) == ""


@each_way
@pytest.mark.parametrize("view", ["actor", 2, "spectator", "everyone"])
def test_a_game_with_fewer_players_and_larger_hands_comes_in_any_view(
    load: Callable[[Table, str], None], view: str | int
) -> None:
    table = opened(kit.ADDING_ES, 8, view=view)
    load(table, kit.share_line(kit.History(kit.deal(kit.ADDING_PL, 2, seed=1))))
    assert table.state.players == 2
    assert set(table.session.agents) == {1}
    load(table, kit.share_line(kit.History(kit.deal(kit.TRICKS_FR, seed=1, dealer=2))))
    table.controls.view.value = 0
    assert len(faces(table)) == 12
    assert set(table.session.agents) == {1, 2}


def test_at_a_table_of_people_only_the_seats_that_are_new_are_peoples_too() -> None:
    table = opened(agents=None)
    by_enter(table, kit.write_record(shared()))
    assert table.session.people == [0, 1, 2, 3, 4]


def test_a_game_at_the_turn_of_an_agent_waits_for_go_on() -> None:
    history = kit.History(kit.deal(kit.ADDING_RU, seed=99))
    history.play("8♣")
    table = opened()
    by_enter(table, kit.share_line(history))
    assert (table.history.step, labels(table)) == (1, ["Go on"])
    press(table, "Go on")
    assert table.history.step == 3


def test_a_house_game_comes_with_its_rules() -> None:
    mine = replace(kit.ADDING_RU, title="My nines", effects=kit.ADDING_RU.effects | {"9": kit.Effect(add=9)})
    table = opened(kit.TRICKS_FR)
    by_enter(table, kit.share_line(kit.History(kit.deal(mine, seed=5))))
    assert table.state.rules == mine
    assert table.controls.game.label == "the game of this table"
    assert "9 +9" in words(table.controls.rules.value)


def wrong_texts() -> dict[str, str]:
    good = kit.share_line(shared())
    return {
        "empty": "",
        "nonsense": "<b>nonsense</b>",
        "cut": good[:-3],
        "changed": good.replace(".7.", ".8."),
        "other form": "nn9.x",
        "illegal": kit.write_record(shared()).replace('"seed": 7', '"seed": 8'),
    }


@each_way
@pytest.mark.parametrize("which", wrong_texts())
def test_a_refused_text_stays_in_the_box_is_told_why_and_changes_nothing(
    load: Callable[[Table, str], None], which: str
) -> None:
    text, table = wrong_texts()[which], opened()
    table.play("8♣")
    with pytest.raises(kit.RecordError) as wrong:
        kit.read_record(text)
    before, states, shown = line(table), [*table.history.states], told(table)
    load(table, text)
    assert message(table) == f"⊘ {words(str(wrong.value))}"
    assert "<b>" not in table.sharing._told.value
    assert table.sharing.paste.value == text
    assert (line(table), table.history.states, told(table)) == (before, states, shown)
    step_on(table)
    assert message(table) == ""


def test_a_prepared_deal_makes_room_for_a_game_and_comes_back_with_restart() -> None:
    table = opened(PREPARED["follow suit"], seed=None)
    first = line(table)
    assert kit.read_record(first).states == table.history.states
    by_enter(table, kit.share_line(shared()))
    assert table.history.states == shared().states
    step_on(table)
    assert len(table.history.states) > 21
    table.restart()
    assert line(table) == first
    assert table.history.states[0] == PREPARED["follow suit"].start


def test_a_game_that_was_loaded_is_gone_after_restart() -> None:
    table = opened()
    first = [text for text in texts(table) if "nn-board" in text]
    by_enter(table, kit.share_line(shared()))
    table.restart()
    assert [text for text in texts(table) if "nn-board" in text] == first
    assert set(table.session.agents) == {1, 2}


def test_loading_is_said_and_the_focus_stays_where_there_is_something_to_press(sent: Sent) -> None:
    table = opened()
    table.sharing.paste.value = kit.share_line(shared())
    sent.clear()
    click(table.button("Load"))
    assert "The game is on the table, at step 20." in table._live.text
    assert set(focused(table, sent)) <= set(table.buttons())
    table.sharing.paste.value = "nonsense"
    click(table.button("Load"))
    assert "⊘ Line 1: This is not JSON" in table._live.text


# ---- Save and download


@PRESETS
def test_the_download_is_the_record_under_the_name_of_game_and_deal(rules: Rules) -> None:
    table = opened(rules, names=["Ann", 'B"><b>', "<script>"])
    step_on(table)
    name, address = re.search(r'download="([^"]*)"', link(table)), re.search(r'href="([^"]*)"', link(table))
    assert name
    assert address
    kind, data = unescape(address[1]).split(",")
    assert kind == "data:application/json;base64"
    assert b64decode(data).decode() == kit.write_record(table.history)
    assert name[1] == f"{rules.name}-99.json"


def test_save_writes_a_new_file_each_time_and_says_which() -> None:
    table, written = opened(), []
    Path("adding-ru-99-2.json").write_text("mine")
    for name in "adding-ru-99", "adding-ru-99-3", "adding-ru-99-4":
        step_on(table)
        press(table, "Save")
        assert message(table) == f"The game is in the file {name}.json, in the folder of this notebook."
        assert kit.load(f"{name}.json").states == table.history.states
        written.append(Path(f"{name}.json").read_bytes())
    assert Path("adding-ru-99-2.json").read_text() == "mine"
    assert len({*written}) == 3
    assert sorted(os.listdir()) == [
        "adding-ru-99-2.json",
        "adding-ru-99-3.json",
        "adding-ru-99-4.json",
        "adding-ru-99.json",
    ]


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (kit.deal(kit.ADDING_RU, seed="../../seed"), "adding-ru.json"),
        (kit.deal(replace(kit.ADDING_RU, name="../../x"), seed=7), "ninety-nine-7.json"),
        (kit.deal(replace(kit.ADDING_RU, name="../../x"), seed="/etc/x"), "ninety-nine.json"),
        (kit.deal(replace(kit.ADDING_RU, limit=50), seed=7), "ninety-nine-7.json"),
        (adding("2♥ 3♥ 5♥", total=20), "adding-ru-0.json"),
    ],
    ids=["seed", "name", "both", "a preset changed", "a position"],
)
def test_no_text_of_a_game_gets_into_the_name_of_a_file(start: kit.State, name: str) -> None:
    table = opened(start)
    press(table, "Save")
    assert os.listdir() == [name]
    assert not Path("../../x.json").exists()
    assert f'download="{name}"' in link(table)
    assert kit.load(name).states == [start]


def test_what_cannot_be_written_is_told_and_play_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened()
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    os.rmdir("../gone")
    press(table, "Save")
    assert message(table) == "⊘ adding-ru-99.json: There is no such file or folder."
    table.play("8♣")
    assert table.history.step == 3


def test_a_game_from_the_middle_of_a_match_has_no_line_and_no_file_and_the_panel_says_why() -> None:
    state = kit.playout(kit.deal(kit.ADDING_ES, seed=5), "simple").states[5]
    table = opened(state)
    for _ in range(2):
        assert (line(table), link(table), message(table)) == ("", "", NO_LINE)
        press(table, "Save")
        assert (message(table), os.listdir()) == (NO_LINE, [])
        step_on(table)
    by_enter(table, kit.share_line(shared()))
    assert line(table) == kit.share_line(shared())
    assert message(table) == "The game is on the table, at step 20."


@pytest.mark.usefixtures("marked")
def test_every_text_of_the_panel_is_translated() -> None:
    table = opened(lang="xx")
    panel = table.sharing
    named = [panel.line, panel.paste, panel._load_button, panel._save_button]
    assert all(re.fullmatch("«.+»", widget.description) for widget in named)
    assert all(re.fullmatch("«.+»", widget.tooltip) for widget in named[2:])
    assert re.fullmatch("«.+»", panel.paste.placeholder)
    assert table.controls.openers[2].description == "«Keep and share»"
    assert words(link(table)) == "«Download»"
    for do in (
        lambda: press(table, "«Save»"),
        lambda: press(table, "«Load»"),
        lambda: by_enter(table, kit.share_line(shared())[:-1]),
        lambda: by_enter(table, kit.share_line(shared())),
    ):
        do()
        assert re.fullmatch("(⊘ )?«.+»", message(table))
