"""Questions made by the engine, one after another, with the reason after each answer."""

from collections.abc import Sequence

from ipywidgets import HTML, Button, Dropdown, HBox, VBox

from ninety_nine_kit.card import listed
from ninety_nine_kit.events import N_
from ninety_nine_kit.narration import card_words, narrate, translator
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.show.blocks import Block, Grid, blocks_text, html_grid, tag
from ninety_nine_kit.teaching.questions import KINDS, WrongAnswer, check_kind, kinds_for, question
from ninety_nine_kit.widgets.board import face
from ninety_nine_kit.widgets.controls import TextBox, labelled, make_buttons, row, update
from ninety_nine_kit.widgets.hand import GONE, PICKED
from ninety_nine_kit.widgets.panel import Panel
from ninety_nine_kit.widgets.style import card_classes

COMMANDS = {"check": N_("Check"), "show": N_("Show the answer"), "next": N_("Next question")}


class Quiz(Panel):
    """Questions about rules without end: `seed` and the number of the question make it, so that a class has the same.

    `kinds` are names of `teaching.questions.KINDS`; all that fit the rules if none are given. An answer is a click on a
    card, or it is typed: `quiz.answer("54")`. The first answer to each question counts.
    """

    def __init__(
        self, rules: Rules, kinds: Sequence[str] = (), seed: int | str = 99, *, lang: str = "en", large: bool = False
    ) -> None:
        kinds = [kinds] if isinstance(kinds, str) else list(kinds) or list(kinds_for(rules))
        for kind in kinds or [""]:
            check_kind(kind, rules)
        self.rules, self.seed, self.lang = rules, seed, lang
        say = translator(lang)
        self._board = HTML()
        self.cards = make_buttons(max(12, rules.hand_size), self._click_card, self._clicked)
        buttons = make_buttons(len(COMMANDS), self._click, self._clicked)
        self.commands = dict(zip(COMMANDS, buttons, strict=True))
        for name, button in self.commands.items():
            update(button, description=say(COMMANDS[name]), _dom_classes=("nn-choice", f"nn-is-{name}"))
        self.typed = TextBox("18em", self._submit, description=say("Your answer"))
        every = [(say("all kinds"), tuple(kinds))] * (len(kinds) > 1)
        titles = [*every, *((say(KINDS[kind].title), (kind,)) for kind in kinds)]
        self.kinds = labelled(Dropdown, options=titles, description=say("Questions"))
        self.kinds.observe(lambda _: self.next(), "value")
        hand, choices = HBox(self.cards), HBox([self.typed, *buttons])
        hand.add_class("nn-hand")
        choices.add_class("nn-choices")
        felt = VBox([self._board, hand, choices])
        felt.add_class("nn-felt")
        super().__init__([felt, row(self.kinds)], list(COMMANDS), large)
        self.restart()

    def restart(self) -> None:
        self._fall_silent()
        self.number = self.asked = self.right = 0
        self.kinds.value = self.kinds.options[0][1]
        self.number = 0  # the menu asks the next question when it changes
        self._ask()

    def answer(self, given: str | int) -> None:
        """Checks an answer; one that is no number or no card is refused in words, and does not count."""
        if self.done:
            return
        wrong = self.question.judge(str(given).strip())
        if wrong and not isinstance(wrong, WrongAnswer):
            self._reaction = f"⊘ {narrate(wrong, self.lang)}"
            self._draw()
            return
        say = translator(self.lang)
        self.asked, self.right = self.asked + 1, self.right + (wrong is None)
        self._finish(narrate(wrong, self.lang) if wrong else say("✓ Right."))

    def show_answer(self) -> None:
        """Tells the answer; the question counts as one not known."""
        if not self.done:
            say = translator(self.lang)
            self.asked += 1
            self._finish(say("The answer is {answer}.").format(answer=self.question.answer))

    def next(self) -> None:
        """The next question; one that was not answered does not count."""
        self.number += 1
        self._ask()

    def buttons(self) -> list[Button]:
        shown = [button for button in self.cards if GONE not in button._dom_classes]
        return [*shown, *(self.commands[name] for name in self._shown())]

    def blocks(self) -> list[Block]:
        say = translator(self.lang)
        buttons = " | ".join(self.commands[name].description for name in self._shown())
        told = [*self._told(), say("Buttons: {buttons}").format(buttons=buttons)]
        return [self._heading(), *self._asked(), *told]

    def _asked(self) -> list[Block]:
        """The question, with what there is to look at."""
        say, asked = translator(self.lang), self.question
        cards = [say("Cards: {cards}").format(cards=listed(asked.cards))] * bool(asked.cards)
        return [*asked.shown, *cards, asked.ask]

    def _ask(self) -> None:
        kinds = self.kinds.value
        kind = kinds[self.number % len(kinds)]
        self.question = question(kind, self.rules, f"{self.seed}/{self.number}", self.lang)
        self.done, self._reaction = False, ""
        self._picked: frozenset[int] = frozenset()
        self.typed.value = ""
        self._draw()

    def _finish(self, reaction: str) -> None:
        self.done, self._reaction = True, reaction
        self._draw()

    def _click_card(self, button: Button) -> None:
        if self.done:
            return
        place = self.cards.index(button)
        if self.question.takes == "card":
            self.answer(button.description)
        else:
            self._picked ^= {place}
            self._reaction = ""
            self._draw()

    def _click(self, button: Button) -> None:
        match list(COMMANDS)[list(self.commands.values()).index(button)]:
            case "check":
                self.answer(self._chosen() or self.typed.value)
            case "show":
                self.show_answer()
            case _:
                self.next()

    def _chosen(self) -> str:
        return listed([self.question.cards[place] for place in sorted(self._picked)])

    def _submit(self, typed: str) -> None:
        """Enter in the box; the next Enter there asks the next question."""
        if self.done:
            self.next()
        else:
            self.answer(typed)
        self._talk()

    def _focus_on_from(self, button: Button | None) -> None:
        """After an answer on to the next question; after that to where the answer goes."""
        if self.done:
            self.commands["next"].focus()
        elif button is self.commands["next"]:
            (self.typed if self._is_typed() else self.cards[0]).focus()

    def _is_typed(self) -> bool:
        return self.question.takes == "number"

    def _shown(self) -> list[str]:
        """The commands that can be pressed now."""
        if self.done:
            return ["next"]
        return ["check"] * (self.question.takes != "card") + ["show", "next"]

    def _heading(self) -> str:
        say = translator(self.lang)
        told = say("Question {number} · right: {right} of {asked}")
        return told.format(number=self.number + 1, right=self.right, asked=self.asked)

    def _told(self) -> list[str]:
        """What came of the last answer."""
        return [self._reaction] * bool(self._reaction) + [self.question.reason] * self.done

    def _draw(self) -> None:
        asked = self.question
        for place, button in enumerate(self.cards):
            if place >= len(asked.cards) or self._is_typed():
                update(button, description="…", tooltip=None, _dom_classes=("nn-card", GONE))
                continue
            card = asked.cards[place]
            classes = (*card_classes(card), *[PICKED] * (place in self._picked))
            update(button, description=str(card), tooltip=card_words(card, self.lang), _dom_classes=classes)
        update(self._board, value=self._html())
        chosen = translator(self.lang)("Chosen: {cards}").format(cards=self._chosen() or "–")
        question = " ".join(blocks_text(self._asked()).split())
        self._tell([question], " ".join(self._told()) or chosen * (asked.takes == "cards"))

    def _html(self) -> str:
        asked = self.question
        parts = [tag("div", self._heading(), class_="nn-head")]
        parts += [tag("div", html_grid(b) if isinstance(b, Grid) else b, class_="nn-facts") for b in asked.shown]
        if self._is_typed() and asked.cards:
            parts.append(tag("div", *map(face, asked.cards), class_="nn-faces"))
        parts.append(tag("div", asked.ask, class_="nn-todo"))
        told = [tag("p", line, class_="nn-no-way" if line[0] == "⊘" else "") for line in self._told()]
        parts += [tag("div", *told, class_="nn-story")] * bool(told)
        return tag("div", *parts, class_="nn-board", data_show=" ".join(self._shown()))
