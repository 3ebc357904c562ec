"""Build the site that needs no server: JupyterLite with the kit, every lesson and Python itself, for any web server.

    python binder/build_lite.py                   builds it in the folder _site
    python binder/build_lite.py --output FOLDER   builds it there
    python binder/build_lite.py --serve [PORT]    shows what was built, on this computer (port 8000)

Who opens it plays in their own browser; nothing is asked of any other host. It is built aside and put in its place when
it is whole. The versions are those of the extra `lite` in pyproject.toml. Building needs npm and the internet.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tarfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urljoin

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
LOCK = "static/pyodide-lock/pyodide-lock.json"
NAME = "Ninety-nine"
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ["@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget"]
WIDGETS = ["anywidget", "ipywidgets"]  # what the kit's widgets import
FIRST = "notebooks/index.html?path=00-start.ipynb"  # a notebook alone suits a phone too; its menu opens JupyterLab
# The other pages look for the script in this one.
PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Ninety-nine</title>
<meta http-equiv="refresh" content="0; url={FIRST}">
<script id="jupyter-config-data" type="application/json" data-jupyter-lite-root=".">{{}}</script>
<p><a href="{FIRST}">Ninety-nine: six games with one name</a></p></html>
"""


def run(doing: str, *command: object, within: Path) -> None:
    """Runs a command in silence; if it fails, its last words and what to do end the build."""
    print(f"{doing} …", flush=True)
    done = subprocess.run([str(part) for part in command], cwd=within, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        said = "\n".join(done.stdout.decode(errors="replace").strip().splitlines()[-12:])
        sys.exit(f"{said}\n\n{doing}: failed, with these last words. Is this computer online? Nothing was changed.")


def fetch_pyodide(folder: Path, aside: Path) -> dict[str, str]:
    """Puts Pyodide into the folder, without its list of packages; gives their versions."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is missing, which fetches Pyodide. Install Node.js, npm comes with it, and run this again.")
    run(f"fetching Pyodide {PYODIDE_VERSION}", npm, "pack", f"pyodide@{PYODIDE_VERSION}", within=aside)
    with tarfile.open(next(aside.glob("pyodide-*.tgz"))) as archive:
        for name in PYODIDE:
            member = archive.getmember(f"package/{name}")
            member.name = name
            archive.extract(member, folder, filter="data")
    lock = json.loads((folder / PYODIDE[-1]).read_text(encoding="utf-8"))
    emptied = {"info": lock["info"] | {"version": PYODIDE_VERSION}, "packages": {}}
    (folder / PYODIDE[-1]).write_text(json.dumps(emptied), encoding="utf-8")
    return {name: entry["version"] for name, entry in lock["packages"].items()}


def settings(site: Path, contents: Path, wheel: Path, versions: dict[str, str]) -> dict[str, Any]:
    """What `jupyter lite build` is told: put the kit and all that it imports into the list of Pyodide's packages."""
    extensions = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    return {
        "LiteBuildConfig": {
            "output_dir": str(site),
            "contents": [str(contents)],
            "ignore_sys_prefix": ["federated_extensions"],  # of those installed here, only these
            "federated_extensions": [str(extensions / name) for name in EXTENSIONS],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
        },
        "PyodideLockAddon": {
            "enabled": True,
            "wheels": [str(wheel)],
            "specs": [f"{name}=={versions[name]}" for name in (*WIDGETS, "micropip", "packaging")],
            "constraints": [f"{name}=={number}" for name, number in versions.items()],
            "excludes_extra": ["widgetsnbextension", "jupyterlab-widgets"],  # files for a server
            "patches": {"packages": {"ninety-nine-kit": {"depends": WIDGETS}}},
            "prefetch_extra": ["ninety-nine-kit"],  # while Python starts, so that the first cell need not wait for it
            "pyodide_lock_uv_options": {"extra_uv_args": ["--no-python-downloads"]},
        },
    }


def lessons() -> list[str]:
    """Their files; what else lies in the folder is somebody's own."""
    return [f"{source.stem}.ipynb" for source in sorted((ROOT / "notebooks" / "src").glob("*.md"))]


def copy_lessons(contents: Path) -> None:
    notebooks = ROOT / "notebooks"
    shutil.copytree(notebooks / "images", contents / "images")
    for name in [*lessons(), "quiz-bank.md", "LICENSE"]:
        shutil.copy(notebooks / name, contents)


def missing(site: Path) -> list[str]:
    """The files that a whole site has, and this one has not."""
    needed = ["index.html", "jupyter-lite.json", "notebooks/index.html", LOCK]
    needed += [f"static/pyodide/{name}" for name in PYODIDE] + [f"files/{name}" for name in lessons()]
    if (site / LOCK).is_file():
        packages = json.loads((site / LOCK).read_text(encoding="utf-8"))["packages"].values()
        needed += [urljoin(LOCK, package["file_name"]) for package in packages]
    return [name for name in needed if not (site / name).is_file()]


def is_ours(folder: Path) -> bool:
    """Whether a folder is empty, or has a site of the kit."""
    config = folder / "jupyter-lite.json"
    return not any(folder.iterdir()) or (config.is_file() and NAME in config.read_text(encoding="utf-8"))


def replace(site: Path, output: Path, aside: Path) -> None:
    """Puts the site in its place. The old one goes aside, and comes back if something stops the new one."""
    if output.exists():
        output.rename(aside)
    try:
        site.rename(output)
    except BaseException:
        if aside.exists():
            aside.rename(output)
        raise


def build(output: Path) -> None:
    try:
        import jupyterlite_core  # noqa: F401
        import jupyterlite_pyodide_kernel  # noqa: F401
        import pyodide_lock  # noqa: F401
        from packaging.utils import canonicalize_name
    except ImportError as error:
        sys.exit(f"{error.name} is missing. Install what the site is made with: pip install -e '.[lite]'")
    versions = {canonicalize_name(found.name): found.version for found in distributions()}
    if output.exists() and not is_ours(output):
        sys.exit(f"{output} holds something else than a site of the kit. Name another folder with --output.")
    output.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=output.parent, prefix=f".{output.name}-") as name:
        aside = Path(name)
        site, lite, contents = aside / "site", aside / "lite", aside / "contents"
        for folder in (site, lite / "static" / "pyodide", contents):
            folder.mkdir(parents=True)
        versions |= fetch_pyodide(lite / "static" / "pyodide", aside)
        pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", aside]
        run("building the kit", *pip, ROOT, within=aside)
        copy_lessons(contents)
        told = settings(site, contents, next(aside.glob("*.whl")), versions)
        (lite / "jupyter_lite_config.json").write_text(json.dumps(told), encoding="utf-8")
        page = {"appName": NAME, "litePluginSettings": {KERNEL: {"disablePyPIFallback": True}}}
        written = json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": page})
        (lite / "jupyter-lite.json").write_text(written, encoding="utf-8")
        run("building the site", sys.executable, "-m", "jupyterlite_core", "build", f"--lite-dir={lite}", within=aside)
        (site / "index.html").write_text(PAGE, encoding="utf-8")
        if lost := missing(site):
            sys.exit(f"the site would lack {', '.join(lost)}. Is this computer online? Nothing was changed.")
        replace(site, output, aside / "old")
    files = [file for file in output.rglob("*") if file.is_file()]
    print(f"{output}: {len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.0f} MB")


class Files(SimpleHTTPRequestHandler):
    # Some systems would call these text, and the browser would not run them.
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }


def serve(site: Path, port: int) -> None:
    if lost := missing(site):
        sys.exit(f"There is no whole site in {site} ({lost[0]} is missing). Build it: python binder/build_lite.py")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(Files, directory=str(site)))
    except (OSError, OverflowError) as error:
        sys.exit(f"Port {port} cannot be used ({error}). Name another, such as --serve 8765")
    print(f"http://127.0.0.1:{server.server_port}/ (stop with Ctrl+C)", flush=True)
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description="Build or show the site that needs no server.")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "_site", metavar="FOLDER", help="the site (default: _site)"
    )
    parser.add_argument("--serve", type=int, nargs="?", const=8000, metavar="PORT", help="show what was built")
    args = parser.parse_args()
    try:
        if args.serve is None:
            build(args.output.resolve())
        else:
            serve(args.output.resolve(), args.serve)
    except KeyboardInterrupt:
        sys.exit("\nStopped.")
    except OSError as error:
        sys.exit(f"{error}. Nothing was changed.")


if __name__ == "__main__":
    main()
