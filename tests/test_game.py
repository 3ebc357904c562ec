"""Actions are written and read in one notation, a refusal says why and changes nothing, a history goes back and on."""

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.events import NotYourTurn

FIVE = ["6♣ 7♦ 8♥ Q♥ 9♣", "6♦ 7♥ 8♣ K♥ 9♦", "6♥ 7♣ 8♦ A♥ 9♥"]
BIDDING = kit.position(kit.TRICKS_FR, FIVE)
BIDS = ["6♣ 7♦ 8♥", "6♦ 7♥ 8♣", "6♥ 7♣ 8♦"]
ANNOUNCING = kit.position(kit.TRICKS_FR, ["Q♥ 9♣", "K♥ 9♦", "A♥ 9♥"], bids=BIDS, phase="announce")
TRICK = kit.position(kit.TRICKS_FR, ["9♣", "K♥ 9♦", "A♥ 9♥"], bids=BIDS, trick="Q♥")
OVER = TRICK.apply("K♥").apply("A♥").apply("9♥").apply("9♣").apply("9♦")
ADDING = kit.position(kit.ADDING_RU, ["A♥ 10♣ 4♦", "2♦ 3♦", "2♥ 3♥"], total=5)
HIGH = kit.position(kit.ADDING_RU, ["A♥ 10♣ 5♦", "2♦ 3♦", "2♥ 3♥"], total=90)
FULL = kit.position(kit.ADDING_RU, ["A♥ 10♣ 5♦", "2♦ 3♦", "2♥ 3♥"], total=99)
SPANISH = kit.position(kit.ADDING_ES, ["A♥ 10♣ K♦", "2♦ 3♦", "2♥ 3♥"], total=5)
PAIRS = kit.position(kit.PARANOIA_RU, ["3♣ 3♦ 2♠", "K♣ K♦ 5♦"])
KINGS = PAIRS.apply("3♣ 3♦ =33")
GIVING = PAIRS.apply("2♠")
ENDED = kit.position(kit.ADDING_RU, ["5♦", "2♦"], total=99).apply("5♦")


@pytest.mark.parametrize(
    "state, text",
    [
        (BIDDING, "bid 6♣ 7♦ 8♥"),
        (ANNOUNCING, "declare"),
        (ANNOUNCING, "reveal"),
        (ANNOUNCING, "pass"),
        (TRICK, "K♥"),
        (OVER, "next deal"),
        (ADDING, "A♥ +1"),
        (ADDING, "A♥ +11"),
        (ADDING, "10♣ +10"),
        (ADDING, "10♣ -10"),
        (ADDING, "4♦"),
        (SPANISH, "10♣"),
        (SPANISH, "K♦"),
        (PAIRS, "3♣ 3♦ =33"),
        (PAIRS, "3♣ 3♦ =33 reverse"),
        (KINGS, "K♣ K♦"),
        (GIVING, "give 3♦"),
    ],
)
def test_a_legal_action_is_written_and_read_in_one_notation(state: kit.State, text: str) -> None:
    action = kit.read_action(state, text)
    assert str(action) == text
    assert action in state.legal_actions()
    assert state.why_not(action) is None
    assert state.apply(text) == state.apply(action)


@pytest.mark.parametrize(
    "state, typed, text",
    [
        (BIDDING, "BID 8h 6C  7d", "bid 6♣ 7♦ 8♥"),
        (ANNOUNCING, " Declare ", "declare"),
        (TRICK, "kh", "K♥"),
        (OVER, "Next   Deal", "next deal"),
        (ADDING, "ah +11", "A♥ +11"),
        (ADDING, "TC −10", "10♣ -10"),
        (ADDING, "4d reverse", "4♦"),
        (SPANISH, "A♥ +1", "A♥"),
        (SPANISH, "tc -10", "10♣"),
        (PAIRS, "3d 3c =33 REVERSE", "3♣ 3♦ =33 reverse"),
        (GIVING, "Give 3D", "give 3♦"),
        (HIGH, "A♥", "A♥ +1"),  # the only legal row is taken
        (HIGH, "10♣", "10♣ -10"),
    ],
)
def test_what_people_type_is_read(state: kit.State, typed: str, text: str) -> None:
    assert kit.read_action(state, typed) == kit.read_action(state, text)
    assert str(kit.read_action(state, typed)) == text


