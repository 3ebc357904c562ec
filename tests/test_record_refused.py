"""A record that cheats, is damaged or is too large is refused: with the line, the reason, and how far it was good."""

import json
import pickle
from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import replace
from functools import reduce
from operator import getitem
from typing import Any
from zlib import crc32

import pytest
from jsonschema import Draft202012Validator
from records import CHIPS, CHIPS_ACTIONS, chips, kept, last_trick, played

import ninety_nine_kit as kit
from ninety_nine_kit.card import listed, shuffle
from ninety_nine_kit.record.reading import MOST_BYTES, conform, schema
from ninety_nine_kit.rules import Chart

Path = tuple[Any, ...]
GONE: Any = object()
VALIDATOR = Draft202012Validator(schema())
MATCH: dict[str, Any] = json.loads(kit.write_record(last_trick()))
#: B wins. With another dealer the same cards go to other seats, and so does the win.
LAYS = ["Q♥", "2♣", "Q♣", "8♣", "2♦", "A♣ +11", "J♠", "K♥", "K♣", "7♣", "4♣", "4♠", "10♠ -10", "7♠", "A♦ +1", "Q♦"]
DEAL: dict[str, Any] = json.loads(kit.write_record(played(kit.deal(kit.ADDING_RU, seed=99, dealer=2), *LAYS)))
PACK: str = DEAL["deals"][0]["pack"]
PACK_2: str = CHIPS["deals"][1]["pack"]
OTHER_2 = listed(shuffle(kit.ADDING_PL.pack(2), "99", 2, 0))
NEXT: dict[str, Any] = {"actions": []}
BEGUN = {"actions": ["5♦"], "refills": ["2♣"]}


def put(part: Any, key: Any, value: Any) -> None:
    if value is GONE:
        del part[key]
    else:
        part[key] = value


def changed(data: Any, *path: Any, to: Any) -> Any:
    """The data with another value at a place, or without it."""
    data = deepcopy(data)
    put(reduce(getitem, path[:-1], data), path[-1], to)
    return data


def refused(text: str | dict[str, Any]) -> kit.RecordError:
    with pytest.raises(kit.RecordError) as wrong:
        kit.read_record(text if isinstance(text, str) else json.dumps(text))
    return wrong.value


def cut(text: str) -> str:
    """As long texts are told."""
    return f'"{text}'[:60] + "…"


# Cheats

FIRST: Path = ("deals", 0)
LAY, REFILLS = (*FIRST, "actions"), (*FIRST, "refills")
SECOND: Path = ("deals", 1)
NOT_YET = "Not now: it is time to play a card."
WORDS = "Write for example Q♥, A♥ +11, bid 6♣ 7♦ 8♥, declare, pass, give 5♦ or next deal."
NO_GAME = "there are: tricks-ru, tricks-fr, adding-ru, adding-es, adding-pl, paranoia-ru."
KINDS = "Rules need a preset, or one of tricks and adding."
A_HAND_EACH = "A position has a hand for each of the players, and no packs."
PLAYED = '{"scores": [0, 0], "lives": [2, 1], "winners": []}'
TOO_MANY = {"ranks": [*kit.Rank], "players": [2], "hand_size": 26, "bid_cards": 13}
SWAPPED = "A♦ K♥" + PACK_2[5:]

