"""How fast the batch simulator is, beside plain C and the clear engine: `python tests/bench/batch.py`.

The C is plain.c, compiled here with `gcc -O3`; it plays the same two games at random. In each round everything that is
measured gets one turn, so that noise hits all alike; a first round is thrown away. Figures are medians of the rounds. A
ratio is taken in each round, and then the median; its lowest and highest stand behind it. At the end each limit is said
to be kept or not; figures differ by machine, so that only `--strict` makes it an error.

Deals a second are those played to their end; decisions are lays, the one that goes over the limit among them. Imports
are timed in processes of their own, which keep their bytecode in a folder of their own. The memory is that of the
games in flight, 8,192 or, where no deal depends on the one before (Paranoia), 16,384: by how much a fresh process grows
at its peak.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from speed import Player

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules

SECONDS, DEALS, GAMES = 0.5, 65_536, 20_000  # deals: one block of the simulator
OVER = (kit.Phase.DEAL_OVER, kit.Phase.MATCH_OVER)
RACES: dict[str, tuple[str, Rules, str]] = {
    "tricks": ("trick deals/s", kit.TRICKS_RU, "deals"),
    "adding": ("adding decisions/s", kit.ADDING_PL, "decisions"),
}
PAIRS: dict[str, tuple[Rules, Rules]] = {
    "tricks": (kit.TRICKS_RU, kit.TRICKS_FR),
    "adding": (kit.ADDING_RU, kit.ADDING_PL),
}
IMPORTS = {"kit": "ninety_nine_kit", "numpy": "ninety_nine_kit, numpy", "batch": "ninety_nine_kit.batch"}
CROWDS = (("tricks-fr", 3), ("paranoia-ru", 5))

IMPORT = """import time
start = time.perf_counter()
import {modules}
print(time.perf_counter() - start)"""

MEMORY = """import resource, sys
import ninety_nine_kit as kit
from ninety_nine_kit import batch

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)

before = peak()
batch.simulate(kit.PRESETS[{name!r}], players={players}, deals={deals}, seed=1, policy="random")
print(peak() - before)"""

Figures = dict[str, list[float]]


class Limit(NamedTuple):
    """What a figure should keep to: `most`, or else `least`, perhaps with an aim beyond it."""

    name: str
    figure: float | None
    least: float = 0
    most: float = 0
    aim: float = 0

    @property
    def is_kept(self) -> bool | None:
        """None where nothing was measured."""
        if self.figure is None:
            return None
        return self.figure <= self.most if self.most else self.figure >= self.least

    def __str__(self) -> str:
        verdict = {True: "kept", False: "NOT kept", None: "not measured"}[self.is_kept]
        bound = f"at most {self.most:g}" if self.most else f"at least {self.least:g}"
        aim = f", aim {self.aim:g}" if self.aim else ""
        figure = "" if self.figure is None else f"{self.figure:.2f}"
        return f"{verdict:14}{self.name:40}{figure:>8}   {bound}{aim}"


class Plain:
    """The C program. Each run is made as long as `SECONDS` by what the run before it took."""

    def __init__(self, folder: Path) -> None:
        self.program, self.deals = folder / "plain", dict.fromkeys(RACES, 50_000)
        self.told: dict[str, str] = {}
        source = Path(__file__).with_name("plain.c")
        subprocess.run(["gcc", "-O3", "-o", self.program, source], check=True)

    def rate(self, game: str, seed: int) -> float:
        run = [str(self.program), game, str(self.deals[game]), str(seed)]
        line = subprocess.run(run, check=True, capture_output=True, text=True).stdout
        words = line.split()
        told = dict(zip(words[::2], map(float, words[1::2]), strict=True))
        self.deals[game] = max(1, int(told["deals"] / told["seconds"] * SECONDS))
        self.told[game] = line.strip()
        return told[RACES[game][2]] / told["seconds"]


class Clear(Player):
    """Random play by the clear engine; counts deals that have ended, and lays."""

    deals = decisions = 0

    def step(self) -> None:
        self.decisions += self.state.phase is kit.Phase.PLAY
        super().step()

    def renew(self) -> None:
        self.deals += self.state.phase in OVER
        super().renew()

    def rate(self, what: str, _round: int) -> float:
        before, start = getattr(self, what), time.perf_counter()
        while (passed := time.perf_counter() - start) < SECONDS:
            for _ in range(20):
                self.step()
        return float(getattr(self, what) - before) / passed


def batch_rate(rules: Rules, what: str, seed: int) -> float:
    from ninety_nine_kit import batch

    batch.simulate(rules, players=3, deals=DEALS, seed=seed, policy="random")  # let in the caches what is used
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < SECONDS:
        result = batch.simulate(rules, players=3, deals=DEALS, seed=seed, policy="random")
        done += DEALS if what == "deals" else int(result.decisions.sum())
    return done / passed


def compare_seconds(game: str, agents: str, _round: int) -> float:
    from ninety_nine_kit.experiment import compare

    start = time.perf_counter()
    compare(*PAIRS[game], games=GAMES, agents=agents)
    return time.perf_counter() - start


def fresh(code: str, folder: Path, _round: int = 0) -> float:
    """The number that a fresh process prints. From the second time on it finds its bytecode in the folder."""
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True, env=env)
    return float(ran.stdout)


def turns(plain: Plain | None, folder: Path) -> dict[str, Callable[[int], float]]:
    """All that takes its turn in a round, by name; each is given the round's number."""
    every: dict[str, Callable[[int], float]] = {}
    for game, (_, rules, what) in RACES.items():
        if plain:
            every[f"{game} C"] = partial(plain.rate, game)
        every[f"{game} batch"] = partial(batch_rate, rules, what)
        every[f"{game} clear"] = partial(Clear(rules).rate, what)
    for game in PAIRS:
        for agents in ("random", "simple"):
            every[f"compare {game} {agents}"] = partial(compare_seconds, game, agents)
    for name, modules in IMPORTS.items():
        every[f"import {name}"] = partial(fresh, IMPORT.format(modules=modules), folder)
    return every


