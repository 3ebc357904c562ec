"""A game as data and back: written from its history, and read by playing it again."""

from dataclasses import fields
from functools import cache
from typing import Any

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import Mistake, cards, listed, plain
from ninety_nine_kit.dealing import NOT_GIVEN, deal, position
from ninety_nine_kit.events import N_, Drew, StockRefilled
from ninety_nine_kit.game import History, IllegalActionError, NextDeal, State
from ninety_nine_kit.record.reading import RecordError, conform, quoted, schema
from ninety_nine_kit.record.rules_data import read_rules, write, write_rules
from ninety_nine_kit.tricks import Trick, TrickState

MOST_ACTIONS = 10_000
_PILES = ("stock", "pile", "trick")


@cache
def kit_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and not needed to play

    try:
        return version("ninety-nine-kit")
    except PackageNotFoundError:  # used without being installed
        return "unknown"


def write_document(history: History) -> dict[str, Any]:
    """The record of a game, as schema.json says; RecordError where there can be none."""
    data = {
        "format": "ninety-nine-kit record",
        "version": 1,
        "kit": kit_version(),
        **write_start(history.states[0]),
        "names": [*history.names[: history.states[0].players]],
        "deals": _write_deals(history),
        "result": _result(history.states[-1]),
    }
    data = {name: data[name] for name in schema()["properties"] if name in data}
    conform(data, schema(), "")
    check_number(len(history.actions))
    return data


def write_start(start: State) -> dict[str, Any]:
    """What the first state is made of. Only a match from its beginning, or a position that was set up, can be told."""
    if start.is_view:
        raise RecordError(N_("A view hides cards: only the whole game can be kept."))
    large = isinstance(start.seed, int) and abs(start.seed) >= 10**15
    data: dict[str, Any] = {
        "rules": write_rules(start.rules),
        "players": start.players,
        "seed": str(start.seed) if large else start.seed,
        "dealer": start.dealer,
    }
    if start.packs:
        data["packs"] = [*map(listed, start.packs)]
    if not start.events:
        data["position"] = _write_position(start)
    if read_start(data) != start:
        raise RecordError(N_("Only a game from its first deal, or from a position that was set up, can be kept."))
    return data


def read_start(data: dict[str, Any]) -> State:
    """The first state; RecordError says why there is none."""
    rules, players = read_rules(data["rules"]), data["players"]
    given = {"seed": data["seed"], "dealer": data["dealer"]}
    if "position" in data and ("packs" in data or len(data["position"]["hands"]) != players):
        raise RecordError(N_("A position has a hand for each of the players, and no packs."))
    try:
        if "position" in data:
            return position(rules, **given, **_read_position(data["position"]))
        return deal(rules, players, packs=[*map(cards, data["packs"])] if "packs" in data else None, **given)
    except (LookupError, TypeError, Mistake) as wrong:
        raise RecordError(N_("This game cannot begin: {reason}"), reason=plain(str(wrong))[:200]) from None


def _write_position(start: State) -> dict[str, Any]:
    names = [field.name for field in fields(start) if field.name not in {*NOT_GIVEN, "seed", "dealer"}]
    values = {name: getattr(start, name) for name in names}
    data: dict[str, Any] = {name: write(value) for name, value in values.items()}
    data |= {name: listed(values[name]) for name in _PILES if name in values}
    data |= {name: [*map(listed, values[name])] for name in ("hands", "bids") if name in values}
    if isinstance(start, TrickState):
        data["tricks"] = [{**trick._asdict(), "cards": listed(trick.cards)} for trick in start.tricks]
        data["premium"] = start.premium and {"seat": start.premium[0], "name": start.premium[1].name}
    return data


def _read_position(data: dict[str, Any]) -> dict[str, Any]:
    given = {name: _deep(value) for name, value in data.items()}
    if premium := data.get("premium"):
        given["premium"] = premium["seat"], premium["name"]
    if "tricks" in data:
        given["tricks"] = tuple(Trick(told["leader"], cards(told["cards"]), told["winner"]) for told in data["tricks"])
    return given


def _deep(value: Any) -> Any:
    return tuple(map(_deep, value)) if isinstance(value, list) else value


def _write_deals(history: History) -> list[dict[str, Any]]:
    deals: list[dict[str, Any]] = []
    for step, state in enumerate(history.states):
        if step and not isinstance(history.actions[step - 1], NextDeal):
            deals[-1]["actions"].append(str(history.actions[step - 1]))
            _note(deals[-1], history.states[step - 1], state)
        else:
            pack = _shuffled_pack(state)
            deals.append({"pack": pack, "actions": []} if pack else {"actions": []})
    return deals


def _shuffled_pack(state: State) -> str:
    """The pack of the deal that has just been dealt; "" where it was given, or the deal set up."""
    shuffled = state.events and state.deal_number > len(state.packs)
    return listed(state.pack_dealt(state.deal_number)) if shuffled else ""