#: What is put where, how the refusal begins, and up to which step the game is good.
Cheat = tuple[Path, Any, str, int]
IN_CHIPS: dict[str, Cheat] = {
    "another card": ((*LAY, 1), "8♣", "Deal 1, action 2 “8♣”: Not in the hand of B: 8♣.", 1),
    "a card twice": ((*LAY, 2), "5♦", "Deal 1, action 3 “5♦”: Not in the hand of A: 5♦.", 2),
    "too high": ((*LAY, 2), "6♦", "Deal 1, action 3 “6♦”: 6♦ would make 101, which is over 99.", 2),
    "an announcement": ((*LAY, 1), "pass", f"Deal 1, action 2 “pass”: {NOT_YET}", 1),
    "a bid": ((*LAY, 0), "bid 5♦ 6♦ K♠", f"Deal 1, action 1 “bid 5♦ 6♦ K♠”: {NOT_YET}", 0),
    "a gift": ((*SECOND, "actions", 1), "give A♦", f"Deal 2, action 2 “give A♦”: {NOT_YET}", 6),
    "no choice": ((*SECOND, "actions", 1), "A♦", "Deal 2, action 2 “A♦”: A♦ can do more than one thing.", 6),
    "no such choice": ((*SECOND, "actions", 1), "A♦ +5", "Deal 2, action 2 “A♦ +5”: A♦ cannot do “+5” here.", 6),
    "no move": ((*LAY, 3), "concede", f"Deal 1, action 4 “concede”: “concede” is not a move. {WORDS}", 3),
    "next deal": (LAY, CHIPS_ACTIONS, "Deal 1, action 5: “next deal” stands between deals, not in them.", 4),
    "an early deal": (("deals",), [BEGUN, {"actions": ["9♣"]}], f"Deal 2 cannot begin: {NOT_YET}", 1),
    "an extra deal": (("deals",), [*CHIPS["deals"], NEXT], f"Deal 3 cannot begin: {NOT_YET}", 7),
    "a last action missing": ((*LAY, 3), GONE, "Deal 1: lives should not stand there.", 3),
    "lives": ((*FIRST, "lives"), [2, 2], "Deal 1: lives is [2, 2] in the record, and [2, 1] in play.", 4),
    "no lives": ((*FIRST, "lives"), GONE, "Deal 1: lives is missing.", 4),
    "points": ((*FIRST, "points"), [0, 0], "Deal 1: points should not stand there.", 4),
    "another refill": ((*REFILLS, 1), "6♦", 'Deal 1: refills is ["2♣", "6♦", "9♣"] in the record, and ["2♣", "5♦"]', 1),
    "a refill missing": ((*REFILLS, 1), GONE, 'Deal 1: refills is ["2♣", "9♣"] in the record, and ["2♣", "5♦"]', 1),
    "an extra refill": (REFILLS, ["2♣", "5♦", "9♣", "K♠"], 'Deal 1: refills is ["2♣", "5♦", "9♣", "K♠"] in the', 4),
    "no refills": (REFILLS, GONE, "Deal 1: refills is missing.", 0),
    "a pack": ((*SECOND, "pack"), SWAPPED, f"Deal 2: pack is {cut(SWAPPED)} in the record, and {cut(PACK_2)} in", 4),
    "no pack": ((*SECOND, "pack"), GONE, "Deal 2: pack is missing.", 4),
    "a pack too many": ((*FIRST, "pack"), "2♣", "Deal 1: pack should not stand there.", 0),
    "seed": (("seed",), 99, f"Deal 2: pack is {cut(PACK_2)} in the record, and {cut(OTHER_2)} in play.", 4),
    "players": (("players",), 3, A_HAND_EACH, 0),
    "packs of a position": (("packs",), [], A_HAND_EACH, 0),
    "a card twice in a position": (
        ("position", "hands", 1),
        "5♦",
        "This game cannot begin: adding-pl: the pack does",
        0,
    ),
    "names": (("names",), ["Ann", "Бен", "Çem"], "There are 3 names for 2 players.", 0),
    "scores": (
        ("result", "scores", 1),
        1,
        f"The result is {PLAYED.replace('0]', '1]', 1)} in the record, and {PLAYED}",
        7,
    ),
    "winners": (("result", "winners"), [0], f"The result is {PLAYED.replace('[]', '[0]')} in the record, and", 7),
    "lives left": (("result", "lives"), GONE, 'The result is {"scores": [0, 0], "winners": []} in the record,', 7),
    "no such game": (("rules", "preset"), "adding-xx", f'There is no game "adding-xx" here; {NO_GAME}', 0),
    "no rules": (("rules",), {}, KINDS, 0),
    "two kinds": (("rules",), {"tricks": {}, "adding": {}}, KINDS, 0),
    "the other kind": (("rules", "tricks"), {"target": 5}, "adding-pl is another kind of game than these rules.", 0),
    "no nine": (
        ("rules", "without"),
        {"effects": ["9"]},
        "These rules cannot be played: adding-pl: no effect for 9",
        0,
    ),
    "a lower limit": (
        ("rules", "adding"),
        {"limit": 98},
        "Deal 1, action 3 “K♠”: K♠ would make 99, which is over 98.",
        2,
    ),
    # 95 + 9 is too much, and so are B's other cards: the deal is over.
    "nine": (
        ("rules", "adding"),
        {"effects": {"9": [{"add": 9}]}},
        "Deal 1, action 3 “K♠”: Not now: the deal is over",
        2,
    ),
}
IN_MATCH: dict[str, Cheat] = {
    "a deal more": (("deals",), [*MATCH["deals"], NEXT], "Deal 2 cannot begin: Not now: the match is over;", 3),
    "a card more": (LAY, ["A♥", "6♥", "7♥", "8♥"], "Deal 1, action 4 “8♥”: Not now: the match is over;", 3),
    "a card less": (LAY, ["A♥", "6♥"], "Deal 1: points should not stand there.", 2),
    "points": ((*FIRST, "points", 2), 30, "Deal 1: points is [13, 16, 30] in the record, and [13, 16, 10] in play.", 3),
    "winners": (("result", "winners"), [1], 'The result is {"scores": [100, 96, 10], "games_won": [3, 0, 0], "win', 3),
    "games won": (("result", "games_won"), [2, 1, 0], 'The result is {"scores": [100, 96, 10], "games_won": [2, 1', 3),
    "bonus": (
        ("rules", "tricks"),
        {"success_bonus": {"3": 15}},
        "Deal 1: points is [13, 16, 10] in the record, and",
        3,
    ),
    "bids": (("rules", "tricks"), TOO_MANY, "tricks-ru: there are more than 100000 ways to bid.", 0),
}
IN_DEAL: dict[str, Cheat] = {
    "dealer": (("dealer",), 1, "Deal 1: lives is [0, 1, 0] in the record, and [1, 0, 0] in play.", 16),
    "no such dealer": (("dealer",), 3, "This game cannot begin: adding-ru: dealer is 3, but the seats are 0 to 2", 0),
    "players": (("players",), 4, "Deal 1, action 1 “Q♥”: Not in the hand of D: Q♥.", 0),
    "too many players": (("players",), 6, "This game cannot begin: adding-ru: is not for 6 players; allowed: 2, 3", 0),
    "a pack": ((*FIRST, "pack"), PACK_2, f"Deal 1: pack is {cut(PACK_2)} in the record, and {cut(PACK)} in play.", 0),
    "a pack twice": (("packs",), [PACK], "Deal 1: pack should not stand there.", 0),
    "no whole pack": (("packs",), ["A♠"], "This game cannot begin: adding-ru: the pack given lacks 2♣ 3♣ 4♣ 5♣", 0),
}
CHEATS = [
    (record, *cheat)
    for record, cheats in ((CHIPS, IN_CHIPS), (MATCH, IN_MATCH), (DEAL, IN_DEAL))
    for cheat in cheats.values()
]


