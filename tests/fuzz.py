"""Reads what nobody would write as records: `python tests/fuzz.py --seconds 60`.

Each text must give a game or a RecordError. What is read as a game must be shown, told, gone on with, and written and
read again as the same game. Exit code 1, and the smallest example, where anything else happens.
"""

import argparse
import json
import sys
import time
import traceback
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from random import Random
from typing import Any
from zlib import crc32

import hypothesis
from hostile import CORPUS
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from playing import CASES, choose, random_match

import ninety_nine_kit as kit
from ninety_nine_kit.card import hidden_signs
from ninety_nine_kit.record.reading import schema
from ninety_nine_kit.widgets import Table

Json = Any
Text = st.SearchStrategy[str | bytes]
STEPS_ON, MOST_TOLD = 6, 100
MOST_OF_A_MESSAGE = 500
SCHEMA = schema()
CARDS = [str(card) for card in kit.TRICKS_FR.pack(3)] + ["2♣", "2♦", "3♥", "4♠", "5♣"]


# ---- What must hold


def read(text: str | bytes) -> str:
    """What became of a text: "refused", "good part", or "read" with all that must then hold."""
    try:
        history = kit.read_record(text)
    except kit.RecordError as wrong:
        told = wrong.tell()
        assert not hidden_signs(told), "a message with hidden characters"
        assert len(told) < MOST_OF_A_MESSAGE, f"a message of {len(told)} characters"
        if wrong.good is None:
            return "refused"
        good = kit.read_record(text, keep_good_part=True)
        assert good.actions == wrong.good.actions != []
        show(good)
        return "good part"
    assert isinstance(history, kit.History)
    show(history)
    kept = keep(history)
    go_on(history)
    return "read" if kept else "read, too large to write"


def show(history: kit.History) -> None:
    for state in {id(state): state for state in (history.states[0], history.states[-1])}.values():
        for view in (state, state.seen_by(None), state.seen_by(0)):
            assert not hidden_signs(kit.text(view, names=history.names)) - {"\n"}
            kit.html(view, names=history.names)
    table = Table(history, agents=None, names=history.names)
    assert not hidden_signs(repr(table)) - {"\n"}
    kit.text(history.state.rules)
    kit.html(history.state.rules)
    for event in islice(chain.from_iterable(state.events for state in reversed(history.states)), MOST_TOLD):
        assert not hidden_signs(kit.narrate(event, names=history.names))


def keep(history: kit.History) -> bool:
    """Whether it can be written; then it is the same game when it is read again, and the same text."""
    try:
        written, line = kit.write_record(history), kit.share_line(history)
    except kit.RecordError:
        return False
    for text in (written, line):
        again = kit.read_record(text)
        assert again.states == history.states
        assert again.actions == history.actions
        assert kit.share_line(again) == line
    assert kit.write_record(kit.read_record(written)) == written
    return True


def go_on(history: kit.History) -> None:
    """A few actions more, by lot, and what they make can be kept like the rest."""
    history.go(len(history.actions))
    random = Random(99)
    for _ in range(STEPS_ON):
        if history.state.to_act is None or not history.state.legal_actions():
            break
        history.play(choose(history.state, random))
    show(history)
    keep(history)


# ---- Games to begin from


def played(history: kit.History, actions: int) -> kit.History:
    random = Random(actions)
    while len(history.actions) < actions and history.state.to_act is not None:
        history.play(choose(history.state, random))
    return history


def starts() -> Iterator[kit.State]:
    yield from (kit.deal(rules, players, seed=players) for rules, players in CASES[::2])
    yield kit.deal(kit.TRICKS_RU, 3, seed="a word", packs=[kit.TRICKS_RU.pack(3)] * 2)
    for rules in (kit.TRICKS_FR, kit.ADDING_ES, kit.PARANOIA_RU):
        yield kit.deal(replace(rules, name="house", title="House"), 3, seed=10**20)
        match = [state for _, state in islice(random_match(kit.deal(rules, 3, seed=1), Random(1)), 6)]
        yield kit.position(rules, match[-1].hands, **same_place(match[-1]))
    yield kit.deal(replace(kit.ADDING_RU, limit=20, lives=1), 2, seed=3)
    yield kit.deal(replace(kit.TRICKS_RU, target=1, games=1), 3, seed=3)


