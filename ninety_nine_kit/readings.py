"""Every unsure sentence of the texts: what it says, what we took, and what else it could mean.

The marks (RU-c.2 …) number the unsure places of each text. Told in words only, and not played: calling a wrong total
(RU-c.13, RU-d.21), forgetting to draw (PL.9), and the three points a deal that lose one at each border, from which
the Russian “start with 3” probably grew (RU-c.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import N_
from ninety_nine_kit.presets import ADDING_ES, ADDING_PL, NO_TRUMP, PAIRS_TO, PARANOIA_RU, PRESETS, TRICKS_FR, TRICKS_RU
from ninety_nine_kit.rules import Chart, Effect, Premium, Rules

R = TypeVar("R", bound=Rules)


class Choice(NamedTuple):
    """One meaning: in words, and as the fields of the rules that it sets.

    Charts of effects are changed key by key: to new rows, to the same rows with some fields changed (a mapping), or
    to nothing (None).
    """

    words: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Reading:
    """An unsure sentence. `source` are its marks, `quote` the sentence as it stands (a line for each mark), `meaning`
    the same in English, `taken` the name of the choice that the presets make."""

    source: str
    quote: str
    meaning: str
    taken: str
    choices: Chart[str, Choice]

    @property
    def presets(self) -> tuple[str, ...]:
        """The games that the sentence is about, by its marks."""
        marks = {name: rules.source.mark for name, rules in PRESETS.items()}
        return tuple(name for name in marks if any(m.startswith(marks[name]) for m in self.source.split(", ")))

    def read(self, rules: R, choice: str) -> R:
        """The rules with this sentence read in one of its meanings; ValueError names the choices.

        >>> from ninety_nine_kit.presets import ADDING_RU
        >>> nine = READINGS["nine"].read(ADDING_RU, "adds nothing")
        >>> print(*nine.effects["9"], *ADDING_RU.effects["9"])
        +0 =0
        """
        if rules.source.mark not in [PRESETS[name].source.mark for name in self.presets]:
            raise Mistake(f"{rules.name}: this reading is about {', '.join(self.presets)}")
        if choice not in self.choices:
            raise Mistake(f"{rules.name}: no reading “{choice}” here; there are: {', '.join(self.choices)}")
        changes = dict(self.choices[choice].changes)
        for field in ("effects", "pairs"):
            if field in changes:
                changes[field] = _changed(getattr(rules, field), changes[field])
        return replace(rules, **changes)


def _changed(chart: Chart[Any, Any], changes: Mapping[str, Any]) -> dict[Any, Any]:
    rows = {str(key): value for key, value in chart.items()}
    for key, change in changes.items():
        if isinstance(change, Mapping):
            rows[key] = tuple(replace(row, **change) for row in rows[key])
        else:
            rows[key] = change
    return {key: row for key, row in rows.items() if row is not None}


def _choices(*choices: tuple[str, str, Mapping[str, Any]]) -> Chart[str, Choice]:
    return Chart({name: Choice(words, changes) for name, words, changes in choices})


#: Every unsure sentence by a short name.
READINGS: Chart[str, Reading] = Chart(
    {
        "failed premium": Reading(
            "RU-a.6",
            "Игрок, который объявлял свой контракт, получает дополнительные 30 очков за его исполнение и минус 60 "
            "очков, если его не исполнит.",
            N_("Who announced the bid gets 30 points more for making it and minus 60 points for failing."),
            "holder loses 60",
            _choices(
                ("holder loses 60", N_("As it stands: the holder loses 60."), {"premiums": TRICKS_RU.premiums}),
                (
                    "others gain 30",
                    N_("As in Parlett's book: each other player gains 30, the holder loses nothing."),
                    {"premiums": (Premium("declare", made=30, others=30),)},
                ),
            ),
        ),
        "match": Reading(
            "RU-a.9",
            "Обычно для выявления победителя играют 3 игры.",
            N_("Usually three games are played to find the winner."),
            "three games",
            _choices(
                ("three games", N_("Exactly three games; most games won."), {"games": 3, "games_to_win": None}),
                ("first to three", N_("Whoever wins three games first."), {"games": None, "games_to_win": 3}),
            ),
        ),
        "trump": Reading(
            "RU-a.10",
            "Когда все четыре карты (по одной от каждого игрока) будут выложены, то эти карты (взятка) забираются "
            "игроком, который положил самую старшую карту",
            N_("When all four cards (one from each player) are laid, the player of the highest card takes them."),
            "none",
            _choices(
                ("none", N_("No trump in any deal."), {"trump_after": NO_TRUMP}),
                (
                    "by bids made",
                    N_("As in the French text: trump by how many bids were made in the deal before."),
                    {"trump_after": TRICKS_FR.trump_after},
                ),
            ),
        ),
        "reveal": Reading(
            "FR.5",
            'Vous obtenez 30 points supplémentaires si vous «déclaré» et gagné votre contrat et 60 si vous "révélé."',
            N_("You get 30 points more if you declared and made your bid, and 60 if you revealed."),
            "60 in all",
            _choices(
                ("60 in all", N_("60 instead of 30: so the most in a deal is 99."), {"premiums": TRICKS_FR.premiums}),
                (
                    "60 more",
                    N_("60 on top of the 30; but then the most in a deal would be 129, and the text says 99."),
                    {"premiums": (TRICKS_FR.premiums[0], replace(TRICKS_FR.premiums[1], made=90, others=90))},
                ),
            ),
        ),
        "nine": Reading(
            "RU-c.2",
            "9 - значение суммы становится равным нулю",
            N_("9: the total becomes zero."),
            "becomes zero",
            _choices(
                ("becomes zero", N_("As it stands: the total is 0 again."), {"effects": {"9": Effect(set_to=0)}}),
                ("adds nothing", N_("As in the Polish text: a 9 counts nothing."), {"effects": {"9": Effect()}}),
            ),
        ),
        "first total": Reading(
            "RU-c.3",
            "любой игрок, который начинает игру, начинает с суммы 3 очка",
            N_("Whoever begins the game begins with a total of 3 (named as a variant)."),
            "0",
            _choices(
                ("0", N_("The total starts at 0."), {"start": 0}),
                ("3", N_("The variant: the total starts at 3."), {"start": 3}),
            ),
        ),
        "reverse card": Reading(
            "RU-c.8",
            "карта, которая меняет направление игры не изменяя значения суммы не 4, а 8",
            N_("The card that turns the direction without changing the total is not the 4 but the 8 (a variant)."),
            "four",
            _choices(
                ("four", N_("The 4 turns, the 8 adds 8."), {"effects": {"4": Effect(reverse=True), "8": Effect(8)}}),
                ("eight", N_("The 8 turns, the 4 adds 4."), {"effects": {"4": Effect(4), "8": Effect(reverse=True)}}),
            ),
        ),
        "king": Reading(
            "RU-c",
            "король не имеет особого значения, а всего лишь добавляет 10 очков к сумме",
            N_("The king is nothing special and just adds 10 (named as a variant)."),
            "becomes 99",
            _choices(
                ("becomes 99", N_("A king makes the total 99."), {"effects": {"K": Effect(set_to=99)}}),
                ("adds ten", N_("The variant: a king adds 10."), {"effects": {"K": Effect(add=10)}}),
            ),
        ),
        "after a loss": Reading(
            "RU-c.4",
            "Если игрок сделал сумму более 99, то он становится проигравшим и выбывает из игры.",
            N_("Who makes the total more than 99 has lost and is out of the game."),
            "play on",
            _choices(
                ("play on", N_("The others play on at the same total."), {"over_limit": "play on"}),
                ("new deal", N_("The others start a new deal from 0."), {"over_limit": "deal over"}),
            ),
        ),
        "going over": Reading(
            "RU-c.5, PL.7",
            "Если игрок сделал сумму более 99, то он становится проигравшим\n"
            "Jeśli w dowolnym momencie gracz doda karty do stosu, a wartość stosu przekroczy 99 punktów",
            N_("If a player makes the total more than 99 (on purpose too?)"),
            "only when stuck",
            _choices(
                ("only when stuck", N_("Only with no safe card in hand."), {"voluntary_bust": False}),
                ("at any time", N_("Whenever the player likes."), {"voluntary_bust": True}),
            ),
        ),
        "below zero": Reading(
            "RU-c.6, ES.5, PL.10",
            "10 - увеличивает или уменьшает значение суммы на 10\n"
            "el 10 tiene un valor de -10\n"
            "Dziesiątki mogą dodawać lub odejmować 10 od bieżącej wartości stosu",
            N_("10: makes the total 10 more or 10 less (less than 0 too?)"),
            "allowed",
            _choices(
                ("allowed", N_("The total may go below 0."), {"floor": None}),
                ("stays at zero", N_("The total stops at 0."), {"floor": "clamp"}),
                ("forbidden", N_("A lay that would go below 0 is not allowed."), {"floor": "forbid"}),
            ),
        ),
        "pot": Reading(
            "RU-c.14",
            "при каждом своем ходе игрок кладет по одному рублю в банк, а банк достается игроку, который выигрывает",
            N_("With every turn a player pays one rouble into the pot, and the winner takes it (an example)."),
            "none",
            _choices(
                ("none", N_("No pot."), {"ante": 0}),
                ("one a turn", N_("One chip into the pot with every turn."), {"ante": 1}),
            ),
        ),
        "objective": Reading(
            "RU-d.1",
            "Цель игры: набрать наибольшее количество очков.",
            N_("The aim is to score the most points."),
            "most points",
            _choices(
                (
                    "most points",
                    N_("As it stands: most points win."),
                    {
                        "objective": "high",
                        "effects": {"J": {"on_cross": -1}, "Q": {"on_cross": -2}},
                        "pairs": {"K": {"levy": 1}},
                        "penalties": PARANOIA_RU.penalties,
                    },
                ),
                (
                    "fewest points",
                    N_("As in the English description: points are bad, and fewest win. All other signs turn with it."),
                    {
                        "objective": "low",
                        "effects": {"J": {"on_cross": 1}, "Q": {"on_cross": 2}},
                        "pairs": {"K": {"levy": -1}},
                        "penalties": {card: -points for card, points in PARANOIA_RU.penalties.items()},
                    },
                ),
            ),
        ),
        "falling total": Reading(
            "RU-d.2",
            "Если карта игрока пересекает границу счета 33/34, то игрок получает одно очко.",
            N_("If a player's card crosses the border 33/34, the player gets one point (downwards too?)"),
            "upward only",
            _choices(
                ("upward only", N_("Only a rising total crosses."), {"milestones_down": False}),
                ("both ways", N_("A falling total crosses too."), {"milestones_down": True}),
            ),
        ),
        "court crossing": Reading(
            "RU-d.6",
            "Если игрок положил валета и пересек счет в 33/34, 66/67 или 99/100, то получает минус одно очко.",
            N_("Who lays a jack and crosses 33/34, 66/67 or 99/100 gets minus one point."),
            "on top",
            _choices(
                (
                    "on top",
                    N_("Besides the points of the border."),
                    {"effects": {"J": {"instead": False}, "Q": {"instead": False}}},
                ),
                (
                    "instead",
                    N_("Instead of the points of the border."),
                    {"effects": {"J": {"instead": True}, "Q": {"instead": True}}},
                ),
            ),
        ),
        "court suits": Reading(
            "RU-d.7",
            "Валет - увеличивает счет на 10. Если игрок положил валета и пересек счет",
            N_("Jack: 10 more. Who lays a jack and crosses … (any jack?)"),
            "any",
            _choices(
                ("any", N_("Any jack, any queen."), {"effects": dict.fromkeys(("J♣", "J♦", "Q♦", "Q♥"))}),
                (
                    "penalty cards only",
                    N_("Only the cards that also cost points in hand: J♠ J♥ Q♠ Q♣."),
                    {"effects": dict.fromkeys(("J♣", "J♦", "Q♦", "Q♥"), Effect(add=10))},
                ),
            ),
        ),
        "two kings": Reading(
            "RU-d.8",
            "Король и король - увеличивает счет на 10.",
            N_("King and king: 10 more. (Is there an exchange, as after one king?)"),
            "no exchange",
            _choices(
                ("no exchange", N_("The pair replaces what one king does."), {"pairs": {"K": {"exchange": False}}}),
                ("exchange", N_("An exchange, as after one king."), {"pairs": {"K": {"exchange": True}}}),
            ),
        ),
        "pair direction": Reading(
            "RU-d.10",
            "При желании игроков направление игры может поменяться на противоположное.",
            N_("If the players wish, the direction may turn."),
            "layer chooses",
            _choices(
                ("layer chooses", N_("Who lays the pair decides."), {"pairs": PAIRS_TO}),
                (
                    "always turns",
                    N_("A pair always turns it."),
                    {"pairs": {r: rows[1:] for r, rows in PAIRS_TO.items()}},
                ),
                ("never turns", N_("A pair never turns it."), {"pairs": {r: rows[:1] for r, rows in PAIRS_TO.items()}}),
            ),
        ),
        "last draw": Reading(
            "RU-d.11",
            "Если последняя сыгранная карта была 2 или король, то игрок должен взять карту из резерва",
            N_("If the last card played was a 2 or a king, the player must take a card from the stock."),
            "only then",
            _choices(
                ("only then", N_("After other last cards nobody draws."), {"draw_after_end": False}),
                ("always", N_("Whoever ends the round always draws."), {"draw_after_end": True}),
            ),
        ),
        "two packs": Reading(
            "RU-d.13",
            "Если играют 4 и более человек, то играют двумя колодами.",
            N_("If four or more play, they use two packs."),
            "from four",
            _choices(
                ("from four", N_("As it stands."), {"packs": PARANOIA_RU.packs}),
                ("from five", N_("As in the English description."), {"packs": Chart({2: 1, 3: 1, 4: 1, 5: 2})}),
                ("always one", N_("As the text's heading says: one pack."), {"packs": 1}),
            ),
        ),
        "next starter": Reading(
            "ES.2",
            "El jugador inicial debe jugar una carta desde su mano",
            N_("The first player must play a card (who is first in the next round?)"),
            "dealer's left",
            _choices(
                ("dealer's left", N_("The player left of the next dealer."), {"next_leader": "dealer's left"}),
                ("loser", N_("Who lost the round before."), {"next_leader": "loser"}),
            ),
        ),
        "first direction": Reading(
            "ES.3",
            "escogiendo un sentido de giro inicial",
            N_("A first direction is chosen."),
            "clockwise",
            _choices(
                ("clockwise", N_("Clockwise."), {"direction": 1}),
                ("counter-clockwise", N_("Counter-clockwise."), {"direction": -1}),
            ),
        ),
        "end of the match": Reading(
            "ES.4",
            "Siendo lo habitual fijar de antemano el número de veces que debe perderse para ser declarado "
            "definitivamente perdedor.",
            N_("Usually the number of losses that makes one the loser for good is agreed beforehand."),
            "first loser ends it",
            _choices(
                ("first loser ends it", N_("The match ends with the first."), {"objective": "first out"}),
                ("last one in", N_("Losers drop out until one is left."), {"objective": "last in"}),
            ),
        ),
        "two players": Reading(
            "ES.9",
            "3 o más",
            N_("Three players or more."),
            "three or more",
            _choices(
                ("three or more", N_("As it stands."), {"players": ADDING_ES.players, "packs": ADDING_ES.packs}),
                (
                    "two or more",
                    N_("An extension: two may play as well."),
                    {"players": tuple(range(2, 9)), "packs": Chart({n: -(-n // 4) for n in range(2, 9)})},
                ),
            ),
        ),
        "last chip": Reading(
            "PL.4",
            "Jeśli graczowi nie pozostały żadne żetony do odrzucenia, zostaje on wyeliminowany z gry.",
            N_("A player who has no chips left to put down is out of the game."),
            "out at once",
            _choices(
                ("out at once", N_("Out with the loss of the last chip."), {"lives": ADDING_PL.lives}),
                (
                    "one more loss",
                    N_("Play goes on with no chip; out at the next loss, as with one chip more."),
                    {"lives": Chart({n: 6 if n < 4 else 4 for n in range(2, 9)})},
                ),
            ),
        ),
    }
)