@pytest.mark.parametrize(("record", "path", "to", "told", "good"), CHEATS, ids=[*IN_CHIPS, *IN_MATCH, *IN_DEAL])
def test_a_cheat_is_refused_in_words_with_the_good_part(
    record: dict[str, Any], path: Path, to: Any, told: str, good: int
) -> None:
    text = json.dumps(changed(record, *path, to=to))
    wrong, in_play = refused(text), told.startswith(("Deal", "The result"))
    assert wrong.line == (1 if in_play else None)
    assert str(wrong).startswith(f"Line 1: {told}" if in_play else told)
    assert str(wrong).endswith(f". It is good up to step {good}.") or not good
    if not good:
        assert wrong.good is None
        with pytest.raises(kit.RecordError):
            kit.read_record(text, keep_good_part=True)
        return
    assert wrong.good is not None
    assert len(wrong.good.actions) == wrong.good.step == good
    kept(wrong.good)
    again = kit.read_record(text, keep_good_part=True)
    assert (again.states, again.names) == (wrong.good.states, tuple(record["names"]))


def test_of_each_record_the_part_before_a_wrong_action_is_good() -> None:
    history, places = chips(), [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)]
    for steps, (deal, number) in zip((0, 1, 2, 3, 5, 6), places, strict=True):
        wrong = refused(changed(CHIPS, "deals", deal, "actions", number, to="A♠"))
        assert wrong.place == 4 * deal + number
        assert str(wrong).startswith(f"Line 1: Deal {deal + 1}, action {number + 1} “A♠”: Not in the hand of ")
        assert (wrong.good.states if wrong.good else [history.states[0]]) == history.states[: steps + 1]


