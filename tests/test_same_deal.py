"""Deal 99 is the same deal everywhere: in every CPython from 3.11 on, and in Pyodide, the Python of the browser."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import build_lite
import pytest
from conftest import missing
from playing import CASE_IDS

ROOT = Path(__file__).resolve().parents[1]

# Plays deal 99 of every game: to its end by agents that think, and a hundred actions by agents that draw by lot.
PROGRAM = """
import sys
sys.dont_write_bytecode = True
import json
import ninety_nine_kit as kit

told = {}
for rules in kit.PRESETS.values():
    for players in rules.players:
        start = kit.deal(rules, players, seed=99)
        simple, by_lot = kit.playout(start, "simple"), kit.playout(start, "random", max_actions=100)
        told[f"{rules.name}-{players}"] = {
            "deal": [start.dealer, *(" ".join(map(str, cards)) for cards in (*start.hands, start.stock))],
            "simple": list(map(str, simple.actions)),
            "random": list(map(str, by_lot.actions)),
        }
print(json.dumps({"python": f"{sys.platform} {sys.version_info[0]}.{sys.version_info[1]}", "told": told}))
"""
NODE = """
const [folder, root, program] = process.argv.slice(1);
const { pathToFileURL } = await import("node:url");
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const pyodide = await loadPyodide({ indexURL: folder });
pyodide.mountNodeFS("/kit", root);
pyodide.runPython("import sys; sys.path.insert(0, '/kit')");
pyodide.runPython(program);
"""

# These are everybody's deal 99: who deals, each hand, the stock. A class may have them on paper; they never change.
STOCK = (
    "2♠ 9♦ A♣ J♠ K♥ 4♠ 7♣ 4♣ 5♠ A♦ 7♠ A♠ Q♦ J♥ 10♦ 9♥ 9♠ 4♦ 3♣ 3♦ J♦ 5♦ "
    "4♥ 8♠ 7♦ 8♥ 3♠ 5♥ 6♥ 6♠ 10♣ 9♣ 3♥ Q♠ 10♥ K♦ A♥ 8♦ 7♥ K♠ 6♣ J♣ 5♣"
)
A, B = "7♣ 9♣ 10♣ 9♦ J♦ Q♦ A♦ 10♥ A♥ 10♠ J♠ Q♠", "Q♣ 7♦ 8♦ K♦ 6♥ 7♥ 8♥ 9♥ Q♥ 6♠ 7♠ 9♠"
C = "6♣ 8♣ J♣ K♣ A♣ 6♦ 10♦ J♥ K♥ 8♠ K♠ A♠"
DEAL_99 = {"tricks-ru-3": [2, A, B, C, ""], "adding-ru-3": [2, "8♣ 2♥ Q♥", "2♣ 2♦ 10♠", "Q♣ K♣ 6♦", STOCK]}


def found_python(version: str) -> str | None:
    """A Python of this version that runs. What is on the PATH may be a shim of pyenv that fails, or runs another."""
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    places = [shutil.which(f"python{version}"), *map(str, sorted(installed.glob(f"{version}*/bin/python")))]
    for place in filter(None, places):
        asked = [place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() == version:
            return place
    return None


def run(*command: object) -> Any:
    """What the program prints in a fresh process that finds the kit in this folder."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([*map(str, command), PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> Any:
    return run(sys.executable, "-c")["told"]


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the Pyodide that the site without a server runs."""
    if shutil.which("node") is None:
        missing("no Node.js here: install Node.js 20 or newer, npm comes with it, to run the kit in Pyodide")
    folder, aside = tmp_path_factory.mktemp("pyodide"), tmp_path_factory.mktemp("aside")
    try:
        build_lite.fetch_pyodide(folder, aside)
    except SystemExit as reason:
        missing(str(reason))
    return folder


def test_deal_99_is_as_it_always_was(here: Any) -> None:
    assert list(here) == CASE_IDS
    assert {name: here[name]["deal"] for name in DEAL_99} == DEAL_99


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_another_python_deals_and_plays_the_same(version: str, here: Any) -> None:
    place = found_python(version)
    if place is None:
        pytest.skip(f"no Python {version} here that runs: put python{version} on the PATH to compare it too")
    assert run(place, "-c")["told"] == here


def test_the_python_of_the_browser_deals_and_plays_the_same(pyodide: Path, here: Any) -> None:
    there = run("node", "--input-type=module", "-e", NODE, pyodide, ROOT)
    assert there["python"].startswith("emscripten")
    assert there["told"] == here
