"""A session whose game is kept on disk after every action, and can be gone on with after the kernel has ended."""

from collections.abc import Sequence

from ninety_nine_kit.events import N_, Refusal
from ninety_nine_kit.game import Action, History, State
from ninety_nine_kit.narration import translator
from ninety_nine_kit.record import RecordError
from ninety_nine_kit.record.keep import Kept
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.widgets.session import Agents, Session


class NotChosen(Refusal):
    english = N_("First choose whether to go on with the game that is kept.")


class KeptSession(Session):
    """`offers` are the commands by which a person says what becomes of a game that is kept already."""

    def __init__(self, start: State | History, agents: Agents, names: Sequence[str], name: str) -> None:
        self._kept, self._found = Kept(name), None
        super().__init__(start, agents, names)
        self._problem: RecordError | None = None
        try:
            self._found = self._kept.load() if self._kept.claim() else None
        except RecordError as wrong:
            self._problem = wrong
            self._kept.give_up()

    @property
    def offers(self) -> list[str]:
        if self._found:
            return ["resume", "anew"]
        return ["resume"] if self._kept.is_here and not self._kept.is_mine else []

    def offer(self, lang: str) -> str:
        if not self._found:
            return ""
        say, state = translator(lang), self._found.state
        told = say("A game is kept as “{name}”: {game}, deal {deal}, step {step}. Go on with it?")
        game, step = say(state.rules.title), len(self._found.actions)
        return told.format(name=self._kept.name, game=game, deal=state.deal_number, step=step)

    def choose(self, command: str) -> None:
        self._found = None
        if command == "anew":
            return self._kept.forget()
        try:
            if not self._kept.is_mine:
                self._kept.take_over()
            if history := self._kept.load():
                super().load(history)
        except RecordError as wrong:
            self._problem = wrong

    def marks(self, lang: str) -> list[str]:
        kept = translator(lang)("kept as “{name}”").format(name=self._kept.name)
        return [*super().marks(lang), *[kept] * (self._kept.is_mine and not self._problem)]

    def comment(self, viewer: object, lang: str) -> str:
        say, kept = translator(lang), self._kept
        if self._problem:
            return say("This game is not kept. {reason}").format(reason=self._problem.tell(lang))
        if kept.is_mine:
            return ""
        if kept.is_here:
            told = say("“{name}” is open at another table, so this game is not kept. “{button}” brings it here.")
            return told.format(name=kept.name, button=say("Go on with the kept game"))
        told = say("“{name}” is open in another notebook, so this game is not kept. Give this table another name.")
        return told.format(name=kept.name)

    def act(self, action: Action | str) -> Refusal | None:
        return NotChosen() if self._found else super().act(action)

    def run_agents(self) -> Refusal | None:
        return NotChosen() if self._found else super().run_agents()

    def ask_agent(self) -> Refusal | None:
        return NotChosen() if self._found else super().ask_agent()

    def start(self, rules: Rules, players: int, seed: int | str | None, agents: Agents) -> None:
        self._found = None
        self._kept.forget()
        super().start(rules, players, seed, agents)

    def load(self, history: History) -> None:
        self._found = None
        self._kept.forget()
        super().load(history)
        self.played()

    def played(self) -> None:
        if not self._kept.is_mine:
            return
        try:
            self._kept.save(self.history)
            self._problem = None
        except RecordError as wrong:
            self._problem = wrong
