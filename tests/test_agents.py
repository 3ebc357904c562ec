"""Agents see only their view, are asked in the same way everywhere, and the simple one plays with sense."""

from dataclasses import replace
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

import pytest
from playing import random_match
from test_contract import other_world

import ninety_nine_kit as kit
from ninety_nine_kit import batch
from ninety_nine_kit.card import stream

PRESETS = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)


def test_an_agent_cannot_find_the_cards_out_from_its_generator() -> None:
    """Its stream must not be that of a shuffle: with that, Fisher and Yates would give it the whole pack."""
    state = kit.deal(kit.PARANOIA_RU, 3, seed=99, dealer=0)
    drawn: list[float] = []

    def curious(view: kit.AddingState, rng: Any) -> Any:
        drawn.append(rng.random())
        return view.legal_actions()[0]

    kit.playout(state, curious, max_actions=20)
    shuffles = {stream(str(state.seed), deal, refill).random() for deal in range(21) for refill in range(21)}
    assert len(set(drawn)) == 20
    assert not shuffles & set(drawn)


@pytest.mark.parametrize(
    "agents, reason",
    [
        ("clever", "no agent 'clever'; there are: random, first, simple, greedy, or give a function"),
        ([None] * 3, "no agent None; there are"),
        (["simple"], "1 agents for 3 seats: give one for all or one for each"),
        ({0: "simple"}, "1 agents for 3 seats: give one for all or one for each"),
        ({7: "simple"}, "no seat 7 for an agent: the seats are 0 to 2"),
    ],
)
def test_agents_that_cannot_be_seated_are_told_in_words(agents: Any, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        kit.playout(kit.deal(kit.ADDING_RU, 3, seed=1), agents)
    assert str(refused.value).startswith(reason)


def test_one_agent_for_all_a_list_and_a_mapping_are_the_same() -> None:
    state = kit.deal(kit.PARANOIA_RU, 3, seed=5)
    each: dict[int, Any] = {0: "simple", 1: "random", 2: "random"}
    assert kit.playout(state, each).states == kit.playout(state, list(each.values())).states
    assert kit.playout(state, "first").states == kit.playout(state, ["first"] * 3).states


BIDS = {"bids": ["6♦ 7♦ 8♦", "6♠ 7♠ 8♠", "9♠ 10♠ J♠"]}
LEFT = ["A♥ 6♣ K♣", "7♣ Q♣ A♦", "8♥ 8♣ Q♦"]
LOW_WINS = replace(kit.TRICKS_RU, ranks=kit.TRICKS_RU.ranks[::-1])
MAY_BUST = replace(kit.ADDING_RU, voluntary_bust=True)
TWELVE = [
    "A♥ A♠ K♥ Q♣ 10♦ 9♣ 9♠ 8♣ 8♥ 7♦ 6♣ 6♥",
    "A♣ K♣ J♣ 10♣ 7♣ Q♥ J♥ 10♥ 9♥ 7♥ 6♦ 8♦",
    "A♦ K♦ Q♦ J♦ 9♦ K♠ Q♠ J♠ 10♠ 8♠ 7♠ 6♠",
]
GREEDY: dict[str, tuple[kit.State, str]] = {
    "the highest bid, the first of equal ones": (kit.position(kit.TRICKS_RU, TWELVE), "bid 6♣ 8♣ 9♣"),
    "the highest premium": (kit.position(kit.TRICKS_FR, LEFT, phase="announce", **BIDS), "reveal"),
    "the highest card to lead": (kit.position(kit.TRICKS_FR, LEFT, **BIDS), "A♥"),
    "the highest card that may be played": (kit.position(kit.TRICKS_FR, LEFT, **BIDS).apply("K♣"), "Q♣"),
    "the highest card by the order of ranks": (kit.position(LOW_WINS, LEFT, **BIDS), "6♣"),
    "the highest total": (kit.position(kit.ADDING_RU, ["2♣ 10♥ K♠", "3♦"], total=50), "K♠"),
    "the highest total by a choice": (kit.position(kit.ADDING_RU, ["3♣ A♥ 6♠", "3♦"], total=88), "A♥ +11"),
    "the highest total within the limit": (kit.position(kit.ADDING_RU, ["3♣ 10♥ 6♠", "3♦"], total=95), "3♣"),
    "the limit before the total": (kit.position(MAY_BUST, ["5♣ 6♥ J♠", "3♦"], total=92), "6♥"),
    "the highest total if stuck": (kit.position(kit.ADDING_RU, ["5♣ 6♥ J♠", "3♦"], total=97), "J♠"),
    "the first of equal cards": (kit.position(kit.ADDING_RU, ["7♣ 7♥ 2♠", "3♦"], total=10), "7♣"),
    "beyond a limit that may be passed": (kit.position(kit.PARANOIA_RU, ["3♣ 9♥ J♠", "3♦ 2♦ 5♦"], total=95), "J♠"),
    "the highest total by a pair": (kit.position(kit.PARANOIA_RU, ["9♣ 9♥ J♠", "3♦ 2♦ 5♦"], total=20), "9♣ 9♥ =99"),
    "the first card to give": (
        kit.position(kit.PARANOIA_RU, ["2♣ 9♥ J♠", "3♦ 2♦ 5♦"], stock="K♥").apply("2♣"),
        "give 9♥",
    ),
}


@pytest.mark.parametrize("state, does", GREEDY.values(), ids=GREEDY)
def test_the_greedy_agent_takes_as_much_as_it_can_at_once(state: kit.State, does: str) -> None:
    assert state.to_act is not None
    assert str(kit.AGENTS["greedy"](state.seen_by(state.to_act), Random(99))) == does


@PRESETS
@pytest.mark.parametrize("agent", kit.AGENTS)
def test_agents_do_the_same_whatever_they_cannot_see(rules: Any, agent: str) -> None:
    """Hidden cards change places, seed and packs change, and still the same generator makes the same action."""
    random, changed = Random(rules.name), 0
    for number, (_, state) in enumerate(islice(random_match(kit.deal(rules, 3, seed=99), random), 120)):
        if state.to_act is not None:
            other = other_world(state, state.to_act, random)
            changed += other.hands != state.hands
            chosen = [kit.AGENTS[agent](world.seen_by(state.to_act), Random(number)) for world in (state, other)]
            assert chosen[0] == chosen[1]
            assert chosen[0] in state.legal_actions()
    assert changed > 10


def share_of(agent: str, rules: Any) -> tuple[float, float, float]:
    """What part of the deals an agent wins, or loses where a deal has one loser, against two random players; where
    several are equal each has a part. With the ends of its 95 % interval. Seat 0 is fair, as the dealer goes round."""
    best = batch.simulate(rules, deals=20_000, policy=[agent, "random", "random"]).best
    parts = best[:, 0] / best.sum(axis=1)
    within = 1.96 * parts.std() / sqrt(len(parts))
    return parts.mean() - within, parts.mean(), parts.mean() + within


@PRESETS
def test_the_simple_agent_does_better_than_random_ones(rules: Any, record_property: Any) -> None:
    """A third would be its share."""
    loses = getattr(rules, "over_limit", "") == "deal over"
    for agent in ("simple", "greedy"):
        low, share, high = share_of(agent, rules)
        part = f"{share:.3f} ({low:.3f} to {high:.3f})"
        record_property("told", f"{rules.name}: {agent} {'loses' if loses else 'wins'} {part} of the deals")
        assert agent == "greedy" or (high < 1 / 3 if loses else low > 1 / 3)
