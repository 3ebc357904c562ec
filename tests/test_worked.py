"""The worked examples W1 … W151 by their numbers: right values typed from the rules by hand, played through the kit."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.events import Busted, OverLimit, StockRefilled
from ninety_nine_kit.game import Action
from ninety_nine_kit.tricks import score

RULES: dict[str, Any] = {
    **kit.PRESETS,
    "ru-9-adds-0": kit.READINGS["nine"].read(kit.ADDING_RU, "adds nothing"),
    "ru-8-turns": kit.READINGS["reverse card"].read(kit.ADDING_RU, "eight"),
    "ru-king-10": kit.READINGS["king"].read(kit.ADDING_RU, "adds ten"),
    "ru-start-3": kit.READINGS["first total"].read(kit.ADDING_RU, "3"),
    "court-instead": kit.READINGS["court crossing"].read(kit.PARANOIA_RU, "instead"),
    "court-suits": kit.READINGS["court suits"].read(kit.PARANOIA_RU, "penalty cards only"),
}
PACK_OF_52 = replace(kit.TRICKS_RU, ranks=tuple(kit.Rank))


def whole(text: str) -> int:
    """A number with a real minus sign."""
    return int(text.replace("−", "-"))


def each(text: str) -> list[int]:
    return [whole(number) for number in text.split()]


def table(names: str, text: str, games: tuple[str, ...] = ()) -> pytest.MarkDecorator:
    """A table with a row per test, divided by |, the number of the example first; repeated for each of the games."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    params = [pytest.param(*cells, id=number) for number, *cells in rows]
    if games:
        params = [pytest.param(game, *cells, id=f"{id}-{game}") for game in games for id, *cells in rows]
    return pytest.mark.parametrize(names, params)


def texts(actions: Iterable[Action]) -> list[str]:
    return [str(action) for action in actions]


# 3.1 Bids


@cache
def triples_by_suits(rules: kit.TrickRules) -> Counter[tuple[str, ...]]:
    """How many triples of the pack show each three suits."""
    return Counter(tuple(sorted(card.suit for card in triple)) for triple in combinations(rules.pack(3), 3))


@table(
    "suits, value, triples, triples_of_52",
    """
    W1  | ♦♦♦ | 0 | 84  | 286
    W2  | ♦♦♠ | 1 | 324 | 1014
    W3  | ♦♦♥ | 2 | 324 | 1014
    W4  | ♦♠♠ | 2 | 324 | 1014
    W5  | ♦♦♣ | 3 | 324 | 1014
    W6  | ♦♠♥ | 3 | 729 | 2197
    W7  | ♠♠♠ | 3 | 84  | 286
    W8  | ♦♥♥ | 4 | 324 | 1014
    W9  | ♦♠♣ | 4 | 729 | 2197
    W10 | ♠♠♥ | 4 | 324 | 1014
    W11 | ♦♥♣ | 5 | 729 | 2197
    W12 | ♠♥♥ | 5 | 324 | 1014
    W13 | ♠♠♣ | 5 | 324 | 1014
    W14 | ♦♣♣ | 6 | 324 | 1014
    W15 | ♥♥♥ | 6 | 84  | 286
    W16 | ♠♥♣ | 6 | 729 | 2197
    W17 | ♥♥♣ | 7 | 324 | 1014
    W18 | ♠♣♣ | 7 | 324 | 1014
    W19 | ♥♣♣ | 8 | 324 | 1014
    W20 | ♣♣♣ | 9 | 84  | 286
    """,
)
def test_three_suits_spell_a_number(suits: str, value: str, triples: str, triples_of_52: str) -> None:
    bid = [rank + suit for rank, suit in zip("678", suits, strict=True)]
    for rules in (kit.TRICKS_RU, kit.TRICKS_FR):
        state = kit.position(rules, ["A♣", "A♦", "A♥"], bids=[bid, "J♣ J♦ J♥", "Q♣ Q♦ Q♥"])
        assert state.bid_value(0) == whole(value)
    assert triples_by_suits(kit.TRICKS_RU)[tuple(sorted(suits))] == whole(triples)
    assert triples_by_suits(PACK_OF_52)[tuple(sorted(suits))] == whole(triples_of_52)


def triples_by_bid(rules: kit.TrickRules) -> list[int]:
    bids = Counter(map(rules.bid_value, combinations(rules.pack(3), 3)))
    return [bids[bid] for bid in range(10)]


@pytest.mark.parametrize(
    "rules, counts, total",
    [
        pytest.param(kit.TRICKS_RU, "84 324 648 1137 1377 1377 1137 648 324 84", 7140, id="W21"),
        pytest.param(PACK_OF_52, "286 1014 2028 3497 4225 4225 3497 2028 1014 286", 22100, id="W21-52"),
    ],
)
def test_triples_by_bid(rules: kit.TrickRules, counts: str, total: int) -> None:
    assert triples_by_bid(rules) == each(counts)
    assert sum(each(counts)) == total == comb(len(rules.pack(3)), 3)


def hands_by_suits(size: int) -> Iterator[tuple[dict[kit.Suit, int], int]]:
    """(cards of each suit, number of such hands) for all hands of a size from the preset's pack."""
    held = Counter(card.suit for card in kit.TRICKS_RU.pack(3))
    for numbers in product(*(range(held[suit] + 1) for suit in kit.Suit)):
        if sum(numbers) == size:
            ways = prod(comb(held[suit], number) for suit, number in zip(kit.Suit, numbers, strict=True))
            yield dict(zip(kit.Suit, numbers, strict=True)), ways


