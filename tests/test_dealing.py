"""The same seed deals the same cards, real packs are dealt as they lie, and a set-up that cannot be is refused."""

import random
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from playing import cards_of

import ninety_nine_kit as kit

RULES = list(kit.PRESETS.values())
by_name = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
PACK = kit.TRICKS_RU.pack(3)


@by_name
def test_the_number_99_and_the_text_99_are_one_deal_and_98_is_another(rules: Any) -> None:
    number, text, other = (kit.deal(rules, seed=seed) for seed in (99, "99", 98))
    assert (number.hands, number.stock, number.dealer) == (text.hands, text.stock, text.dealer)
    assert number.hands != other.hands


@by_name
def test_a_seed_that_was_drawn_is_kept_so_that_the_deal_can_be_had_again(rules: Any) -> None:
    before = random.getstate()
    drawn = kit.deal(rules)
    assert kit.deal(rules, seed=drawn.seed) == drawn
    assert kit.deal(rules) != drawn
    assert random.getstate() == before


@by_name
def test_the_dealer_is_drawn_by_lot_and_the_seat_to_the_left_begins(rules: Any) -> None:
    first = [kit.deal(rules, seed=seed) for seed in range(90)]
    lots = Counter(state.dealer for state in first)
    assert set(lots) == {0, 1, 2}
    assert min(lots.values()) > 15
    assert all(state.to_act == (state.dealer + 1) % 3 for state in first)
    assert kit.deal(rules, seed=99, dealer=1).dealer == 1