def refused(state: kit.State, action: Any) -> kit.IllegalActionError:
    """The error of an illegal action, which must have left the state as it was."""
    before = deepcopy(state)
    with pytest.raises(kit.IllegalActionError) as error:
        state.apply(action)
    assert state == before
    assert error.value.action == action
    assert kit.narrate(error.value.why) == str(error.value)
    assert state.why_not(action) == error.value.why
    return error.value


def tells(error: kit.IllegalActionError, why: str, parts: str) -> None:
    """The refusal is of this kind, and its sentence holds these parts: the thing, the reason, what to do."""
    assert type(error.why).__name__ == why
    for part in parts.split(" | "):
        assert part in str(error)


@pytest.mark.parametrize(
    "text, why, parts",
    [
        ("", "NotAMove", "“” is not a move | Write for example Q♥, A♥ +11, bid 6♣ 7♦ 8♥, declare, pass, give 5♦"),
        ("hello", "NotAMove", "“hello” is not a move | Write for example"),
        ("+11", "NotAMove", "“+11” is not a move | Write for example"),
        ("give", "NotAMove", "“give” is not a move | Write for example"),
        ("give 5♦ 6♦", "NotAMove", "“give 5♦ 6♦” is not a move | Write for example"),
        ("11♥", "NotACard", "“11♥” is not a card | Write a rank and a suit, as in 10♥ or 10H"),
        ("A♥+1", "NotACard", "“A♥+1” is not a card | Write a rank and a suit"),
        ("A♥ up", "NotACard", "“up” is not a card | Write a rank and a suit"),
        ("bid 6♣ 7♣ x", "NotACard", "“x” is not a card | Write a rank and a suit"),
        ("A♥ +2", "NoSuchEffect", "A♥ cannot do “+2” | It can do: | +1 → 6 | +11 → 16"),
        ("4♦ +4", "NoSuchEffect", "4♦ cannot do “+4” | It can do: | reverse → 5"),
    ],
)
def test_a_text_that_names_no_action_is_refused_with_examples(text: str, why: str, parts: str) -> None:
    tells(refused(ADDING, text), why, parts)


@pytest.mark.parametrize(
    "state, text, choices",
    [
        (ADDING, "A♥", "+1 → 6 | +11 → 16"),
        (ADDING, "10♣", "+10 → 15 | 10 → −5"),
        (FULL, "A♥", "+1 → 100 | +11 → 110"),
        (PAIRS, "3♣ 3♦", "=33 → 33 | =33 reverse → 33"),
    ],
)
def test_an_ambiguous_text_is_refused_with_the_choices_and_their_totals(
    state: kit.State, text: str, choices: str
) -> None:
    tells(refused(state, text), "ChooseEffect", f"{text} can do more than one thing | Say which | {choices}")


@pytest.mark.parametrize(
    "state, text, why, parts",
    [
        (BIDDING, "bid 6♣ 7♦", "WrongNumber", "Choose 3 cards, not 2"),
        (BIDDING, "bid 6♣ 7♦ 8♥ Q♥", "WrongNumber", "Choose 3 cards, not 4"),
        (BIDDING, "bid 6♣ 7♦ 7♦", "NotInHand", "7♦ | in the hand of A | hoose"),
        (BIDDING, "bid 6♣ K♥ A♥", "NotInHand", "K♥ A♥ | in the hand of A | hoose"),
        (BIDDING, "Q♥", "WrongPhase", "Not now | first lay cards aside for a bid"),
        (ANNOUNCING, "Q♥", "WrongPhase", "Not now | first announce a premium, or pass"),
        (
            ANNOUNCING.apply("declare"),
            "declare",
            "PremiumTaken",
            "“declare” is too late | A has said | only something higher",
        ),
        (TRICK, "9♦", "MustFollow", "9♦ | ♥ was led and you hold ♥ | lay | K♥"),
        (TRICK, "A♠", "NotInHand", "A♠ | in the hand of B | hoose"),
        (TRICK, "K♥ 9♦", "WrongNumber", "Choose one card, not 2"),
        (TRICK, "pass", "WrongPhase", "Not now | it is time to play a card"),
        (TRICK, "bid K♥ 9♦ 6♠", "WrongPhase", "Not now | it is time to play a card"),
        (TRICK, "next deal", "WrongPhase", "Not now | it is time to play a card"),
        (OVER, "Q♥", "WrongPhase", "Not now | the deal is over; go on with the next deal"),
        (HIGH, "A♥ +11", "OverLimit", "A♥ | would make 101, which is over 99 | Lay a card that stays at 99 or less"),
        (ADDING, "9♠", "NotInHand", "9♠ | in the hand of A | hoose"),
        (ADDING, "4♦ A♥", "NotAPair", "4♦ A♥ | cannot be laid together | Lay one card"),
        (KINGS, "K♣ 5♦", "NotAPair", "K♣ 5♦ | cannot be laid together | Lay one card or one of the pairs | 3-3 | K-K"),
        (KINGS, "K♣ K♣", "NotInHand", "K♣ | in the hand of B | hoose"),
        (GIVING, "K♣", "WrongPhase", "Not now | first choose one card to pass"),
        (GIVING, "give K♣", "NotInHand", "K♣ | in the hand of A | hoose"),
        (ENDED, "2♦", "WrongPhase", "Not now | the match is over; start a new game"),
        (ENDED, "next deal", "WrongPhase", "Not now | the match is over; start a new game"),
    ],
)
def test_an_illegal_action_says_what_is_wrong_and_what_to_do(state: kit.State, text: str, why: str, parts: str) -> None:
    tells(refused(state, text), why, parts)
    assert kit.read_action(state, text) not in state.legal_actions()


