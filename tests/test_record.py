"""A game that is kept or shared comes back as the same game, in the same bytes."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
import records
from jsonschema import Draft202012Validator
from playing import choose
from records import BIDS, CHIPS, CHIPS_ACTIONS, LAST_RESULT, chips, kept, last_trick, played
from tweaks import tweaks

import ninety_nine_kit as kit
from ninety_nine_kit.card import listed, shuffle
from ninety_nine_kit.record.reading import schema
from ninety_nine_kit.rules import Chart, Rules
from ninety_nine_kit.tricks import Trick

GAMES, TWEAKS = 300, 200
SHARES = list(records.shares(GAMES))
VALIDATOR = Draft202012Validator(schema())
FAR = 10**15 - 1
PACK = kit.TRICKS_RU.pack(3)
presets = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
three_player_tricks = pytest.mark.parametrize("rules", [kit.TRICKS_RU, kit.TRICKS_FR], ids=lambda rules: rules.name)


def played_by_lot(start: kit.State, actions: int, number: int = 99) -> kit.History:
    history, random = kit.History(start), Random(number)
    while history.state.to_act is not None and history.step < actions:
        history.play(choose(history.state, random))
    return history


def looked_at(history: kit.History) -> dict[str, Any]:
    """The record of a game that comes back and is as the published schema says, as data."""
    data: dict[str, Any] = json.loads(kept(history))
    VALIDATOR.validate(data)
    return data


# Whatever was played


@pytest.mark.parametrize(("rules", "players", "seeds"), SHARES, ids=[f"{r.name}-{n}" for r, n, _ in SHARES])
def test_random_games_come_back_with_every_state_action_name_and_byte(rules: Rules, players: int, seeds: range) -> None:
    counts = records.check(rules, players, seeds, look=lambda text: VALIDATOR.validate(json.loads(text)))
    assert counts["games"] == len(seeds)


def test_the_random_games_are_300_and_some_of_them_are_not_finished() -> None:
    assert sum(len(seeds) for _, _, seeds in SHARES) == GAMES
    some = [records.random_game(rules, players, seeds[0]) for rules, players, seeds in SHARES]
    assert {history.state.to_act is None for history in some} == {True, False}
    assert any(name for history in some for name in history.names)


def test_a_record_is_one_line_as_worked_by_hand() -> None:
    assert kept(chips()) == json.dumps(CHIPS, ensure_ascii=False) + "\n"
    assert list(CHIPS) == [name for name in schema()["properties"] if name != "packs"]
    VALIDATOR.validate(CHIPS)


def test_points_games_and_winners_stand_in_a_record_as_worked_by_hand() -> None:
    data = looked_at(last_trick())
    assert data["deals"] == [{"actions": ["A♥", "6♥", "7♥"], "points": [13, 16, 10]}]
    assert data["result"] == LAST_RESULT


def test_a_line_to_share_is_as_worked_by_hand() -> None:
    history = played(kit.deal(kit.ADDING_RU, 3, seed=99, dealer=2), "Q♥", "2♣", "Q♣", "8♣", "2♦", "A♣ +11")
    assert re.fullmatch(r"nn1\.adding-ru\.3\.99\.2\.QH-2C-QC-8C-2D-AC2\.[0-9a-f]{8}", kit.share_line(history))
    bids = ["bid Q♦ A♦ A♥", "bid 8♥ 9♥ Q♥", "bid J♣ 6♦ 10♦"]
    history = played(kit.deal(kit.TRICKS_FR, 3, seed=99, dealer=2), *bids, "pass", "reveal", "7♣")
    told = r"nn1\.tricks-fr\.3\.99\.2\.bQDADAH-b8H9HQH-bJC6DTD-p-p2-7C\.[0-9a-f]{8}"
    assert re.fullmatch(told, kit.share_line(history))


def test_what_was_taken_back_is_written_as_long_as_it_can_be_gone_to() -> None:
    history = chips()
    text = kit.write_record(history)
    line = kit.share_line(history)
    history.go(2)
    assert (kit.write_record(history), kit.share_line(history)) == (text, line)
    assert kit.read_record(text).step == len(CHIPS_ACTIONS)
    history.play("2♣")
    assert json.loads(kept(history))["deals"] == [{"actions": ["5♦", "9♣", "2♣"], "refills": ["2♣", "5♦", "9♣"]}]


# Whatever the rules


def fewest(rules: Rules) -> int:
    return 3 if 3 in rules.players else min(rules.players)


def games_of(rules: Rules, players: int, actions: int) -> Iterator[dict[str, Any]]:
    """Records of a game by these rules, under their own name and as a house game."""
    for named in (rules, replace(rules, name="house")):
        yield looked_at(played_by_lot(kit.deal(named, players, seed=players), actions))


@presets
def test_a_preset_is_told_by_its_name_and_a_house_game_by_all_its_fields(rules: Rules) -> None:
    preset, house = games_of(rules, fewest(rules), 40)
    assert preset["rules"] == {"preset": rules.name}
    assert next(iter(house["rules"].values())).keys() == vars(rules).keys() - {"_by_card"}


READ = {
    f"{preset}, {name}: {choice}": reading.read(kit.PRESETS[preset], choice)
    for name, reading in kit.READINGS.items()
    for preset in reading.presets
    for choice in reading.choices
}


@pytest.mark.parametrize("rules", READ.values(), ids=READ)
def test_every_reading_comes_back(rules: Rules) -> None:
    read, _ = games_of(rules, fewest(rules), 12)
    assert read["rules"]["preset"] == rules.name
    assert (read["rules"].keys() == {"preset"}) == (rules in kit.PRESETS.values())


@pytest.mark.parametrize("number", range(4))
def test_random_tweaks_come_back_and_games_played_by_them(number: int) -> None:
    for tweak in islice(tweaks(number), TWEAKS // 4):
        told, _ = games_of(tweak.rules, tweak.players, 20)
        kind = "tricks" if isinstance(tweak.rules, kit.TrickRules) else "adding"
        changed = told["rules"].get(kind, {}).keys() | told["rules"].get("without", {}).keys()
        assert changed == tweak.changed.keys()


def test_of_changed_rules_only_what_differs_is_told() -> None:
    effects = kit.ADDING_RU.effects | {"9": kit.Effect(add=9), "J♠": (kit.Effect(), kit.Effect(add=5, reverse=True))}
    rules = replace(kit.ADDING_RU, effects=effects, limit=50)
    told = looked_at(kit.History(kit.deal(rules, seed=1)))["rules"]
    rows = {"9": [{"add": 9}], "J♠": [{}, {"add": 5, "reverse": True}]}
    assert told == {"preset": "adding-ru", "adding": {"effects": rows, "limit": 50}}
    none = replace(kit.PARANOIA_RU, pairs=Chart({"3": (kit.Effect(set_to=33),)}), penalties={})
    assert looked_at(kit.History(kit.deal(none, seed=1)))["rules"] == {
        "preset": "paranoia-ru",
        "adding": {"pairs": {"3": [{"set_to": 33}]}},
        "without": {"pairs": ["6", "9", "K"], "penalties": ["J♠", "J♥", "Q♠", "Q♣"]},
    }


@presets
def test_charts_in_another_order_make_the_same_bytes(rules: Rules) -> None:
    def turned(rules: Any) -> Any:
        charts = {name: value for name, value in vars(rules).items() if isinstance(value, Chart)}
        return replace(rules, **{name: Chart(reversed([*chart.items()])) for name, chart in charts.items()})

    tweak = next(tweak.rules for tweak in tweaks(1) if type(tweak.rules) is type(rules))
    for one in (rules, replace(rules, name="house"), tweak, replace(tweak, name="house")):
        start, other = (kit.deal(each, fewest(one), seed=1, dealer=0) for each in (one, turned(one)))
        assert start == other
        assert kit.write_record(kit.History(start)) == kit.write_record(kit.History(other))
        assert kit.share_line(kit.History(start)) == kit.share_line(kit.History(other))


# Whatever it began with

TRICK = Trick(1, kit.cards("6♥ 8♥ 7♥"), 2)
LATE: dict[str, Any] = {"deal_number": 4, "game_number": 2, "scores": (-56, 23, 22)}
POSITIONS: dict[str, kit.State] = {
    "the last trick": last_trick().states[0],
    "a trick half played": kit.position(
        kit.TRICKS_FR,
        ["A♥ K♦ K♥", "9♥ Q♦", "10♥ A♦"],
        **{"leader": 1, "trick": "J♥ Q♥", "bids": BIDS, "won": (0, 2, 3), "tricks": (TRICK,), "trump": "♠"},
        **{"premium": (1, "reveal"), **LATE},
    ),
    "premiums": kit.position(kit.TRICKS_FR, [PACK[18 + n :: 3][:4] for n in range(3)], bids=BIDS, phase="announce"),
    "a premium taken": kit.position(
        kit.TRICKS_FR, ["A♥", "6♥", "7♥"], bids=BIDS, phase="announce", premium=(0, "declare"), to_act=1
    ),
    "one bid laid": kit.position(
        kit.TRICKS_RU, [PACK[:9], PACK[9:21], PACK[21:33]], bids=[PACK[33:], (), ()], phase="bid", dealer=2
    ),
    "bids of small hands": kit.position(kit.TRICKS_RU, [PACK[:5], PACK[5:10], PACK[10:15]], seed="five"),
    "tricks without bids": kit.position(kit.TRICKS_RU, ["A♥ 6♣", "6♥ 7♣", "7♥ 8♣"], dealer=0),
    "somebody is out": kit.position(
        kit.ADDING_RU, ["10♥ 2♣ 5♦", "3♣ 3♦ K♠", ""], lives=(1, 1, 0), total=-24, direction=-1, pile="6♣ 7♣", dealer=2
    ),
    "no stock": chips().states[0],
    "a short hand": kit.position(kit.ADDING_ES, ["4♣ 4♦", "5♣ 6♣ 7♣", "8♣"], stock="9♣ 2♦", lives=(3, 1, 2), to_act=2),
    "two packs": kit.position(kit.ADDING_PL, ["4♣ 4♣ 4♦", "5♣ 6♣ 7♣", "8♣", "8♣"], pile="2♠ 2♠", seed=FAR),
    "a pot": kit.position(replace(kit.ADDING_RU, ante=2), ["4♣", "5♣"], pot=7, total=88, layer=1),
    "earned": kit.position(
        kit.PARANOIA_RU,
        ["2♣ 2♦ 3♥", "3♣ 3♦ K♠", "K♥ K♦ 9♠"],
        **{
            "total": 98,
            "earned": ((3, -1, 2, 0), (0, 0, -1, 0), (0, 0, -1, 0)),
            "deal_number": 2,
            "scores": (4, -5, 0),
        },
    ),
}


@pytest.mark.parametrize("start", POSITIONS.values(), ids=POSITIONS)
def test_a_position_comes_back_and_the_game_that_goes_on_from_it(start: kit.State) -> None:
    assert looked_at(kit.History(start))["deals"] == [{"actions": []}]
    assert "position" in looked_at(played_by_lot(start, 60))


@pytest.mark.parametrize("given", [1, 3], ids=["one", "three"])
@presets
def test_packs_that_were_given_are_told_once_also_those_not_reached(rules: Rules, given: int) -> None:
    pack = rules.pack(3)
    packs = [shuffle(pack, "mine", number) for number in range(given)]
    start = kit.deal(rules, 3, seed=1, packs=packs)
    data = looked_at(kit.History(start))
    assert data["packs"] == [listed(pack) for pack in packs]
    assert data["deals"] == [{"actions": []}]
    history = played_by_lot(start, 400)
    deals = looked_at(history)["deals"]
    assert ["pack" in deal for deal in deals] == [number >= given for number in range(len(deals))]


def test_one_pack_given_as_a_text_is_a_list_of_one() -> None:
    assert looked_at(kit.History(kit.deal(kit.TRICKS_RU, seed=1, packs=listed(PACK))))["packs"] == [listed(PACK)]


SEEDS = [0, -1, FAR, -FAR, 10**15, 10**30, "", "a word", "007", "５", "Ж💥", "x" * 100]


@pytest.mark.parametrize("seed", SEEDS, ids=repr)
def test_every_seed_comes_back_as_it_was(seed: int | str) -> None:
    data = looked_at(played_by_lot(kit.deal(kit.ADDING_RU, seed=seed), 30))
    assert data["seed"] == (str(seed) if isinstance(seed, int) and abs(seed) > FAR else seed)


@pytest.mark.parametrize(
    "names", [(), ("Ann",), ("Ann", "Ann", ""), ("<b>", 'O"\\', "👩‍👧 علی‌رضا"), ("x" * 40, "{0}", "nn1.")]
)
def test_names_come_back_by_record_and_stay_out_of_lines(names: tuple[str, ...]) -> None:
    history = kit.History(kit.deal(kit.ADDING_RU, 3, seed=1), names)
    assert looked_at(history)["names"] == [*names]
    assert kit.read_record(kit.share_line(history)).names == ()


FOUR = replace(kit.ADDING_RU, packs=4)
NINE = replace(kit.ADDING_RU, players=(9,))
A_VIEW = "A view hides cards: only the whole game can be kept."
NO_BEGINNING = "Only a game from its first deal, or from a position that was set up, can be kept."


@pytest.mark.parametrize(
    ("history", "told"),
    [
        (kit.History(chips().states[1]), NO_BEGINNING),
        (kit.History(chips().states[5]), NO_BEGINNING),
        (kit.History(replace(kit.deal(kit.ADDING_RU, seed=1), total=5)), NO_BEGINNING),
        (kit.History(replace(chips().states[5], events=())), NO_BEGINNING),
        (kit.History(kit.deal(kit.ADDING_RU, seed=1).seen_by(0)), A_VIEW),
        (kit.History(chips().states[0].seen_by(None)), A_VIEW),
        (kit.History(chips().states[0], ["x", "x" * 41]), "names 2 has a length of 41; it can be 0 to 40."),
        (kit.History(chips().states[0], ["\x1b[2J"]), "names 1 has characters that cannot be seen: U+001B."),
        (kit.History(kit.deal(NINE, 9, seed=1)), "players is 9; it can be 2 to 8."),
        (kit.History(kit.deal(FOUR, packs=[FOUR.pack(3)] * 1000)), "This text is larger than a record may be (1 MiB)."),
        (kit.History(kit.deal(kit.ADDING_RU, seed="x" * 101)), "seed has a length of 101; it can be 0 to 100."),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_could_not_be_read_again_is_neither_written_nor_shared(history: kit.History, told: str) -> None:
    with pytest.raises(kit.RecordError, match=re.escape(told)):
        kit.write_record(history)
    if history.names:  # a line tells none
        assert kit.read_record(kit.share_line(history)).states == history.states
    else:
        with pytest.raises(kit.RecordError, match=re.escape(told)):
            kit.share_line(history)


# Lines to share


@pytest.mark.parametrize("agent", ["random", "simple"])
@three_player_tricks
def test_a_deal_of_three_fits_in_a_line_of_400_letters_digits_points_and_hyphens(rules: Any, agent: str) -> None:
    for seed in [*range(60), FAR, -FAR, 10**30]:
        history = kit.playout(kit.deal(rules, seed=seed), agent, max_actions=33)  # 3 bids, 3 announcements, 27 cards
        assert history.state.sheet
        line = kit.share_line(history)
        assert re.fullmatch(r"[A-Za-z0-9._-]{1,400}", line)
        assert kit.read_record(line).states == history.states


@pytest.mark.parametrize("start", POSITIONS.values(), ids=POSITIONS)
def test_the_line_of_a_position_has_no_other_characters(start: kit.State) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._-]+", kit.share_line(kit.History(start, ["é"])))


LINE = kit.share_line(played_by_lot(kit.deal(kit.TRICKS_FR, seed=99), 31))
CODED = kit.share_line(played_by_lot(kit.deal(kit.ADDING_RU, seed="a word"), 31))
lines = pytest.mark.parametrize("line", [LINE, CODED], ids=["plain", "coded"])
SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-=+/é"


@lines
def test_a_line_with_any_one_character_changed_dropped_or_added_is_refused(line: str) -> None:
    for place, sign in enumerate(line):
        new = SIGNS[place % len(SIGNS)]
        others = ["", sign.swapcase(), sign + sign, new, new + sign, SIGNS[-1 - place % 9], SIGNS[place % 9] + sign]
        for other in {*others} - {sign}:
            with pytest.raises(kit.RecordError):
                kit.read_record(line[:place] + other + line[place + 1 :])
    for added in SIGNS:
        with pytest.raises(kit.RecordError):
            kit.read_record(line + added)


@lines
def test_a_line_that_was_cut_says_so(line: str) -> None:
    for end in range(4, len(line)):
        with pytest.raises(kit.RecordError, match="This line was cut or changed on its way: copy it again, from nn1"):
            kit.read_record(line[:end])


@lines
def test_a_line_may_be_broken_and_have_blanks_around(line: str) -> None:
    states = kit.read_record(line).states
    for width in (1, 7, 40, 76):
        rest = line[4:]
        parts = [rest[place : place + width] for place in range(0, len(rest), width)]
        for between in (" ", "\n", "\r\n", "\n\t ", "\u00a0"):
            assert kit.read_record(f"\n  {line[:4]}{between}{between.join(parts)}\n\n").states == states
    assert kit.read_record(line.encode()).states == states


def test_a_line_of_another_form_waits_for_a_newer_kit() -> None:
    for line in (LINE.replace("nn1.", "nn2."), "nn10.x"):
        with pytest.raises(kit.RecordError, match="has a form that this kit does not know"):
            kit.read_record(line)


def test_the_published_schema_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(schema())