def bids_in(hand: dict[kit.Suit, int]) -> set[int]:
    """Every number that three cards of a hand can spell."""
    values, threes = kit.TRICKS_RU.bid_values, combinations_with_replacement(kit.Suit, 3)
    return {sum(values[suit] for suit in three) for three in threes if not Counter(three) - Counter(hand)}


def test_W22_bids_of_one_hand() -> None:
    ways = comb(kit.TRICKS_RU.hand_size, kit.TRICKS_RU.bid_cards)
    counts = triples_by_bid(kit.TRICKS_RU)
    assert ways == 220
    expected = [2.588, 9.983, 19.966, 35.034, 42.429, 42.429, 35.034, 19.966, 9.983, 2.588]
    assert [round(ways * count / sum(counts), 3) for count in counts] == expected


def test_W23_hands_that_can_spell_a_number() -> None:
    able = Counter()
    for hand, ways in hands_by_suits(kit.TRICKS_RU.hand_size):
        able += Counter(dict.fromkeys(bids_in(hand), ways))
    upward = [813246525, 1099873905, 1230158046, 1249492128, 1251030612]
    assert [able[bid] for bid in range(10)] == upward + upward[::-1]
    assert comb(36, 12) == 1251677700
    shares = [round(able[bid] / 1251677700, 5) for bid in range(10)]
    assert shares == [0.64973, 0.87872, 0.98281, 0.99825, 0.99948, 0.99948, 0.99825, 0.98281, 0.87872, 0.64973]


def test_W24_how_many_numbers_a_hand_can_spell() -> None:
    numbers = Counter()
    for hand, ways in hands_by_suits(kit.TRICKS_RU.hand_size):
        numbers[len(bids_in(hand))] += ways
    hands = numbers.total()
    shares = {10: 0.35398, 9: 0.38328, 8: 0.19995, 7: 0.05344, 6: 0.00833, 5: 0.00094, 4: 0.00009}
    # As printed, to within one in the fifth decimal: the share of hands with five numbers is .0009346.
    assert {number: ways / hands for number, ways in numbers.items()} == pytest.approx(shares, rel=0, abs=1e-5)
    assert round(sum(number * ways for number, ways in numbers.items()) / hands, 3) == 9.018


def test_W25_three_bids_seldom_add_up_to_nine() -> None:
    sums = Counter()
    for nine_cards, ways in hands_by_suits(9):
        sums[sum(kit.TRICKS_RU.bid_values[suit] * number for suit, number in nine_cards.items())] += ways
    assert sum(value * ways for value, ways in sums.items()) / sums.total() == 13.5
    assert (sums[9], sums.total()) == (4106737, 94143280)
    assert round(sums[9] / sums.total(), 4) == 0.0436


# 3.2 Trump and tricks


def with_any_bids(hands: list[str], **fields: Any) -> kit.TrickState:
    """A position of the French game with bids from cards that are nowhere else."""
    taken = kit.cards(" ".join([*hands, fields.get("trick", "")]))
    rest = [card for card in kit.TRICKS_FR.pack(3) if card not in taken]
    return kit.position(kit.TRICKS_FR, hands, bids=[rest[:3], rest[3:6], rest[6:9]], **fields)


@table(
    "cards, trump, winner",
    """
    W26 | 10♥ K♥ 6♥ | none | 2
    W27 | 10♥ A♠ J♥ | none | 3
    W28 | 6♦ A♣ A♠  | none | 1
    W29 | 10♥ 6♠ A♥ | ♠    | 2
    W30 | 10♥ 6♠ 7♠ | ♠    | 3
    W31 | 8♠ K♠ A♥  | ♠    | 2
    W32 | 9♣ A♦ A♥  | ♠    | 1
    W33 | A♣ K♣ 6♦  | ♦    | 3
    W34 | A♦ 6♣ 7♣  | ♣    | 3
    """,
)
def test_who_takes_the_trick(cards: str, trump: str, winner: str) -> None:
    state = with_any_bids(cards.split(), trump=None if trump == "none" else trump)
    for card in cards.split():
        state = state.apply(card)
    assert state.tricks[-1].winner == whole(winner) - 1
    assert [number for number, won in enumerate(state.won, start=1) if won] == [whole(winner)]


@table(
    "hand, led, trump, legal",
    """
    W35 | 7♣ 6♥ A♠ | 10♥ | ♣ | 6♥
    W36 | 7♣ A♠    | 10♥ | ♠ | 7♣ A♠
    W37 | 7♣ 6♥ A♠ |     | ♠ | 7♣ 6♥ A♠
    """,
)
def test_cards_that_may_be_played(hand: str, led: str, trump: str, legal: str) -> None:
    number = len(hand.split())
    clubs, diamonds = (" ".join(f"{rank}{suit}" for rank in "89JQ"[:number]) for suit in "♣♦")
    if led:
        state = with_any_bids([clubs[3:], hand, diamonds], trick=led, trump=trump)
    else:
        state = with_any_bids([hand, clubs, diamonds], trump=trump)
    assert texts(state.legal_actions()) == legal.split()


SPELLED = {0: "♦♦♦", 1: "♠♦♦", 2: "♠♠♦", 3: "♣♦♦", 4: "♣♠♦", 5: "♣♠♠", 6: "♣♣♦", 7: "♣♣♠", 9: "♣♣♣"}


def bids_of(values: list[int]) -> list[list[kit.Card]]:
    """Bid cards without hearts that spell these numbers."""
    left = {suit: [card for card in kit.TRICKS_RU.pack(3) if card.suit == suit] for suit in kit.Suit}
    return [[left[kit.Suit(suit)].pop() for suit in SPELLED[value]] for value in values]


