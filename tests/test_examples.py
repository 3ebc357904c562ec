"""Every reading has an example in which each of its choices makes something else happen, as worked out by hand."""

from gettext import NullTranslations

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit import narration
from ninety_nine_kit.show.blocks import html_grid, text_grid
from ninety_nine_kit.teaching.examples import EXAMPLES, example_grid, outcomes

each_reading = pytest.mark.parametrize("name", kit.READINGS)

# Worked out by hand from the texts; W… are the worked examples with the same values.
HAND_MADE = [
    ("failed premium", "holder loses 60", "4 − 60 = −56.", "3 + 20 = 23.", "2 + 20 = 22."),  # W54
    ("failed premium", "others gain 30", "bid failed: 4.", "3 + 20 + 30 = 53.", "2 + 20 + 30 = 52."),
    ("match", "three games", "A wins the match."),
    ("match", "first to three", "A deals the next one."),
    ("trump", "none", "no trump"),
    ("trump", "by bids made", "Trump in this deal: ♥."),  # W38
    ("reveal", "60 in all", "9 + 30 + 60 = 99.", "A deals the next one."),  # W57; 99 is not yet 100
    ("reveal", "60 more", "9 + 30 + 90 = 129.", "A wins the match."),
    ("nine", "becomes zero", "47 → 0."),
    ("nine", "adds nothing", "47 → 47."),
    ("first total", "0", "0 → 7."),
    ("first total", "3", "3 → 10."),
    ("reverse card", "four", "33 → 41.", "B: play a card."),
    ("reverse card", "eight", "33 → 33.", "counter-clockwise", "C: play a card."),
    ("king", "becomes 99", "47 → 99."),
    ("king", "adds ten", "47 → 57."),
    ("after a loss", "play on", "The total is 99.", "B: play a card."),  # W96
    ("after a loss", "new deal", "Deal 2. Dealer: B.", "The total is 0.", "C: play a card."),
    ("going over", "only when stuck", "⊘ 7♥ would make 103, which is over 99."),
    ("going over", "at any time", "would make 103. It does not count", "A has no life left and is out."),
    ("below zero", "allowed", "5 → −5."),  # W110
    ("below zero", "stays at zero", "5 → 0."),
    ("below zero", "forbidden", "⊘ 10♥ would make −5"),
    ("pot", "none", "A wins the match."),
    ("pot", "one a turn", "which holds 1 now.", "which holds 2 now.", "A takes the pot of 2."),
    ("objective", "most points", "3 − 1 = 2", "A wins the match."),  # 4 + 2 against 3 and 0
    ("objective", "fewest points", "3 + 1 = 4", "C wins the match."),  # 4 + 4 against 3 and 0
    ("falling total", "upward only", "40 → 30."),  # W120
    ("falling total", "both ways", "40 → 30.", "A crosses 33: 1 point."),
    ("court crossing", "on top", "3 − 1 = 2"),  # W127
    ("court crossing", "instead", "A scores −1 "),  # W140
    ("court suits", "any", "3 − 1 = 2"),  # W127
    ("court suits", "penalty cards only", "A scores 3 "),
    ("two kings", "no exchange", "40 → 50.", "B: play a card."),
    ("two kings", "exchange", "40 → 50.", "A calls an exchange", "A: choose a card to pass"),
    ("pair direction", "layer chooses", "=33 → 33, =33 reverse → 33."),
    ("pair direction", "always turns", "50 → 33.", "counter-clockwise", "C: play a card."),  # W131
    ("pair direction", "never turns", "50 → 33.", "B: play a card."),
    ("last draw", "only then", "A shows 5♣ 6♦: 0.", "A scores 3 "),
    ("last draw", "always", "A draws Q♠.", "3 − 5 = −2"),
    ("two packs", "from four", "4 players: 92 ", "5 players: 89 "),  # 104 − 12, 104 − 15
    ("two packs", "from five", "4 players: 40 ", "5 players: 89 "),  # 52 − 12
    ("two packs", "always one", "4 players: 40 ", "5 players: 37 "),  # 52 − 15
    ("next starter", "dealer's left", "Dealer: A.", "B: play a card."),
    ("next starter", "loser", "Dealer: A.", "A: play a card."),
    ("first direction", "clockwise", "B: play a card."),
    ("first direction", "counter-clockwise", "C: play a card."),
    ("end of the match", "first loser ends it", "A has no life left and is out.", "B wins the match."),
    ("end of the match", "last one in", "A has no life left and is out.", "B deals the next one."),
    ("two players", "three or more", "⊘ Not for 2 players. Allowed: 3, 4, 5, 6, 7, 8."),
    ("two players", "two or more", "2 players: 46 "),  # 52 − 6
    ("last chip", "out at once", "A has no life left and is out."),
    ("last chip", "one more loss", "A loses a life and has 1 left.", "A deals the next one."),
]


