"""The stored lessons are what their sources give, keep the house rules, and a wrong one would be seen."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"
LESSONS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
WRONG = ROOT / "tests" / "must_fail" / "wrong_total.ipynb"

# These fail under nbval, block a run, or die in JupyterLite.
BANNED = ("Output(", "interact", "clear_output", "input(", "%pip")
# A temporary file of a kernel, a folder of an installation, an object's address, a widget's id.
OF_ONE_RUN = re.compile(r"ipykernel_\d|site-packages|\b0x[0-9a-f]{6,}|widget-(view|state)|model_id|IPY_MODEL")

each_lesson = pytest.mark.parametrize("lesson", LESSONS)


def cells(lesson: str, kind: str) -> list[nbformat.NotebookNode]:
    notebook = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def syntax(lesson: str) -> list[ast.Module]:
    return [ast.parse(cell.source) for cell in cells(lesson, "code")]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def nbval(notebook: Path) -> subprocess.CompletedProcess[str]:
    """pytest on one notebook with the very settings of pyproject.toml."""
    settings = ROOT / "pyproject.toml"
    return run("-m", "pytest", "-c", settings, "--color=no", "-p", "no:cacheprovider", notebook)


def test_every_lesson_has_a_source_and_every_source_a_lesson() -> None:
    sources = sorted(path.stem for path in (NOTEBOOKS / "src").glob("*.md"))
    assert sources
    assert sources == LESSONS


@each_lesson
def test_source_and_notebook_have_the_same_cells(lesson: str) -> None:
    source = jupytext.read(NOTEBOOKS / "src" / f"{lesson}.md", fmt="md:myst")
    stored = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    assert [(c.cell_type, c.source) for c in source.cells] == [(c.cell_type, c.source) for c in stored.cells]


def test_building_again_gives_the_same_bytes() -> None:
    check = run(NOTEBOOKS / "build.py", "--check")
    assert check.returncode == 0, check.stderr


@each_lesson
def test_every_code_cell_was_executed_in_order(lesson: str) -> None:
    """nbval compares nothing in a cell without a count, and does not say so."""
    counts = [cell.execution_count for cell in cells(lesson, "code")]
    assert counts == list(range(1, len(counts) + 1))


@each_lesson
def test_a_lesson_has_one_title(lesson: str) -> None:
    prose = "\n".join(cell.source for cell in cells(lesson, "markdown"))
    unfenced = re.sub(r"^```.*?^```", "", prose, flags=re.MULTILINE | re.DOTALL)
    assert len(re.findall(r"^# ", unfenced, flags=re.MULTILINE)) == 1


@each_lesson
def test_imports_stand_in_one_cell(lesson: str) -> None:
    kinds = ast.Import | ast.ImportFrom
    importing = [tree for tree in syntax(lesson) if any(isinstance(node, kinds) for node in ast.walk(tree))]
    assert len(importing) == 1


@each_lesson
def test_functions_and_classes_stay_under_eleven_lines(lesson: str) -> None:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    defined = [node for tree in syntax(lesson) for node in ast.walk(tree) if isinstance(node, kinds)]
    assert not [node.name for node in defined if (node.end_lineno or 0) - node.lineno >= 10]


@each_lesson
def test_nothing_banned_stands_in_the_code(lesson: str) -> None:
    code = "\n".join(cell.source for cell in cells(lesson, "code"))
    assert not [word for word in BANNED if word in code]


@each_lesson
def test_nothing_of_one_run_or_one_computer_is_stored(lesson: str) -> None:
    text = (NOTEBOOKS / f"{lesson}.ipynb").read_text(encoding="utf-8")
    assert not OF_ONE_RUN.search(text)
    assert sys.prefix not in text
    metadata = json.loads(text)["metadata"]
    assert metadata.keys() == {"kernelspec", "language_info"}
    assert metadata["language_info"] == {"name": "python"}


def test_a_wrong_stored_total_is_seen() -> None:
    result = nbval(WRONG)
    assert result.returncode == pytest.ExitCode.TESTS_FAILED, result.stdout
    assert "'98' == '99'" in result.stdout
    assert "1 failed, 1 passed" in result.stdout


def test_the_same_notebook_with_the_right_total_passes(tmp_path: Path) -> None:
    text = WRONG.read_text(encoding="utf-8")
    assert text.count('"98"') == 1
    right = tmp_path / "right_total.ipynb"
    right.write_text(text.replace('"98"', '"99"'), encoding="utf-8")
    result = nbval(right)
    assert result.returncode == pytest.ExitCode.OK, result.stdout
    assert "2 passed" in result.stdout
