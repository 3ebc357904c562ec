"""Whatever is read as a record gives a game that can be shown, kept and played on, or a RecordError."""

import pytest
from fuzz import KINDS, attack

MOSTLY_REFUSED = ("any text", "any JSON", "what conforms")


@pytest.mark.parametrize("kind", KINDS)
def test_any_text_is_a_game_or_a_record_error(kind: str) -> None:
    counts = attack(kind, 100)
    assert counts["refused"]
    assert counts["read"] or kind in MOSTLY_REFUSED
