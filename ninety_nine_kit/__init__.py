"""Six card games called Ninety-nine, to learn, show and bend. The standard library is all it needs."""

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.agents import AGENTS, playout
from ninety_nine_kit.card import BACK, Card, Rank, Suit, cards
from ninety_nine_kit.dealing import deal, position
from ninety_nine_kit.game import (
    Announce,
    Bid,
    Give,
    History,
    IllegalActionError,
    NextDeal,
    Phase,
    Play,
    State,
    read_action,
)
from ninety_nine_kit.narration import narrate
from ninety_nine_kit.presets import (
    ADDING_ES,
    ADDING_PL,
    ADDING_RU,
    PARANOIA_RU,
    PRESETS,
    TRICKS_FR,
    TRICKS_RU,
)
from ninety_nine_kit.readings import READINGS, Reading
from ninety_nine_kit.record import RecordError, load, load_all, read_record, save, share_line, write_record
from ninety_nine_kit.rules import AddingRules, Chart, Effect, Milestone, Premium, Source, TrickRules
from ninety_nine_kit.show import html, text
from ninety_nine_kit.show.compare import differences, effect_table, side_by_side
from ninety_nine_kit.tricks import TrickState

__all__ = [
    "ADDING_ES",
    "ADDING_PL",
    "ADDING_RU",
    "AGENTS",
    "BACK",
    "PARANOIA_RU",
    "PRESETS",
    "READINGS",
    "TRICKS_FR",
    "TRICKS_RU",
    "AddingRules",
    "AddingState",
    "Announce",
    "Bid",
    "Card",
    "Chart",
    "Effect",
    "Give",
    "History",
    "IllegalActionError",
    "Milestone",
    "NextDeal",
    "Phase",
    "Play",
    "Premium",
    "Rank",
    "Reading",
    "RecordError",
    "Source",
    "State",
    "Suit",
    "TrickRules",
    "TrickState",
    "cards",
    "deal",
    "differences",
    "effect_table",
    "html",
    "load",
    "load_all",
    "narrate",
    "playout",
    "position",
    "read_action",
    "read_record",
    "save",
    "share_line",
    "side_by_side",
    "text",
    "write_record",
]
