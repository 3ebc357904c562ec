"""A table with a name keeps its game on disk, whatever happens, and offers it to whoever opens it again."""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playing import choose
from seeing import PRESETS, Sent, adding, click, enter, faces, labels, press, step_on, submit, told, words

import ninety_nine_kit as kit
from ninety_nine_kit.record.keep import Kept
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.teaching import PREPARED
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.usefixtures("no_handler_fails", "folder")

KILL = Path(__file__).with_name("kill.py")
FILE, BEFORE = Path("games/monday.json"), Path("games/monday.before.json")
GO_ON, ANEW = OFFERS = ["Go on with the kept game", "Start anew"]
OFFER = "A game is kept as “monday”: Adding, Russian text, deal 1, step 3. Go on with it?"
FIRST = "First choose whether to go on with the game that is kept."
OTHER_TABLE = "“monday” is open at another table, so this game is not kept. “Go on with the kept game” brings it here."
OTHER_NOTEBOOK = "“monday” is open in another notebook, so this game is not kept. Give this table another name."
IMPORTS = "import os, sys; import ninety_nine_kit as kit; from ninety_nine_kit.widgets import Table; "
PLAYS = IMPORTS + "table = Table(kit.ADDING_RU, seed=99, name='monday'); table.play('8♣'); "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    end_all()


def end_all() -> None:
    """What the end of a program does to its tables: their names are free."""
    for kept in list(Kept._claimed.values()):
        kept.give_up()


def monday(seed: int = 99, rules: Rules = kit.ADDING_RU, **given: Any) -> Table:
    return Table(rules, seed=seed, **{"name": "monday", **given})


def kept_before(seed: int = 99, **given: Any) -> kit.History:
    """A program has played one round at a table and has ended."""
    table = monday(seed, **given)
    step_on(table)
    end_all()
    return table.history


def kept() -> kit.History:
    return kit.load(FILE)


def is_kept(table: Table) -> bool:
    """Whether the file holds the game of the table."""
    return kept().states == table.history.states and kept().actions == table.history.actions


def says_kept(table: Table) -> bool:
    assert ("kept as “monday”" in told(table)) == ("kept as “monday”" in repr(table))
    return "kept as “monday”" in told(table)


# ---- After every action


