"""Counts the sequences of legal actions from deal 99 of every game: `python tests/counts.py` prints counts.txt."""

import ninety_nine_kit as kit
from ninety_nine_kit.rules import TrickRules

HEAD = """\
# How many sequences of legal actions there are from kit.deal(rules, players=3, seed=99).
# Adding games: 1 to 4 actions long, from the deal. Tricks: the bids that the first seat can make; then 1 to 5 actions
# long after each seat has laid aside the first three cards of its hand (by suit ♣ ♦ ♥ ♠, then from low to high).
# A hand-over from one deal to the next counts as an action. Made by: python tests/counts.py > tests/counts.txt
"""


def sequences(state: kit.State, depth: int) -> int:
    """How many sequences of so many legal actions there are; one that ends with the match before is not counted."""
    legal = state.legal_actions()
    return len(legal) if depth == 1 else sum(sequences(state.apply(action), depth - 1) for action in legal)


def counts() -> str:
    lines = []
    for name, rules in kit.PRESETS.items():
        state, depth, bids = kit.deal(rules, players=3, seed=99), 4, ""
        if isinstance(rules, TrickRules):
            depth, bids = 5, f" bids {len(state.legal_actions())}, then"
            for _ in range(3):
                assert state.to_act is not None
                state = state.apply(kit.Bid(state.hands[state.to_act][:3]))
        lines.append(f"{name:12}{bids} {' '.join(str(sequences(state, d)) for d in range(1, depth + 1))}\n")
    return HEAD + "".join(lines)


if __name__ == "__main__":
    print(counts(), end="")
