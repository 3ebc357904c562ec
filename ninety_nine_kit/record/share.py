"""A game in one line to paste into a chat: `nn1.tricks-ru.3.99.1.b6C7D8H-….1f2e3d4c`.

After the mark of the form stand preset, players, seed and dealer, the actions, and a check sum by which a line that was
cut or changed is known. Where there is more to tell of the start (changed rules, a seed in words, given packs, a
position), all of it stands as coded JSON in place of those four. Letters, digits and `.` `-` `_` only.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from zlib import crc32

from ninety_nine_kit.card import cards
from ninety_nine_kit.events import N_
from ninety_nine_kit.game import Action, Announce, Bid, Cards, Give, History, Play
from ninety_nine_kit.record.document import check_number, read_document, write_start
from ninety_nine_kit.record.reading import RecordError, check_size, conform, quoted, read_json, schema
from ninety_nine_kit.record.rules_data import read_rules
from ninety_nine_kit.rules import AddingRules, Rules, TrickRules

_HEAD = ["rules", "players", "seed", "dealer"]
_LETTERS = str.maketrans("♣♦♥♠", "CDHS")
_ACTION = re.compile(r"(?P<kind>[bgp]?)(?P<cards>(?:[2-9TJQKA][CDHS]){0,26})(?P<choice>\d{0,2})")


def share_line(history: History) -> str:
    """The game up to its last action in one line of text that is safe in addresses and chats; names are not told.

    >>> from ninety_nine_kit.dealing import deal
    >>> from ninety_nine_kit.presets import TRICKS_RU
    >>> history = History(deal(TRICKS_RU, seed=99, dealer=2))
    >>> history.play("bid 7♣ 9♣ 10♣").to_act
    1
    >>> share_line(history)
    'nn1.tricks-ru.3.99.2.b7C9CTC.62aadeec'
    """
    start = history.states[0]
    data = write_start(start)
    _check_head(data)
    head = [data["rules"].get("preset"), data["players"], data["seed"], data["dealer"]]
    if [*data] != _HEAD or [*data["rules"]] != ["preset"] or isinstance(data["seed"], str):
        coded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        head = [urlsafe_b64encode(coded).decode().rstrip("=")]
    actions = "-".join(_code(action, start.rules) for action in history.actions)
    body = ".".join(map(str, ["nn1", *head, actions]))
    check_size(body)
    check_number(len(history.actions))
    return f"{body}.{crc32(body.encode()):08x}"


def _code(action: Action, rules: Rules) -> str:
    match action:
        case Bid(laid):
            return "b" + _code_cards(laid)
        case Give(card):
            return "g" + _code_cards((card,))
        case Announce(premium) if isinstance(rules, TrickRules):
            return f"p{rules.premiums.index(premium) + 1}" if premium else "p"
        case Play(laid, effect) if isinstance(rules, AddingRules):
            return _code_cards(laid) + (str(rules.rows(laid).index(effect) + 1) if effect else "")
        case Play(laid):
            return _code_cards(laid)
    return "n"


def _code_cards(laid: Cards) -> str:
    return "".join(map(str, laid)).replace("10", "T").translate(_LETTERS)


def is_share_line(text: str) -> bool:
    return bool(re.match(r"\s*nn\d+\.", text))


def read_share_line(text: str, keep_good_part: bool = False) -> History:
    """The game that a line tells, played again; RecordError says what is wrong with it."""
    check_size(text)
    line = "".join(text.split())
    if not line.startswith("nn1."):
        raise RecordError(N_("This line to share has a form that this kit does not know. A newer kit may read it."))
    body, _, check = line.rpartition(".")
    head, _, actions = body.removeprefix("nn1.").rpartition(".")
    if check != f"{crc32(body.encode('utf-8', 'replace')):08x}":
        raise RecordError(N_("This line was cut or changed on its way: copy it again, from nn1 to its end."))
    check_number(actions.count("-") + 1)
    data = _read_head(head.split("."))
    rules = read_rules(data["rules"])
    deals: list[list[str]] = [[]]
    for code in actions.split("-") if actions else []:
        if code == "n":
            deals.append([])
        else:
            deals[-1].append(_decode(code, rules))
    return read_document(data | {"deals": [{"actions": deal} for deal in deals]}, keep_good_part)


def _read_head(head: list[str]) -> dict[str, Any]:
    if len(head) == 1:
        try:
            data = read_json(urlsafe_b64decode(head[0] + "=" * (-len(head[0]) % 4)).decode())
        except ValueError:
            raise _not_a_line(head[0]) from None
    elif len(head) == 4 and all(re.fullmatch(r"-?[0-9]{1,15}", number) for number in head[1:]):
        players, seed, dealer = map(int, head[1:])
        data = {"rules": {"preset": head[0]}, "players": players, "seed": seed, "dealer": dealer}
    else:
        raise _not_a_line(".".join(head))
    _check_head(data)
    return data  # type: ignore[no-any-return]


def _check_head(data: Any) -> None:
    known = schema()["properties"]
    rule = {"type": "object", "required": _HEAD, "additionalProperties": False}
    conform(data, rule | {"properties": {name: known[name] for name in (*_HEAD, "packs", "position")}}, "")


def _decode(code: str, rules: Rules) -> str:
    """An action in the kit's notation, from its code."""
    found = _ACTION.fullmatch(code)
    if not found:
        raise _not_a_line(code)
    laid, number = cards(" ".join(re.findall("..", found["cards"]))), int(found["choice"] or 0)
    match found["kind"], len(laid):
        case "b", _:
            return str(Bid(laid))
        case "g", 1:
            return str(Give(laid[0]))
        case "p", 0 if number <= len(choices := (None, *getattr(rules, "premiums", ()))) - 1:
            return str(Announce(choices[number]))
        case "", _ if number == 0:
            return str(Play(laid))
        case "", _ if isinstance(rules, AddingRules) and number <= len(rows := rules.rows(laid)):
            return str(Play(laid, rows[number - 1]))
    raise _not_a_line(code)


def _not_a_line(part: str) -> RecordError:
    return RecordError(N_("{part} is not what stands in a line to share."), part=quoted(part))