def _note(deal: dict[str, Any], before: State, after: State) -> None:
    """Adds what an action brought: a new stock, the next card first, and what a deal that ended brings by seat."""
    if any(isinstance(event, StockRefilled) for event in after.events):
        drawn = next(event.cards for event in after.events if isinstance(event, Drew))
        deal.setdefault("refills", []).append(listed(drawn[len(before.stock) :] + after.stock))
    if len(after.sheet) > len(before.sheet):
        row = after.sheet[-1]
        deal |= {"points": [*row.points]} if after.rules.counts_points else {"lives": [*row.lives]}


def _result(state: State) -> dict[str, Any]:
    more: dict[str, Any] = {"games_won": state.games_won} if isinstance(state, TrickState) else {}
    if isinstance(state, AddingState) and state.rules.over_limit != "allowed":
        more["lives"] = state.lives
    return write({"scores": state.scores, **more, "winners": state.winners})  # type: ignore[no-any-return]


def read_document(data: dict[str, Any], keep_good_part: bool = False) -> History:
    """The game played again, and compared with what data tells of it. Data without a result is actions only.

    A RecordError has in `place` the action at which the game stops being good, counted from 0 over all deals.
    """
    check_number(sum(len(told["actions"]) + 1 for told in data["deals"]) - 1)
    names, players = data.get("names", []), data["players"]
    if len(names) > players:
        raise RecordError(N_("There are {names} names for {players} players."), names=len(names), players=players)
    history = History(read_start(data), names)
    try:
        _replay(history, data)
    except RecordError as wrong:
        wrong.good = history if history.actions else None
        wrong.other_kit = data.get("kit") if data.get("kit") != kit_version() else None
        if wrong.place is None:
            wrong.place = max(_count(history) - 1, 0)
        if wrong.good is None or not keep_good_part:
            raise
    return history


def check_number(actions: int) -> None:
    if actions > MOST_ACTIONS:
        raise RecordError(N_("There are more than {most} actions in it."), most=MOST_ACTIONS)


def _replay(history: History, data: dict[str, Any]) -> None:
    checked = "result" in data
    for number, told in enumerate(data["deals"], 1):
        if number > 1:
            _play(history, str(NextDeal()), number, 0)
        found: dict[str, Any] = {"pack": _shuffled_pack(history.state) if checked else ""}
        if checked and not _same(told.get("pack", ""), found["pack"]):
            _take_back(history)
            raise _differs("pack", told, found, number, history)
        for count, action in enumerate(told["actions"], 1):
            before, refills = history.state, len(found.get("refills", ()))
            _note(found, before, _play(history, action, number, count))
            new, said = found.get("refills", [])[refills:], told.get("refills", [])[refills : refills + 1]
            if checked and new and not (said and _same(said[0], new[0])):
                _take_back(history)
                raise _differs("refills", told, found, number, history)
        for name in ("points", "lives"):
            if checked and told.get(name) != found.get(name):
                raise _differs(name, told, found, number)
        if checked and len(told.get("refills", ())) > len(found.get("refills", ())):
            raise _differs("refills", told, found, number)
    if checked and data["result"] != (result := _result(history.state)):
        wrong = N_("The result is {told} in the record, and {found} in play.")
        raise RecordError(wrong, told=quoted(data["result"]), found=quoted(result))


def _play(history: History, text: str, deal: int, count: int) -> State:
    """Plays one action of a deal, or with count 0 the deal itself."""
    try:
        if history.play(text).deal_number == history.states[-2].deal_number or count == 0:
            return history.state
        _take_back(history)
        wrong = RecordError(N_("Deal {deal}, action {count}: “{action}” stands between deals, not in them."))
    except IllegalActionError as refused:
        wrong = RecordError(N_("Deal {deal}, action {count} “{action}”: {why}"), refused.why)
        if count == 0:
            wrong = RecordError(N_("Deal {deal} cannot begin: {why}"), refused.why)
    wrong.words = {"deal": deal, "count": count, "action": plain(text)}
    wrong.place = _count(history)
    raise wrong


def _count(history: History) -> int:
    """How many actions there are in the deals."""
    return sum(not isinstance(action, NextDeal) for action in history.actions)


def _take_back(history: History) -> None:
    """The last action was not good."""
    if history.actions:
        history.back()
        del history.states[-1], history.actions[-1]


def _differs(
    name: str, told: dict[str, Any], found: dict[str, Any], deal: int, before: History | None = None
) -> RecordError:
    """`before`: the game without the action that brought what differs."""
    wrong = N_("Deal {deal}: {name} is {told} in the record, and {found} in play.")
    if not found.get(name):
        wrong = N_("Deal {deal}: {name} should not stand there.")
    elif not told.get(name):
        wrong = N_("Deal {deal}: {name} is missing.")
    error = RecordError(wrong, deal=deal, name=name, told=quoted(told.get(name)), found=quoted(found.get(name)))
    error.place = _count(before) if before else None
    return error


def _same(told: str, found: str) -> bool:
    """Whether cards are those that were found; they may be typed in other ways, as in `TH` for 10♥."""
    try:
        return told == found or listed(cards(told)) == found
    except Mistake:
        return False
