"""Cards: suits, ranks, packs and a shuffle that gives the same order on every machine."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from random import Random
from typing import NamedTuple
from unicodedata import category


class Mistake(ValueError):
    """A wrong value, told in a sentence that says what to do; a notebook shows the sentence and no traceback."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback."""
        return [f"{type(self).__name__}: {self}"]


def hidden_signs(text: str) -> set[str]:
    """Characters that no text from outside may hold: they command a terminal, turn the direction of writing, break a
    line or cannot be seen. Those that join letters, in names of some languages and in emoji, are not among them.

    >>> hidden_signs("a\x1b[2J\u202eb") == {"\x1b", "\u202e"}
    True
    """
    if text.isprintable():
        return set()
    return {c for c in text if category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c not in "\u200c\u200d"}


def plain(text: str) -> str:
    """The text with � for each such character."""
    signs = hidden_signs(text)
    return text.translate(dict.fromkeys(map(ord, signs), "�")) if signs else text


class Suit(StrEnum):
    CLUBS = "♣"
    DIAMONDS = "♦"
    HEARTS = "♥"
    SPADES = "♠"


class Rank(StrEnum):
    """From low to high at tricks; in the adding games the order means nothing."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"


# How people type cards: letters for suits, T for ten, emoji and outline suit signs.
_TYPED = str.maketrans({**dict(zip("CDHS♧♢♡♤", "♣♦♥♠" * 2, strict=True)), "\ufe0f": None})


def read_rank(text: str) -> Rank:
    """The rank that a text names, in any case; `T` is ten.

    >>> read_rank("t")
    <Rank.TEN: '10'>
    """
    name = text.strip().upper()
    try:
        return Rank("10" if name == "T" else name)
    except ValueError:
        raise Mistake(f"“{text}” is not a rank: use one of {' '.join(Rank)}") from None


def read_suit(text: str) -> Suit:
    """The suit that a text names: its sign, or a letter C D H S in any case."""
    try:
        return Suit(text.strip().upper().translate(_TYPED))
    except ValueError:
        raise Mistake(f"“{text}” is not a suit: use one of {' '.join(Suit)} or C D H S") from None


class Card(NamedTuple):
    """A playing card. `str(card)` is rank then suit.

    >>> print(Card.parse("TH"), Card(Rank.ACE, Suit.SPADES))
    10♥ A♠
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Reads `10♥`, `10H` or `th`; ValueError says what a card looks like."""
        if text in _BY_NAME:
            return _BY_NAME[text]
        sign = text.strip().replace("\ufe0f", "")
        try:
            return cls(read_rank(sign[:-1]), read_suit(sign[-1:]))
        except ValueError:
            raise Mistake(
                f"“{text}” is not a card: write a rank ({' '.join(Rank)}) and a suit (♣ ♦ ♥ ♠ or C D H S), "
                "as in 10♥ or 10H"
            ) from None

    def __str__(self) -> str:
        return self.rank + self.suit


#: The back of a card that the viewer may not see. Not in any pack; prints as `??`.
BACK = Card("?", "?")  # type: ignore[arg-type]

_ORDER = {Card(rank, suit): index for index, (suit, rank) in enumerate((s, r) for s in Suit for r in Rank)}
_BY_NAME = {str(card): card for card in _ORDER}


def card_order(card: Card) -> int:
    """Sort key: by suit ♣♦♥♠, then rank; backs come last."""
    return _ORDER.get(card, len(_ORDER))


def cards(text: str) -> tuple[Card, ...]:
    """Reads cards divided by spaces.

    >>> cards("6♣ 7♣ A♦") == cards("6c 7c ad")
    True
    """
    return tuple(Card.parse(word) for word in text.split())


def read_cards(given: str | Iterable[Card | str]) -> tuple[Card, ...]:
    """Cards from a text or from cards and single texts mixed: what a person may hand to `deal` or `position`."""
    if isinstance(given, str):
        return cards(given)
    return tuple(Card.parse(card) if isinstance(card, str) else card for card in given)


def listed(given: Iterable[Card]) -> str:
    """Cards in words' order, divided by spaces: `6♣ 7♣`."""
    return " ".join(map(str, given))


#: In how many of a hundred tricks the highest, second highest … card of a suit wins, by rough experience. Whole
#: numbers, since sums of fractions differ in their last bit between Python versions, and so would the bids.
STRENGTH = (85, 60, 40, 25, 15, 10)


def pack(ranks: Iterable[Rank] = Rank, packs: int = 1) -> tuple[Card, ...]:
    """Every card of the ranks in all four suits, `packs` times, in a fixed order."""
    return tuple(Card(rank, suit) for suit in Suit for rank in ranks) * packs


def stream(*key: int | str) -> Random:
    """A random generator made from its key alone. Draw with `random()`: the one stream that Python keeps the same."""
    return Random("/".join(map(str, key)))


def shuffle(given: Sequence[Card], *key: int | str) -> tuple[Card, ...]:
    """The cards in an order that depends on their order and the key only (Fisher and Yates)."""
    shuffled, draw = list(given), stream(*key).random
    for last in range(len(shuffled) - 1, 0, -1):
        other = int(draw() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return tuple(shuffled)
