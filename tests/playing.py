"""What several tests share: every game at every number of players, random play, and where all cards are."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from random import Random

import ninety_nine_kit as kit
from ninety_nine_kit.game import Action

#: Every preset with every number of players it allows, and a name for each.
CASES = [(rules, players) for rules in kit.PRESETS.values() for players in rules.players]
CASE_IDS = [f"{rules.name}-{players}" for rules, players in CASES]


def choose(state: kit.State, random: Random) -> Action:
    """A legal action by lot, with the one stream that Python keeps the same."""
    actions = state.legal_actions()
    return actions[int(random.random() * len(actions))]


def random_match(state: kit.State, random: Random) -> Iterator[tuple[Action, kit.State]]:
    """Each action by lot, with the state it leads to, until the match is over."""
    while state.to_act is not None:
        action = choose(state, random)
        state = state.apply(action)
        yield action, state


def cards_of(state: kit.State) -> Counter[kit.Card]:
    """Every card of a state, wherever it lies."""
    if isinstance(state, kit.AddingState):
        places = (*state.hands, *state.given, state.stock, state.pile)
    else:
        taken = (trick.cards for trick in state.tricks)
        places = (*state.hands, *state.bids, state.stock, state.trick, *taken)
    return Counter(chain.from_iterable(places))


def story(steps: int = 60) -> str:
    """The first steps of one match of every case: each action, what it caused in words, and all hands after it."""
    lines = []
    for rules, players in CASES:
        match = random_match(kit.deal(rules, players, seed=99), Random(99))
        for action, state in islice(match, steps):
            hands = " | ".join(" ".join(map(str, hand)) for hand in state.hands)
            lines.append(f"{rules.name} {players}: {action} -> {' '.join(map(kit.narrate, state.events))} [{hands}]")
    return "\n".join(lines)
