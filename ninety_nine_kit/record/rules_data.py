"""Rules as data and back: a preset with what differs from it, or all fields of a house game."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from math import comb
from typing import Any

from ninety_nine_kit.card import Card, Mistake
from ninety_nine_kit.events import N_
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.record.reading import RecordError, quoted
from ninety_nine_kit.rules import AddingRules, Chart, Effect, Milestone, Premium, Rules, Source, TrickRules

_KINDS = {"tricks": TrickRules, "adding": AddingRules}
_BY_NUMBER = ("success_bonus", "trump_after", "packs", "lives")
#: More ways to bid than these would keep a player by computer busy for long.
MOST_BIDS = 100_000


def write_rules(rules: Rules) -> dict[str, Any]:
    """Rules as data. Of a preset's charts only entries that differ are told; `without` names those that are gone."""
    kind = next(name for name, kind in _KINDS.items() if isinstance(rules, kind))
    preset = PRESETS.get(rules.name)
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    if type(preset) is not type(rules):
        return {kind: write(values)}
    changed, gone = {}, {}
    for name, value in values.items():
        old = getattr(preset, name)
        if isinstance(value, Chart) and isinstance(old, Chart):
            gone[name] = sorted(map(str, old.keys() - value.keys()))
            changed[name] = Chart({key: row for key, row in value.items() if key not in old or old[key] != row})
        elif value != old:
            changed[name] = value
    full = {name: value for name, value in changed.items() if value != {}}
    told = {"preset": rules.name, kind: write(full), "without": {name: keys for name, keys in gone.items() if keys}}
    return {name: value for name, value in told.items() if value}


def write(value: Any) -> Any:
    """A value of rules as data, the same for equal values. Of effects and premiums only what is not default."""
    match value:
        case Effect() | Premium():
            parts = [(field, getattr(value, field.name)) for field in fields(value)]
            return {field.name: part for field, part in parts if part != field.default}
        case Card() | str():
            return str(value)
        case Chart():
            keys = sorted(value, key=lambda key: (len(str(key)), str(key)))
            return {str(key): write(value[key]) for key in keys}
        case Mapping():
            return {str(key): write(entry) for key, entry in value.items()}
        case tuple():
            return [*map(write, value)]
    return value


def read_rules(data: dict[str, Any]) -> Rules:
    """The rules that data, conforming to the schema, tells; RecordError says why there are none."""
    kinds, name = data.keys() & _KINDS.keys(), data.get("preset")
    if len(kinds) > 1 or (name is None and not kinds):
        raise RecordError(N_("Rules need a preset, or one of tricks and adding."))
    if name is not None and name not in PRESETS:
        known = ", ".join(PRESETS)
        raise RecordError(N_("There is no game {name} here; there are: {known}."), name=quoted(name), known=known)
    preset = PRESETS[name] if name else None
    kind = next((_KINDS[kind] for kind in kinds), type(preset))
    if preset and not isinstance(preset, kind):
        raise RecordError(N_("{name} is another kind of game than these rules."), name=name)
    if preset and not kinds and "without" not in data:
        return preset
    told: dict[str, Any] = next((data[name] for name in kinds), {})
    for field in fields(kind):
        if not preset and field.default is MISSING and field.name not in told:
            raise RecordError(N_("{place} is missing."), place=f"rules, {field.name}")
    try:
        read = {name: _read(name, value) for name, value in told.items()}
        rules: Rules = kind(**_merged(preset, read, data.get("without", {})))
    except (AttributeError, TypeError, Mistake) as wrong:
        raise RecordError(N_("These rules cannot be played: {reason}"), reason=str(wrong)[:200]) from None
    if isinstance(rules, TrickRules) and comb(rules.hand_size, rules.bid_cards) > MOST_BIDS:
        raise RecordError(N_("{name}: there are more than {most} ways to bid."), name=rules.name, most=MOST_BIDS)
    return rules


def _merged(preset: Rules | None, told: dict[str, Any], without: dict[str, list[str]]) -> dict[str, Any]:
    values = {field.name: getattr(preset, field.name) for field in fields(preset)} if preset else {}
    for name, value in told.items():
        merges = isinstance(value, Chart) and isinstance(values.get(name), Chart)
        values[name] = values[name] | value if merges else value
    for name, keys in without.items():
        values[name] = Chart({key: entry for key, entry in values.get(name, {}).items() if str(key) not in keys})
    return values


def _read(name: str, value: Any) -> Any:
    """A field of rules from data; the rules themselves read cards, ranks and suits."""
    match name:
        case "source":
            return Source(*value)
        case "premiums":
            return tuple(Premium(**premium) for premium in value)
        case "milestones":
            return tuple(Milestone(*border) for border in value)
        case "effects" | "pairs":
            return Chart({key: tuple(Effect(**row) for row in rows) for key, rows in value.items()})
    if isinstance(value, dict):
        return Chart({int(key): entry for key, entry in value.items()} if name in _BY_NUMBER else value)
    return tuple(value) if isinstance(value, list) else value
