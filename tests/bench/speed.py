"""How fast the engines are in random play: `python tests/bench/speed.py`. One process; figures differ by machine.

Play, and the shuffle of the same pack that it is compared with, take turns in short slices; each figure is the median
of the slices. The imports take turns too, each in a process of its own.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median

import ninety_nine_kit as kit
from ninety_nine_kit.card import shuffle
from ninety_nine_kit.rules import Rules

SLICES, SECONDS, IMPORTS = 15, 0.2, 15
BASE = "import dataclasses, enum, random, gettext"


class Player:
    """Plays match after match at random, up to 60 deals each, and can be stopped and asked to go on."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.players, self.matches = rules, 3, 0
        self.random, self.state = Random(99), kit.deal(rules, players=3, seed=0)

    def step(self) -> None:
        legal = self.state.legal_actions()
        self.state = self.state.apply(legal[int(self.random.random() * len(legal))])
        self.renew()

    def timed_step(self) -> tuple[kit.Phase, float, float]:
        """The phase, and the seconds for the legal actions and for the action chosen."""
        phase, start = self.state.phase, time.perf_counter()
        legal = self.state.legal_actions()
        between = time.perf_counter()
        self.state = self.state.apply(legal[int(self.random.random() * len(legal))])
        end = time.perf_counter()
        self.renew()
        return phase, between - start, end - between

    def renew(self) -> None:
        if self.state.to_act is None or self.state.deal_number > 60:
            self.matches += 1
            self.state = kit.deal(self.rules, players=self.players, seed=self.matches)


def per_second(what: Callable[[], object], seconds: float) -> float:
    """How often a thing can be done in a second."""
    times, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        for _ in range(20):
            what()
        times += 20
    return times / passed


def speed(rules: Rules) -> str:
    player, pack = Player(rules), rules.pack(3)
    plays, shuffles = [], []
    for number in range(SLICES):
        plays.append(per_second(player.step, SECONDS))
        shuffles.append(per_second(lambda number=number: shuffle(pack, number), SECONDS / 4))
    ratio = median(play / one for play, one in zip(plays, shuffles, strict=True))
    each, one = 1e6 / median(plays), 1e6 / median(shuffles)
    return f"{rules.name:12}{median(plays):12,.0f}{each:10.1f}{one:10.1f}{1 / ratio:9.2f}"


def shares(rules: Rules) -> str:
    """How the time of play splits: for the legal actions of a bid, for other legal actions, for the actions."""
    player, spent = Player(rules), {"bid": 0.0, "other": 0.0, "apply": 0.0}
    start = time.perf_counter()
    while time.perf_counter() - start < SLICES * SECONDS / 2:
        phase, legal, apply = player.timed_step()
        spent["bid" if phase is kit.Phase.BID else "other"] += legal
        spent["apply"] += apply
    return "".join(f"{seconds / sum(spent.values()):10.0%}" for seconds in spent.values())


def imports() -> str:
    """The time to import the kit, by the side of four modules of the standard library and of Python's own start."""
    codes = ("pass", BASE, "import ninety_nine_kit")
    times: dict[str, list[float]] = {code: [] for code in codes}
    for _ in range(IMPORTS):
        for code in codes:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times[code].append(time.perf_counter() - start)
    lines = [f"{median(times[code]) * 1000:8.1f} ms  python -c '{code}'" for code in codes]
    ratio = median(mine / base for mine, base in zip(times[codes[2]], times[BASE], strict=True))
    return "\n".join([*lines, f"{ratio:8.2f} times as long as the second (medians of {IMPORTS} runs)"])


def main() -> None:
    print("                        one decision  one shuffle  ratio     of the time of play:")
    print("preset      decisions/s        µs        µs     of both    bids   other   apply")
    for rules in kit.PRESETS.values():
        print(speed(rules) + shares(rules), flush=True)
    print("bids and other: legal_actions() of a bid and in other phases; apply: the action and random choice\n")
    print(imports())


if __name__ == "__main__":
    main()
