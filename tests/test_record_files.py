"""Games in files are whole or not there: nothing is written over unasked, nothing is lost, and what fails says why."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from records import CHIPS, chips, last_trick

import ninety_nine_kit as kit
from ninety_nine_kit.record.reading import MOST_BYTES

NOBODY = 65534
THERE = "It is there already. Take another name, or allow to overwrite it."
NOT_ALLOWED = "It is not allowed to read or write there."


def begun(seed: int = 1) -> kit.History:
    return kit.History(kit.deal(kit.ADDING_RU, 3, seed=seed), ["Ann", "Бен"])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the present one, so that the files in it are reached by name alone."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(use: Callable[..., object], *given: object, **named: object) -> str:
    with pytest.raises(kit.RecordError) as wrong:
        use(*given, **named)
    return str(wrong.value)


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


# What is saved is loaded


def test_a_game_is_saved_as_its_record_and_loaded_again(folder: Path) -> None:
    for path in (folder / "game.json", "игра 99.json", Path("no ending")):
        kit.save(chips(), path)
        assert Path(path).read_bytes() == kit.write_record(chips()).encode()
        again = kit.load(path)
        assert (again.states, again.names) == (chips().states, ("Ann", "Бен"))
    assert names(folder) == sorted(["game.json", "игра 99.json", "no ending"])


def test_several_games_stand_in_a_line_each_and_are_loaded_one_after_the_other(folder: Path) -> None:
    games = [chips(), last_trick(), begun()]
    kit.save(games, "list")
    kit.save((game for game in games), "generator")
    assert Path("list").read_text(encoding="utf-8") == "".join(map(kit.write_record, games))
    assert Path("list").read_bytes() == Path("generator").read_bytes()
    assert [game.states for game in kit.load_all("list")] == [game.states for game in games]
    assert refused(kit.load, "list") == "list: There are several records in it: read them with load_all."


def test_one_game_can_be_loaded_as_all(folder: Path) -> None:
    kit.save(chips(), "one")
    assert [game.states for game in kit.load_all("one")] == [chips().states]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "BOM"])
@pytest.mark.parametrize("indent", [None, 1], ids=["a line", "many lines"])
def test_a_file_may_begin_with_a_byte_order_mark_and_blank_lines(folder: Path, mark: bytes, indent: int | None) -> None:
    Path("game").write_bytes(mark + b"\n\r\n" * (not mark) + json.dumps(CHIPS, indent=indent).encode())
    assert kit.load("game").states == chips().states
    assert [game.states for game in kit.load_all("game")] == [chips().states]


def test_lines_may_end_as_in_windows_with_blank_ones_between(folder: Path) -> None:
    text = f"\n{kit.write_record(chips())}\n  \n{kit.write_record(last_trick())}\n\n".replace("\n", "\r\n")
    Path("games").write_bytes(text.encode())
    assert [game.states for game in kit.load_all("games")] == [chips().states, last_trick().states]


def test_lines_to_share_can_be_loaded_too(folder: Path) -> None:
    Path("lines").write_text(f"{kit.share_line(chips())}\n{kit.share_line(begun())}\n", encoding="utf-8")
    assert [game.states for game in kit.load_all("lines")] == [chips().states, begun().states]


# What is wrong in a file

CHEAT = CHIPS | {"deals": [{"actions": ["5♦", "9♣", "Q♠", "Q♥"], "refills": ["2♣", "5♦", "9♣"], "lives": [2, 1]}]}
CHEAT_TOLD = (
    "Deal 1, action 3 “Q♠”: Not in the hand of A: Q♠. Choose from the cards in the hand. It is good up to step 2."
)


def test_a_wrong_action_is_told_with_its_file_and_line_and_the_good_part_can_be_kept(folder: Path) -> None:
    text = json.dumps(CHEAT, indent=1, ensure_ascii=False)
    Path("game").write_text(f"\n\n{text}\n", encoding="utf-8")
    line = 3 + text[: text.index('"Q♠"')].count("\n")
    assert refused(kit.load, "game") == f"game: Line {line}: {CHEAT_TOLD}"
    assert kit.load("game", keep_good_part=True).states == chips().states[:3]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (json.dumps(CHEAT), CHEAT_TOLD),
        (json.dumps(CHIPS)[:-9], "This is not JSON: the text is damaged, or a part of it is missing."),
        (json.dumps(CHIPS | {"seed": None}), "seed must be a whole number, not null."),
        (json.dumps(CHIPS | {"result": {"scores": [0, 0], "winners": []}}), "The result is "),
        (kit.share_line(chips())[:-1], "This line was cut or changed on its way: copy it again, from nn1 to its end."),
    ],
    ids=["a cheat", "damage", "a wrong kind", "a wrong result", "a line to share"],
)
def test_of_several_games_those_before_the_wrong_one_come_and_its_line_is_told(
    folder: Path, wrong: str, told: str
) -> None:
    Path("games").write_text(f"{kit.write_record(chips())}\n{kit.write_record(begun())}{wrong}\n", encoding="utf-8")
    games = kit.load_all("games")
    assert [next(games).states, next(games).states] == [chips().states, begun().states]
    assert refused(next, games).startswith(f"games: Line 4: {told}")


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"], ids=["empty", "blank", "BOM"])
def test_a_file_with_nothing_in_it_says_so(folder: Path, content: bytes) -> None:
    Path("game").write_bytes(content)
    told = refused(kit.load, "game")
    assert told.startswith("game: ")
    assert told.endswith("There is nothing in it.")


def test_a_file_that_is_no_text_says_so(folder: Path) -> None:
    Path("game").write_bytes(b"\x89PNG")
    assert refused(kit.load, "game").endswith("This is not text (UTF-8).")


def test_a_file_of_1_mib_is_loaded_and_a_byte_more_is_refused(folder: Path) -> None:
    for indent in (None, 1):
        text = json.dumps(CHIPS, indent=indent)
        Path("game").write_text(text + " " * (MOST_BYTES - len(text)), encoding="utf-8")
        assert kit.load("game").states == chips().states
        Path("game").write_text(text + " " * (MOST_BYTES - len(text) + 1), encoding="utf-8")
        assert refused(kit.load, "game").endswith("This text is larger than a record may be (1 MiB).")


def test_a_large_file_of_many_games_is_loaded_game_by_game(folder: Path) -> None:
    line = kit.write_record(chips())
    Path("games").write_text(line * (MOST_BYTES // len(line) + 100), encoding="utf-8")
    games = kit.load_all("games")
    assert next(games).states == next(games).states == chips().states
    games.close()  # type: ignore[attr-defined]


# What is there stays


def test_nothing_is_written_over_unasked(folder: Path) -> None:
    Path("game").write_text("mine", encoding="utf-8")
    os.symlink("game", "link")
    os.symlink("nowhere", "broken link")
    for path in ("game", "link", "broken link", folder / "game"):
        assert refused(kit.save, chips(), path) == f"{path}: {THERE}"
    assert Path("game").read_text(encoding="utf-8") == "mine"
    assert names(folder) == ["broken link", "game", "link"]


def test_a_file_is_written_over_when_that_is_asked_for(folder: Path) -> None:
    Path("game").write_text("mine" * 10_000, encoding="utf-8")
    kit.save(chips(), "game", overwrite=True)
    assert Path("game").read_bytes() == kit.write_record(chips()).encode()
    kit.save(begun(), "new", overwrite=True)
    assert names(folder) == ["game", "new"]


def test_where_one_of_several_games_cannot_be_kept_nothing_is_written(folder: Path) -> None:
    kit.save(begun(), "game")
    before = Path("game").read_bytes()
    for path in ("game", "other"):
        told = refused(kit.save, [chips(), kit.History(chips().states[2])], path, overwrite=True)
        assert "Only a game from its first deal" in told
    assert Path("game").read_bytes() == before
    assert names(folder) == ["game"]


# What cannot be


def load_all(path: Any) -> list[kit.History]:
    return list(kit.load_all(path))


def save(path: Any) -> None:
    kit.save(chips(), path)


def save_over(path: Any) -> None:
    kit.save(chips(), path, overwrite=True)


READING, WRITING = [kit.load, load_all], [save, save_over]
every_way = pytest.mark.parametrize("use", [*READING, *WRITING], ids=["load", "load_all", "save", "save over"])


@every_way
def test_a_folder_or_a_path_that_leads_nowhere_is_refused_in_words(folder: Path, use: Callable[[Any], object]) -> None:
    os.mkdir("games")
    Path("file").write_text("mine", encoding="utf-8")
    os.symlink("loop", "loop")
    before = names(folder)
    assert refused(use, "games") == "games: It is a folder."
    assert refused(use, folder / "games") == f"{folder / 'games'}: It is a folder."
    assert refused(use, "gone/game") == "gone/game: There is no such file or folder."
    assert refused(use, "file/game") == "file/game: There is no such folder."
    assert refused(use, "a\0b") == "a�b: The computer says: embedded null byte."
    assert refused(use, "\x1b[2J/x") == "�[2J/x: There is no such file or folder."
    assert refused(use, "x" * 300) == f"{'x' * 300}: The computer says: File name too long."
    assert (names(folder), names(folder / "games")) == (before, [])
    assert Path("file").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("load", READING, ids=["load", "load_all"])
def test_a_file_that_is_not_there_is_told_by_name(folder: Path, load: Callable[[Any], object]) -> None:
    os.symlink("nowhere", "link")
    for path in ("gone.json", "link", folder / "gone.json"):
        assert refused(load, path) == f"{path}: There is no such file or folder."


PIPES = """
import ninety_nine_kit as kit
for path in ("pipe", "/dev/zero", "link"):
    for load in (kit.load, lambda path: list(kit.load_all(path))):
        try:
            print(load(path))
        except kit.RecordError as wrong:
            print(wrong)