def after_last_trick(
    rules: kit.TrickRules,
    tricks: list[int],
    bids: list[int],
    premium: str | None = None,
    holder: int = 0,
    **fields: Any,
) -> kit.TrickState:
    """Plays the ninth trick of a deal that ends with these tricks; a seat with tricks takes it with the A♥."""
    winner = next(seat for seat, number in enumerate(tricks) if number)
    cards = ["A♥" if seat == winner else f"{rank}♥" for seat, rank in enumerate("678")]
    won = [number - (seat == winner) for seat, number in enumerate(tricks)]
    by_name = {offered.name: offered for offered in rules.premiums}
    taken = (holder, by_name[premium]) if premium else None
    state = kit.position(rules, cards, bids=bids_of(bids), won=won, premium=taken, **fields)
    for card in cards:
        state = state.apply(card)
    assert (state.won, state.phase) == (tuple(tricks), kit.Phase.DEAL_OVER)
    return state


@table(
    "bids, trump",
    """
    W38-0-made | 0 0 0 | ♦
    W38-1-made | 4 0 0 | ♠
    W38-2-made | 4 3 0 | ♥
    W38-3-made | 4 3 2 | ♣
    """,
)
def test_trump_comes_from_the_deal_before(bids: str, trump: str) -> None:
    assert after_last_trick(kit.TRICKS_FR, [4, 3, 2], each(bids)).apply("next deal").trump == trump
    assert after_last_trick(kit.TRICKS_RU, [4, 3, 2], each(bids)).apply("next deal").trump is None


def test_W38_the_first_deal_of_a_game_has_no_trump() -> None:
    assert kit.deal(kit.TRICKS_FR, seed=99).trump is None
    two_games = replace(kit.TRICKS_FR, games=2)
    second = after_last_trick(two_games, [4, 3, 2], [4, 3, 2], scores=(90, 0, 0)).apply("next deal")
    assert (second.game_number, second.trump) == (2, None)


def test_W39_four_made_means_no_trump() -> None:
    assert kit.TRICKS_FR.trump_after[4] is None


# 3.3 Scores

ON_TOP = """
    W40 | yyy | 10 10 10 | 40 10 10  | 40 10 10 | 70 10 10
    W41 | yyn | 20 20 0  | 50 20 0   | 50 20 0  | 80 20 0
    W42 | yny | 20 0 20  | 50 0 20   | 50 0 20  | 80 0 20
    W43 | ynn | 30 0 0   | 60 0 0    | 60 0 0   | 90 0 0
    W44 | nyy | 0 20 20  | −60 20 20 | 0 50 50  | 0 80 80
    W45 | nyn | 0 30 0   | −60 30 0  | 0 60 30  | 0 90 60
    W46 | nny | 0 0 30   | −60 0 30  | 0 30 60  | 0 60 90
    W47 | nnn | 0 0 0    | −60 0 0   | 0 30 30  | 0 60 60
    """


@table("made, nobody, ru_declared, fr_declared, fr_revealed", ON_TOP)
def test_points_on_top_of_the_tricks(
    made: str, nobody: str, ru_declared: str, fr_declared: str, fr_revealed: str
) -> None:
    tricks = [4, 3, 2]
    bids = [number if made[seat] == "y" else 0 for seat, number in enumerate(tricks)]
    for rules, premium, points in (
        (kit.TRICKS_RU, None, nobody),
        (kit.TRICKS_FR, None, nobody),
        (kit.TRICKS_RU, "declare", ru_declared),
        (kit.TRICKS_FR, "declare", fr_declared),
        (kit.TRICKS_FR, "reveal", fr_revealed),
    ):
        state = after_last_trick(rules, tricks, bids, premium)
        assert [score - number for score, number in zip(state.scores, tricks, strict=True)] == each(points)


@table(
    "game, tricks, bids, premium, points",
    """
    W48 | tricks-ru | 3 3 3 | 3 3 3 |           | 13 13 13
    W49 | tricks-ru | 5 4 0 | 5 2 0 |           | 25 4 20
    W50 | tricks-ru | 5 4 0 | 5 3 1 |           | 35 4 0
    W51 | tricks-ru | 5 4 0 | 4 3 1 |           | 5 4 0
    W52 | tricks-ru | 9 0 0 | 9 1 1 | A declare | 69 0 0
    W53 | tricks-ru | 4 3 2 | 4 3 3 | A declare | 54 23 2
    W54 | tricks-ru | 4 3 2 | 5 3 2 | A declare | −56 23 22
    W55 | tricks-ru | 0 5 4 | 1 4 3 | A declare | −60 5 4
    W56 | tricks-ru | 3 3 3 | 3 3 3 | A declare | 43 13 13
    W57 | tricks-fr | 9 0 0 | 9 1 1 | A reveal  | 99 0 0
    W58 | tricks-fr | 0 9 0 | 1 9 2 | A reveal  | 0 99 60
    W59 | tricks-fr | 9 0 0 | 9 0 0 | A reveal  | 79 10 10
    W60 | tricks-fr | 9 0 0 | 9 1 1 | A declare | 69 0 0
    W61 | tricks-fr | 4 3 2 | 5 3 2 | A reveal  | 4 83 82
    W62 | tricks-fr | 4 3 2 | 5 4 1 | A reveal  | 4 63 62
    W63 | tricks-fr | 4 3 2 | 5 4 1 | A declare | 4 33 32
    W64 | tricks-fr | 4 3 2 | 4 3 2 | B declare | 14 43 12
    W65 | tricks-fr | 0 4 5 | 0 3 4 | A declare | 60 4 5
    W66 | tricks-fr | 0 4 5 | 0 3 4 | A reveal  | 90 4 5
    """,
)
def test_points_of_a_deal(game: str, tricks: str, bids: str, premium: str, points: str) -> None:
    holder, name = premium.split() if premium else ("A", None)
    state = after_last_trick(RULES[game], each(tricks), each(bids), name, "ABC".index(holder))
    row = state.sheet[-1]
    assert state.scores == row.points == tuple(each(points))
    assert [sum(parts) for parts in row.parts] == each(points)
    assert (row.tricks, row.bids) == (tuple(each(tricks)), tuple(each(bids)))


