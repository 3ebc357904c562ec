"""The bid picker: cards laid aside by pressing them, and all the ways to say a number."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from seeing import faces, htmls, press, texts, told, words

import ninety_nine_kit as kit
from ninety_nine_kit.widgets import BidPicker, Table

pytestmark = pytest.mark.usefixtures("no_handler_fails")

RULES = [
    kit.TRICKS_RU,
    kit.TRICKS_FR,
    replace(kit.TRICKS_RU, name="other values", bid_values={"♣": 5, "♦": 1, "♥": 0, "♠": 2}),
    replace(kit.TRICKS_RU, name="two cards", bid_cards=2),
]
EACH = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)


def test_the_sum_and_the_cards_left_run_along() -> None:
    picker = BidPicker(kit.TRICKS_RU, 99)
    for card, expected in (
        ("J♠", "♠1 = 1 · Choose 2 more."),
        ("9♣", "♣3 + ♠1 = 4 · Choose 1 more."),
        ("A♥", "♣3 + ♥2 + ♠1 = 6"),
    ):
        press(picker, card)
        assert expected in told(picker)
        assert expected in repr(picker)
    assert "Choose" not in told(picker)
    assert "Left in hand (9): 7♣ 10♣ 2 10♥ 1 10♠ Q♠ 2 9♦ J♦ Q♦ A♦ 4" in told(picker)
    assert "Left in hand (9): 7♣ 10♣ · 10♥ · 10♠ Q♠ · 9♦ J♦ Q♦ A♦" in repr(picker)


@EACH
def test_every_card_can_be_taken_back_and_one_too_many_is_refused_in_words(rules: Any) -> None:
    picker, needed = BidPicker(rules, 99), rules.bid_cards
    cards = faces(picker)
    assert len(cards) == 12
    for card in cards:
        press(picker, card)
        assert faces(picker, "nn-picked") == [card]
        press(picker, card)
        assert faces(picker, "nn-picked") == []
        assert f"Choose {needed} more." in told(picker)
    press(picker, *cards[: needed + 1])
    for shown in (told(picker), repr(picker)):
        assert f"⊘ Choose {needed} cards, not {needed + 1}." in shown
    press(picker, cards[0])
    assert (faces(picker, "nn-picked"), "⊘" in told(picker)) == (cards[1:needed], False)


@EACH
@pytest.mark.parametrize("seed", [1, 99])
def test_every_way_to_say_a_number_is_counted(rules: Any, seed: int) -> None:
    picker = BidPicker(rules, seed)
    bids = list(combinations(kit.cards(" ".join(faces(picker))), rules.bid_cards))
    for number in range(rules.bid_cards * max(rules.bid_values.values()) + 1):
        picker.number.value = number
        expected = [set(cards) for cards in bids if sum(rules.bid_values[card.suit] for card in cards) == number]
        grid = picker.ways()
        assert grid.caption == f"Ways in which this hand can say {number}: {len(expected)}"
        assert grid.caption in words(" ".join(htmls(picker)))
        kinds = Counter("".join(sorted(card.suit for card in cards)) for cards in expected)
        assert {"".join(sorted(row[0].split())): int(row[2]) for row in grid.rows} == kinds
        for suits, sum_, _, example in grid.rows:
            assert set(example) in expected
            assert suits.split() == [card.suit for card in example]
            assert [int(n) for n in sum_.split(" + ")] == [rules.bid_values[card.suit] for card in example]


@pytest.mark.parametrize("rules", RULES[:2], ids=lambda rules: rules.name)
def test_the_deal_number_brings_the_hand_of_the_eldest_in_that_deal_and_a_restart_the_first_one(rules: Any) -> None:
    picker = BidPicker(rules, 99)
    first = texts(picker)
    for seed in (7, 1_000_000_000, 99):
        press(picker, *faces(picker)[:4])
        picker.seed.value = seed
        start = Table(rules, seed=seed).history.states[0]
        assert set(faces(picker)) == set(map(str, start.hands[(start.dealer + 1) % 3]))
        assert "Choose 3 more." in told(picker)
    assert texts(picker) == first
    press(picker, *faces(picker)[:4])
    picker.number.value = 3
    picker.restart()
    assert texts(picker) == first


def test_a_card_that_the_hand_lacks_is_refused_with_those_that_it_has() -> None:
    for card, reason in (("2♣", "no button “2♣” now; there are: 7♣, 9♣, "), ("hello", "“hello” is not a card")):
        with pytest.raises(ValueError, match=reason):
            BidPicker(kit.TRICKS_RU, 99).click(card)
