"""Games beside each other: what the cards do, how rules differ, and the same actions played in each."""

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from html import unescape
from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.card import Suit
from ninety_nine_kit.rules import Milestone, Rules
from ninety_nine_kit.show.blocks import Grid, html_grid, text_grid
from ninety_nine_kit.show.compare import differences, effect_table, side_by_side

ADDING = [rules for rules in kit.PRESETS.values() if isinstance(rules, kit.AddingRules)]
BIDS = ["6♣ 7♣ 8♣", "6♦ 7♦ 8♦", "6♠ 7♠ 8♠"]
WILD = '<img src=x onerror="alert(1)">'


def by_card(grid: Grid) -> dict[str, tuple[str, ...]]:
    """The cells of each row after the first."""
    rows = {row[0]: row[1:] for row in grid.rows}
    assert len(rows) == len(grid.rows)
    return rows  # type: ignore[return-value]


# ---- What the cards do

#: Written from the tables of the texts (rules.md 1.c, 1.e, 1.f): Russian, Spanish, Polish.
THREE_TEXTS = {
    "A": ("+1 or +11", "+1", "+1 or +11", "≠"),
    "2": ("+2", "+2", "+2", ""),
    "3": ("+3", "+3", "+3", ""),
    "4": ("direction turns", "+4", "direction turns", "≠"),
    "5": ("+5", "+5", "+5", ""),
    "6": ("+6", "+6", "+6", ""),
    "7": ("+7", "+7", "+7", ""),
    "8": ("+8", "+8", "+8", ""),
    "9": ("total becomes 0", "+9", "+0", "≠"),
    "10": ("+10 or −10", "−10", "+10 or −10", "≠"),
    "J": ("+10", "+0", "+10", "≠"),
    "Q": ("+10", "direction turns", "+10", "≠"),
    "K": ("total becomes 99", "total becomes 99", "total becomes 99", ""),
}
#: The table of Paranoia (rules.md 1.d).
PARANOIA = {
    "A": "+1 or +11",
    "2": "+2, exchange of a card",
    "3": "+3",
    "4": "direction turns",
    "5": "+5",
    "6": "+6",
    "7": "+7",
    "8": "+0",
    "9": "+9",
    "10": "+10 or −10",
    "J": "+10, crossing: −1",
    "Q": "+10, crossing: −2",
    "K": "+10, exchange of a card",
    "3-3": "total becomes 33 or total becomes 33, direction turns",
    "6-6": "total becomes 66 or total becomes 66, direction turns",
    "9-9": "total becomes 99 or total becomes 99, direction turns",
    "K-K": "+10, crossing: +1 from each other player",
}


def test_the_three_texts_stand_beside_each_other_in_the_order_of_the_ranks() -> None:
    grid = effect_table(kit.ADDING_RU, kit.ADDING_ES, kit.ADDING_PL)
    assert grid.caption == "What the cards do"
    assert grid.head == ("Card", "Adding, Russian text", "Adding, Spanish text", "Adding, Polish text", "Differs")
    assert by_card(grid) == THREE_TEXTS
    assert [row[0] for row in grid.rows] == list(THREE_TEXTS)


def test_one_game_alone_has_no_column_for_differences() -> None:
    grid = effect_table(kit.PARANOIA_RU)
    assert grid.head == ("Card", kit.PARANOIA_RU.title)
    assert {card: cells for card, (cells,) in by_card(grid).items()} == PARANOIA
    assert [row[0] for row in grid.rows] == list(PARANOIA)


def test_only_the_differences_are_left_where_they_are_asked_for() -> None:
    grid = effect_table(kit.ADDING_RU, kit.ADDING_ES, kit.ADDING_PL, only_differences=True)
    assert by_card(grid) == {card: cells for card, cells in THREE_TEXTS.items() if cells[-1]}
    assert effect_table(kit.ADDING_RU, kit.ADDING_RU, only_differences=True).rows == ()


