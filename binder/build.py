"""Write what Binder reads, and the links that open the kit without installing it, from pyproject.toml.

    python binder/build.py            writes requirements.txt, runtime.txt, and the links in README.md and 00-start
    python binder/build.py --check    writes nothing, fails where something is out of date

Somebody with a copy under another address changes it in pyproject.toml and runs this, then notebooks/build.py.
"""

import argparse
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LINKS = re.compile(r"(?<=<!-- open -->\n).*?(?=<!-- /open -->)", re.DOTALL)
TOLD = """\
* [In your browser][site]: Python runs in the page itself, for any number of people at once. The first opening takes up
  to a minute and about 25 MB; what you change is kept in that browser. Lesson 08 shows tables instead of plots.
* [On Binder][binder]: a computer is lent to you. It takes some minutes to start, is for about a hundred people of the
  whole project at once, and forgets everything after ten minutes of rest.

[site]: {site}
[binder]: {binder}
"""
BADGES = """\
[![Binder](https://mybinder.org/badge_logo.svg)][binder]
[![JupyterLite](https://jupyterlite.rtfd.io/en/latest/_static/badge.svg)][site]

"""


def requirements(project: dict[str, Any], extra: str) -> list[str]:
    """What an extra needs from outside, those that it names in turn too."""
    needed = []
    for line in project["optional-dependencies"][extra]:
        own = re.fullmatch(rf"{project['name']}\[(.+)\]", line)
        needed += requirements(project, own[1]) if own else [line]
    return needed


def files(project: dict[str, Any]) -> dict[Path, str]:
    """Each file with what must be in it."""
    address = project["urls"]["Repository"].removesuffix("/")
    owner, name = address.split("/")[-2:]
    there = {
        "site": f"https://{owner}.github.io/{name}/",
        "binder": f"https://mybinder.org/v2/gh/{owner}/{name}/v{project['version']}"
        "?urlpath=lab/tree/notebooks/00-start.ipynb",
    }
    links = {
        ROOT / "README.md": (BADGES + TOLD).format(**there),
        # No badges: in the browser they would be asked of other hosts.
        ROOT / "notebooks" / "src" / "00-start.md": TOLD.format(**there),
    }
    return {
        ROOT / "binder" / "requirements.txt": "\n".join([*requirements(project, "lab"), ""]),
        ROOT / "binder" / "runtime.txt": f"python-{project['requires-python'].removeprefix('>=')}\n",
        **{path: with_links(path, text) for path, text in links.items()},
    }


def with_links(path: Path, links: str) -> str:
    text, count = LINKS.subn(lambda _: links, path.read_text("utf-8"))
    if count != 1:
        sys.exit(f"{path.relative_to(ROOT)} must have a line <!-- open -->, and a line <!-- /open --> below it")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description="Write what Binder reads, and the links to it.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on any difference")
    args = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = files(project)
    stale = [path for path, text in needed.items() if not path.is_file() or path.read_text("utf-8") != text]
    names = ", ".join(str(path.relative_to(ROOT)) for path in stale)
    if args.check and stale:
        sys.exit(f"not what pyproject.toml gives: {names}\nrun: python binder/build.py, then python notebooks/build.py")
    for path in stale:
        path.write_text(needed[path], encoding="utf-8", newline="\n")
    print(f"{names}: written" if stale else f"{len(needed)} files, all as pyproject.toml gives them")


if __name__ == "__main__":
    main()
