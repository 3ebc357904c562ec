"""One match of each game told in English, as in playthroughs/*.txt; `python tests/test_playthroughs.py` writes them."""

from pathlib import Path

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.terminal import tell

FOLDER = Path(__file__).with_name("playthroughs")
AGENTS, MOST = ("simple", "random", "simple"), 100


def told(rules: Rules) -> str:
    """A line for each event, and after a deal one for each hand; step, seat and action stand at the first of them."""
    history = kit.playout(kit.deal(rules, players=3, seed=99), AGENTS, max_actions=MOST)
    lines = [
        f"# {rules.title}: three players, seed 99; the agents are {', '.join(AGENTS)}; at most {MOST} actions.",
        "# Step, seat, action, what happened. Made by: python tests/test_playthroughs.py",
        *tell(history),
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
def test_a_match_is_told_as_in_the_file(rules: Rules) -> None:
    assert told(rules).splitlines() == (FOLDER / f"{rules.name}.txt").read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    for name, rules in kit.PRESETS.items():
        (FOLDER / f"{name}.txt").write_text(told(rules), encoding="utf-8")
