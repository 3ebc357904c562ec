"""A text from outside as data, read with suspicion: sizes first, then JSON, then what schema.json allows."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Never

from ninety_nine_kit.card import Mistake, hidden_signs, plain
from ninety_nine_kit.events import N_, Refusal
from ninety_nine_kit.game import History
from ninety_nine_kit.narration import narrate, number, translator

MOST_BYTES, MOST_NESTED = 2**20, 20
MOST_DIGITS = 15  # so that every reader of JSON takes a number as it stands

# A string of JSON, and the colon after a key. One without an end reaches to the end, so that it is looked at only once.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?(?P<key>\s*+:)?', re.DOTALL)
_KINDS = {dict: "object", list: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}
_WORDS = {
    "object": N_("a {…}"),
    "array": N_("a list"),
    "string": N_("a text"),
    "integer": N_("a whole number"),
    "boolean": N_("true or false"),
    "null": N_("null"),
    "record": N_("the record"),
}


class RecordError(Mistake):
    """A record that is not taken, or a file that cannot be read or written; nothing was changed.

    `file` and `line` are where it stands, `place` is the action (from 0, over all deals) at which the game stops being
    good, and `good` the game up to there, None where nothing was. `other_kit` is the version that wrote a game which
    is played otherwise here. `tell(lang)` says why in words; `str()` in English.
    """

    file: str | None = None
    line: int | None = None
    place: int | None = None
    good: History | None = None
    other_kit: str | None = None

    def __init__(self, message: str, why: Refusal | None = None, **words: object) -> None:
        super().__init__(message, why)
        self.message, self.why, self.words = message, why, words

    def tell(self, lang: str = "en") -> str:
        say = translator(lang)
        words = {name: _word(value, say) for name, value in self.words.items()}
        why = narrate(self.why, lang) if self.why else ""
        told = [f"{self.file}:"] * (self.file is not None)
        told += [say("Line {line}:").format(line=self.line)] * (self.line is not None)
        told.append(say(self.message).format(why=why, **words))
        if self.good:
            told.append(say("It is good up to step {step}.").format(step=len(self.good.actions)))
        if self.other_kit:
            kit = say("Version {kit} of the kit wrote it, which may play by other rules.")
            told.append(kit.format(kit=self.other_kit))
        return " ".join(told)

    def __str__(self) -> str:
        return self.tell()


def _word(value: object, say: Any) -> str:
    """A value in a sentence: numbers as they are shown, words of the kit translated."""
    return number(value) if isinstance(value, int) else say(value) if value in _WORDS.values() else str(value)


def quoted(value: object) -> str:
    """What was found, short and with nothing in it that could do harm."""
    shown = plain(json.dumps(value, ensure_ascii=False, default=repr))
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


def parse(text: str) -> dict[str, Any]:
    """The data of one record, as schema.json allows it."""
    data = read_json(text)
    version = data.get("version") if isinstance(data, dict) else None
    if type(version) is int and version != 1:
        newer = N_("This record has form {version}, and this kit knows form 1. A newer kit may read it.")
        raise RecordError(newer, version=version)
    conform(data, schema(), "")
    return data  # type: ignore[no-any-return]


def read_json(text: str) -> Any:
    """JSON without what a record must not have; its sizes are checked before anything is made of it."""
    check_size(text)
    if not text.strip():
        raise RecordError(N_("There is nothing in it."))
    if max(depths(text)) > MOST_NESTED:
        raise RecordError(N_("Brackets stand more than {most} deep in each other."), most=MOST_NESTED)
    made = {"object_pairs_hook": _once, "parse_int": _whole, "parse_float": _no_number, "parse_constant": _no_number}
    try:
        return json.loads(text.rstrip(), **made)  # type: ignore[arg-type]
    except json.JSONDecodeError as wrong:
        damaged = RecordError(N_("This is not JSON: the text is damaged, or a part of it is missing."))
        damaged.line = wrong.lineno
        raise damaged from None


def check_size(text: str | bytes) -> None:
    if len(text) > MOST_BYTES or (isinstance(text, str) and len(text.encode("utf-8", "surrogatepass")) > MOST_BYTES):
        raise RecordError(N_("This text is larger than a record may be (1 MiB)."))


def depths(text: str) -> Iterator[int]:
    """How deep a text is nested, at its start and after each bracket outside of its strings."""
    depth = 0
    yield depth
    for bracket in re.findall(r"[][{}]", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        yield depth


def line_of_action(text: str, place: int) -> int:
    """The line of an action of a record, or of the last one; `place` counts the actions of all deals from 0."""
    inside, start = False, 0
    for found in _STRING.finditer(text):
        if found["key"]:
            inside = found[0].startswith('"actions"')
        elif inside:
            start, place = found.start(), place - 1
            if place < 0:
                break
    return text.count("\n", 0, start) + 1


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise RecordError(N_("{key} stands there twice."), key=quoted(twice))
    return data


def _whole(digits: str) -> int:
    if len(digits.lstrip("-")) > MOST_DIGITS:
        raise RecordError(N_("{found} is too large a number."), found=quoted(digits))
    return int(digits)


def _no_number(text: str) -> Never:
    raise RecordError(N_("{found} is not a whole number."), found=quoted(text))


@cache
def schema() -> dict[str, Any]:
    """The published JSON Schema of records."""
    return json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def conform(data: Any, rule: dict[str, Any], place: str) -> None:
    """RecordError where data is not as a rule of the schema allows. It knows of JSON Schema what ours needs."""
    if "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].removeprefix("#/$defs/")]
    kinds = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    if (kind := _KINDS.get(type(data))) not in kinds:
        must = N_("{place} must be {kind}, not {found}.")
        raise RecordError(must, place=place or _WORDS["record"], kind=_WORDS[kinds[0]], found=quoted(data))
    if "enum" in rule and data not in rule["enum"]:
        can = N_("{place} is {found}; it can be {choices}.")
        raise RecordError(can, place=place, found=quoted(data), choices=", ".join(map(quoted, rule["enum"])))
    if kind == "object":
        _conform_entries(data, rule, place)
    elif kind == "array":
        _check_length(len(data), rule, "Items", place)
        for count, item in enumerate(data, 1):
            conform(item, rule["items"], f"{place} {count}")
    elif kind == "string":
        _check_length(len(data), rule, "Length", place)
        if signs := hidden_signs(data):
            codes = ", ".join(sorted(f"U+{ord(sign):04X}" for sign in signs))
            raise RecordError(N_("{place} has characters that cannot be seen: {codes}."), place=place, codes=codes)
    elif kind == "integer" and not rule.get("minimum", data) <= data <= rule.get("maximum", data):
        bounds = {"low": rule["minimum"], "high": rule["maximum"]}
        raise RecordError(N_("{place} is {found}; it can be {low} to {high}."), place=place, found=data, **bounds)


def _check_length(size: int, rule: dict[str, Any], what: str, place: str) -> None:
    low, high = rule.get(f"min{what}", 0), rule.get(f"max{what}", size)
    if not low <= size <= high:
        wrong = N_("{place} has a length of {size}; it can be {low} to {high}.")
        raise RecordError(wrong, place=place, size=size, low=low, high=high)


def _conform_entries(data: dict[str, Any], rule: dict[str, Any], place: str) -> None:
    known, patterns = rule.get("properties", {}), rule.get("patternProperties", {})
    _check_length(len(data), rule, "Properties", place)
    inside = f"{place}, " if place else ""
    for name in rule.get("required", []):
        if name not in data:
            raise RecordError(N_("{place} is missing."), place=inside + name)
    for name, value in data.items():
        fitting = [known[name]] if name in known else [patterns[p] for p in patterns if re.fullmatch(p, name)]
        if not fitting:
            raise RecordError(N_("{place} is not known here."), place=inside + quoted(name))
        conform(value, fitting[0], inside + name)
