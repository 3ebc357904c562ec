"""Keeps and shares seeded random games and plays them again: `python tests/records.py --games 10000`.

The same states, actions and names must come back, and the same bytes when written again; some games are not finished.
Exit code 1 if anything fails. Playing by lot (`History.play`), playing again (`read_record`) and `playout` with random
agents take turns, game by game; the figures are actions in a second, and how many times as long playing again takes.
They differ by machine.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from random import Random
from typing import Any, TypeVar

from playing import CASES, choose

import ninety_nine_kit as kit
from ninety_nine_kit.card import listed, shuffle
from ninety_nine_kit.rules import Rules, TrickRules

MOST_ACTIONS, MOST_DEALS = 10_000, 5
NAMES = ("Ann", "Бен", "Çem", "", "O’Neil “99”", '"\\', "孫 悟空", "👩‍👧", "x" * 40)
T = TypeVar("T")
BIDS = ["6♣ 7♦ 8♦", "8♣ 9♣ 6♦", "9♦ 10♦ J♦"]

#: Two play adding-pl with 90 on the pile and no stock, so that each draws what lay below the card just laid:
#: 5♦ → 95, 9♣ adds nothing, K♠ → 99, and Q♥ would be 109, as 7♥ and the 5♦ drawn would be too many. B has a chip less.
CHIPS_START: dict[str, Any] = {"total": 90, "lives": (2, 2), "stock": "", "pile": "2♣", "seed": 7}
CHIPS_HANDS = ["K♠ 5♦ 6♦", "9♣ Q♥ 7♥"]
CHIPS_ACTIONS = ["5♦", "9♣", "K♠", "Q♥", "next deal", "5♦", "A♦ +11"]
CHIPS: dict[str, Any] = {
    "format": "ninety-nine-kit record",
    "version": 1,
    "kit": version("ninety-nine-kit"),
    "rules": {"preset": "adding-pl"},
    "players": 2,
    "names": ["Ann", "Бен"],
    "seed": 7,
    "dealer": 1,
    "position": {
        "phase": "play",
        "to_act": 0,
        "hands": ["5♦ 6♦ K♠", "9♣ 7♥ Q♥"],
        "scores": [0, 0],
        "stock": "",
        "deal_number": 1,
        "game_number": 1,
        "lives": [2, 2],
        "total": 90,
        "direction": 1,
        "pile": "2♣",
        "earned": [[0, 0, 0, 0], [0, 0, 0, 0]],
        "pot": 0,
        "layer": 0,
    },
    "deals": [
        {"actions": ["5♦", "9♣", "K♠", "Q♥"], "refills": ["2♣", "5♦", "9♣"], "lives": [2, 1]},
        {"pack": listed(shuffle(kit.ADDING_PL.pack(2), "7", 2, 0)), "actions": ["5♦", "A♦ +11"]},
    ],
    "result": {"scores": [0, 0], "lives": [2, 1], "winners": []},
}

#: The last trick of a match: A has made a bid of 3 (♣ is 3, ♦ 0), B one of 6, C one of 0, so that each gets 10. 87 + 13
#: is a game, the third.
LAST_TRICK: dict[str, Any] = {"bids": BIDS, "won": (2, 6, 0), "scores": (87, 80, 0), "games_won": (2, 0, 0)}
LAST_RESULT = {"scores": [100, 96, 10], "games_won": [3, 0, 0], "winners": [0]}


def played(start: kit.State, *actions: str, names: Sequence[str] = ()) -> kit.History:
    history = kit.History(start, names)
    for action in actions:
        history.play(action)
    return history


def chips() -> kit.History:
    return played(kit.position(kit.ADDING_PL, CHIPS_HANDS, **CHIPS_START), *CHIPS_ACTIONS, names=["Ann", "Бен"])


def last_trick() -> kit.History:
    return played(kit.position(kit.TRICKS_RU, ["A♥", "6♥", "7♥"], **LAST_TRICK), "A♥", "6♥", "7♥")


def shares(games: int) -> Iterator[tuple[Rules, int, range]]:
    """The games dealt out to every preset at every number of players, as their seeds."""
    for number, (rules, players) in enumerate(CASES):
        yield rules, players, range(number, games, len(CASES))


def random_game(rules: Rules, players: int, seed: int) -> kit.History:
    """A match by lot: at tricks cut after some deals, and one in three cut anywhere."""
    random = Random(seed)
    names = [NAMES[int(random.random() * len(NAMES))] for _ in range(int(random.random() * (players + 1)))]
    deals = 1 + int(random.random() * MOST_DEALS) if isinstance(rules, TrickRules) else None
    most = int(random.random() * 80) if random.random() < 1 / 3 else MOST_ACTIONS
    history = kit.History(kit.deal(rules, players, seed=seed), names)
    while (state := history.state).to_act is not None and history.step < most:
        if state.phase is kit.Phase.DEAL_OVER and state.deal_number == deals:
            break
        history.play(choose(state, random))
    return history


def kept(history: kit.History) -> str:
    """The record of a game, when both the record and the line to share have brought back the same game."""
    text = kit.write_record(history)
    same(kit.read_record(text), history, text)
    same_by_line(history)
    return text


def same(again: kit.History, history: kit.History, text: str) -> None:
    same_states(again, history)
    assert again.actions == history.actions, "another action"
    assert again.names == history.names, "another name"
    assert again.step == len(history.actions), f"step {again.step} of {len(history.actions)}"
    assert kit.write_record(again) == text, "written again, it is another text"


def same_states(again: kit.History, history: kit.History) -> None:
    """Equal states; their rules, which are one value in a game, are compared once."""
    for new, old in zip(again.states, history.states, strict=True):
        one = new.rules is again.states[0].rules and old.rules is history.states[0].rules
        assert one, "other rules in the middle of a game"
        assert vars(new) | {"rules": None} == vars(old) | {"rules": None}, f"another state: {new}, not {old}"
    assert again.states[0] == history.states[0], "other rules"


def same_by_line(history: kit.History) -> None:
    line = kit.share_line(history)
    shared = kit.read_record(line)
    same_states(shared, history)
    assert shared.actions == history.actions, "another action by the line"
    assert kit.share_line(shared) == line, "shared again, it is another line"


def check(rules: Rules, players: int, seeds: range, look: Callable[[str], object] = len) -> Counter[str]:
    """Keeps and shares the games with these seeds, and looks at their records; counts games, actions, nanoseconds."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        try:
            counts.update(_check_game(rules, players, seed, look))
        except Exception as error:
            error.add_note(f"{rules.name}, {players} players, seed {seed}")
            raise
    return counts