def test_W67_without_premium_a_deal_gives_0_to_39() -> None:
    seen = set()
    for tricks in product(range(10), repeat=3):
        if sum(tricks) == 9:
            for made in product((True, False), repeat=3):
                bids = [number if kept else (number + 1) % 10 for number, kept in zip(tricks, made, strict=True)]
                seen |= set(map(sum, score(kit.TRICKS_FR, tricks, bids, None)))
    assert seen == set(range(40))


def holder_after(*wishes: str) -> tuple[int, str] | None:
    """Who holds which premium when all seats have been asked; a wish that cannot win plays as pass."""
    fields = {"phase": "announce", "dealer": 2}
    state = kit.position(kit.TRICKS_FR, ["6♥", "7♥", "8♥"], bids=bids_of([3, 3, 3]), **fields)
    asked = []
    while state.phase is kit.Phase.ANNOUNCE:
        asked.append(state.to_act)
        wish = wishes[state.to_act]
        state = state.apply(wish if wish in texts(state.legal_actions()) else "pass")
    assert asked == [0, 1, 2][: len(asked)]
    assert (state.phase, state.to_act) == (kit.Phase.PLAY, 0)
    return state.premium and (state.premium[0], state.premium[1].name)


def test_W68_a_reveal_beats_a_declare_and_the_first_of_two_wins() -> None:
    assert holder_after("declare", "reveal", "reveal") == (1, "reveal")


def test_W69_the_first_of_two_declares_wins() -> None:
    assert holder_after("declare", "pass", "declare") == (0, "declare")


@pytest.mark.parametrize("wishes", list(product(("pass", "declare", "reveal"), repeat=3)), ids="-".join)
def test_of_all_wishes_the_highest_nearest_the_dealers_left_wins(wishes: tuple[str, ...]) -> None:
    highest = next((wish for wish in ("reveal", "declare") if wish in wishes), None)
    assert holder_after(*wishes) == (highest and (wishes.index(highest), highest))


# 3.4 Adding

TOTALS = (0, 5, 33, 88, 89, 90, 98, 99)
WAYS = {"A": ("+1", "+11"), "10": ("+10", "-10")}
SAFE = {"adding-es": "J♠"}  # a card that is safe at every total; in the other games it is a 9

PLAIN = """
    W70 | A  | 1/11   6/16  34/44 89/99 90/100! 91/101! 99/109! 100!/110!
    W71 | 2  | 2      7     35    90    91      92      100!    101!
    W72 | 3  | 3      8     36    91    92      93      101!    102!
    W73 | 4  | 0r     5r    33r   88r   89r     90r     98r     99r
    W74 | 5  | 5      10    38    93    94      95      103!    104!
    W75 | 6  | 6      11    39    94    95      96      104!    105!
    W76 | 7  | 7      12    40    95    96      97      105!    106!
    W77 | 8  | 8      13    41    96    97      98      106!    107!
    W79 | 10 | 10/−10 15/−5 43/23 98/78 99/79   100!/80 108!/88 109!/89
    W80 | J  | 10     15    43    98    99      100!    108!    109!
    W81 | Q  | 10     15    43    98    99      100!    108!    109!
    W82 | K  | 99     99    99    99    99      99      99      99
    """
NINE_BECOMES_0 = "W78 | 9 | 0 0 0 0 0 0 0 0"
NINE_ADDS_0 = "W78 | 9 | 0 5 33 88 89 90 98 99"
EIGHT_TURNS = """
    W73-plain | 4 | 4  9  37  92  93  94  102! 103!
    W77-turns | 8 | 0r 5r 33r 88r 89r 90r 98r  99r
    """
KING_ADDS_10 = "W82-adds-10 | K | 10 15 43 98 99 100! 108! 109!"
SPANISH = """
    W83 | A  | 1   6  34  89  90  91  99   100!
    W84 | 2  | 2   7  35  90  91  92  100! 101!
    W85 | 3  | 3   8  36  91  92  93  101! 102!
    W86 | 4  | 4   9  37  92  93  94  102! 103!
    W87 | 5  | 5   10 38  93  94  95  103! 104!
    W88 | 6  | 6   11 39  94  95  96  104! 105!
    W89 | 7  | 7   12 40  95  96  97  105! 106!
    W90 | 8  | 8   13 41  96  97  98  106! 107!
    W91 | 9  | 9   14 42  97  98  99  107! 108!
    W92 | 10 | −10 −5 23  78  79  80  88   89
    W93 | J  | 0   5  33  88  89  90  98   99
    W94 | Q  | 0r  5r 33r 88r 89r 90r 98r  99r
    W95 | K  | 99  99 99  99  99  99  99   99
    """


def check_lay(game: str, rank: str, total: int, cell: str) -> None:
    """Lays a card at a total and compares with a cell: the choices divided by /, r for a turn, ! for over 99."""
    results = cell.split("/")
    lays = [f"{rank}♣ {way}" for way in WAYS[rank]] if len(results) == 2 else [f"{rank}♣"]
    alone = kit.position(RULES[game], [f"{rank}♣", "2♦", "2♥"], total=total)
    beside = kit.position(RULES[game], [f"{rank}♣ {SAFE.get(game, '9♠')}", "2♦", "2♥"], total=total)
    safe = [lay for lay, result in zip(lays, results, strict=True) if "!" not in result]
    assert [lay for lay in texts(beside.legal_actions()) if lay.startswith(f"{rank}♣")] == safe
    for lay, result in zip(lays, results, strict=True):
        number = whole(result.strip("r!"))
        if "!" not in result:
            direction, following = (-1, 2) if "r" in result else (1, 1)
            for state in (alone, beside):
                laid = state.apply(lay)
                assert (laid.total, laid.direction, laid.to_act) == (number, direction, following)
        else:
            play = kit.read_action(beside, lay)
            assert beside.why_not(play) == OverLimit(play.cards, number, 99)
            if not safe:
                busted = alone.apply(lay)
                assert Busted(0, play.cards, number) in busted.events
                assert (busted.total, busted.direction) == (total, 1)


