"""What every game promises at every moment: over each preset at each number of players, each reading, and tweaks.

Hypothesis draws the rules and a line of play; the same lines on every run (`derandomize`).
"""

import os
import pickle
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, islice, pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playing import CASE_IDS, CASES, cards_of, choose, random_match, story

import ninety_nine_kit as kit
from ninety_nine_kit.events import BidLaid, Drew, Event, GiftChosen, Given, Refusal
from ninety_nine_kit.game import Action
from ninety_nine_kit.rules import AddingRules, Chart, Effect, Milestone, Premium, Rules, TrickRules

OVER = (kit.Phase.DEAL_OVER, kit.Phase.MATCH_OVER)
Games = st.SearchStrategy[tuple[Rules, int]]

# ---- Rules to try: the presets, every reading, and tweaks that reach what no preset does

TRICK_TWEAKS: list[dict[str, Any]] = [
    {"bid_cards": 0, "premiums": ()},
    {"bid_cards": 1, "hand_size": 4},
    {"premiums": ()},
    {"premiums": kit.TRICKS_FR.premiums, "target": 20},
    {"first_trump": "S", "trump_after": Chart(dict.fromkeys(range(5), "H"))},
    {"target": 5},
    {"target": None, "deals": 2, "hand_size": 4},
    {"target": 10, "games": None, "games_to_win": 2, "hand_size": 5},
    {"ranks": tuple(kit.Rank), "hand_size": 13, "bid_cards": 2},
    {
        "players": (2, 3, 4),
        "hand_size": 9,
        "success_bonus": kit.TRICKS_FR.success_bonus | {4: 0},
        "trump_after": kit.TRICKS_FR.trump_after,
    },
]
EVERY_EFFECT = {
    "3": Effect(add=3, skip=1),
    "5": (Effect(add=5), Effect(set_to=50, reverse=True, skip=2)),
    "6": Effect(exchange=True),
    "7": (Effect(add=7, on_cross=2), Effect(add=7, on_cross=-1, instead=True), Effect(add=-7, levy=2)),
    "Q♠": Effect(add=60, levy=-1),
    "K♥": (Effect(set_to=99), Effect(set_to=99, exchange=True)),
}
EVERY_PAIR = Chart({"A": Effect(add=20), "7": (Effect(set_to=7), Effect(exchange=True)), "Q": Effect(levy=3)})
TWO_BORDERS = (Milestone(10, 1), Milestone(40, -2))
POINTS = {"over_limit": "allowed", "rounds": 2, "milestones": TWO_BORDERS, "lives": 1}
LIVES = {"rounds": None, "milestones": (), "penalties": {}, "lives": 2}
ADDING_TWEAKS: list[dict[str, Any]] = [
    {"effects": EVERY_EFFECT},
    {"effects": EVERY_EFFECT, "pairs": EVERY_PAIR},
    {"pairs": EVERY_PAIR, "hand_size": 6},
    {"hand_size": 1},
    {"hand_size": 10},
    {"limit": 30, "lives": 2},
    {"limit": 40},
    {"start": 90, "direction": -1},
    {"ante": 2},
    {"floor": "clamp", "start": -20},
    {"voluntary_bust": True},
    {"packs": 3, "hand_size": 10},
    {"next_leader": "loser"},
    {"milestones": TWO_BORDERS},
    {**POINTS, "objective": "high", "milestones_down": True},
    {**POINTS, "objective": "low", "penalties": {"A♠": 7, "5♦": -2}, "draw_after_end": True},
    {**LIVES, "over_limit": "play on", "objective": "last in", "limit": 60},
    {**LIVES, "over_limit": "play on", "objective": "first out", "floor": "forbid", "start": -15},
    {**LIVES, "over_limit": "deal over", "objective": "last in", "floor": "forbid", "start": 5},
]


def tweak(rules: Rules, *changes: dict[str, Any]) -> Rules:
    """The rules with some tweaks, or as they are where these do not go together; a refusal begins with their name."""
    fields = {name: value for change in changes for name, value in change.items()}
    if "effects" in fields and isinstance(rules, AddingRules):
        fields["effects"] = rules.effects | fields["effects"]
    try:
        return replace(rules, **fields)
    except ValueError as refusal:
        assert str(refusal).startswith(f"{rules.name}: ")
        return rules