def _check_game(rules: Rules, players: int, seed: int, look: Callable[[str], object]) -> dict[str, int]:
    history, play = _timed(lambda: random_game(rules, players, seed))
    text = kit.write_record(history)
    again, replay = _timed(lambda: kit.read_record(text))
    same(again, history, text)
    same_by_line(history)
    look(text)
    found = {"games": 1, "finished": int(history.state.to_act is None), "actions": len(history.actions)}
    return found | {"bytes": len(text.encode()), "play": play, "replay": replay}


def _timed(what: Callable[[], T]) -> tuple[T, int]:
    start = time.perf_counter_ns()
    return what(), time.perf_counter_ns() - start


def check_beside_agents(rules: Rules, players: int, seeds: range) -> Counter[str]:
    """The same, and after each game its start played by random agents, for the time that they take."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        found = check(rules, players, range(seed, seed + 1))
        start, most = kit.deal(rules, players, seed=seed), found["actions"]
        history, agents = _timed(lambda start=start, most=most: kit.playout(start, "random", most))
        counts.update(found | Counter({"agents": agents, "by agents": len(history.actions)}))
    return counts


def told(counts: Counter[str]) -> str:
    found = f"{counts['games']:7,} games {counts['finished']:7,} finished {counts['actions']:10,} actions"
    size = f"{counts['bytes'] / (counts['games'] or 1):9,.0f}"
    pairs = (("play", "actions"), ("agents", "by agents"), ("replay", "actions"))
    speed = {how: counts[what] * 1e9 / (counts[how] or 1) for how, what in pairs}
    speeds = "".join(f"{each:9,.0f}" for each in speed.values())
    ratios = "".join(f"{speed[how] / (speed['replay'] or 1):9.2f}" for how in ("play", "agents"))
    return f"{found}{size}{speeds}{ratios}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="of all presets and numbers of players together")
    games, failed, start = parser.parse_args().games, False, time.perf_counter()
    total: Counter[str] = Counter()
    print(f"{'':74}bytes  actions in a second:        again takes, beside")
    print(f"{'':72}a record     play   agents    again     play   agents")
    for rules, players, seeds in shares(games):
        try:
            counts = check_beside_agents(rules, players, seeds)
        except Exception:
            failed = True
            print(f"{rules.name:12} {players} players  FAILED\n{traceback.format_exc()}")
        else:
            total += counts
            print(f"{rules.name:12} {players} players {told(counts)}", flush=True)
    print(f"{'all':22} {told(total)}\n{time.perf_counter() - start:.1f} s: {'FAILED' if failed else 'all well'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