def test_cards_may_be_typed_in_other_ways_and_are_written_in_one() -> None:
    typed = json.dumps(CHIPS, ensure_ascii=False)
    for sign, letter in zip("♣♦♥♠", "CDHS", strict=True):
        typed = typed.replace(sign, letter)
    typed = typed.replace("10", "t").replace('"AD +11"', '"ad  +11"')
    assert kit.write_record(kit.read_record(typed)) == kit.write_record(chips())


# Where it stands


@pytest.mark.parametrize("indent", [None, 0, 1, "\t"], ids=repr)
def test_the_line_of_a_wrong_action_is_told_in_any_layout(indent: Any) -> None:
    names = ['"actions": ["', '{"actions"']
    for deal, number in ((0, 0), (0, 3), (1, 0), (1, 1)):
        record = changed(changed(CHIPS, "names", to=names), "deals", deal, "actions", number, to="WRONG")
        text = json.dumps(record, indent=indent)
        line = 1 + next(place for place, line in enumerate(text.splitlines()) if "WRONG" in line)
        assert refused(text).line == line
        assert refused("\n\n" + text).line == line + 2


def test_what_a_deal_brought_is_refused_at_the_line_of_its_last_action() -> None:
    for name, value in (("lives", [2, 2]), ("points", [0, 0]), ("refills", ["2♣", "5♦", "9♣", "K♠"])):
        text = json.dumps(changed(CHIPS, *FIRST, name, to=value), indent=1, ensure_ascii=False)
        assert refused(text).line == 1 + text[: text.index('"Q♥"')].count("\n")


def test_another_refill_is_refused_at_the_line_of_the_action_that_called_for_it() -> None:
    for place, action in enumerate(('"5♦"', '"9♣"')):
        text = json.dumps(changed(CHIPS, *REFILLS, place, to="A♠"), indent=1, ensure_ascii=False)
        assert refused(text).line == 1 + text[: text.index(action, text.index("actions"))].count("\n")


def test_the_line_of_damage_is_told() -> None:
    lines = json.dumps(CHIPS, indent=1).splitlines()
    lines[9] = lines[9].replace(",", ";")
    wrong = refused("\n".join(lines))
    assert wrong.line == 10
    assert str(wrong) == "Line 10: This is not JSON: the text is damaged, or a part of it is missing."


def test_a_game_that_another_version_plays_otherwise_is_refused_with_its_version() -> None:
    wrong = refused(changed(changed(CHIPS, *LAY, 1, to="8♣"), "kit", to="0.0.9"))
    assert str(wrong).endswith("Version 0.0.9 of the kit wrote it, which may play by other rules.")
    assert "of the kit" not in str(refused(changed(CHIPS, *LAY, 1, to="8♣")))


def test_an_error_can_go_from_one_process_to_another() -> None:
    wrong = refused(changed(CHIPS, *LAY, 1, to="8♣"))
    assert str(pickle.loads(pickle.dumps(wrong))) == str(copy(wrong)) == str(wrong)


def test_an_error_is_a_value_error_and_a_notebook_shows_its_sentence() -> None:
    wrong = refused("{")
    assert isinstance(wrong, ValueError)
    assert wrong._render_traceback_() == [f"RecordError: {wrong}"]


# Lines to share


def line(body: str) -> str:
    """A line whose check sum is right."""
    return f"{body}.{crc32(body.encode()):08x}"