def test_pairs_have_their_rows_and_a_dash_in_games_without_them() -> None:
    for games, place in (((kit.ADDING_RU, kit.PARANOIA_RU), 1), ((kit.PARANOIA_RU, kit.ADDING_RU), 0)):
        rows = by_card(effect_table(*games))
        for pair in ("3-3", "6-6", "9-9", "K-K"):
            assert rows[pair][place] == PARANOIA[pair]
            assert rows[pair][1 - place] == "–"
            assert rows[pair][-1] == "≠"


def test_single_cards_stand_below_their_rank_in_whichever_game_has_them() -> None:
    penalty_cards = kit.READINGS["court suits"].read(kit.PARANOIA_RU, "penalty cards only")
    for games, place in (((penalty_cards, kit.PARANOIA_RU), 0), ((kit.PARANOIA_RU, penalty_cards), 1)):
        grid = effect_table(*games)
        cards = [row[0] for row in grid.rows]
        assert cards[10:17] == ["J", "J♣", "J♦", "Q", "Q♦", "Q♥", "K"]
        rows = by_card(grid)
        for card, court in (("J♣", "J"), ("J♦", "J"), ("Q♦", "Q"), ("Q♥", "Q")):
            assert rows[card][place] == "+10"
            assert rows[card][1 - place] == PARANOIA[court]
            assert rows[card][-1] == "≠"
        assert rows["J"] == (PARANOIA["J"], PARANOIA["J"], "")


def test_a_single_card_that_does_what_its_rank_does_is_no_difference() -> None:
    same = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"7♥": kit.Effect(add=7)})
    rows = by_card(effect_table(kit.ADDING_RU, same))
    assert rows["7♥"] == ("+7", "+7", "")
    assert effect_table(kit.ADDING_RU, same, only_differences=True).rows == ()


def test_other_effects_are_told_in_words() -> None:
    effects = {
        "2": kit.Effect(add=-3, skip=2),
        "5": (kit.Effect(set_to=-5), kit.Effect(reverse=True, exchange=True)),
        "6": kit.Effect(add=6, on_cross=4, instead=True),
    }
    rows = by_card(effect_table(replace(kit.PARANOIA_RU, effects=kit.PARANOIA_RU.effects | effects)))
    assert rows["2"] == ("−3, players skipped: 2",)
    assert rows["5"] == ("total becomes −5 or direction turns, exchange of a card",)
    assert rows["6"] == ("+6, crossing: +4 instead",)


