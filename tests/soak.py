"""Plays seeded random matches of every game at every number of players: `python tests/soak.py --matches 500`.

At every step all cards must be there and every event must be told. Exit code 1 if anything fails.
"""

import argparse
import sys
import time
import traceback
from collections import Counter
from random import Random

from playing import CASES, cards_of, random_match

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules, TrickRules

MOST_ACTIONS, MOST_DEALS = 10_000, 60


def soak(rules: Rules, players: int, matches: int) -> Counter[str]:
    """Plays the matches with seeds 0, 1, 2 …; counts those played, those that came to their end, and the actions."""
    counts: Counter[str] = Counter()
    for seed in range(matches):
        try:
            counts += _play(rules, players, seed)
        except Exception as error:
            error.add_note(f"{rules.name}, {players} players, seed {seed}")
            raise
    return counts


def _play(rules: Rules, players: int, seed: int) -> Counter[str]:
    start = kit.deal(rules, players=players, seed=seed)
    _check(start, whole := Counter(rules.pack(players)))
    for steps, (_, state) in enumerate(random_match(start, Random(seed)), 1):
        _check(state, whole)
        last_deal = isinstance(rules, TrickRules) and state.deal_number == MOST_DEALS
        if steps == MOST_ACTIONS or (last_deal and state.phase is kit.Phase.DEAL_OVER):
            break
    return Counter(matches=1, finished=int(state.to_act is None), actions=steps)


def _check(state: kit.State, whole: Counter[kit.Card]) -> None:
    cards = cards_of(state)
    assert cards == whole, f"cards lost: {whole - cards}, found: {cards - whole}, after {state.events}"
    for event in state.events:
        assert kit.narrate(event), f"nothing to tell: {event!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=500, help="of each game and number of players")
    matches, failed, start = parser.parse_args().matches, False, time.perf_counter()
    for rules, players in CASES:
        try:
            counts = soak(rules, players, matches)
        except Exception:
            failed = True
            print(f"{rules.name:12} {players} players  FAILED\n{traceback.format_exc()}")
        else:
            told = "  ".join(f"{counts[what]:8,} {what}" for what in ("matches", "finished", "actions"))
            print(f"{rules.name:12} {players} players  {told}", flush=True)
    print(f"{time.perf_counter() - start:.1f} s: {'FAILED' if failed else 'all well'}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
