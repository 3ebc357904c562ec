"""The trick-taking engine: following suit, starters, what is open when, games and the match."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.events import BidOpened, GameTied, GameWon, HandOpened

SUITS = list(kit.Suit)
BIDS = ["9♣ 9♦ 9♥", "10♣ 10♦ 10♥", "J♣ J♦ J♥"]


def last_trick(rules: kit.TrickRules, **fields: object) -> kit.TrickState:
    """The end of a deal with 4, 3 and 2 tricks in which nobody makes a bid."""
    fields = {"bids": ["9♣ 10♣ J♣", "Q♣ K♣ A♣", "9♦ 9♥ 10♥"], "won": (3, 3, 2), **fields}
    state = kit.position(rules, ["A♥", "6♥", "7♥"], **fields)
    for card in ("A♥", "6♥", "7♥"):
        state = state.apply(card)
    assert state.sheet[-1].points == (4, 3, 2)
    return state


@pytest.mark.parametrize("trump", [None, *SUITS])
@pytest.mark.parametrize("led", SUITS)
def test_every_suit_must_be_followed_as_lead_and_as_trump(led: kit.Suit, trump: kit.Suit | None) -> None:
    held, void = [f"7{suit}" for suit in SUITS], [f"8{suit}" for suit in SUITS if suit != led]
    leader = [f"6{suit}" for suit in SUITS if suit != led]
    fields = {"bids": BIDS, "trump": trump, "trick": f"6{led}"}
    state = kit.position(kit.TRICKS_FR, [leader, held, [*void, "Q♣" if led != "♣" else "Q♦"]], **fields)
    assert list(map(str, state.legal_actions())) == [f"7{led}"]
    after = state.apply(f"7{led}")
    assert {play.cards[0] for play in after.legal_actions() if isinstance(play, kit.Play)} == set(after.hands[2])


@pytest.mark.parametrize("trump", [None, *SUITS])
@pytest.mark.parametrize("led", SUITS)
def test_the_highest_trump_takes_the_trick_or_else_the_highest_of_the_suit_led(
    led: kit.Suit, trump: kit.Suit | None
) -> None:
    third = next(suit for suit in SUITS if suit not in (led, trump))
    beaten = trump if trump and trump != led else led
    tricks = {
        f"8{led} 7{led} A{third}": 0,
        f"7{led} 8{led} A{third}": 1,
        f"A{led} K{third} 6{beaten}": 2 if beaten != led else 0,
        f"A{led} 6{beaten} 7{beaten}": 2 if beaten != led else 0,
    }
    for cards, winner in tricks.items():
        state = kit.position(kit.TRICKS_FR, cards.split(), bids=BIDS, trump=trump)
        for card in cards.split():
            state = state.apply(card)
        assert state.tricks[-1].winner == winner


def test_the_winner_of_a_trick_leads_the_next() -> None:
    state = kit.position(kit.TRICKS_FR, ["6♥ 6♠", "8♥ 8♠", "7♥ 7♠"], bids=BIDS)
    for card in ("6♥", "8♥", "7♥"):
        state = state.apply(card)
    assert (state.leader, state.to_act, state.won) == (1, 1, (0, 1, 0))
    assert state.apply("8♠").to_act == 2


@pytest.mark.parametrize("rules", [kit.TRICKS_RU, kit.TRICKS_FR], ids=lambda rules: rules.name)
def test_the_deal_passes_clockwise_from_game_to_game_and_the_eldest_bids_and_leads(rules: kit.TrickRules) -> None:
    states = kit.playout(kit.deal(replace(rules, games=3), seed=99, dealer=1), "first").states
    dealt = [state for state in states if state.phase is kit.Phase.BID and not any(state.bids)]
    led = [state for state in states if state.phase is kit.Phase.PLAY and not (state.trick or state.tricks)]
    assert len(dealt) == len(led) > 3
    assert dealt[-1].game_number == 3
    for number, (first, lead) in enumerate(zip(dealt, led, strict=True), start=1):
        assert (first.deal_number, first.dealer) == (number, number % 3)
        assert first.to_act == lead.to_act == lead.leader == (number + 1) % 3


@pytest.mark.parametrize("rules", [kit.TRICKS_RU, kit.TRICKS_FR], ids=lambda rules: rules.name)
def test_a_deal_is_three_cards_bid_and_nine_tricks_of_all_36_cards(rules: kit.TrickRules) -> None:
    states = kit.playout(kit.deal(rules, seed=99), "random").states
    over = [state for state in states if state.phase in (kit.Phase.DEAL_OVER, kit.Phase.MATCH_OVER)]
    assert over
    for state in over:
        cards = [card for cards in [*state.bids, *[trick.cards for trick in state.tricks]] for card in cards]
        assert Counter(cards) == Counter(rules.pack(3))
        assert (len(state.tricks), sum(state.won)) == (9, 9)
        assert [len(bid) for bid in state.bids] == [3, 3, 3]


@pytest.mark.parametrize("premium, hand_opens", [("declare", False), ("reveal", True)])
def test_only_the_holder_of_a_premium_shows_the_bid_and_only_when_all_were_asked(
    premium: str, hand_opens: bool
) -> None:
    hands, hidden = ["6♥ 6♠", "8♥ 8♠", "7♥ 7♠"], (kit.BACK,) * 3
    state = kit.position(kit.TRICKS_FR, hands, bids=BIDS, phase="announce")
    asked = state.apply("declare") if premium == "reveal" else state.apply("pass")
    assert asked.seen_by(None).bids == (hidden,) * 3
    said = asked.apply(premium)
    if premium == "declare":
        said = said.apply("pass")
    watched = said.seen_by(None)
    assert said.premium is not None
    assert (said.premium[0], said.premium[1].name, said.phase) == (1, premium, kit.Phase.PLAY)
    assert watched.bids == (hidden, kit.cards(BIDS[1]), hidden)
    assert BidOpened(1, kit.cards(BIDS[1]), 5) in watched.events
    assert (HandOpened(1, kit.cards(hands[1])) in watched.events) == hand_opens
    assert (watched.bid_value(0), watched.bid_value(1)) == (None, 5)
    assert watched.hands[1] == (kit.cards(hands[1]) if hand_opens else (kit.BACK,) * 2)
    assert watched.hands[0] == watched.hands[2] == (kit.BACK,) * 2


def test_the_russian_game_has_no_reveal_and_its_premium_costs_the_holder() -> None:
    state = kit.position(kit.TRICKS_RU, ["6♥", "8♥", "7♥"], bids=BIDS, phase="announce")
    assert list(map(str, state.legal_actions())) == ["pass", "declare"]
    below = last_trick(replace(kit.TRICKS_RU, target=100), scores=(-60, 0, 0))
    assert below.scores == (-56, 3, 2)


def test_whoever_has_most_wins_when_several_reach_100() -> None:
    over = last_trick(kit.TRICKS_FR, scores=(96, 99, 50))
    assert over.scores == (100, 102, 52)
    assert (over.phase, over.winners, over.games_won) == (kit.Phase.MATCH_OVER, (1,), (0, 1, 0))
    assert GameWon(1, 1, 102) in over.events


def test_a_tie_at_100_is_broken_by_another_deal_of_the_same_game() -> None:
    tied = last_trick(kit.TRICKS_FR, scores=(97, 98, 90))
    assert (tied.scores, tied.phase, tied.winners) == ((101, 101, 92), kit.Phase.DEAL_OVER, ())
    assert GameTied(101) in tied.events
    dealt = tied.apply("next deal")
    assert (dealt.game_number, dealt.deal_number, dealt.scores) == (1, 2, (101, 101, 92))
    assert dealt.trump == kit.Suit.DIAMONDS  # nobody made a bid
    assert last_trick(kit.TRICKS_FR, scores=(99, 90, 97)).winners == (0,)  # a tie below the top breaks nothing


def test_99_is_not_100() -> None:
    assert last_trick(kit.TRICKS_FR, scores=(95, 0, 0)).phase is kit.Phase.DEAL_OVER
    assert last_trick(kit.TRICKS_FR, scores=(96, 0, 0)).phase is kit.Phase.MATCH_OVER


def test_a_game_may_be_a_number_of_deals() -> None:
    nine_deals = replace(kit.TRICKS_FR, target=None, deals=9)
    end = kit.playout(kit.deal(nine_deals, seed=99), "random").state
    tops = [
        sorted(map(sum, zip(*[row.points for row in end.sheet[:n]], strict=True)))[-2:] for n in (9, len(end.sheet))
    ]
    assert len(end.sheet) == 9 or tops[0][0] == tops[0][1]
    assert tops[1][0] < tops[1][1] == end.scores[end.winners[0]]


def games_of(end: kit.TrickState) -> list[list[tuple[int, ...]]]:
    """The points of each deal, game by game, from the sheet."""
    return [[row.points for row in end.sheet if row.game == game] for game in range(1, end.game_number + 1)]


def totals(deals: list[tuple[int, ...]]) -> list[int]:
    return [sum(points) for points in zip(*deals, strict=True)]


SHORT = replace(kit.TRICKS_RU, target=4, premiums=())  # games of a deal or two, so that ties come up


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("choice", ["three games", "first to three"])
def test_a_match_is_won_by_games_and_then_by_points(choice: str, seed: int) -> None:
    end = kit.playout(kit.deal(kit.READINGS["match"].read(SHORT, choice), seed=seed), "random").state
    games = games_of(end)
    for deals in games:
        *before, last = [sorted(totals(deals[: number + 1])) for number in range(len(deals))]
        assert last[-1] >= 4 and last[-1] > last[-2]
        assert all(top < 4 or top == second for _, second, top in before)
    won = Counter(max(range(3), key=totals(deals).__getitem__) for deals in games)
    assert end.games_won == (won[0], won[1], won[2])
    if choice == "first to three":
        assert [won[seat] for seat in end.winners] == [3]
        assert max(won[seat] for seat in range(3) if seat not in end.winners) < 3
    else:
        points = totals([row.points for row in end.sheet])
        ranking = [(won[seat], points[seat]) for seat in range(3)]
        assert len(games) == 3
        assert end.winners == tuple(seat for seat in range(3) if ranking[seat] == max(ranking))


def test_the_matches_above_reach_ties_in_points_and_in_games() -> None:
    matches = [kit.playout(kit.deal(SHORT, seed=seed), "random").states for seed in range(25)]
    assert any(states[-1].games_won == (1, 1, 1) for states in matches)
    assert any(isinstance(event, GameTied) for states in matches for state in states for event in state.events)


def test_scores_and_trump_begin_anew_with_each_game_and_deals_are_counted_on() -> None:
    with_trump = kit.READINGS["trump"].read(SHORT, "by bids made")
    states = kit.playout(kit.deal(with_trump, seed=99), "random").states
    starts = [after for before, after in pairwise(states) if after.deal_number > before.deal_number]
    new_games = [state for state, row in zip(starts, states[-1].sheet, strict=False) if state.game_number > row.game]
    assert [state.game_number for state in new_games] == [2, 3]
    assert all((state.scores, state.trump) == ((0, 0, 0), None) for state in new_games)
    assert all(state.trump is not None for state in starts if state not in new_games)
    assert [row.deal for row in states[-1].sheet] == list(range(1, len(states[-1].sheet) + 1))