@pytest.mark.parametrize("games", [(kit.TRICKS_RU,), (kit.ADDING_RU, kit.TRICKS_FR)])
def test_a_trick_game_has_no_effects_to_show(games: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{games[-1].name}: only an adding game has cards with effects$"):
        effect_table(*games)


# ---- How rules differ

PREMIUM = kit.Premium("declare", made=30, failed=-60)
#: Another value for each field, with what else must change so that the rules can be played.
TRICK_CHANGES: dict[str, Any] = {
    "players": (2, 3),
    "ranks": tuple("5678910JQKA".replace("10", "T")),
    "hand_size": 11,
    "bid_cards": 2,
    "bid_values": {"♣": 3, "♥": 2, "♠": 0, "♦": 1},
    "trick_points": 2,
    "success_bonus": {0: 0, 1: 31, 2: 20, 3: 10},
    "trump_after": {0: "♣", 1: "♠", 2: "♥", 3: "♦", 4: None},
    "first_trump": "♥",
    "premiums": (kit.Premium("declare", made=31, failed=-60),),
    "target": 101,
    "deals": 9,
    "games": 5,
    "games_to_win": 2,
}
ADDING_CHANGES: dict[str, Any] = {
    "players": (3, 4),
    "packs": 2,
    "hand_size": 4,
    "effects": {"7": kit.Effect(reverse=True)},
    "pairs": {"8": kit.Effect(set_to=88)},
    "start": 7,
    "direction": -1,
    "limit": 150,
    "over_limit": None,
    "voluntary_bust": True,
    "floor": "clamp",
    "lives": 4,
    "ante": 2,
    "milestones": (Milestone(40, 2),),
    "milestones_down": True,
    "penalties": {"A♠": -4},
    "rounds": 5,
    "objective": None,
    "next_leader": "loser",
    "draw_after_end": True,
}


def changed(rules: Rules, field: str) -> tuple[Rules, Rules]:
    """The rules, made ready for the field where it would change nothing else, and the same with the field changed."""
    change = (TRICK_CHANGES if isinstance(rules, kit.TrickRules) else ADDING_CHANGES)[field]
    if field == "games_to_win":
        return rules, replace(rules, games=None, games_to_win=change)
    if isinstance(rules, kit.AddingRules):
        points = rules.over_limit == "allowed"
        if field == "over_limit":
            change = "deal over" if rules.over_limit == "play on" else "play on"
        if field == "objective":
            change = {"high": "low", "last in": "first out", "first out": "last in"}[rules.objective]
        if field in ("over_limit", "voluntary_bust", "lives", "ante", "next_leader") and points:
            rules = replace(rules, over_limit="deal over", objective="last in", rounds=None)
        if field == "ante":
            rules = replace(rules, objective="last in")
        if field == "next_leader":
            rules = replace(rules, over_limit="deal over")
        if field in ("draw_after_end", "rounds") and not points:
            rules = replace(rules, over_limit="allowed", objective="high", rounds=3, lives=1)
        if field == "milestones_down" and not rules.milestones:
            rules = replace(rules, milestones=(Milestone(33, 1),))
        if field == "hand_size":
            rules = replace(rules, packs=2)
        if field in ("effects", "pairs", "penalties"):
            change = getattr(rules, field) | change
        if field == "packs" and rules.packs == 2:
            change = 3
    return rules, replace(rules, **{field: change})


SAID = ("name", "title", "source")
FIELDS = [(rules, field.name) for rules in kit.PRESETS.values() for field in fields(rules) if field.name not in SAID]


@pytest.mark.parametrize(("rules", "field"), FIELDS, ids=[f"{rules.name}-{field}" for rules, field in FIELDS])
def test_any_changed_field_is_told_with_both_its_values(rules: Rules, field: str) -> None:
    before, now = changed(rules, field)
    assert getattr(before, field) != getattr(now, field)
    for mine, other in ((now, before), (before, now)):
        grid = differences(mine, other)
        assert grid.caption == f"What differs from: {rules.title}"
        assert grid.head == ("Rule", "before", "now")
        named = {row[0].split()[0] for row in grid.rows}
        assert named == {field} | ({"games"} if field == "games_to_win" else set())
        assert all(row[1] and row[2] and row[1] != row[2] for row in grid.rows)
    there, back = differences(now, before).rows, differences(before, now).rows
    assert sorted((name, old, new) for name, new, old in back) == sorted(there)


def test_every_field_has_a_change_here() -> None:
    assert [*TRICK_CHANGES] == [field.name for field in fields(kit.TrickRules) if field.name not in SAID]
    assert [*ADDING_CHANGES] == [field.name for field in fields(kit.AddingRules) if field.name not in SAID]


def told(rules: Rules, **change: Any) -> tuple[Any, ...]:
    return differences(replace(rules, **change), rules).rows


def test_the_words_of_a_difference_are_these() -> None:
    ru, es, paranoia = kit.ADDING_RU, kit.ADDING_ES, kit.PARANOIA_RU
    assert told(ru, start=-3) == (("start", "0", "−3"),)
    assert told(ru, voluntary_bust=True) == (("voluntary_bust", "no", "yes"),)
    assert told(ru, floor="clamp") == (("floor", "none", "clamp"),)
    assert told(ru, players=(2, 3)) == (("players", "2, 3, 4, 5", "2, 3"),)
    assert told(ru, packs={2: 1, 3: 1, 4: 2, 5: 2}) == (("packs", "1", "1 (2–3 players), 2 (4–5 players)"),)
    assert told(es, packs=2) == (("packs", "1 (3–4 players), 2 (5–8 players)", "2"),)
    assert told(es, packs=dict.fromkeys(range(3, 9), 2)) == (
        ("packs", "1 (3–4 players), 2 (5–8 players)", "2 (3–8 players)"),
    )
    assert told(paranoia, milestones=()) == (("milestones", "33: +1, 66: +2, 99: +3", "none"),)
    assert told(paranoia, penalties={"J♠": -3, "J♥": -3, "Q♠": -5}) == (("penalties Q♣", "−5", "none"),)
    assert told(ru, effects=ru.effects | {"9": (kit.Effect(), kit.Effect(set_to=0))}) == (
        ("effects 9", "total becomes 0", "+0 or total becomes 0"),
    )
    pairs = {rank: rows for rank, rows in paranoia.pairs.items() if rank != "K"}
    assert told(paranoia, pairs=pairs) == (("pairs K", PARANOIA["K-K"], "none"),)


def test_the_two_trick_games_differ_in_trump_premiums_and_games() -> None:
    rows = differences(kit.TRICKS_FR, kit.TRICKS_RU).rows
    assert rows[:4] + rows[5:] == (
        ("trump_after 0", "none", "♦"),
        ("trump_after 1", "none", "♠"),
        ("trump_after 2", "none", "♥"),
        ("trump_after 3", "none", "♣"),
        ("games", "3", "1"),
    )
    name, *stakes = rows[4]
    assert name == "premiums"
    numbers = [re.findall(r"declare|reveal|[+−]\d+", stake) for stake in stakes]
    assert numbers == [["declare", "+30", "−60"], ["declare", "+30", "+30", "reveal", "+60", "+60"]]


def test_russian_and_polish_adding_differ_as_the_texts_say() -> None:
    assert differences(kit.ADDING_PL, kit.ADDING_RU).rows == (
        ("players", "2, 3, 4, 5", "2, 3, 4, 5, 6, 7, 8"),
        ("packs", "1", "1 (2–3 players), 2 (4–8 players)"),
        ("effects 9", "total becomes 0", "+0"),
        ("over_limit", "play on", "deal over"),
        ("lives", "1", "5 (2–3 players), 3 (4–8 players)"),
    )


@pytest.mark.parametrize("part", ["made", "failed", "others", "opens_hand"])
def test_a_premium_that_differs_in_any_part_looks_different(part: str) -> None:
    now = replace(PREMIUM, **{part: True if part == "opens_hand" else 25})
    ((name, before, after),) = told(kit.TRICKS_RU, premiums=(now,))
    assert name == "premiums"
    assert re.findall(r"declare|[+−]\d+", before) == ["declare", "+30", "−60"]
    assert after.startswith("declare")
    assert after != before


def test_single_cards_are_compared_with_what_their_rank_does() -> None:
    penalty_cards = kit.READINGS["court suits"].read(kit.PARANOIA_RU, "penalty cards only")
    assert set(differences(penalty_cards, kit.PARANOIA_RU).rows) == {
        ("effects J♣", PARANOIA["J"], "+10"),
        ("effects J♦", PARANOIA["J"], "+10"),
        ("effects Q♦", PARANOIA["Q"], "+10"),
        ("effects Q♥", PARANOIA["Q"], "+10"),
    }
    same = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"7♥": kit.Effect(add=7)})
    assert differences(same, kit.ADDING_RU).rows == ()


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=lambda rules: rules.name)
def test_nothing_differs_between_equal_rules_whatever_they_are_called(rules: Rules) -> None:
    for other in (rules, replace(rules), replace(rules, name="mine", title="Mine")):
        grid = differences(other, rules)
        titles = ("before", "now") if other.title == rules.title else (rules.title, "Mine")
        assert grid == Grid(f"Nothing differs from: {rules.title}", ("Rule", *titles), ())
        assert grid.caption in repr(grid)