@pytest.mark.parametrize(
    "state, action, why, parts",
    [
        (ADDING, kit.Play(kit.cards("A♥")), "ChooseEffect", "A♥ | Say which | +11 → 16"),
        (ADDING, kit.Play(()), "WrongNumber", "Choose one card, not 0"),
        (ADDING, kit.Play(kit.cards("A♥"), kit.Effect(add=12)), "NoSuchEffect", "A♥ | +12 | +1 → 6"),
        (ADDING, kit.Play(kit.cards("4♦"), kit.Effect(reverse=True)), "NoSuchEffect", "4♦ | reverse"),
        (TRICK, kit.Play(kit.cards("K♥"), kit.Effect()), "NoSuchEffect", "K♥ | +0"),
        (ANNOUNCING, kit.Announce(kit.Premium("double", made=9)), "NoSuchPremium", "no “double” | or pass"),
        (ADDING, kit.Announce(None), "WrongPhase", "Not now | it is time to play a card"),
    ],
)
def test_an_action_made_by_hand_is_judged_as_well(state: kit.State, action: Any, why: str, parts: str) -> None:
    tells(refused(state, action), why, parts)
    assert action not in state.legal_actions()


def test_bid_and_play_sort_their_cards() -> None:
    assert kit.Bid(kit.cards("8♥ 6♣ 7♦")) == kit.Bid(kit.cards("6♣ 7♦ 8♥"))
    assert kit.Play(kit.cards("3♦ 3♣")) == kit.Play(kit.cards("3♣ 3♦"))


def test_two_equal_cards_give_one_action() -> None:
    state = kit.position(kit.PARANOIA_RU, ["3♣ 3♣ 5♦", "2♦", "2♥", "2♠"])
    assert list(map(str, state.legal_actions())) == ["3♣", "5♦", "3♣ 3♣ =33", "3♣ 3♣ =33 reverse"]


def test_a_refusal_survives_pickle() -> None:
    error = refused(TRICK, "9♦")
    again = pickle.loads(pickle.dumps(error))
    assert (again.action, again.why, str(again)) == (error.action, error.why, str(error))


def test_when_the_match_is_over_nobody_is_to_act() -> None:
    assert (ENDED.phase, ENDED.to_act, ENDED.legal_actions()) == (kit.Phase.MATCH_OVER, None, ())
    assert ENDED.winners == (1,)


def test_a_state_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        ADDING.total = 7  # type: ignore[misc]
    with pytest.raises(AttributeError):
        ADDING.totl = 7  # type: ignore[attr-defined]


def test_nobody_plays_on_from_a_view() -> None:
    view, other = TRICK.seen_by(1), TRICK.seen_by(0)
    assert view.legal_actions() == TRICK.legal_actions()
    assert other.legal_actions() == ()
    assert other.why_not("K♥") == NotYourTurn(1)
    with pytest.raises(kit.IllegalActionError, match=r"hidden in this view, .* use the whole state"):
        view.apply("K♥")