@pytest.mark.parametrize(
    "rules, players, allowed",
    [
        (kit.TRICKS_RU, 4, "3"),
        (kit.TRICKS_FR, 2, "3"),
        (kit.ADDING_RU, 6, "2, 3, 4, 5"),
        (kit.ADDING_ES, 2, "3, 4, 5, 6, 7, 8"),
        (kit.ADDING_PL, 9, "2, 3, 4, 5, 6, 7, 8"),
        (kit.PARANOIA_RU, 1, "2, 3, 4, 5"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_wrong_number_of_players_is_refused_with_those_allowed(rules: Any, players: int, allowed: str) -> None:
    told = f"{rules.name}: is not for {players} players; allowed: {allowed}"
    for make in (lambda: kit.deal(rules, players, seed=99), lambda: kit.position(rules, ["6♣"] * players)):
        with pytest.raises(ValueError) as refused:
            make()
        assert str(refused.value) == told


@pytest.mark.parametrize("dealer", [3, -1, "A"])
def test_a_dealer_who_does_not_sit_there_is_refused(dealer: Any) -> None:
    with pytest.raises(ValueError, match=f"adding-ru: dealer is {dealer!r}, but the seats are 0 to 2"):
        kit.deal(kit.ADDING_RU, seed=99, dealer=dealer)


def test_a_pack_is_dealt_as_it_lies_one_card_at_a_time_from_the_dealers_left() -> None:
    pack = kit.ADDING_RU.pack(3)
    as_text = " ".join(map(str, pack))
    for given in (pack, [pack], as_text, as_text.split(), [as_text]):
        state = kit.deal(kit.ADDING_RU, seed=99, dealer=0, packs=given)
        assert state.hands == (kit.cards("4♣ 7♣ 10♣"), kit.cards("2♣ 5♣ 8♣"), kit.cards("3♣ 6♣ 9♣"))
        assert state.stock == pack[9:]


def test_each_deal_has_its_own_pack_and_then_the_seed_shuffles_on() -> None:
    rules = replace(kit.TRICKS_RU, target=1000)
    packs = [PACK, PACK[::-1]]
    played = {}
    for seed in (1, 2):
        state, dealt = kit.deal(rules, seed=seed, dealer=0, packs=packs), []
        while state.deal_number < 3:
            dealt += [state.hands] * (state.phase is kit.Phase.BID and not any(state.bids))
            state = state.apply(state.legal_actions()[0])
        played[seed] = [*dealt, state.hands]
    assert played[1][:2] == played[2][:2]
    assert set(played[1][0][1]) == set(PACK[0::3])
    assert set(played[1][1][2]) == set(PACK[::-1][0::3])
    assert played[1][2] != played[2][2]


@pytest.mark.parametrize(
    "packs, wrong",
    [
        (PACK[:-1], "lacks A♠"),
        ((*PACK[:-1], PACK[0]), "lacks A♠ and has 6♣ too many"),
        ((*PACK, *kit.cards("2♣")), "has 2♣ too many"),
        ([PACK, PACK[1:]], "lacks 6♣"),
        ([], "lacks 6♣ 7♣"),
        ("", "lacks 6♣ 7♣"),
    ],
)
def test_a_pack_that_is_not_whole_is_refused_with_the_cards(packs: Any, wrong: str) -> None:
    with pytest.raises(ValueError) as refused:
        kit.deal(kit.TRICKS_RU, seed=99, packs=packs)
    assert str(refused.value).startswith(f"tricks-ru: the pack given {wrong}")


def test_a_pack_with_a_wrong_card_text_is_refused_by_that_text() -> None:
    with pytest.raises(ValueError, match="“1♥” is not a card"):
        kit.deal(kit.TRICKS_RU, seed=99, packs="6♣ 1♥")


def test_the_cards_that_a_position_does_not_place_are_the_stock_in_an_order_of_the_seed() -> None:
    fields = {"total": 40, "pile": "9♣ 9♦"}
    first, again, other = (kit.position(kit.PARANOIA_RU, ["5♣ 6♣", "2♦ 3♦"], seed=seed, **fields) for seed in (1, 1, 2))
    assert cards_of(first) == Counter(kit.PARANOIA_RU.pack(2))
    assert len(first.stock) == 46
    assert first == again
    assert first.stock != other.stock
    assert Counter(first.stock) == Counter(other.stock)


def test_a_position_begins_as_a_first_deal_does() -> None:
    state = kit.position(kit.ADDING_RU, ["5♣", "2♦", "3♦"])
    assert (state.dealer, state.to_act, state.deal_number, state.total, state.direction) == (2, 0, 1, 0, 1)
    assert state.apply("5♣").to_act == 1


BIDS = ["6♦ 7♦ 8♦", "6♣ 7♣ 8♣", "9♦ 10♦ J♦"]


@pytest.mark.parametrize(
    "rules, hands, fields, told",
    [
        (kit.ADDING_RU, ["5♣ 5♣", "2♦"], {}, "the pack does not hold 5♣ so often"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"pile": "5♣"}, "the pack does not hold 5♣ so often"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"stock": "2♦"}, "the pack does not hold 2♦ so often"),
        (kit.TRICKS_RU, ["2♥", "7♥", "8♥"], {"bids": BIDS}, "the pack does not hold 2♥ so often"),
        (kit.ADDING_RU, ["5♣", "1♦"], {}, "“1♦” is not a card"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"totl": 40}, "a position has no field “totl”; it has deal_number, dealer,"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"trump": "♥"}, "a position has no field “trump”; it has deal_number, dealer,"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"total": 100}, "a total of 100 is over 99"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"direction": 0}, "direction is 1 (clockwise) or -1, not 0"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"lives": (1,)}, "lives needs one entry for each of 2 players"),
        (kit.ADDING_RU, ["5♣", ""], {"lives": (1, 0)}, "at least two players must have a life left"),
        (kit.ADDING_RU, ["5♣", "", "2♦"], {}, "seat 1 needs cards and a life, or neither"),
        (kit.ADDING_RU, ["5♣", "3♦", "2♦"], {"lives": (1, 0, 1)}, "seat 1 needs cards and a life, or neither"),
        (kit.ADDING_RU, ["5♣ 6♣ 7♣ 8♣", "2♦"], {}, "seat 0 holds more than 3 cards"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"to_act": 2}, "to_act is 2, but the seats are 0 to 1"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"dealer": 2}, "dealer is 2, but the seats are 0 to 1"),
        (kit.ADDING_RU, ["5♣", "", "2♦"], {"lives": (1, 0, 1), "to_act": 1}, "seat 1 is to act but has no life left"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"phase": "bid"}, "a position starts when a card is to be laid"),
        (kit.PARANOIA_RU, ["5♣", "2♦"], {"phase": "give"}, "a position starts when a card is to be laid"),
        (kit.ADDING_RU, ["5♣", "2♦"], {"phase": "gone"}, "'gone' is not a valid Phase"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"phase": "bid"}, "give bids, or hands of more than 3 cards to bid from"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS[:2]}, "bids needs one entry for each of 3 players"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": ["6♦ 7♦", *BIDS[1:]]}, "a bid is 3 cards, not “6♦ 7♦”"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥ 9♥"], {"bids": BIDS}, "the hands and the trick do not fit"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "trick": "9♥"}, "the hands and the trick do not fit"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "trick": "9♥ 10♥ J♥"}, "the trick on the table is full"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "to_act": 1}, "to_act does not fit leader and trick"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "won": (8, 0)}, "won needs one entry for each of 3 players"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "trump": "x"}, "“x” is not a suit"),
        (kit.TRICKS_RU, ["6♥", "7♥", "8♥"], {"bids": BIDS, "total": 9}, "a position has no field “total”"),
        (
            kit.TRICKS_RU,
            ["6♥", "7♥", "8♥"],
            {"bids": BIDS, "phase": "deal over"},
            "a position cannot start at “deal over”",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_by_name_with_the_reason(
    rules: Any, hands: list[str], fields: dict[str, Any], told: str
) -> None:
    before = deepcopy((hands, fields))
    with pytest.raises(ValueError) as refused:
        kit.position(rules, hands, **fields)
    assert str(refused.value).startswith(f"{rules.name}: {told}")
    assert (hands, fields) == before


def test_the_next_to_bid_is_the_first_without_a_bid() -> None:
    hands = [PACK[:9], PACK[9:21], PACK[21:33]]
    state = kit.position(kit.TRICKS_FR, hands, bids=[PACK[33:], (), ()], phase="bid")
    assert state.to_act == 1
    assert cards_of(state.apply(state.legal_actions()[0])) == Counter(PACK)
    with pytest.raises(ValueError, match="tricks-fr: bids are laid in turn from the eldest on"):
        kit.position(kit.TRICKS_FR, hands, bids=[(), PACK[33:], ()], phase="bid")


@pytest.mark.parametrize(
    "fields, reason",
    [
        ({"phase": "deal over"}, "a position starts when a card is to be laid"),
        ({"given": ["2♠", "", ""]}, "a position has no field “given”"),
        ({"lives": (1, -1, 1)}, "lives must be whole numbers"),
        ({"earned": [1, 0, 0]}, "object of type 'int' has no len()"),
        ({"scores": "123"}, "scores must be whole numbers"),
    ],
)
def test_what_a_position_cannot_be_is_refused_by_name(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        kit.position(kit.ADDING_RU, ["5♣", "6♣", "7♣"], **fields)
    assert str(refused.value).startswith(f"adding-ru: {reason}")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"premium": (2, "declare")}, "while bids are laid, nothing is announced, played or won"),
        ({"won": (1, 0, 0)}, "while bids are laid, nothing is announced, played or won"),
        ({"bids": ["", "9♦", ""]}, "bids are laid in turn from the eldest on"),
        ({"bids": ["9♦ J♦", "", ""]}, "the hands and the bids do not fit"),
    ],
)
def test_a_position_at_bidding_has_nothing_that_comes_later(fields: dict[str, Any], reason: str) -> None:
    hands = ["6♣ 7♦ 8♥ Q♥", "6♦ 7♥ 8♣ K♥", "6♥ 7♣ 8♦ A♥"]
    assert kit.position(kit.TRICKS_FR, hands, phase="bid").to_act == 0
    with pytest.raises(ValueError) as refused:
        kit.position(kit.TRICKS_FR, hands, phase="bid", **fields)
    assert str(refused.value).startswith(f"tricks-fr: {reason}")


