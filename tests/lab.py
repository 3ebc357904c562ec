"""Real Jupyter servers and a real Chromium for the tests and scripts that look at notebooks."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NO_CHROMIUM = "Chromium is missing, which shows the notebooks. Install it (on Debian: apt-get install chromium)."
CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
TOKEN = "t0ken"
_QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}
_FOLDERS = ["CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"]
_SERVER = [
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port={port}",
    "--ServerApp.port_retries=0",
    f"--IdentityProvider.token={TOKEN}",
    "--ServerApp.allow_root=True",
    "--ServerApp.root_dir={folder}",
    "--ServerApp.terminals_enabled=False",
]
_LAB = [
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
]
_OPTIONS = {
    "lab": ["jupyterlab", *_SERVER, *_LAB],
    "notebook": ["notebook", *_SERVER, "--JupyterNotebookApp.expose_app_in_browser=True"],
    "voila": ["jupyterlab", *_SERVER, *_LAB],  # a guest of this server, with its token
}
#: How a notebook is opened in each front end; the last two are of the site without a server.
_OPEN = {
    "lab": f"/lab/tree/{{notebook}}?token={TOKEN}&reset",
    "notebook": f"/notebooks/{{notebook}}?token={TOKEN}",
    "voila": f"/voila/render/{{notebook}}?token={TOKEN}",
    "lite/lab": "/lab/index.html?path={notebook}",
    "lite/notebooks": "/notebooks/index.html?path={notebook}",
}

# Waits until the notebook and its kernel are ready, then runs every cell; false when a cell raised.
RUN_ALL = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  app.shell.collapseLeft();
  const find = () => [...app.shell.widgets('main')].find(w => w.context && w.sessionContext);
  while (!find()) await new Promise(done => setTimeout(done, 50));
  const panel = find();
  await panel.context.ready;
  await panel.revealed;
  await panel.sessionContext.ready;
  await panel.sessionContext.session.kernel.info;
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('run all took over 90 s')), 90000));
  return Promise.race([app.commands.execute('notebook:run-all-cells'), late]);
}"""

# Scrolls to the code cell that ends with these words and marks it, wherever it stands in the notebook.
SHOW_CELL = """async words => {
  const panel = [...window.jupyterapp.shell.widgets('main')].find(widget => widget.context);
  const { model, widgets } = panel.content;
  const place = [...model.cells].findIndex(
    cell => cell.type === 'code' && cell.sharedModel.source.trimEnd().split('\\n').pop() === words);
  widgets[place].node.dataset.ends = words;
  await panel.content.scrollToItem(place, 'start');
}"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def jupyter(
    app: str, folder: Path, home: Path, theme: str = "JupyterLab Light", python: str = sys.executable
) -> Iterator[str]:
    """Serves the folder by `jupyter lab`, `jupyter notebook` or Voilà; gives the address. `home` takes all that
    Jupyter writes; `python` is the interpreter of another environment."""
    settings = {**_QUIET, "@jupyterlab/apputils-extension:themes": {"theme": theme}}
    for plugin, values in settings.items():
        package, name = plugin.split(":")
        file = home / "user-settings" / package / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))
    environment = {
        **os.environ,
        **{f"JUPYTER_{name}": str(home / name) for name in _FOLDERS},
        "JUPYTERLAB_SETTINGS_DIR": str(home / "user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    address = f"http://127.0.0.1:{free_port()}"
    options = [option.format(port=address.rpartition(":")[2], folder=folder) for option in _OPTIONS[app]]
    with (
        (home / f"{app}.log").open("w") as log,
        _running([python, "-m", *options], environment, log) as server,
    ):
        _wait_for(f"{address}/api/status?token={TOKEN}", server, Path(log.name))
        yield address


@contextmanager
def static_site(site: Path, home: Path) -> Iterator[str]:
    """Serves files and nothing else; gives the address."""
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind=127.0.0.1", f"--directory={site}"]
    with (home / "site.log").open("w") as log, _running(command, dict(os.environ), log) as server:
        _wait_for(f"http://127.0.0.1:{port}/", server, Path(log.name))
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: Any) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            if server.poll() is not None:
                break
            time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{log.read_text()}")


def write_notebook(path: Path, *cells: str) -> None:
    """A notebook of code cells, not run. Its metadata spare the reader the question for a kernel."""
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {
        "cells": [{**code, "id": f"cell-{number}", "source": source} for number, source in enumerate(cells)],
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook), encoding="utf-8")


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium of Playwright."""
    if CHROMIUM is None:
        sys.exit(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


def open_and_run(page: Any, address: str, notebook: str, app: str = "lab") -> None:
    """Opens a notebook, runs all its cells (Voilà does it by itself), and fails if one raises."""
    page.route("**/jupyter-lite.json", _expose)
    page.goto(address + _OPEN[app].format(notebook=notebook))
    if app == "voila":
        page.locator(".nn-table").first.wait_for(timeout=60_000)
        well = True
    else:
        page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
        well = page.evaluate(RUN_ALL)
    told = page.locator(".jp-RenderedText[data-mime-type$='stderr'], .jp-RenderedText[data-mime-type$='error']")
    if not well or (app == "voila" and told.count()):
        raise AssertionError("\n".join([f"a cell of {notebook} raised", *told.all_inner_texts()]))


def _expose(route: Any) -> None:
    """Lets the page be driven, as the servers do when told so; in what is published this is off."""
    answer = route.fetch()
    told = answer.json()
    told["jupyter-config-data"] |= {"exposeAppInBrowser": True}
    route.fulfill(response=answer, json=told)


class Frame(NamedTuple):
    """A message of the kernel's websocket. `parent`: the id of the message that it answers."""

    kind: str
    id: str
    parent: str
    content: dict[str, Any]
    size: int


def recorded_frames(page: Any) -> list[Frame]:
    """A list that fills with all that the page and its kernel say to each other."""
    frames: list[Frame] = []

    def listen(socket: Any) -> None:
        if "/channels" in socket.url:
            for event in "framesent", "framereceived":
                socket.on(event, lambda frame: frames.append(_read_frame(frame)))

    page.on("websocket", listen)
    return frames


def _read_frame(frame: bytes) -> Frame:
    """Protocol v1.kernel.websocket.jupyter.org: a count, so many offsets, then the parts that they divide."""
    numbers = [int.from_bytes(frame[place : place + 8], "little") for place in range(0, len(frame) - 7, 8)]
    offsets = numbers[1 : numbers[0] + 1]
    parts = [frame[start:end] for start, end in pairwise(offsets)]
    header, parent, content = json.loads(parts[1]), json.loads(parts[2]), json.loads(parts[4])
    return Frame(header["msg_type"], header["msg_id"], parent.get("msg_id", ""), content, len(frame))


def show_output(page: Any, words: str) -> Any:
    """Scrolls to the code cell that ends with these words; gives what it shows."""
    page.evaluate(SHOW_CELL, words)
    return page.locator(f"[data-ends='{words}'] .jp-OutputArea-output")
