"""What mybinder.org would make of the folder binder/; tests/test_front_ends.py plays in the versions of its image."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_what_binder_reads_and_the_links_to_it_are_those_that_pyproject_gives() -> None:
    done = subprocess.run([sys.executable, "binder/build.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_stale_file_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "binder/build.py", "binder/runtime.txt", "notebooks/src/00-start.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    stale = tmp_path / "binder" / "runtime.txt"
    stale.write_text("python-3.10\n")
    done = subprocess.run([sys.executable, "binder/build.py", "--check"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "binder/runtime.txt" in done.stderr and "binder/requirements.txt" in done.stderr
    assert stale.read_text() == "python-3.10\n"
    assert not (tmp_path / "binder" / "requirements.txt").exists()


def test_binder_builds_on_the_oldest_python_and_installs_what_seldom_changes_first() -> None:
    command = [Path(sys.executable).with_name("jupyter-repo2docker"), "--no-build", "--debug", ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = done.stderr + done.stdout
    places = [0]
    for step in (
        "Building conda environment for python=3.11\n",
        'pip install --no-cache-dir -r "binder/requirements.txt"\n',
        " src/ ${REPO_DIR}/\n",
        "RUN ./binder/postBuild\n",
        "ENTRYPOINT [",
    ):
        places.append(told.index(step))
    assert places == sorted(places)


def test_the_workflow_runs_only_what_is_tried_here_and_publishes_what_that_builds() -> None:
    workflow = (ROOT / ".github" / "workflows" / "pages.yml").read_text(encoding="utf-8")
    commands = re.findall(r"run: (.+)", workflow)
    assert commands == ["python -m pip install -e '.[lite]'", "python binder/build_lite.py"]
    assert "path: _site\n" in workflow
    assert '"ninety-nine-kit[lite]"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")  # in the extra test
