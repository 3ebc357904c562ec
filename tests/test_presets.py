"""Every preset comes with all that belongs to a game: its text, its unsure sentences, tests, a lesson."""

from pathlib import Path

import pytest

import ninety_nine_kit as kit
from ninety_nine_kit.rules import Rules

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("rules", kit.PRESETS.values(), ids=kit.PRESETS)
def test_a_preset_has_source_readings_playthrough_counts_and_lesson(rules: Rules) -> None:
    assert all(rules.source)
    assert [name for name, reading in kit.READINGS.items() if rules.name in reading.presets]
    assert (ROOT / "tests" / "playthroughs" / f"{rules.name}.txt").is_file()
    counted = (ROOT / "tests" / "counts.txt").read_text(encoding="utf-8")
    assert [line for line in counted.splitlines() if line.startswith(f"{rules.name} ")]
    lessons = [path.read_text(encoding="utf-8") for path in (ROOT / "notebooks" / "src").glob("*.md")]
    constant = rules.name.upper().replace("-", "_")
    assert [lesson for lesson in lessons if rules.name in lesson or constant in lesson]


def test_presets_stand_under_their_own_names() -> None:
    assert {name: rules.name for name, rules in kit.PRESETS.items()} == {name: name for name in kit.PRESETS}
    assert {getattr(kit, name.upper().replace("-", "_")) for name in kit.PRESETS} == set(kit.PRESETS.values())


@pytest.mark.parametrize("name", kit.READINGS)
def test_a_reading_is_what_the_presets_take_or_other_rules(name: str) -> None:
    reading = kit.READINGS[name]
    assert reading.quote
    for preset in reading.presets:
        rules = kit.PRESETS[preset]
        read = {choice: reading.read(rules, choice) for choice in reading.choices}
        assert [choice for choice, other in read.items() if other == rules] == [reading.taken]
        assert len(set(read.values())) == len(read) > 1
        assert len(set(map(kit.text, read.values()))) == len(read), "the rules on one screen tell the difference"
