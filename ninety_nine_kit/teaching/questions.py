"""Questions without end, made and answered by the engine: each comes from a kind, the rules and a seed."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Literal, NamedTuple, TypeVar

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.agents import simple_agent
from ninety_nine_kit.card import Card, Mistake, listed, shuffle, stream
from ninety_nine_kit.dealing import check_rules, deal, position
from ninety_nine_kit.events import (
    N_,
    BidScored,
    BorderCrossed,
    CardsLaid,
    CrossedWith,
    Levied,
    NotACard,
    Refusal,
    TrickTaken,
)
from ninety_nine_kit.game import Cards, Phase, Play, without
from ninety_nine_kit.narration import narrate, number, seat_name, translator
from ninety_nine_kit.rules import AddingRules, Chart, Rules, TrickRules
from ninety_nine_kit.show import spelled
from ninety_nine_kit.show.blocks import Block, Grid

T = TypeVar("T")


class NotANumber(Refusal):
    text: str
    english = N_("“{text}” is not a number. Write one such as 54 or −5.")


class NotOffered(Refusal):
    cards: tuple[Card, ...]
    english = N_("Choose from these cards: {cards}.")


class WrongAnswer(Refusal):
    given: str
    answer: str
    english = N_("{given} is not right. The answer is {answer}.")


class Question(NamedTuple):
    """A question with its answer and the reason for it, in words.

    `shown` is what there is to look at, `cards` are drawn large. `takes` says what an answer is: a "number", one "card"
    of these, or all the right "cards" of these in any order.
    """

    ask: str
    answer: str
    reason: str
    takes: Literal["number", "card", "cards"]
    cards: Cards = ()
    shown: tuple[Block, ...] = ()

    def judge(self, given: str) -> Refusal | None:
        """None if the answer is right, else what is wrong with it; cards may be typed as in moves."""
        if self.takes == "number":
            said = read_number(given)
            if said is None:
                return NotANumber(given)
            return None if number(said) == self.answer else WrongAnswer(number(said), self.answer)
        cards = []
        for word in given.replace(",", " ").split():
            try:
                cards.append(Card.parse(word))
            except Mistake:
                return NotACard(word)
        if not cards or set(cards) - set(self.cards) or (self.takes == "card" and len(cards) > 1):
            return NotOffered(self.cards)
        right = set(map(str, cards)) == set(self.answer.split())
        return None if right else WrongAnswer(listed(cards), self.answer)


def read_number(text: str) -> int | None:
    """A whole number as people type it, with any kind of minus; None if it is none.

    >>> read_number(" −5 "), read_number("54"), read_number("many")
    (-5, 54, None)
    """
    found = re.fullmatch(r"\s*([-−–+]?)\s*([0-9]{1,9})\s*", text)
    return None if not found else int(found[2]) if found[1] in ("", "+") else -int(found[2])


class Kind(NamedTuple):
    """A kind of question: its title, the rules it fits, and what makes one from rules, a generator and a language."""

    title: str
    fits: Callable[[Any], bool]
    make: Callable[[Any, Random, str], Question]


def pick(draw: Random, items: Sequence[T]) -> T:
    return items[int(draw.random() * len(items))]


def who_takes_it(rules: TrickRules, draw: Random, lang: str) -> Question:
    """A full trick; most cards follow suit, and of the others many are trumps."""
    say = translator(lang)
    trump = pick(draw, sorted({rules.first_trump, *rules.trump_after.values()}, key=str))
    led, *rest = _shuffled(rules, draw)
    trick = [led]
    while len(trick) < min(rules.players):
        wanted = led.suit if draw.random() < 0.6 else trump if draw.random() < 0.5 else None
        left = [card for card in rest if card not in trick]
        trick.append(next((card for card in left if wanted in (None, card.suit)), left[0]))
    hands: list[Cards] = [(), *[()] * (len(trick) - 2), (trick[-1],)]
    state = position(rules, hands, trick=trick[:-1], trump=trump)
    taken = next(event for event in state.apply(Play((trick[-1],))).events if isinstance(event, TrickTaken))
    order = say("{seats} play in this order.").format(seats=", ".join(map(seat_name, range(len(trick)))))
    shown = say("trump {suit}").format(suit=trump) if trump else say("no trump")
    ask = say("Which card takes the trick?")
    return Question(ask, str(taken.card), narrate(taken, lang), "card", tuple(trick), (order, shown))


def what_may_be_played(rules: TrickRules, draw: Random, lang: str) -> Question:
    say, size = translator(lang), min(4, rules.hand_size - rules.bid_cards)
    led, *pack = _shuffled(rules, draw)
    hands = [pack[size * seat : size * (seat + 1)] for seat in range(min(rules.players))]
    hands[-1] = hands[-1][1:]
    state = position(rules, hands, trick=(led,), leader=len(hands) - 1)
    hand = state.hands[0]
    may = [play.cards[0] for play in state.legal_actions() if isinstance(play, Play)]
    if led.suit not in [card.suit for card in hand]:
        reason = say("There is no {suit} in the hand, so any card may be played.")
    else:
        reason = say("{suit} was led, and whoever holds {suit} must play {suit}.")
    return Question(
        say("{card} was led. Which of these cards may you play? Choose all of them.").format(card=led),
        listed(may),
        reason.format(suit=led.suit),
        "cards",
        cards=hand,
    )


def what_may_be_laid(rules: AddingRules, draw: Random, lang: str) -> Question:
    say = translator(lang)
    pack, total = _shuffled(rules, draw), max(rules.limit - int(draw.random() * 16), 0)
    state = _lay_from(rules, pack[: rules.hand_size], pack, total)
    may = list(dict.fromkeys(card for play in state.legal_actions() if isinstance(play, Play) for card in play.cards))
    told = []
    for card in dict.fromkeys(state.hands[0]):
        results = zip(state.ways(card), state.results((card,)).values(), strict=True)
        safe = {number(after): state.why_not(play) is None and not state.is_stuck() for play, after in results}
        totals = sorted(safe, key=lambda total: not safe[total])
        told.append(f"{card} → {', '.join(total + ' ⊘' * (not safe[total]) for total in totals)}")
    reason = "; ".join(told) + "."
    if state.is_stuck():
        reason += " " + say("No card is safe, so any one may be laid, and it costs a life.")
    return Question(
        say("The total is {total}. Which of these cards may you lay? Choose all of them.").format(total=number(total)),
        listed(may),
        reason,
        "cards",
        cards=state.hands[0],
    )


def what_is_the_total(rules: AddingRules, draw: Random, lang: str) -> Question:
    say = translator(lang)
    state, play, after = _one_lay(rules, draw, range(rules.limit + 1))
    laid = next(event for event in after.events if isinstance(event, CardsLaid))
    ask = say("The total is {total}. {seat} lays {lay}. What is the total now?")
    return Question(
        ask.format(total=number(state.total), seat=seat_name(0), lay=_told_lay(state, play, lang)),
        number(after.total),
        narrate(laid, lang),
        "number",
        cards=play.cards,
    )


def what_does_it_bring(rules: AddingRules, draw: Random, lang: str) -> Question:
    """Points for crossing a border, with a total near one."""
    say = translator(lang)
    border = pick(draw, _borders(rules))
    state, play, after = _one_lay(rules, draw, range(max(border - 12, 0), border + 1))
    points = sum(after.earned[0][:3])
    told = [event for event in after.events if isinstance(event, CardsLaid | BorderCrossed | CrossedWith | Levied)]
    reason = " ".join(narrate(event, lang) for event in told)
    if len(told) == 1:
        reason += " " + say("No border is crossed.")
    ask = say("The total is {total}. {seat} lays {lay}. How many points does this bring {seat}?")
    return Question(
        ask.format(total=number(state.total), seat=seat_name(0), lay=_told_lay(state, play, lang)),
        number(points),
        reason,
        "number",
        play.cards,
        (say("{players} players.").format(players=state.players),),
    )


def what_does_the_bid_say(rules: TrickRules, draw: Random, lang: str) -> Question:
    cards = _shuffled(rules, draw)[: rules.bid_cards]
    say = translator(lang)
    return Question(
        say("These cards were laid aside. Which number do they say?"),
        number(rules.bid_value(cards)),
        spelled(rules, cards),
        "number",
        cards=cards,
    )


def what_did_it_score(rules: TrickRules, draw: Random, lang: str) -> Question:
    """A whole deal played by agents; premiums and some bids are by lot, so that all kinds of deals come."""
    say = translator(lang)
    state = deal(rules, min(rules.players), int(draw.random() * 1_000_000))
    while state.phase is not Phase.DEAL_OVER and state.to_act is not None:
        by_lot = state.phase is Phase.ANNOUNCE or (state.phase is Phase.BID and draw.random() < 0.3)
        view = state.seen_by(state.to_act)
        state = state.apply(pick(draw, view.legal_actions()) if by_lot else simple_agent(view, draw))
    row, asked = state.sheet[-1], int(draw.random() * state.players)
    told = [narrate(event, lang) for event in state.events if isinstance(event, BidScored)]
    head = (say("Seat"), say("Bid"), say("Tricks"), say("Premium"))
    rows = []
    for seat in range(state.players):
        holder, premium = row.premium or (None, None)
        said = say(premium.name) if premium and holder == seat else "–"
        rows.append((seat_name(seat), str(row.bids[seat]), str(row.tricks[seat]), said))
    return Question(
        say("How many points does {seat} get for this deal?").format(seat=seat_name(asked)),
        number(row.points[asked]),
        " ".join(told),
        "number",
        shown=(Grid(say("The deal"), head, tuple(rows)),),
    )


def _is_tricks(rules: Rules) -> bool:
    return isinstance(rules, TrickRules)


def _has_bids(rules: Rules) -> bool:
    return isinstance(rules, TrickRules) and rules.bid_cards > 0


def _is_adding(rules: Rules) -> bool:
    return isinstance(rules, AddingRules)


def _has_limit(rules: Rules) -> bool:
    """Whether some single cards may not be laid."""
    return isinstance(rules, AddingRules) and not (rules.over_limit == "allowed" or rules.voluntary_bust or rules.pairs)


def _has_borders(rules: Rules) -> bool:
    return isinstance(rules, AddingRules) and bool(_borders(rules))


def _borders(rules: AddingRules) -> list[int]:
    """The borders that a lay can cross."""
    top = rules.limit + (rules.over_limit == "allowed")
    return [milestone.at for milestone in rules.milestones if 0 <= milestone.at < top]


#: Every kind of question by its name.
KINDS: Chart[str, Kind] = Chart(
    {
        "takes": Kind(N_("Which card takes the trick?"), _is_tricks, who_takes_it),
        "follow": Kind(N_("What may be played?"), _is_tricks, what_may_be_played),
        "bid": Kind(N_("Which number do the cards say?"), _has_bids, what_does_the_bid_say),
        "score": Kind(N_("What does a deal score?"), _has_bids, what_did_it_score),
        "total": Kind(N_("What is the total now?"), _is_adding, what_is_the_total),
        "safe": Kind(N_("What may be laid?"), _has_limit, what_may_be_laid),
        "border": Kind(N_("What does a border bring?"), _has_borders, what_does_it_bring),
    }
)


def kinds_for(rules: Rules) -> tuple[str, ...]:
    """The kinds of question that fit the rules."""
    return tuple(name for name, kind in KINDS.items() if kind.fits(rules))


def check_kind(kind: str, rules: Rules) -> None:
    """ValueError names the kinds that fit the rules, if this one does not."""
    check_rules(rules)
    if kind not in kinds_for(rules):
        raise Mistake(f"{rules.name}: no questions “{kind}”; there are: {', '.join(kinds_for(rules))}")


def question(kind: str, rules: Rules, seed: int | str, lang: str = "en") -> Question:
    """The question of a kind that a seed makes; the same seed makes the same question everywhere.

    >>> from ninety_nine_kit.presets import TRICKS_RU
    >>> asked = question("bid", TRICKS_RU, 99)
    >>> print(asked.ask, asked.reason)
    These cards were laid aside. Which number do they say? ♣3 + ♥2 + ♦0 = 5
    """
    check_kind(kind, rules)
    return KINDS[kind].make(rules, stream("question", kind, seed), lang)


def _shuffled(rules: Rules, draw: Random) -> Cards:
    return shuffle(rules.pack(min(rules.players)), int(draw.random() * 1_000_000))


def _lay_from(rules: AddingRules, hand: Cards, pack: Cards, total: int) -> AddingState:
    """Seat 0 of three, where three can play, is to lay from a hand; the other seats get any cards."""
    left, players = without(pack, hand), 3 if 3 in rules.players else min(rules.players)
    return position(rules, [hand, *((left[seat],) for seat in range(players - 1))], total=total)


def _is_told(state: AddingState, play: Play) -> bool:
    """Whether one must be told what the cards do; not if there is only the direction to choose."""
    return len({replace(row, reverse=False) for row in state.results(play.cards)}) > 1


def _told_lay(state: AddingState, play: Play, lang: str) -> str:
    if not _is_told(state, play):
        return listed(play.cards)
    say = translator(lang)
    return say("{cards} as {effect}").format(cards=listed(play.cards), effect=number(play.effect))


def _one_lay(rules: AddingRules, draw: Random, totals: range) -> tuple[AddingState, Play, AddingState]:
    """A position, one lay of seat 0 that counts, of a card or now and then of a pair, and what comes of it."""
    while True:
        pack, total = _shuffled(rules, draw), pick(draw, totals)
        hand = pack[:1]
        if rules.pairs and draw.random() < 0.25:
            rank = pick(draw, list(rules.pairs))
            hand = tuple(card for card in pack if card.rank == rank)[:2]
        state = _lay_from(rules, hand, pack, total)
        plays = [play for play in state.legal_actions() if isinstance(play, Play) and len(play.cards) == len(hand)]
        play = pick(draw, plays) if plays and _is_told(state, plays[0]) else plays[0] if plays else None
        after = state.apply(play) if play else state
        if play and any(isinstance(event, CardsLaid) for event in after.events):
            return state, play, after
