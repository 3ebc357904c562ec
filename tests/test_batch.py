"""The arrays play as the clear engine does: card by card, total by total, score by score; and chance is fair."""

from dataclasses import fields, replace
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest
from alike import agree, in_arrays, play, refill, rows_in
from playing import CASE_IDS, CASES
from tweaks import tweaks, vars_of

import ninety_nine_kit as kit
from ninety_nine_kit import adding, batch
from ninety_nine_kit.card import Mistake
from ninety_nine_kit.rules import Chart, Effect, Milestone, Premium, Rules

TWEAKS = 200
MANY = 100_000
PRESETS = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
READ = {
    f"{preset}, {name}: {choice}": read
    for name, reading in kit.READINGS.items()
    for preset in reading.presets
    for choice in reading.choices
    if (read := reading.read(kit.PRESETS[preset], choice)) != kit.PRESETS[preset]
}
LOSER_LEADS = replace(kit.ADDING_PL, next_leader="loser")
ENDLESS: Chart[str, Effect] = Chart({rank: Effect() for rank in kit.Rank})


@pytest.fixture(autouse=True)
def given_refills(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adding, "shuffle", refill)


def fewest(rules: Rules) -> int:
    return 3 if 3 in rules.players else min(rules.players)


def rounds_for(rules: Rules) -> int:
    """So many that a table's next deals show what they depend on."""
    return batch.ROUNDS if batch.remembers(rules) else 4


def arrays(deals: batch.Deals) -> dict[str, Any]:
    """What was counted, as lists that can be compared."""
    return {name: kept.tolist() for name, kept in vars(deals).items() if isinstance(kept, np.ndarray)}


# ---- As the clear engine


@pytest.mark.parametrize("rules, players", CASES, ids=CASE_IDS)
@pytest.mark.parametrize("policy", batch.POLICIES)
def test_every_preset_is_played_as_by_the_clear_engine(rules: Any, players: int, policy: str) -> None:
    agree(rules, players, [policy] * players, "99", rounds=rounds_for(rules))


@pytest.mark.parametrize("rules", READ.values(), ids=READ)
def test_every_reading_is_played_as_by_the_clear_engine(rules: Any) -> None:
    """By players of two kinds at one table."""
    players = fewest(rules)
    agree(rules, players, ["random", "simple", *["random"] * players][:players], "reading", rounds=rounds_for(rules))


def test_cards_are_exchanged_among_those_still_in() -> None:
    rules = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"2": Effect(add=2, exchange=True)})
    assert len(batch.simulate(rules, 4, deals=9, policy="simple").lengths) == 9
    agree(rules, 4, ["simple"] * 4, "99")