def test_a_view_is_of_a_seat_that_is_there_and_made_from_the_whole_state() -> None:
    with pytest.raises(ValueError, match="there is no seat 3: seats are 0 to 2"):
        TRICK.seen_by(3)
    assert TRICK.seen_by(1).seen_by(1) == TRICK.seen_by(1)
    with pytest.raises(ValueError, match="this is a view already: ask the whole state for another one"):
        TRICK.seen_by(1).seen_by(0)


def played() -> kit.History:
    history = kit.History(ADDING)
    for text in ("A♥ +11", "2♦", "2♥"):
        history.play(text)
    return history


def test_a_history_goes_back_forward_and_to_any_step() -> None:
    history = played()
    assert [state.total for state in history.states] == [5, 16, 18, 20]
    assert [history.back().total for _ in range(4)] == [18, 16, 5, 5]
    assert [history.forward().total for _ in range(4)] == [16, 18, 20, 20]
    assert history.go(1).total == history.state.total == 16
    for step in (-1, 4):
        with pytest.raises(ValueError, match=f"there is no step {step}: this game has steps 0 to 3"):
            history.go(step)
    assert history.state.total == 16


def test_playing_from_an_earlier_step_drops_what_came_after() -> None:
    history = played()
    history.go(1)
    assert history.play("3♦").total == 19
    assert [state.total for state in history.states] == [5, 16, 19]
    assert history.forward() == history.states[-1]


def test_an_illegal_action_leaves_the_history_whole() -> None:
    history = played()
    history.go(1)
    before = list(history.states)
    for action in ("K♠", "nonsense", kit.NextDeal()):
        with pytest.raises(kit.IllegalActionError):
            history.play(action)
    assert (history.states, history.state) == (before, before[1])


def test_a_history_leaves_the_first_state_alone() -> None:
    before = deepcopy(ADDING)
    assert played().states[0] is ADDING
    assert before == ADDING


def test_actions_made_by_hand_are_values_too_and_slips_are_told() -> None:
    card = kit.cards("A♥")[0]
    assert kit.Play([card]) == kit.Play((card,))  # type: ignore[arg-type]
    assert hash(kit.Bid(list(kit.cards("8♥ 7♦ 6♣")))) == hash(kit.Bid(kit.cards("6♣ 7♦ 8♥")))  # type: ignore[arg-type]
    for wrong in (lambda: kit.Play(card), lambda: kit.Announce("declare"), lambda: ADDING.why_not(3)):  # type: ignore
        with pytest.raises(TypeError, match=r"give|no action"):
            wrong()


@pytest.mark.parametrize(
    "state, text, told",
    [
        (ADDING, "declare", "Not now: it is time to play a card."),
        (TRICK, "K♥ +10", "“+10” means nothing here: play K♥ as it is."),
        (BIDDING, "reveal", "Not now: first lay cards aside for a bid."),
    ],
)
def test_a_move_of_another_game_or_moment_is_explained(state: kit.State, text: str, told: str) -> None:
    why = state.why_not(text)
    assert why is not None
    assert kit.narrate(why) == told


def test_a_premium_that_the_rules_lack_is_explained() -> None:
    russian = kit.position(kit.TRICKS_RU, ["Q♥ 9♣", "K♥ 9♦", "A♥ 9♥"], bids=BIDS, phase="announce")
    why = russian.why_not("reveal")
    assert why is not None
    assert kit.narrate(why) == "These rules have no “reveal”: say something else or pass."


def test_a_premium_of_ones_own_is_read_back() -> None:
    grand = replace(kit.TRICKS_RU, premiums=(kit.Premium("Grand", made=40, failed=-80),))
    state = kit.position(grand, ["Q♥ 9♣", "K♥ 9♦", "A♥ 9♥"], bids=BIDS, phase="announce")
    assert [kit.read_action(state, str(action)) for action in state.legal_actions()] == [*state.legal_actions()]
    with pytest.raises(ValueError, match="tricks-ru: a premium cannot be called “pass”"):
        replace(grand, premiums=(kit.Premium("pass", made=40),))


def test_an_illegal_text_in_a_history_stays_text() -> None:
    with pytest.raises(kit.IllegalActionError) as refused:
        kit.History(HIGH).play("a♥ +11")
    assert refused.value.action == "a♥ +11"
