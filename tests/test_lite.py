"""What the command that builds the site says when it cannot, and that it then leaves everything as it was."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import build_lite
import pytest

BUILD = Path(__file__).resolve().parents[1] / "binder" / "build_lite.py"


def refused(*arguments: object, **environment: str) -> str:
    """What it says, in a few lines and without a traceback, when it fails."""
    command = [sys.executable, BUILD, *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) < 20
    return done.stderr


@pytest.fixture
def old_site(tmp_path: Path) -> Path:
    """A site that was built before."""
    site = tmp_path / "_site"
    site.mkdir()
    (site / "jupyter-lite.json").write_text(json.dumps({"appName": build_lite.NAME}))
    (site / "index.html").write_text("the old one")
    return site


def is_untouched(site: Path) -> bool:
    alone = [path.name for path in site.parent.iterdir()] == ["_site"]
    return alone and (site / "index.html").read_text() == "the old one"


def test_without_npm_it_says_how_to_get_it(old_site: Path) -> None:
    assert "npm is missing, which fetches Pyodide. Install Node.js" in refused("--output", old_site, PATH="")
    assert is_untouched(old_site)


@pytest.mark.skipif(not which("npm"), reason="no npm here, which would look for the internet")
def test_without_the_internet_it_says_so_and_keeps_the_old_site(old_site: Path) -> None:
    nowhere = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_fetch_retries": "0"}
    nowhere["npm_config_cache"] = str(old_site / "cache")
    told = refused("--output", old_site, **nowhere)
    assert "fetching Pyodide" in told and "Is this computer online?" in told and "Nothing was changed." in told
    assert is_untouched(old_site)


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    assert "holds something else than a site of the kit. Name another folder" in refused("--output", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_site_that_is_not_whole_is_not_shown(old_site: Path) -> None:
    told = refused("--output", old_site, "--serve")
    assert "no whole site in" in told and "notebooks/index.html is missing" in told
    assert "Build it: python binder/build_lite.py" in told


def test_a_file_is_no_folder_for_a_site(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for output in (tmp_path / "file", tmp_path / "file" / "site"):
        assert "Nothing was changed." in refused("--output", output)
    assert (tmp_path / "file").read_text() == "mine"


def test_the_old_site_comes_back_if_the_new_one_cannot_take_its_place(old_site: Path) -> None:
    with pytest.raises(OSError):
        build_lite.replace(old_site.parent / "no such site", old_site, old_site.parent / "aside")
    assert is_untouched(old_site)
