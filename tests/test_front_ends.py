"""The same lessons wherever they are opened: in Notebook 7, Voilà, the versions of Binder, a site without a server."""

import os
import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib.metadata import files
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import build_lite
import pytest
import uv
from conftest import missing
from lab import free_port, jupyter, open_and_run, static_site
from playwright.sync_api import expect
from seeing import board, enter, step_on
from using import IS_DRAWN, Lesson, Widget, play_beside

import ninety_nine_kit as kit
from ninety_nine_kit.widgets import Table

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[1]
BASE = ["jupyterlab", "notebook", "ipywidgets", "ipykernel", "jupyter-server"]
FIRST_CARD = """new MutationObserver((_, observer) => {
  if (!document.querySelector('button.nn-card')) return;
  window.firstCard = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""
# Of the site without a server, as its file browser has it.
READ_FILE = "name => jupyterapp.serviceManager.contents.get(name, { content: true }).then(file => file.content)"
MANY = {"start": kit.TRICKS_FR, "seed": 99, "agents": {0: "simple", 1: "random", 2: "first"}, "view": "everyone"}


def versions_of_binders_image() -> dict[str, str]:
    """Of each package that Binder installs before ours, as repo2docker pins it."""
    [pinned] = [file for file in files("jupyter-repo2docker") or () if file.name == "environment.py-3.11-linux-64.lock"]
    found = re.findall(r"/([a-z][^/]*)-([^-/]+)-[^-/]+\.(?:conda|tar\.bz2)", pinned.read_text())
    return {name.replace("_", "-"): version for name, version in found}


@pytest.fixture(scope="module")
def binder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of an environment as on Binder: the packages of its image, then all that the folder binder/ adds."""
    if os.name == "nt":
        pytest.skip("the environment of Binder is made by bash, which Windows lacks")
    versions, home = versions_of_binders_image(), tmp_path_factory.mktemp("binder")
    (home / "image.txt").write_text("\n".join(f"{name}=={version}" for name, version in versions.items()))
    scripts = home / "venv" / "bin"

    def run(*command: object) -> str:
        environment = {**os.environ, "NB_PYTHON_PREFIX": str(home / "venv"), "PATH": f"{scripts}:{os.environ['PATH']}"}
        done = subprocess.run(list(map(str, command)), cwd=ROOT, env=environment, capture_output=True, text=True)
        if done.returncode:
            missing(f"the environment of Binder could not be made; is this computer online?\n{done.stderr}")
        return done.stdout

    run(uv.find_uv_bin(), "-q", "venv", "--seed", "--python", sys.executable, home / "venv")
    run(uv.find_uv_bin(), "-q", "pip", "install", "--python", scripts / "python", "-c", home / "image.txt", *BASE)
    run(scripts / "pip", "install", "-q", "-r", "binder/requirements.txt")
    run("bash", "binder/postBuild")
    listed = dict(line.lower().split("==") for line in run(scripts / "pip", "list", "--format=freeze").split())
    now = {name.replace("_", "-"): version for name, version in listed.items()}
    assert {name: now[name] for name in BASE} == {name: versions[name] for name in BASE}  # nothing is fetched twice
    return str(scripts / "python")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without a server, as the command builds it."""
    folder = tmp_path_factory.mktemp("lite") / "_site"
    folder.mkdir()
    (folder / "jupyter-lite.json").write_text(build_lite.NAME)  # a site that was built before
    done = subprocess.run(
        [sys.executable, ROOT / "binder" / "build_lite.py", "--output", folder], capture_output=True, text=True
    )
    if done.returncode:
        missing(done.stderr)
    return folder


@pytest.fixture(scope="module")
def address(lessons: Path, tmp_path_factory: pytest.TempPathFactory, request: Any) -> Iterator[Callable[[str], str]]:
    """Where a front end answers; its server is started when it is first asked for."""
    with ExitStack() as stack:

        @cache
        def start(app: str) -> str:
            home = tmp_path_factory.mktemp("home")
            if app == "lite":
                return stack.enter_context(static_site(request.getfixturevalue("site"), home))
            if app == "binder":
                python = request.getfixturevalue("binder")
                return stack.enter_context(jupyter("lab", lessons, home, python=python))
            return stack.enter_context(jupyter(app, lessons, home))

        yield start


def keep_and_share(table: Widget, here: Table, load: Callable[[str], kit.History]) -> None:
    """The game in the browser, as it is here, is shared, downloaded and saved; another one is pasted in its place, and
    one with an end that was cut off is not. `load` reads a file of the front end."""
    page, told = table.lesson.page, table.root.locator(".nn-share p")
    other = Table(kit.PARANOIA_RU, seed=7)
    for _ in range(3):
        step_on(other)
    line, pasted = kit.share_line(here.history), kit.share_line(other.history)
    table.button("Keep and share").click()
    expect(table.box("Line to share")).to_have_value(line)
    with page.expect_download() as download:
        table.root.get_by_role("link", name="Download").click()
    assert download.value.path().read_text(encoding="utf-8") == kit.write_record(here.history)
    table.button("Save").click()
    expect(told).to_contain_text(saved := re.compile(r"The game is in the file (\S+\.json), in the folder"))
    assert load(saved.search(told.inner_text())[1]).states == here.history.states

    for text, sentence in ((pasted, "The game is on the table"), (line[:-1], "This line was cut or changed")):
        table.paste("Load a game", text)
        expect(told).to_contain_text(sentence)
        enter(here.sharing.paste, text)
        page.wait_for_function(IS_DRAWN, arg=[table.root.element_handle(), board(here)])
        expect(table.box("Line to share")).to_have_value(pasted)
    expect(table.box("Load a game")).to_have_value(line[:-1])


@pytest.mark.parametrize(
    ("app", "lesson", "where", "here"),
    [
        ("binder", "04-running-total", "table", {"start": kit.ADDING_RU, "seed": 99}),
        ("notebook", "00-start", "french", {"start": kit.TRICKS_FR, "seed": 99}),
        ("notebook", "05-three-texts", "spanish", {"start": kit.ADDING_ES, "seed": 39}),
        ("voila", "00-start", 0, {"start": kit.ADDING_RU, "seed": 99}),  # there are no cells to find it by
        ("voila", "02-bid-by-suit", 3, {"start": kit.TRICKS_RU, "seed": 99}),
        ("lite/notebooks", "00-start", "table", {"start": kit.ADDING_RU, "seed": 99}),
        ("lite/lab", "02-bid-by-suit", "table", {"start": kit.TRICKS_RU, "seed": 99}),
        ("lite/lab", "08-play-many", "table", MANY),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_lesson_runs_ten_presses_play_the_same_game_as_here_and_it_is_kept_and_shared(
    app: str,
    lesson: str,
    where: Any,
    here: Any,
    browser: Any,
    lessons: Path,
    address: Any,
    record_property: Any,
    no_handler_fails: None,
) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 1200}, reduced_motion="reduce")
    page, requests = context.new_page(), []
    context.on("request", lambda request: requests.append(request.url))
    page.add_init_script(FIRST_CARD)
    opened, server = Lesson(page, counted=not app.startswith("lite")), address(app.split("/")[0])
    open_and_run(page, server, f"{lesson}.ipynb", app.replace("binder", "lab"))
    if app == "binder":
        assert page.evaluate("jupyterapp.version") == versions_of_binders_image()["jupyterlab"]
    table = opened.widget(where) if app != "voila" else Widget(opened, page.locator(".nn-table").nth(where))
    first = page.evaluate("firstCard") / 1000
    record_property("told", f"{app}: first card of {lesson} after {first:.1f} s")
    silent = table.spoken()
    errors = len(opened.errors)  # those of the front end itself

    def load(name: str) -> kit.History:
        if not app.startswith("lite"):
            return kit.load(lessons / name)
        return kit.read_record(b64decode(page.evaluate(READ_FILE, name)))

    beside = Table(**here)
    play_beside(table, beside, presses=10)
    keep_and_share(table, beside, load)
    assert opened.errors[errors:] == []
    assert table.spoken().node == silent.node
    assert silent.text == "" != table.spoken().text
    if app.startswith("lite"):
        assert f"{server}/static/pyodide/pyodide.asm.wasm" in requests  # those of the kernel are among them
        assert [url for url in requests if not url.startswith((server, "data:", "blob:"))] == []
    context.close()


def test_the_command_shows_the_site_unless_a_file_or_the_port_is_missing(site: Path, record_property: Any) -> None:
    size, port = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()), free_port()
    record_property("told", f"the site without a server: {size / 1e6:.0f} MB")
    show = [sys.executable, ROOT / "binder" / "build_lite.py", "--output", site, "--serve", str(port)]
    server = subprocess.Popen(show, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout and f"http://127.0.0.1:{port}/" in server.stdout.readline()
        with urlopen(f"http://127.0.0.1:{port}/static/pyodide/pyodide.asm.wasm") as answer:
            assert answer.headers["Content-Type"] == "application/wasm"
        second = subprocess.run(show, capture_output=True, text=True)
    finally:
        server.terminate()
        server.communicate()
    assert second.returncode == 1
    assert f"Port {port} cannot be used" in second.stderr and "Name another" in second.stderr
    lost = site / "static" / "pyodide" / "python_stdlib.zip"
    lost.rename(site / "lost.zip")
    third = subprocess.run(show, capture_output=True, text=True)
    (site / "lost.zip").rename(lost)
    assert "python_stdlib.zip is missing" in third.stderr and third.returncode == 1
