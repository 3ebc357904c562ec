"""Cards are read as people type them, and a shuffle gives the same order on every machine."""

import random
from collections import Counter
from itertools import permutations

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.card import pack, shuffle


@pytest.mark.parametrize("text", ["10♥", "10H", "10h", "th", "T♥", "t♡", "10♥\ufe0f", " 10♥ "])
def test_a_card_is_read_as_people_type_it(text: str) -> None:
    assert kit.Card.parse(text) == kit.Card(kit.Rank.TEN, kit.Suit.HEARTS)
    assert str(kit.Card.parse(text)) == "10♥"


def test_every_card_is_read_back_from_its_text() -> None:
    assert [kit.Card.parse(str(card)) for card in pack()] == list(pack())


@pytest.mark.parametrize("text", ["", "Q", "♥", "10", "1♥", "11H", "QX", "QQH", "Q♥♥", "??", "Q♥ K♥"])
def test_what_is_no_card_is_refused_with_the_text_and_an_example(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        kit.Card.parse(text)
    told = str(refused.value)
    assert told.startswith(f"“{text}” is not a card: write a rank (2 3 4 5 6 7 8 9 10 J Q K A) and a suit")
    assert "10♥ or 10H" in told


def test_one_wrong_word_in_a_row_of_cards_is_named() -> None:
    with pytest.raises(ValueError, match="“1♦” is not a card"):
        kit.cards("6♣ 1♦ A♠")


def test_the_back_is_in_no_pack() -> None:
    assert str(kit.BACK) == "??"
    assert kit.BACK not in pack()


def test_a_pack_holds_every_card_once_in_a_fixed_order() -> None:
    assert " ".join(map(str, pack()[:14])) == "2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♣ 2♦"
    assert (len(pack()), set(Counter(pack()).values())) == (52, {1})
    assert (len(pack(packs=2)), set(Counter(pack(packs=2)).values())) == (104, {2})
    assert len(kit.TRICKS_RU.pack(3)) == len(set(kit.TRICKS_RU.pack(3))) == 36


def test_a_shuffle_is_the_same_everywhere() -> None:
    # Written down once. If this fails, every seed deals other cards than before.
    assert " ".join(map(str, shuffle(pack(), "99", 1, 0)[:8])) == "8♣ 10♠ Q♣ 2♥ 2♣ 6♦ Q♥ 2♦"


def test_a_shuffle_depends_on_each_part_of_its_key() -> None:
    keys = [("99", 1, 0), ("99", 1, 1), ("99", 2, 0), ("9", 91, 0), ("991", 0, 0), ("98", 1, 0)]
    assert len({shuffle(pack(), *key) for key in keys}) == len(keys)


def test_a_shuffle_leaves_the_global_generator_alone() -> None:
    before = random.getstate()
    assert sorted(shuffle(pack(), "99")) == sorted(pack())
    assert random.getstate() == before


def test_a_shuffle_gives_every_order_alike() -> None:
    seen = Counter(shuffle(kit.cards("6♣ 7♣ 8♣"), number) for number in range(6000))
    assert set(seen) == set(permutations(kit.cards("6♣ 7♣ 8♣")))
    assert all(900 < times < 1100 for times in seen.values())
