"""Who sits at a table and how its game goes on; nothing here draws."""

from collections.abc import Mapping, Sequence
from typing import Any

from ninety_nine_kit.agents import Agent, ask, find_agents
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.dealing import deal
from ninety_nine_kit.events import N_, Refusal
from ninety_nine_kit.game import Action, History, IllegalActionError, NextDeal, Phase, State
from ninety_nine_kit.narration import narrate, seat_name, translator
from ninety_nine_kit.rules import Rules

#: By seat, or one for all seats but the first, or None for people only.
Agents = Mapping[int, str | Agent] | Sequence[str | Agent] | str | Agent | None

FIRST_LINES, LAST_LINES = 6, 24


class AgentFailed(Refusal):
    """An agent raised an error, or chose what is not legal; why not stays untold, since it may name hidden cards."""

    seat: int
    problem: str
    english = N_("The agent of {seat} failed: {problem}")


class Session:
    """A history, the agents at its seats, and the names of all seats."""

    def __init__(self, start: State | History, agents: Agents, names: Sequence[str]) -> None:
        self.history = start if isinstance(start, History) else History(start)
        if self.state.is_view:
            raise Mistake("a table needs the whole state, not a view of it")
        self._given_names = self.history.names = tuple(names) or self.history.names
        history = self.history
        self._opened = [*history.states], [*history.actions], history.step, agents, self._given_names
        self.seat_agents(agents)

    @property
    def state(self) -> State:
        return self.history.state

    @property
    def names(self) -> list[str]:
        """The names given, and letters for the seats after them."""
        return [seat_name(seat, self._given_names) for seat in range(self.state.players)]

    def marks(self, lang: str) -> list[str]:
        """What else is to be known of the game: what to say for the same cards, where they were dealt."""
        say, dealt = translator(lang), self.history.states[0].events
        return [say("deal number {seed}").format(seed=self.state.seed)] if dealt else []

    @property
    def offers(self) -> list[str]:
        """Commands by which a person says what becomes of a game that is kept on disk."""
        return []

    def offer(self, lang: str) -> str:
        """The question that the offers answer; nothing else can be done before, where there is one."""
        return ""

    def choose(self, command: str) -> None:
        """One of the offers."""

    @property
    def people(self) -> list[int]:
        """The seats that no agent plays."""
        return [seat for seat in range(self.state.players) if seat not in self.agents]

    def comment(self, viewer: object, lang: str) -> str:
        """What a prepared deal has to say of the present step to a seat, or to "everyone"."""
        return ""

    def question(self, viewer: object, lang: str) -> str:
        """The same where the learner is to find the next move."""
        return ""

    def refuses(self, action: Action) -> Refusal | None:
        """Why the action cannot be done now."""
        return self.state.why_not(action)

    @property
    def agent_is_next(self) -> bool:
        """Whether an agent is to act. The next deal is a person's where there is one, whoever deals."""
        return self.state.to_act in self.agents and not (self.people and self.state.phase is Phase.DEAL_OVER)

    def seat_agents(self, agents: Agents) -> None:
        players = self.state.players
        if agents is None or isinstance(agents, str) or callable(agents):
            agents = {} if agents is None else dict.fromkeys(range(1, players), agents)
        self.agents = find_agents(agents, players)

    def agents_for(self, players: int) -> Agents:
        """Those of now; seats that are new get the computer, where it plays at all."""
        kept = {seat: agent for seat, agent in self.agents.items() if seat < players}
        return kept and kept | dict.fromkeys(range(self.state.players, players), "simple")

    def start(self, rules: Rules, players: int, seed: int | str | None, agents: Agents) -> None:
        """A new match with these agents."""
        self.history = History(deal(rules, players, seed), self._given_names)
        self.seat_agents(agents)

    def load(self, history: History) -> None:
        """A game from outside; its names, where it has any, are those of the seats from now on."""
        agents = self.agents_for(history.state.players)
        self.history, self._given_names = history, history.names or self._given_names
        history.names = self._given_names
        self.seat_agents(agents)

    def restart(self) -> None:
        """All is as it was at the opening."""
        states, actions, step, agents, self._given_names = self._opened
        self.history = History(states[0], self._given_names)
        self.history.states[:], self.history.actions[:] = states, actions
        self.history.go(step)
        self.seat_agents(agents)

    def act(self, action: Action | str) -> Refusal | None:
        """A person's action, then the agents'; what was refused comes back."""
        try:
            self.history.play(action)
        except IllegalActionError as refused:
            return refused.why
        self.played()
        return self.run_agents()

    def played(self) -> None:
        """After each action, whoever made it."""

    def run_agents(self) -> Refusal | None:
        """Agents act until a person must. The first failure of one ends it, and comes back."""
        while self.people and self.agent_is_next:
            refused = self.ask_agent()
            if refused:
                return refused
        return None

    def ask_agent(self) -> Refusal | None:
        """One action of the agent to act. Whatever goes wrong in it is told at the table and loses nothing."""
        seat = self.state.to_act
        assert seat is not None
        try:
            self.history.play(ask(self.agents[seat], self.state, self.history.step))
        except IllegalActionError as refused:
            return AgentFailed(seat, f"“{refused.action}” ⊘")
        except Exception as wrong:
            return AgentFailed(seat, f"{type(wrong).__name__}: {wrong}")
        self.played()
        return None

    def person_to_show(self) -> int:
        """The person to act, or who acted last; where only agents play, the seat to act."""
        to_act, people = self.state.to_act, self.people
        if not people or to_act in people:
            return to_act or 0
        actors = [state.to_act for state in self.history.states[: self.history.step]]
        return next((seat for seat in reversed(actors) if seat in people), people[0])

    def show_answer(self) -> Refusal | None:
        """Plays the move that is asked for, where one is."""
        return None

    def story(self, seats: Sequence[int], lang: str, viewer: Any) -> list[str]:
        """What happened in this deal in and since the last action of one of these seats, as the viewer may know it (a
        seat, "everyone", or None for a spectator); of the last action only where there are no such seats. If it is
        long, its first and last lines."""
        states, step = self.history.states[: self.history.step + 1], self.history.step
        deals = [isinstance(action, NextDeal) for action in self.history.actions[:step]]
        acted = [place for place in range(step) if states[place].to_act in seats or deals[place]]
        first = acted[-1] + 1 if acted else 0 if seats else step
        events = [event for state in states[first:] for event in state.events]
        seen = events if viewer == "everyone" else [event.seen_by(viewer) for event in events]
        told = [narrate(event, lang, self.names) for event in seen]
        return told if len(told) <= FIRST_LINES + LAST_LINES else [*told[:FIRST_LINES], "…", *told[-LAST_LINES:]]
