"""Kills a program that plays at a table with a name, and looks at what is kept: `python tests/kill.py --times 200`.

The program plays without a pause and tells each action that was made; after some moment by lot it gets SIGKILL, every
second time while a file is being written. The game kept must be the one played, with every action that was told, or one
more. A new program must be offered it at once, and go on with it. Exit code 1 if anything fails.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from random import Random

from playing import choose, random_match

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.widgets import Table

NAME, NAMES = "monday", ["Ann", "Бен"]
GAMES = Path("games")
KEPT, BEFORE = GAMES / f"{NAME}.json", GAMES / f"{NAME}.before.json"
FIGURES = ("kills", "actions told", "one more kept", "writes cut short", "later matches")
LONGEST_WAIT, LONGEST_WRITE = 0.6, 0.001


def forked(do: Callable[[], None]) -> int:
    """Another program that does this; its process."""
    sys.stdout.flush()
    if child := os.fork():
        return child
    try:
        do()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def open_table(rules: Rules, players: int, seed: int) -> Table:
    return Table(rules, players, seed, agents=None, names=NAMES, name=NAME)


def play(rules: Rules, players: int, seed: int, tell: int) -> None:
    """Plays matches, one after the other, and writes a sign for each action that was made."""
    table = open_table(rules, players, seed)
    for number in count(seed):
        random = Random(number)
        while table.state.to_act is not None:
            table.play(choose(table.state, random))
            os.write(tell, b".")
        table.controls.seed.value = str(number + 1)
        table.button("New deal").click()


def played(rules: Rules, players: int, seed: int, actions: int) -> kit.History:
    """The game on that table after so many actions; the matches before it have ended."""
    for number in count(seed):
        history = kit.History(kit.deal(rules, players, number), NAMES)
        for action, _ in islice(random_match(history.state, Random(number)), actions):
            history.play(action)
        actions -= len(history.actions)
        if not actions:
            return history
    raise AssertionError


def same(found: kit.History, expected: kit.History) -> bool:
    parts = ("states", "actions", "names")
    return all([*getattr(found, part)] == [*getattr(expected, part)] for part in parts)


def left_behind() -> list[Path]:
    return sorted(GAMES.glob(".*.tmp"))


def stopped_in_write(child: int, random: Random) -> bool:
    """Stops the program at some moment of its next write, if that lasts so long."""
    while not left_behind():
        assert not os.waitpid(child, os.WNOHANG)[0], "the program ended by itself"
    time.sleep(random.random() * LONGEST_WRITE)
    os.kill(child, signal.SIGSTOP)
    assert os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1]), "the program ended by itself"
    return bool(left_behind())


def kill(rules: Rules, players: int, seed: int, random: Random, in_write: bool) -> Counter[str]:
    """One program in an empty folder, from its start to its death and to what another finds."""
    read, write = os.pipe()
    child = forked(lambda: play(rules, players, seed, write))
    os.close(write)
    with open(read, "rb", buffering=0) as told:
        assert told.read(1), "the program ended by itself"
        time.sleep(random.random() * LONGEST_WAIT)
        while in_write and not stopped_in_write(child, random):
            os.kill(child, signal.SIGCONT)
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "the program ended by itself"
        done = 1 + len(told.readall())
    torn, found, matches = left_behind(), kit.load(KEPT), BEFORE.exists()
    more = next((more for more in (0, 1) if same(found, played(rules, players, seed, done + more))), None)
    assert more is not None, f"{done} actions were told, and the game kept has {len(found.actions)}"
    if matches:
        assert kit.load(BEFORE).state.to_act is None, "the match before is not whole"
    after = forked(lambda: go_on(rules, players, found))
    assert os.waitpid(after, 0)[1] == 0, "the game kept cannot be gone on with"
    return Counter(dict(zip(FIGURES, (1, done, more, bool(torn), matches), strict=True)))


def go_on(rules: Rules, players: int, found: kit.History) -> None:
    """A new program is offered the game and plays on."""
    table = open_table(rules, players, 0)
    assert not left_behind(), "a file that was not finished stays"
    table.button("Start anew")
    table.button("Go on with the kept game").click()
    assert same(table.history, found), "another game is gone on with"
    if table.state.to_act is not None:
        table.play(choose(table.state, Random(0)))
        assert len(kit.load(KEPT).actions) == len(found.actions) + 1, "the next action is not kept"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200, help="how many programs, of all games in turn")
    parser.add_argument("--seed", type=int, default=99, help="of the moments; the machine has its part in them too")
    given, start, failed = parser.parse_args(), time.perf_counter(), 0
    random, total = Random(given.seed), Counter[str]()
    presets = list(kit.PRESETS.values())
    for number in range(given.times):
        rules = presets[number % len(presets)]
        players = rules.players[number // len(presets) % len(rules.players)]
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                total += kill(rules, players, 1000 * number, random, in_write=number % 2 == 1)
            except Exception:
                failed += 1
                print(f"{rules.name}, {players} players, number {number}: FAILED\n{traceback.format_exc()}", flush=True)
            os.chdir("/")
    print(", ".join(f"{what}: {total[what]:,}" for what in FIGURES))
    print(f"{time.perf_counter() - start:.1f} s: {f'FAILED {failed} times' if failed else 'all well'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
