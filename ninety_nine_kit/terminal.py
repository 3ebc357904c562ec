"""The games in a terminal: play against the computer, tell a recorded game, check records, deal."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ninety_nine_kit.agents import AGENTS, ask
from ninety_nine_kit.card import Card, plain
from ninety_nine_kit.events import NotAMove
from ninety_nine_kit.game import MOVES, Action, Bid, History, IllegalActionError, NextDeal, Phase, Play, State
from ninety_nine_kit.narration import narrate, number, seat_name, translator
from ninety_nine_kit.record import RecordError, read_at, share_line
from ninety_nine_kit.record.files import documents, documents_in, told
from ninety_nine_kit.show import headline, sorted_hand, text


def tell(history: History, lang: str = "en") -> Iterator[str]:
    """A game in words: a line for each event, and after a deal one for each hand; step, seat and action stand at the
    first of them."""
    names = history.names
    for step, state in enumerate(history.states):
        lines = [narrate(event, lang, names) for event in state.events]
        if step == 0 or isinstance(history.actions[step - 1], NextDeal):
            lines += [f"{seat_name(seat, names)}: {' '.join(map(str, hand))}" for seat, hand in enumerate(state.hands)]
        first, who = f"{step:3}", history.states[step - 1].to_act if step else None
        if who is not None:
            first += f" {seat_name(who, names)}  {history.actions[step - 1]}"
        for place, line in enumerate(lines):
            yield f"{'' if place else first:24} {line}"


def replay(name: str, lang: str) -> None:
    """Tells the games of a file, and shows how each stands at the end."""
    for line, record in _records(name):
        with told(Path(name)):
            game = read_at(line, record)
        print(headline(game.states[0], lang), *tell(game, lang), text(game.state, lang, game.names), sep="\n")


def _records(name: str) -> Iterator[tuple[int, bytes]]:
    """The records of a file; `-` is the input."""
    return documents_in(sys.stdin.buffer) if name == "-" else documents(Path(name))


def show_deal(state: State, lang: str) -> None:
    """All hands, the stock, and the line by which others get the same deal."""
    stock = translator(lang)("Stock: {cards}").format(cards=" ".join(map(str, state.stock)))
    print(text(state, lang), *[stock] * bool(state.stock), _line(History(state), lang), sep="\n")


def _line(history: History, lang: str) -> str:
    return translator(lang)("Line to share: {line}").format(line=share_line(history))


def play(history: History, agent: str, lang: str) -> None:
    """A person in the first seat plays, agents in the others, until the match ends, or the input."""
    say, names, shown = translator(lang), history.names, 0
    print(say("You are {seat}. Type a number or a move, ? for the rules, q to stop.").format(seat=seat_name(0, names)))
    while True:
        state = history.state
        for after in history.states[shown:]:
            print(*(narrate(event.seen_by(0), lang, names) for event in after.events), sep="\n")
        shown = len(history.states)
        if state.to_act is None:
            break
        if state.to_act != 0 and state.phase is not Phase.DEAL_OVER:
            history.play(ask(AGENTS[agent], state, history.step))
            continue
        options = _options(state)
        listed = "   ".join(f"{place} {_label(state, option)}" for place, option in enumerate(options, 1))
        print("", text(state.seen_by(0), lang, names), listed, sep="\n")
        try:
            typed = input("> ").strip()
        except (EOFError, RuntimeError):  # the latter where there is no input at all
            typed = "q"
        if typed.lower() == "q":
            break
        if typed == "?":
            print(text(state.rules, lang))
            continue
        try:
            history.play(_move(state, typed, options))
        except IllegalActionError as refused:
            print(f"⊘ {narrate(refused.why, lang, names)}")
    print("", text(history.state.seen_by(0), lang, names), _line(history, lang), sep="\n")


def _options(state: State) -> Sequence[Card | Action]:
    """What has a number: the cards of the hand to bid with, or else every legal action."""
    return sorted_hand(state.hands[0]) if state.phase is Phase.BID else state.legal_actions()


def _label(state: State, option: Card | Action) -> str:
    if isinstance(option, Play) and (results := state.results(option.cards)):
        return number(f"{option} → {results[option.effect] if option.effect else next(iter(results.values()))}")
    return str(option)


def _move(state: State, typed: str, options: Sequence[Card | Action]) -> Action | str:
    """What was typed, with numbers turned into what they stand for."""
    numbers = typed.replace(",", " ").split()
    if not all(one.isdecimal() for one in numbers):
        return typed
    places = {str(place): option for place, option in enumerate(options, 1)}
    chosen = [places[one] for one in numbers if one in places]
    cards = tuple(card for card in chosen if isinstance(card, Card))
    if cards and len(cards) == len(numbers):
        return Bid(cards)
    if len(chosen) == len(numbers) == 1 and isinstance(chosen[0], Action):
        return chosen[0]
    raise IllegalActionError(typed, NotAMove(typed, MOVES))


def check(files: Sequence[str], as_json: bool, lang: str) -> bool:
    """Reads every record of the files, and tells of each whether it is good; `-` is the input. True if all are."""
    found = [report for name in files for report in _reports(name, lang)]
    if as_json:
        print("[", ",\n".join(json.dumps(report, ensure_ascii=False) for report in found), "]", sep="\n")
    else:
        print(*(_in_words(report, lang) for report in found), sep="\n")
    return all(report["good"] for report in found)


def _reports(name: str, lang: str) -> Iterator[dict[str, Any]]:
    try:
        for line, record in _records(name):
            yield {"file": plain(name), "line": line} | _report(line, record, lang)
    except RecordError as wrong:
        wrong.file = None
        yield {"file": plain(name), "line": wrong.line, "good": False, "why": wrong.tell(lang), "good_actions": 0}


def _report(line: int, record: bytes, lang: str) -> dict[str, Any]:
    try:
        history = read_at(line, record)
    except RecordError as wrong:
        return {"good": False, "why": wrong.tell(lang), "good_actions": len(wrong.good.actions) if wrong.good else 0}
    state = history.state
    return {
        "good": True,
        "game": state.rules.name,
        "players": state.players,
        "deals": state.deal_number,
        "actions": len(history.actions),
        "scores": state.scores,
        "winners": state.winners,
    }


def _in_words(report: dict[str, Any], lang: str) -> str:
    say = translator(lang)
    if not report["good"]:
        return say("{file}: ⊘ {why}").format(**report)
    good = say("{file}, line {line}: good. {game}, players: {players}, deals: {deals}, actions: {actions}.")
    return good.format(**report)
