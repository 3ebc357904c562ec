"""Records: a game as text to keep, to share and to play again.

A record is one JSON document, laid out in `schema.json`: the rules, the start, each deal's pack and refills, the
actions in the kit's notation, and the result. The same game makes the same text, in one line, so that a file of many
records has one in each. Reading trusts nothing: the deals are dealt again, each action is judged by `why_not`, and what
the record says of packs and scores is compared with what play makes of them.
"""

import json
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from ninety_nine_kit.events import N_
from ninety_nine_kit.game import History
from ninety_nine_kit.record.document import read_document, write_document
from ninety_nine_kit.record.files import decoded, documents, told, write_file
from ninety_nine_kit.record.reading import RecordError, check_size, line_of_action, parse
from ninety_nine_kit.record.share import is_share_line, read_share_line, share_line

__all__ = ["RecordError", "load", "load_all", "read_record", "save", "share_line", "write_record"]


def write_record(history: History) -> str:
    """The game up to its last action, in one line of JSON. RecordError where it is larger than a record may be, or
    begins in the middle of a match.

    >>> from ninety_nine_kit.dealing import deal
    >>> from ninety_nine_kit.presets import ADDING_RU
    >>> history = History(deal(ADDING_RU, seed=99))
    >>> read_record(write_record(history)).states == history.states
    True
    """
    text = json.dumps(write_document(history), ensure_ascii=False) + "\n"
    check_size(text)
    return text


def read_record(text: str | bytes, *, keep_good_part: bool = False) -> History:
    """The game of a record, or of a line to share, played again and checked.

    RecordError says what is wrong, where, and how far it was good (`good`); with `keep_good_part` that part comes back
    instead. Text that is no record at all has none.
    """
    if isinstance(text, bytes):
        check_size(text)
        text = decoded(text)
    if not isinstance(text, str):
        raise RecordError(N_("A record is a text."))
    text = text.removeprefix("\ufeff")
    if is_share_line(text):
        return read_share_line(text, keep_good_part)
    data = parse(text)
    try:
        return read_document(data, keep_good_part)
    except RecordError as wrong:
        if wrong.place is not None:
            wrong.line = line_of_action(text, wrong.place)
        raise


def save(games: History | Iterable[History], path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Writes a game, or several in a line each, to a file. RecordError where the file is there already and is not to be
    overwritten, and where it cannot be written; then nothing is changed."""
    games = [games] if isinstance(games, History) else [*games]
    if not games:
        raise RecordError(N_("There is no game to save."))
    write_file(Path(path), "".join(map(write_record, games)), overwrite)


def load(path: str | PathLike[str], *, keep_good_part: bool = False) -> History:
    """The game in a file, as `read_record` reads it; of several see `load_all`."""
    with told(Path(path)):
        games = documents(Path(path))
        history = read_at(*next(games), keep_good_part)
        if next(games, None):
            raise RecordError(N_("There are several records in it: read them with load_all."))
        return history


def load_all(path: str | PathLike[str]) -> Iterator[History]:
    """The games in a file, one after the other."""
    with told(Path(path)):
        for line, text in documents(Path(path)):
            yield read_at(line, text)


def read_at(line: int, text: bytes, keep_good_part: bool = False) -> History:
    """Reads a record that begins in this line of a file."""
    try:
        return read_record(text, keep_good_part=keep_good_part)
    except RecordError as wrong:
        if wrong.line or b"\n" not in text.strip():
            wrong.line = line + (wrong.line or 1) - 1
        raise