@pytest.mark.parametrize("number", range(TWEAKS))
def test_what_a_learner_may_make_is_played_as_by_the_clear_engine(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules under which deals go on and on are drawn again."""
    monkeypatch.setattr("ninety_nine_kit.batch.adding.MAX_LAYS", 200)
    tables, ended = 3 if number % 10 == 0 else 1, False
    drawn = tweaks(number)
    while not ended:
        tweak = next(drawn)
        print(f"tweak {number}: {tweak.rules.name}, {tweak.players} players {tweak.policies}, with {tweak.changed}")
        try:
            agree(tweak.rules, tweak.players, tweak.policies, str(number), tables, rounds_for(tweak.rules))
            ended = True
        except Mistake as refused:
            assert "a deal went on" in str(refused)


def test_the_tweaks_change_every_field_and_every_part_of_an_effect() -> None:
    drawn = [next(tweaks(number)) for number in range(TWEAKS)]
    assert {name for tweak in drawn for name in tweak.changed} == {
        name for rules in kit.PRESETS.values() for name in vars_of(rules)
    }
    charts = [tweak.changed.get(field, {}) for tweak in drawn for field in ("effects", "pairs")]
    rows = [row for chart in charts for rows in chart.values() for row in rows]
    assert all(any(getattr(row, field.name) for row in rows) for field in fields(Effect))
    assert any(len(rows) > 1 for chart in charts for rows in chart.values())
    assert any(isinstance(key, kit.Card) for chart in charts for key in chart)
    assert all(any(len(set(tweak.policies)) > number for tweak in drawn) for number in range(3))


OTHER: list[tuple[Rules, dict[str, Any]]] = [
    (kit.TRICKS_RU, {"trick_points": 2}),
    (kit.TRICKS_FR, {"trump_after": kit.TRICKS_FR.trump_after | {1: "H"}}),
    (kit.TRICKS_FR, {"premiums": kit.TRICKS_FR.premiums[:1]}),
    (kit.ADDING_RU, {"limit": 98}),
    (kit.ADDING_RU, {"effects": kit.ADDING_RU.effects | {"4": Effect()}}),
    (kit.ADDING_ES, {"next_leader": "loser"}),
    (kit.ADDING_PL, {"direction": -1}),
    (kit.PARANOIA_RU, {"penalties": {}}),
    (kit.PARANOIA_RU, {"pairs": kit.PARANOIA_RU.pairs | {"K": Effect(add=10)}}),
]


@pytest.mark.parametrize("rules, change", OTHER, ids=[f"{rules.name}-{next(iter(it))}" for rules, it in OTHER])
def test_it_is_noticed_when_the_arrays_play_by_other_rules(
    rules: Any, change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in (batch.TrickGame, batch.AddingGame):
        monkeypatch.setattr(batch, game.__name__, lambda given, *rest, game=game: game(replace(given, **change), *rest))
    with pytest.raises(AssertionError):
        agree(rules, 3, ["random"] * 3, "99", tables=3)


@PRESETS
def test_it_is_noticed_when_players_choose_otherwise(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(batch.POLICIES, "simple", batch.POLICIES["first"])
    with pytest.raises(AssertionError):
        agree(rules, 3, ["simple"] * 3, "99")


@PRESETS
def test_a_table_is_played_alike_however_many_there_are_and_each_seat_by_its_own_policy(rules: Any) -> None:
    names = ["random", "simple", "greedy"]
    few, _ = in_arrays(rules, 3, names, "99", 2, 3)
    many = play(rules, 3, [batch.POLICIES[name] for name in names], "99", 20, 3)
    assert [rows_in(few, lane, 2) for lane in range(2)] == [rows_in(many, lane, 20) for lane in range(2)]


# ---- What is refused


NINE = tuple(Effect(add=add) for add in range(9))
LONG = replace(kit.TRICKS_RU, ranks=tuple(kit.Rank), hand_size=16)
BIG_PARTY = replace(kit.ADDING_ES, players=(11,), packs=2)
REFUSED: list[tuple[Rules, dict[str, Any], str]] = [
    (replace(LONG, hand_size=17), {}, "tricks-ru: batch plays hands of up to 16 cards, not hand_size 17"),
    (replace(LONG, bid_cards=6), {}, "tricks-ru: batch knows up to 5000 ways to bid, and bid_cards 6 gives 8008"),
    (replace(kit.ADDING_RU, limit=9_999), {}, "adding-ru: batch knows up to 10000 totals; limit and effects here span"),
    (replace(kit.ADDING_RU, limit=20_000), {}, "adding-ru: batch counts with numbers up to 10000, not 20000"),
    (
        replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"5": NINE}),
        {},
        "adding-ru: batch knows up to 8 effects to choose from; 5 has 9",
    ),
    (
        replace(kit.PARANOIA_RU, pairs={"5": NINE}),
        {},
        "paranoia-ru: batch knows up to 8 effects to choose from; 5 has 9",
    ),
    (
        replace(kit.PARANOIA_RU, milestones=(Milestone(5, -10_001),)),
        {},
        "paranoia-ru: batch counts with numbers up to 10000, not -10001",
    ),
    (
        replace(kit.TRICKS_RU, premiums=(Premium("all", made=10**30),)),
        {},
        "tricks-ru: batch counts with numbers up to 10000, not 1000",
    ),
    (BIG_PARTY, {"players": 11}, "adding-es: batch plays with up to 10 players, not 11"),
    (kit.TRICKS_RU, {"players": 4}, "tricks-ru: is not for 4 players; allowed: 3"),
    (kit.TRICKS_RU, {"players": "3"}, "tricks-ru: players must be a whole number, not '3'"),
    *[
        (kit.ADDING_RU, {"deals": deals}, f"deals must be a whole number from 1 up, such as 20_000, not {deals!r}")
        for deals in (0, -1, 1.5, "many", True, None)
    ],
    (kit.ADDING_RU, {"seed": 1.5}, "a seed is a whole number or a text, not 1.5"),
    (kit.ADDING_RU, {"policy": "clever"}, "no policy 'clever'; there are: random, first, simple, greedy, or give a"),
    (kit.ADDING_RU, {"policy": [None] * 3}, "no policy None; there are: random, first"),
    (kit.ADDING_RU, {"policy": ["simple"] * 2}, "2 policies for 3 seats: give one for all or one for each"),
]


@pytest.mark.parametrize("rules, given, reason", REFUSED, ids=[reason for *_, reason in REFUSED])
def test_what_cannot_be_played_is_refused_in_words(rules: Any, given: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        batch.simulate(rules, **given)
    assert str(refused.value).startswith(reason)


def test_only_rules_are_played() -> None:
    with pytest.raises(TypeError, match="'tricks-ru' is not rules: take one of"):
        batch.simulate("tricks-ru")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "answer",
    [
        lambda view, chance: 0,
        lambda view, chance: None,
        lambda view, chance: np.zeros((len(view.lanes), 1), int),
        lambda view, chance: np.zeros(len(view.lanes)),
        lambda view, chance: view.choices,
        lambda view, chance: np.full(len(view.lanes), -1),
    ],
    ids=["one number", "nothing", "another shape", "no whole numbers", "too large", "below 0"],
)
@PRESETS
def test_an_answer_that_is_no_action_is_refused_in_words(rules: Any, answer: Any) -> None:
    answer.__name__ = "wild"
    with pytest.raises(Mistake, match="the policy wild must give a whole number below view"):
        batch.simulate(rules, deals=20, policy=["random", answer, "first"])


@pytest.mark.parametrize("rules", [kit.ADDING_RU, kit.ADDING_PL, kit.PARANOIA_RU], ids=lambda rules: rules.name)
def test_rules_that_never_end_are_refused_in_words(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninety_nine_kit.batch.adding.MAX_LAYS", 300)
    with pytest.raises(Mistake, match=f"^{rules.name}: a deal went on for 300 lays: change the rules or the policy"):
        batch.simulate(replace(rules, effects=ENDLESS, pairs={}), deals=100)


# ---- Chance


@PRESETS
def test_the_same_seed_is_the_same_and_another_one_another(rules: Any) -> None:
    number, text, other = (arrays(batch.simulate(rules, deals=200, seed=seed)) for seed in (99, "99", 100))
    assert number == text
    assert number["dealer"] == other["dealer"]
    assert all(number[name] != other[name] for name in ("points" if rules.counts_points else "lengths", "best"))


def test_tables_that_are_done_while_others_play_on_do_no_harm() -> None:
    """They deal from an old stock, and make a new one of cards that they hold already."""
    found = batch.simulate(kit.ADDING_RU, deals=49_152, seed=1, players=5)
    assert (found.best.sum(axis=1) == 1).all()


@pytest.mark.parametrize("rules", [*kit.PRESETS.values(), LOSER_LEADS], ids=[*kit.PRESETS, "loser leads"])
def test_each_deal_is_another_one_and_the_dealer_moves_on(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one seat a deal and a table, also where there are more deals than a block has."""
    monkeypatch.setattr(batch, "BLOCK", 128)
    blocks = list(batch.blocks_of([rules], 300))
    tables = [-(-deals // rounds) for _, deals, rounds in blocks]
    dealers = [
        dealer
        for (number, deals, rounds), count in zip(blocks, tables, strict=True)
        for dealer in [(128 * number // rounds + table + turn) % 3 for turn in range(rounds) for table in range(count)][
            :deals
        ]
    ]
    looks = Looks("first")
    found = batch.simulate(rules, deals=300, policy=looks)
    assert found.dealer.tolist() == dealers
    assert (found.first == (found.dealer + 1) % 3).all() or rules is LOSER_LEADS
    assert {len(kept) for kept in vars(found).values() if isinstance(kept, np.ndarray)} == {300}
    assert len(blocks) == 3
    first_hands = {str(hand) for _, _, hands in looks.hands[:1] for hand in np.transpose(hands).tolist()}
    assert len(first_hands) > 14


class Looks:
    """A policy that notes all hands that it is asked with, and does what another does."""

    def __init__(self, policy: str) -> None:
        self.policy = batch.POLICIES[policy]
        self.hands: list[Any] = []

    def __call__(self, view: Any, chance: Any) -> Any:
        self.hands.append((view.phase, view.seats.tolist(), view.hand.tolist()))
        return self.policy(view, chance)


@pytest.mark.parametrize(
    "games",
    [
        (kit.TRICKS_RU, kit.TRICKS_FR),
        (kit.TRICKS_FR, replace(kit.TRICKS_FR, first_trump="S", bid_cards=4, target=5)),
        (kit.ADDING_RU, kit.ADDING_ES),
        (kit.ADDING_PL, replace(kit.PARANOIA_RU, limit=20)),
    ],
    ids=lambda games: f"{games[0].name} and {games[1].name}",
)
def test_games_given_together_have_the_same_packs_and_dealers(games: Any) -> None:
    """Whatever the rules and players do: told by the hands that bid in each deal, or that lay first of all."""
    told = []
    for rules, policy in zip(games, ("random", "simple"), strict=True):
        looks = Looks(policy)
        blocks = batch.blocks_of(games, 400)
        dealers = [batch.play_block(rules, 3, [looks] * 3, "5", *block).dealer.tolist() for block in blocks]
        told.append((dealers, [hands for hands in looks.hands if hands[0] == "bid"] or looks.hands[0]))
    assert told[0] == told[1]


# ---- Known values, with four standard errors to spare, or three where those who counted before had few deals


def assert_near(found: Any, known: Any, spread: Any, counted: float = np.inf) -> None:
    """Told by MANY deals and, before, by so many that were counted, with the third digit rounded."""
    within = 4 * np.asarray(spread) * np.sqrt(1 / MANY + 1 / counted) + 0.0005
    assert (np.abs(np.asarray(found) - known) <= within).all(), f"{found}, not {known} within {within}"


def spread_of(share: Any) -> Any:
    return np.sqrt(np.asarray(share) * (1 - np.asarray(share)))


def test_random_play_takes_and_makes_as_many_tricks_as_known(record_property: Any) -> None:
    """Rules 3.6, from 20,000 deals; and W25, which is exact."""
    deals = batch.simulate(kit.TRICKS_RU, deals=MANY)
    made = deals.won == deals.bids
    won = np.bincount(deals.won.ravel()) / deals.won.size
    together = np.bincount(made.sum(axis=1)) / MANY
    nine = (deals.bids.sum(axis=1) == 9).mean()
    known = [0.082, 0.169, 0.200, 0.182, 0.145, 0.103, 0.069, 0.035, 0.014, 0.003]
    record_property("told", f"bids made: {made.mean():.3f}, by deal {together.round(3)}, tricks: {won.round(3)}")
    assert abs(made.mean() - 0.120) < 0.005
    assert_near(together, [0.681, 0.281, 0.037, 0.001], spread_of(together), 20_000)
    assert_near(won, known, spread_of(won), 20_000)
    exact = 4_106_737 / 94_143_280
    assert abs(nine - exact) < 4 * spread_of(exact) / sqrt(MANY)


def test_what_hands_can_bid_is_as_counted() -> None:
    """W22 to W24: triples for each bid, whether there is one, and how many bids there are."""
    triples: list[Any] = []

    def counts(view: Any, chance: Any) -> Any:
        if view.phase == "bid":
            spelt = np.array([kit.TRICKS_RU.bid_values[suit] for suit in kit.Suit])[view.hand >> 4]
            bids = spelt[view.ways].sum(axis=1)
            triples.append(np.stack([(bids == bid).sum(axis=0) for bid in range(10)], axis=1))
        return np.zeros(len(view.lanes), int)

    batch.simulate(kit.TRICKS_RU, deals=40_000, policy=counts)
    found = np.concatenate(triples)
    different = np.bincount((found > 0).sum(axis=1), minlength=11) / len(found)
    few, more = [2.588, 9.983, 19.966, 35.034, 42.429], [0.64973, 0.87872, 0.98281, 0.99825, 0.99948]
    ways = [0, 0, 0, 0, 0.00009, 0.00094, 0.00833, 0.05344, 0.19995, 0.38328, 0.35398]
    errors = 4 * sqrt(3 / len(found))  # the three hands of a deal are not independent
    assert (np.abs(found.mean(axis=0) - [*few, *few[::-1]]) <= errors * found.std(axis=0) + 0.0005).all()
    assert (np.abs((found > 0).mean(axis=0) - [*more, *more[::-1]]) <= errors * (found > 0).std(axis=0)).all()
    assert (np.abs(different - ways) <= errors * spread_of(ways) + 0.000005).all()


RU_LITERAL = replace(kit.ADDING_RU, over_limit="deal over")
EIGHT = kit.READINGS["king"].read(kit.READINGS["reverse card"].read(RU_LITERAL, "eight"), "adds ten")


@pytest.mark.parametrize("rules, unsafe", [(RU_LITERAL, 36), (EIGHT, 40)], ids=["as it stands", "eight turns"])
def test_a_hand_is_stuck_at_99_as_often_as_counted(rules: Any, unsafe: int) -> None:
    """W103: the first player loses at once."""
    deals = batch.simulate(replace(rules, start=99), deals=MANY)
    exact = comb(unsafe, 3) / comb(52, 3)
    assert_near((deals.lengths == 0).mean(), exact, spread_of(exact))


NINE_ADDS_NOTHING = kit.READINGS["nine"].read(RU_LITERAL, "adds nothing")
LAYS: list[tuple[Rules, str, dict[int, float]]] = [
    (RU_LITERAL, "random", {2: 18.3, 3: 18.7, 4: 19.2}),
    (NINE_ADDS_NOTHING, "random", {2: 12.1, 3: 12.4, 4: 12.7}),
    (kit.ADDING_PL, "random", {2: 12.1, 3: 12.4, 4: 13.0}),
    (kit.READINGS["two players"].read(kit.ADDING_ES, "two or more"), "random", {2: 13.3, 3: 13.6, 4: 13.5}),
    (RU_LITERAL, "greedy", {3: 13.0}),
    (NINE_ADDS_NOTHING, "greedy", {3: 7.7}),
    (kit.ADDING_ES, "greedy", {3: 9.9}),
]


@pytest.mark.parametrize(
    "rules, policy, known", LAYS, ids=["ru", "nine +0", "pl", "es", "ru high", "nine high", "es high"]
)
def test_rounds_are_as_long_as_known(rules: Any, policy: str, known: dict[int, float], record_property: Any) -> None:
    """Rules 3.6, each from 4,000 rounds; and as the dealer goes round no seat loses more."""
    for players, lays in known.items():
        deals = batch.simulate(rules, players, MANY // 2, policy=policy)
        mean, spread = deals.lengths.mean(), deals.lengths.std()
        record_property("told", f"{rules.name}, {players} players, {policy}: {mean:.2f} lays, known {lays}")
        assert abs(mean - lays) < 3 * spread * sqrt(1 / 4_000 + 2 / MANY) + 0.05
        assert np.abs(deals.best.mean(axis=0) - 1 / players).max() < 4 * spread_of(1 / players) * sqrt(2 / MANY)


# ---- What is told


@PRESETS
def test_each_deal_has_what_its_game_has(rules: Any) -> None:
    players, tricks = max(rules.players), isinstance(rules, kit.TrickRules)
    deals = batch.simulate(rules, players, deals=100)
    only = {"won", "bids", "trump", "premium", "holder", "open_bids"}
    by_seat = {"points", "best", *({"won", "bids"} if tricks else ())}
    kept = {name: value for name, value in vars(deals).items() if name not in ("rules", "players")}
    assert (deals.rules, deals.players) == (rules, players)
    assert {name for name, value in kept.items() if value is None} == (set() if tricks else only)
    shapes = {name: value.shape for name, value in kept.items() if value is not None}
    assert shapes == {name: (100, players) if name in by_seat else (100,) for name in shapes}
    assert all(value.dtype.kind == "i" for value in kept.values() if value is not None)


def test_without_bids_each_is_minus_one_and_none_is_made() -> None:
    rules = replace(kit.TRICKS_RU, bid_cards=0, premiums=())
    deals = batch.simulate(rules, deals=100)
    assert deals.bids is not None and deals.won is not None and deals.open_bids is not None
    assert (deals.bids == -1).all()
    assert not deals.open_bids.any()
    assert (deals.points == deals.won).all()


def test_a_function_plays_as_it_answers() -> None:
    """The last legal action: the highest premium of all, and so on; beside others it does so in its own seat."""

    def last(view: Any, chance: Any) -> Any:
        asked.update(view.seats.tolist())
        return view.choices.astype(int) - 1

    asked: set[int] = set()
    deals = batch.simulate(kit.TRICKS_FR, deals=100, policy=last)
    assert deals.premium is not None and deals.holder is not None
    assert (deals.premium == 1).all()
    assert (deals.holder == deals.first).all()
    alone = batch.simulate(kit.TRICKS_FR, deals=100, policy=["first", last, "first"])
    assert alone.premium is not None and alone.holder is not None
    assert (alone.premium == 1).all()
    assert (alone.holder == 1).all()
    assert asked == {0, 1, 2}
