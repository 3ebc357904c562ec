"""The games called Ninety-nine in a terminal: play, replay, check and deal."""

import argparse
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import NoReturn

from ninety_nine_kit import terminal
from ninety_nine_kit.agents import AGENTS
from ninety_nine_kit.card import Mistake, plain
from ninety_nine_kit.dealing import deal
from ninety_nine_kit.game import History, State
from ninety_nine_kit.narration import languages
from ninety_nine_kit.presets import PRESETS
from ninety_nine_kit.record import save

EXAMPLES = """examples:
  python -m ninety_nine_kit play adding-ru --seed 99
  python -m ninety_nine_kit play tricks-fr --names Ann,Ben,Cem --save my-game.json
  python -m ninety_nine_kit replay my-game.json | less
  python -m ninety_nine_kit check *.json --json
  python -m ninety_nine_kit deal paranoia-ru --seed 99 --players 4
"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        super().error(plain(message))


def parser() -> argparse.ArgumentParser:
    said = argparse.RawDescriptionHelpFormatter
    main = Parser("python -m ninety_nine_kit", description=__doc__, epilog=EXAMPLES, formatter_class=said)
    language = Parser(add_help=False)
    language.add_argument("--lang", choices=languages(), default="en", help="language (en)")
    start = Parser(add_help=False)
    start.add_argument("game", choices=PRESETS, metavar="GAME", help=", ".join(PRESETS))
    start.add_argument("--players", type=int, default=3, help="how many players (3)")
    start.add_argument("--seed", help="deal number: the same one deals the same cards; any if it is left out")
    start.add_argument("--dealer", type=int, help="seat of the dealer, from 0; by lot if it is left out")
    commands = main.add_subparsers(dest="command", required=True, metavar="play | replay | check | deal")
    play = commands.add_parser("play", parents=[start, language], help="play a game against the computer")
    play.add_argument("--agents", choices=AGENTS, default="simple", help="how the computer plays (simple)")
    play.add_argument("--names", default="", help="names of the players, divided by commas; yours first")
    play.add_argument("--save", metavar="FILE", help="writes the game there when it ends; FILE must be new")
    replay = commands.add_parser("replay", parents=[language], help="tell recorded games move by move")
    replay.add_argument("file", metavar="FILE", help="one record, or one in each line; - is the input")
    check = commands.add_parser("check", parents=[language], help="say whether records are good (exit code 1 if not)")
    check.add_argument("files", metavar="FILE", nargs="+", help="one record, or one in each line; - is the input")
    check.add_argument("--json", action="store_true", help="writes what was found as JSON")
    commands.add_parser("deal", parents=[start, language], help="show a deal: all hands and the stock")
    return main


def run(given: argparse.Namespace) -> int:
    match given.command:
        case "play":
            names = [name.strip() for name in given.names.split(",")] if given.names else []
            history = History(_deal(given), names)
            if given.save:
                save(history, given.save)  # now, so that nothing is lost if it cannot be written there
            try:
                terminal.play(history, given.agents, given.lang)
            finally:
                if given.save:
                    save(history, given.save, overwrite=True)
        case "replay":
            terminal.replay(given.file, given.lang)
        case "check":
            return 0 if terminal.check(given.files, given.json, given.lang) else 1
        case "deal":
            terminal.show_deal(_deal(given), given.lang)
    return 0


def _deal(given: argparse.Namespace) -> State:
    return deal(PRESETS[given.game], given.players, given.seed, given.dealer)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code: 0, 1 where something was refused, 2 for a command that cannot be understood."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        code = run(parser().parse_args(arguments))
        sys.stdout.flush()
        return code
    except Mistake as wrong:
        print(wrong, file=sys.stderr)
    except KeyboardInterrupt:
        print()
    except BrokenPipeError:  # whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as wrong:
        print(plain(str(wrong)), file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


if __name__ == "__main__":
    sys.exit(main())
