"""A survey counts what was played, says how sure it is, and draws only what it also says in words."""

import logging
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import matplotlib
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import ninety_nine_kit as kit
from ninety_nine_kit.experiment import Measure, Survey, before_after, plot, survey
from ninety_nine_kit.experiment.measure import average, share

each_preset = pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
PLUS_NINE: Any = replace(kit.ADDING_RU, effects=kit.ADDING_RU.effects | {"9": kit.Effect(add=9)})


@pytest.fixture(scope="module")
def tweak() -> tuple[Survey, Survey]:
    """The Russian adding game, before and after its nine was made to count nine."""
    return survey(kit.ADDING_RU, 40, agents="random"), survey(PLUS_NINE, 40, agents="random")


@pytest.fixture(scope="module")
def tricks() -> Survey:
    """A sensible player against two that play at random."""
    return survey(kit.TRICKS_FR, 30, agents=["simple", "random", "random"])


def rows(surveyed: Survey, title: str) -> list[Measure]:
    return list(surveyed.measures()[title].values())


def by_place(surveyed: Survey) -> list[Measure]:
    return list(next(iter(surveyed.measures().values())).values())


@each_preset
def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(rules: Any) -> None:
    one = survey(rules, 6, seed=99)
    assert one == survey(rules, 6, seed=99)
    assert one.results == survey(rules, 8, seed="99").results[:6]
    assert one.results != survey(rules, 6, seed=98).results


