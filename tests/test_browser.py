"""The lessons in a real JupyterLab in headless Chromium: worked by mouse and by keyboard, and what a click costs."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import LESSONS
from lab import open_and_run, show_output
from playwright.sync_api import expect
from using import CARD, Lesson, Widget, total_added_up, tricks_taken_rightly

import ninety_nine_kit as kit
from ninety_nine_kit.teaching import PREPARED
from ninety_nine_kit.tricks import best

pytestmark = pytest.mark.browser
SAYS = {"♣": 3, "♥": 2, "♠": 1, "♦": 0}
EVERY_LESSON = sorted(path.stem for path in LESSONS.glob("*.ipynb"))
WIDGETS = {"include": [[".jp-OutputArea-output:has(.nn-table)"]]}
# What sticks out of the output that it stands in, or of the window; wide tables below the felt are scrolled.
STICKS_OUT = """() => [...document.querySelectorAll('.nn-table')].flatMap(table => {
  const { left, right } = table.closest('.jp-OutputArea-output').getBoundingClientRect();
  const parts = table.querySelectorAll('button, input, select, .nn-board *, .nn-rules, .nn-row');
  return [...parts].filter(part => part.checkVisibility() && !part.closest('.nn-bar, .nn-rules table')).filter(part => {
    const box = part.getBoundingClientRect();
    return box.width && (box.left < left - 1 || box.right > Math.min(right, innerWidth) + 1);
  }).map(part => `${part.className} ${part.textContent}`);
})"""


@pytest.fixture(scope="module")
def lesson(lab: tuple[Any, str], request: pytest.FixtureRequest) -> Iterator[Lesson]:
    """One lesson, opened once for all tests that look at it."""
    opened = Lesson(lab[0].new_page())
    open_and_run(opened.page, lab[1], f"{request.param}.ipynb")
    yield opened
    opened.page.close()
    assert opened.errors == []


@pytest.mark.parametrize("lesson", EVERY_LESSON, indirect=True)
def test_no_rule_of_accessibility_is_broken_in_light_and_dark(lesson: Lesson) -> None:
    """Of the first table, what its buttons open too."""
    openers = lesson.page.locator(".nn-table:has(.widget-toggle-button)").first.locator(".widget-toggle-button").all()
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        lesson.page.evaluate("theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        lesson.page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=theme)
        for opener in openers:
            opener.click()
            expect(opener).to_have_class(re.compile("mod-active"))
        result = Axe().run(lesson.page, context=WIDGETS)
        assert result.violations_count == 0, f"{theme}\n{result.generate_report()}"
        assert len(result.response["passes"]) > 5
        for opener in openers:
            opener.click()


@pytest.mark.parametrize("lesson", EVERY_LESSON, indirect=True)
def test_nothing_is_cut_on_a_phone_or_at_200_percent(lesson: Lesson) -> None:
    wide = lesson.page.viewport_size
    for width, height in ((390, 844), (wide["width"] // 2, wide["height"] // 2)):
        lesson.page.set_viewport_size({"width": width, "height": height})
        lesson.page.wait_for_function("width => innerWidth === width", arg=width)
        assert lesson.page.evaluate(STICKS_OUT) == []
    lesson.page.set_viewport_size(wide)


def in_lesson(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("lesson", [name], indirect=True)


def rows_are_right(effects: Widget, rules: kit.AddingRules, other: kit.AddingRules, only: bool = False) -> None:
    """There is a row for each rank, or only for those that differ, and these are marked."""
    marks = {str(rank): effect != other.effects[rank] for rank, effect in rules.effects.items()}
    rows = effects.root.locator("tbody tr")
    expect(rows).to_have_count(sum(marks.values()) if only else len(marks))
    shown = {row.split()[0]: row.endswith("≠") for row in rows.all_inner_texts()}
    assert shown == {rank: differs for rank, differs in marks.items() if differs or not only}


def shares_of_deals_won(output: Any) -> list[list[float]]:
    """What a survey measured, or a comparison of two games and their difference, by place in turn."""
    rows = output.locator("table:has-text('Deals won, by place in turn') tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.last).to_be_visible()
    measured = [re.findall(r"([+−]?\d\.\d+) ±", row) for row in rows.all_inner_texts()]
    return [[float(number.replace("−", "-")) for number in row] for row in measured]


@in_lesson("00-start")
def test_a_first_card_is_laid_by_mouse_and_by_keyboard_and_a_new_game_is_dealt(lesson: Lesson) -> None:
    table = lesson.widget("table")
    table.click("8♣")
    table.tells("A lays 8♣: 0 → 8.", focus=CARD)
    total = total_added_up(table, kit.ADDING_RU)
    table.enter("2♥")
    table.tells(f"A lays 2♥: {total} → {total + 2}.", focus=CARD)
    total_added_up(table, kit.ADDING_RU, total)
    table.enter("New game")
    table.pick("Game", "Adding, Spanish text")
    table.write("Deal number", "7")
    table.shows(".nn-head", "Adding, Spanish text", "deal number 7")
    assert set(table.cards()) == set(map(str, kit.deal(kit.ADDING_ES, 3, 7).hands[0]))


@in_lesson("01-tricks-follow-suit")
def test_a_card_is_found_the_rule_is_told_and_a_question_is_answered(lesson: Lesson) -> None:
    watch, told = lesson.widget("watch"), PREPARED["follow suit"].steps
    watch.click("Go on", "Go on")
    watch.asks(told[2].guess)
    watch.click("Q♥")
    watch.refuses("⊘ Q♥ does not follow: ♠ was led", "You can play: 10♠.", focus=CARD)
    watch.click("10♠")
    watch.tells(told[2].comment, focus="Go on")
    watch.enter("Go on", "Go on")
    watch.asks(told[5].guess, focus=CARD)  # which is the lowest card?
    watch.enter("6♦")
    watch.tells(told[5].comment, focus="Go on")

    quiz = lesson.widget("quiz")
    cards, trump = quiz.cards(), re.search(r"trump ([♣♦♥♠])", quiz.text(".nn-facts"))
    quiz.click(cards[best(kit.cards(" ".join(cards)), kit.Suit(trump[1]) if trump else None, kit.TRICKS_FR.ranks)])
    quiz.tells("✓ Right.", focus="Next question")
    quiz.key("Enter")
    quiz.asks("was led. Which of these cards may you play? Choose all of them.", focus=CARD)
    led = quiz.text(".nn-todo").split()[0]
    quiz.enter(*([name for name in quiz.cards() if name[-1] == led[-1]] or quiz.cards()), "Check")
    quiz.tells("✓ Right.", focus="Next question")
    quiz.shows(".nn-head", "Question 2 · right: 2 of 2")


@in_lesson("02-bid-by-suit")
def test_suits_say_a_number_the_bid_is_laid_and_tricks_are_taken(lesson: Lesson) -> None:
    picker = lesson.widget("picker")
    hand, three = picker.cards(), picker.cards()[::4]
    for place, name in enumerate(three, start=1):
        picker.click(name)
        picker.asks(f"= {sum(SAYS[name[-1]] for name in three[:place])}")
    picker.click(hand[1])
    picker.refuses("Choose 3 cards, not 4.")
    picker.write("Ways to say", "3")
    ways = sum(sum(SAYS[name[-1]] for name in bid) == 3 for bid in combinations(hand, 3))
    picker.shows(".nn-sheet", f"Ways in which this hand can say 3: {ways}")
    picker.enter(three[0])
    picker.asks(f"= {sum(SAYS[name[-1]] for name in three[1:])} · Choose 1 more.", focus=three[0])

    table = lesson.widget("table")
    table.click("10♥", "10♠", "9♦")
    table.asks("♥2 + ♠1 + ♦0 = 3")
    table.enter("Lay aside", "pass")
    story, tricks = "", 0
    while not table.cards(".nn-no"):
        name = table.cards()[0]
        (table.enter if tricks % 2 else table.click)(name)
        table.tells(f"A plays {name}.", focus=CARD)
        story, tricks = story + table.text(".nn-story"), tricks + 1
        assert tricks_taken_rightly(story) == tricks
    before, illegal = table.cards(), table.cards(".nn-no")[0]
    table.enter(illegal)
    table.refuses(f"⊘ {illegal} does not follow: ", focus=illegal)
    assert table.cards() == before


@in_lesson("03-declare-and-reveal")
def test_three_diamonds_say_0_and_the_buttons_say_what_a_premium_costs(lesson: Lesson) -> None:
    revealed, told = lesson.widget("revealed"), PREPARED["reveal and make"].steps
    revealed.click("6♣", "7♣", "10♣", "Lay aside")
    revealed.refuses("⊘ bid 6♣ 7♣ 10♣ is allowed, but it is not the answer here.")
    revealed.enter("6♣", "7♣", "10♣", "6♦", "8♦", "K♦")
    revealed.asks("♦0 + ♦0 + ♦0 = 0")
    revealed.enter("Lay aside")
    revealed.tells(told[0].comment, focus="Go on")

    table = lesson.widget("table")
    table.click("10♥", "10♠", "9♦", "Lay aside")
    table.asks("announce a premium, or pass", focus="pass")
    expect(table.button("declare: +30; if it fails +30 for each other player")).to_be_visible()
    table.enter("reveal: +60; if it fails +60 for each other player")
    table.tells("A says: reveal.", "A opens the bid: ", "spell 3.", "A plays with an open hand: ", focus=CARD)


@in_lesson("04-running-total")
def test_a_card_counts_when_its_total_is_said_and_a_card_over_99_says_why(lesson: Lesson) -> None:
    practice = lesson.widget("practice")
    practice.click("5♥")
    practice.asks("You lay 5♥. What is the new total?", focus="New total")
    practice.write("New total", "6")
    practice.refuses("⊘ 6 is not right. The total is 0, and you lay 5♥. Count again.", focus="New total")
    practice.write("New total", "5")
    practice.asks("Right at once: 0 of 1.", focus=CARD)
    total = total_added_up(practice, kit.ADDING_RU)
    practice.enter("J♥")
    practice.write("New total", str(total + 10))
    practice.asks("Right at once: 1 of 2.", focus=CARD)
    total_added_up(practice, kit.ADDING_RU, total)

    over = lesson.widget("over")
    assert over.cards(".nn-no") == ["7♣", "Q♦"]
    assert over.holds_still("7♣")
    over.click("7♣")
    over.refuses("⊘ 7♣ would make 103, which is over 99.", focus="7♣")
    over.enter("Q♦")
    over.refuses("⊘ Q♦ would make 106, which is over 99.", focus="Q♦")
    over.shows(".nn-head", "total 96 of 99")
    over.enter("3♥")
    over.tells("A lays 3♥: 96 → 99.")


@in_lesson("05-three-texts")
def test_the_effects_of_two_games_stand_beside_each_other_and_a_spanish_card_is_laid(lesson: Lesson) -> None:
    effects = lesson.widget("effects")
    rows_are_right(effects, kit.ADDING_ES, kit.ADDING_PL)
    effects.choose("Compare with", "Adding, Russian text")
    rows_are_right(effects, kit.ADDING_ES, kit.ADDING_RU)
    effects.click("only differences")
    rows_are_right(effects, kit.ADDING_ES, kit.ADDING_RU, only=True)
    effects.pick("Compare with", "Adding, Polish text")
    rows_are_right(effects, kit.ADDING_ES, kit.ADDING_PL, only=True)
    effects.shows("tr:has(th:text-is('4'))", "+4direction turns≠")
    effects.reach(effects.box("only differences"))
    effects.key("Space")
    rows_are_right(effects, kit.ADDING_ES, kit.ADDING_PL)

    spanish = lesson.widget("spanish")
    spanish.click("J♥")
    spanish.tells("A lays J♥: 0 → 0.", focus=CARD)
    total = total_added_up(spanish, kit.ADDING_ES)
    spanish.enter(spanish.cards()[0])
    total_added_up(spanish, kit.ADDING_ES, total)


@in_lesson("06-paranoia")
def test_a_pair_says_what_it_makes_a_card_is_passed_and_a_typed_card_is_refused(lesson: Lesson) -> None:
    pairs = lesson.widget("pairs")
    expect(pairs.root.locator(".nn-scale small:visible")).to_have_text(["0", "33 (+1)", "66 (+2)", "99 (+3)"])
    pairs.click("3♣")
    pairs.asks("What shall the card do?")
    for label in "+3 → 53", "3♣ 3♦ → 33", "3♣ 3♦ → 33, direction turns":
        expect(pairs.button(label)).to_be_visible()
    pairs.enter("3♣ 3♦ → 33, direction turns")
    pairs.shows(".nn-head", "total 33 of 99", "counter-clockwise")

    passing = lesson.widget("passing")
    passing.click("K♣")
    passing.tells("A lays K♣: 40 → 50.", "A calls an exchange", focus=CARD)
    passing.enter("J♠")
    passing.tells("A passes J♠ to B.", focus=CARD)
    [got] = re.findall(rf"C passes ({CARD}) to A\.", passing.text(".nn-story"))
    assert (got in passing.cards(), "J♠" in passing.cards()) == (True, False)
    absent = next(name for name in ("2♣", "3♦", "4♥", "5♠") if name not in passing.cards())
    passing.write("Type a move", absent)
    passing.refuses(f"⊘ Not in the hand of A: {absent}.", focus="Type a move")
    expect(passing.box("Type a move")).to_have_value(absent)


@in_lesson("07-change-a-rule")
def test_a_sentence_is_read_in_two_ways_and_a_changed_rule_is_played(lesson: Lesson) -> None:
    readings, kings = lesson.widget("readings"), kit.READINGS["two kings"]
    readings.shows(".nn-rules", "«9 - значение суммы становится равным нулю»", "Nothing differs from")
    readings.shows("tr:has-text('✓')", "the total is 0 again", "A lays 9♥: 47 → 0.")
    readings.choose("Meaning", "As in the Polish text: a 9 counts nothing.")
    readings.shows("tr:has-text('a 9 counts nothing')", "A lays 9♥: 47 → 47.")
    readings.shows("tr:has-text('effects 9')", "total becomes 0+0")
    readings.pick("Sentence", "Paranoia, as in the Russian text: two kings")
    readings.shows(".nn-rules", f"«{kings.quote}»", "Nothing differs from", "The total is 40. A lays two kings.")
    readings.pick("Meaning", "An exchange, as after one king.")
    readings.shows("tr:has-text('pairs K')", "+10, exchange of a card")
    readings.shows("tr:has-text('as after one king')", "A lays K♣ K♥: 40 → 50. A calls an exchange")

    table = lesson.widget("hearts_table")
    table.click("10♥", "A♥")
    table.enter("9♦")
    table.asks("♥4 + ♥4 + ♦0 = 8")
    table.enter("Lay aside")
    table.shows(".nn-seat", "= 8")


@in_lesson("08-play-many")
def test_agents_play_by_one_button_and_the_measures_are_seen(lesson: Lesson) -> None:
    table, story = lesson.widget("table"), ""
    while "takes the trick" not in story:
        (table.enter if "aside" in story else table.click)("Go on")
        story += table.text(".nn-story")
        table.asks("press “Go on”", focus="Go on")
    assert story.count(" aside, face down.") == 3
    assert tricks_taken_rightly(story) == 1

    shares = shares_of_deals_won(show_output(lesson.page, "french"))
    assert sum(share for [share] in shares) == pytest.approx(1, abs=0.02)
    for before, after, difference in shares_of_deals_won(show_output(lesson.page, "rounds")):
        assert after - before == pytest.approx(difference, abs=0.0011)
    plot = show_output(lesson.page, "french.plot()").locator("img")
    expect(plot).to_be_visible()
    assert plot.evaluate("image => image.complete && image.naturalWidth") > 500
