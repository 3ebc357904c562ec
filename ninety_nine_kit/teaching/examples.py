"""One small example for each reading: the same cards and the same actions under every meaning of the sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.dealing import deal, position
from ninety_nine_kit.events import (
    N_,
    Busted,
    CardsLaid,
    ChooseEffect,
    CrossedWith,
    Dealt,
    Event,
    LifeLost,
    MatchWon,
    Refusal,
)
from ninety_nine_kit.game import IllegalActionError, NextDeal, Phase, State
from ninety_nine_kit.narration import narrate, number, translator
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.readings import READINGS
from ninety_nine_kit.rules import NOTHING, AddingRules, Chart, Rules
from ninety_nine_kit.show import todo
from ninety_nine_kit.show.blocks import Grid, Say


@dataclass(frozen=True)
class Example:
    """A situation that every choice of a reading goes through; `told` puts it in words.

    It is a `position` of these `hands` and `fields`, with so many lives `lost` before by each seat; then come the
    `actions`, in notation. (`next deal` is left out where the deal goes on.) A row tells what differs between the
    choices, and always the events of the kinds in `keep`. Without hands it is a deal to each number of `players`, and
    a row tells the size of the stock.
    """

    preset: str
    told: str
    hands: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    fields: Mapping[str, Any] = NOTHING
    lost: tuple[int, ...] = ()
    keep: tuple[type[Event], ...] = ()
    players: tuple[int, ...] = ()


#: A last trick that C takes, and bids of 5, 3 and 2. With the tricks below A fails; B and C make theirs.
LAST_TRICK = ("6♣", "7♣", "9♣")
BIDS_5_3_2 = {"bids": ("6♦ 6♥ J♣", "7♦ 8♦ K♣", "9♦ 10♦ 7♥"), "won": (4, 3, 1)}
#: Hands with which A cannot stay at 99.
STUCK = ("5♣ 7♦ Q♠", "10♥ 2♣ 3♦", "4♠ 6♥ 8♦")
STUCK_ES = ("4♦ 9♥ 9♣", "10♥ 2♣ 3♦", "5♠ 6♥ 8♦")

#: The example of each reading, by the reading's name.
EXAMPLES: Chart[str, Example] = Chart(
    {
        "failed premium": Example(
            "tricks-ru",
            N_("A declared a bid of 5. C takes the last trick, so A has only 4."),
            LAST_TRICK,
            LAST_TRICK,
            {**BIDS_5_3_2, "premium": (0, "declare")},
        ),
        "match": Example(
            "tricks-ru",
            N_("A and B have won one game each. A wins the third game."),
            ("9♣", "7♣", "6♣"),
            ("9♣", "7♣", "6♣"),
            {**BIDS_5_3_2, "scores": (95, 60, 50), "games_won": (1, 1, 0), "game_number": 3},
        ),
        "trump": Example(
            "tricks-ru",
            N_("B and C made their bids, A did not. Then the next deal begins."),
            LAST_TRICK,
            (*LAST_TRICK, "next deal"),
            BIDS_5_3_2,
        ),
        "reveal": Example(
            "tricks-fr",
            N_("A revealed a bid of 9 and takes all nine tricks."),
            ("A♥", "6♥", "7♥"),
            ("A♥", "6♥", "7♥"),
            {"bids": ("6♣ 7♣ 8♣", "6♦ 7♦ 6♠", "8♦ 9♦ 7♠"), "won": (8, 0, 0), "premium": (0, "reveal")},
        ),
        "nine": Example(
            "adding-ru",
            N_("The total is 47. A lays the 9♥."),
            ("9♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ J♣"),
            ("9♥",),
            {"total": 47},
        ),
        "first total": Example(
            "adding-ru",
            N_("A begins the game and lays the 7♥."),
            ("7♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 9♦ J♣"),
            ("7♥",),
        ),
        "reverse card": Example(
            "adding-ru",
            N_("The total is 33. A lays the 8♥."),
            ("8♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ J♣"),
            ("8♥",),
            {"total": 33},
        ),
        "king": Example(
            "adding-ru",
            N_("The total is 47. A lays the K♥."),
            ("K♥ 2♣ 5♦", "4♦ 6♣ 8♠", "3♠ 7♦ J♣"),
            ("K♥",),
            {"total": 47},
        ),
        "after a loss": Example(
            "adding-ru",
            N_("The total is 99. A has no safe card, lays the Q♠ and is out."),
            STUCK,
            ("Q♠", "next deal"),
            {"total": 99},
        ),
        "going over": Example(
            "adding-ru",
            N_("The total is 96. A could lay the 2♣, but wants to lay the 7♥."),
            ("7♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ J♣"),
            ("7♥",),
            {"total": 96},
            keep=(Busted, LifeLost),
        ),
        "below zero": Example(
            "adding-ru",
            N_("The total is 5. A lays the 10♥ to take ten off."),
            ("10♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ J♣"),
            ("10♥ -10",),
            {"total": 5},
        ),
        "pot": Example(
            "adding-ru",
            N_("Two people play. The total is 93. A lays the 6♥, which makes 99. B has no safe card and is out."),
            ("6♥ 2♣ 3♦", "5♣ 7♦ Q♠"),
            ("6♥", "Q♠"),
            {"total": 93},
            keep=(MatchWon,),
        ),
        "objective": Example(
            "paranoia-ru",
            N_("It is the last round. A has 4 points, B has 3, C has 0. The total is 95. A lays the J♦."),
            ("J♦ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("J♦",),
            {"total": 95, "deal_number": 3, "scores": (4, 3, 0)},
        ),
        "falling total": Example(
            "paranoia-ru",
            N_("The total is 40. A lays the 10♥ to take ten off."),
            ("10♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ J♣"),
            ("10♥ -10",),
            {"total": 40},
            keep=(CardsLaid,),
        ),
        "court crossing": Example(
            "paranoia-ru",
            N_("The total is 95. A lays the J♦ and ends the round."),
            ("J♦ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("J♦",),
            {"total": 95},
            keep=(CrossedWith,),
        ),
        "court suits": Example(
            "paranoia-ru",
            N_("The total is 95. A lays the J♦, which costs nothing in hand, and ends the round."),
            ("J♦ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("J♦",),
            {"total": 95},
        ),
        "two kings": Example(
            "paranoia-ru",
            N_("The total is 40. A lays two kings."),
            ("K♣ K♥ 5♦", "3♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("K♣ K♥",),
            {"total": 40},
            keep=(CardsLaid,),
        ),
        "pair direction": Example(
            "paranoia-ru",
            N_("The total is 50. A lays two threes."),
            ("3♣ 3♦ 5♦", "2♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("3♣ 3♦",),
            {"total": 50},
            keep=(CardsLaid,),
        ),
        "last draw": Example(
            "paranoia-ru",
            N_("The total is 95. A lays the 7♥ and ends the round. The next card of the stock is the Q♠."),
            ("7♥ 5♣ 6♦", "3♦ 6♣ 8♠", "4♠ 7♦ 9♣"),
            ("7♥",),
            {"total": 95, "stock": "Q♠ 2♣ 3♣ 4♣"},
        ),
        "two packs": Example(
            "paranoia-ru",
            N_("Each player gets three cards. First four people play, then five."),
            players=(4, 5),
        ),
        "next starter": Example(
            "adding-es",
            N_("C dealt. The total is 99, A has no safe card and loses the round. A deals the next one."),
            STUCK_ES,
            ("4♦", "next deal"),
            {"total": 99},
            keep=(Dealt,),
        ),
        "first direction": Example(
            "adding-es",
            N_("A begins the game and lays the 7♥. B sits to the left of A."),
            ("7♥ 2♣ 5♦", "3♦ 6♣ 8♠", "4♠ 9♦ J♣"),
            ("7♥",),
            keep=(CardsLaid,),
        ),
        "end of the match": Example(
            "adding-es",
            N_("Nobody may lose three times. A has lost twice, C once. The total is 99, and A has no safe card."),
            STUCK_ES,
            ("4♦",),
            {"total": 99},
            lost=(2, 0, 1),
            keep=(LifeLost,),
        ),
        "two players": Example("adding-es", N_("Two people want to play."), players=(2,)),
        "last chip": Example(
            "adding-pl",
            N_("A has lost four of five chips. The total is 99, and A has no safe card."),
            STUCK,
            ("Q♠",),
            {"total": 99},
            lost=(4, 0, 0),
        ),
    }
)


class _Line(NamedTuple):
    words: str
    kept: bool = False


def example_grid(name: str, lang: str = "en") -> Grid:
    """The example of a reading as a table, a row for each choice; the one that the presets take is marked.

    >>> for row in example_grid("nine").rows:
    ...     print(*row, sep=" | ")
    As it stands: the total is 0 again. ✓ (our choice) | A lays 9♥: 47 → 0.
    As in the Polish text: a 9 counts nothing. | A lays 9♥: 47 → 47.
    """
    say, reading, example = translator(lang), READINGS[name], EXAMPLES[name]
    rows = []
    for choice, happens in outcomes(name, lang).items():
        words = say(reading.choices[choice].words)
        rows.append(
            (say("{meaning} ✓ (our choice)").format(meaning=words) if choice == reading.taken else words, happens)
        )
    return Grid(say(example.told), (say("Reading"), say("What happens")), tuple(rows))


def outcomes(name: str, lang: str = "en") -> dict[str, str]:
    """What happens in the example under each choice of the reading, in words."""
    say, example, preset = translator(lang), EXAMPLES[name], PRESETS[EXAMPLES[name].preset]
    read = {choice: READINGS[name].read(preset, choice) for choice in READINGS[name].choices}
    if example.players:
        return {choice: " ".join(_dealt(rules, n, say) for n in example.players) for choice, rules in read.items()}
    played = {choice: _play(example, rules) for choice, rules in read.items()}
    stories = {c: _story(example, states, lang) for c, states in played.items() if not isinstance(states, Refusal)}
    common = set.intersection(*map(set, stories.values()))
    told = {
        choice: " ".join(line.words for line in story if line.kept or line not in common)
        for choice, story in stories.items()
    }
    refused = {choice: _refused(why, lang) for choice, why in played.items() if isinstance(why, Refusal)}
    return {choice: (told | refused)[choice] for choice in read}


def _dealt(rules: Rules, players: int, say: Say) -> str:
    if players not in rules.players:
        allowed = ", ".join(map(str, rules.players))
        words = say("Not for {players} players. Allowed: {allowed}.").format(players=players, allowed=allowed)
        return f"⊘ {words}"
    stock = deal(rules, players, seed=99).stock
    return say("{players} players: {stock} cards are left in the stock.").format(players=players, stock=len(stock))


def _start(example: Example, rules: Rules) -> State:
    if not isinstance(rules, AddingRules):
        return position(rules, example.hands, **example.fields)
    players = len(example.hands)
    lives = tuple(rules.lives_for(players) - lost for lost in example.lost or (0,) * players)
    return position(rules, example.hands, **{"lives": lives, **example.fields})


def _play(example: Example, rules: Rules) -> list[State] | Refusal:
    """The state after each action, or why one of them is not legal."""
    state, states = _start(example, rules), []
    for action in example.actions:
        if action == str(NextDeal()) and state.phase is not Phase.DEAL_OVER:
            continue
        try:
            state = state.apply(action)
        except IllegalActionError as refused:
            return refused.why
        states.append(state)
    return states


def _story(example: Example, states: list[State], lang: str) -> list[_Line]:
    """All events; then the total, if no lay tells it last, and who does what next, if anybody."""
    say, last = translator(lang), states[-1]
    lines = [_Line(narrate(event, lang), isinstance(event, example.keep)) for state in states for event in state.events]
    if isinstance(last, AddingState) and not any(isinstance(event, CardsLaid) for event in last.events):
        lines.append(_Line(say("The total is {total}.").format(total=number(last.total))))
    if last.phase is not Phase.MATCH_OVER:
        lines.append(_Line(todo(last, say, None)))
    return lines


def _refused(why: Refusal, lang: str) -> str:
    words = narrate(why, lang)
    return words if isinstance(why, ChooseEffect) else f"⊘ {words}"