def test_another_kind_of_game_is_refused() -> None:
    for rules, other in ((kit.ADDING_RU, kit.TRICKS_RU), (kit.TRICKS_FR, kit.PARANOIA_RU)):
        reason = rf"^{rules.name}: cannot be compared with {other.name}, which is another kind of game$"
        with pytest.raises(ValueError, match=reason):
            differences(rules, other)


def test_every_meaning_but_the_one_taken_differs_from_its_preset() -> None:
    for reading in kit.READINGS.values():
        for preset in (kit.PRESETS[name] for name in reading.presets):
            for choice in reading.choices:
                rules = reading.read(preset, choice)
                assert bool(differences(rules, preset).rows) == (rules != preset) == (choice != reading.taken)


# ---- The same actions side by side


def adding(rules: kit.AddingRules, hand: str = "A♥ 9♣ 10♠", total: int = 50, **given: Any) -> kit.AddingState:
    return kit.position(rules, [hand, "4♣ 5♥ Q♣", "7♦ 6♣ J♦"], total=total, **given)


def test_three_texts_play_one_line_from_the_same_hands() -> None:
    """Worked by hand from the three tables."""
    starts = [adding(rules) for rules in (kit.ADDING_RU, kit.ADDING_ES, kit.ADDING_PL)]
    grid = side_by_side(starts, ["9♣", "5♥", "7♦", "10♠ -10"])
    assert grid == Grid(
        "Side by side",
        ("Move", "Adding, Russian text", "Adding, Spanish text", "Adding, Polish text"),
        (
            ("A 9♣", "50 → 0", "50 → 59", "50 → 50"),
            ("B 5♥", "0 → 5", "59 → 64", "50 → 55"),
            ("C 7♦", "5 → 12", "64 → 71", "55 → 62"),
            ("A 10♠ −10", "12 → 2", "71 → 61", "62 → 52"),
        ),
    )