def check_row(game: str, rank: str, cells: str) -> None:
    for total, cell in zip(TOTALS, cells.split(), strict=True):
        check_lay(game, rank, total, cell)


@table("game, rank, cells", PLAIN, games=("adding-ru", "ru-9-adds-0", "adding-pl"))
def test_russian_and_polish_cards_at_every_total(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)


@table("game, rank, cells", NINE_BECOMES_0, games=("adding-ru",))
def test_the_russian_nine_makes_the_total_0(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)


@table("game, rank, cells", NINE_ADDS_0, games=("ru-9-adds-0", "adding-pl"))
def test_the_polish_nine_adds_0(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)
    assert RULES[game].effects == kit.ADDING_PL.effects


@table("game, rank, cells", EIGHT_TURNS, games=("ru-8-turns",))
def test_the_russian_option_that_the_8_turns(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)


@table("game, rank, cells", KING_ADDS_10, games=("ru-king-10",))
def test_the_russian_option_that_the_king_adds_10(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)


@table(
    "lay, total, direction",
    """
    W76-start-3 | 7♣ | 10 | 1
    W73-start-3 | 4♣ | 3  | −1
    W82-start-3 | K♣ | 99 | 1
    """,
)
def test_the_russian_option_that_the_first_total_is_3(lay: str, total: str, direction: str) -> None:
    assert kit.deal(RULES["ru-start-3"], seed=99).total == 3
    laid = kit.position(RULES["ru-start-3"], [lay, "2♦", "2♥"]).apply(lay)
    assert (laid.total, laid.direction) == (whole(total), whole(direction))


@table("game, rank, cells", SPANISH, games=("adding-es",))
def test_spanish_cards_at_every_total(game: str, rank: str, cells: str) -> None:
    check_row(game, rank, cells)


@table(
    "games, hand, safe",
    """
    W96 | adding-ru adding-pl | 5♣ 7♣ Q♣ |
    W97 | adding-ru adding-pl | 4♣ 8♣ A♣ | 4♣
    W98 | adding-es           | 9♣ J♣ A♣ | J♣
    W99 | adding-es           | 4♣ 9♣ 9♦ |
    """,
)
def test_what_may_be_laid_at_99(games: str, hand: str, safe: str) -> None:
    for game in games.split():
        state = kit.position(RULES[game], [hand, "2♦ 3♦ 5♦", "2♥ 3♥ 5♥"], total=99)
        assert texts(state.legal_actions()) == (safe or hand).split()
        for card in [] if safe else hand.split():
            busted = state.apply(card)
            assert (busted.total, busted.lives[0]) == (99, state.lives[0] - 1)


def two_others(card: kit.Card) -> list[list[kit.Card]]:
    """A card each for two other seats."""
    return [[other] for other in kit.cards("2♦ 2♥ 3♥") if other != card][:2]


def safe_lays(game: str, total: int) -> tuple[set[str], int]:
    """What may be laid at a total by a seat that holds one safe card more, without suits; and the number of cards."""
    safe, lays, playable = SAFE.get(game, "9♠"), set(), 0
    for card in RULES[game].pack(3):
        hand = [card] if str(card) == safe else [card, safe]
        state = kit.position(RULES[game], [hand, *two_others(card)], total=total)
        mine = [str(lay).replace(card.suit, "") for lay in state.legal_actions() if lay.cards == (card,)]
        lays, playable = lays | set(mine), playable + bool(mine)
    return lays, playable


@table(
    "games, total, lays, cards",
    """
    W100    | adding-ru adding-pl | 99 | 4, 9, 10 -10, K       | 16
    W101    | adding-es           | 99 | 10, J, Q, K           | 16
    W102    | adding-ru adding-pl | 98 | 4, 9, 10 -10, K, A +1 | 20
    W102-es | adding-es           | 98 | 10, J, Q, K, A        | 20
    """,
)
def test_cards_that_are_safe_near_99(games: str, total: str, lays: str, cards: str) -> None:
    for game in games.split():
        assert safe_lays(game, whole(total)) == (set(lays.split(", ")), whole(cards))


def test_W103_how_often_three_cards_are_stuck_at_99() -> None:
    options = kit.READINGS["king"].read(RULES["ru-8-turns"], "adds ten")
    for rules, stuck, share in ((kit.ADDING_RU, 36, 0.3231), (kit.ADDING_ES, 36, 0.3231), (options, 40, 0.4471)):
        lost = 0
        for card in rules.pack(3):
            state = kit.position(rules, [[card], *two_others(card)], total=99)
            lost += any(isinstance(event, Busted) for event in state.apply(state.legal_actions()[-1]).events)
        assert lost == stuck
        assert round(comb(lost, 3) / comb(52, 3), 4) == share


