"""Records written by hand from the rules and not by the kit: they are read, and what happens is what their story says.

The stories, with the sums and the numbers of the worked examples, stand in records_by_hand/README.md; the tables here
repeat them. Seats are A, B, C … for 0, 1, 2 ….
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import ninety_nine_kit as kit

FOLDER = Path(__file__).with_name("records_by_hand")
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
SEATS = "ABCDEFGH"

#: Adding: the lays of each deal, each with its seat, the direction after it (> clockwise) and the total after it.
LAYS = {
    "adding-ru-last-one-in": ["B>99 C>99 A<99 B<0 A<11 B<1 A<11 B<99 A<99"],
    "adding-ru-every-turn": [
        "A>5 B<5 A<-5 D<0 C<11 B<99 A<89 D<90 C<98 B<99 A>99 B>0 C>10 D>20 A>23 B>33 C>35 D>41 A>48"
    ],
    "adding-es-the-loser": [
        "A>99 B>99 C>99",
        "B>-10 C<-10 B<99 A<99",
        "C>8 A>99 B>89 C>98 A>99 B<99 A<99 C<99",
        "A>99 B>89 C>98 A<98 C<98",
    ],
    "adding-es-two-packs": ["A>9 B>18 C>22 D>12 E>13 A<13 E<13 D<99 C<89 B<98 A<99 E>99 A>99 B>99 C>89 D>97 E>99"],
    "adding-pl-two-packs": [
        "B>11 C>11 D>99 A>89 B<89 A<90 D<90 C<98 B<99 A<99",
        "C>8 D>99 A>89 B>79 C>81 D>88 A>99 B<99 A<99 D<99",
    ],
    "adding-pl-last-chip": ["A>71 B>81 C>99 A>99"],
    "paranoia-w148": ["B>10 C>17 A>26 B>36 C>33 A>34 B>66 C<66 B<75 A<85 C<95 B<100"],
    "paranoia-three-rounds": [
        "A<0 C<10 B<12 A>66 B>76 C>99 A>100",
        "B<99 A<89 C<89 B<33 A<43 C<53 B<64 A<71 C<80 B<90 A<100",
        "C>99 A<99 C<89 B>89 C>89 A>99 B>108",
    ],
}

#: Tricks: for each deal trump, premium, bids, and who took the tricks in turn.
TRICKS = {
    "tricks-ru-declared": [
        (None, "A declare", (9, 1, 1), "AAAAAAAAA"),
        (None, "A declare", (4, 3, 3), "BBBAAAACC"),
        (None, "A declare", (5, 3, 2), "CCBBBAAAA"),
    ],
    "tricks-ru-all-made": [
        (None, None, (3, 3, 3), "BBBAAACCC"),
        (None, "A declare", (1, 4, 3), "BBBBBCCCC"),
    ],
    "tricks-fr-revealed": [
        (None, "A reveal", (5, 3, 2), "BBBCCAAAA"),
        ("♥", "A reveal", (9, 1, 1), "AAAAAAAAA"),
    ],
    "tricks-fr-trumps": [
        (None, "B declare", (4, 3, 2), "BBAAACCBA"),
        ("♣", "A declare", (0, 3, 4), "BCBBBCCCC"),
        ("♠", "A declare", (5, 4, 1), "BBABCCAAA"),
        ("♦", "B reveal", (4, 6, 6), "C"),
    ],
}

#: By seat at the end of each deal, or of the record: the scores of the present game, or the lives where they count.
STANDINGS = {
    "tricks-ru-declared": [(69, 0, 0), (123, 23, 2), (-56, 23, 22)],
    "tricks-ru-all-made": [(13, 13, 13), (-47, 18, 17)],
    "tricks-fr-revealed": [(4, 83, 82), (103, 83, 82)],
    "tricks-fr-trumps": [(14, 43, 12), (74, 47, 17), (78, 80, 49), (78, 80, 49)],
    "adding-ru-last-one-in": [(0, 1, 0)],
    "adding-ru-every-turn": [(1, 1, 1, 1)],
    "adding-es-the-loser": [(3, 3, 2), (2, 3, 2), (2, 3, 1), (2, 3, 0)],
    "adding-es-two-packs": [(3, 3, 3, 3, 3)],
    "adding-pl-two-packs": [(2, 3, 3, 3), (2, 3, 3, 2)],
    "adding-pl-last-chip": [(0, 5, 2)],
    "paranoia-w148": [(-4, 5, -3)],
    "paranoia-three-rounds": [(3, 1, -9), (7, 4, -22), (7, 7, -19)],
}

#: Who deals each deal, then how the record ends: the phase, who is to act (the next dealer after a deal), who has won.
COURSES = {
    "tricks-ru-declared": ("CAB", "deal over", "C", ""),
    "tricks-ru-all-made": ("BC", "deal over", "A", ""),
    "tricks-fr-revealed": ("CA", "match over", None, "A"),
    "tricks-fr-trumps": ("CABC", "play", "B", ""),
    "adding-ru-last-one-in": ("A", "match over", None, "B"),
    "adding-ru-every-turn": ("D", "play", "B", ""),
    "adding-es-the-loser": ("CABC", "match over", None, "B"),
    "adding-es-two-packs": ("E", "play", "A", ""),
    "adding-pl-two-packs": ("AB", "deal over", "C", ""),
    "adding-pl-last-chip": ("C", "deal over", "B", ""),
    "paranoia-w148": ("A", "deal over", "B", ""),
    "paranoia-three-rounds": ("CAB", "match over", None, "AB"),
}

#: What may be played, from this hand and no other, before one card (deal, number in it) is played.
CHOICES = [
    ("adding-ru-last-one-in", 1, 2, "5♦, 7♦, Q♦"),  # W96: none is safe, any may be laid
    ("adding-ru-last-one-in", 1, 3, "4♥"),  # W97
    ("adding-ru-every-turn", 1, 8, "6♣, A♦ +1, Q♠"),  # at 89, as in W109
    ("adding-es-the-loser", 1, 2, "J♦"),  # W98
    ("adding-es-the-loser", 1, 3, "4♥, 9♥, 9♠"),  # W99
    ("adding-pl-two-packs", 1, 6, "2♥, 3♥, A♥ +1"),  # W109
    ("adding-pl-two-packs", 2, 7, "2♥, 9♠, A♠ +1, A♠ +11"),  # W108
    ("adding-pl-two-packs", 2, 10, "J♥, Q♥, J♠"),  # as W96
    ("tricks-fr-trumps", 3, 17, "10♣, K♣, J♠, A♠"),  # W36: nobody has to trump
    ("tricks-ru-all-made", 2, 15, "7♣, A♣"),  # clubs were led: he must follow, as in W35, but need not win
]

#: Paranoia, each round: the hands that are shown, and the points for borders, for courts that crossed, from others,
#: for the hand.
ROUNDS = {
    "paranoia-w148": [
        (("Q♠ 2♦ 8♦", "A♥ 7♥", "J♥ 9♣ 3♥"), ((1, 0, 0, -5), (6, -1, 0, 0), (0, 0, 0, -3))),
    ],
    "paranoia-three-rounds": [
        (("Q♥ 5♣", "J♥ J♦ K♠", "J♠ Q♣ 5♦"), ((4, 0, -1, 0), (2, 0, 2, -3), (0, 0, -1, -8))),
        (("Q♥ 5♣ A♠", "2♥ 6♥ 7♦", "Q♠ Q♣ J♠"), ((6, -2, 0, 0), (3, 0, 0, 0), (0, 0, 0, -13))),
        (("6♥ 7♣ 8♦", "Q♦ J♦", "2♠ 3♠ 5♠"), ((0, 0, 0, 0), (3, 0, 0, 0), (3, 0, 0, 0))),
    ],
}

#: Exchanges: the deal, the lay that called for it, and all hands after it; then who is to act.
EXCHANGES = [
    ("paranoia-w148", 1, "K♠", ("9♥ A♦ Q♥", "J♦ 6♦ 9♦", "7♠ 3♦ 3♠"), "C"),  # clockwise: B to C, C to A, A to B
    ("paranoia-three-rounds", 1, "2♣", ("6♣ A♦ 6♦", "K♣ K♦ J♦", "9♣ 9♦ Q♣"), "A"),  # W150: B to A, A to C, C to B
]


def load(name: str) -> kit.History:
    return kit.load(FOLDER / f"{name}.json")


def data(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def plays(history: kit.History) -> Iterator[tuple[int, kit.State, str, kit.State]]:
    """Each card or pair that is played: the deal, the state before, the action, the state after."""
    for before, action, after in zip(history.states, history.actions, history.states[1:], strict=False):
        if isinstance(action, kit.Play):
            yield before.deal_number, before, str(action), after


def deals(history: kit.History) -> list[kit.State]:
    """The last state of each deal."""
    return list({state.deal_number: state for state in history.states}.values())


def hands(*texts: str) -> list[list[kit.Card]]:
    return [sorted(kit.cards(text)) for text in texts]


def test_each_preset_has_two_records_and_each_record_its_story_and_its_tables() -> None:
    assert sorted(data(name)["rules"]["preset"] for name in NAMES) == sorted([*kit.PRESETS] * 2)
    story = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert sorted(line.removeprefix("## ") for line in story.splitlines() if line.startswith("## ")) == NAMES
    assert sorted({**LAYS, **TRICKS}) == sorted(STANDINGS) == sorted(COURSES) == NAMES
    assert sorted(ROUNDS) == [name for name in NAMES if "paranoia" in name]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_written_by_hand_is_read_whole(name: str) -> None:
    told, history = data(name), load(name)
    assert len(history.actions) == sum(len(deal["actions"]) + 1 for deal in told["deals"]) - 1
    assert history.step == len(history.actions)
    start = history.states[0]
    assert (start.rules, start.players) == (kit.PRESETS[told["rules"]["preset"]], told["players"])
    assert history.names == tuple(told.get("names", ()))
    for number, pack in enumerate(told.get("packs", ()), 1):
        assert start.pack_dealt(number) == kit.cards(pack)


@pytest.mark.parametrize("name", LAYS)
def test_each_lay_makes_the_total_and_the_direction_of_the_story(name: str) -> None:
    told: list[list[str]] = [[] for _ in LAYS[name]]
    for deal, before, _, after in plays(load(name)):
        told[deal - 1].append(f"{SEATS[before.to_act]}{'>' if after.direction > 0 else '<'}{after.total}")
    assert told == [lays.split() for lays in LAYS[name]]


@pytest.mark.parametrize("name", TRICKS)
def test_each_deal_has_the_trump_the_premium_the_bids_and_the_tricks_of_the_story(name: str) -> None:
    for state, (trump, premium, bids, winners) in zip(deals(load(name)), TRICKS[name], strict=True):
        said = state.premium and f"{SEATS[state.premium[0]]} {state.premium[1].name}"
        assert (state.trump, said) == (trump, premium)
        assert tuple(map(state.bid_value, range(3))) == bids
        assert "".join(SEATS[trick.winner] for trick in state.tricks) == winners
        assert state.won == tuple(map(winners.count, "ABC"))


@pytest.mark.parametrize("name", NAMES)
def test_each_deal_ends_with_the_scores_or_lives_of_the_story(name: str) -> None:
    counts = kit.PRESETS[data(name)["rules"]["preset"]].counts_points
    assert [state.scores if counts else state.lives for state in deals(load(name))] == STANDINGS[name]


@pytest.mark.parametrize("name", NAMES)
def test_the_deal_goes_round_and_the_record_ends_as_in_the_story(name: str) -> None:
    dealers, phase, to_act, winners = COURSES[name]
    end = load(name).state
    assert "".join(SEATS[state.dealer] for state in deals(load(name))) == dealers
    assert (end.phase, None if end.to_act is None else SEATS[end.to_act]) == (phase, to_act)
    assert "".join(SEATS[seat] for seat in end.winners) == winners


@pytest.mark.parametrize(("name", "deal", "number", "choices"), CHOICES)
def test_no_other_play_is_legal_than_the_rules_allow(name: str, deal: int, number: int, choices: str) -> None:
    states = [before for in_deal, before, *_ in plays(load(name)) if in_deal == deal]
    assert sorted(map(str, states[number - 1].legal_actions())) == sorted(choices.split(", "))


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_of_paranoia_is_settled_by_border_court_king_and_hand(name: str) -> None:
    for state, (shown, earned) in zip(deals(load(name)), ROUNDS[name], strict=True):
        assert [sorted(hand) for hand in state.hands] == hands(*shown)
        assert state.earned == earned


@pytest.mark.parametrize(("name", "deal", "lay", "after", "to_act"), EXCHANGES)
def test_an_exchange_follows_the_direction_of_play(
    name: str, deal: int, lay: str, after: tuple[str, ...], to_act: str
) -> None:
    history = load(name)
    (called,) = [state for number, _, action, state in plays(history) if (number, action) == (deal, lay)]
    done = history.states[history.states.index(called) + 3]
    assert [sorted(hand) for hand in done.hands] == hands(*after)
    assert (done.phase, SEATS[done.to_act]) == ("play", to_act)


def test_a_match_of_three_games_counts_a_game_won_and_begins_the_next_from_0() -> None:
    states = deals(load("tricks-ru-declared"))
    assert [state.games_won for state in states] == [(0, 0, 0), (1, 0, 0), (1, 0, 0)]
    assert [state.game_number for state in states] == [1, 1, 2]


def test_the_cards_of_who_goes_over_lie_under_the_pile() -> None:
    after = [state for *_, state in plays(load("adding-ru-last-one-in"))][1]
    assert (after.hands[2], after.pile[-1]) == ((), *kit.cards("K♣"))
    assert sorted(after.pile[:-1]) == sorted(kit.cards("5♦ 7♦ Q♦"))


def test_where_the_stock_is_empty_each_draws_what_the_one_before_him_laid() -> None:
    after = [state for *_, state in plays(load("adding-pl-last-chip"))][:3]
    assert [state.pile for state in after] == [kit.cards(card) for card in ("J♣", "Q♦", "K♠")]
    seats = zip(after, (0, 1, 2), ("5♦", "J♣", "Q♦"), strict=True)
    assert all(kit.Card.parse(drawn) in state.hands[seat] for state, seat, drawn in seats)


def test_what_people_type_is_read_as_what_the_kit_writes() -> None:
    assert "♣" not in (FOLDER / "adding-es-the-loser.json").read_text(encoding="utf-8")
    assert "TC" not in (written := kit.write_record(load("adding-es-the-loser")))
    assert "10♦" in written
    typed = [action for deal in data("adding-ru-every-turn")["deals"] for action in deal["actions"]]
    kept = list(map(str, load("adding-ru-every-turn").actions))
    assert [pair for pair in zip(typed, kept, strict=True) if len(set(pair)) > 1] == [
        ("10♣ −10", "10♣ -10"),
        ("A♦", "A♦ +1"),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_kit_writes_what_it_read_by_hand_and_reads_the_same_game(name: str) -> None:
    history = load(name)
    again = kit.read_record(kit.write_record(history))
    assert (again.states, again.actions, again.names) == (history.states, history.actions, history.names)


def spoilt(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The record with one score changed, each in turn, and what the kit must say is wrong with it."""
    record = data(name)
    for number, deal in enumerate(record["deals"]):
        for key in deal.keys() & {"points", "lives"}:
            for seat in range(record["players"]):
                wrong = deepcopy(record)
                wrong["deals"][number][key][seat] += 1
                yield rf"deal {number + 1}\b.*\b{key}\b", wrong
    for key in record["result"].keys() - {"winners"}:
        for seat in range(record["players"]):
            wrong = deepcopy(record)
            wrong["result"][key][seat] -= 1
            yield "result", wrong
    wrong = deepcopy(record)
    wrong["result"]["winners"] = [2] if wrong["result"]["winners"] != [2] else []
    yield "result", wrong


@pytest.mark.parametrize("name", NAMES)
def test_a_record_with_any_one_score_changed_is_refused(name: str) -> None:
    for said, wrong in spoilt(name):
        with pytest.raises(kit.RecordError, match=f"(?i){said}"):
            kit.read_record(json.dumps(wrong))


def test_a_record_with_another_refill_is_refused() -> None:
    wrong = data("adding-pl-last-chip")
    wrong["deals"][0]["refills"][1] = "K♠"
    with pytest.raises(kit.RecordError, match=r"(?i)deal 1\b.*\brefills\b"):
        kit.read_record(json.dumps(wrong))
