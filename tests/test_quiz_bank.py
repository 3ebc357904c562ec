"""The quiz bank asks twenty questions a game, the engine proves the answers, and a wrong one would be seen."""

import ast
import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

import ninety_nine_kit as kit

FILE = Path(__file__).resolve().parents[1] / "notebooks" / "quiz-bank.md"
TEXT = FILE.read_text(encoding="utf-8")
QUESTION = re.compile(
    r"^(?P<number>\d+)\. +(?P<question>\S.*)\n"
    r"\n {4}\*\*Answer:\*\* (?P<answer>\S.*)\n"
    r"(?:\n {4}<!--\n(?P<check>(?: {4}.*\n|\n)*?)\n {4}-->\n)?",
    flags=re.MULTILINE,
)


class Question(NamedTuple):
    title: str
    number: int
    question: str
    answer: str
    check: str

    @property
    def wants(self) -> list[str]:
        """What the engine is expected to say."""
        return [example.want for example in examples(self.check) if example.want]


def examples(text: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(text)


def sections(text: str) -> dict[str, list[Question]]:
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {
        title: [
            Question(title, int(found["number"]), found["question"], found["answer"], found["check"] or "")
            for found in QUESTION.finditer(body)
        ]
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    }


def questions(text: str) -> list[Question]:
    return [question for asked in sections(text).values() for question in asked]


def run(text: str, spoil: bool = False) -> tuple[int, str]:
    """Runs the doctests of the whole file, or runs them with every expected value made wrong: failures, report."""
    test = doctest.DocTestParser().get_doctest(text, {}, FILE.name, str(FILE), 0)
    for example in test.examples if spoil else ():
        example.want = example.want and f"not {example.want}"
    report: list[str] = []
    failed = doctest.DocTestRunner(verbose=False).run(test, out=report.append).failed
    return failed, "".join(report)


def atoms(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple | set):
        for part in value:
            yield from atoms(part)
    else:
        yield value


def stands_in(atom: Any, answer: str) -> bool:
    """A number, name or card stands in the answer; True goes with “Yes”, False with “No”."""
    if isinstance(atom, bool):
        return not answer.startswith("No" if atom else "Yes")
    return bool(re.search(rf"(?<![\w-]){re.escape(str(atom))}(?!\w)", answer.replace("−", "-")))


def disagreements(text: str) -> list[str]:
    """Where the answer that is read does not say what the engine is expected to say."""
    return [
        f"{question.title}, {question.number}: “{question.answer}” does not say {atom!r}"
        for question in questions(text)
        for want in question.wants
        for atom in atoms(ast.literal_eval(want))
        if not stands_in(atom, question.answer)
    ]


def changed(before: str, after: str) -> str:
    """A copy of the file with one place changed."""
    assert TEXT.count(before) == 1, before
    return TEXT.replace(before, after)


def test_every_preset_has_its_section_in_order() -> None:
    assert list(sections(TEXT)) == [rules.title for rules in kit.PRESETS.values()]
    assert len(re.findall(r"^# ", TEXT, flags=re.MULTILINE)) == 1


@pytest.mark.parametrize("title", [rules.title for rules in kit.PRESETS.values()])
def test_a_section_asks_twenty_different_questions_with_answers(title: str) -> None:
    asked = sections(TEXT)[title]
    assert [question.number for question in asked] == list(range(1, 21))
    assert len({re.sub(r"\W+", " ", question.question).lower() for question in asked}) == 20
    for question in asked:
        assert re.search(r"\?$", question.question), question
        assert re.search(r"[.)]$", question.answer), question


def test_no_question_or_answer_is_left_unread_by_these_tests() -> None:
    assert len(questions(TEXT)) == TEXT.count("**Answer:**") == len(re.findall(r"^\d+\. ", TEXT, flags=re.MULTILINE))
    in_comments = sum(len(examples(question.check)) for question in questions(TEXT))
    head = TEXT.partition("\n## ")[0]
    assert len(examples(TEXT)) == in_comments + len(examples(head))


def test_the_engine_gives_every_answer() -> None:
    failed, report = run(TEXT)
    assert not failed, report


def test_nearly_all_questions_are_checked_by_the_engine() -> None:
    checked = [question for question in questions(TEXT) if question.wants]
    print(f"{len(checked)} of {len(questions(TEXT))} questions are checked by the engine")
    assert len(checked) >= 110


def test_an_answer_says_what_the_engine_says() -> None:
    assert disagreements(TEXT) == []


def test_every_single_check_can_fail() -> None:
    failed, _ = run(TEXT, spoil=True)
    assert failed == sum(len(question.wants) for question in questions(TEXT))


def test_one_wrong_expected_value_is_seen() -> None:
    failed, report = run(changed('"A♥")\n    [89, 99]\n', '"A♥")\n    [89, 98]\n'))
    assert failed == 1
    assert "Expected:\n    [89, 98]\nGot:\n    [89, 99]\n" in report


@pytest.mark.parametrize(
    "before, after",
    [
        ("**Answer:** 89 or 99.", "**Answer:** 89 or 98."),
        ("**Answer:** −57 (3 − 60).", "**Answer:** 57 (60 − 3)."),
        ("**Answer:** Only J♠.", "**Answer:** Only 9♣."),
        ("**Answer:** Yes, it makes 99, and 99 is allowed.", "**Answer:** No, it makes 99."),
    ],
)
def test_a_wrong_visible_answer_is_seen(before: str, after: str) -> None:
    assert len(disagreements(changed(before, after))) == 1


def test_it_shows_as_one_list_of_twenty_a_game_and_no_code() -> None:
    shown = re.sub(r"<!--.*?-->", "", MarkdownIt("commonmark").render(TEXT), flags=re.DOTALL)
    _, *games = shown.split("<h2>")
    assert [(game.count("<ol"), game.count("<li>")) for game in games] == [(1, 20)] * len(kit.PRESETS)
    assert shown.count("<strong>Answer:</strong>") == 120
    for trace in ("&gt;&gt;&gt;", "--&gt;", "<pre", "<code"):
        assert trace not in shown