@table(
    "players, dead, direction, seat, lay, following, turned",
    """
    W104 | 4 |   | 1  | 1 | 4♣ | 0 | −1
    W105 | 4 | 0 | 1  | 1 | 4♣ | 3 | −1
    W106 | 2 |   | 1  | 0 | 4♣ | 1 | −1
    W107 | 3 |   | −1 | 0 | 5♣ | 2 | −1
    """,
)
def test_who_is_next(players: str, dead: str, direction: str, seat: str, lay: str, following: str, turned: str) -> None:
    number, seat = whole(players), whole(seat)
    lives = [0 if str(other) == dead else 1 for other in range(number)]
    hands = [lay if other == seat else f"{other + 5}♦" * life for other, life in enumerate(lives)]
    fields = {"to_act": seat, "direction": whole(direction), "lives": lives}
    laid = kit.position(kit.ADDING_RU, hands, **fields).apply(lay)
    assert (laid.to_act, laid.direction) == (whole(following), whole(turned))


def test_W108_an_ace_may_make_exactly_99() -> None:
    state = kit.position(kit.ADDING_PL, ["A♣ 2♣ 3♣", "2♦", "2♥"], total=88)
    assert state.apply("A♣ +11").total == 99


def test_W109_an_ace_may_not_go_over_beside_a_safe_card() -> None:
    state = kit.position(kit.ADDING_PL, ["A♣ 2♣ 3♣", "2♦", "2♥"], total=89)
    high = kit.read_action(state, "A♣ +11")
    assert state.why_not(high) == OverLimit(high.cards, 100, 99)
    assert state.apply("A♣ +1").total == 90


@table(
    "choice, total",
    """
    W110-none  | allowed       | −5
    W110-clamp | stays at zero | 0
    """,
)
def test_a_ten_below_zero(choice: str, total: str) -> None:
    rules = kit.READINGS["below zero"].read(kit.ADDING_RU, choice)
    assert kit.position(rules, ["10♣", "2♦"], total=5).apply("10♣ -10").total == whole(total)


def test_W111_the_last_chip_lost_is_out_and_the_next_living_seat_deals() -> None:
    hands = ["5♣ 7♣ Q♣", "2♦ 3♦ 5♦", "2♥ 3♥ 5♥"]
    over = kit.position(kit.ADDING_PL, hands, total=99, lives=(1, 5, 5), dealer=2).apply("5♣")
    assert (over.lives, over.phase, over.to_act) == ((0, 5, 5), kit.Phase.DEAL_OVER, 1)
    dealt = over.apply("next deal")
    assert (dealt.dealer, dealt.to_act, dealt.total) == (1, 2, 0)
    assert [len(hand) for hand in dealt.hands] == [0, 3, 3]


@table(
    "game, players, pack, lives, stock",
    """
    W112 | adding-es | 5 | 104 | 3 | 89
    W113 | adding-pl | 4 | 104 | 3 | 92
    """,
)
def test_packs_chips_and_stock(game: str, players: str, pack: str, lives: str, stock: str) -> None:
    state = kit.deal(RULES[game], players=whole(players), seed=99)
    assert len(state.rules.pack(state.players)) == whole(pack)
    assert set(state.lives) == {whole(lives)}
    assert [len(hand) for hand in state.hands] == [3] * state.players
    assert len(state.stock) == whole(stock)


def test_W114_an_empty_stock_is_made_from_all_but_the_top_card() -> None:
    rules = replace(kit.ADDING_PL, players=(3,), hand_size=11)  # so that the whole pack is in hands and pile
    pack = [card for card in rules.pack(3) if str(card) != "9♠"]
    hands = [["9♠", *pack[:10]], pack[10:21], pack[21:32]]
    laid = kit.position(rules, hands, pile=pack[32:], stock=(), total=61).apply("9♠")
    refilled = [event.number for event in laid.events if isinstance(event, StockRefilled)]
    assert (laid.total, refilled) == (61, [19])
    assert (laid.pile, len(laid.hands[0]), len(laid.stock)) == (kit.cards("9♠"), 11, 18)
    assert sorted(sum(laid.hands, laid.pile + laid.stock)) == sorted(rules.pack(3))


# 3.5 Paranoia

OTHERS = ["5♦ 7♦ 8♦", "5♥ 7♥ 8♥", "5♠ 7♠ 8♠"]


def earned(state: kit.AddingState) -> list[int]:
    """Points of this deal so far by seat, without those for cards held at its end."""
    return [sum(parts[:3]) for parts in state.earned]


def after_gifts(state: kit.AddingState) -> kit.AddingState:
    while state.phase is kit.Phase.GIVE:
        state = state.apply(state.legal_actions()[0])
    return state


def cards_in(lay: str) -> list[str]:
    return [word for word in lay.split() if word[-1] in "♣♦♥♠"]


