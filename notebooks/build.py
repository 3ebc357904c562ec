"""Build the lessons: run each source in src/ and store the notebook beside this file, executed and canonical.

    python notebooks/build.py                     build every lesson, and the tables of lessons
    python notebooks/build.py 04-running-total    build this one
    python notebooks/build.py --check             write nothing, fail where something stored is out of date

Canonical: the same source gives the same bytes on every computer. So no times, versions, widget ids, widget
state or tracebacks are kept, and a cell's id comes from its source. Of a widget its text and HTML stay.
A plot (PNG) is the one thing that another version of matplotlib draws with other bytes: it is stored, and compared by
the words and numbers beside it. After a change of its looks alone, delete the notebook and build it.

The tables of lessons in README.md and src/00-start.md are made from the first lines of the sources.
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
# Without the first JupyterLab asks for a kernel, without the second JupyterLite does.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


PLOT = re.compile(rb'"image/png": "[^"]*"')
TABLE = re.compile(r"(?<=<!-- lessons -->\n).*?(?=<!-- /lessons -->)", re.DOTALL)
#: The files with a table of lessons, and the folder of the notebooks as seen from there.
TABLES = {HERE.parent / "README.md": "notebooks/", HERE / "src" / "00-start.md": ""}


class ThisPython(AsyncKernelManager):
    """Starts the interpreter that runs the build, whatever "python3" names on this computer."""

    # ERROR: at every start it would warn that its connection to this very computer is not encrypted.
    kernel_spec = KernelSpec(**get_kernel_dict(["--log-level=ERROR"]))


def build(source: Path) -> bytes:
    """The notebook file of one lesson; a cell that raises without the tag raises-exception ends the build."""
    os.environ["TQDM_DISABLE"] = "1"  # no bar that shows itself only where the machine is slow
    notebook = jupytext.read(source, fmt="md:myst")
    NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        resources={"metadata": {"path": str(HERE)}},
        timeout=60,
        allow_errors=True,  # told below, with the number of the cell
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    ).execute()
    notebook.metadata = METADATA
    seen: Counter[str] = Counter()
    for number, cell in enumerate(notebook.cells, start=1):
        digest = hashlib.sha1(cell.source.encode()).hexdigest()[:8]
        seen[digest] += 1
        cell.id = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
        tags = cell.metadata.get("tags", [])
        cell.metadata = {"tags": tags} if tags else {}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
            if output.output_type == "error":
                if "raises-exception" not in tags:
                    trace = "\n".join(output.traceback)
                    sys.exit(f"{source.name}, cell {number} failed: {output.ename}: {output.evalue}\n{trace}")
                output.traceback = [f"{output.ename}: {output.evalue}"]
    return f"{nbformat.writes(notebook)}\n".encode()


def head(source: Path) -> dict[str, str]:
    """What a lesson says of itself at its top: title, goal, time, needs."""
    found = re.search(
        r"^# (?P<title>.+?)$.*?^\*\*Goal:\*\* (?P<goal>.+?)\. \*\*Time:\*\* (?P<minutes>\d+) minutes\. "
        r"\*\*You need:\*\* (?P<needs>.+?)\.$",
        source.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    if not found:
        sys.exit(f"{source.name} must begin with a title and the line **Goal:** … **Time:** … **You need:** …")
    return found.groupdict()


def table_of_lessons(sources: list[Path], folder: str) -> str:
    rows = ["| Lesson | Goal | Minutes | Needs |", "| --- | --- | --- | --- |"]
    for source in sources:
        told = head(source)
        needs = ", ".join(re.findall(r"\[(\d\d)\]", told["needs"])) or "–"
        link = f"[{source.stem[:2]} {told['title']}]({folder}{source.stem}.ipynb)"
        rows.append(f"| {link} | {told['goal']} | {told['minutes']} | {needs} |")
    return "\n".join(rows) + "\n"


def make_tables(sources: list[Path], write: bool) -> list[str]:
    """Writes the tables of lessons; gives the files that are not what the sources give."""
    stale = []
    for file, folder in TABLES.items():
        old = file.read_text(encoding="utf-8")
        new = TABLE.sub(lambda _, folder=folder: table_of_lessons(sources, folder), old)
        if new != old:
            stale.append(str(file.relative_to(HERE.parent)))
            if write:
                file.write_text(new, encoding="utf-8")
    return stale


def compared(notebook: bytes) -> int:
    """How many outputs of a notebook are compared; of a plot the words."""
    return sum(len(cell.get("outputs", [])) for cell in json.loads(notebook)["cells"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the lessons from notebooks/src.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on any difference")
    parser.add_argument("lessons", nargs="*", help="names such as 04-running-total (default: all)")
    args = parser.parse_args()
    sources = {path.stem: path for path in sorted((HERE / "src").glob("[0-9][0-9]-*.md"))}
    names = [Path(lesson).stem for lesson in args.lessons] or list(sources)
    if not names or not sources.keys() >= set(names):
        parser.error(f"lessons in notebooks/src are: {', '.join(sources) or 'none'}")
    stale = make_tables(list(sources.values()), write=not args.check)
    if not args.check:
        for file in stale:
            print(f"{file}: table of lessons written")
        stale = []
    for name in names:
        target = HERE / f"{name}.ipynb"
        result = build(sources[name])
        if target.is_file() and PLOT.sub(b"", target.read_bytes()) == PLOT.sub(b"", result):
            print(f"{name}: the same, {compared(result)} outputs compared")
        elif args.check:
            stale.append(f"notebooks/{target.name}")
        else:
            target.write_bytes(result)
            print(f"{name}: written, {compared(result)} outputs")
    if stale:
        sys.exit(f"not what the sources give: {', '.join(stale)}\nrun: python notebooks/build.py")


if __name__ == "__main__":
    main()