def test_every_reading_has_an_example_in_a_game_that_it_is_about() -> None:
    assert list(EXAMPLES) == list(kit.READINGS)
    assert {name for name, example in EXAMPLES.items() if example.preset not in kit.READINGS[name].presets} == set()


@each_reading
def test_each_choice_has_a_short_row_of_its_own(name: str) -> None:
    choices, rows = kit.READINGS[name].choices, example_grid(name).rows
    assert [str(words).removesuffix(" ✓ (our choice)") for words, _ in rows] == [c.words for c in choices.values()]
    told = [str(happens) for _, happens in rows]
    assert len(set(told)) == len(told)
    assert all(0 < len(happens) < 160 for happens in told)


@each_reading
def test_the_row_marked_as_taken_is_what_the_game_itself_does(name: str) -> None:
    reading = kit.READINGS[name]
    preset = kit.PRESETS[EXAMPLES[name].preset]
    assert reading.read(preset, reading.taken) == preset
    marked = [happens for words, happens in example_grid(name).rows if str(words).endswith("✓ (our choice)")]
    assert marked == [outcomes(name)[reading.taken]]


def test_the_hand_made_table_has_every_choice_once() -> None:
    every = [(name, choice) for name, reading in kit.READINGS.items() for choice in reading.choices]
    assert [(name, choice) for name, choice, *_ in HAND_MADE] == every


@pytest.mark.parametrize(("name", "choice", "words"), [(row[0], row[1], row[2:]) for row in HAND_MADE])
def test_what_happens_is_what_was_worked_out_by_hand(name: str, choice: str, words: tuple[str, ...]) -> None:
    told = outcomes(name)[choice]
    assert [part for part in words if part not in told] == []


@each_reading
def test_the_cards_that_the_situation_names_are_held_or_next_in_the_stock(name: str) -> None:
    example = EXAMPLES[name]
    words = example.told.replace(".", " ").replace(",", " ").split()
    named = {word for word in words if word[-1] in "♣♦♥♠"}
    assert named <= set(" ".join([*example.hands, *example.fields.get("stock", "").split()[:1]]).split())


@each_reading
def test_every_text_of_an_example_can_be_translated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Marked(NullTranslations):
        def gettext(self, message: str) -> str:
            return f"~{message}"

        def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
            return f"~{msgid1 if n == 1 else msgid2}"

    monkeypatch.setattr(narration, "catalogue", lambda lang: Marked())
    grid = example_grid(name, "xx")
    texts = [grid.caption, *grid.head, *(str(cell) for row in grid.rows for cell in row)]
    assert [text for text in texts if not text.removeprefix("⊘ ").startswith("~")] == []


def test_an_example_can_be_drawn_as_text_and_as_html() -> None:
    grid = example_grid("nine")
    assert "47 → 0." in text_grid(grid)
    assert ">The total is 47. A lays the 9♥.</caption>" in html_grid(grid)
