"""Games beside each other: their cards, their rules, and the same actions played in each."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ninety_nine_kit.card import Card, Mistake
from ninety_nine_kit.dealing import check_rules
from ninety_nine_kit.events import CardPlayed, CardsLaid, Drew
from ninety_nine_kit.game import IllegalActionError, State
from ninety_nine_kit.narration import narrate, number, seat_name, signed, translator
from ninety_nine_kit.rules import AddingRules, Effect, Milestone, Premium, Rules
from ninety_nine_kit.show.blocks import Grid, Names, Say
from ninety_nine_kit.show.rule_sheet import by_players, choice_words, effect_keys, premium_failed


def effect_table(*games: AddingRules, only_differences: bool = False, lang: str = "en") -> Grid:
    """What each card does in one game, or in several beside each other, with ≠ where they differ.

    >>> from ninety_nine_kit.presets import ADDING_ES, ADDING_RU
    >>> print(*effect_table(ADDING_RU, ADDING_ES, only_differences=True).rows[0], sep=" | ")
    A | +1 or +11 | +1 | ≠
    """
    say = translator(lang)
    for rules in games:
        check_rules(rules)
        if not isinstance(rules, AddingRules):
            raise Mistake(f"{rules.name}: only an adding game has cards with effects")
    keys: list[Any] = list(dict.fromkeys(key for rules in games for key in effect_keys(rules)))
    keys.sort(key=lambda key: [str(k) for k in effect_keys(games[0])].index(_rank(key)))
    rows = [(str(key), *(choice_words(_rows(rules, key), say) for rules in games)) for key in keys]
    for rank in dict.fromkeys(rank for rules in games for rank in rules.pairs):
        told = (choice_words(rules.pairs[rank], say) if rank in rules.pairs else "–" for rules in games)
        rows.append((f"{rank}-{rank}", *told))
    marked = [(*row, "≠" if len(set(row[1:])) > 1 else "") for row in rows]
    if only_differences:
        marked = [row for row in marked if row[-1]]
    head = (say("Card"), *_titles(games, say), say("Differs"))
    cut = len(head) if len(games) > 1 else -1
    return Grid(say("What the cards do"), head[:cut], tuple(row[:cut] for row in marked))


def _titles(games: Sequence[Rules], say: Say) -> list[str]:
    """The titles of games, with a number where two have the same."""
    titles = [say(rules.title) for rules in games]
    if len(set(titles)) == len(titles):
        return titles
    return [f"{title} ({place})" for place, title in enumerate(titles, start=1)]


def _rank(key: Any) -> str:
    return str(key.rank if isinstance(key, Card) else key)


def _rows(rules: AddingRules, key: Any) -> Sequence[Effect]:
    """The rows of a rank, or of a card, which may have none of its own."""
    rows: Sequence[Effect] = rules.effects[key if key in rules.effects else key.rank]
    return rows


def differences(rules: Rules, other: Rules, lang: str = "en") -> Grid:
    """Where rules differ from others, such as from their preset: field by field, charts entry by entry.

    >>> from dataclasses import replace
    >>> from ninety_nine_kit.presets import ADDING_RU
    >>> mine = replace(ADDING_RU, effects=ADDING_RU.effects | {"7": Effect(reverse=True)})
    >>> differences(mine, ADDING_RU).rows
    (('effects 7', '+7', 'direction turns'),)
    """
    say = translator(lang)
    check_rules(rules)
    check_rules(other)
    if type(rules) is not type(other):
        raise Mistake(f"{rules.name}: cannot be compared with {other.name}, which is another kind of game")
    rows: list[tuple[str, ...]] = []
    for field in fields(rules):
        old, new = getattr(other, field.name), getattr(rules, field.name)
        if field.name in ("name", "title", "source") or old == new:
            continue
        if field.name in ("packs", "lives"):
            rows.append((field.name, *(by_players(x, field.name, say) for x in (other, rules))))  # type: ignore[arg-type]
        elif isinstance(old, Mapping) and isinstance(new, Mapping):
            keys = [key for key in dict.fromkeys((*old, *new)) if _entry(old, key) != _entry(new, key)]
            rows += [(f"{field.name} {key}", *(_said(_entry(chart, key), say) for chart in (old, new))) for key in keys]
        else:
            rows.append((field.name, _said(old, say), _said(new, say)))
    told = say("What differs from: {game}") if rows else say("Nothing differs from: {game}")
    titles = [say(other.title), say(rules.title)] if other.title != rules.title else [say("before"), say("now")]
    head = (say("Rule"), *titles)
    return Grid(told.format(game=say(other.title)), head, tuple(rows))


def _entry(chart: Mapping[Any, Any], key: Any) -> Any:
    """The entry of a chart; that of its rank for a card without one."""
    return chart.get(key, chart.get(key.rank) if isinstance(key, Card) else None)


def _said(value: Any, say: Say) -> str:
    """A value of any field of the rules."""
    match value:
        case None | ():
            return say("none")
        case bool():
            return say("yes") if value else say("no")
        case int():
            return number(value)
        case (Effect(), *_):
            return choice_words(value, say)
        case Milestone(at, points):
            return f"{number(at)}: {signed(points)}"
        case Premium():
            shown = say("bid and hand open") if value.opens_hand else say("bid open")
            failed, made = premium_failed(value, say), signed(value.made)
            told = say("{name} ({shown}): {made}; if it fails {failed}")
            return told.format(name=say(value.name), shown=shown, made=made, failed=failed)
        case tuple():
            return ", ".join(_said(part, say) for part in value)
        case Mapping():
            return ", ".join(f"{key}: {_said(part, say)}" for key, part in value.items())
    return str(value)


def side_by_side(starts: Sequence[State], actions: Sequence[str], lang: str = "en", names: Names = None) -> Grid:
    """The same actions played from several states, such as one hand under three texts: a row for each action with what
    it causes in each. A game in which an action is not legal says why, and stops there."""
    say = translator(lang)
    now: list[State | None] = list(starts)
    actions = [actions] if isinstance(actions, str) else actions
    rows = []
    for text in actions:
        seats = {seat_name(state.to_act, names) for state in now if state and state.to_act is not None}
        row = [" ".join(filter(None, ["/".join(sorted(seats)), number(text)]))]
        for place, state in enumerate(now):
            told, now[place] = _played(state, text, lang, names) if state else ("–", None)
            row.append(told)
        rows.append(tuple(row))
    return Grid(say("Side by side"), (say("Move"), *_titles([s.rules for s in starts], say)), tuple(rows))


def _played(state: State, text: str, lang: str, names: Names) -> tuple[str, State | None]:
    try:
        after = state.apply(text)
    except IllegalActionError as refused:
        return f"⊘ {narrate(refused.why, lang, names)}", None
    told = [f"{number(e.before)} → {number(e.total)}" for e in after.events if isinstance(e, CardsLaid)]
    told += [narrate(e, lang, names) for e in after.events if not isinstance(e, CardsLaid | CardPlayed | Drew)]
    return " ".join(told), after