def same_place(state: kit.State) -> dict[str, Any]:
    """What `position` is told of a state to set it up again."""
    names = ("total", "direction", "pile", "to_act", "bids", "trick", "tricks", "won", "trump", "leader", "premium")
    return {name: getattr(state, name) for name in names if hasattr(state, name)}


@cache
def games() -> list[kit.History]:
    return [played(kit.History(start, ["Ann", "Зоя"]), 5 + 7 * (n % 4)) for n, start in enumerate(starts())]


@cache
def records() -> list[Json]:
    return [json.loads(kit.write_record(game)) for game in games()]


@cache
def lines() -> list[str]:
    return [kit.share_line(game) for game in games()]


# ---- (a) Any text, (b) any JSON

WORDS = st.sampled_from([text[:60] for text in CORPUS.values()])
NUMBERS = st.one_of(
    st.integers(-3, 12),
    st.sampled_from([99, 10**6, -(10**6), 10**6 + 1, 2**31, 2**63, 10**15 - 1, 10**15, -(10**15), 10**30]),
    st.integers(),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(), WORDS, st.text(max_size=20), st.sampled_from(CARDS))
KEYS = st.one_of(WORDS, st.sampled_from(list(SCHEMA["properties"])), st.text(max_size=8))
JSON: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=25
)


