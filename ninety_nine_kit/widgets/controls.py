"""The parts of the table that a person presses, made once; the table fills and labels them."""

from collections.abc import Callable, Sequence
from typing import Any

from ipywidgets import HTML, BoundedIntText, Button, ButtonStyle, Dropdown, HBox, Layout, Text, ToggleButton, jsdlink

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import N_
from ninety_nine_kit.narration import languages, translator
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.show import html

#: Buttons that say what may be chosen: an effect with its result, a premium.
OPTIONS = tuple(f"option-{place}" for place in range(12))
#: The other buttons below the hand, with labels that stay.
COMMANDS = {
    "bid": N_("Lay aside"),
    "next": N_("Next deal"),
    "go": N_("Go on"),
    "answer": N_("Show the answer"),
    "show": N_("Show the hand"),
    "new": N_("Play again"),
    "resume": N_("Go on with the kept game"),
    "anew": N_("Start anew"),
}
#: What opens below the table.
PANELS = (N_("New game"), N_("View"), N_("Keep and share"), N_("Rules of this game"))
PLAYERS = {"simple": N_("computer"), "random": N_("computer, any card"), "first": N_("computer, first card")}
VIEWS = {"actor": N_("player to act"), "spectator": N_("spectator"), "everyone": N_("everyone (teacher)")}
PEOPLE = "people"
Press = Callable[[Button], None]


def update(widget: Any, **traits: Any) -> None:
    """Changes what differs, in one message."""
    with widget.hold_sync():
        for name, value in traits.items():
            if getattr(widget, name) != value:
                setattr(widget, name, value)


def make_buttons(count: int, click: Press, clicked: Press) -> tuple[Button, ...]:
    """Buttons that share one layout and style, so that a table is quick to open. `click` is called for every click,
    then `clicked` only for one in the browser: a cell that presses a button must not move the reader's focus."""
    layout, style = Layout(), ButtonStyle()
    buttons = tuple(Button(layout=layout, style=style) for _ in range(count))
    for button in buttons:
        button.on_click(click)
        button.on_msg(lambda button, content, _: clicked(button) if content.get("event") == "click" else None)
    return buttons


def labelled(kind: Any, width: str = "auto", **traits: Any) -> Any:
    """A control with room for its whole label."""
    return kind(style={"description_width": "initial"}, layout=Layout(width=width), **traits)


class TextBox(Text):
    """A box to type in; `submit` gets the text when Enter is pressed.

    The browser sends the text when the box is left, before a click elsewhere, or on Enter, but then after the Enter. So
    Enter sends a question back, which the browser answers after the text; two properties of layouts that nobody uses
    carry it.
    """

    def __init__(self, width: str, submit: Callable[[str], object], **traits: Any) -> None:
        style = {"description_width": "initial"}
        super().__init__(style=style, layout=Layout(width=width), continuous_update=False, **traits)
        self.question, self.answer, self._asked = Layout(), Layout(), 0
        jsdlink((self.question, "order"), (self.answer, "order"))
        self.on_msg(lambda _, content, __: self._ask() if content.get("event") == "submit" else None)
        self.answer.observe(lambda change: submit(self.value) if change.new == str(self._asked) else None, "order")

    def _ask(self) -> None:
        self._asked += 1
        self.question.order = str(self._asked)


