"""Fixtures for the tests of widgets."""

from collections.abc import Iterator
from gettext import NullTranslations
from types import SimpleNamespace

import comm
import pytest
from seeing import RecordingComm, Sent

from ninety_nine_kit import narration
from ninety_nine_kit.widgets import controls


@pytest.fixture
def no_handler_fails(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """ipywidgets logs what a handler raises, and goes on."""
    yield
    assert not [record.getMessage() for record in caplog.get_records("call")]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Every message of widgets made from now on to the browser."""
    monkeypatch.setattr(comm, "create_comm", lambda *args, **named: RecordingComm(*args, **named))
    RecordingComm.sent.clear()
    return RecordingComm.sent


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language xx can be chosen, in which every translated text stands in marks."""
    xx = SimpleNamespace(gettext="«{}»".format, ngettext=lambda one, many, count: f"«{one if count == 1 else many}»")
    monkeypatch.setattr(narration, "catalogue", lambda lang: xx if lang == "xx" else NullTranslations())
    monkeypatch.setattr(controls, "languages", lambda: ("en", "xx"))