@table(
    "total, lay, new, me, others, marks",
    """
    W115     | 0  | A♣ +11      | 11  | 0  | 0  |
    W116     | 23 | 10♣ +10     | 33  | 0  | 0  |
    W117     | 24 | 10♣ +10     | 34  | 1  | 0  |
    W118     | 33 | A♣ +1       | 34  | 1  | 0  |
    W119     | 33 | 4♣          | 33  | 0  | 0  | reverse
    W120     | 34 | 10♣ -10     | 24  | 0  | 0  |
    W121     | 31 | 2♣          | 33  | 0  | 0  | exchange
    W122     | 32 | 2♣          | 34  | 1  | 0  | exchange
    W123-24  | 24 | 9♣          | 33  | 0  | 0  |
    W123-25  | 25 | 9♣          | 34  | 1  | 0  |
    W124-56  | 56 | K♣          | 66  | 0  | 0  | exchange
    W124-57  | 57 | K♣          | 67  | 2  | 0  | exchange
    W125     | 30 | J♣          | 40  | 0  | 0  |
    W126     | 60 | J♣          | 70  | 1  | 0  |
    W127     | 95 | J♣          | 105 | 2  | 0  | over
    W128-30  | 30 | Q♣          | 40  | −1 | 0  |
    W128-60  | 60 | Q♣          | 70  | 0  | 0  |
    W128-95  | 95 | Q♣          | 105 | 1  | 0  | over
    W129     | 20 | J♣          | 30  | 0  | 0  |
    W130-89  | 89 | K♣          | 99  | 0  | 0  | exchange
    W130-90  | 90 | K♣          | 100 | 3  | 0  | exchange over
    W131-10  | 10 | 3♣ 3♦ =33   | 33  | 0  | 0  |
    W131-50  | 50 | 3♣ 3♦ =33   | 33  | 0  | 0  |
    W131-99  | 99 | 3♣ 3♦ =33   | 33  | 0  | 0  |
    W131-33  | 33 | 3♣ 3♦ =33   | 33  | 0  | 0  |
    W132-10  | 10 | 6♣ 6♦ =66   | 66  | 1  | 0  |
    W132-34  | 34 | 6♣ 6♦ =66   | 66  | 0  | 0  |
    W132-70  | 70 | 6♣ 6♦ =66   | 66  | 0  | 0  |
    W133-0   | 0  | 9♣ 9♦ =99   | 99  | 3  | 0  |
    W133-34  | 34 | 9♣ 9♦ =99   | 99  | 2  | 0  |
    W133-67  | 67 | 9♣ 9♦ =99   | 99  | 0  | 0  |
    W133-99  | 99 | 9♣ 9♦ =99   | 99  | 0  | 0  |
    W134-30  | 30 | K♣ K♦       | 40  | 4  | −1 |
    W134-60  | 60 | K♣ K♦       | 70  | 5  | −1 |
    W134-95  | 95 | K♣ K♦       | 105 | 6  | −1 | over
    W135     | 20 | K♣ K♦       | 30  | 0  | 0  |
    W136-1   | 99 | A♣ +1       | 100 | 3  | 0  | over
    W136-11  | 99 | A♣ +11      | 110 | 3  | 0  | over
    W137-4   | 99 | 4♣          | 99  | 0  | 0  | reverse
    W137-8   | 99 | 8♣          | 99  | 0  | 0  |
    W137-10  | 99 | 10♣ -10     | 89  | 0  | 0  |
    W138-97  | 97 | 2♣          | 99  | 0  | 0  | exchange
    W138-98  | 98 | 2♣          | 100 | 3  | 0  | exchange over
    W139     | 99 | 9♣          | 108 | 3  | 0  | over
    """,
)
def test_a_lay_in_paranoia(total: str, lay: str, new: str, me: str, others: str, marks: str) -> None:
    laid = kit.position(kit.PARANOIA_RU, [cards_in(lay), *OTHERS], total=whole(total)).apply(lay)
    assert laid.total == whole(new)
    assert earned(laid) == [whole(me), *[whole(others)] * 3]
    assert laid.direction == (-1 if "reverse" in marks else 1)
    assert (laid.phase is kit.Phase.GIVE) == ("exchange" in marks)
    done = after_gifts(laid)
    assert done.phase is (kit.Phase.DEAL_OVER if "over" in marks else kit.Phase.PLAY)
    assert (done.total, earned(done)) == (laid.total, earned(laid))
    shown = tuple(map(sum, done.earned))
    assert done.scores == (shown if "over" in marks else (0, 0, 0, 0))


@table(
    "game, total, lay, new, me",
    """
    W140-J-30 | court-instead | 30 | J♣ | 40  | −1
    W140-J-60 | court-instead | 60 | J♣ | 70  | −1
    W140-J-95 | court-instead | 95 | J♣ | 105 | −1
    W140-Q-30 | court-instead | 30 | Q♣ | 40  | −2
    W140-Q-60 | court-instead | 60 | Q♣ | 70  | −2
    W140-Q-95 | court-instead | 95 | Q♣ | 105 | −2
    W141-red  | court-suits   | 30 | J♦ | 40  | 1
    W141-one-eyed | court-suits | 30 | J♠ | 40 | 0
    """,
)
def test_other_readings_of_the_court_cards(game: str, total: str, lay: str, new: str, me: str) -> None:
    laid = kit.position(RULES[game], [lay, *OTHERS], total=whole(total)).apply(lay)
    assert (laid.total, earned(laid)) == (whole(new), [whole(me), 0, 0, 0])


@table(
    "players, hand, points",
    """
    W142 | 3 | J♠ Q♣ 2♣ | −8
    W143 | 3 | J♥ J♦ K♠ | −3
    W144 | 3 | Q♠ Q♣ J♠ | −13
    W145 | 3 | Q♥ 5♣ A♠ | 0
    W146 | 4 | J♠ J♠ Q♠ | −11
    W147 | 4 | Q♠ Q♠ Q♣ | −15
    """,
)
def test_hands_are_settled_at_the_end_of_a_round(players: str, hand: str, points: str) -> None:
    others = ["5♦ 7♦ 8♦", "5♥ 7♥ 8♥"][: whole(players) - 2]
    over = kit.position(kit.PARANOIA_RU, ["A♣", hand, *others], total=99).apply("A♣ +1")
    assert over.scores == (3, whole(points), *[0] * len(others))
    assert over.sheet[-1].parts[1] == (0, 0, 0, whole(points))


@table(
    "players, worst",
    """
    W144-worst | 3 | −13
    W147-worst | 4 | −15
    """,
)
def test_no_hand_is_worse(players: str, worst: str) -> None:
    held = sorted(kit.PARANOIA_RU.penalties.get(card, 0) for card in kit.PARANOIA_RU.pack(whole(players)))
    assert sum(held[:3]) == whole(worst)


