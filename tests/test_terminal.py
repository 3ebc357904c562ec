"""The kit in a terminal, each command as a program of its own, in a pipe and without a locale."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playing import CASES
from seeing import PRESETS

import ninety_nine_kit as kit
from ninety_nine_kit.__main__ import EXAMPLES
from ninety_nine_kit.agents import ask
from ninety_nine_kit.events import OverLimit
from ninety_nine_kit.rules import Rules
from ninety_nine_kit.show import sorted_hand

pytestmark = pytest.mark.usefixtures("folder")

KIT = [sys.executable, "-m", "ninety_nine_kit"]
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
PLAIN |= {"LC_ALL": "C"} | {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
DEAL = ["adding-ru", "--seed", "99"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, typed: str | bytes = b"") -> tuple[int, str, str]:
    """The exit code, the output and the errors of a command; in no case an escape or a traceback."""
    given = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run([*KIT, *arguments], input=given, capture_output=True, env=PLAIN, check=False)
    out, errors = done.stdout.decode(), done.stderr.decode()
    assert "\x1b" not in out + errors
    assert "Traceback" not in errors
    return done.returncode, out, errors


def good(*arguments: str, typed: str | bytes = b"") -> str:
    code, out, errors = run(*arguments, typed=typed)
    assert (code, errors) == (0, ""), errors
    return out


def line_told(out: str) -> str:
    """The line to share that stands in an output."""
    (line,) = re.findall("^Line to share: (.+)$", out, re.MULTILINE)
    return str(line)


def answers(out: str) -> list[str]:
    """What was said to each thing typed, in its first line."""
    return [line.removeprefix("> ") for line in out.splitlines() if line.startswith("> ")]


def written(name: str, *games: kit.History) -> str:
    kit.save(games, name)
    return name


def game(rules: Rules = kit.ADDING_RU, seed: int = 99, actions: int = 8) -> kit.History:
    return kit.playout(kit.deal(rules, seed=seed), "simple", actions)


# ---- Every command


@pytest.mark.parametrize("command", [[], ["play"], ["replay"], ["check"], ["deal"]], ids=" ".join)
def test_help_is_told_and_holds_the_examples(command: list[str]) -> None:
    out = good(*command, "--help")
    assert out.startswith(f"usage: {' '.join(['python -m ninety_nine_kit', *command])}")
    assert (EXAMPLES in out) == (command == [])


def test_the_examples_of_the_help_run_one_after_the_other() -> None:
    examples = [line.strip() for line in EXAMPLES.splitlines()[1:]]
    assert {line.split()[3] for line in examples} == {"play", "replay", "check", "deal"}
    for example in examples:
        command = example.replace("python", shlex.quote(sys.executable), 1).replace("| less", "| cat")
        done = subprocess.run(command, shell=True, input=b"1\n", capture_output=True, env=PLAIN, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ("", 2, "the following arguments are required"),
        ("sing", 2, "invalid choice: 'sing'"),
        ("play", 2, "the following arguments are required: GAME"),
        ("play whist", 2, "invalid choice: 'whist'"),
        ("deal whist", 2, "invalid choice: 'whist'"),
        ("play adding-ru --lang xx", 2, "argument --lang: invalid choice: 'xx'"),
        ("check x.json --lang xx", 2, "argument --lang: invalid choice: 'xx'"),
        ("play adding-ru --agents genius", 2, "argument --agents: invalid choice: 'genius'"),
        ("deal adding-ru --players many", 2, "argument --players: invalid int value: 'many'"),
        ("deal adding-ru x\x1b[2J", 2, "unrecognized arguments: x�[2J"),
        ("deal adding-ru --seed \x1b[2J", 1, "a seed has no characters that cannot be seen: '\\x1b[2J'"),
        (f"deal adding-ru --seed {'x' * 300}", 1, "seed has a length of 300; it can be 0 to 100."),
        ("check", 2, "the following arguments are required: FILE"),
        ("play adding-ru --players 9", 1, "adding-ru: is not for 9 players; allowed: 2, 3, 4, 5"),
        ("deal adding-ru --players 0", 1, "adding-ru: is not for 0 players; allowed: 2, 3, 4, 5"),
        ("deal adding-ru --dealer 3", 1, "adding-ru: dealer is 3, but the seats are 0 to 2"),
        ("replay nothing.json", 1, "nothing.json: There is no such file or folder."),
        ("replay .", 1, ".: It is a folder."),
        ("play adding-ru --save nowhere/x.json", 1, "nowhere/x.json: There is no such file or folder."),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(arguments: str, code: int, told: str) -> None:
    found, out, errors = run(*arguments.split())
    assert (found, out) == (code, "")
    assert told in errors.splitlines()[-1]
    assert code == 2 or len(errors.splitlines()) == 1
    assert os.listdir() == []


# ---- Play


@PRESETS
def test_a_whole_match_is_played_by_numbers_told_as_everywhere_and_saved(rules: Rules) -> None:
    """Always the first thing that can be done, and the first cards of the hand for a bid."""
    history, typed = kit.History(kit.deal(rules, seed=99), ["Ann", "Бен"]), []
    while (state := history.state).to_act is not None:
        if state.to_act != 0 and state.phase is not kit.Phase.DEAL_OVER:
            history.play(ask(kit.AGENTS["simple"], state, history.step))
        elif state.phase is kit.Phase.BID:
            bid = sorted_hand(state.hands[0])[: rules.bid_cards]  # type: ignore[union-attr]
            history.play(kit.Bid(tuple(bid)))
            typed.append(" ".join(map(str, range(1, len(bid) + 1))))
        else:
            history.play(state.legal_actions()[0])
            typed.append("1")
    out = good("play", rules.name, "--seed", "99", "--names", "Ann, Бен", "--save", "game.json", typed="\n".join(typed))
    told = [kit.narrate(event.seen_by(0), names=history.names) for state in history.states for event in state.events]
    lines = iter(line.removeprefix("> ") for line in out.splitlines())
    assert all(event in lines for event in told)
    assert out.count("\n> ") == len(typed)
    assert kit.text(history.state.seen_by(0), names=history.names) in out
    saved = kit.load("game.json")
    assert (saved.states, saved.actions, saved.names) == (history.states, history.actions, ("Ann", "Бен"))
    assert kit.read_record(line_told(out)).states == history.states

    checked = f"game.json, line 1: good. {rules.name}, players: 3, deals: {history.state.deal_number}, "
    assert good("check", "game.json") == f"{checked}actions: {len(history.actions)}.\n"
    told = [kit.narrate(event, names=history.names) for state in history.states for event in state.events]
    lines = iter(good("replay", "game.json").splitlines())
    assert all(any(line[25:] == event for line in lines) for event in told)


def test_a_number_of_5000_digits_is_no_move() -> None:
    assert "is not a move" in good("play", *DEAL, typed="9" * 5000 + "\n")
    assert f"deal number {'9' * 20}" not in good("deal", "adding-ru", "--seed", "9" * 90)


def test_without_an_input_it_ends_and_where_nothing_can_be_written_it_says_so() -> None:
    for command, code in (("play adding-ru --seed 99 <&-", 0), ("deal adding-ru --seed 99 > /dev/full", 1)):
        line = f"{shlex.join(KIT)} {command}"
        done = subprocess.run(line, shell=True, capture_output=True, env=PLAIN, check=False)
        assert (done.returncode, b"Traceback" in done.stderr, bool(done.stderr)) == (code, False, bool(code))


def test_a_number_a_card_and_a_bid_in_words_do_the_same() -> None:
    moves = ("1", "8♣", "8c", " 8C ")
    outs = [good("play", *DEAL, typed=f"{move}\nq\n") for move in moves]
    assert {line_told(out) for out in outs} == {line_told(outs[0])}
    assert [str(action) for action in kit.read_record(line_told(outs[0])).actions][:1] == ["8♣"]
    bids = ("1 2 3", "1,2,3", "bid 7♣ 9♣ 10♣", "bid 7c 9c tc", "3, 2  1")
    games = [good("play", "tricks-ru", "--seed", "99", "--dealer", "2", typed=f"{bid}\n") for bid in bids]
    assert {str(kit.read_record(line_told(out)).states[-1].bids[0]) for out in games[:4]} == {
        str(kit.cards("7♣ 9♣ 10♣"))
    }  # type: ignore[attr-defined]
    assert kit.read_record(line_told(games[4])).actions[0] == kit.Bid(kit.cards("10♣ 9♣ 7♣"))


def test_an_effect_is_chosen_by_its_number_and_each_stands_with_the_total_that_it_makes() -> None:
    seed = next(
        n for n in range(99) if any(card.rank == "A" for card in kit.deal(kit.ADDING_RU, seed=n, dealer=2).hands[0])
    )
    start = ["play", "adding-ru", "--seed", str(seed), "--dealer", "2"]
    shown = re.findall(r"(\d) (A. \+\d+) → (\d+)", good(*start))
    assert [total for _, _, total in shown] == ["1", "11"]
    for number, action, total in shown:
        out = good(*start, typed=number)
        assert str(kit.read_record(line_told(out)).actions[0]) == action
        assert f"0 → {total}." in answers(out)[0]


WRONG = [
    "99",
    "0",
    "4",
    "1 2",
    "-1",
    "1.5",
    "",
    "hello",
    "K♠",
    "next deal",
    "bid 8♣",
    "²",
    "1١",
    "\x1b[2J",
    "8♣ \x1b[m",
    "hello \x1b",
]
WRONG_BIDS = ["1 2", "1 2 3 4", "1 1 2", "1 2 13", "7♣", "bid 7♣ 9♣", "bid 7♣ 9♣ A♣"]


@pytest.mark.parametrize(
    ("game", "wrong", "right", "done"),
    [
        ("adding-ru", WRONG, "1", "A lays 8♣: 0 → 8."),
        ("tricks-ru", WRONG_BIDS, "1 2 3", "A lays 7♣ 9♣ 10♣ aside, face down."),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence_and_loses_nothing(
    game: str, wrong: list[str], right: str, done: str
) -> None:
    out = good("play", game, "--seed", "99", "--dealer", "2", typed="\n".join([*wrong, right]))
    *refused, told, _ = answers(out)
    assert told == done
    assert len(refused) == len(wrong)
    assert all(re.fullmatch(r"⊘ .+\.", sentence) for sentence in refused)


def test_a_card_that_passes_the_limit_is_refused_with_the_reason_of_the_rules() -> None:
    seed, typed, why = next(found for seed in range(99) if (found := over_the_limit(seed)))
    out = good("play", "adding-ru", "--seed", str(seed), typed="\n".join(typed))
    assert answers(out)[-2] == f"⊘ {why}"


def over_the_limit(seed: int) -> tuple[int, list[str], str] | None:
    """What to type in a deal until a card is refused, and why it is."""
    history, typed = kit.History(kit.deal(kit.ADDING_RU, seed=seed)), []
    while (state := history.state).to_act is not None:
        if state.to_act != 0:
            history.play(ask(kit.AGENTS["simple"], state, history.step))
            continue
        for card in state.hands[0]:
            why = state.why_not(str(card))
            if isinstance(why, OverLimit) and state.legal_actions():
                return seed, [*typed, str(card)], kit.narrate(why)
        history.play(state.legal_actions()[0])
        typed.append("1")
    return None


@pytest.mark.parametrize(
    ("typed", "actions"), [("", 0), ("q", 0), ("Q\n1\n", 0), ("1\n", 3), ("1\nq\n1\n", 3), (b"\xff\n1", 3)]
)
def test_the_end_of_the_input_or_a_q_ends_it_with_the_game_so_far(typed: str | bytes, actions: int) -> None:
    out = good("play", *DEAL, "--save", "game.json", typed=typed)
    assert len(kit.load("game.json").actions) == actions
    assert kit.read_record(line_told(out)).states == kit.load("game.json").states


def test_a_question_mark_shows_the_rules() -> None:
    assert kit.text(kit.ADDING_RU) in good("play", *DEAL, typed="?\n")


def test_no_hidden_card_is_shown_or_told() -> None:
    out = good("play", *DEAL)
    hidden = [card for hand in kit.deal(kit.ADDING_RU, seed=99).hands[1:] for card in hand]
    assert not [card for card in hidden if str(card) in out]


@pytest.mark.parametrize("agents", kit.AGENTS)
def test_each_kind_of_agent_plays_as_its_name_says(agents: str) -> None:
    history = kit.read_record(line_told(good("play", *DEAL, "--agents", agents, typed="1\n" * 4)))
    for step, (state, action) in enumerate(zip(history.states, history.actions, strict=False)):
        if state.to_act != 0:
            assert action == ask(kit.AGENTS[agents], state, step)


def test_names_that_command_a_terminal_are_shown_without_and_are_not_saved() -> None:
    names = "\x1b[2JEve,Mal\u202elory,\u200bNul"
    out = good("play", *DEAL, "--names", names, typed="1\n")
    assert "�[2JEve lays 8♣" in out
    assert "Mal�lory" in out
    assert "\u202e" not in out
    code, out, errors = run("play", *DEAL, "--names", names, "--save", "game.json")
    assert (code, out) == (1, "")
    assert "has characters that cannot be seen: U+001B" in errors
    assert os.listdir() == []


def test_a_file_that_is_there_is_not_written_over_and_nothing_is_played_in_vain() -> None:
    Path("game.json").write_text("mine")
    code, out, errors = run("play", *DEAL, "--save", "game.json", typed="1\n")
    assert (code, out) == (1, "")
    assert errors == "game.json: It is there already. Take another name, or allow to overwrite it.\n"
    assert (Path("game.json").read_text(), os.listdir()) == ("mine", ["game.json"])


def test_an_interrupt_ends_it_without_a_traceback_and_saves_the_game_so_far() -> None:
    playing = [*KIT, "play", *DEAL, "--save", "game.json"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(playing, env=PLAIN, **pipes) as program:
        assert program.stdin
        assert program.stdout
        assert program.stderr
        program.stdin.write(b"1\n")
        program.stdin.flush()
        shown = b""
        while shown.count(b"\n> ") < 2:
            shown += program.stdout.read1()  # type: ignore[attr-defined]
        while program.poll() is None:  # one that comes just before it waits for input is not heard until there is some
            program.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                program.wait(0.5)
        assert (program.returncode, program.stderr.read()) == (1, b"")
    assert len(kit.load("game.json").actions) == 3


# ---- Replay


def test_a_file_of_several_games_is_told_game_by_game() -> None:
    games = [game(), game(kit.TRICKS_FR, 7, 20), game(kit.PARANOIA_RU, 5, 30)]
    out = good("replay", written("games.jsonl", *games))
    parts = [good("replay", written(f"{number}.json", one)) for number, one in enumerate(games)]
    assert out == "".join(parts)
    assert all(kit.text(one.state) in part for one, part in zip(games, parts, strict=True))


def test_all_hands_and_each_action_with_who_did_it_are_told() -> None:
    history = game()
    out = good("replay", written("game.json", history))
    assert all(
        f"{seat}: {' '.join(map(str, hand))}" in out for seat, hand in zip("ABC", history.states[0].hands, strict=True)
    )
    steps = [line.split()[:3] for line in out.splitlines() if re.match(r" *\d+ [ABC]  ", line)]
    acted = enumerate(zip(history.states, history.actions, strict=False), 1)
    assert steps == [[str(step), "ABC"[state.to_act or 0], str(action).split()[0]] for step, (state, action) in acted]


def test_a_line_to_share_in_a_file_is_told_too() -> None:
    Path("line.txt").write_text(kit.share_line(game()))
    assert good("replay", "line.txt") == good("replay", written("game.json", game()))


def test_good_games_are_told_before_a_bad_one_is() -> None:
    first = good("replay", written("games.jsonl", game()))
    with open("games.jsonl", "a", encoding="utf-8") as file:
        file.write('{"x": 1}\n')
    assert run("replay", "games.jsonl") == (1, first, "games.jsonl: Line 2: format is missing.\n")


@pytest.mark.parametrize("command", ["replay", "check", "check --json"])
def test_a_reader_that_has_read_enough_ends_it_without_a_traceback(command: str) -> None:
    name = written("g" * 100, *[game(actions=0)] * 600)
    line = f"{shlex.join(KIT)} {command} {name} | head -n 1"
    done = subprocess.run(line, shell=True, capture_output=True, env=PLAIN, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


# ---- Check


def bad_files() -> dict[str, bytes]:
    record = kit.write_record(game()).encode()
    return {
        "cut": record[:200],
        "changed": record.replace(b'"seed": 99', b'"seed": 98'),
        "illegal": record.replace('"8♣"'.encode(), '"5♣"'.encode(), 1),
        "empty": b"",
        "not UTF-8": b"\xff\xfe\n",
        "escape": b'{"\x1b[2J": "\xe2\x80\xae"}',
        "line cut": kit.share_line(game()).encode()[:-2],
    }


@pytest.mark.parametrize("which", bad_files())
def test_a_bad_record_is_told_with_its_reason_and_ends_in_code_1(which: str) -> None:
    Path("bad.json").write_bytes(bad_files()[which])
    with pytest.raises(kit.RecordError) as wrong:
        kit.load("bad.json")
    code, out, errors = run("check", "bad.json")
    assert (code, errors, len(out.splitlines())) == (1, "", 1)
    assert out == f"bad.json: ⊘ {str(wrong.value).removeprefix('bad.json: ')}\n"
    code, out, errors = run("replay", "bad.json")
    assert (code, out, errors) == (1, "", f"{wrong.value}\n")


def test_several_files_are_all_looked_at_and_one_that_is_bad_makes_code_1() -> None:
    written("good.json", game())
    written("other.json", game(kit.TRICKS_FR, 7, 20))
    Path("bad.json").write_text("[")
    assert run("check", "good.json", "other.json")[0] == 0
    code, out, errors = run("check", "good.json", "bad.json", "missing.json", ".", "other.json")
    assert (code, errors) == (1, "")
    found = out.splitlines()
    assert found[0] == f"good.json, line 1: good. adding-ru, players: 3, deals: 1, actions: {len(game().actions)}."
    assert found[1].startswith("bad.json: ⊘ ")
    assert found[2:4] == ["missing.json: ⊘ There is no such file or folder.", ".: ⊘ It is a folder."]
    assert found[4].startswith("other.json, line 1: good. tricks-fr")


def test_one_bad_line_among_good_ones_is_told_with_its_number() -> None:
    records = [kit.write_record(game(seed=seed)) for seed in range(3)]
    Path("games.jsonl").write_text("".join([*records[:2], '{"x": 1}\n', "\n", records[2]]), encoding="utf-8")
    code, out, _ = run("check", "games.jsonl")
    assert code == 1
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "games.jsonl, line 1",
        "games.jsonl, line 2",
        "games.jsonl",
        "games.jsonl, line 5",
    ]
    assert "⊘ Line 3: format is missing." in out


def test_what_was_found_as_json_says_the_same() -> None:
    history = game(kit.TRICKS_FR, 7, 60)
    written("good.json", history)
    illegal = kit.write_record(game(actions=8)).replace("8♣", "5♣", 2)
    Path("bad.json").write_text(illegal, encoding="utf-8")
    code, out, errors = run("check", "good.json", "bad.json", "missing.json", "--json")
    assert (code, errors) == (1, "")
    whole, bad, missing = json.loads(out)
    assert whole == {
        "file": "good.json",
        "line": 1,
        "good": True,
        "game": "tricks-fr",
        "players": 3,
        "deals": history.state.deal_number,
        "actions": len(history.actions),
        "scores": [*history.state.scores],
        "winners": [*history.state.winners],
    }
    assert [(report["file"], report["good"], report["good_actions"]) for report in (bad, missing)] == [
        ("bad.json", False, 0),
        ("missing.json", False, 0),
    ]
    assert missing["why"] == "There is no such file or folder."
    assert json.loads(good("check", "good.json", "--json")) == [whole]


def test_how_far_a_game_was_good_is_told() -> None:
    history = game()
    record = json.loads(kit.write_record(history))
    record["deals"][0]["actions"][5] = "2♣"
    Path("bad.json").write_text(json.dumps(record), encoding="utf-8")
    code, out, _ = run("check", "bad.json", "--json")
    (report,) = json.loads(out)
    assert (code, report["good_actions"]) == (1, 5)
    assert "It is good up to step 5." in report["why"]


def test_a_hyphen_is_the_input() -> None:
    text = kit.write_record(game())
    told = f"-, line 1: good. adding-ru, players: 3, deals: 1, actions: {len(game().actions)}.\n"
    assert good("check", "-", typed=text) == told
    assert good("check", "-", typed=kit.share_line(game())) == told
    code, out, _ = run("check", "-", typed=text * 2 + "{}")
    assert (code, out.splitlines()[:2]) == (1, [told.strip(), told.strip().replace("line 1", "line 2")])
    assert run("check", "-")[:2] == (1, "-: ⊘ Line 1: There is nothing in it.\n")


def test_the_name_of_a_file_commands_no_terminal() -> None:
    name = "\x1b[2J\u202e.json"
    assert run("check", name) == (1, "��.json: ⊘ There is no such file or folder.\n".replace("��", "�[2J�"), "")
    assert run("replay", name)[0] == 1
    written(name, game())
    assert good("check", name).startswith("�[2J�.json, line 1: good.")
    assert json.loads(good("check", "--json", name))[0]["file"] == "�[2J�.json"


# ---- Deal


SMALLEST_AND_LARGEST = [
    (rules, players) for rules, players in CASES if players in (rules.players[0], rules.players[-1])
]


@pytest.mark.parametrize(("rules", "players"), SMALLEST_AND_LARGEST, ids=str)
def test_a_deal_is_that_of_the_kit_for_the_smallest_and_the_largest_number_of_players(
    rules: Rules, players: int
) -> None:
    out = good("deal", rules.name, "--seed", "99", "--players", str(players))
    state = kit.deal(rules, players, seed=99)
    assert out.startswith(kit.text(state))
    assert ("Stock: " + " ".join(map(str, state.stock)) in out) == bool(state.stock)
    assert kit.read_record(line_told(out)).states == [state]


def test_dealer_and_a_seed_in_words_are_taken_and_without_a_seed_one_is_drawn() -> None:
    out = good("deal", "adding-ru", "--seed", "my class, “A”", "--dealer", "0")
    assert kit.read_record(line_told(out)).states == [kit.deal(kit.ADDING_RU, seed="my class, “A”", dealer=0)]
    drawn = [kit.read_record(line_told(good("deal", "adding-ru"))).states[0].seed for _ in range(2)]
    assert all(isinstance(seed, int) for seed in drawn)


def test_a_shared_deal_is_played_by_another_person() -> None:
    Path("line.txt").write_text(line_told(good("deal", *DEAL)))
    assert "good. adding-ru, players: 3, deals: 1, actions: 0." in good("check", "line.txt")
    assert kit.read_record(line_told(good("play", *DEAL))).states == kit.load("line.txt").states


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}])
def test_output_is_utf_8_whatever_the_locale(locale: dict[str, str]) -> None:
    for command, typed in (["deal", *DEAL], b""), (["play", *DEAL], "8♣\nхм\n".encode()):
        done = subprocess.run([*KIT, *command], input=typed, capture_output=True, env=PLAIN | locale, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "8♣ 2♥ Q♥" in done.stdout.decode()
    assert "A lays 8♣: 0 → 8." in done.stdout.decode()
    assert "“хм” is not a card" in done.stdout.decode()
