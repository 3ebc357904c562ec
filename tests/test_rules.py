"""Rules are values that say by name what cannot be played, and a variant is one line."""

import pickle
from dataclasses import replace
from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit import ADDING_ES, ADDING_PL, ADDING_RU, PARANOIA_RU, TRICKS_FR, TRICKS_RU, Chart, Effect

ADDING = [rules for rules in kit.PRESETS.values() if isinstance(rules, kit.AddingRules)]


def less(chart: Chart[Any, Any], *keys: object) -> Chart[Any, Any]:
    return Chart({key: value for key, value in chart.items() if key not in keys})


@pytest.mark.parametrize(
    "rules, changes, reason",
    [
        (ADDING_RU, {"effects": less(ADDING_RU.effects, "8")}, "no effect for 8"),
        (ADDING_RU, {"effects": ADDING_RU.effects | {"8": ()}}, "no effect for 8"),
        (ADDING_RU, {"effects": ADDING_RU.effects | {"8♣": ()}}, "no effect for 8♣"),
        (PARANOIA_RU, {"pairs": PARANOIA_RU.pairs | {"3": ()}}, "no effect for 3"),
        (
            ADDING_RU,
            {"effects": ADDING_RU.effects | {"9": "+9"}},
            "the effect of 9 must be made with Effect(…), not '+9'",
        ),
        (ADDING_RU, {"effects": ADDING_RU.effects | {"9": 9}}, "the effect of 9 must be made with Effect(…), not 9"),
        (
            ADDING_RU,
            {"effects": ADDING_RU.effects | {"9": (Effect(on_cross=1), Effect(on_cross=1, instead=True))}},
            "two choices for 9 are both written cross 1",
        ),
        (ADDING_RU, {"effects": ADDING_RU.effects | {"Z": Effect()}}, "“Z” is not a rank"),
        (ADDING_RU, {"effects": ADDING_RU.effects | {"9X": Effect()}}, "“9X” is not a card"),
        (ADDING_RU, {"hand_size": 11}, "5 hands of 11 need 56 cards, the pack has 52"),
        (ADDING_RU, {"hand_size": 0}, "a hand of 0 cards cannot be played"),
        (ADDING_RU, {"players": 3}, "players is a tuple of the numbers allowed: (3,), not 3"),
        (ADDING_RU, {"players": (1, 2)}, "needs at least two players"),
        (ADDING_RU, {"players": ()}, "needs at least two players"),
        (ADDING_RU, {"lives": 0}, "lives must be above 0"),
        (ADDING_RU, {"packs": 0}, "packs must be above 0"),
        (ADDING_PL, {"lives": less(ADDING_PL.lives, 7)}, "lives says nothing about 7 players"),
        (ADDING_PL, {"packs": less(ADDING_PL.packs, 7)}, "packs says nothing about 7 players"),
        (ADDING_RU, {"start": 100}, "starts at 100, above the limit of 99"),
        (ADDING_RU, {"ante": -1}, "a turn cannot cost -1"),
        (ADDING_RU, {"direction": 0}, "direction is 0; it can be 1, -1"),
        (ADDING_RU, {"floor": 0}, "floor is 0; it can be None, 'clamp', 'forbid'"),
        (ADDING_RU, {"over_limit": "stop"}, "over_limit is 'stop'; it can be 'play on', 'deal over', 'allowed'"),
        (ADDING_RU, {"objective": "win"}, "objective is 'win'; it can be 'last in', 'first out', 'high', 'low'"),
        (ADDING_ES, {"next_leader": "winner"}, "next_leader is 'winner'; it can be \"dealer's left\", 'loser'"),
        (ADDING_RU, {"objective": "high"}, "objective 'high' does not go with over_limit 'play on'"),
        (PARANOIA_RU, {"objective": "last in"}, "objective 'last in' does not go with over_limit 'allowed'"),
        (PARANOIA_RU, {"rounds": None}, "rounds must be given when points decide, and only then"),
        (ADDING_RU, {"rounds": 3}, "rounds must be given when points decide, and only then"),
        (PARANOIA_RU, {"floor": "forbid"}, "floor 'forbid' needs lives to lose"),
        (PARANOIA_RU, {"voluntary_bust": True}, "voluntary_bust would change nothing with over_limit 'allowed'"),
        (PARANOIA_RU, {"lives": 3}, "lives would change nothing with over_limit 'allowed'"),
        (PARANOIA_RU, {"next_leader": "loser"}, "next_leader would change nothing with over_limit 'allowed'"),
        (ADDING_RU, {"next_leader": "loser"}, "next_leader would change nothing with over_limit 'play on'"),
        (ADDING_RU, {"draw_after_end": True}, "draw_after_end would change nothing with over_limit 'play on'"),
        (ADDING_RU, {"milestones_down": True}, "milestones_down would change nothing"),
        (ADDING_ES, {"ante": 1}, "ante would change nothing with over_limit 'deal over' and objective 'first out'"),
        (PARANOIA_RU, {"milestones": (33, 66)}, "a milestone is Milestone(at, points) in whole numbers, not 33"),
        (PARANOIA_RU, {"penalties": Chart({"J": -3})}, "“J” is not a card"),
        (TRICKS_RU, {"hand_size": 13}, "3 hands of 13 need 39 cards, the pack has 36"),
        (TRICKS_RU, {"ranks": ("6", "X")}, "“X” is not a rank"),
        (TRICKS_RU, {"ranks": tuple("678899JQKA")}, "a rank stands twice in ranks"),
        (TRICKS_RU, {"bid_cards": 12}, "a bid of 12 cards leaves no card to play"),
        (TRICKS_RU, {"bid_values": less(TRICKS_RU.bid_values, "♠")}, "bid_values lacks ♠"),
        (TRICKS_RU, {"bid_values": TRICKS_RU.bid_values | {"x": 1}}, "“x” is not a suit"),
        (
            TRICKS_RU,
            {"success_bonus": less(TRICKS_RU.success_bonus, 2)},
            "success_bonus says nothing about 2 bids made",
        ),
        (TRICKS_FR, {"trump_after": less(TRICKS_FR.trump_after, 0)}, "trump_after says nothing about 0 bids made"),
        (TRICKS_FR, {"premiums": TRICKS_FR.premiums * 2}, "each premium needs a name of its own"),
        (
            TRICKS_FR,
            {"premiums": (kit.Premium("pass", made=1),)},
            "a premium cannot be called “pass”: take one word",
        ),
        (TRICKS_RU, {"target": None}, "a game would never end: give target or deals"),
        (TRICKS_RU, {"target": -1}, "target and deals must be above 0"),
        (TRICKS_RU, {"games": None}, "give one of games and games_to_win"),
        (TRICKS_RU, {"games_to_win": 3}, "give one of games and games_to_win"),
        (TRICKS_RU, {"games": -1}, "games must be above 0"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_name_with_the_reason(
    rules: Any, changes: dict[str, Any], reason: str
) -> None:
    before = pickle.dumps(rules)
    with pytest.raises(ValueError) as refused:
        replace(rules, **changes)
    assert str(refused.value).startswith(f"{rules.name}: {reason}")
    assert pickle.dumps(rules) == before


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=str)
def test_a_misspelt_field_is_an_error_that_names_it(rules: Any) -> None:
    with pytest.raises(TypeError, match="hand_sise"):
        replace(rules, hand_sise=4)


def test_an_effect_adds_or_sets() -> None:
    with pytest.raises(ValueError, match="an effect adds or sets, not both: add=1, set_to=2"):
        Effect(add=1, set_to=2)
    with pytest.raises(ValueError, match="an effect cannot skip -1 players"):
        Effect(skip=-1)


@pytest.mark.parametrize("rules", ADDING, ids=lambda rules: rules.name)
def test_the_effects_of_a_preset_name_every_rank_once(rules: kit.AddingRules) -> None:
    assert sorted(rules.effects) == sorted(kit.Rank)


def test_a_new_effect_is_one_line_and_leaves_the_preset_alone() -> None:
    plain_nine = replace(ADDING_RU, effects=ADDING_RU.effects | {"9": Effect(add=9)})
    assert kit.position(plain_nine, ["9♣", "2♦"], total=50).apply("9♣").total == 59
    assert kit.position(ADDING_RU, ["9♣", "2♦"], total=50).apply("9♣").total == 0


def test_one_card_may_differ_from_its_rank() -> None:
    rules = replace(ADDING_PL, effects=ADDING_PL.effects | {"K♠": Effect(set_to=99), "K": Effect(add=10)})
    hands = ["K♠ K♥ 2♣", "2♦"]
    assert kit.position(rules, hands, total=50).apply("K♠").total == 99
    assert kit.position(rules, hands, total=50).apply("K♥").total == 60


@pytest.mark.parametrize("rank", ["10", "T", "t", kit.Rank.TEN])
def test_keys_of_charts_may_be_typed(rank: str) -> None:
    rules = replace(ADDING_ES, effects=ADDING_ES.effects | {rank: Effect(add=10)})
    assert rules.effects["10"] == rules.effects[kit.Rank.TEN] == (Effect(add=10),)
    assert len(rules.effects) == 13


def test_a_chart_never_changes_and_says_what_to_write() -> None:
    chart = Chart({"9": 1})
    with pytest.raises(TypeError, match=r"replace\(rules, field=rules.field \| \{'9': …\}\)"):
        chart["9"] = 2
    assert chart | {"9": 2, "8": 3} == {"9": 2, "8": 3}
    assert chart == {"9": 1}


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=lambda rules: rules.name)
def test_rules_are_values(rules: Any) -> None:
    again = replace(rules)
    assert again is not rules
    assert again == rules == pickle.loads(pickle.dumps(rules))
    assert hash(again) == hash(rules) == hash(pickle.loads(pickle.dumps(rules)))
    assert len({rules, again, replace(rules, name="other")}) == 2
    with pytest.raises(AttributeError):
        rules.hand_size = 4


@pytest.mark.parametrize(
    "rules, players, packs, lives",
    [
        (ADDING_RU, (2, 3, 4, 5), (1, 1, 1, 1), (1, 1, 1, 1)),
        (ADDING_ES, (3, 4, 5, 6, 7, 8), (1, 1, 2, 2, 2, 2), (3, 3, 3, 3, 3, 3)),
        (ADDING_PL, (2, 3, 4, 5, 6, 7, 8), (1, 1, 2, 2, 2, 2, 2), (5, 5, 3, 3, 3, 3, 3)),
        (PARANOIA_RU, (2, 3, 4, 5), (1, 1, 2, 2), (1, 1, 1, 1)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_players_packs_and_lives_are_as_in_the_texts(
    rules: kit.AddingRules, players: tuple[int, ...], packs: tuple[int, ...], lives: tuple[int, ...]
) -> None:
    assert rules.players == players
    assert tuple(len(rules.pack(number)) // 52 for number in players) == packs
    assert tuple(rules.lives_for(number) for number in players) == lives


def test_a_reading_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError) as refused:
        kit.READINGS["nine"].read(ADDING_RU, "adds nine")
    assert str(refused.value) == "adding-ru: no reading “adds nine” here; there are: becomes zero, adds nothing"


@pytest.mark.parametrize("name", kit.READINGS)
def test_the_preset_is_the_reading_that_was_taken_and_every_other_is_different(name: str) -> None:
    reading = kit.READINGS[name]
    for preset in reading.presets:
        rules = kit.PRESETS[preset]
        read = {choice: reading.read(rules, choice) for choice in reading.choices}
        assert read[reading.taken] == rules
        assert len(set(read.values())) == len(reading.choices) > 1
        for other in read.values():
            assert reading.read(other, reading.taken) == rules


@pytest.mark.parametrize(
    "name, rules, choice",
    [
        ("pair direction", ADDING_RU, "always turns"),
        ("failed premium", TRICKS_FR, "others gain 30"),
        ("two players", PARANOIA_RU, "two or more"),
        ("objective", ADDING_RU, "fewest points"),
    ],
)
def test_a_reading_is_for_the_game_of_its_sentence_only(name: str, rules: Any, choice: str) -> None:
    with pytest.raises(ValueError, match=f"{rules.name}: this reading is about"):
        kit.READINGS[name].read(rules, choice)


def test_readings_of_one_game_can_be_combined() -> None:
    rules = PARANOIA_RU
    for name, choice in (("objective", "fewest points"), ("court crossing", "instead"), ("two kings", "exchange")):
        rules = kit.READINGS[name].read(rules, choice)
    assert rules.effects["J"] == (Effect(add=10, on_cross=1, instead=True),)
    assert rules.pairs["K"] == (Effect(add=10, levy=-1, exchange=True),)


def test_ranks_may_be_given_as_numbers() -> None:
    assert replace(ADDING_RU, effects=ADDING_RU.effects | {9: Effect(add=9)}).effects["9"] == (Effect(add=9),)


def test_the_rule_sheet_tells_both_sides_of_a_premium_and_the_numbers_of_players() -> None:
    risk = replace(TRICKS_RU, premiums=(kit.Premium("risk", made=30, failed=-30, others=20),))
    assert "risk (bid open): +30 if the bid is made; if it fails, −30, +20 for each other player." in kit.text(risk)
    assert "2, 4 players." in kit.text(replace(ADDING_RU, players=(2, 4)))


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: Effect(add="9"), "add must be a whole number, not '9'"),
        (lambda: Effect(reverse="yes"), "reverse must be True or False, not 'yes'"),
        (lambda: kit.Premium("declare", made="30"), "made must be a whole number, not '30'"),
        (lambda: replace(TRICKS_FR, bid_values=TRICKS_FR.bid_values | {"♥": "4"}), "tricks-fr: bid_values and"),
        (lambda: replace(PARANOIA_RU, penalties={"Q♥": "5"}), "paranoia-ru: penalties must be whole numbers"),
        (lambda: replace(PARANOIA_RU, milestones=(kit.Milestone(33, "1"),)), "paranoia-ru: a milestone is"),
        (lambda: replace(ADDING_RU, lives="3"), "adding-ru: lives must be a whole number or a Chart, not '3'"),
        (lambda: replace(TRICKS_RU, premiums=("declare",)), "tricks-ru: a premium is made with Premium(…)"),
        (lambda: replace(ADDING_RU, title=5), "adding-ru: title must be a text, not 5"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_when_the_rules_are_made(make: Any, told: str) -> None:
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value).startswith(told)
