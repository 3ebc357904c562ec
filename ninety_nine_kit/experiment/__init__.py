"""What a game does over many deals, and what a change of its rules does: measured, with how sure it is.

A survey tells of one game; a comparison plays two with the same cards and tells what differs.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor

from ninety_nine_kit.agents import Agent
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.experiment.comparison import Comparison, Difference
from ninety_nine_kit.experiment.measure import Measure, Report
from ninety_nine_kit.experiment.picture import Picture
from ninety_nine_kit.experiment.play import make_plan
from ninety_nine_kit.experiment.run import ExecutorFailedError
from ninety_nine_kit.experiment.survey import Survey
from ninety_nine_kit.rules import Rules

__all__ = [
    "Comparison",
    "Difference",
    "ExecutorFailedError",
    "Measure",
    "Picture",
    "Report",
    "Survey",
    "compare",
    "survey",
]

Agents = str | Agent | Sequence[str | Agent] | Mapping[int, str | Agent]


def survey(
    rules: Rules,
    games: int | None = None,
    players: int | None = None,
    agents: Agents = "simple",
    seed: int | str = 1,
    executor: Executor | None = None,
) -> Survey:
    """Plays a game many times and counts.

    `games`: how many deals, each dealt and played once (in the adding games a round). Where a deal depends on the one
    before, by its trump or its first player, eight are played in a row at a table; a new match begins when one is over
    or a player is out, so that everybody is in every deal. Without a number 20,000 are played, in about a second, where
    numpy is installed, plays these rules (see `batch`) and the agents are named; else 100, one after another.

    `players`: three, where the rules allow it, else the fewest. `agents`: one for all seats, or one for each, as in
    `playout`. `executor`: any of `concurrent.futures`, or Dask's `Client(…).get_executor()`; its workers play blocks of
    deals, and the numbers are the same as without. Mistake, a ValueError, tells which value is wrong; an error in an
    agent comes through; ExecutorFailedError holds in `result` what was done. A stop (KeyboardInterrupt) gives the
    survey of what was done.

    >>> from ninety_nine_kit.presets import ADDING_PL
    >>> print(survey(ADDING_PL, games=20_000, agents="random").measures()["Length of a deal"]["lays"])
    12.49 ± 0.11
    """
    return Survey.play(make_plan([rules], games, players, agents, seed), executor)


def compare(
    rules_a: Rules,
    rules_b: Rules,
    games: int | None = None,
    agents: Agents = "simple",
    seed: int | str = 1,
    players: int | None = None,
    executor: Executor | None = None,
    labels: Sequence[str] = (),
) -> Comparison:
    """Plays two games with the same cards, deal by deal, and tells what the second does otherwise than the first.

    `games` is how many deals of each; `labels` name the two. All else is as in `survey`. As the cards are the same,
    luck weighs less, and a small difference shows.

    >>> from dataclasses import replace
    >>> from ninety_nine_kit.presets import TRICKS_FR
    >>> hearts = replace(TRICKS_FR, bid_values=TRICKS_FR.bid_values | {"♥": 3})
    >>> compare(TRICKS_FR, hearts, games=20_000).differences()["Bids made"]["all"].verdict
    'sure'
    """
    if isinstance(labels, str) or len(labels) not in (0, 2):
        raise Mistake(f"give a list with a label for each of the two games, not {labels!r}")
    return Comparison.play(make_plan([rules_a, rules_b], games, players, agents, seed, labels), executor)