class Controls:
    """Every control of a table but its hand. `rows` are the lines below the felt, `choices` the one in it."""

    def __init__(self, press: Callable[[str], None], submit: Callable[[str], None], clicked: Press, share: Any) -> None:
        names = (*COMMANDS, *OPTIONS)
        buttons = make_buttons(len(names), lambda button: press(names[buttons.index(button)]), clicked)
        self.commands = dict(zip(names, buttons, strict=True))
        for name, button in self.commands.items():
            update(button, _dom_classes=("nn-choice", f"nn-is-{name}"))
        self.clear(names)
        self.choices = HBox(sorted(self.commands.values(), key=lambda button: button is self.commands["answer"]))
        self.choices.add_class("nn-choices")
        moves = make_buttons(3, lambda button: press(("back", "forward", "deal")[moves.index(button)]), clicked)
        self.back, self.forward, self.deal = moves
        self.step = labelled(BoundedIntText, "11em", min=0, max=0)
        self.action = TextBox("23em", submit)
        self.seed = TextBox("14em", lambda _: self._deal(press, clicked))
        self.own_rules: Rules | None = None
        self.game, self.players, self.others = labelled(Dropdown), labelled(Dropdown), labelled(Dropdown)
        self.game.observe(lambda _: self._offer_players(self.game_rules()), "value")
        self.view, self.lang = labelled(Dropdown), labelled(Dropdown, options=languages())
        self.colours, self.size = labelled(Dropdown), labelled(Dropdown)
        self.rules = HTML()
        self.rules.add_class("nn-rules")
        new = row(self.game, self.players, self.seed, self.others, self.deal)
        panels = (new, row(self.view, self.lang, self.colours, self.size), share, self.rules)
        self.openers = tuple(ToggleButton(layout=Layout(width="auto")) for _ in panels)
        for opener, panel in zip(self.openers, panels, strict=True):
            panel.layout.display = "none"
            opener.observe(lambda change, p=panel: update(p.layout, display="" if change.new else "none"), "value")
        self.rows = [row(self.back, self.step, self.forward, self.action), row(*self.openers), *panels]

    def _deal(self, press: Callable[[str], None], clicked: Press) -> None:
        """Enter in the box for the deal number."""
        press("deal")
        clicked(self.deal)

    def label(self, lang: str, rules: Rules, players: int, seats: list[str]) -> None:
        """Writes every label and menu, and the page of the rules, in a language."""
        say = translator(lang)
        if rules not in PRESETS.values():
            self.own_rules = rules
        for name, text in COMMANDS.items():
            update(self.commands[name], description=say(text))
        update(self.back, description=say("Back"), tooltip=say("One step back"))
        update(self.forward, description=say("Forward"), tooltip=say("One step forward"))
        update(self.deal, description=say("New deal"), tooltip=say("Starts a new game; the game on the table is lost"))
        update(self.action, description=say("Type a move"), placeholder=say("for example Q♥ or A♥ +11"))
        update(self.seed, description=say("Deal number"), placeholder=say("any"))
        for opener, text in zip(self.openers, PANELS, strict=True):
            update(opener, description=say(text))
        games = [(say(rules.title), name) for name, rules in PRESETS.items()]
        _menu(self.game, say("Game"), [(say("the game of this table"), ""), *games] if self.own_rules else games)
        agents = [(say(text), name) for name, text in PLAYERS.items()]
        _menu(self.others, say("Other seats"), [*agents, (say("people"), PEOPLE), (say("as at the start"), "")])
        views = [(say(text), name) for name, text in VIEWS.items()]
        _menu(self.view, say("Hands seen by"), [*views, *((name, seat) for seat, name in enumerate(seats))])
        _menu(self.colours, say("Cards"), [(say("two colours"), ""), (say("four colours"), "nn-four")])
        _menu(self.size, say("Size"), [(say("normal"), ""), (say("large (projector)"), "nn-large")])
        update(self.players, description=say("Players"))
        update(self.lang, description=say("Language"))
        update(self.game, value=rules.name if rules in PRESETS.values() else "")
        self._offer_players(rules)
        update(self.players, value=players)
        update(self.rules, value=html(rules, lang))

    def clear(self, names: Sequence[str]) -> None:
        """Takes the labels from these buttons."""
        for name in names:
            update(self.commands[name], description="…")

    def choose(self, **values: Any) -> None:
        """Sets menus by name; ValueError tells what a menu offers."""
        for name, value in values.items():
            menu = getattr(self, name)
            offered = [option[1] if isinstance(option, tuple) else option for option in menu.options]
            if value not in offered:
                raise Mistake(f"no {name} {value!r}; there are: {', '.join(map(repr, offered))}")
            menu.value = value

    def listen(self, **chosen: Callable[[Any], None]) -> None:
        """Calls back with the new value of a control, by its name."""
        for name, call in chosen.items():
            getattr(self, name).observe(lambda change, call=call: call(change.new), "value")

    def game_rules(self) -> Rules:
        """The rules that the menu names."""
        return PRESETS[self.game.value] if self.game.value or not self.own_rules else self.own_rules

    def _offer_players(self, rules: Rules) -> None:
        """The numbers of players that a game allows, three where it can be."""
        menu, players = self.players, self.players.value
        if menu.options != rules.players:
            menu.options = rules.players
            menu.value = next(n for n in (players, 3, rules.players[0]) if n in rules.players)

    def looks(self) -> tuple[str, ...]:
        """The classes that the menus of colours and size call for."""
        return tuple(look for look in (self.colours.value, self.size.value) if look)


def row(*children: Any) -> HBox:
    row = HBox(list(children))
    row.add_class("nn-row")
    return row


def _menu(menu: Dropdown, description: str, options: list[tuple[str, Any]]) -> None:
    """New options; the value stays where it is still one of them."""
    value = menu.value
    if list(menu.options) != options:
        menu.options = options
        menu.value = value if value in [value for _, value in options] else options[0][1]
    update(menu, description=description)
