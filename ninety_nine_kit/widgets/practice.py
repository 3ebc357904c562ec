"""A table at which a card counts only when its player has said the new total."""

from typing import Any

from ipywidgets import Button

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import N_, Refusal, WrongPhase
from ninety_nine_kit.game import Action, IllegalActionError, Phase, Play, State, read_action
from ninety_nine_kit.narration import narrate, number, translator
from ninety_nine_kit.teaching.questions import NotANumber, read_number
from ninety_nine_kit.widgets.controls import TextBox, row, update
from ninety_nine_kit.widgets.table import Table


class NoCardYet(Refusal):
    english = N_("First choose a card, then say the total that it makes.")


class WrongTotal(Refusal):
    said: int
    before: int
    lay: str
    english = N_("{said} is not right. The total is {before}, and you lay {lay}. Count again.")


class TotalPractice(Table):
    """A table of an adding game; choose a card, then say the new total: `practice.say("54")`. All else is as at a
    `Table`, of which it takes the arguments."""

    tells_totals = False

    def __init__(self, *start: Any, **named: Any) -> None:
        self.said = self.right = 0
        self.new_total = TextBox("14em", self._submit_total)
        super().__init__(*start, **named)
        if not isinstance(self.state, AddingState):
            raise Mistake(f"{self.state.rules.name}: this practice needs a game with a running total")

    def restart(self) -> None:
        self.said = self.right = 0
        super().restart()

    def say(self, total: str) -> None:
        """Says the total that the chosen card makes. A wrong one is told and loses nothing."""
        lay, before, wait = self._laying, self.state, self._wait()
        if wait:
            return self._say(wait)
        self.new_total.value = ""
        if before.phase is not Phase.PLAY:
            return self._say(narrate(WrongPhase(before.phase), self.lang))
        if self._options:
            return self._say(translator(self.lang)("What shall the card do?"))
        if lay is None or not isinstance(before, AddingState):
            return self._say(narrate(NoCardYet(), self.lang))
        said = read_number(str(total))
        if said is None:
            return self._say(narrate(NotANumber(str(total)), self.lang))
        if said != before.apply(lay).total:
            self._missed = True
            return self._say(narrate(WrongTotal(said, before.total, number(lay)), self.lang))
        self.said, self.right = self.said + 1, self.right + (not self._missed)
        super()._act(lay)

    def _submit_total(self, total: str) -> None:
        self.say(total)
        if self._laying is None:
            self._focus_on_from(None)
        self._talk()

    def _below_hand(self) -> list[Any]:
        return [*super()._below_hand(), row(self.new_total)]

    def _label(self) -> None:
        super()._label()
        say = translator(self.lang)
        update(self.new_total, description=say("New total"))

    def _forget(self) -> None:
        super()._forget()
        self._laying: Play | None = None
        self._missed = False

    def _act(self, action: Action | str) -> bool:
        """A safe lay waits for its total; all else happens at once."""
        try:
            move = read_action(self.state, action) if isinstance(action, str) else action
        except IllegalActionError as unread:
            why: Any = unread.why
            if not getattr(why, "choices", ()):
                return super()._act(action)
            self._choose(why.cards[0])  # as if it were clicked, since the reason would tell the totals
            return False
        adding = isinstance(self.state, AddingState) and not self.state.is_stuck()
        if not isinstance(move, Play) or not adding or self.session.refuses(move):
            return super()._act(move)
        missed = self._missed and move == self._laying
        self._forget()
        self._laying, self._missed = move, missed
        self.new_total.value = ""
        self._draw()
        return True

    def _prompt(self, view: State) -> str:
        say, told = translator(self.lang), super()._prompt(view)
        if self._laying and not self._options:
            told = say("You lay {lay}. What is the new total?").format(lay=number(self._laying))
        return f"{told} · {say('Right at once: {right} of {said}.').format(right=self.right, said=self.said)}"

    def _focus_on_from(self, button: Button | None) -> None:
        if self._laying and not self._options:
            self.new_total.focus()
        else:
            super()._focus_on_from(button)