def combined(figures: Figures, one: str, other: str, how: Callable[[float, float], float]) -> list[float]:
    """Two figures of each round made into one; nothing where one of them was not measured."""
    return [how(a, b) for a, b in zip(figures.get(one, ()), figures.get(other, ()), strict=False)]


def ratio(one: float, other: float) -> float:
    return one / other


def spread(values: Sequence[float], digits: int) -> str:
    """The median, with the lowest and the highest."""
    if not values:
        return "–"
    middle, low, high = (f"{value:,.{digits}f}" for value in (median(values), min(values), max(values)))
    return f"{middle} ({low}–{high})"


def middle(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def print_races(figures: Figures) -> list[Limit]:
    limits = []
    print(f"{'':20}{'C':>13}{'batch':>13}{'clear':>10}{'batch/C':>22}{'batch/clear':>24}")
    for (game, (unit, _, _)), (least, aim) in zip(RACES.items(), ((0.35, 0.5), (0.13, 0.25)), strict=True):
        rates = [middle(figures.get(f"{game} {who}", ())) for who in ("C", "batch", "clear")]
        told = ["–" if rate is None else f"{rate:,.0f}" for rate in rates]
        to_c = combined(figures, f"{game} batch", f"{game} C", ratio)
        to_clear = combined(figures, f"{game} batch", f"{game} clear", ratio)
        print(f"{unit:20}{told[0]:>13}{told[1]:>13}{told[2]:>10}{spread(to_c, 2):>22}{spread(to_clear, 0):>24}")
        limits.append(Limit(f"{unit}, batch/C", middle(to_c), least=least, aim=aim))
    return limits


def print_seconds(figures: Figures) -> list[Limit]:
    limits = []
    print(f"\n{'seconds':34}{'median (lowest–highest)':>28}")
    for game, pair in PAIRS.items():
        for agents in ("random", "simple"):
            taken = figures[f"compare {game} {agents}"]
            name = f"compare {pair[0].name}, {pair[1].name}, {agents}"
            print(f"{name:42}{spread(taken, 2):>20}")
            limits.append(Limit(name, middle(taken), most=2))
    for name, told in (("batch", "import of batch, less the kit's"), ("numpy", "numpy's part of that")):
        taken = combined(figures, f"import {name}", "import kit", lambda mine, kits: mine - kits)
        print(f"{told:42}{spread(taken, 3):>20}")
        if name == "batch":
            limits.append(Limit(told, middle(taken), most=0.3))
    return limits


def print_memory(memory: dict[str, float]) -> list[Limit]:
    print("\nMB more at the peak, with all games of a block in flight")
    for name, more in memory.items():
        print(f"{name:42}{more:20.1f}")
    return [Limit(f"MB for a block, {name}", more, most=100) for name, more in memory.items()]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rounds", type=int, default=9, help="how often each thing is measured: 7 or more (9)")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a limit is not kept")
    given = parser.parse_args()
    if given.rounds < 7:
        parser.error("--rounds must be 7 or more")
    with TemporaryDirectory() as name:
        folder = Path(name)
        # First, while this process is small: Linux hands on its peak to those that it starts. Compiling comes before.
        fresh(IMPORT.format(modules=IMPORTS["batch"]), folder)
        memory = {
            f"{rules}, {players} players": fresh(MEMORY.format(name=rules, players=players, deals=DEALS), folder)
            for rules, players in CROWDS
        }
        plain = Plain(folder) if shutil.which("gcc") else None
        every = turns(plain, folder)
        figures: Figures = {name: [] for name in every}
        for number in range(given.rounds + 1):
            for name, measure in every.items():
                figure = measure(number)
                if number:
                    figures[name].append(figure)
    limits = [*print_races(figures), *print_seconds(figures), *print_memory(memory)]
    if plain:
        print("\nThe last runs of the C program:", *plain.told.values(), sep="\n  ")
    else:
        print("\nThere is no gcc here, so the figures are without C.")
    print("", *limits, sep="\n")
    return int(given.strict and any(limit.is_kept is False for limit in limits))


if __name__ == "__main__":
    sys.exit(main())
