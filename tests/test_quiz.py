"""The quiz, answered by pressing the cards and buttons that it shows, and by typing."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from seeing import PRESETS, Sent, board, choices, enter, faces, focus_after, hand, labels, press, texts, told

import ninety_nine_kit as kit
from ninety_nine_kit.teaching import KINDS, kinds_for, question
from ninety_nine_kit.widgets import Quiz

pytestmark = pytest.mark.usefixtures("no_handler_fails")

#: A kind of question for each way to answer: a number, one card, several cards.
WAYS = [(kit.TRICKS_RU, "bid", "number"), (kit.TRICKS_FR, "takes", "card"), (kit.ADDING_RU, "safe", "cards")]
EACH_WAY = pytest.mark.parametrize(("rules", "kind"), [way[:2] for way in WAYS], ids=[takes for _, _, takes in WAYS])


def wrong(quiz: Quiz) -> str:
    """A readable answer that is not right."""
    asked, right = quiz.question, quiz.question.answer.split()
    if asked.takes == "number":
        return str(int(asked.answer.replace("−", "-")) + 1)
    return next((card for card in map(str, asked.cards) if card not in right), right[0])


def give(quiz: Quiz, answer: str) -> None:
    """Answers with the buttons shown, and by typing only where a number is asked for."""
    if quiz.question.takes == "number":
        enter(quiz.typed, answer)
    else:
        press(quiz, *answer.split(), *["Check"] * (quiz.question.takes == "cards"))


def score(quiz: Quiz) -> str:
    found = re.search(r"right: (\d+ of \d+)", told(quiz))
    assert found
    assert found[0] in repr(quiz)
    return found[1]


ANSWERS: dict[str, tuple[Callable[[Quiz], None], str, str]] = {
    "pressed": (lambda quiz: give(quiz, quiz.question.answer), "✓ Right.", "1 of 1"),
    "typed": (lambda quiz: enter(quiz.typed, f" {quiz.question.answer} "), "✓ Right.", "1 of 1"),
    "wrong": (lambda quiz: give(quiz, wrong(quiz)), "is not right. The answer is {}.", "0 of 1"),
    "shown": (lambda quiz: press(quiz, "Show the answer"), "The answer is {}.", "0 of 1"),
}


@EACH_WAY
@pytest.mark.parametrize("answer", ANSWERS)
def test_the_first_answer_counts_and_is_told_with_its_reason(rules: Any, kind: str, answer: str) -> None:
    quiz, (act, reaction, counted) = Quiz(rules, kind, seed=3), ANSWERS[answer]
    assert score(quiz) == "0 of 0"
    act(quiz)
    assert reaction.format(quiz.question.answer) in told(quiz)
    assert quiz.question.reason in told(quiz)
    assert quiz.question.reason in repr(quiz)
    assert (score(quiz), labels(quiz)) == (counted, ["Next question"])
    before = texts(quiz)
    quiz.answer(quiz.question.answer)
    quiz.show_answer()
    press(quiz, *faces(quiz))
    assert texts(quiz) == before
    enter(quiz.typed, quiz.typed.value)  # the next Enter goes on
    assert f"Question 2 · right: {counted}" in told(quiz)
    assert quiz.typed.value == ""


@EACH_WAY
def test_an_unreadable_answer_is_told_loses_nothing_and_does_not_count(rules: Any, kind: str) -> None:
    quiz = Quiz(rules, kind)
    asked, shown = quiz.question, labels(quiz)
    for typed in ("", "hello", "5.5", "2♣ 2♣ 2♣ ?", "1♥", "<b>", "2♦ 3♦"):
        enter(quiz.typed, typed)
        assert "⊘ " in told(quiz)
        assert "⊘ " in repr(quiz)
        assert asked.reason not in told(quiz)
        assert (quiz.question, labels(quiz), quiz.typed.value) == (asked, shown, typed)
    quiz.typed.value = ""
    give(quiz, asked.answer)
    assert "nn-no-way" not in board(quiz)
    assert score(quiz) == "1 of 1"


def test_cards_are_picked_and_taken_back_before_the_check_and_all_must_be_right() -> None:
    quiz = Quiz(kit.ADDING_RU, "safe", seed=1)
    while len(quiz.question.answer.split()) < 2:
        press(quiz, "Next question")
    first = quiz.question.answer.split()[0]
    press(quiz, first)
    assert faces(quiz, "nn-picked") == [first]
    press(quiz, first)
    assert faces(quiz, "nn-picked") == []
    press(quiz, "Check")
    assert re.search(f"⊘ [^⊘]*{' '.join(map(str, quiz.question.cards))}", told(quiz))
    assert score(quiz) == "0 of 0"
    press(quiz, first, "Check")
    assert "is not right" in told(quiz)
    assert score(quiz) == "0 of 1"


def test_the_menu_chooses_the_kind_of_question_and_a_restart_forgets_it_with_the_score() -> None:
    quiz, kinds = Quiz(kit.TRICKS_FR, seed=5), kinds_for(kit.TRICKS_FR)
    first = (repr(quiz), quiz.kinds.label)
    assert [label for label, _ in quiz.kinds.options] == ["all kinds", *(KINDS[kind].title for kind in kinds)]
    assert [label for label, _ in Quiz(kit.TRICKS_FR, ["bid"]).kinds.options] == [KINDS["bid"].title]
    quiz.answer(quiz.question.answer)
    for chosen in (tuple(kinds), *((kind,) for kind in kinds)):
        quiz.kinds.value = chosen
        for _ in chosen * 2:
            kind = chosen[quiz.number % len(chosen)]
            assert quiz.question == question(kind, quiz.rules, f"5/{quiz.number}")
            quiz.next()
    assert score(quiz) == "1 of 1"
    quiz.restart()
    assert (repr(quiz), quiz.kinds.label) == first


@PRESETS
def test_thirty_questions_are_asked_and_answered_in_every_game(rules: Any) -> None:
    """Each looks the same whatever its answer is: no text, tooltip or class has it, or its reason, before. Another
    quiz with the same seed asks the same, and one with another seed something else."""
    quiz, same, other, different = Quiz(rules, seed=7), Quiz(rules, seed="7"), Quiz(rules, seed=8), 0
    for number in range(1, 31):
        quiz._draw()  # it said the question when it came, and does not say it again
        asked, before = quiz.question, texts(quiz)
        assert f"Question {number} · right: {number - 1} of {number - 1}" in told(quiz)
        assert asked.ask in told(quiz)
        assert faces(quiz) == ([] if asked.takes == "number" else list(map(str, asked.cards)))
        assert all(str(card) in told(quiz) or str(card) in faces(quiz) for card in asked.cards)
        assert labels(quiz) == ["Check"] * (asked.takes != "card") + ["Show the answer", "Next question"]
        assert quiz.buttons() == [*hand(quiz), *choices(quiz)]
        quiz.question = asked._replace(answer="98765", reason="Because of secrets.")
        quiz._draw()
        assert texts(quiz) == before
        quiz.question = asked
        for each in (quiz, same):
            give(each, asked.answer)
            assert "✓ Right." in told(each)
            press(each, "Next question")
        different += asked != other.question
        press(other, "Next question")
        assert f"Question {number + 1} · right: 0 of 0" in told(other)  # what is not answered does not count
    assert different > 20


def test_a_hand_of_more_than_twelve_cards_can_be_asked_about() -> None:
    quiz = Quiz(replace(kit.ADDING_RU, hand_size=14, players=(2,)), "safe")
    assert faces(quiz) == list(map(str, quiz.question.cards))


@pytest.mark.parametrize(("rules", "kind", "takes"), WAYS)
def test_focus_goes_on_from_answer_to_next_question_and_back(rules: Any, kind: str, takes: str, sent: Sent) -> None:
    quiz = Quiz(rules, kind)
    if takes == "cards":
        assert focus_after(quiz, sent, "Check") == []  # where the answer can be mended
    assert focus_after(quiz, sent, "Show the answer") == [quiz.commands["next"]]
    assert focus_after(quiz, sent, "Next question") == [quiz.typed if takes == "number" else quiz.cards[0]]
    sent.clear()
    press(quiz, "Show the answer", "Next question")
    assert "focus" not in str(sent)  # a cell does not move the reader's focus
