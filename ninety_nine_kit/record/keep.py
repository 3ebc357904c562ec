"""A game that is kept on disk under a name while it is played; one table at a time writes its file."""

import os
import re
import sys
from pathlib import Path
from typing import ClassVar

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.game import History, State
from ninety_nine_kit.record import load, write_record
from ninety_nine_kit.record.files import told, write_file

FOLDER = "games"

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

elif sys.platform == "emscripten":

    def _lock(file: int) -> None:
        """There are no locks in the browser: two notebooks of the site must not use one name."""

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Kept:
    """The game in `games/NAME.json`, in the folder that is the present one when this is made.

    Whoever has claimed it may save; a program that ends, however it ends, gives it up. A game that another one takes
    the place of stays as `NAME.before.json`.
    """

    _claimed: ClassVar[dict[Path, "Kept"]] = {}

    def __init__(self, name: str) -> None:
        if not re.fullmatch(r"[\w-]{1,40}", name):
            raise Mistake(f"a game is kept under a name of up to 40 letters, digits, - and _, not {name!r}")
        self.name = name
        self.path = Path.cwd() / FOLDER / f"{name}.json"
        self._file = -1
        self._start: State | None = None

    @property
    def is_mine(self) -> bool:
        return self._claimed.get(self.path) is self

    @property
    def is_here(self) -> bool:
        """Whether this program has claimed it."""
        return self.path in self._claimed

    def claim(self) -> bool:
        """Takes the right to save; False where another has it. RecordError where nothing can be written."""
        if self.is_here:
            return self.is_mine
        with told(self.path):
            self.path.parent.mkdir(exist_ok=True)
            file = os.open(self.path.with_name(f".{self.name}.lock"), os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _lock(file)
            except OSError:
                os.close(file)
                return False
            self._file, self._claimed[self.path] = file, self
            for left in self.path.parent.glob(f".{self.name}.*.tmp"):  # by a program that was ended while it wrote
                left.unlink(missing_ok=True)
        return True

    def give_up(self) -> None:
        """Another table may go on."""
        if self.is_mine:
            del self._claimed[self.path]
            os.close(self._file)

    def take_over(self) -> None:
        """Claims it from another table of this program."""
        if self.is_here:
            self._claimed[self.path].give_up()
        self.claim()

    def load(self) -> History | None:
        """The game kept, or None; RecordError where it cannot be read."""
        if not self.path.exists():
            return None
        history = load(self.path)
        self._start = history.states[0]
        return history

    def forget(self) -> None:
        """What is saved next is another game, even if it begins like the one kept."""
        self._start = None

    def save(self, history: History) -> None:
        """Puts the game in place of the one kept; RecordError where it cannot be written."""
        if history.states[0] != self._start and self.path.exists():
            before = self.path.with_name(f"{self.name}.before.json")
            with told(self.path):
                write_file(before, self.path.read_text(encoding="utf-8"), overwrite=True)
        write_file(self.path, write_record(history), overwrite=True)
        self._start = history.states[0]
