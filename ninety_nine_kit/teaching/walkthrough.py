"""A prepared deal: a line of actions with a comment at each step, some of them to be guessed by the learner."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.game import Action, History, IllegalActionError, State


class Step(NamedTuple):
    """One action in notation. `comment` is told after it. With a question in `guess` the action stays hidden until the
    learner has found it or asked for it."""

    action: str
    comment: str = ""
    guess: str = ""


@dataclass(frozen=True)
class Walkthrough:
    """A deal to step through: `opening` is told at the start, `seat` is whose eyes the learner sees with.

    ValueError names the step that cannot be played, with the reason.

    >>> from ninety_nine_kit.dealing import position
    >>> from ninety_nine_kit.presets import ADDING_RU
    >>> start = position(ADDING_RU, ["3♥ 7♣ A♦", "4♣ 5♦ 9♠"], total=96)
    >>> Walkthrough("Too high", start, (Step("7♣"),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ninety_nine_kit.card.Mistake: Too high, step 1: 7♣ would make 103, which is over 99. ...
    """

    title: str
    start: State
    steps: tuple[Step, ...]
    opening: str = ""
    seat: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))
        self.actions()

    def actions(self) -> tuple[Action, ...]:
        """The line as actions, each judged by the engine."""
        history = History(self.start)
        for number, step in enumerate(self.steps, start=1):
            if step.guess and history.state.to_act != self.seat:
                raise Mistake(f"{self.title}, step {number}: only seat {self.seat} can be asked to guess")
            try:
                history.play(step.action)
            except IllegalActionError as refused:
                raise Mistake(f"{self.title}, step {number}: {refused}") from None
        return tuple(history.actions)


def steps(line: Iterable[str], told: dict[int, str], guess: dict[int, str]) -> tuple[Step, ...]:
    """A line of actions with comments and questions by the number of the step, from 1.

    >>> steps(["5♥", "K♣"], {2: "A king makes 99."}, {})[1]
    Step(action='K♣', comment='A king makes 99.', guess='')
    """
    return tuple(Step(action, told.get(n, ""), guess.get(n, "")) for n, action in enumerate(line, start=1))