def test_ten_kills_while_it_plays_and_writes_lose_no_action_that_was_made() -> None:
    ran = subprocess.run([sys.executable, KILL, "--times", "10"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout + ran.stderr
    cut = re.match(r"kills: 10, .* writes cut short: (\d+), ", ran.stdout)
    assert cut
    assert int(cut[1]) >= 5


def test_every_action_is_kept_at_once_those_of_agents_too_and_nothing_else_is_left() -> None:
    seen = []

    def looks(view: kit.State, random: Random) -> Any:
        seen.append(len(kept().actions))
        return view.legal_actions()[0]

    table = monday(agents=looks)
    assert not FILE.exists()
    for card in "8♣", "2♥":
        table.play(card)
        assert is_kept(table)
    assert seen == [1, 2, 4, 5]
    assert len(kept().actions) == 6
    assert sorted(os.listdir("games")) == [".monday.lock", "monday.json"]
    assert says_kept(table)


def test_what_was_played_before_an_agent_fails_is_kept() -> None:
    table = monday(agents={1: lambda view, random: 1 / 0})
    table.play("8♣")
    assert "ZeroDivisionError" in told(table)
    assert is_kept(table)
    assert len(kept().actions) == 1


@PRESETS
def test_every_game_comes_back_in_the_middle_of_a_match(rules: Rules) -> None:
    table, random = monday(rules=rules, agents=None), Random(99)
    for _ in range(40):
        if table.state.to_act is not None:
            table.play(choose(table.state, random))
    assert is_kept(table)
    end_all()
    again = monday(3, kit.ADDING_RU, agents=None)
    press(again, GO_ON)
    assert again.history.states == table.history.states
    assert again.controls.game.value == rules.name


def test_steps_are_not_kept_and_playing_from_an_earlier_one_keeps_the_shorter_game() -> None:
    table = monday(agents=None)
    for _ in range(5):
        table.play(table.state.legal_actions()[0])
    long = FILE.read_bytes()
    press(table, *["Back"] * 3, "Forward")
    table.go(1)
    assert FILE.read_bytes() == long
    table.play("not a move")
    assert FILE.read_bytes() == long
    table.play(table.state.legal_actions()[1])
    assert is_kept(table)
    assert len(kept().actions) == 2


def test_a_restart_of_the_table_keeps_the_old_game_until_something_is_played() -> None:
    kept_before(7)
    table = monday()
    press(table, GO_ON)
    old = FILE.read_bytes()
    table.restart()
    assert (table.state.seed, table.history.step, FILE.read_bytes()) == (99, 0, old)
    table.play("8♣")
    assert is_kept(table)
    assert BEFORE.read_bytes() == old


def test_a_game_that_no_record_can_tell_is_played_but_not_kept_and_the_table_says_why() -> None:
    start = kit.playout(kit.deal(kit.ADDING_RU, seed=99), "simple", 6).state
    table = Table(start, name="monday")
    step_on(table)
    assert "This game is not kept. Only a game from its first deal" in told(table)
    assert table.history.step > 0
    assert not FILE.exists()


def test_a_prepared_deal_takes_no_name() -> None:
    with pytest.raises(ValueError, match="a prepared deal is not kept, so its table takes no name"):
        Table(PREPARED["follow suit"], name="monday")
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["../x", "a/b", "a b", "a.b", "x" * 41, "a\n", "\x1b", " "])
def test_what_is_no_name_is_refused_in_a_sentence_and_makes_no_file(name: str) -> None:
    with pytest.raises(ValueError, match="a game is kept under a name of up to 40 letters, digits, - and _, not"):
        Table(kit.ADDING_RU, name=name)
    assert os.listdir() == []


@pytest.mark.parametrize("name", ["con", "x" * 40, "Игра_99", "-"])
def test_letters_digits_and_hyphens_make_a_name(name: str) -> None:
    Table(kit.ADDING_RU, seed=99, name=name).play("8♣")
    assert len(kit.load(f"games/{name}.json").actions) == 3


def test_without_a_name_nothing_is_written() -> None:
    table = Table(kit.ADDING_RU, seed=99, name="")
    table.play("8♣")
    assert os.listdir() == []
    assert not says_kept(table)


def test_a_name_costs_no_message(sent: Sent) -> None:
    counts: list[list[int]] = []
    for name in "", "monday":
        table, counted = Table(kit.TRICKS_FR, seed=99, name=name), []
        for press_this in ("9♣", "J♠", "A♥", "Lay aside", "Back", "Forward"):
            sent.clear()
            click(table.button(press_this))
            counted.append(len(sent))
        counts.append(counted)
    assert counts[0] == counts[1]


# ---- The offer


def test_after_a_program_has_ended_a_new_one_offers_its_game_and_goes_on_with_it() -> None:
    assert subprocess.run([sys.executable, "-c", PLAYS + "os._exit(1)"], check=False).returncode == 1
    table = monday(7)
    assert labels(table) == OFFERS
    assert OFFER in told(table)
    assert OFFER in repr(table)
    assert "Buttons: Go on with the kept game | Start anew" in repr(table)
    assert (table.state.seed, table.history.step) == (7, 0)
    press(table, GO_ON)
    assert (table.state.seed, table.history.step, labels(table)) == (99, 3, [])
    assert OFFER not in told(table)
    step_on(table)
    assert is_kept(table)
    assert len(kept().actions) == 6
    assert not BEFORE.exists()


def test_the_names_of_the_seats_come_back_with_the_game() -> None:
    kept_before(names=["Ann", "Бен"])
    table = monday(names=["Xena"])
    press(table, GO_ON)
    assert table.session.names == ["Ann", "Бен", "C"]
    assert "Ann" in told(table)
    assert "Xena" not in told(table)
    assert "Ann" in dict(table.controls.view.options)
    step_on(table)
    assert kept().names == ("Ann", "Бен")


def test_a_house_game_comes_back_with_its_rules() -> None:
    mine = replace(kit.ADDING_RU, title="My nines", effects=kit.ADDING_RU.effects | {"9": kit.Effect(add=9)})
    kept_before(rules=mine)
    table = monday(rules=kit.TRICKS_FR)
    assert "My nines, deal 1" in told(table)
    press(table, GO_ON)
    assert table.state.rules == mine
    assert table.controls.game.label == "the game of this table"
    assert "9 +9" in words(table.controls.rules.value)


def test_a_game_kept_at_the_turn_of_an_agent_goes_on_with_it() -> None:
    monday(agents={1: lambda view, random: 1 / 0}).play("8♣")
    end_all()
    table = monday()
    press(table, GO_ON)
    assert (table.history.step, labels(table)) == (1, ["Go on"])
    press(table, "Go on")
    assert table.history.step == 3
    assert is_kept(table)


def test_the_game_before_stays_beside_the_one_that_is_started_anew() -> None:
    kept_before(7)
    old, table = FILE.read_bytes(), monday()
    press(table, ANEW)
    assert (labels(table), table.history.step, FILE.read_bytes()) == ([], 0, old)
    assert says_kept(table)
    table.play("8♣")
    assert is_kept(table)
    assert BEFORE.read_bytes() == old
    table.play("2♥")
    assert BEFORE.read_bytes() == old


@pytest.mark.parametrize("way", ["anew", "load"])
def test_the_game_before_stays_even_if_the_new_one_begins_with_the_same_cards(way: str) -> None:
    """The same cell is run again, with the same deal number."""
    kept_before()
    old, table = FILE.read_bytes(), monday()
    if way == "anew":
        press(table, ANEW)
    else:
        load_line(table, kit.share_line(kit.History(table.history.states[0])))
    table.play("8♣")
    assert is_kept(table)
    assert BEFORE.read_bytes() == old


WAYS: dict[str, Callable[[Table], object]] = {
    "a cell": lambda table: table.play("8♣"),
    "a cell, an action": lambda table: table.play(table.state.legal_actions()[0]),
    "a card": lambda table: press(table, "2♥"),
    "a typed move": lambda table: submit(table, "8♣"),
    "agents": lambda table: table.press("go"),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_else_is_done_before_the_choice_and_nothing_is_lost(way: str) -> None:
    history = kept_before()
    old, table = FILE.read_bytes(), monday()
    WAYS[way](table)
    assert f"⊘ {FIRST}" in told(table)
    assert (table.history.step, labels(table), FILE.read_bytes()) == (0, OFFERS, old)
    assert faces(table) == ["8♣", "2♥", "Q♥"]
    assert table.controls.action.value == ("8♣" if way == "a typed move" else "")
    press(table, "Back", "Forward")
    assert labels(table) == OFFERS
    press(table, GO_ON)
    assert table.history.states == history.states
    assert FIRST not in told(table)


def test_a_card_with_several_effects_asks_nothing_before_the_choice() -> None:
    start = kit.position(kit.ADDING_RU, ["A♥ 3♣ 4♦", "5♥ 6♥ 7♥"])
    kept_before()
    table = Table(start, name="monday")
    press(table, "A♥")
    assert (labels(table), table.history.step) == (OFFERS, 0)
    assert f"⊘ {FIRST}" in told(table)
    assert "What shall the card do?" not in repr(table)


@pytest.mark.parametrize("given", [{"agents": None}, {"agents": dict.fromkeys(range(3), "first")}, {"view": 2}])
def test_the_offer_stands_alone_whoever_plays(given: dict[str, Any]) -> None:
    monday(agents=None).play("8♣")
    end_all()
    table = monday(**given)
    assert labels(table) == OFFERS
    press(table, GO_ON)
    assert not set(OFFERS) & set(labels(table))
    assert table.history.step == 1


def new_deal(table: Table) -> None:
    table.controls.seed.value = "5"
    press(table, "New deal")


def load_line(table: Table, line: str) -> None:
    table.controls.openers[2].value = True
    enter(table.sharing.paste, line)


def load_another(table: Table) -> None:
    table.controls.openers[2].value = True
    enter(table.sharing.paste, kit.share_line(kit.History(kit.deal(kit.ADDING_ES, seed=5))))


@pytest.mark.parametrize("chosen", [False, True], ids=["offered", "chosen"])
@pytest.mark.parametrize("change", [new_deal, load_another])
def test_another_game_on_the_table_keeps_the_old_one_beside_it(change: Callable[[Table], None], chosen: bool) -> None:
    kept_before()
    old, table = FILE.read_bytes(), monday(7)
    if chosen:
        press(table, GO_ON)
    change(table)
    assert not set(OFFERS) & set(labels(table))
    assert old in (FILE.read_bytes(), BEFORE.exists() and BEFORE.read_bytes())
    while table.history.step == 0:
        step_on(table)
    assert table.state.seed == 5
    assert is_kept(table)
    assert BEFORE.read_bytes() == old


def test_a_match_that_is_over_stays_beside_the_one_that_is_played_again() -> None:
    table = monday()
    while table.state.phase is not kit.Phase.MATCH_OVER:
        step_on(table)
    old = FILE.read_bytes()
    end_all()
    table = monday(7)
    press(table, GO_ON)
    assert labels(table) == ["Play again"]
    press(table, "Play again")
    while table.history.step == 0:
        step_on(table)
    assert is_kept(table)
    assert BEFORE.read_bytes() == old


def test_the_offer_is_said_and_then_what_was_chosen() -> None:
    kept_before()
    table = monday(7)
    assert table._live.text == ""
    click(table.controls.back)
    assert table._live.text.endswith(OFFER)
    submit(table, "8♣")
    assert table._live.text == FIRST
    click(table.button(GO_ON))
    assert OFFER not in table._live.text
    assert table._live.text.endswith("A: play a card.")


@pytest.mark.usefixtures("marked")
def test_all_that_is_said_of_keeping_is_translated() -> None:
    kept_before()
    table = monday(7, lang="xx")
    assert labels(table) == [f"«{name}»" for name in OFFERS]
    assert f"«{OFFER.replace('Adding, Russian text', '«Adding, Russian text»')}»" in told(table)
    assert "«kept as “monday”»" in told(table)
    table.play("8♣")
    assert f"⊘ «{FIRST}»" in told(table)
    other = monday(lang="xx")
    assert "“monday” is open at another table" in told(other)
    assert "“«Go on with the kept game»” brings it here.»" in told(other)
    Path("games/tuesday.json").write_text("{")
    damaged = Table(kit.ADDING_RU, name="tuesday", lang="xx")
    assert "«This game is not kept. " in told(damaged)
    assert "«This is not JSON: " in told(damaged)


# ---- One name, two tables


def test_a_second_table_says_so_keeps_nothing_and_can_bring_the_game_to_itself() -> None:
    first = monday()
    first.play("8♣")
    old, second = FILE.read_bytes(), monday(7)
    assert OTHER_TABLE in told(second)
    assert OTHER_TABLE in repr(second)
    assert labels(second) == [GO_ON]
    assert not says_kept(second)
    for _ in range(3):
        step_on_hand(second)
    assert second.history.step > 0
    assert (FILE.read_bytes(), BEFORE.exists()) == (old, False)
    press(second, GO_ON)
    assert second.history.states == first.history.states
    assert says_kept(second)
    step_on(second)
    assert is_kept(second)
    old = FILE.read_bytes()
    first.play("2♥")
    assert OTHER_TABLE in told(first)
    assert not says_kept(first)
    assert FILE.read_bytes() == old
    press(first, GO_ON)
    assert first.history.states == second.history.states
    assert says_kept(first)
    second.go(0)
    assert OTHER_TABLE in told(second)


def step_on_hand(table: Table) -> None:
    """The first card that can be laid."""
    table.play(table.state.legal_actions()[0])


def test_a_table_of_another_program_says_so_and_never_writes_and_a_killed_one_frees_the_name_at_once() -> None:
    holds = PLAYS + "print('ready', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", holds], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"ready\n"
        old, second = FILE.read_bytes(), monday(7)
        assert OTHER_NOTEBOOK in told(second)
        assert labels(second) == []
        step_on(second)
        new_deal(second)
        step_on(second)
        load_another(second)
        assert OTHER_NOTEBOOK in told(second)
        assert not says_kept(second)
        holder.kill()
    assert sorted(os.listdir("games")) == [".monday.lock", "monday.json"]
    assert FILE.read_bytes() == old
    table = monday(7)
    assert labels(table) == OFFERS
    press(table, GO_ON)
    assert (table.state.seed, table.history.step) == (99, 3)
    assert says_kept(table)


def test_tables_with_other_names_or_in_other_folders_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monday().play("8♣")
    old, here = FILE.read_bytes(), FILE.absolute()
    other = Table(kit.ADDING_RU, seed=7, name="tuesday")
    step_on(other)
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    there = monday(7)
    step_on(there)
    assert says_kept(there)
    assert is_kept(there)
    step_on(other)
    assert kit.load(here.with_name("tuesday.json")).states == other.history.states
    assert here.read_bytes() == old


# ---- What can go wrong


DAMAGED = {
    "cut": b'{"format": "ninety-nine-kit record", "version": 1, "ru',
    "empty": b"",
    "no text": b"\xff\xfe\x00",
    "no record": b"[1, 2]",
    "newer": b'{"format": "ninety-nine-kit record", "version": 2}',
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_not_written_over_and_the_table_says_why_it_is_not_kept(how: str) -> None:
    FILE.parent.mkdir()
    FILE.write_bytes(DAMAGED[how])
    with pytest.raises(kit.RecordError) as wrong:
        kit.load(FILE)
    table = monday()
    for change in (lambda: table.play("8♣"), lambda: new_deal(table), lambda: load_another(table), table.restart):
        change()
        assert f"This game is not kept. {FILE.absolute()}" in told(table)
        assert str(wrong.value).split(": ", 1)[1] in told(table)
        assert not says_kept(table)
        assert FILE.read_bytes() == DAMAGED[how]
    assert sorted(os.listdir("games")) == [".monday.lock", "monday.json"]


def test_a_changed_file_is_told_with_its_step_and_stays() -> None:
    kept_before()
    changed = FILE.read_text(encoding="utf-8").replace("8♣", "9♠", 2)
    FILE.write_text(changed, encoding="utf-8")
    table = monday()
    assert "This game is not kept." in told(table)
    step_on(table)
    assert FILE.read_text(encoding="utf-8") == changed


@contextmanager
def full_disk() -> Iterator[str]:
    """In it no byte more can be written below the present folder; what the computer says then."""
    if shutil.disk_usage(".").total < 2**20:
        with open("rest", "wb", buffering=0) as rest, pytest.raises(OSError, match="No space left"):
            while True:
                rest.write(b"9")
        yield "The disk is full."
        os.unlink("rest")
    else:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
        try:
            yield "The computer says: File too large."
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def small_disk(folder: Path) -> Iterator[None]:
    """The present folder is a disk of 64 kB where we may mount one."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "."]
    mounted = shutil.which("mount") and not subprocess.run(mount, capture_output=True, check=False).returncode
    os.chdir(folder)
    yield
    end_all()
    os.chdir("/")
    if mounted:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.usefixtures("small_disk")
def test_on_a_full_disk_play_goes_on_the_table_says_so_and_keeps_again_when_there_is_room() -> None:
    table = monday()
    table.play("8♣")
    old = FILE.read_bytes()
    with full_disk() as reason:
        table.play("2♥")
        shown, step, file = told(table), table.history.step, FILE.read_bytes()
        table.play("Q♥")
    assert f"This game is not kept. {FILE.absolute()}: {reason}" in shown
    assert "kept as" not in shown
    assert (step, table.history.step, file) == (6, 9, old)
    assert sorted(os.listdir("games")) == [".monday.lock", "monday.json"]
    step_on(table)
    assert "not kept" not in told(table)
    assert says_kept(table)
    assert is_kept(table)


@pytest.mark.usefixtures("small_disk")
def test_on_a_full_disk_the_old_game_is_not_lost_to_a_new_one() -> None:
    table = monday()
    table.play("8♣")
    old = FILE.read_bytes()
    with full_disk():
        new_deal(table)
        step_on_hand(table)
        files = FILE.read_bytes(), BEFORE.exists()
    assert files == (old, False)
    step_on_hand(table)
    assert is_kept(table)
    assert BEFORE.read_bytes() == old


def test_where_no_folder_can_be_made_play_goes_on_and_the_table_says_so() -> None:
    Path("games").write_text("mine")
    table = monday()
    for card in "8♣", "2♥":
        table.play(card)
        assert f"This game is not kept. {FILE.absolute()}: " in told(table)
    assert table.history.step == 6
    assert labels(table) == []
    assert Path("games").read_text() == "mine"


def test_a_folder_that_goes_away_is_told_and_when_it_is_back_the_game_is_kept_again() -> None:
    table = monday()
    table.play("8♣")
    shutil.rmtree("games")
    table.play("2♥")
    assert "This game is not kept." in told(table)
    assert "There is no such file or folder." in told(table)
    Path("games").mkdir()
    step_on(table)
    assert is_kept(table)
    assert says_kept(table)


def test_a_position_is_kept_and_comes_back() -> None:
    table = Table(adding("7♣ 2♥ Q♦", total=50), name="monday")
    table.play("7♣")
    end_all()
    again = monday()
    press(again, GO_ON)
    assert again.history.states == table.history.states
