"""Agents see only their view, are asked in the same way everywhere, and the simple one plays with sense."""

from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.card import stream


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
        ("clever", "no agent 'clever'; there are: random, first, simple, or give a function"),
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


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
def test_the_simple_agent_does_better_than_random_ones(rules: Any) -> None:
    """A third of the wins would be its share; the matches are seeded, so this is the same on every machine."""
    share = 0.0
    for seed in range(24):
        seats = ["simple" if seat == seed % 3 else "random" for seat in range(3)]
        winners = kit.playout(kit.deal(rules, 3, seed), seats).state.winners
        share += (seed % 3 in winners) / len(winners)
    assert share > 24 / 3