def dumped(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


ANY_TEXT: Text = st.one_of(
    st.binary(), st.text(), st.text('{}[]",:0\\ u\n-.1enlt'), WORDS, st.text("n1.-bgpC0a=_ ").map("nn1.".__add__)
)
ANY_JSON: Text = st.one_of(JSON.map(dumped), JSON.map(json.dumps))


# ---- (c) Records that are not quite right


def places(value: Json, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in data: the keys that lead to it."""
    yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inside:
        yield from places(entry, (*path, key))


def at(value: Json, path: tuple[Any, ...]) -> Json:
    for key in path:
        value = value[key]
    return value


def changed(value: Json, draw: st.DrawFn) -> Json:
    """The data with one thing in it changed."""
    value = json.loads(json.dumps(value))
    path = draw(st.sampled_from([*places(value)][1:] or [()]))
    if not path:
        return value
    inside, key = at(value, path[:-1]), path[-1]
    match draw(st.sampled_from(["put", "number", "delete", "swap", "add", "rename", "wrap", "twice", "text"])):
        case "put":
            inside[key] = draw(JSON)
        case "number":
            inside[key] = draw(NUMBERS)
        case "delete":
            del inside[key]
        case "swap":
            other = draw(st.sampled_from([*places(value)][1:]))
            inside[key] = json.loads(json.dumps(at(value, other)))
        case "add" if isinstance(inside, dict):
            inside[draw(KEYS)] = draw(JSON)
        case "add":
            inside.insert(key, draw(JSON))
        case "rename" if isinstance(inside, dict):
            inside[draw(KEYS)] = inside.pop(key)
        case "wrap":
            inside[key] = draw(st.sampled_from([[inside[key]], {str(key): inside[key]}]))
        case "twice" if isinstance(inside, list):
            inside.insert(key, inside[key])
        case "text" if isinstance(inside[key], str):
            inside[key] = altered(inside[key], draw)
    return value


def altered(text: str, draw: st.DrawFn) -> str:
    """The text with one sign changed, cut, put in, or with a part twice."""
    place = draw(st.integers(0, len(text)))
    new = draw(st.one_of(st.sampled_from('0129-{}[]",: \n♣♥JA.=nbgp\\'), st.characters()))
    end = place + draw(st.integers(0, 9))
    match draw(st.sampled_from(["change", "put in", "cut", "leave out", "twice"])):
        case "change":
            return text[:place] + new + text[place + 1 :]
        case "put in":
            return text[:place] + new + text[place:]
        case "cut":
            return text[:place]
        case "leave out":
            return text[:place] + text[end:]
    return text[:end] + text[place:]


@st.composite
def near_records(draw: st.DrawFn) -> str:
    value = draw(st.sampled_from(records()))
    for _ in range(draw(st.integers(0, 3))):
        value = changed(value, draw)
    text = dumped(value)
    match draw(st.sampled_from(["as it is", "as it is", "altered", "duplicate", "spliced", "nested", "no result"])):
        case "altered":
            return altered(text, draw)
        case "duplicate":
            place = draw(st.sampled_from([n for n, sign in enumerate(text) if sign == "{"] or [0])) + 1
            return f"{text[:place]}{json.dumps(draw(KEYS))}: {dumped(draw(JSON))}, {text[place:]}"
        case "spliced":
            other = dumped(draw(st.sampled_from(records())))
            return text[: draw(st.integers(0, len(text)))] + other[draw(st.integers(0, len(other))) :]
        case "nested":
            return dumped({**value, draw(KEYS): value}) if isinstance(value, dict) else text
    return text


# ---- (d) What conforms to the schema and means little


def conforming(rule: dict[str, Any], name: str = "") -> st.SearchStrategy[Json]:
    """Values that a rule of the schema allows, those likelier that may mean something."""
    if "$ref" in rule:
        name = rule["$ref"].removeprefix("#/$defs/")
        return named(name)
    if "enum" in rule:
        return st.sampled_from(rule["enum"])
    kinds = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    return st.one_of([of_kind(kind, rule, name) for kind in kinds])


@cache
def named(name: str) -> st.SearchStrategy[Json]:
    rule = SCHEMA["$defs"][name]
    if name == "cards":
        few = st.lists(st.sampled_from(CARDS), max_size=5)
        return st.one_of(few.map(" ".join), few.map(" ".join), texts(rule))
    return of_kind(rule["type"], rule, name)


def of_kind(kind: str, rule: dict[str, Any], name: str) -> st.SearchStrategy[Json]:
    match kind:
        case "object":
            return objects(rule)
        case "array":
            low, high = rule.get("minItems", 0), min(rule.get("maxItems", 5), 5)
            if name in ("players", "ranks"):
                return st.lists(conforming(rule["items"], name), min_size=1, max_size=13, unique=True)
            return st.lists(conforming(rule["items"], name), min_size=low, max_size=max(low, high))
        case "integer":
            low, high = rule.get("minimum", -(10**6)), rule.get("maximum", 10**6)
            small = st.integers(max(low, -3), min(high, 12))
            return st.one_of(small, small, st.sampled_from([low, high]), st.integers(low, high))
        case "string":
            return texts(rule, name)
        case "boolean":
            return st.booleans()
    return st.none()


def texts(rule: dict[str, Any], name: str = "") -> st.SearchStrategy[str]:
    most = rule.get("maxLength", 100)
    seen = st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp"))
    said = [text[:most] for text in CORPUS.values() if not hidden_signs(text[:most])]
    told = {"preset": list(kit.PRESETS), "actions": ["2♣", "pass", "next deal", "give 2♣", "bid 2♣ 3♣ 4♣", "2♣ +1"]}
    return st.one_of(
        st.sampled_from(told.get(name, ["declare", "2♣", "99", "♣", ""])),
        st.sampled_from(said),
        st.text(seen, max_size=min(most, 12)),
    )


@st.composite
def objects(draw: st.DrawFn, rule: dict[str, Any]) -> Json:
    known, must = rule.get("properties", {}), rule.get("required", [])
    few = draw(st.booleans())
    chosen = [name for name in known if name in must or (not few and draw(st.booleans()))]
    value = {name: draw(conforming(known[name], name)) for name in chosen}
    for pattern, inner in rule.get("patternProperties", {}).items():
        keys = st.from_regex(pattern.replace("$", r"\Z"))
        value |= draw(st.dictionaries(keys, conforming(inner), max_size=4))
    return value


CONFORMING: Text = conforming(SCHEMA).map(dumped)


@st.composite
def beginnings(draw: st.DrawFn) -> Json:
    """What a game may begin with: rules not far from a preset, or any; perhaps a position with cards of the pack."""
    rules = draw(st.sampled_from([*kit.PRESETS.values()]))
    kind = "tricks" if isinstance(rules, kit.TrickRules) else "adding"
    fields = SCHEMA["$defs"][kind]["properties"]
    told = draw(st.lists(st.sampled_from(list(fields)), max_size=4, unique=True))
    data: Json = {"preset": rules.name}
    if told:
        data[kind] = {name: draw(conforming(fields[name], name)) for name in told}
    if draw(st.integers(0, 9)) == 0:
        data["without"] = draw(conforming(SCHEMA["properties"]["rules"]["properties"]["without"]))
    if draw(st.integers(0, 4)) == 0:  # a house game, with all of its fields
        full = kit.write_record(kit.History(kit.deal(replace(rules, name="house"), rules.players[0])))
        data = {kind: json.loads(full)["rules"][kind] | data.get(kind, {})}
    players = draw(st.one_of(st.sampled_from(rules.players), st.integers(2, 8)))
    head = {name: draw(conforming(SCHEMA["properties"][name], name)) for name in ("seed", "dealer")}
    head = {"rules": data, "players": players} | head
    if draw(st.booleans()):
        head["position"] = draw(positions(rules, players))
    elif draw(st.integers(0, 9)) == 0:
        head["packs"] = [" ".join(shuffled(rules, draw))]
    return head


def shuffled(rules: Any, draw: st.DrawFn) -> list[str]:
    pack = [*map(str, rules.pack(rules.players[0]))]
    Random(draw(st.integers(0, 99))).shuffle(pack)
    return pack


@st.composite
def positions(draw: st.DrawFn, rules: Any, players: int) -> Json:
    """Hands of cards that are there, and other fields as they come."""
    cards = shuffled(rules, draw)
    tricks = isinstance(rules, kit.TrickRules)

    def take(most: int) -> str:
        taken, cards[:most] = cards[:most], []
        return " ".join(taken)

    size = draw(st.integers(1, rules.hand_size))
    hands = [take(size) for _ in range(players)]
    if draw(st.integers(0, 3)) == 0:
        hands[0] = draw(st.sampled_from([take(size - 1), take(size + 1), ""]))
    given: Json = {"hands": hands}
    known = SCHEMA["$defs"]["position"]["properties"]
    mine = ["scores", "stock", "phase", "to_act", "deal_number"]
    mine += ["leader", "games_won", "game_number", "bids", "won", "trump", "premium", "trick", "tricks"] * tricks
    mine += ["pile", "layer", "lives", "total", "direction", "earned", "pot"] * (not tricks)
    for name in draw(st.lists(st.sampled_from(mine), max_size=6, unique=True)):
        value = draw(conforming(known[name], name))
        if isinstance(value, list) and name != "tricks":
            value = [value[seat % len(value)] for seat in range(players)]
        match name:
            case "bids":
                value = [take(getattr(rules, "bid_cards", 0)) for _ in range(players)]
            case "stock" | "pile" | "trick":
                value = take(draw(st.integers(0, 5)))
            case "tricks":
                seats = st.integers(0, 7)
                value = [
                    {"leader": draw(seats), "cards": take(draw(st.integers(0, players + 1))), "winner": draw(seats)}
                    for _ in value
                ]
            case "premium" if value and draw(st.booleans()):
                value["name"] = "reveal"
        given[name] = value
    return given


@st.composite
def begun(draw: st.DrawFn) -> str:
    """A line of a beginning: all of it conforms, and it is read where a game can begin so."""
    return line([coded(draw(beginnings()))], draw(st.sampled_from(["", "", "", "n", "AC", "b2C3C4C", "2C1", "g2C"])))


# ---- (e) Lines to share


def line(head: list[str], actions: str) -> str:
    return checked(".".join(["nn1", *head, actions]))


def checked(body: str) -> str:
    return f"{body}.{crc32(body.encode('utf-8', 'replace')):08x}"


def coded(value: Json) -> str:
    return urlsafe_b64encode(dumped(value).encode("utf-8", "surrogatepass")).decode().rstrip("=")


@st.composite
def near_lines(draw: st.DrawFn) -> str:
    body = draw(st.sampled_from(lines())).rpartition(".")[0]
    for _ in range(draw(st.integers(0, 3))):
        body = altered(body, draw)
    return draw(st.sampled_from([checked(body), checked(body), checked(body[: draw(st.integers(0, 9))]), body]))


@st.composite
def hostile_heads(draw: st.DrawFn) -> str:
    record = draw(st.sampled_from(records()))
    head = {
        name: record[name] for name in ("rules", "players", "seed", "dealer", "packs", "position") if name in record
    }
    for _ in range(draw(st.integers(0, 2))):
        head = changed(head, draw)
    raw = st.binary().map(lambda data: urlsafe_b64encode(data).decode())
    one = draw(st.one_of(st.just(coded(head)), JSON.map(coded), raw, WORDS))
    four = st.lists(
        st.one_of(st.sampled_from(["adding-ru", "3", "0", "٣", "-0", "1e3", "", "0" * 15]), WORDS), max_size=6
    )
    codes = st.sampled_from(
        ["n", "", "AC", "b", "b6C7D8H", "p", "p1", "p99", "2C2C2C", "2C99", "g2C", "g", "2C٣", "n1"]
    )
    return line(draw(st.one_of(st.just([one]), four)), "-".join(draw(st.lists(codes, max_size=4))))


KINDS: dict[str, Text] = {
    "any text": ANY_TEXT,
    "any JSON": ANY_JSON,
    "records changed": near_records(),
    "what conforms": CONFORMING,
    "beginnings": begun(),
    "lines changed": near_lines(),
    "hostile heads": hostile_heads(),
}


# ---- Running it


class Found(Exception):
    """The smallest text that does what none may do."""


def plainly(texts: list[str | bytes]) -> str:
    """The head of a line, where it is coded."""
    part = str(texts[0]).split(".")[1:2] if texts and str(texts[0]).startswith("nn1.ey") else []
    return "".join(f"\n{urlsafe_b64decode(head + '=' * (-len(head) % 4)).decode()}" for head in part)


def attack(kind: str, examples: int, seed: int | None = None) -> Counter[str]:
    """Reads that many texts of a kind, the same each time where no seed is given; counts what became of them."""
    counts: Counter[str] = Counter()
    smallest: list[str | bytes] = []

    def attempt(text: str | bytes) -> None:
        smallest[:] = [text]
        counts[read(text)] += 1

    run = hypothesis.given(KINDS[kind])(attempt)
    run = settings(
        max_examples=examples,
        deadline=None,
        derandomize=seed is None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )(run if seed is None else hypothesis.seed(seed)(run))
    try:
        run()
    except Exception as wrong:
        raise Found(f"{kind}: {smallest[:1]}{plainly(smallest)}") from wrong
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    end, seed, total = time.monotonic() + asked.seconds, asked.seed, Counter[tuple[str, str]]()
    kinds = asked.kind or list(KINDS)
    while time.monotonic() < end:
        for kind in kinds:
            try:
                counts = attack(kind, 100, seed)
            except Found as found:
                traceback.print_exception(found.__cause__)
                print(found)
                return 1
            total += Counter({(kind, became): number for became, number in counts.items()})
        seed += 1
    for kind in kinds:
        told = {became: number for (of, became), number in total.items() if of == kind}
        print(f"{kind}: {sum(told.values())} examples; {', '.join(f'{n} {what}' for what, n in told.items())}")
    games_read = sum(number for (_, became), number in total.items() if became.startswith("read"))
    print(f"{sum(total.values())} examples, {games_read} of them read as games, up to seed {seed - 1}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