def test_a_fresh_process_gives_the_same_text(tweak: tuple[Survey, Survey]) -> None:
    code = (
        "import ninety_nine_kit as kit; from ninety_nine_kit.experiment import survey;"
        "print(survey(kit.ADDING_RU, 40, agents='random'))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
    assert told.decode().splitlines() == str(tweak[0]).splitlines()


def count_by_hand(rules: Any, deals: int) -> list[tuple[Any, ...]]:
    """Who acted first, who won each deal (or lost it, where a deal has a loser), the points, the lays, the bids made.

    From whole matches as `playout` gives them; deals in which a player is missing are left out.
    """
    counted: list[tuple[Any, ...]] = []
    match = 0
    while len(counted) < deals:
        history = kit.playout(kit.deal(rules, 3, seed=f"7.{match}", dealer=match % 3), "random", max_actions=2_000)
        match += 1
        by_deal: dict[int, list[Any]] = {}
        for state in history.states:
            by_deal.setdefault(state.deal_number, []).append(state)
        for number, (start, *_, end) in by_deal.items():
            if min(getattr(start, "lives", [1])) == 0 or end.phase is kit.Phase.PLAY or len(counted) == deals:
                break
            points = end.sheet[number - 1].points
            if isinstance(rules, kit.TrickRules) or rules.rounds:
                best = [seat for seat in range(3) if points[seat] == max(points)]
            else:
                loses = rules.over_limit == "deal over"
                best = [seat for seat in range(3) if (end.lives[seat] < start.lives[seat]) == loses]
            steps = zip(history.states, history.actions, history.states[1:], strict=False)
            lays = sum(
                before.deal_number == number and isinstance(action, kit.Play) and before.lives == after.lives
                for before, action, after in steps
                if isinstance(before, kit.AddingState)
            )
            bids = isinstance(start, kit.TrickState)
            made = [end.bid_value(seat) == end.won[seat] for seat in range(3)] if bids else []
            counted.append((start.to_act, tuple(best), points, lays, made))
    return counted


@each_preset
def test_every_deal_is_counted_as_by_hand(rules: Any) -> None:
    surveyed = survey(rules, 25, agents="random", seed=7)
    by_hand = count_by_hand(rules, 25)
    assert len(surveyed.results) == 25
    for result, (first, best, points, lays, made) in zip(surveyed.results, by_hand, strict=True):
        assert result.order == (first, (first + 1) % 3, (first + 2) % 3)
        assert (result.best, result.points, result.lays) == (best, points, lays)
        assert [bid == tricks for bid, tricks in zip(result.bids, result.tricks, strict=True)] == made


@each_preset
def test_the_table_holds_the_shares_of_what_was_counted(rules: Any) -> None:
    surveyed = survey(rules, 25, agents="random", seed=7)
    by_hand = count_by_hand(rules, 25)
    first = sum(1 / len(best) for to_act, best, *_ in by_hand if to_act in best)
    assert by_place(surveyed)[0].value == pytest.approx(first / 25)
    if isinstance(rules, kit.TrickRules):
        made = [hit for *_, hits in by_hand for hit in hits]
        assert surveyed.measures()["Bids made"]["all"] == share(sum(made), 75)
    else:
        lays = [lays for *_, lays, _ in by_hand]
        assert surveyed.measures()["Length of a deal"]["lays"] == average(lays)


@each_preset
def test_shares_add_up_to_one(rules: Any) -> None:
    surveyed = survey(rules, 20, players=max(rules.players), agents=["simple", *["random"] * (max(rules.players) - 1)])
    shares = [title for title in surveyed.measures() if title.startswith("Deals ")]
    assert len(shares) >= 2
    for title in shares:
        assert sum(row.value for row in rows(surveyed, title)) == pytest.approx(1)


def test_bids_by_number_add_up_to_all_bids(tricks: Survey) -> None:
    all_bids, *by_number = rows(tricks, "Bids made")
    assert all_bids.n == sum(row.n for row in by_number) == 90
    assert all_bids.value * 90 == pytest.approx(sum(row.value * row.n for row in by_number))


def near(measure: Measure, known: float) -> bool:
    """Within twice the give or take, that is four standard errors."""
    return abs(measure.value - known) < 2 * measure.margin


def test_random_players_make_the_share_of_bids_that_is_known() -> None:
    """rules.md 3.6: random bids and random legal play, 0.120."""
    assert near(survey(kit.TRICKS_RU, 200, agents="random").measures()["Bids made"]["all"], 0.120)


@pytest.mark.parametrize(
    "rules, known",
    [
        (replace(kit.ADDING_RU, over_limit="deal over", objective="first out"), 18.7),
        (kit.ADDING_PL, 12.4),
        (kit.ADDING_ES, 13.6),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_round_of_random_players_lasts_as_long_as_is_known(rules: Any, known: float) -> None:
    """rules.md 3.6: lays until somebody is over 99, three players."""
    length = survey(rules, 150, agents="random").measures()["Length of a deal"]["lays"]
    assert near(length, known)
    assert length.margin < known / 6


def test_the_give_or_take_is_that_of_the_textbook() -> None:
    for hits, n in ((30, 100), (102, 300), (1, 2)):
        p = (hits + 2) / (n + 4)
        assert share(hits, n) == Measure(hits / n, pytest.approx(1.96 * (p * (1 - p) / (n + 4)) ** 0.5), n)
    assert str(share(102, 300)) == "0.34 ± 0.05"
    assert str(share(0, 300)) == "0.00 ± 0.01"
    assert str(average([1, -3])) == "−1.0 ± 3.9"
    assert str(average([-1, 1, 0, 0])) == "0.0 ± 0.8"
    assert str(average([5])) == "5.0 ± ?"


def test_a_strong_player_is_seen_to_win_more(tricks: Survey) -> None:
    simple, *others = rows(tricks, "Deals won, by seat")
    assert simple.value - simple.margin > 1 / 3 > max(row.value for row in others)
    assert "A (simple)" in str(tricks)


def test_a_survey_tells_what_was_surveyed_as_text_and_as_html(tricks: Survey) -> None:
    assert str(tricks) == repr(tricks)
    assert str(tricks).startswith(
        "30 deals of “Tricks, French text” with 3 players (A (simple), B (random), C (random)), seed 1.\n"
    )
    for text in ("Deals won, by place in turn", "1 (acts first)", "Bids made", "±"):
        assert text in str(tricks)
        assert text in tricks._repr_html_()


def test_names_from_outside_are_escaped() -> None:
    rules: Any = replace(kit.ADDING_PL, title="<b>$x$_ & co</b>")
    surveyed = survey(rules, 2)
    assert "<b>" not in surveyed._repr_html_() + before_after(surveyed, surveyed, ["<b>", "<b>"])._repr_html_()
    assert plot(surveyed, survey(kit.ADDING_PL, 2)).png


def test_before_and_after_tell_the_difference_and_whether_it_is_clear(tweak: tuple[Survey, Survey]) -> None:
    told = before_after(*tweak)
    lines = [line.split("  ") for line in str(told).splitlines()]
    [length] = [[cell.strip() for cell in line if cell] for line in lines if "lays" in line[1:2]]
    one, two = (survey.measures()["Length of a deal"]["lays"] for survey in tweak)
    assert length[1:3] == [str(one), str(two)]
    assert length[3].startswith("−") and length[4] == "yes"
    assert "Length of a deal: 1 of 1 differences clear." in str(told)
    assert str(one) in told._repr_html_()


def test_a_survey_does_not_differ_from_itself(tricks: Survey) -> None:
    told = str(before_after(tricks, tricks))
    assert "yes" not in told
    assert "+0.00 ± " in told
    assert "0 of 3 differences clear." in told


def test_what_only_one_of_two_surveys_has_is_left_empty(tricks: Survey, tweak: tuple[Survey, Survey]) -> None:
    told = str(before_after(tricks, tweak[0], ["tricks", "adding"]))
    [every] = [line for line in told.splitlines() if line.startswith("  all ")]
    assert every.split()[-3:] == ["–", "–", "–"]


@pytest.mark.parametrize(
    "given, reason",
    [
        ({"deals": 0}, "deals must be a whole number from 1 up, such as 300, not 0"),
        ({"deals": -5}, "deals must be a whole number"),
        ({"deals": 2.5}, "deals must be a whole number"),
        ({"deals": True}, "deals must be a whole number"),
        ({"deals": "many"}, "deals must be a whole number"),
        ({"seed": None}, "a seed is a whole number or a text, not None"),
        ({"players": 7}, "adding-ru: is not for 7 players; allowed: 2, 3, 4, 5"),
        ({"players": "3"}, "adding-ru: players must be a whole number, not '3'"),
        ({"agents": "clever"}, "no agent 'clever'; there are: random, first, simple, or give a function"),
        ({"agents": None}, "no agent None; there are"),
        ({"agents": ["simple"]}, "1 agents for 3 seats"),
        ({"agents": {0: "simple"}}, "1 agents for 3 seats"),
    ],
)
def test_what_cannot_be_surveyed_is_refused_in_words(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        survey(kit.ADDING_RU, **given)
    assert str(refused.value).startswith(reason)


def test_a_deal_without_end_is_refused_with_the_name_of_the_rules(monkeypatch: Any) -> None:
    monkeypatch.setattr("ninety_nine_kit.experiment.MAX_ACTIONS", 200)
    nothing: Any = replace(kit.ADDING_PL, name="nothing", effects=dict.fromkeys(kit.Rank, kit.Effect()))
    with pytest.raises(ValueError, match=r"^nothing: a deal went on for 200 actions"):
        survey(nothing, 1)


def test_an_error_in_an_agent_comes_through_and_a_function_is_called_by_its_name() -> None:
    def last(view: kit.State, rng: Any) -> Any:
        return view.legal_actions()[-1]

    def broken(view: kit.State, rng: Any) -> Any:
        raise KeyError("my own mistake")

    assert survey(kit.ADDING_PL, 1, agents=last).agents == ("last",) * 3
    with pytest.raises(KeyError, match="my own mistake"):
        survey(kit.ADDING_PL, 1, agents=broken)


def test_every_number_in_a_picture_stands_in_its_text(
    tweak: tuple[Survey, Survey], tricks: Survey, monkeypatch: Any
) -> None:
    drawn: list[str] = []
    annotate, axhline = Axes.annotate, Axes.axhline
    monkeypatch.setattr(Axes, "annotate", lambda *args, **more: (drawn.append(args[1]), annotate(*args, **more))[1])
    monkeypatch.setattr(
        Axes, "axhline", lambda *args, **more: (drawn.append(f"{args[1]:.2f}"), axhline(*args, **more))[1]
    )
    for surveys in ([tricks], [*tweak], [tricks, *tweak]):
        drawn.clear()
        picture = plot(*surveys)
        assert len(drawn) > 6
        for number in drawn:
            assert number in repr(picture)
            assert number in picture.report._repr_html_()


def test_a_notebook_gets_the_picture_and_its_words(tricks: Survey) -> None:
    """And no HTML: JupyterLab would show that instead of the picture."""
    picture = plot(tricks)
    bundle, _ = DisplayFormatter().format(picture)
    assert set(bundle) == {"text/plain", "image/png"}
    assert bundle["image/png"].startswith(b"\x89PNG")
    assert bundle["text/plain"] == repr(picture) == repr(picture.report)
    assert set(DisplayFormatter().format(picture.report)[0]) == {"text/plain", "text/html"}


def test_a_picture_of_the_same_surveys_is_the_same_bytes_whatever_the_settings(tweak: tuple[Survey, Survey]) -> None:
    png = plot(*tweak).png
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red"}):
        settings = dict(matplotlib.rcParams)
        assert plot(*tweak).png == png
        assert dict(matplotlib.rcParams) == settings
    assert png
    assert b"Software" not in png
    assert png != plot(tweak[0]).png


def test_matplotlib_tells_a_learner_nothing(tricks: Survey, monkeypatch: Any, caplog: Any) -> None:
    savefig, logger = Figure.savefig, logging.getLogger("matplotlib")
    level = logger.level

    def noisy(*args: Any, **more: Any) -> None:
        logging.getLogger("matplotlib.font_manager").warning("building the font cache")
        savefig(*args, **more)

    monkeypatch.setattr(Figure, "savefig", noisy)
    assert plot(tricks).png
    assert not caplog.records
    assert logger.level == level


def test_without_matplotlib_there_are_the_tables_and_how_to_get_the_picture(tricks: Survey, monkeypatch: Any) -> None:
    with_it = repr(plot(tricks))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    picture = plot(tricks)
    bundle, _ = DisplayFormatter().format(picture)
    assert picture.png is None
    assert set(bundle) == {"text/plain", "text/html"}
    how = "The picture itself needs matplotlib: pip install 'ninety-nine-kit[plots]', then restart the kernel."
    assert bundle["text/plain"] == with_it.replace("± is", f"{how}\n± is", 1)
    assert "ninety-nine-kit[plots]" in bundle["text/html"]
    monkeypatch.setattr(sys, "platform", "emscripten")  # where nothing can be installed
    here = "The picture itself is not drawn where Python runs in the browser; the tables say the same."
    assert repr(plot(tricks)) == bundle["text/plain"].replace(how, here)


def test_importing_it_does_not_load_matplotlib() -> None:
    code = "import ninety_nine_kit.experiment, sys; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_picture_shows_one_to_three_surveys_with_a_label_each(tricks: Survey) -> None:
    for surveys in ([], [tricks] * 4):
        with pytest.raises(ValueError, match="a picture shows 1 to 3 surveys"):
            plot(*surveys)
    for labels in ("ab", ["one"]):
        with pytest.raises(ValueError, match="a label for each of 2 surveys"):
            plot(tricks, tricks, labels=labels)
    assert "new: 30 deals" in repr(plot(tricks, tricks, labels=["old", "new"]))


def test_an_unknown_language_is_refused(tricks: Survey) -> None:
    for view in (tricks.report, tricks.measures, lambda lang: plot(tricks, lang=lang)):
        with pytest.raises(ValueError, match="no language “xx”"):
            view("xx")
