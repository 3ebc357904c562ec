"""A prepared deal at the table: it goes on step by step, and stops where the learner is to find the next move."""

from collections.abc import Callable, Sequence

from ninety_nine_kit.events import N_, Event, Refusal
from ninety_nine_kit.game import Action, IllegalActionError, read_action
from ninety_nine_kit.narration import number
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.teaching.walkthrough import Walkthrough
from ninety_nine_kit.widgets.session import Agents, Session


class AnotherMove(Refusal):
    """Legal, but not what the prepared deal shows."""

    move: str
    english = N_("{move} may be played, but it is not the answer here. Try again, or press “Show the answer”.")


class NotYet(Refusal):
    english = N_("This deal goes on by itself here: press “Go on”.")


class Guided(Session):
    """A session whose history holds the prepared line up to the next question. After the line it is a session like any
    other, in which agents play all seats but the learner's."""

    def __init__(self, walk: Walkthrough, agents: Agents, names: Sequence[str]) -> None:
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
    def question(self) -> str:
        asks = self._in_line and self.history.step == len(self.history.actions)
        return self._walk.steps[self.history.step].guess if asks else ""

    @property
    def comment(self) -> str:
        step = self.history.step
        if not self._line or self.history.actions[:step] != list(self._line[:step]):
            return ""
        return self._walk.steps[step - 1].comment if step else self._walk.opening

    @property
    def agent_is_next(self) -> bool:
        """Within the line everything but a question goes on by itself."""
        return not self.question if self._in_line else super().agent_is_next

    def start(self, rules: Rules, players: int, seed: int | str | None, agents: Agents) -> None:
        self._line = ()
        super().start(rules, players, seed, agents)

    def person_to_show(self) -> int:
        return self._walk.seat if self._in_line else super().person_to_show()

    def restart(self) -> None:
        super().restart()
        if self._line:
            self._go_to_question()

    def act(self, action: Action | str) -> Refusal | None:
        if not self._in_line:
            return super().act(action)
        if not self.question:
            return NotYet()
        try:
            move = read_action(self.state, action) if isinstance(action, str) else action
        except IllegalActionError as unread:
            return unread.why
        why = self.state.why_not(move)
        if why is None and move != self._line[self.history.step]:
            why = AnotherMove(number(move))
        return why or self.show_answer()

    def show_answer(self) -> Refusal | None:
        """Plays what was asked for."""
        if self.question:
            self.history.play(self._line[self.history.step])
            self._go_to_question()
        return None

    def story(self, seats: Sequence[int], lang: str, see: Callable[[Event], Event]) -> list[str]:
        """Within the line what the last action caused; each comment has its own step."""
        inside = self.comment or self._in_line
        return super().story([] if inside else seats, lang, see)

    def run_agents(self) -> Refusal | None:
        """One step on in the line; after it, as usual."""
        if self._in_line and not self.question:
            self.history.forward()
            return None
        return None if self._in_line else super().run_agents()