def test_a_game_stops_where_an_action_is_not_legal_and_says_why() -> None:
    starts = [adding(rules, total=95) for rules in (kit.ADDING_RU, kit.ADDING_ES, kit.ADDING_PL)]
    grid = side_by_side(starts, ["9♣", "5♥", "7♦"])
    over = "9♣ would make 104, which is over 99. Lay a card that stays at 99 or less."
    assert grid.rows[0] == ("A 9♣", "95 → 0", f"⊘ {over}", "95 → 95")
    assert [row[2] for row in grid.rows[1:]] == ["–", "–"]
    assert grid.rows[1][3] == "⊘ 5♥ would make 100, which is over 99. Lay a card that stays at 99 or less."
    assert grid.rows[2] == ("C 7♦", "5 → 12", "–", "–")
    assert starts[0].total == 95


def test_a_choice_that_one_text_does_not_offer_stops_that_game() -> None:
    starts = [adding(kit.ADDING_RU), adding(kit.ADDING_ES)]
    ((move, russian, spanish),) = side_by_side(starts, ["A♥ +11"]).rows
    assert (move, russian) == ("A A♥ +11", "50 → 61")
    why = starts[1].why_not("A♥ +11")
    assert why
    assert spanish == f"⊘ {kit.narrate(why)}"


def test_a_text_that_is_no_move_stops_every_game_and_the_rest_is_dashes() -> None:
    grid = side_by_side([adding(kit.ADDING_RU), adding(kit.ADDING_PL)], ["hello", "9♣"])
    assert all(cell.startswith("⊘ “hello” is not a move.") for cell in grid.rows[0][1:])
    assert grid.rows[1][1:] == ("–", "–")
    assert grid.rows[1][0] == "9♣"


def test_seats_that_differ_are_both_named() -> None:
    """A 4 turns the direction in one text, a queen in another."""
    starts = [adding(rules, "4♥ Q♦ 2♠") for rules in (kit.ADDING_RU, kit.ADDING_ES)]
    grid = side_by_side(starts, ["4♥", "6♣"])
    turned = "The direction turns: play goes counter-clockwise now."
    assert grid.rows[0] == ("A 4♥", f"50 → 50 {turned}", "50 → 54")
    assert grid.rows[1][0] == "B/C 6♣"
    assert grid.rows[1][1] == "50 → 56"
    assert grid.rows[1][2].startswith("⊘ ")


def test_pairs_and_single_cards_are_played_side_by_side() -> None:
    penalty_cards = kit.READINGS["court suits"].read(kit.PARANOIA_RU, "penalty cards only")
    starts = [adding(rules, "3♣ 3♥ J♣", total=28) for rules in (kit.PARANOIA_RU, penalty_cards)]
    ((_, first, second),) = side_by_side(starts, ["J♣"]).rows
    assert first != second
    assert all(cell.startswith("28 → 38 ") for cell in (first, second))
    assert "−1" in first
    assert "−1" not in second
    ((move, first, second),) = side_by_side(starts, ["3♣ 3♥ =33 reverse"]).rows
    assert move == "A 3♣ 3♥ =33 reverse"
    assert first == second
    assert first.startswith("28 → 33")
    ((_, russian, _),) = side_by_side([adding(kit.ADDING_RU, "3♣ 3♥ J♣"), starts[0]], ["3♣ 3♥ =33"]).rows
    assert russian == "⊘ 3♣ 3♥ cannot be laid together. Lay one card."