try:
    kit.save(kit.History(kit.deal(kit.ADDING_RU, seed=1)), "pipe")
except kit.RecordError as wrong:
    print(wrong)
"""


def test_a_pipe_or_a_device_is_refused_and_nobody_waits_for_it(folder: Path) -> None:
    os.mkfifo("pipe")
    os.symlink("/dev/zero", "link")
    ran = subprocess.run([sys.executable, "-c", PIPES], capture_output=True, text=True, check=True, timeout=60)
    refusals = [f"{path}: It is no file." for path in ("pipe", "/dev/zero", "link") for _ in range(2)]
    assert ran.stdout.splitlines() == [*refusals, f"pipe: {THERE}"]
    assert names(folder) == ["link", "pipe"]


@contextmanager
def without_rights() -> Iterator[None]:
    """As a user who is not root: root may write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_where_writing_is_not_allowed_nothing_is_lost(folder: Path) -> None:
    kit.save(begun(), "game")
    before = Path("game").read_bytes()
    folder.chmod(0o555)
    try:
        with without_rights():
            assert refused(kit.save, chips(), "new") == f"new: {NOT_ALLOWED}"
            assert refused(kit.save, chips(), "game", overwrite=True) == f"game: {NOT_ALLOWED}"
            assert kit.load("game").states == begun().states
    finally:
        folder.chmod(0o755)
    assert Path("game").read_bytes() == before
    assert names(folder) == ["game"]


