"""Games in files. A file is written under another name and then moved into place, so that it is whole at any moment."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import IO

from ninety_nine_kit.card import plain
from ninety_nine_kit.events import N_
from ninety_nine_kit.record.reading import MOST_BYTES, RecordError, depths

_REASONS = {
    errno.ENOENT: N_("There is no such file or folder."),
    errno.EEXIST: N_("It is there already. Take another name, or allow to overwrite it."),
    errno.EISDIR: N_("It is a folder."),
    errno.ENOTDIR: N_("There is no such folder."),
    errno.ENOSPC: N_("The disk is full."),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), N_("It is not allowed to read or write there.")),
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Says in a RecordError what goes wrong with a file; one about a record in it gets the name of the file."""
    try:
        yield
    except RecordError as wrong:
        wrong.file = plain(str(path))
        raise
    except (OSError, ValueError) as wrong:
        number = wrong.errno if isinstance(wrong, OSError) else None
        reason = _REASONS.get(number or 0, N_("The computer says: {reason}."))
        error = RecordError(reason, reason=os.strerror(number) if number else plain(str(wrong)))
        error.file = plain(str(path))
        raise error from None


def write_file(path: Path, text: str, overwrite: bool) -> None:
    """Writes all or nothing. A file that is there stays as it is, unless it may be overwritten."""
    with told(path):
        if not overwrite and not path.is_dir() and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "")
        path = path.resolve()  # what a link leads to
        _check_file(path)
        temporary = path.with_name(f".{path.name}.{os.getpid()}-{get_ident()}.tmp")
        try:
            with open(temporary, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                temporary.chmod(path.stat().st_mode)
            if not overwrite:
                _claim(temporary, path)
            os.replace(temporary, path)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _check_file(path: Path) -> None:
    """No folder, and no device or pipe that would be waited for or replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "")
    if path.exists() and not path.is_file():
        raise RecordError(N_("It is no file."))


def _claim(temporary: Path, path: Path) -> None:
    """Takes a name that is free in one step; where the disk cannot do that, looks whether it is free."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        if path.exists():
            raise FileExistsError(errno.EEXIST, "") from None


def documents(path: Path) -> Iterator[tuple[int, bytes]]:
    """The records of a file, with the line in which each begins: it is one record, or has one in each line."""
    with told(path):
        _check_file(path)
        with open(path, "rb") as file:
            yield from documents_in(file)


def documents_in(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """The same of an open file."""
    number, line = _next_line(file, 0)
    if [*depths(line.decode(errors="replace"))][-1] > 0 or not line.strip():
        yield number, line + file.read(MOST_BYTES + 1)
        return
    while line:
        yield number, line
        number, line = _next_line(file, number)


def _next_line(file: IO[bytes], number: int) -> tuple[int, bytes]:
    """The next line with anything in it, and its number; b"" at the end. Of one that is too long only the beginning."""
    while line := file.readline(MOST_BYTES + 1):
        number += 1
        rest = line
        while len(line) > MOST_BYTES and rest and not rest.endswith(b"\n"):
            rest = file.readline(MOST_BYTES)
        if line.strip():
            break
    return max(number, 1), line


def decoded(data: bytes) -> str:
    """UTF-8 as text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise RecordError(N_("This is not text (UTF-8).")) from None