def readings_of(preset: str) -> list[Rules]:
    read = [(reading, choice) for reading in kit.READINGS.values() for choice in reading.choices]
    return [reading.read(kit.PRESETS[preset], choice) for reading, choice in read if preset in reading.presets]


def with_players(rules: Rules) -> Games:
    return st.sampled_from(rules.players).map(lambda players: (rules, players))


def tweaked(preset: str) -> Games:
    rules = kit.PRESETS[preset]
    changes = st.sampled_from(TRICK_TWEAKS if isinstance(rules, TrickRules) else ADDING_TWEAKS)
    return st.lists(changes, min_size=1, max_size=2).map(lambda some: tweak(rules, *some)).flatmap(with_players)


GAMES: dict[str, Games] = dict(zip(CASE_IDS, map(st.just, CASES), strict=True))
GAMES |= {f"{name}-readings": st.sampled_from(readings_of(name)).flatmap(with_players) for name in kit.PRESETS}
GAMES |= {f"{name}-tweaks": tweaked(name) for name in kit.PRESETS}


class Line(NamedTuple):
    """Some states on end with the actions between them, and a generator for what else must be drawn."""

    states: list[kit.State]
    actions: list[Action]
    random: Random

    def __repr__(self) -> str:
        first = self.states[0]
        start = f"{first.rules}, {first.players} players, seed {first.seed}, deal {first.deal_number}"
        return f"{start}\n{kit.text(first)}\n{', '.join(map(str, self.actions))}"


@st.composite
def lines(draw: st.DrawFn, games: Games) -> Line:
    rules, players = draw(games)
    seed, skipped = draw(st.integers(0, 10**6)), draw(st.integers(0, 250))
    state, random = kit.deal(rules, players=players, seed=seed), Random(seed)
    for _, after in islice(random_match(state, random), skipped):
        if after.to_act is None:
            break
        state = after
    line = Line([state], [], random)
    for choice in draw(st.lists(st.integers(0, 999), min_size=1, max_size=12)):
        if legal := line.states[-1].legal_actions():
            line.actions.append(legal[choice % len(legal)])
            line.states.append(line.states[-1].apply(line.actions[-1]))
    return line