def test_a_seed_in_words_has_no_hidden_characters_and_a_number_may_be_below_0() -> None:
    with pytest.raises(ValueError, match="a seed has no characters that cannot be seen"):
        kit.deal(kit.ADDING_RU, seed="\x1b[2J")
    assert kit.deal(kit.ADDING_RU, seed="-5") == kit.deal(kit.ADDING_RU, seed=-5)


def test_more_tricks_than_cards_are_refused_and_premiums_go_by_name() -> None:
    one_left: dict[str, Any] = {"bids": ["6♣ 7♣ 8♣", "6♠ 7♦ 8♦", "7♠ 9♦ 6♦"]}
    with pytest.raises(ValueError, match="tricks-fr: tricks won and cards left are more than 9"):
        kit.position(kit.TRICKS_FR, ["A♥", "6♥", "7♥"], won=[4, 3, 5], **one_left)
    state = kit.position(kit.TRICKS_FR, ["A♥", "6♥", "7♥"], premium=(0, "reveal"), **one_left)
    assert state.premium == (0, kit.TRICKS_FR.premiums[1])
    assert kit.deal(kit.TRICKS_FR, seed="99") == kit.deal(kit.TRICKS_FR, seed=99)


def test_a_few_tricks_can_be_set_up_without_bids() -> None:
    """For a lesson on tricks alone: nobody has made a bid, and tricks count."""
    state = kit.position(kit.TRICKS_RU, ["A♥", "6♥", "7♥"])
    for card in ("A♥", "6♥", "7♥"):
        state = state.apply(card)
    assert (state.phase, state.scores, state.sheet[-1].bids) == (kit.Phase.DEAL_OVER, (1, 0, 0), (None,) * 3)
    led = kit.position(kit.TRICKS_FR, ["6♥ A♠ 7♣", "8♦ 9♦", "J♦ Q♦"], trick="10♥ K♥", leader=1, trump="♠")
    assert [str(action) for action in led.legal_actions()] == ["6♥"]