def test_where_reading_is_not_allowed_it_says_so(folder: Path) -> None:
    kit.save(begun(), "game")
    os.mkdir("closed")
    Path("game").chmod(0)
    Path("closed").chmod(0)
    try:
        with without_rights():
            for load in READING:
                for path in ("game", "closed/game"):
                    assert refused(load, path) == f"{path}: {NOT_ALLOWED}"
    finally:
        Path("closed").chmod(0o755)


@contextmanager
def a_full_disk(folder: Path) -> Iterator[str]:
    """A folder in which there is room for little, as a small disk where one can be mounted, else by a limit on the size
    of files; and what is said when it is full."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        with little_room(folder) as told:
            yield told
        return
    try:
        yield "The disk is full."
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def little_room(folder: Path) -> Iterator[str]:
    """No file may grow above 32 KiB."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**15, hard))
    try:
        yield "The computer says: File too large."
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("place", [a_full_disk, little_room])
def test_where_there_is_no_room_the_game_that_is_there_stays_whole(tmp_path: Path, place: Any) -> None:
    many = [chips()] * 100
    assert sum(len(kit.write_record(game).encode()) for game in many) > 2**16
    with place(tmp_path) as told:
        path = tmp_path / "game"
        kit.save(begun(), path)
        before = path.read_bytes()
        assert refused(kit.save, many, path, overwrite=True) == f"{path}: {told}"
        assert refused(kit.save, many, tmp_path / "new") == f"{tmp_path / 'new'}: {told}"
        assert path.read_bytes() == before
        assert names(tmp_path) == ["game"]
        kit.save(chips(), path, overwrite=True)
        assert kit.load(path).states == chips().states


@pytest.mark.parametrize("path", ["", ".", "/"])
def test_a_path_without_a_name_is_a_folder(folder: Path, path: str) -> None:
    assert refused(kit.save, begun(), path, overwrite=True).endswith("It is a folder.")


def test_writing_over_keeps_links_and_rights_and_takes_no_device(folder: Path) -> None:
    kit.save(begun(), "game")
    os.chmod("game", 0o600)
    os.symlink("game", "link")
    kit.save(chips(), "link", overwrite=True)
    assert os.readlink("link") == "game"
    assert (os.stat("game").st_mode & 0o777, kit.load("game").states) == (0o600, chips().states)
    os.mkfifo("pipe")
    assert refused(kit.save, begun(), "pipe", overwrite=True) == "pipe: It is no file."
    assert names(folder) == ["game", "link", "pipe"]


def test_no_games_are_no_file(folder: Path) -> None:
    assert refused(kit.save, [], "games") == "There is no game to save."
    assert names(folder) == []


def test_threads_may_save_at_the_same_time(folder: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda seed: kit.save(begun(seed), "game", overwrite=True), range(40)))
    assert kit.load("game").states[0].seed in range(40)
    assert names(folder) == ["game"]


def test_a_path_that_is_none_is_a_type_error() -> None:
    for use in (*READING, *WRITING):
        with pytest.raises(TypeError):
            use(99)
