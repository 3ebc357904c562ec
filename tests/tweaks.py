"""Rules that a learner might make: one to four changes to a preset, drawn by number so that each can be repeated."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any, NamedTuple

import ninety_nine_kit as kit
from ninety_nine_kit import batch
from ninety_nine_kit.rules import Chart, Effect, Milestone, Premium

#: What matters to nobody at the table.
NAMES = {"name", "title", "source"}
COUNTS = range(6)  # of bids made


class Tweak(NamedTuple):
    """Rules, how many play them, each seat's policy, and which fields are not as in the preset."""

    rules: Any
    players: int
    policies: list[str]
    changed: dict[str, Any]


def suit(random: Random) -> Any:
    return random.choice([None, *kit.Suit])


def premiums(random: Random) -> tuple[Premium, ...]:
    names = random.sample(["declare", "reveal", "boast"], random.randint(0, 3))
    return tuple(Premium(name, *random.choices(range(-60, 61), k=3), random.random() < 0.5) for name in names)


def no_bids_or_some(random: Random) -> dict[str, Any]:
    bid_cards = random.randint(0, 4)
    none = {"premiums": (), "trump_after": Chart(dict.fromkeys(COUNTS))}
    return {"bid_cards": bid_cards} | (none if bid_cards == 0 else {})


def other_number(random: Random) -> dict[str, Any]:
    """Other players than the texts' three, with what the rules must then say."""
    players = random.choice([(2,), (4,), (5,), (2, 3), (2, 3, 4)])
    said = {name: TRICK_CHANGES[name](random)[name] for name in ("success_bonus", "trump_after")}
    return {"players": players, "hand_size": random.randint(4, 9)} | said


def end_of_game(random: Random) -> dict[str, Any]:
    target, deals = random.choice([(random.randint(1, 80), None), (None, random.randint(1, 4)), (40, 3)])
    games, to_win = random.choice([(random.randint(1, 3), None), (None, random.randint(1, 3))])
    return {"target": target, "deals": deals, "games": games, "games_to_win": to_win}


def some_ranks(random: Random) -> dict[str, Any]:
    """Other packs, and other orders of rank."""
    ranks = random.choice([random.sample(list(kit.Rank), random.randint(6, 13)), [*[*kit.Rank][1:], kit.Rank.TWO]])
    return {"ranks": tuple(ranks), "hand_size": random.randint(4, 13)}


Changes = dict[str, Callable[[Random], dict[str, Any]]]
TRICK_CHANGES: Changes = {
    "players": other_number,
    "ranks": some_ranks,
    "hand_size": lambda random: {"hand_size": random.randint(1, 12)},
    "bid_cards": no_bids_or_some,
    "bid_values": lambda random: {"bid_values": Chart({suit: random.randint(-1, 4) for suit in kit.Suit})},
    "trick_points": lambda random: {"trick_points": random.randint(-2, 10)},
    "success_bonus": lambda random: {"success_bonus": Chart({made: random.randint(-10, 40) for made in COUNTS})},
    "trump_after": lambda random: {"trump_after": Chart({made: suit(random) for made in COUNTS})},
    "first_trump": lambda random: {"first_trump": suit(random)},
    "premiums": lambda random: {"premiums": premiums(random)},
    "end": end_of_game,
}


def effect(random: Random) -> Effect:
    """An effect with all that an effect can have, now and then."""
    numbers = {"add": random.randint(-15, 25)} if random.random() < 0.7 else {"set_to": random.randint(-10, 120)}
    extras = {
        "reverse": True,
        "skip": random.randint(1, 3),
        "exchange": True,
        "on_cross": random.randint(-3, 3),
        "instead": True,
        "levy": random.randint(-2, 2),
    }
    return Effect(**numbers, **{name: value for name, value in extras.items() if random.random() < 0.2})


def rows(random: Random) -> tuple[Effect, ...]:
    return tuple(effect(random) for _ in range(random.choice([1, 1, 2, 3])))


def card(random: Random) -> kit.Card:
    return kit.Card(random.choice(list(kit.Rank)), random.choice(list(kit.Suit)))


def some_effects(random: Random) -> dict[str, Any]:
    """Of ranks, and of single cards."""
    keys = [random.choice([card(random), random.choice(list(kit.Rank))]) for _ in range(random.randint(1, 5))]
    return {"effects": Chart({key: rows(random) for key in keys})}


