"""The table: a whole match to play with buttons, by typing, or from a cell."""

from collections.abc import Callable, Sequence
from typing import Any

from ipywidgets import HTML, Button, VBox

from ninety_nine_kit.card import Card
from ninety_nine_kit.dealing import deal
from ninety_nine_kit.events import NotYourTurn, Refusal, WrongNumber
from ninety_nine_kit.game import Action, Announce, Bid, Give, History, NextDeal, Phase, Play, State
from ninety_nine_kit.narration import narrate, translator
from ninety_nine_kit.rules import Rules, TrickRules
from ninety_nine_kit.show import blocks, sheet_grid, spelled, todo
from ninety_nine_kit.show.blocks import Block, html_grid
from ninety_nine_kit.teaching.walkthrough import Walkthrough
from ninety_nine_kit.widgets.board import board, option_label
from ninety_nine_kit.widgets.controls import COMMANDS, OPTIONS, PEOPLE, Controls, update
from ninety_nine_kit.widgets.guided import Guided
from ninety_nine_kit.widgets.hand import Hand
from ninety_nine_kit.widgets.keeping import KeptSession, NotChosen
from ninety_nine_kit.widgets.panel import Panel
from ninety_nine_kit.widgets.session import Agents, Session
from ninety_nine_kit.widgets.sharing import Sharing


