"""Events in words: English from the code, other languages from the catalogues in `locale/`."""

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations, find, translation

from ninety_nine_kit.card import BACK, Card, Mistake, Suit, listed, plain
from ninety_nine_kit.events import N_, Event

DOMAIN = "ninety_nine_kit"
LOCALE = os.path.join(os.path.dirname(__file__), "locale")
SEATS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

#: What a learner should do in each phase (the values of `game.Phase`).
DO_NOW = {
    "bid": N_("first lay cards aside for a bid."),
    "announce": N_("first announce a premium, or pass."),
    "play": N_("it is time to play a card."),
    "give": N_("first choose one card to pass."),
    "deal over": N_("the deal is over; go on with the next deal."),
    "match over": N_("the match is over; start a new game."),
}


def languages() -> tuple[str, ...]:
    """English and every language that has a catalogue here."""
    folders = os.listdir(LOCALE) if os.path.isdir(LOCALE) else []
    return ("en", *sorted(lang for lang in folders if find(DOMAIN, LOCALE, [lang])))


@lru_cache
def catalogue(lang: str) -> NullTranslations | GNUTranslations:
    """The catalogue of a language; ValueError names those that there are."""
    if lang == "en":
        return NullTranslations()
    if find(DOMAIN, LOCALE, [lang]) is None:
        raise Mistake(f"no language “{lang}” here; there are: {', '.join(languages())}")
    return translation(DOMAIN, LOCALE, [lang])


def translator(lang: str) -> Callable[[str], str]:
    """The function that turns an English text of the kit into the language."""
    return catalogue(lang).gettext


def number(value: object) -> str:
    """A number, or an effect or a move with a number in it, as it is shown: with a real minus sign."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    return f"+{value}" if value >= 0 else number(value)


def seat_name(seat: int, names: Sequence[str] | None = None) -> str:
    """The name given for the seat, or its letter A, B, C …"""
    if isinstance(names, str):
        raise TypeError(f"names is a list with a name for each seat, not one text: [{names!r}, …]")
    return (plain(names[seat]).strip() if names and seat < len(names) else "") or SEATS[seat]


def working(parts: Sequence[int]) -> str:
    """How points come about: `9 + 30 + 60 = 99`. Parts of 0 are left out.

    >>> working((4, 0, -60)), working((0, 0, 0)), working((0, 30, 0))
    ('4 − 60 = −56', '0', '30')
    """
    counted = [part for part in parts if part]
    if not counted:
        return "0"
    first, *others = counted
    sum_ = number(first) + "".join(f" {'+' if part > 0 else '−'} {abs(part)}" for part in others)
    return f"{sum_} = {number(sum(counted))}" if others else sum_


def narrate(event: Event, lang: str = "en", names: Sequence[str] | None = None) -> str:
    """One event in words. `names` by seat; plain text, nothing is escaped.

    >>> from ninety_nine_kit.card import Card
    >>> from ninety_nine_kit.events import CardPlayed
    >>> narrate(CardPlayed(0, Card.parse("7♥")), names=["Ann", "Ben", "Cem"])
    'Ann plays 7♥.'
    """
    known = catalogue(lang)
    message = event.message
    text = known.gettext(message) if isinstance(message, str) else known.ngettext(*message)
    return text.format(**_words(event, known.gettext, names))


def _words(event: Event, say: Callable[[str], str], names: Sequence[str] | None) -> dict[str, str]:
    """Every field of the event as it stands in a sentence, and the fields that are made from others."""
    words = vars(event)
    said = {name: _word(name, value, say, names) for name, value in words.items()}
    if "parts" in words:
        said["working"] = working(words["parts"])
    if "cards" in words:
        said["count"] = number(len(words["cards"]))
    if words.get("effect") and "total" in words:  # that the direction turns is told by an event of its own
        said["effect"] = number(words["effect"]).removesuffix(" reverse").removeprefix("=")
    if "phase" in words:
        said["todo"] = say(DO_NOW[words["phase"]])
    return said


def _word(name: str, value: object, say: Callable[[str], str], names: Sequence[str] | None) -> str:
    match name, value:
        case (("seat" | "dealer" | "to"), int(seat)):
            return seat_name(seat, names)
        case "seats", tuple(seats):
            return ", ".join(seat_name(seat, names) for seat in seats)
        case "choices", tuple(choices):
            return number(", ".join(f"{effect} → {total}" for effect, total in choices))
        case (("premium" | "taken" | "hint"), str(text)):
            return say(text)
        case "effect", str(effect):
            return number(effect)
        case _, (Card() | Suit()) as sign:
            return str(sign)
        case _, tuple(cards):
            return listed(cards)
        case _, int(points):
            return number(points)
    return plain(str(value))


#: The announcements that every game knows by name, possible or not.
PREMIUM_NAMES = (N_("declare"), N_("reveal"))

_SUIT_NAMES = {"♣": N_("clubs"), "♦": N_("diamonds"), "♥": N_("hearts"), "♠": N_("spades")}
_COURT_NAMES = {"J": N_("jack"), "Q": N_("queen"), "K": N_("king"), "A": N_("ace")}


def card_words(card: Card, lang: str = "en") -> str:
    """A card's name for the ear: “queen of hearts”."""
    say = translator(lang)
    if card == BACK:
        return say("a hidden card")
    rank = say(_COURT_NAMES[card.rank]) if card.rank in _COURT_NAMES else str(card.rank)
    return say("{rank} of {suit}").format(rank=rank, suit=say(_SUIT_NAMES[card.suit]))
