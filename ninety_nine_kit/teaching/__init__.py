"""What the lessons need besides the games: prepared deals, questions, and examples of the readings."""

from ninety_nine_kit.teaching.examples import example_grid
from ninety_nine_kit.teaching.prepared import PLAIN_TRICKS, PREPARED
from ninety_nine_kit.teaching.questions import KINDS, Question, kinds_for, question
from ninety_nine_kit.teaching.walkthrough import Step, Walkthrough

__all__ = [
    "KINDS",
    "PLAIN_TRICKS",
    "PREPARED",
    "Question",
    "Step",
    "Walkthrough",
    "example_grid",
    "kinds_for",
    "question",
]
