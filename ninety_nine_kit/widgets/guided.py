"""A prepared deal at the table: it goes on step by step, and stops where the learner is to find the next move."""

from collections.abc import Sequence
from typing import Any

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import N_, Refusal
from ninety_nine_kit.game import Action, History, IllegalActionError, read_action
from ninety_nine_kit.narration import number, translator
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.teaching.walkthrough import Walkthrough
from ninety_nine_kit.widgets.session import Agents, Session


class AnotherMove(Refusal):
    """Legal, but not what the prepared deal shows."""

    move: str
    english = N_("{move} is allowed, but it is not the answer here. Try again, or press “Show the answer”.")


class NotYet(Refusal):
    english = N_("This deal goes on by itself here: press “Go on”.")


class Guided(Session):
    """A session whose history holds the prepared line up to the next question. After the line it is a session like any
    other, in which agents play all seats but the learner's."""

    def __init__(self, walk: Walkthrough, agents: Agents, names: Sequence[str], kept_as: str = "") -> None:
        if kept_as:
            raise Mistake(f"{walk.title}: a prepared deal is not kept, so its table takes no name")
        if names:
            raise Mistake(f"{walk.title}: its comments call the seats A, B, C, so it takes no names")
        self._walk, self._line = walk, walk.actions()
        if isinstance(agents, str) or callable(agents):
            agents = {seat: agents for seat in range(walk.start.players) if seat != walk.seat}
        super().__init__(walk.start, agents, names)
        self._go_to_question()

    def _go_to_question(self) -> None:
        """Adds what the learner may see, and stays at the present step."""
        step, known = self.history.step, len(self.history.actions)
        self.history.go(known)
        for action, told in list(zip(self._line, self._walk.steps, strict=True))[known:]:
            if told.guess:
                break
            self.history.play(action)
        self.history.go(step)

    @property
    def _in_line(self) -> bool:
        return self.history.step < len(self._line)

    @property
    def _asks(self) -> bool:
        """Whether the next move is the learner's to find."""
        return self._in_line and bool(self._walk.steps[self.history.step].guess)

    def question(self, viewer: object, lang: str) -> str:
        return self._tell(self._walk.steps[self.history.step].guess, viewer, lang) if self._asks else ""

    def comment(self, viewer: object, lang: str) -> str:
        step = self.history.step
        if not self._is_line(step):
            return ""
        return self._tell(self._walk.steps[step - 1].comment if step else self._walk.opening, viewer, lang)

    def _tell(self, text: str, viewer: object, lang: str) -> str:
        """For the ears of the learner, or of who sees everything: it may name cards."""
        return translator(lang)(text) if text and viewer in (self._walk.seat, "everyone") else ""

    def _is_line(self, step: int) -> bool:
        """Whether all up to a step was as prepared."""
        return 0 < len(self._line) >= step and self.history.actions[:step] == list(self._line[:step])

    @property
    def agent_is_next(self) -> bool:
        """Within the line everything but a question goes on by itself."""
        return not self._asks if self._in_line else super().agent_is_next

    def start(self, rules: Rules, players: int, seed: int | str | None, agents: Agents) -> None:
        self._line = ()
        super().start(rules, players, seed, agents)

    def load(self, history: History) -> None:
        self._line = ()
        super().load(history)

    def person_to_show(self) -> int:
        return self._walk.seat if self._in_line else super().person_to_show()

    def restart(self) -> None:
        super().restart()
        self._line = self._walk.actions()
        self._go_to_question()

    def act(self, action: Action | str) -> Refusal | None:
        if not self._in_line:
            return super().act(action)
        try:
            move = read_action(self.state, action) if isinstance(action, str) else action
        except IllegalActionError as unread:
            return unread.why if self._asks else NotYet()
        return self.refuses(move) or self.show_answer()

    def refuses(self, action: Action) -> Refusal | None:
        if not self._in_line:
            return super().refuses(action)
        if not self._asks:
            return NotYet()
        other = action != self._line[self.history.step]
        return super().refuses(action) or (AnotherMove(number(action)) if other else None)

    def show_answer(self) -> Refusal | None:
        """Plays what was asked for."""
        if self._asks and self.history.step < len(self.history.actions):
            self.history.forward()  # found before
        elif self._asks:
            self.history.play(self._line[self.history.step])
            self._go_to_question()
        return None

    def story(self, seats: Sequence[int], lang: str, viewer: Any) -> list[str]:
        """Within the line what the last action caused; each comment has its own step."""
        inside = self._is_line(self.history.step)
        return super().story([] if inside else seats, lang, viewer)

    def run_agents(self) -> Refusal | None:
        """One step on in the line; after it, as usual."""
        if not self._in_line:
            return super().run_agents()
        if not self._asks:
            self.history.forward()
        return None

    def ask_agent(self) -> Refusal | None:
        return self.run_agents() if self._in_line else super().ask_agent()
