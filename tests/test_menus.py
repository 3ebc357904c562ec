"""The two pages with menus: what the cards do in each game, and the unsure sentences."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from seeing import ADDING_GAMES, htmls, texts, words

import ninety_nine_kit as kit
from ninety_nine_kit.show.compare import differences, effect_table
from ninety_nine_kit.teaching import example_grid
from ninety_nine_kit.widgets import EffectTable, ReadingPage

pytestmark = pytest.mark.usefixtures("no_handler_fails")


def page(panel: Any) -> str:
    return words(" ".join(htmls(panel)))


@pytest.mark.parametrize("rules", ADDING_GAMES, ids=lambda rules: rules.name)
def test_the_menu_puts_any_other_game_beside_one_or_shows_only_what_differs(rules: Any) -> None:
    table, others = EffectTable(rules), [game for game in ADDING_GAMES if game is not rules]
    ranks = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    (grid,) = table.blocks()
    assert grid.head == ("Card", rules.title)
    assert [row[0] for row in grid.rows] == [*ranks, *(f"{rank}-{rank}" for rank in rules.pairs)]
    assert [name for name, _ in table.other.options] == ["no other game", *(game.title for game in others)]
    for other, only in product(others, (False, True)):
        table.other.value, table.only.value = other, only
        (shown,) = table.blocks()
        assert shown == effect_table(rules, other, only_differences=only)
        assert all(cell in page(table) and cell in repr(table) for row in (shown.head, *shown.rows) for cell in row)
    table.other.index = 0
    assert (table.other.label, table.blocks()[0].rows) == ("no other game", grid.rows)


def test_rules_of_ones_own_stand_beside_their_preset() -> None:
    mine = replace(kit.ADDING_RU, title="My nines", effects=kit.ADDING_RU.effects | {"9": kit.Effect(add=9)})
    table = EffectTable(mine, kit.ADDING_RU)
    table.only.value = True
    assert table.blocks()[0].rows == (("9", "+9", "total becomes 0", "≠"),)
    assert "+7" not in page(table)
    assert EffectTable(kit.ADDING_RU, mine).other.label == "My nines"


@pytest.mark.parametrize("other", [None, kit.ADDING_ES])
def test_a_restart_of_the_effect_table_shows_its_first_page(other: Any) -> None:
    table = EffectTable(kit.ADDING_RU, other)
    first = texts(table)
    table.other.value = kit.PARANOIA_RU
    table.only.value = True
    table.restart()
    assert texts(table) == first


@pytest.mark.parametrize("name", kit.READINGS)
def test_every_meaning_of_a_sentence_shows_its_quote_example_and_differences(name: str) -> None:
    """Chosen in the menus or from a cell."""
    reading, chosen, called = kit.READINGS[name], ReadingPage(), ReadingPage()
    preset = kit.PRESETS[reading.presets[0]]
    chosen.name.value = name
    assert chosen.choice.value == reading.taken
    assert dict(chosen.choice.options) == {choice.words: key for key, choice in reading.choices.items()}
    lines = [*reading.quote.splitlines(), reading.meaning, reading.source, example_grid(name).caption]
    lines += [kit.PRESETS[other].title for other in reading.presets]
    seen = set()
    for choice in reading.choices:
        chosen.choice.value = choice
        called.choose(name, choice)
        assert texts(called) == texts(chosen)
        assert called.rules == reading.read(preset, choice)
        for told in (page(called), " ".join(repr(called).split())):
            assert all(" ".join(line.split()) in told for line in lines)
        changed = differences(called.rules, preset)
        assert all(cell in page(called) for cell in (changed.caption, *(cell for row in changed.rows for cell in row)))
        assert bool(changed.rows) == (called.rules != preset)
        seen.add(page(called))
    assert len(seen) == len(reading.choices)


def test_unknown_sentences_and_meanings_are_refused_and_change_nothing_and_a_restart_goes_back() -> None:
    panel = ReadingPage("king")
    first = texts(panel)
    panel.choose("king", "adds ten")
    before = texts(panel)
    for name, choice, told in (
        ("queen", "any", "^no reading “queen”; there are: failed premium, match,"),
        ("nine", "three", "no reading “three” here; there are: becomes zero, adds nothing"),
    ):
        with pytest.raises(ValueError, match=told):
            panel.choose(name, choice)
        assert texts(panel) == before
    panel.restart()
    assert texts(panel) == first
