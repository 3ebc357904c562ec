"""Fixtures that several files of tests share."""

import os
import shutil
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import comm
import pytest
from lab import CHROMIUM, NO_CHROMIUM, chromium, jupyter
from playwright.sync_api import expect
from seeing import RecordingComm, Sent

from ninety_nine_kit import narration
from ninety_nine_kit.widgets import controls

LESSONS = Path(__file__).resolve().parents[1] / "notebooks"

# What a lesson shows is compared strictly, so there must be no bar that appears only where the machine is slow.
os.environ["TQDM_DISABLE"] = "1"


def missing(reason: str) -> None:
    """Skips what cannot run here and says why; where the whole suite must run, that is a failure."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints what tests measured by the way."""
    told = [text for report in terminalreporter.getreports("passed") for _, text in report.user_properties]
    if told:
        terminalreporter.write_line("\n".join(told))


# One browser a file: while Playwright is open, its event loop stands in the way of tests that run notebooks.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        missing(NO_CHROMIUM)
    expect.set_options(timeout=30_000)
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with copies of the lessons, that a test may write into."""
    folder = tmp_path_factory.mktemp("lessons")
    for lesson in LESSONS.glob("*.ipynb"):
        shutil.copy(lesson, folder)
    return folder


@pytest.fixture(scope="module")
def lab(browser: Any, lessons: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A window of a browser, and the address of a JupyterLab that serves the lessons."""
    with jupyter("lab", lessons, tmp_path_factory.mktemp("jupyter")) as address:
        yield browser.new_context(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce"), address


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
