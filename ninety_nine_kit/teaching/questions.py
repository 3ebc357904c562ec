"""Questions without end, made and answered by the engine: each comes from a kind, the rules and a seed."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Literal, NamedTuple, TypeVar

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.agents import simple_agent
from ninety_nine_kit.card import Card, Mistake, listed, shuffle, stream
from ninety_nine_kit.dealing import deal, position
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
    english = N_("Choose one of these cards: {cards}.")


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
            try:
                right = int(given.replace("−", "-")) == int(self.answer.replace("−", "-"))
            except ValueError:
                return NotANumber(given)
            return None if right else WrongAnswer(given, self.answer)
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


class Kind(NamedTuple):
    """A kind of question: its title, the rules it fits, and what makes one from rules, a generator and a language."""

    title: str
    fits: Callable[[Any], bool]
    make: Callable[[Any, Random, str], Question]


def pick(draw: Random, items: Sequence[T]) -> T:
    return items[int(draw.random() * len(items))]


def who_takes_it(rules: TrickRules, draw: Random, lang: str) -> Question:
    """A full trick of two suits only, so that the highest card is not always the first."""
    say = translator(lang)
    trump = pick(draw, sorted({rules.first_trump, *rules.trump_after.values()}, key=str))
    pack = _shuffled(rules, draw)
    suits = [pack[0].suit, trump or next(card.suit for card in pack if card.suit != pack[0].suit)]
    trick = tuple(card for card in pack if card.suit in suits)[: min(rules.players)]
    hands: list[Cards] = [(), *[()] * (len(trick) - 2), trick[-1:]]
    state = position(rules, hands, trick=trick[:-1], trump=trump)
    taken = next(event for event in state.apply(Play(trick[-1:])).events if isinstance(event, TrickTaken))
    order = say("{seats} play in this order.").format(seats=", ".join(map(seat_name, range(len(trick)))))
    shown = say("trump {suit}").format(suit=trump) if trump else say("no trump")
    ask = say("Which card takes the trick?")
    return Question(ask, str(taken.card), narrate(taken, lang), "card", trick, (order, shown))


def what_may_be_played(rules: TrickRules, draw: Random, lang: str) -> Question:
    say = translator(lang)
    led, *pack = _shuffled(rules, draw)
    others = [pack[start : start + 4] for start in range(4, 4 * (min(rules.players) - 1), 4)]
    state = position(rules, [pack[:4], *others, pack[-3:]], trick=(led,), leader=len(others) + 1)
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
    pack, total = _shuffled(rules, draw), rules.limit - int(draw.random() * 16)
    state = _lay_from(rules, pack[: rules.hand_size], pack, total)
    may = list(dict.fromkeys(card for play in state.legal_actions() if isinstance(play, Play) for card in play.cards))
    told = []
    for card in dict.fromkeys(state.hands[0]):
        safe = [number(after) for after in state.results((card,)).values() if after <= rules.limit]
        over = [f"{number(after)} ⊘" for after in state.results((card,)).values() if after > rules.limit]
        told.append(f"{card} → {', '.join(safe + over)}")
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
    state, play = _one_lay(rules, draw, range(rules.limit + 1))
    after = state.apply(play)
    ask = say("The total is {total}. {seat} lays {lay}. What is the total now?")
    return Question(
        ask.format(total=number(state.total), seat=seat_name(0), lay=_told_lay(state, play, lang)),
        number(after.total),
        narrate(after.events[0], lang),
        "number",
        cards=play.cards,
    )


def what_does_it_bring(rules: AddingRules, draw: Random, lang: str) -> Question:
    """Points for crossing a border, with a total near one."""
    say = translator(lang)
    border = pick(draw, rules.milestones).at
    state, play = _one_lay(rules, draw, range(border - 12, border + 1))
    after = state.apply(play)
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
        cards=play.cards,
    )


def what_does_the_bid_say(rules: TrickRules, draw: Random, lang: str) -> Question:
    cards = _shuffled(rules, draw)[: rules.bid_cards]
    return Question(
        translator(lang)("These cards were laid aside. Which number do they say?"),
        number(rules.bid_value(cards)),
        spelled(rules, cards),
        "number",
        cards=cards,
    )


def what_did_it_score(rules: TrickRules, draw: Random, lang: str) -> Question:
    """A whole deal played by agents; each may announce a premium by lot."""
    say = translator(lang)
    state = deal(rules, min(rules.players), int(draw.random() * 1_000_000))
    while state.phase is not Phase.DEAL_OVER and state.to_act is not None:
        by_lot = state.phase is Phase.ANNOUNCE
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


#: Every kind of question by its name.
KINDS: Chart[str, Kind] = Chart(
    {
        "takes": Kind(N_("Which card takes the trick?"), _is_tricks, who_takes_it),
        "follow": Kind(N_("What may be played?"), _is_tricks, what_may_be_played),
        "bid": Kind(N_("Which number do the cards say?"), _has_bids, what_does_the_bid_say),
        "score": Kind(N_("What does a deal score?"), _has_bids, what_did_it_score),
        "total": Kind(N_("What is the total now?"), _is_adding, what_is_the_total),
        "safe": Kind(
            N_("What may be laid?"), lambda rules: _is_adding(rules) and rules.over_limit != "allowed", what_may_be_laid
        ),
        "border": Kind(
            N_("What does a border bring?"),
            lambda rules: _is_adding(rules) and bool(rules.milestones),
            what_does_it_bring,
        ),
    }
)


def kinds_for(rules: Rules) -> tuple[str, ...]:
    """The kinds of question that fit the rules."""
    return tuple(name for name, kind in KINDS.items() if kind.fits(rules))


def question(kind: str, rules: Rules, seed: int | str, lang: str = "en") -> Question:
    """The question of a kind that a seed makes; the same seed makes the same question everywhere.

    >>> from ninety_nine_kit.presets import TRICKS_RU
    >>> asked = question("bid", TRICKS_RU, 99)
    >>> print(asked.ask, asked.reason)
    These cards were laid aside. Which number do they say? ♣3 + ♥2 + ♦0 = 5
    """
    if kind not in kinds_for(rules):
        raise Mistake(f"{rules.name}: no questions “{kind}”; there are: {', '.join(kinds_for(rules))}")
    return KINDS[kind].make(rules, stream("question", kind, seed), lang)


def _shuffled(rules: Rules, draw: Random) -> Cards:
    return shuffle(rules.pack(min(rules.players)), int(draw.random() * 1_000_000))


def _lay_from(rules: AddingRules, hand: Cards, pack: Cards, total: int) -> AddingState:
    """Seat 0 is to lay from a hand; the other seats get any cards."""
    left = without(pack, hand)
    hands = [hand, *((left[seat],) for seat in range(min(rules.players) - 1))]
    return position(rules, hands, total=total)


def _told_lay(state: AddingState, play: Play, lang: str) -> str:
    """Cards with their effect where it is needed to know the total."""
    if len(set(state.results(play.cards).values())) == 1:
        return listed(play.cards)
    said = translator(lang)("{cards} as {effect}")
    return said.format(cards=listed(play.cards), effect=str(play.effect).replace("-", "−"))


def _one_lay(rules: AddingRules, draw: Random, totals: range) -> tuple[AddingState, Play]:
    """A position in which seat 0 makes one safe lay: of a card, or now and then of a pair."""
    while True:
        pack, total = _shuffled(rules, draw), pick(draw, totals)
        hand = pack[:1]
        if rules.pairs and draw.random() < 0.25:
            rank = pick(draw, list(rules.pairs))
            hand = tuple(card for card in pack if card.rank == rank)[:2]
        state = _lay_from(rules, hand, pack, total)
        plays = [play for play in state.legal_actions() if isinstance(play, Play) and len(play.cards) == len(hand)]
        if not state.is_stuck():
            return state, pick(draw, plays)
