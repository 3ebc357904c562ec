"""What a screen reader is told after a click, a move typed, a step: once, in words, and nothing that is hidden."""

from typing import Any

from seeing import CARD, adding, click, enter, step_on

import ninety_nine_kit as kit
from ninety_nine_kit.teaching import PREPARED
from ninety_nine_kit.widgets import BidPicker, Quiz, Table, TotalPractice


def said(panel: Any) -> str:
    return str(panel._live.text)


def use(panel: Any, *names: str) -> str:
    """Clicks buttons in the browser; what is said then."""
    for name in names:
        click(panel.button(name))
    return said(panel)


def test_a_table_is_silent_until_somebody_touches_it_and_again_after_restart() -> None:
    table = Table(kit.ADDING_RU, seed=99)
    table.play("8♣")
    assert said(table) == ""
    assert use(table, "2♥").startswith("A lays 2♥: 20 → 22. A draws ")
    assert said(table).endswith(" A: play a card.")
    table.restart()
    table.play("8♣")
    assert said(table) == ""


def test_a_refusal_is_said_alone_and_a_second_time_too() -> None:
    table = Table(adding("7♣ 2♥ Q♦", total=95))
    refused = "7♣ would make 102, which is over 99. Lay a card that stays at 99 or less."
    assert use(table, "Back", "7♣") == refused
    assert use(table, "7♣") == f"{refused}\u00a0"


def test_steps_and_typed_moves_are_said() -> None:
    table = Table(kit.ADDING_RU, seed=99)
    enter(table.controls.action, "8♣")
    assert said(table).startswith("A lays 8♣: 0 → 8. ")
    assert use(table, "Back").startswith("A lays 8♣: 0 → 8. A draws 2♠. B lays 2♣: 8 → 10. ")
    table.controls.step.value = 0
    assert said(table) == "Deal 1. Dealer: C. Cards for each player: 3. A: play a card."


def test_what_is_said_for_one_person_is_gone_when_the_hand_of_another_is_shown() -> None:
    table = Table(kit.ADDING_RU, seed=99, agents=None)
    assert set(CARD.findall(use(table, "8♣"))) <= {"8♣"}  # B sits down; the card that A drew is not named
    assert "Pass to B, then show the hand." in said(table)
    table.controls.view.value = 0
    assert "A draws 2♠." in said(table)
    table.controls.view.value = "spectator"
    assert "2♠" not in said(table)


def test_a_prepared_deal_says_its_comment_and_its_question() -> None:
    table = Table(PREPARED["follow suit"])
    for _ in range(2):
        step_on(table)
    assert use(table, "Q♥").endswith("Q♥ does not follow: ♠ was led and you hold ♠. You can play: 10♠.")
    assert PREPARED["follow suit"].steps[2].comment in use(table, "10♠")


def test_a_question_is_said_with_its_cards_and_then_the_answer_and_why() -> None:
    quiz = Quiz(kit.TRICKS_FR, "bid", seed=1)
    text = use(quiz, "Next question")
    assert all(str(card) in text for card in quiz.question.cards)
    assert text.endswith(quiz.question.ask)
    enter(quiz.typed, quiz.question.answer)
    assert said(quiz) == f"✓ Right. {quiz.question.reason}"
    scores = Quiz(kit.TRICKS_FR, "score", seed=1)
    assert "Seat Bid Tricks Premium A " in use(scores, "Next question")


def test_chosen_cards_are_said_after_a_refusal_too() -> None:
    quiz = Quiz(kit.ADDING_RU, "safe", seed=1)
    assert "⊘ Choose from these cards: " in use(quiz, "Check")
    first = str(quiz.question.cards[0])
    assert use(quiz, first) == f"Chosen: {first}"
    assert use(quiz, first) == "Chosen: –"


def test_the_sum_of_a_bid_is_said_and_how_often_a_hand_can_say_a_number() -> None:
    picker = BidPicker(kit.TRICKS_RU)
    assert use(picker, "10♥").endswith("♥2 = 2 · Choose 2 more.")
    assert use(picker, "10♠") == "♥2 + ♠1 = 3 · Choose 1 more."
    picker.number.value = 3
    assert said(picker).startswith("Ways in which this hand can say 3: ")


def test_a_practice_asks_for_the_total_and_says_what_is_wrong() -> None:
    practice = TotalPractice(adding("5♥ 2♥ Q♦", total=20))
    assert "You lay 5♥. What is the new total?" in use(practice, "5♥")
    enter(practice.new_total, "26")
    assert said(practice).startswith("26 is not right.")
    enter(practice.new_total, "25")
    assert said(practice).startswith("A lays 5♥: 20 → 25. ")
