"""Questions made by the engine: every answer is worked out again here, from tables typed by hand out of the rules."""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.events import NotACard, Refusal
from ninety_nine_kit.rules import Effect, Milestone, Rules
from ninety_nine_kit.teaching.questions import KINDS, NotANumber, NotOffered, Question, WrongAnswer, kinds_for, question
from ninety_nine_kit.widgets.quiz import Quiz

KINDS_OF = {
    "tricks-ru": ("takes", "follow", "bid", "score"),
    "tricks-fr": ("takes", "follow", "bid", "score"),
    "adding-ru": ("total", "safe"),
    "adding-es": ("total", "safe"),
    "adding-pl": ("total", "safe"),
    "paranoia-ru": ("total", "border"),
}
CASES = [(kind, name) for name, kinds in KINDS_OF.items() for kind in kinds]
MANY, SOME, FEW = 1000, 200, 60
CARD = re.compile(r"(?:10|[2-9JQKA])[♣♦♥♠]")


@cache
def asked(kind: str, name: str, seed: int) -> Question:
    return question(kind, kit.PRESETS[name], seed)


def many(kind: str, name: str) -> list[Question]:
    """A whole deal is played for each question about a score, so one of the two games has fewer."""
    return [asked(kind, name, seed) for seed in range(SOME if (kind, name) == ("score", "tricks-ru") else MANY)]


every_case = pytest.mark.parametrize("kind, name", CASES, ids=[f"{kind}-{name}" for kind, name in CASES])


def whole(text: str) -> int:
    """A number with a real minus sign."""
    return int(text.replace("−", "-"))


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    return card[-1]


def shown_cards(asked: Question) -> list[str]:
    return [str(card) for card in asked.cards]


# What the rules say, typed by hand from parts 1 and 3 of the rules. A pair has its two ranks.