def test_W148_a_whole_round() -> None:
    # Dealt to B, C, A in turn; then the cards in the order in which they are drawn.
    dealt = "K♣ 7♣ 9♣  J♦ 3♣ 5♣  4♠ Q♥ A♣"
    drawn = "6♣  3♦  Q♠  6♦  10♣ J♥  2♣  9♦ A♦  9♥  7♦  8♣  3♥"
    used = kit.cards(f"{dealt} {drawn}")
    rest = [card for card in kit.PARANOIA_RU.pack(3) if card not in used]
    state = kit.deal(kit.PARANOIA_RU, players=3, seed=99, dealer=0, packs=[*used, *rest])
    assert state.hands == (kit.cards("5♣ 9♣ A♣"), kit.cards("K♣ J♦ 4♠"), kit.cards("3♣ 7♣ Q♥"))

    line = """
        B | K♣           | 10  | 0 0 0
        B | give 4♠      | 10  | 0 0 0
        C | give Q♥      | 10  | 0 0 0
        A | give 5♣      | 10  | 0 0 0
        C | 7♣           | 17  | 0 0 0
        A | 9♣           | 26  | 0 0 0
        B | J♦           | 36  | 0 0 0
        C | 3♣ 3♦ =33    | 33  | 0 0 0
        A | A♣ +1        | 34  | 1 0 0
        B | 6♣ 6♦ =66    | 66  | 1 0 0
        C | 4♠           | 66  | 1 0 0
        B | 9♦           | 75  | 1 2 0
        A | Q♥           | 85  | 1 2 0
        C | 10♣ +10      | 95  | 1 2 0
        B | 5♣           | 100 | 1 5 0
        """
    for seat, action, total, points in [[cell.strip() for cell in row.split("|")] for row in line.strip().split("\n")]:
        assert state.to_act == "ABC".index(seat)
        state = state.apply(action)
        assert (state.total, earned(state)) == (whole(total), each(points))
        assert sorted(sum(state.hands + state.given, state.pile + state.stock)) == sorted(kit.PARANOIA_RU.pack(3))
    assert state.phase is kit.Phase.DEAL_OVER
    assert state.hands == (kit.cards("2♣ 8♣ Q♠"), kit.cards("7♦ A♦"), kit.cards("3♥ 9♥ J♥"))
    assert [parts[3] for parts in state.earned] == [-5, 0, -3]
    assert state.scores == (-4, 5, -3)


def exchange(state: kit.AddingState, lay: str, *gifts: str) -> tuple[kit.AddingState, kit.AddingState]:
    """Lays, and lets everybody give the card named by seat. Nobody holds a card received before all have chosen."""
    laid = state.apply(lay)
    assert laid.phase is kit.Phase.GIVE
    chosen = laid
    while chosen.phase is kit.Phase.GIVE:
        assert chosen.hands[chosen.to_act] == laid.hands[chosen.to_act]
        chosen = chosen.apply(f"give {gifts[chosen.to_act]}")
    return laid, chosen


def test_W149_after_a_king_all_pass_a_card_at_the_same_time() -> None:
    state = kit.position(kit.PARANOIA_RU, ["5♣ 7♣ K♣", "5♦ 7♦ 8♦", "5♥ 7♥ 8♥"], total=40)
    laid, passed = exchange(state, "K♣", "5♣", "5♦", "5♥")
    (drawn,) = state.stock[:1]
    assert (laid.total, laid.pile) == (50, kit.cards("K♣"))
    assert set(laid.hands[0]) == {*kit.cards("5♣ 7♣"), drawn}
    assert set(passed.hands[0]) == {*kit.cards("5♥ 7♣"), drawn}
    assert passed.hands[1:] == (kit.cards("5♣ 7♦ 8♦"), kit.cards("5♦ 7♥ 8♥"))
    assert [len(hand) for hand in passed.hands] == [3, 3, 3]
    assert sorted(sum(passed.hands, passed.pile + passed.stock)) == sorted(kit.PARANOIA_RU.pack(3))
    assert passed.to_act == 1


def test_W150_cards_are_passed_in_the_direction_of_play() -> None:
    hands = ["5♦ 7♦ 8♦", "2♣ 5♣ 7♣", "5♥ 7♥ 8♥"]
    state = kit.position(kit.PARANOIA_RU, hands, total=40, direction=-1, to_act=1)
    _, passed = exchange(state, "2♣", "5♦", "5♣", "5♥")
    gone_to = [next(seat for seat, hand in enumerate(passed.hands) if card in hand) for card in kit.cards("5♦ 5♣ 5♥")]
    assert gone_to == [2, 0, 1]
    assert passed.to_act == 0


def test_W151_two_players_swap_a_card_before_their_hands_are_settled() -> None:
    state = kit.position(kit.PARANOIA_RU, ["2♣ 5♣ 7♣", "7♦ 8♦ Q♠"], total=98, stock="9♥ J♥")
    laid, over = exchange(state, "2♣", "5♣", "Q♠")
    assert (laid.total, earned(laid), len(laid.hands[0])) == (100, [3, 0], 3)
    assert over.phase is kit.Phase.DEAL_OVER
    assert over.hands == (kit.cards("7♣ 9♥ Q♠"), kit.cards("5♣ 7♦ 8♦"))
    assert over.scores == (3 - 5, 0)


def test_every_worked_example_has_a_test_by_its_number() -> None:
    names = [name for name in globals() if name.startswith("test_")]
    marks = [mark for name in names for mark in getattr(globals()[name], "pytestmark", [])]
    params = [param for mark in marks for param in mark.args[1] if hasattr(param, "id")]
    found = {int(number) for name in [*names, *[p.id for p in params]] for number in re.findall(r"W(\d+)", name)}
    assert sorted(found) == list(range(1, 152))