class Table(Panel):
    """A table at which people and agents play; show it by naming it at the end of a cell.

    `start`: rules (dealt with `players` and `seed`), a state, a `History`, or a prepared deal. `agents`: by seat, one
    for all seats but the first, or None for people only; an agent is a function or the name of one. `view`: whose hand
    is shown: "actor" (the person to act), a seat, "spectator" or "everyone". `names` by seat. `large` is for a
    projector. Under a `name` the game is kept in `games/NAME.json`, and can be gone on with after the kernel has ended.

    `print(table)` tells in words what it shows. A refused action changes nothing and is explained at the table.
    """

    captions = False
    #: Whether the button for an effect says which total it makes.
    tells_totals = True

    def __init__(
        self,
        start: Rules | State | History | Walkthrough,
        players: int | None = None,
        seed: int | str | None = None,
        *,
        agents: Agents = "simple",
        names: Sequence[str] = (),
        name: str = "",
        view: str | int = "actor",
        lang: str = "en",
        large: bool = False,
    ) -> None:
        if isinstance(start, Walkthrough):
            self.session: Session = Guided(start, agents, names, name)
        else:
            start = start if isinstance(start, State | History) else deal(start, players or 3, seed)
            self.session = KeptSession(start, agents, names, name) if name else Session(start, agents, names)
        self.sharing = Sharing(lambda: self.history, self._load, self._draw, self._clicked)
        self._forget()
        self._held: int | None = None
        self._covered = False
        self._board, self._sheet = HTML(), HTML()
        self.controls = Controls(self.press, self._submit, self._clicked, self.sharing.box)
        self.hand = Hand(self._click_card, self._clicked)
        felt = VBox([self._board, self.hand, *self._below_hand()])
        felt.add_class("nn-felt")
        self._sheet.add_class("nn-sheet")
        super().__init__([felt, *self.controls.rows, self._sheet], [*COMMANDS, *OPTIONS])
        self.controls.choose(lang=lang)
        self._label()
        others = agents if isinstance(agents, str) else PEOPLE if agents is None else ""
        self.controls.choose(view=view, others=others, size="nn-large" if large else "")
        self._set_look()
        self._listen()
        self._draw()

    # What a person or a cell can do

    @property
    def history(self) -> History:
        return self.session.history

    @property
    def state(self) -> State:
        return self.session.state

    @property
    def cards(self) -> tuple[Button, ...]:
        """The buttons of the hand; those without a card are hidden."""
        return self.hand.buttons

    def play(self, action: Action | str) -> None:
        """Plays for the seat to act, then lets the agents play. An illegal action is explained at the table."""
        self._act(action)

    def back(self) -> None:
        """One step back."""
        self.go(max(self.history.step - 1, 0))

    def forward(self) -> None:
        """One step forward."""
        self.go(min(self.history.step + 1, len(self.history.actions)))

    def go(self, step: int) -> None:
        """To any step; agents do not move."""
        self.history.go(step)
        self._forget()
        self._draw()

    def restart(self) -> None:
        self._put_on(self.session.restart)
        self._fall_silent()
        self._draw()

    def buttons(self) -> list[Button]:
        commands = [self.controls.commands[command] for command in self._commands]
        moves = [self.controls.back, self.controls.forward, self.controls.deal]
        return [*self.hand.shown(), *commands, *moves, *self.sharing.open_buttons()]

    def press(self, command: str) -> None:
        """What the buttons other than cards do."""
        match command:
            case "back":
                self.back()
            case "forward":
                self.forward()
            case "bid":
                self._act(Bid(self._picked))
            case "next":
                self._act(NextDeal())
            case "go":
                self._go_on()
            case "answer":
                self._do(self.session.show_answer)
            case "show":
                self._covered = False
                self._draw()
            case "resume" | "anew":
                self._put_on(lambda: self.session.choose(command))
                self._draw()
            case "deal" | "new":
                self._new_game(command)
            case option:
                self._act(self._options[OPTIONS.index(option)])

    # How it is done

    @property
    def lang(self) -> str:
        lang: str = self.controls.lang.value
        return lang

    def _below_hand(self) -> list[Any]:
        return [self.controls.choices]

    def _act(self, action: Action | str) -> bool:
        return self._do(lambda: self.session.act(action))

    def _go_on(self) -> None:
        """Agents act until a person must; where only agents play, one action."""
        self._do(self.session.run_agents if self.session.people else self.session.ask_agent)

    def _do(self, something: Callable[[], Refusal | None]) -> bool:
        """Does it and draws what came of it. Where nothing came of it, the choices of the person stay as they are."""
        before, refused = self.state, something()
        if self.state is not before or not refused:
            self._forget()
        self._say(narrate(refused, self.lang, self.session.names) if refused else "")
        return not refused

    def _submit(self, typed: str) -> None:
        """A refused text stays in the box, so that it can be mended."""
        if wait := self._wait():
            self._say(wait)
        elif typed.strip() and self._act(typed):
            self.controls.action.value = ""
        self._talk()

    def _wait(self) -> str:
        """Why nobody can act from the hand that is shown, "" if somebody can; a hidden hand must not be tried out."""
        say, state, names = translator(self.lang), self.state, self.session.names
        if self.session.offer(self.lang):
            return narrate(NotChosen(), self.lang)
        if self._covered:
            return say("Pass to {seat}, then show the hand.").format(seat=names[self._held or 0])
        if self.session.agent_is_next:
            return say("{seat} is next: press “Go on”.").format(seat=names[state.to_act or 0])
        if self.controls.view.value == "spectator":
            return say("A spectator cannot play. Choose another view.")
        if state.to_act not in (None, self._held) and state.phase is not Phase.DEAL_OVER:
            return narrate(NotYourTurn(state.to_act or 0), self.lang, names)
        return ""

    def _say(self, notice: str) -> None:
        self._notice = notice
        self._draw()

    def _forget(self) -> None:
        """What belonged to the step before."""
        self._notice = self.sharing.message = ""
        self._picked: tuple[Card, ...] = ()
        self._options: tuple[Action, ...] = ()

    def _new_game(self, command: str) -> None:
        """From the menus, or (at the end of a match) the same game with other cards."""
        controls, rules, players, seed = self.controls, self.state.rules, self.state.players, None
        if command == "deal":
            rules, players = controls.game_rules(), controls.players.value
            seed = controls.seed.value.strip() or None
        others = controls.others.value
        agents: Agents = None if others == PEOPLE else others or self.session.agents_for(players)
        self._put_on(lambda: self.session.start(rules, players, seed, agents))
        self._do(self.session.run_agents)

    def _load(self, history: History) -> None:
        """A game from outside takes the place of the one on the table."""
        self._put_on(lambda: self.session.load(history))
        self._draw()

    def _put_on(self, change: Callable[[], object]) -> None:
        """Changes all that is on the table."""
        change()
        self._held, self._covered = None, False
        self._clear_options()
        self._forget()
        self._label()

    def _click_card(self, button: Button) -> None:
        card, wait = self.hand.card(button), self._wait()
        if wait:
            self._say(wait)
        elif self.state.phase is Phase.BID:
            self._pick(card)
        elif self.state.phase is Phase.GIVE:
            self._act(Give(card))
        else:
            self._choose(card)

    def _pick(self, card: Card) -> None:
        needed = getattr(self.state.rules, "bid_cards", 0)
        if card in self._picked:
            self._picked = tuple(other for other in self._picked if other != card)
        elif len(self._picked) == needed:
            return self._say(narrate(WrongNumber(needed, needed + 1), self.lang, self.session.names))
        else:
            self._picked += (card,)
        self._say("")

    def _choose(self, card: Card) -> None:
        """Plays the card, or asks first what it shall do; a second click on it closes the question."""
        plays = self.state.ways(card) if self.state.phase is Phase.PLAY else (Play((card,)),)
        legal = [play for play in plays if self.state.why_not(play) is None]
        if len(plays) == 1 or not legal:
            self._act(plays[0])
        else:
            self._options = () if self._options == plays else plays[: len(OPTIONS)]
            self._say("")

    # Drawing

    def _label(self) -> None:
        """Everything that depends on the language or the rules only."""
        self.controls.label(self.lang, self.state.rules, self.state.players, self.session.names)
        self.sharing.label(self.lang)
        self.hand.make_room(self.state.rules.hand_size)

    def _listen(self) -> None:
        self.controls.listen(step=self._step_chosen, view=self._view_chosen, lang=self._lang_chosen)
        self.controls.listen(colours=self._set_look, size=self._set_look)

    def _step_chosen(self, step: int) -> None:
        if step != self.history.step:
            self.go(step)

    def _view_chosen(self, _: object) -> None:
        """What was told for one view is not for another."""
        self._covered = False
        self._forget()
        self._clear_options()
        self._draw()

    def _clear_options(self) -> None:
        """A hidden button may name cards of a hand that is hidden now."""
        self._options = ()
        self.controls.clear(OPTIONS)

    def _lang_chosen(self, lang: str) -> None:
        self._label()
        self._draw()

    def _set_look(self, _: object = None) -> None:
        update(self, _dom_classes=("nn-table", *self.controls.looks()))

    def _seat_to_show(self) -> int:
        """Whose hand stands below the board."""
        kind = self.controls.view.value
        if isinstance(kind, int):
            return kind
        return self.session.person_to_show() if kind == "actor" else self.state.to_act or 0

    def _view(self) -> State:
        """The state as this table may show it."""
        viewer = self._viewer()
        return self.state if viewer == "everyone" else self.state.seen_by(viewer)

    def _viewer(self) -> Any:
        """Whose eyes the table shows: "everyone", a seat, or None for a spectator and behind a cover."""
        kind = self.controls.view.value
        return kind if kind == "everyone" else None if kind == "spectator" or self._covered else self._held

    def _draw(self) -> None:
        seat, several = self._seat_to_show(), len(self.session.people) > 1
        if self._held not in (None, seat):
            over = self.state.phase in (Phase.DEAL_OVER, Phase.MATCH_OVER)
            self._covered = several and self.controls.view.value == "actor" and not over
            self._clear_options()
        self._held = seat
        view, say = self._view(), translator(self.lang)
        self._commands = [*([] if self.session.offer(self.lang) else self._find_commands(say)), *self.session.offers]
        story, prompt = self._story(), self._prompt(view)
        comment = self.session.comment(self._viewer(), self.lang)
        self.hand.fill(view, seat, self._picked, self.lang)
        drawn = board(
            view,
            self.lang,
            self.session.names,
            marks=self.session.marks(self.lang),
            held=seat,
            story=story,
            comment=comment,
            notice=self._notice,
            prompt=prompt,
            commands=self._commands,
        )
        update(self._board, value=drawn)
        total = len(self.history.actions)
        described = say("Step (of {total})").format(total=total)
        update(self.controls.step, max=total, value=self.history.step, description=described)
        update(self._sheet, value=html_grid(sheet_grid(view, self.lang, self.session.names)) if view.sheet else "")
        self.sharing.show()
        self._tell([*story, comment, self.sharing.message], self._notice or prompt)

    def _find_commands(self, say: Any) -> list[str]:
        """The names of the buttons that can be pressed now; options get their labels here."""
        state, phase = self.state, self.state.phase
        if phase is Phase.MATCH_OVER:
            return ["new"]
        if self._covered or self.session.agent_is_next:
            return ["show"] if self._covered else ["go"]
        if phase is Phase.DEAL_OVER:
            return ["next"]
        if self._wait():
            return []
        if phase in (Phase.BID, Phase.ANNOUNCE):  # labelled while bidding already, which keeps “Lay aside” quick
            self._options = (Announce(None), *map(Announce, getattr(state.rules, "premiums", ())))
        named = OPTIONS[: len(self._options)]
        for name, option in zip(named, self._options, strict=True):
            legal = phase is Phase.BID or state.why_not(option) is None
            update(self.controls.commands[name], description=option_label(state, option, legal, say, self.tells_totals))
        asked = bool(self.session.question(self._viewer(), self.lang))
        return [*(["bid"] if phase is Phase.BID else named), *["answer"] * asked]

    def _prompt(self, view: State) -> str:
        say, wait, offer = translator(self.lang), self._wait(), self.session.offer(self.lang)
        if offer or self._covered or self.session.agent_is_next:
            return offer or wait
        question, told = self.session.question(self._viewer(), self.lang), ""
        if isinstance(view.rules, TrickRules) and self._picked and not wait:
            told = say("Your bid so far: {sum}").format(sum=spelled(view.rules, self._picked))
        elif self._options and view.phase is Phase.PLAY:
            told = say("What shall the card do?")
        return " ".join(filter(None, [question, told])) or todo(view, say, self.session.names)

    def _story(self) -> list[str]:
        """All that happened since the last action of the person whose hand is shown, as the view may know it."""
        kind = self.controls.view.value
        watched = self.session.people if kind in ("spectator", "everyone") or self._held is None else [self._held]
        return self.session.story(watched, self.lang, self._viewer())

    def _focus_on_from(self, button: Button | None) -> None:
        if button in self.buttons():
            return
        nearest, mine = self.hand.nearest_open(button), self.state.to_act == self._held and not self._wait()
        if nearest and mine and self.state.phase in (Phase.BID, Phase.PLAY, Phase.GIVE):
            nearest.focus()
        else:
            [*(self.controls.commands[name] for name in self._commands), self.controls.action][0].focus()

    def blocks(self) -> list[Block]:
        """The view, and what stands on the table besides: the story, what was refused, the question, the buttons."""
        view, say, names = self._view(), translator(self.lang), self.session.names
        prompt, buttons = self._prompt(view), [self.controls.commands[name].description for name in self._commands]
        head, *shown = blocks(view, self.lang, names)
        told = [*self._story(), self.session.comment(self._viewer(), self.lang)]
        told += [f"⊘ {self._notice}" if self._notice else "", prompt if prompt != todo(view, say, names) else ""]
        told += [say("Buttons: {buttons}").format(buttons=" | ".join(buttons)) if buttons else ""]
        return [block for block in (head, *self.session.marks(self.lang), *shown, *told) if block]
