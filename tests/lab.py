"""A real JupyterLab and a real Chromium for the tests and scripts that look at notebooks."""

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
def jupyter_lab(folder: Path, home: Path, theme: str = "JupyterLab Light") -> Iterator[str]:
    """Serves the folder; gives the address. `home` takes all that Jupyter writes."""
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
    options = [
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={address.rpartition(':')[2]}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}",
        "--ServerApp.allow_root=True",
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.terminals_enabled=False",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    log = (home / "lab.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyter", "lab", *options], env=environment, stdout=log, stderr=log
    )
    try:
        _wait_for(f"{address}/api/status?token={TOKEN}", server, home / "lab.log")
        yield address
    finally:
        server.terminate()
        server.wait(20)
        log.close()


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            if server.poll() is not None:
                break
            time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


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
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


def open_and_run(page: Any, address: str, notebook: str) -> None:
    """Opens a notebook, runs all its cells, and fails if one raises."""
    page.goto(f"{address}/lab/tree/{notebook}?token={TOKEN}&reset")
    page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
    if not page.evaluate(RUN_ALL):
        told = page.locator(".jp-RenderedText[data-mime-type='application/vnd.jupyter.stderr']").all_inner_texts()
        raise AssertionError("\n".join([f"a cell of {notebook} raised", *told]))


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