@pytest.mark.parametrize(
    ("body", "told", "good"),
    [
        ("nn1.adding-ru.3.99.2.QH-3C", "Deal 1, action 2 “3♣”: Not in the hand of B: 3♣.", 1),
        ("nn1.adding-ru.3.99.2.QH-AC2", "Deal 1, action 2 “A♣ +11”: Not in the hand of B: A♣.", 1),
        ("nn1.adding-ru.3.99.2.QH-p", "Deal 1, action 2 “pass”: Not now: it is time to play a card.", 1),
        ("nn1.adding-ru.3.99.2.QH-g2C", "Deal 1, action 2 “give 2♣”: Not now: it is time to play a card.", 1),
        ("nn1.adding-ru.3.99.2.QH-b2C", "Deal 1, action 2 “bid 2♣”: Not now: it is time to play a card.", 1),
        ("nn1.adding-ru.3.99.2.QH-n", "Deal 2 cannot begin: Not now: it is time to play a card.", 1),
        ("nn1.adding-ru.3.99.2.QH--2C", "Deal 1, action 2 “”: “” is not a move.", 1),
        ("nn1.adding-xx.3.99.2.", 'There is no game "adding-xx" here;', 0),
        ("nn1.adding-ru.9.99.2.", "players is 9; it can be 2 to 8.", 0),
        ("nn1.adding-ru.6.99.2.", "This game cannot begin: adding-ru: is not for 6 players;", 0),
        ("nn1.adding-ru.3.99.3.", "This game cannot begin: adding-ru: dealer is 3, but the seats are 0 to 2", 0),
        ("nn1.adding-ru.3.99.2.QX", '"QX" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.3.99.2.AC3", '"AC3" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.3.99.2.p1", '"p1" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.3.99.2.QH.2C", '"adding-ru.3.99.2.QH" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.3.9e9.2.", '"adding-ru.3.9e9.2" is not what stands in a line to share.', 0),
        (f"nn1.adding-ru.3.{10**15}.2.", f'"adding-ru.3.{10**15}.2" is not what stands in a line to share.', 0),
        ("nn1.AAAA.", '"AAAA" is not what stands in a line to share.', 0),
        ("nn1.e30.", "rules is missing.", 0),
        ("nn1", '"" is not what stands in a line to share.', 0),
        ("nn1.", '"" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.2.1.0." + "2C" * 27, f'"{"2C" * 27}" is not what stands in a line to share.', 0),
        ("nn1.adding-ru.2.1.0." + "-" * 10_000, "There are more than 10000 actions in it.", 0),
    ],
)
def test_a_line_that_cheats_is_refused_as_a_record_is(body: str, told: str, good: int) -> None:
    wrong = refused(line(body))
    assert str(wrong).startswith(told)
    assert (len(wrong.good.actions) if wrong.good else 0) == good
    if good:
        assert kit.read_record(line(body), keep_good_part=True).actions == wrong.good.actions


# Limits


def padded(size: int) -> str:
    text = json.dumps(CHIPS, ensure_ascii=False)
    return text + " " * (size - len(text.encode()))


def test_a_record_of_1_mib_is_read_and_a_byte_more_is_refused() -> None:
    assert len(padded(MOST_BYTES).encode()) == MOST_BYTES == 1_048_576
    assert kit.read_record(padded(MOST_BYTES)).states == chips().states
    assert kit.read_record(padded(MOST_BYTES).encode()).states == chips().states
    for text in (padded(MOST_BYTES + 1), "\n" + padded(MOST_BYTES), line("nn1.adding-ru.3.99.2." + "-" * MOST_BYTES)):
        assert str(refused(text)) == "This text is larger than a record may be (1 MiB)."


def test_10_000_actions_are_kept_and_one_more_is_refused() -> None:
    endless = replace(kit.ADDING_RU, name="endless", effects=Chart({rank: kit.Effect() for rank in kit.Rank}))
    history = kit.History(kit.deal(endless, 2, seed=1))
    while len(history.actions) < 10_000:
        history.play(kit.Play(history.state.hands[history.state.to_act or 0][:1]))
    text = kit.write_record(history)
    record, again = json.loads(text), kit.read_record(text)
    assert (again.actions, again.state) == (history.actions, history.state)
    history.play(history.state.legal_actions()[0])
    with pytest.raises(kit.RecordError, match=r"deals 1, actions has a length of 10001; it can be 0 to 10000\."):
        kit.write_record(history)
    more = changed(record, *LAY, to=[*record["deals"][0]["actions"], str(history.actions[-1])])
    assert "it can be 0 to 10000" in str(refused(more))
    many = changed(CHIPS, "deals", to=[NEXT] * 10_000)
    assert str(refused(many)).startswith("Line 1: Deal 2 cannot begin: ")
    many["deals"][0] = {"actions": ["5♦", "9♣"]}
    for text in (many, line("nn1.adding-ru.3.99.2." + "-" * 10_000)):
        assert str(refused(text)) == "There are more than 10000 actions in it."


def nested(depth: int) -> str:
    return '{"x": ' + "[" * (depth - 1) + '"]}[["' + "]" * (depth - 1) + "}"


LIMITS: dict[str, tuple[Any, str]] = {
    "nested": (nested(21), "Brackets stand more than 20 deep in each other."),
    "deeper": ("[" * 100_000, "Brackets stand more than 20 deep in each other."),
    "nine players": (changed(CHIPS, "players", to=9), "players is 9; it can be 2 to 8."),
    "one player": (changed(CHIPS, "players", to=1), "players is 1; it can be 2 to 8."),
    "a long name": (changed(CHIPS, "names", 1, to="x" * 41), "names 2 has a length of 41; it can be 0 to 40."),
    "a name with a command": (
        changed(CHIPS, "names", 0, to="\x1b[2J"),
        "names 1 has characters that cannot be seen: U+001B.",
    ),
    "a large number": (changed(CHIPS, "seed", to=10**15), '"1000000000000000" is too large a number.'),
    "a small number": (changed(CHIPS, "seed", to=-(10**15)), '"-1000000000000000" is too large a number.'),
    "a long number": (changed(CHIPS, "seed", to=10**4000), '"' + "1".ljust(59, "0") + "… is too large a number."),
    "a long seed": (changed(CHIPS, "seed", to="x" * 101), "seed has a length of 101; it can be 0 to 100."),
    "a long action": (
        changed(CHIPS, *LAY, 0, to="5♦" + " " * 99),
        "deals 1, actions 1 has a length of 101; it can be 0 to 100.",
    ),
    "a fraction": (changed(CHIPS, "players", to=2.0), '"2.0" is not a whole number.'),
    "an exponent": (json.dumps(CHIPS).replace('"players": 2', '"players": 2e0'), '"2e0" is not a whole number.'),
    "NaN": (changed(CHIPS, "seed", to=float("nan")), '"NaN" is not a whole number.'),
    "Infinity": (changed(CHIPS, "seed", to=float("inf")), '"Infinity" is not a whole number.'),
    "-Infinity": (changed(CHIPS, "seed", to=float("-inf")), '"-Infinity" is not a whole number.'),
    "a key twice": (json.dumps(CHIPS).replace('"seed"', '"dealer": 0, "seed"'), '"dealer" stands there twice.'),
    "a key twice inside": (json.dumps(CHIPS).replace('"pot"', '"total": 0, "pot"'), '"total" stands there twice.'),
    "an unknown key": (changed(CHIPS, "cheat", to=1), '"cheat" is not known here.'),
    "an unknown key inside": (changed(CHIPS, "deals", 1, "cheat", to=1), 'deals 2, "cheat" is not known here.'),
    "an unknown field": (changed(CHIPS, "rules", "adding", to={"x": 1}), 'rules, adding, "x" is not known here.'),
    "form 2": (
        changed(CHIPS, "version", to=2) | {"new": 2.5 and "yes"},
        "This record has form 2, and this kit knows form 1. A newer kit may read it.",
    ),
    "form true": (changed(CHIPS, "version", to=True), "version must be a whole number, not true."),
    "no form": (changed(CHIPS, "version", to=GONE), "version is missing."),
    "another format": (changed(CHIPS, "format", to="chess"), 'format is "chess"; it can be "ninety-nine-kit record".'),
    "nothing": ("", "There is nothing in it."),
    "blanks": (" \n\t ", "There is nothing in it."),
    "words": ("Hello", "Line 1: This is not JSON: the text is damaged, or a part of it is missing."),
    "a list": ("[]", "the record must be a {…}, not []."),
    "a number": ("99", "the record must be a {…}, not 99."),
    "two records": (
        json.dumps(CHIPS) + "\n" + json.dumps(CHIPS),
        "Line 2: This is not JSON: the text is damaged, or a part of it is missing.",
    ),
}


@pytest.mark.parametrize(("record", "told"), LIMITS.values(), ids=LIMITS)
def test_what_is_over_a_limit_is_refused_before_it_is_played(record: Any, told: str) -> None:
    wrong = refused(record)
    assert str(wrong) == told
    assert wrong.good is None


@pytest.mark.parametrize(
    "record",
    [
        changed(CHIPS, "names", to=["x" * 40, "💥" * 40]),
        changed(CHIPS, "names", to=GONE),
        changed(CHIPS, "kit", to="99.9"),
        changed(CHIPS, "seed", to="7"),
        json.loads(kit.write_record(kit.History(kit.deal(kit.ADDING_ES, 8, seed=10**15 - 1)))),
        json.loads(kit.write_record(kit.History(kit.deal(kit.ADDING_ES, 8, seed="x" * 100)))),
    ],
    ids=["names of 40", "no names", "a newer kit", "a seed in quotes", "8 players, 15 digits", "a seed of 100"],
)
def test_what_is_just_within_a_limit_is_read(record: dict[str, Any]) -> None:
    kept(kit.read_record(json.dumps(record)))
    VALIDATOR.validate(record)


def test_brackets_may_stand_20_deep_and_those_in_texts_do_not_count() -> None:
    assert str(refused(nested(20))) == "format is missing."
    name = "[{" * 20
    assert kit.read_record(json.dumps(changed(CHIPS, "names", to=[name]))).names == (name,)


@pytest.mark.parametrize("given", [None, 99, ["{}"], chips()], ids=["None", "a number", "a list", "a game"])
def test_what_is_no_text_is_refused(given: Any) -> None:
    with pytest.raises(kit.RecordError, match=r"A record is a text\."):
        kit.read_record(given)


def test_bytes_are_read_as_utf_8_or_refused() -> None:
    text = json.dumps(CHIPS, ensure_ascii=False)
    assert kit.read_record(text.encode()).states == chips().states
    for data in (text.encode("utf-16"), b"\xff\xfe", text.encode()[:-3] + b"\xe2\x99"):
        with pytest.raises(kit.RecordError, match=r"This is not text \(UTF-8\)\."):
            kit.read_record(data)


# The schema

HOUSE = json.loads(kit.write_record(kit.History(kit.deal(replace(kit.TRICKS_FR, name="house"), seed=1))))
PARANOIA = replace(kit.PARANOIA_RU, pairs=Chart({"3": (kit.Effect(set_to=33),)}), penalties={"A♥": 2})
CHANGED = json.loads(kit.write_record(kit.History(kit.deal(PARANOIA, 3, seed=1, packs=[PACK]))))
EFFECT = {
    "add": 1,
    "set_to": 2,
    "reverse": True,
    "skip": 1,
    "exchange": True,
    "on_cross": 1,
    "instead": True,
    "levy": 1,
}
FULL = json.loads(kit.write_record(kit.History(kit.deal(replace(kit.PARANOIA_RU, name="house"), 5, seed="five"))))
FULL["rules"]["adding"] |= {"effects": {"A♥": [EFFECT, {}]}, "pairs": {"3": [EFFECT]}, "penalties": {"J♠": -3}}
RECORDS = {"a position": CHIPS, "tricks": MATCH, "a house": HOUSE, "changes": CHANGED, "a house of sums": FULL}
VALUES = [None, True, 0, 1, -1, 27, 10**6 + 1, "", "x", "♣", "x" * 201, [], [0], [[]], ["A♥"] * 27, {}, {"x": 0}]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where something stands in data; of lists, which have entries of one kind, the first entry."""
    inside = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, entry in inside:
        yield (*path, key)
        yield from places(entry, (*path, key))


def conforms(record: Any) -> bool:
    try:
        conform(record, schema(), "")
    except kit.RecordError:
        return False
    return True


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_the_reader_and_json_schema_agree_whatever_stands_at_any_place_of_a_record(record: dict[str, Any]) -> None:
    answers = {conforms(record)}
    for path in places(record):
        wrong = deepcopy(record)
        part = reduce(getitem, path[:-1], wrong)
        for value in (*VALUES, GONE):
            put(part, path[-1], value)
            answers.add(answer := conforms(wrong))
            assert VALIDATOR.is_valid(wrong) == answer, (path, value)
        if isinstance(part, dict):
            part[f"{path[-1]}-"] = 0
            assert VALIDATOR.is_valid(wrong) == conforms(wrong) is False, path
    assert answers == {True, False}


def test_what_the_schema_refuses_is_never_read() -> None:
    for path in places(CHIPS):
        for value in (None, {}, [[]], "x" * 201):
            wrong = changed(CHIPS, *path, to=value)
            if not VALIDATOR.is_valid(wrong):
                assert refused(wrong).good is None
