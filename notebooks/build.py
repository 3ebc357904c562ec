"""Build the lessons: run each source in src/ and store the notebook beside this file, executed and canonical.

    python notebooks/build.py                     build every lesson
    python notebooks/build.py 04-running-total    build this one
    python notebooks/build.py --check             write nothing, fail where a stored notebook is out of date

Canonical: the same source gives the same bytes on every computer. So no times, versions, widget ids, widget
state or tracebacks are kept, and a cell's id comes from its source. Of a widget its text and HTML stay.
"""

import argparse
import hashlib
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


class ThisPython(AsyncKernelManager):
    """Starts the interpreter that runs the build, whatever "python3" names on this computer."""

    # ERROR: at every start it would warn that its connection to this very computer is not encrypted.
    kernel_spec = KernelSpec(**get_kernel_dict(["--log-level=ERROR"]))


def build(source: Path) -> bytes:
    """The notebook file of one lesson; a cell that raises without the tag raises-exception ends the build."""
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
                output.traceback = []
    return f"{nbformat.writes(notebook)}\n".encode()


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the lessons from notebooks/src.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail on any difference")
    parser.add_argument("lessons", nargs="*", help="names such as 04-running-total (default: all)")
    args = parser.parse_args()
    sources = {path.stem: path for path in sorted((HERE / "src").glob("[0-9][0-9]-*.md"))}
    names = [Path(lesson).stem for lesson in args.lessons] or list(sources)
    if not names or not sources.keys() >= set(names):
        parser.error(f"lessons in notebooks/src are: {', '.join(sources) or 'none'}")
    stale = []
    for name in names:
        target = HERE / f"{name}.ipynb"
        result = build(sources[name])
        if target.is_file() and target.read_bytes() == result:
            continue
        if args.check:
            stale.append(name)
        else:
            target.write_bytes(result)
            print(f"wrote notebooks/{target.name}")
    if stale:
        files = "".join(f"  notebooks/{name}.ipynb\n" for name in stale)
        sys.exit(f"not what the source gives:\n{files}run: python notebooks/build.py {' '.join(stale)}")


if __name__ == "__main__":
    main()
