"""Agents that other processes can import, and a bar that acts when the first block comes back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import ninety_nine_kit as kit


def any_legal(view: Any, rng: Random) -> Any:
    """The kit's random agent, not known by its name: deals are played one by one."""
    return kit.AGENTS["random"](view, rng)


def broken(view: Any, rng: Random) -> Any:
    raise KeyError("my own mistake")


def cheating(view: Any, rng: Random) -> Any:
    return "K♠ K♠"


class Bar:
    """Stands in for tqdm's: `done` is how many deals are back, and the first of them call `then`."""

    def __init__(self, then: Callable[[], object]) -> None:
        self.then, self.done, self.updates = then, 0, 0

    @contextmanager
    def __call__(self, deals: int) -> Iterator["Bar"]:
        yield self

    def update(self, deals: int) -> None:
        self.done += deals
        self.updates += 1
        if self.updates == 1:
            self.then()
