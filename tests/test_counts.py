"""The number of legal action sequences of each game stays what counts.txt says."""

from pathlib import Path

from counts import counts


def test_counts_are_those_in_the_file() -> None:
    assert counts() == Path(__file__).with_name("counts.txt").read_text(encoding="utf-8")