def every_game(test: Callable[[Line], None]) -> Callable[..., None]:
    """Runs a promise over lines of play from every game."""

    @pytest.mark.parametrize("game", GAMES)
    @settings(max_examples=8, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def promise(game: str, data: st.DataObject) -> None:
        test(data.draw(lines(GAMES[game])))

    promise.__doc__ = test.__doc__
    return promise


def viewers(state: kit.State) -> list[int | None]:
    return [None, *range(state.players)]


# ---- The promises


def test_every_tweak_makes_other_rules_of_some_preset() -> None:
    for kind, tweaks in ((TrickRules, TRICK_TWEAKS), (AddingRules, ADDING_TWEAKS)):
        presets = [rules for rules in kit.PRESETS.values() if isinstance(rules, kind)]
        for change in tweaks:
            assert any(tweak(rules, change) != rules for rules in presets), change


@every_game
def test_cards_are_conserved(line: Line) -> None:
    for state in line.states:
        assert cards_of(state) == Counter(state.rules.pack(state.players))


@every_game
def test_somebody_can_act_until_the_match_is_over(line: Line) -> None:
    for state in line.states:
        legal = state.legal_actions()
        assert bool(legal) == (state.to_act is not None) == (state.phase is not kit.Phase.MATCH_OVER)
        assert bool(state.winners) == (state.to_act is None)
        assert isinstance(legal, tuple)
        assert legal == state.legal_actions()


@every_game
def test_legal_actions_are_what_why_not_allows(line: Line) -> None:
    for state in line.states:
        legal = state.legal_actions()
        assert len(set(legal)) == len(legal)
        assert set(legal) == {action for action in candidates(state, line.random) if state.why_not(action) is None}


@every_game
def test_the_acting_seat_sees_its_legal_actions_and_nobody_else_any(line: Line) -> None:
    for state in line.states:
        legal = state.legal_actions()
        for seat in viewers(state):
            mine = seat is not None and seat == state.to_act
            view = state.seen_by(seat)
            assert view.legal_actions() == (legal if mine else ())
            assert all((view.why_not(action) is None) == mine for action in legal)


@every_game
def test_a_view_says_nothing_about_hidden_cards_seed_or_packs(line: Line) -> None:
    for state in line.states:
        for seat in viewers(state):
            assert other_world(state, seat, line.random).seen_by(seat) == state.seen_by(seat)


@every_game
def test_nobody_plays_on_from_a_view(line: Line) -> None:
    for state in line.states:
        for action in state.legal_actions()[:2]:
            with pytest.raises(kit.IllegalActionError):
                state.seen_by(state.to_act).apply(action)


@every_game
def test_apply_never_changes_its_input(line: Line) -> None:
    for state in line.states:
        before, number = deepcopy(state), hash(state)
        for action in line.random.sample(legal := state.legal_actions(), min(len(legal), 5)):
            assert state.apply(action) == state.apply(action)
        assert state == before
        assert hash(state) == hash(before) == number


@every_game
def test_an_illegal_action_is_refused_with_the_reason_that_why_not_gives(line: Line) -> None:
    for state in line.states:
        before, illegal = deepcopy(state), [a for a in candidates(state, line.random) if state.why_not(a)]
        for action in line.random.sample(illegal, 20):
            with pytest.raises(kit.IllegalActionError) as refused:
                state.apply(action)
            assert refused.value.action == action
            assert refused.value.why == state.why_not(action)
            assert state == before


@every_game
def test_every_event_and_every_refusal_is_told_in_plain_words(line: Line) -> None:
    for state in line.states:
        for seat in viewers(state):
            assert_told(state.seen_by(seat).events)
        assert_told(state.events)
        assert_told({state.why_not(action) for action in candidates(state, line.random)} - {None})


@every_game
def test_text_and_html_can_be_drawn(line: Line) -> None:
    for state in line.states[-3:]:
        for shown in (state, state.rules, *map(state.seen_by, viewers(state))):
            assert_plain(kit.text(shown))
            assert "".join(ElementTree.fromstring(f"<div>{kit.html(shown)}</div>").itertext()).strip()


@every_game
def test_history_goes_back_and_forward_to_equal_states(line: Line) -> None:
    history = kit.History(line.states[0])
    played = [history.state, *map(history.play, line.actions)]
    assert played == line.states == history.states
    assert [history.back() for _ in line.actions] == line.states[-2::-1]
    assert [history.forward() for _ in line.actions] == line.states[1:]
    assert [history.go(step) for step in range(len(line.states))] == line.states
    history.go(len(line.actions) // 2)
    if history.state.to_act is not None:
        after = history.play(choose(history.state, line.random))
        assert history.states == [*line.states[: len(line.actions) // 2 + 1], after]


@every_game
def test_states_and_rules_are_values(line: Line) -> None:
    for state in line.states:
        for copy in (pickle.loads(pickle.dumps(state)), deepcopy(state), replace(state)):
            assert copy == state
            assert hash(copy) == hash(state)
            assert hash(copy.rules) == hash(state.rules)
            assert copy.legal_actions() == state.legal_actions()
    for before, after in pairwise(line.states):
        assert before != after


@every_game
def test_the_notation_of_every_legal_action_is_read_back(line: Line) -> None:
    typed = str.maketrans("♣♦♥♠-", "cdhs−")
    for state in line.states:
        for action in line.random.sample(legal := state.legal_actions(), min(len(legal), 30)):
            assert kit.read_action(state, str(action)) == action
            assert kit.read_action(state, re.sub("10(?=[♣♦♥♠])", "t", str(action)).translate(typed)) == action


@every_game
def test_the_same_seed_is_the_same_match(line: Line) -> None:
    first = line.states[0]
    number, text = (kit.deal(first.rules, first.players, seed=seed) for seed in (99, "99"))
    assert replace(number, seed="99") == replace(text, seed="99")
    for action, after in islice(random_match(number, Random(1)), 40):
        text = text.apply(str(action))
        assert replace(after, seed="99") == replace(text, seed="99")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_same_seed_is_the_same_match_in_a_fresh_process(hash_seed: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import playing; print(playing.story())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert not told.stderr
    assert told.stdout.splitlines() == story().splitlines()


# ---- How they are looked at


def candidates(state: kit.State, random: Random) -> Iterator[Action]:
    """Actions of every shape, most of them not legal: all that are legal must be among them."""
    rules, hand = state.rules, () if state.to_act is None else state.hands[state.to_act]
    pack = list(dict.fromkeys(rules.pack(state.players)))
    some = list(dict.fromkeys([*hand, *random.sample(pack, 3), kit.BACK]))
    charts = (rules.effects, rules.pairs) if isinstance(rules, AddingRules) else ()
    rows = {row: None for chart in charts for choices in chart.values() for row in choices}
    effects = [None, Effect(add=13), *rows]
    yield kit.NextDeal()
    premiums = getattr(rules, "premiums", ()) + kit.TRICKS_FR.premiums
    yield from map(kit.Announce, [None, Premium("declare", made=1), *premiums])
    for card in [*pack, kit.BACK]:
        yield kit.Give(card)
        yield kit.Play((card,))
    for cards in [(card,) for card in some] + list(combinations_with_replacement(some, 2)):
        yield from (kit.Play(cards, effect) for effect in effects)
    yield from (kit.Play(cards) for cards in ((), tuple(some), tuple(hand)))
    bid_cards = getattr(rules, "bid_cards", 3)
    for size in {0, 1, 2, bid_cards}:
        yield from map(kit.Bid, combinations(hand, size))
        yield from map(kit.Bid, islice(combinations_with_replacement(some[::-1], size), 30))
    yield from map(kit.Bid, islice(combinations(hand, bid_cards + 1), 30))


def other_world(state: kit.State, seat: int | None, random: Random) -> kit.State:
    """The state as it might be for all that a seat may know: hidden cards changed places, other seed, other packs.

    Who may know what is told here once more, apart from the kit.
    """
    holder, premium = state.premium or (None, None) if isinstance(state, kit.TrickState) else (None, None)
    shown = holder if state.phase is kit.Phase.PLAY else None

    def is_hidden(place: str, owner: int) -> bool:
        if owner == seat:
            return False
        if place == "bids":
            return state.phase not in OVER and owner != shown
        if place == "hands":
            settled = getattr(state.rules, "penalties", ()) or getattr(state.rules, "over_limit", "") == "allowed"
            open_end = state.phase in OVER and bool(settled)
            return not open_end and not (owner == shown and premium is not None and premium.opens_hand)
        return True

    places = ("hands", "bids" if isinstance(state, kit.TrickState) else "given")
    owned = [(place, owner, cards) for place in places for owner, cards in enumerate(getattr(state, place))]
    hidden = [card for place, owner, cards in owned if is_hidden(place, owner) for card in cards] + list(state.stock)
    known = set(cards_of(state) - Counter(hidden)) | set(told_to(state.events, seat))
    random.shuffle(hidden)
    rest = iter(hidden)
    moved: dict[str, Any] = {place: [] for place in places}
    for place, owner, cards in owned:
        moved[place].append(tuple(islice(rest, len(cards))) if is_hidden(place, owner) else cards)
    moved = {place: tuple(hands) for place, hands in moved.items()}
    unknown = [card for card in dict.fromkeys(hidden) if card not in known]
    other_names = dict(zip(unknown, unknown[1:] + unknown[:1], strict=True))
    events = tuple(renamed(event, other_names) for event in state.events)
    packs = (tuple(random.sample(pack := state.rules.pack(state.players), len(pack))),)
    return replace(state, **moved, stock=tuple(rest), events=events, seed="another", packs=packs)


def told_to(events: Sequence[Event], seat: int | None) -> Iterator[kit.Card]:
    """The cards that the events name to a seat."""
    for event in events:
        secret = isinstance(event, BidLaid | Drew | GiftChosen | Given)
        if not secret or seat in (event.seat, getattr(event, "to", event.seat)):
            yield from getattr(event, "cards", ())
            yield from [event.card] if hasattr(event, "card") else []


def renamed(event: Event, names: dict[kit.Card, kit.Card]) -> Event:
    if not hasattr(event, "cards"):
        return event
    return replace(event, cards=tuple(names.get(card, card) for card in event.cards))


def assert_told(events: Sequence[Event] | set[Refusal | None]) -> None:
    for event in events:
        assert isinstance(event, Event)
        sentence = kit.narrate(event)
        assert sentence[0].isupper() or sentence[0] in "“1234567890JQKA?"
        assert sentence.endswith((".", "?"))
        assert_plain(sentence)


def assert_plain(text: str) -> None:
    """Words for people: no field left open or empty, nothing as Python writes it."""
    assert text.strip()
    assert not re.search(r"[{}<>']| \.|\w\(|\(\)|None|True|False|Suit|Rank\.", text), text