def test_one_trick_goes_to_another_with_another_trump() -> None:
    hands = ["9♥ 6♥", "K♥ 9♣", "10♠ J♠"]
    starts = [kit.position(kit.TRICKS_FR, hands, bids=BIDS, trump=trump) for trump in (None, Suit.SPADES)]
    grid = side_by_side(starts, ["9♥", "K♥", "10♠"], names=["Ann", "Ben", "Cem"])
    assert grid.rows == (
        ("Ann 9♥", "", ""),
        ("Ben K♥", "", ""),
        (
            "Cem 10♠",
            "Ben takes the trick: K♥ is the highest card of the suit led.",
            "Cem takes the trick: 10♠ is the highest trump.",
        ),
    )


def test_who_is_stuck_loses_a_life_under_one_text_and_the_game_under_another() -> None:
    starts = [adding(rules, "5♣ 7♥ 8♠", total=98) for rules in (kit.ADDING_RU, kit.ADDING_ES)]
    ((_, russian, spanish),) = side_by_side(starts, ["5♣"]).rows
    assert "→" not in russian + spanish
    assert "is out" in russian
    assert "2 left" in spanish


def test_no_card_that_is_drawn_is_told() -> None:
    grid = side_by_side([adding(kit.ADDING_RU, seed=seed) for seed in (1, 2)], ["9♣", "4♣"])
    assert all(row[1] == row[2] for row in grid.rows)
    assert "draw" not in repr(grid)


def test_names_stand_in_the_moves_as_they_are_written() -> None:
    grid = side_by_side([adding(kit.ADDING_RU, "10♥ 2♣ 3♦")], ["10♥ -10"], names=["Jean-Luc"])
    assert grid.rows[0][0] == "Jean-Luc 10♥ −10"


# ---- Drawn as text and as a page


def test_text_and_page_have_the_same_cells() -> None:
    for grid in (
        effect_table(kit.ADDING_RU, kit.PARANOIA_RU),
        differences(kit.ADDING_PL, kit.ADDING_RU),
        side_by_side([adding(kit.ADDING_RU), adding(kit.ADDING_ES)], ["9♣", "5♥"]),
    ):
        page = html_grid(grid)
        cells = [unescape(cell) for cell in re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", page)]
        assert cells == [*grid.head, *(cell for row in grid.rows for cell in row)]
        assert re.search(rf"<caption[^>]*>{re.escape(grid.caption)}</caption>", page)
        lines = text_grid(grid).splitlines()
        assert len(lines) == 1 + len(grid.rows)
        for line, row in zip(lines, (grid.head, *grid.rows), strict=True):
            assert line.split() == " ".join(map(str, row)).split()


def test_names_and_titles_are_escaped_on_a_page_and_stand_as_they_are_in_text() -> None:
    wild = replace(kit.ADDING_RU, title=WILD)
    for grid in (
        effect_table(wild, kit.ADDING_ES),
        differences(kit.ADDING_PL, wild),
        side_by_side([adding(wild), adding(kit.ADDING_ES)], ["9♣", WILD], names=[WILD, "B & C", WILD]),
    ):
        assert "<img" not in html_grid(grid)
        assert "&lt;img" in html_grid(grid)
        assert WILD in repr(grid)
    assert "B &amp; C" in html_grid(grid)


def test_charts_of_rules_are_mappings_that_are_compared_by_entry() -> None:
    """So that one tweak is one line, and not the whole chart twice."""
    for rules in ADDING:
        assert isinstance(rules.effects, Mapping)
        mine = replace(rules, effects=rules.effects | {"7": kit.Effect(add=70)})
        assert differences(mine, rules).rows == (("effects 7", "+7", "+70"),)