def some_pairs(random: Random) -> dict[str, Any]:
    return {"pairs": Chart({rank: rows(random) for rank in random.sample(list(kit.Rank), random.randint(0, 6))})}


def some_borders(random: Random) -> dict[str, Any]:
    borders = [Milestone(random.randint(-5, 99), random.randint(-3, 3)) for _ in range(random.randint(0, 3))]
    return {"milestones": tuple(borders), "milestones_down": bool(borders) and random.random() < 0.5}


def an_end(random: Random) -> dict[str, Any]:
    """How the deal and the match end, with the fields that go with it."""
    over_limit = random.choice(["play on", "deal over", "allowed"])
    if over_limit == "allowed":
        points = {"objective": random.choice(["high", "low"]), "rounds": random.randint(1, 3), "lives": 1, "ante": 0}
        later = {"voluntary_bust": False, "next_leader": "dealer's left", "draw_after_end": random.random() < 0.5}
        return {"over_limit": over_limit, "floor": random.choice([None, "clamp"])} | points | later
    objective = random.choice(["last in", "first out"])
    ante = random.randint(0, 2) if objective == "last in" else 0
    leader = random.choice(["dealer's left", "loser"]) if over_limit == "deal over" else "dealer's left"
    lost = {"lives": random.randint(1, 3), "voluntary_bust": random.random() < 0.5, "draw_after_end": False}
    return {
        "over_limit": over_limit,
        "objective": objective,
        "ante": ante,
        "next_leader": leader,
        "rounds": None,
    } | lost


def by_number(random: Random) -> int | Chart[int, int]:
    return random.choice([random.randint(1, 3), Chart({players: random.randint(1, 3) for players in range(2, 9)})])


ADDING_CHANGES: Changes = {
    "players": lambda random: {"players": random.choice([(2,), (3,), (4,), (5,), (2, 3), (6,)]), "packs": 2},
    "packs": lambda random: {"packs": by_number(random)},
    "hand_size": lambda random: {"hand_size": random.randint(1, 6)},
    "effects": some_effects,
    "more effects": some_effects,
    "pairs": some_pairs,
    "start": lambda random: {"start": random.randint(-30, 60)},
    "direction": lambda random: {"direction": random.choice([1, -1])},
    "limit": lambda random: {"limit": random.randint(20, 150)},
    "end": an_end,
    "floor": lambda random: {"floor": random.choice([None, "clamp", "forbid"])},
    "lives": lambda random: {"lives": by_number(random)},
    "voluntary_bust": lambda random: {"voluntary_bust": True},
    "milestones": some_borders,
    "penalties": lambda random: {"penalties": {card(random): random.randint(-5, 5) for _ in range(3)}},
    "next_leader": lambda random: {"next_leader": "loser"},
    "draw_after_end": lambda random: {"draw_after_end": True},
    "ante": lambda random: {"ante": random.randint(1, 3)},
}


def tweaks(number: int) -> Iterator[Tweak]:
    """Tweaks without end, the same for the same number; rules refused when made are drawn again."""
    random = Random(number)
    while True:
        preset = random.choice(list(kit.PRESETS.values()))
        known = TRICK_CHANGES if isinstance(preset, kit.TrickRules) else ADDING_CHANGES
        changes: dict[str, Any] = {}
        for name in random.sample(list(known), random.randint(1, 4)):
            change = known[name](random)
            if "effects" in change:
                change["effects"] = changes.get("effects", preset.effects) | change["effects"]
            changes |= change
        try:
            rules = replace(preset, **changes)
            batch.check(rules, rules.players[0])
        except ValueError:
            continue
        changed = {name: value for name, value in vars_of(rules).items() if value != getattr(preset, name)}
        players = random.choice([number for number in rules.players if number < 7])
        names = list(batch.POLICIES)
        mixed = [random.choice(names) for _ in range(players)]
        yield Tweak(rules, players, random.choice([[random.choice(names)] * players, mixed]), changed)


def vars_of(rules: Any) -> dict[str, Any]:
    """The fields that matter in a deal."""
    return {field.name: getattr(rules, field.name) for field in fields(rules) if field.name not in NAMES}