def columns(text: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Rows by their first cell, cells by the heads of their columns; several words in a cell are a choice."""
    head, *rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    table = {name: zip(head[1:], cells, strict=True) for name, *cells in rows}
    return {name: {key: tuple(cell.split()) for key, cell in cells if cell} for name, cells in table.items()}


EFFECTS = columns("""
game        | A      | 2  | 3  | 4  | 5  | 6  | 7  | 8  | 9  | 10      | J   | Q   | K   | 3 3 | 6 6 | 9 9 | K K
adding-ru   | +1 +11 | +2 | +3 | +0 | +5 | +6 | +7 | +8 | =0 | +10 −10 | +10 | +10 | =99 |     |     |     |
adding-es   | +1     | +2 | +3 | +4 | +5 | +6 | +7 | +8 | +9 | −10     | +0  | +0  | =99 |     |     |     |
adding-pl   | +1 +11 | +2 | +3 | +0 | +5 | +6 | +7 | +8 | +0 | +10 −10 | +10 | +10 | =99 |     |     |     |
paranoia-ru | +1 +11 | +2 | +3 | +0 | +5 | +6 | +7 | +0 | +9 | +10 −10 | +10 | +10 | +10 | =33 | =66 | =99 | +10
""")

# W40 … W47: points on top of the tricks for the holder of the premium and the two after the holder, by who made it.
ON_TOP = columns("""
made  | nobody   | tricks-ru declare | tricks-fr declare | tricks-fr reveal
y y y | 10 10 10 | 40 10 10          | 40 10 10          | 70 10 10
y y n | 20 20 0  | 50 20 0           | 50 20 0           | 80 20 0
y n y | 20 0 20  | 50 0 20           | 50 0 20           | 80 0 20
y n n | 30 0 0   | 60 0 0            | 60 0 0            | 90 0 0
n y y | 0 20 20  | −60 20 20         | 0 50 50           | 0 80 80
n y n | 0 30 0   | −60 30 0          | 0 60 30           | 0 90 60
n n y | 0 0 30   | −60 0 30          | 0 30 60           | 0 60 90
n n n | 0 0 0    | −60 0 0           | 0 30 30           | 0 60 60
""")


class Book(NamedTuple):
    """The rules of a game as the tests know them."""

    name: str
    effects: dict[str, tuple[str, ...]]
    limit: int
    borders: dict[int, int]
    bid: dict[str, int]


RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]  # from low to high
BID = {"♣": 3, "♥": 2, "♠": 1, "♦": 0}
BORDERS = {33: 1, 66: 2, 99: 3}
CROSSING_WITH = {"J": -1, "Q": -2}
BOOKS = {name: Book(name, EFFECTS.get(name, {}), 99, BORDERS, BID) for name in KINDS_OF}


def results(book: Book, cards: list[str], total: int) -> dict[str, int]:
    """What each effect of a card or a pair makes of the total."""
    effects = book.effects[" ".join(map(rank, cards))]
    return {effect: whole(effect[1:]) if effect[0] == "=" else total + whole(effect) for effect in effects}


# A question is read as a learner reads it: from its words, the cards drawn, and what is shown beside them.


def parsed(pattern: str, asked: Question) -> dict[str, str]:
    found = re.fullmatch(pattern, asked.ask)
    assert found, asked.ask
    return found.groupdict()


LAY = r"The total is (?P<total>−?\d+)\. A lays (?P<lay>\S+(?: \S+)??)(?: as (?P<effect>\S+))?\. "


def lay(asked: Question, then: str) -> tuple[int, list[str], str | None]:
    """The total before, the cards laid and the effect named."""
    said = parsed(LAY + then, asked)
    assert said["lay"].split() == shown_cards(asked)
    return whole(said["total"]), said["lay"].split(), said["effect"]


def after_lay(book: Book, total: int, cards: list[str], effect: str | None) -> int:
    """The total after; the question names an effect exactly where it must be known."""
    made = results(book, cards, total)
    assert (effect is None) == (len(made) == 1), "the effect is named where there are several"
    return made[effect] if effect else next(iter(made.values()))


def highest(cards: list[str]) -> str:
    return max(cards, key=lambda card: RANKS.index(rank(card)))


def trick(asked: Question) -> tuple[list[str], str | None]:
    """The cards in order of play, and trump."""
    assert asked.ask == "Which card takes the trick?"
    order, shown = asked.shown
    assert order == "A, B, C play in this order." and len(asked.cards) == 3
    return shown_cards(asked), None if shown == "no trump" else shown.removeprefix("trump ")


def takes(book: Book, asked: Question) -> set[str]:
    cards, trump = trick(asked)
    trumps = [card for card in cards if suit(card) == trump]
    return {highest(trumps or [card for card in cards if suit(card) == suit(cards[0])])}


def led(asked: Question) -> str:
    return parsed(r"(?P<led>\S+) was led\. Which of these cards may you play\? Choose all of them\.", asked)["led"]


def follow(book: Book, asked: Question) -> set[str]:
    hand = shown_cards(asked)
    return {card for card in hand if suit(card) == suit(led(asked))} or set(hand)


def bid(book: Book, asked: Question) -> int:
    assert asked.ask == "These cards were laid aside. Which number do they say?" and len(asked.cards) == 3
    return sum(book.bid[suit(card)] for card in shown_cards(asked))


def points(book: Book, asked: Question) -> dict[str, int]:
    """The points of all three seats from the table that is shown."""
    (grid,) = asked.shown
    assert grid.head == ("Seat", "Bid", "Tricks", "Premium")
    seats, bids, tricks, said = zip(*grid.rows, strict=True)
    holders = [place for place, premium in enumerate(said) if premium != "–"]
    assert seats == ("A", "B", "C") and sum(map(int, tricks)) == 9 and len(holders) <= 1
    first = holders[0] if holders else 0
    order = [first, (first + 1) % 3, (first + 2) % 3]
    made = " ".join("y" if bids[place] == tricks[place] else "n" for place in order)
    on_top = ON_TOP[made][f"{book.name} {said[first]}" if holders else "nobody"]
    return {seats[place]: int(tricks[place]) + whole(extra) for place, extra in zip(order, on_top, strict=True)}


def score(book: Book, asked: Question) -> int:
    return points(book, asked)[parsed(r"How many points does (?P<seat>[ABC]) get for this deal\?", asked)["seat"]]


def total(book: Book, asked: Question) -> int:
    return after_lay(book, *lay(asked, r"What is the total now\?"))


def total_of_hand(asked: Question) -> int:
    said = parsed(r"The total is (?P<total>−?\d+)\. Which of these cards may you lay\? Choose all of them\.", asked)
    return whole(said["total"])


def safe(book: Book, asked: Question) -> set[str]:
    hand, before = shown_cards(asked), total_of_hand(asked)
    return {card for card in hand if min(results(book, [card], before).values()) <= book.limit} or set(hand)


def players_told(asked: Question) -> list[str]:
    return re.findall(r"(\d+) players", f"{asked.ask} {asked.shown}")


def players_of(asked: Question) -> int:
    """As many as are told, or else the fewest who can play."""
    return int([*players_told(asked), "2"][0])


def border(book: Book, asked: Question) -> int:
    before, cards, effect = lay(asked, r"How many points does this bring A\?")
    after = after_lay(book, before, cards, effect)
    crossed = [worth for at, worth in book.borders.items() if before <= at < after]
    if not crossed:
        return 0
    if list(map(rank, cards)) == ["K", "K"]:
        return sum(crossed) + players_of(asked) - 1
    return sum(crossed) + (CROSSING_WITH.get(rank(cards[0]), 0) if len(cards) == 1 else 0)


ORACLES: dict[str, Callable[[Book, Question], Any]] = {
    "takes": takes,
    "follow": follow,
    "bid": bid,
    "score": score,
    "total": total,
    "safe": safe,
    "border": border,
}
TAKES = dict.fromkeys(("bid", "score", "total", "border"), "number") | {"takes": "card", "follow": "cards"}
TAKES |= {"safe": "cards"}


def answer_of(asked: Question) -> Any:
    return whole(asked.answer) if asked.takes == "number" else set(asked.answer.split())


def reasons(book: Book, kind: str, asked: Question) -> Iterator[str]:
    """What the reason must say, in the words of the kit."""
    cards = shown_cards(asked)
    match kind:
        case "takes":
            (wins,) = takes(book, asked)
            why = "trump" if suit(wins) == trick(asked)[1] else "card of the suit led"
            yield f"{'ABC'[cards.index(wins)]} takes the trick: {wins} is the highest {why}."
        case "follow":
            sign = suit(led(asked))
            held = f"{sign} was led, and whoever holds {sign} must play {sign}."
            void = f"There is no {sign} in the hand, so any card may be played."
            yield held if sign in map(suit, cards) else void
        case "bid":
            yield f" = {bid(book, asked)}"
            yield from (f"{suit(card)}{book.bid[suit(card)]}" for card in cards)
        case "score":
            for seat, got in points(book, asked).items():
                yield rf"{seat} bid \d and took \d, bid (made|failed): (.* = )?{str(got).replace('-', '−')}\."
        case "total":
            before, laid, effect = lay(asked, r"What is the total now\?")
            yield f"A lays {' '.join(laid)}" + (f" as {effect}: " if effect else "")
            yield f"{before} → {asked.answer}."
        case "border":
            before, laid, effect = lay(asked, r"How many points does this bring A\?")
            after = after_lay(book, before, laid, effect)
            crossed = [at for at in book.borders if before <= at < after]
            yield f"{before} → {after}."
            yield from [f"A crosses {at}: {book.borders[at]} point" for at in crossed] or ["No border is crossed."]
            if crossed and len(laid) == 1 and rank(laid[0]) in "JQ":
                yield f"Crossing with {laid[0]} counts {CROSSING_WITH[rank(laid[0])]} for A."
            if crossed and list(map(rank, laid)) == ["K", "K"]:
                yield "A gets 1 point from each opponent."
        case "safe":
            before = total_of_hand(asked)
            for card in cards:
                made = sorted(results(book, [card], before).values(), key=lambda after: after > book.limit)
                yield f"{card} → {', '.join(f'{after} ⊘' if after > book.limit else f'{after}' for after in made)}"
            if all(min(results(book, [card], before).values()) > book.limit for card in cards):
                yield "No card is safe, so any one may be laid, and it costs a life."


def test_every_preset_has_the_kinds_of_its_game() -> None:
    assert {name: kinds_for(rules) for name, rules in kit.PRESETS.items()} == KINDS_OF
    assert set(KINDS) == set(ORACLES)


# Worked by hand from the cards shown, three for each kind: (preset, seed, cards, the rest of the question, answer).
BY_HAND = """
takes  | tricks-ru   | 5   | J♣ A♦ 6♣    | no trump | J♣
takes  | tricks-fr   | 5   | J♣ A♦ 6♣    | trump ♦  | A♦
takes  | tricks-ru   | 7   | 6♦ K♦ A♦    | no trump | A♦
follow | tricks-ru   | 0   | 6♦ 6♠ 7♠ 9♠ | 9♦ was led | 6♦
follow | tricks-ru   | 2   | 7♣ 10♣ A♣ J♦ | Q♠ was led | 7♣ 10♣ A♣ J♦
follow | tricks-fr   | 5   | J♥ K♥ 6♠ 8♠ | Q♠ was led | 6♠ 8♠
bid    | tricks-ru   | 6   | 9♠ J♣ 9♥    | Which number | 6
bid    | tricks-ru   | 3   | K♦ 7♥ 9♦    | Which number | 2
bid    | tricks-fr   | 5   | 9♥ 10♦ A♣   | Which number | 5
score  | tricks-ru   | 9   |             | A 2 2 –, B 3 3 declare, C 2 4 – : points does A get | 22
score  | tricks-ru   | 14  |             | A 2 2 –, B 6 2 –, C 2 5 declare : points does C get | −55
score  | tricks-fr   | 6   |             | A 2 6 –, B 2 0 reveal, C 3 3 – : points does C get  | 93
total  | adding-ru   | 4   | 9♦          | The total is 12. A lays 9♦. | 0
total  | adding-pl   | 133 | 10♦         | The total is 9. A lays 10♦ as −10. | −1
total  | paranoia-ru | 8   | 9♦ 9♠       | The total is 27. A lays 9♦ 9♠. | 99
safe   | adding-ru   | 4   | Q♥ 7♠ 10♠   | The total is 92. | 7♠ 10♠
safe   | adding-es   | 2   | 9♣ 9♦ K♥    | The total is 99. | K♥
safe   | adding-pl   | 11  | J♣ 8♦ 6♠    | The total is 99. | J♣ 8♦ 6♠
border | paranoia-ru | 1   | 3♦          | The total is 33. A lays 3♦. | 1
border | paranoia-ru | 7   | J♣          | The total is 64. A lays J♣. | 1
border | paranoia-ru | 5   | 3♣ 3♠       | The total is 28. A lays 3♣ 3♠. | 0
"""


@pytest.mark.parametrize(
    "row",
    [
        pytest.param([cell.strip() for cell in line.split("|")], id=line.split()[0])
        for line in BY_HAND.splitlines()
        if line
    ],
)
def test_questions_worked_by_hand(row: list[str]) -> None:
    kind, name, seed, cards, says, answer = row
    made = question(kind, kit.PRESETS[name], int(seed))
    grids = [", ".join(" ".join(cells) for cells in block.rows) for block in made.shown if not isinstance(block, str)]
    words = [*grids, *(block for block in made.shown if isinstance(block, str)), made.ask]
    assert " ".join(shown_cards(made)) == cards
    for part in says.split(" : "):
        assert any(part in line for line in words), (part, words)
    assert made.answer == answer


@every_case
def test_the_answer_is_what_the_rules_say(kind: str, name: str) -> None:
    for made in many(kind, name):
        assert answer_of(made) == ORACLES[kind](BOOKS[name], made), made
        assert made.takes == TAKES[kind]


@every_case
def test_the_reason_tells_how_the_answer_comes_about(kind: str, name: str) -> None:
    for made in many(kind, name):
        for told in reasons(BOOKS[name], kind, made):
            pattern = told if kind == "score" else re.escape(told.replace("-", "−"))
            assert re.search(pattern, made.reason), (told, made)


# The same by play: the position of the question is set up anew, and its cards are played.


def others(made: Question, number: int, rules: Rules, *more: str) -> list[str]:
    """Cards of the pack that are not in the question."""
    used = {*shown_cards(made), *more}
    return [str(card) for card in rules.pack(min(rules.players)) if str(card) not in used][:number]


def plays(cards: list[str], effects: tuple[str, ...]) -> list[str]:
    """Texts of every way to lay cards, as typed at the table."""
    return [" ".join([*cards, effect] if len(effects) > 1 else cards).replace("−", "-") for effect in effects]


def takes_by_play(rules: Any, made: Question) -> set[str]:
    cards, trump = trick(made)
    state = kit.position(rules, cards, trump=trump)
    for card in cards:
        state = state.apply(card)
    return {cards[state.won.index(1)]}


def follow_by_play(rules: Any, made: Question) -> set[str]:
    hand, rest = shown_cards(made), others(made, 7, rules, led(made))
    state = kit.position(rules, [hand, rest[:4], rest[4:]], trick=[led(made)], leader=2)
    return {card for card in hand if state.why_not(kit.read_action(state, card)) is None}


def bid_by_play(rules: Any, made: Question) -> int | None:
    rest = others(made, 9, rules)
    return kit.position(rules, [[card] for card in rest[:3]], bids=[made.cards, rest[3:6], rest[6:]]).bid_value(0)


def safe_by_play(rules: Any, made: Question) -> set[str]:
    hand = shown_cards(made)
    state = kit.position(rules, [hand, *others(made, min(rules.players) - 1, rules)], total=total_of_hand(made))
    texts = {card: plays([card], EFFECTS[rules.name][rank(card)]) for card in hand}
    return {card for card in hand if any(state.why_not(kit.read_action(state, way)) is None for way in texts[card])}


def lay_by_play(rules: Any, made: Question) -> kit.adding.AddingState:
    before, cards, effect = lay(made, "(?:What is the total now|How many points does this bring A)\\?")
    number = max(min(rules.players), players_of(made))
    state = kit.position(rules, [cards, *others(made, number - 1, rules)], total=before)
    ways = EFFECTS[rules.name][" ".join(map(rank, cards))]
    texts = plays(cards, (effect, "") if effect else ways[:1])
    reversing = f"{texts[0]} {ways[0]}"  # the text of a pair that may turn the direction or not
    return state.apply(reversing if len(cards) == 2 and ways[0][0] == "=" else texts[0])


BY_PLAY: dict[str, Callable[[Any, Question], Any]] = {
    "takes": takes_by_play,
    "follow": follow_by_play,
    "bid": bid_by_play,
    "safe": safe_by_play,
    "total": lambda rules, made: lay_by_play(rules, made).total,
    "border": lambda rules, made: sum(lay_by_play(rules, made).earned[0][:3]),
}


@pytest.mark.parametrize("kind, name", [case for case in CASES if case[0] in BY_PLAY])
def test_play_at_the_table_agrees(kind: str, name: str) -> None:
    for made in many(kind, name)[:SOME]:
        assert answer_of(made) == BY_PLAY[kind](kit.PRESETS[name], made), made


# What is asked, and of what.


@every_case
def test_the_same_seed_makes_an_equal_question(kind: str, name: str) -> None:
    rules = kit.PRESETS[name]
    for seed in range(20):
        assert question(kind, rules, seed) == asked(kind, name, seed) == question(kind, rules, str(seed))
    assert len({(made.ask, made.cards, made.shown) for made in many(kind, name)[:FEW]}) > FEW / 2


def every_question() -> str:
    """Questions of each kind for each preset, one a line."""
    return "\n".join(repr(question(kind, kit.PRESETS[name], seed)) for kind, name in CASES for seed in (0, "99/7"))


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_questions_in_a_fresh_process(hash_seed: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import test_questions; print(test_questions.every_question())"],
        cwd=os.path.dirname(__file__),
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not told.stderr
    assert told.stdout.splitlines() == every_question().splitlines()


@every_case
def test_a_question_shows_all_that_its_answer_needs_and_names_nothing_hidden(kind: str, name: str) -> None:
    answers: dict[Any, str] = {}
    for made in many(kind, name):
        assert answers.setdefault((made.ask, made.cards, made.shown), made.answer) == made.answer
        open_cards = {*shown_cards(made), *([led(made)] if kind == "follow" else [])}
        assert {*CARD.findall(f"{made.ask} {made.reason} {made.shown}")} <= open_cards
        assert len(made.cards) == len(set(made.cards))


def test_a_question_about_two_kings_says_how_many_play() -> None:
    kings = [made for made in many("border", "paranoia-ru") if [card.rank for card in made.cards] == ["K", "K"]]
    assert kings
    assert all(players_told(made) for made in kings)


@every_case
def test_a_question_is_clean_words_and_does_not_tell_its_answer(kind: str, name: str) -> None:
    for made in many(kind, name):
        words = [made.ask, made.reason, *(block for block in made.shown if isinstance(block, str))]
        for text in words:
            assert not re.search(r"[{}_-]|  |\bNone\b|\bTrue\b", text), text
        assert re.search(r"\?$|Choose all of them\.$", made.ask)
        assert "=" not in made.ask and "→" not in made.ask and made.reason not in words[:1]


FEWEST_ANSWERS = {"takes": 30, "follow": 100, "bid": 10, "score": 20, "total": 90, "safe": 200, "border": 6}


@every_case
def test_no_kind_has_one_answer_only(kind: str, name: str) -> None:
    answers = Counter(made.answer for made in many(kind, name))
    assert len(answers) >= FEWEST_ANSWERS[kind]
    (_, most), *_ = answers.most_common(1)
    assert most < 0.6 * len(many(kind, name))


@pytest.mark.parametrize("name", ["tricks-ru", "tricks-fr"])
def test_each_place_takes_the_trick_in_its_share(name: str) -> None:
    places = Counter(shown_cards(made).index(made.answer) for made in many("takes", name))
    assert min(places[place] for place in range(3)) >= MANY // 10


def test_trump_is_asked_about_where_the_text_has_it() -> None:
    trumps = {name: Counter(trick(made)[1] for made in many("takes", name)) for name in ("tricks-ru", "tricks-fr")}
    assert trumps["tricks-ru"] == {None: MANY}
    assert set(trumps["tricks-fr"]) == {None, *"♣♦♥♠"} and min(trumps["tricks-fr"].values()) >= MANY // 10
    ruffs = [made for made in many("takes", "tricks-fr") if made.answer[-1] != made.cards[0].suit]
    assert len(ruffs) >= MANY // 5


@pytest.mark.parametrize("name", ["tricks-ru", "tricks-fr"])
def test_the_hand_must_follow_in_some_questions_and_is_free_in_others(name: str) -> None:
    sizes = Counter(len(made.answer.split()) for made in many("follow", name))
    assert set(sizes) == {1, 2, 3, 4} and sizes[4] >= MANY // 5 and MANY - sizes[4] >= MANY // 5


@pytest.mark.parametrize("name", ["adding-ru", "adding-es", "adding-pl"])
def test_one_two_or_all_cards_are_safe_and_now_and_then_none(name: str) -> None:
    sizes = Counter(len(made.answer.split()) for made in many("safe", name))
    assert set(sizes) == {1, 2, 3} and min(sizes.values()) >= MANY // 10
    stuck = [made for made in many("safe", name) if "⊘" in made.reason and len(made.answer.split()) == 3]
    assert len([made for made in stuck if "No card is safe" in made.reason]) >= MANY // 50


def test_every_premium_and_its_loss_are_asked_about() -> None:
    for name, premiums in (("tricks-ru", ["declare"]), ("tricks-fr", ["declare", "reveal"])):
        rows = [(row, made) for made in many("score", name) for row in made.shown[0].rows if row[3] != "–"]
        met = Counter((row[3], row[1] == row[2]) for row, _ in rows)
        assert set(met) == {(premium, kept) for premium in premiums for kept in (True, False)}
        assert len(rows) < len(many("score", name)), "now and then nobody announces"


def test_every_border_and_both_pairs_are_asked_about() -> None:
    answers = Counter(whole(made.answer) for made in many("border", "paranoia-ru"))
    assert {-1, 0, 1, 2, 3} <= set(answers) and answers[0] >= MANY // 5
    for kind in ("total", "border"):
        pairs = Counter(str(made.cards[0].rank) for made in many(kind, "paranoia-ru") if len(made.cards) == 2)
        assert set(pairs) == {"3", "6", "9", "K"}


@pytest.mark.parametrize("name", ["adding-ru", "adding-es", "adding-pl", "paranoia-ru"])
def test_every_rank_and_each_of_its_effects_is_asked_about(name: str) -> None:
    met = {(rank(cards[0]), way) for _, cards, way in (lay(made, ".*") for made in many("total", name))}
    ranks = {key: ways if len(ways) > 1 else (None,) for key, ways in EFFECTS[name].items() if " " not in key}
    assert met >= {(key, way) for key, ways in ranks.items() for way in ways}


# What answers are taken.


def spellings(made: Question) -> Iterator[str]:
    """Ways to type the right answer."""
    if made.takes == "number":
        yield from (made.answer, made.answer.replace("−", "-"), f"  {made.answer} ")
        return
    cards = made.answer.split()
    letters = [card.translate(str.maketrans("♣♦♥♠", "CDHS")) for card in cards]
    tens = [card.replace("10", "T") for card in letters]
    outlines = [card.translate(str.maketrans("♣♦♥♠", "♧♢♡♤")) for card in cards]
    for written in (cards, letters, tens, outlines, [card + "\ufe0f" for card in cards]):
        for order in (written, written[::-1]):
            yield from (" ".join(order), ", ".join(order), ",".join(order), " ".join(order).lower())
    yield f"  {'   '.join(cards)},"


@every_case
def test_the_right_answer_is_taken_however_it_is_typed(kind: str, name: str) -> None:
    for made in many(kind, name)[:SOME]:
        for typed in spellings(made):
            assert made.judge(typed) is None, typed


def wrong_answers(made: Question) -> Iterator[str]:
    """Every other answer that could be meant: the other numbers, the other cards, all other choices of cards."""
    if made.takes == "number":
        right = whole(made.answer)
        yield from (str(other) for other in {*range(-70, 111), right - 1, right + 1, -right} - {right})
        return
    cards = shown_cards(made)
    for size in range(1, 2 if made.takes == "card" else len(cards) + 1):
        for chosen in combinations(cards, size):
            if set(chosen) != set(made.answer.split()):
                yield " ".join(chosen)


@every_case
def test_every_other_answer_is_wrong_and_is_told_the_right_one(kind: str, name: str) -> None:
    for made in many(kind, name)[:FEW]:
        for typed in wrong_answers(made):
            said = typed.replace("-", "−")
            assert made.judge(typed) == WrongAnswer(said, made.answer)
            assert kit.narrate(made.judge(typed)) == f"{said} is not right. The answer is {made.answer}."


NO_NUMBER = ["", "x", "five", "5 points", "5.5", "--5", "5−", "9♣"]
NO_CARD = ["x", "11♥", "♥", "10", "A♥ or", "A♥/K♥", "??"]


def refused(made: Question, typed: str, by: type[Refusal]) -> str:
    refusal = made.judge(typed)
    assert type(refusal) is by, (typed, refusal)
    return kit.narrate(refusal)


@every_case
def test_what_cannot_be_read_is_no_wrong_answer_and_is_told_what_to_write(kind: str, name: str) -> None:
    for made in many(kind, name)[:FEW]:
        if made.takes == "number":
            for typed in NO_NUMBER:
                told = refused(made, typed, NotANumber)
                assert told == f"“{typed}” is not a number. Write one such as 54 or −5."
            assert not isinstance(made.judge("54"), NotANumber) and not isinstance(made.judge("−5"), NotANumber)
            continue
        for typed in NO_CARD:
            assert "is not a card. Write a rank and a suit, as in 10♥ or 10H." in refused(made, typed, NotACard)
        (foreign,) = others(made, 1, kit.PRESETS[name])
        for typed in ("", " ", ",", foreign, f"{made.answer} {foreign}", " ".join(shown_cards(made)[:2])):
            if made.takes == "card" or typed != " ".join(shown_cards(made)[:2]):
                told = refused(made, typed, NotOffered)
                assert told == f"Choose from these cards: {' '.join(shown_cards(made))}."


def test_only_a_readable_answer_counts_in_the_quiz() -> None:
    quiz = Quiz(kit.TRICKS_RU, ["bid", "follow"], seed=1)
    for unreadable, readable in (("x", "55"), ("11♥", str(question("follow", kit.TRICKS_RU, "1/1").cards[0]))):
        before = quiz.asked
        quiz.answer(unreadable)
        assert (quiz.asked, quiz.done) == (before, False)
        quiz.answer(readable)
        assert (quiz.asked, quiz.done) == (before + 1, True)
        quiz.next()


@every_case
def test_a_kind_that_does_not_fit_is_refused_with_those_that_do(kind: str, name: str) -> None:
    rules = kit.PRESETS[name]
    for unknown in (*(set(KINDS) - set(KINDS_OF[name])), "bids", ""):
        with pytest.raises(Mistake) as refusal:
            question(unknown, rules, 1)
        assert str(refusal.value) == f"{name}: no questions “{unknown}”; there are: {', '.join(KINDS_OF[name])}"


# Changed rules: the question follows.


class Change(NamedTuple):
    kind: str
    rules: Rules
    book: Book


def changed(name: str, kind: str, book: dict[str, Any], **fields: Any) -> Any:
    rules = replace(kit.PRESETS[name], **fields)
    return pytest.param(Change(kind, rules, BOOKS[name]._replace(**book)), id=f"{kind}-{name}-{'-'.join(fields)}")


RU, PARANOIA = kit.ADDING_RU, kit.PARANOIA_RU
SEVEN_TURNS = {"effects": RU.effects | {"7": Effect(reverse=True)}}
FIVE_OR_MINUS_FIVE = {"effects": RU.effects | {"5": (Effect(add=5), Effect(add=-5)), "K": Effect(add=10)}}


@pytest.mark.parametrize(
    "change",
    [
        changed("tricks-ru", "bid", {"bid": BID | {"♥": 4}}, bid_values=kit.TRICKS_RU.bid_values | {"♥": 4}),
        changed("adding-ru", "total", {"effects": EFFECTS["adding-ru"] | {"7": ("+0",)}}, **SEVEN_TURNS),
        changed("adding-ru", "safe", {"effects": EFFECTS["adding-ru"] | {"7": ("+0",)}}, **SEVEN_TURNS),
        changed(
            "adding-ru",
            "total",
            {"effects": EFFECTS["adding-ru"] | {"5": ("+5", "−5"), "K": ("+10",)}},
            **FIVE_OR_MINUS_FIVE,
        ),
        changed("adding-pl", "safe", {"limit": 120}, limit=120),
        changed("adding-es", "safe", {"limit": 50}, limit=50),
        changed("paranoia-ru", "border", {"borders": {50: 4}}, milestones=(Milestone(50, 4),)),
        changed(
            "paranoia-ru",
            "border",
            {"borders": BORDERS | {110: 7}},
            limit=120,
            milestones=(
                *PARANOIA.milestones,
                Milestone(110, 7),
            ),
        ),
    ],
)
def test_a_question_follows_changed_rules(change: Change) -> None:
    made = [question(change.kind, change.rules, seed) for seed in range(300)]
    for one in made:
        assert answer_of(one) == ORACLES[change.kind](change.book, one), one
        for told in reasons(change.book, change.kind, one):
            assert told.replace("-", "−") in one.reason
    assert made != [asked(change.kind, change.rules.name, seed) for seed in range(300)]


def test_questions_about_a_new_limit_come_near_it() -> None:
    for limit in (50, 120):
        totals = [total_of_hand(question("safe", replace(RU, limit=limit), seed)) for seed in range(300)]
        assert limit - 15 <= min(totals) < max(totals) == limit


def test_questions_about_a_border_come_near_it() -> None:
    rules = replace(PARANOIA, milestones=(Milestone(50, 4),))
    totals = {lay(question("border", rules, seed), ".*")[0] for seed in range(300)}
    assert totals == set(range(38, 51))


def test_kinds_come_and_go_with_what_they_ask_about() -> None:
    assert kinds_for(replace(PARANOIA, milestones=())) == ("total",)
    assert kinds_for(replace(RU, milestones=(Milestone(33, 1),))) == ("total", "safe", "border")
    assert kinds_for(replace(kit.TRICKS_RU, bid_cards=0, premiums=())) == ("takes", "follow")


def test_trump_is_asked_about_in_the_russian_text_read_so() -> None:
    rules = kit.READINGS["trump"].read(kit.TRICKS_RU, "by bids made")
    made = [question("takes", rules, seed) for seed in range(300)]
    assert {trick(one)[1] for one in made} == {None, *"♣♦♥♠"}
    assert all(answer_of(one) == takes(BOOKS["tricks-ru"], one) for one in made)


READ = [
    (f"{name}: {choice}", game, reading.read(kit.PRESETS[game], choice))
    for name, reading in kit.READINGS.items()
    for choice in reading.choices
    for game in reading.presets
]


@pytest.mark.parametrize("rules", [pytest.param(rules, id=f"{game}-{read}") for read, game, rules in READ])
def test_every_reading_has_questions_with_a_reason_that_tells_the_answer(rules: Rules) -> None:
    for kind in kinds_for(rules):
        for seed in range(3 if kind == "score" else FEW):
            made = question(kind, rules, seed)
            if kind == "total":
                assert f" → {made.answer}." in made.reason
            elif kind == "safe":
                assert {*CARD.findall(made.reason)} == set(shown_cards(made))
                assert "No card is safe" in made.reason or all(
                    re.search(f"{card} → −?\\d+[,;.]", made.reason) for card in made.answer.split()
                )
            else:
                assert made.reason


@pytest.mark.parametrize(
    "kind, rules",
    [
        pytest.param("border", replace(PARANOIA, limit=80), id="border-over-the-limit"),
        pytest.param("follow", replace(kit.TRICKS_RU, hand_size=5), id="hands-of-two"),
    ],
)
def test_a_kind_that_fits_makes_a_question_of_every_seed(kind: str, rules: Rules) -> None:
    for seed in range(FEW):
        assert question(kind, rules, seed).answer
