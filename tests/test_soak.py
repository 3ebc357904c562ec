"""Random matches of every game go to their end with all cards there and every event told."""

import pytest
from playing import CASE_IDS, CASES
from soak import soak

from ninety_nine_kit.rules import Rules


@pytest.mark.parametrize(("rules", "players"), CASES, ids=CASE_IDS)
def test_thirty_random_matches_run_without_a_fault(rules: Rules, players: int) -> None:
    assert soak(rules, players, 30)["matches"] == 30
