"""The stored lessons are what their sources give, keep the house rules, and a wrong one would be seen."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from itertools import pairwise
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

import ninety_nine_kit.widgets
from ninety_nine_kit.card import Mistake

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


def prose(lesson: str) -> str:
    return "\n\n".join(cell.source for cell in cells(lesson, "markdown"))


def run(*command: str | Path, package: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Python with the kit of this folder, or of a copy."""
    environment = {**os.environ, "PYTHONPATH": str(package)}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def nbval(notebook: Path, package: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """pytest on one notebook with the very settings of pyproject.toml."""
    settings = ROOT / "pyproject.toml"
    return run("-m", "pytest", "-c", settings, "--color=no", "-p", "no:cacheprovider", notebook, package=package)


def test_every_lesson_has_a_source_and_every_source_a_lesson() -> None:
    sources = sorted(path.stem for path in (NOTEBOOKS / "src").glob("*.md"))
    assert sources == LESSONS
    assert [lesson[:2] for lesson in LESSONS] == [f"{number:02}" for number in range(9)]


@each_lesson
def test_source_and_notebook_have_the_same_cells(lesson: str) -> None:
    source = jupytext.read(NOTEBOOKS / "src" / f"{lesson}.md", fmt="md:myst")
    stored = nbformat.read(NOTEBOOKS / f"{lesson}.ipynb", as_version=4)
    assert [(c.cell_type, c.source) for c in source.cells] == [(c.cell_type, c.source) for c in stored.cells]


def test_building_again_gives_the_same_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    check = run(NOTEBOOKS / "build.py", "--check")
    with capsys.disabled():
        print(f"\n{check.stdout}")
    assert check.returncode == 0, check.stderr


@each_lesson
def test_every_code_cell_was_executed_in_order(lesson: str) -> None:
    """nbval compares nothing in a cell without a count, and does not say so."""
    counts = [cell.execution_count for cell in cells(lesson, "code")]
    assert counts == list(range(1, len(counts) + 1))


@each_lesson
def test_at_least_eight_outputs_are_compared(lesson: str) -> None:
    outputs = [output for cell in cells(lesson, "code") for output in cell.outputs]
    assert len([output for output in outputs if "text" in output or "text/plain" in output.get("data", {})]) >= 8


@each_lesson
def test_a_lesson_has_one_title_and_its_headings_go_down_one_by_one(lesson: str) -> None:
    unfenced = re.sub(r"^```.*?^```", "", prose(lesson), flags=re.MULTILINE | re.DOTALL)
    levels = [len(marks) for marks in re.findall(r"^(#+) ", unfenced, flags=re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@each_lesson
def test_a_lesson_has_all_its_parts_in_order(lesson: str) -> None:
    parts = ["**Goal:**", "Run all cells first", "\n## ", "## What next", "For the teacher", "\n*"]
    if lesson != "00-start":
        parts[3:3] = ["## Check yourself"]
    if lesson not in ("00-start", "07-change-a-rule"):
        parts[4:4] = ["## Change something"]
    places = [prose(lesson).find(part) for part in parts[:-1]] + [prose(lesson).rfind(parts[-1])]
    assert -1 not in places
    assert places == sorted(places)


@each_lesson
def test_links_lead_to_files_and_on_to_the_next_lesson(lesson: str) -> None:
    links = re.findall(r"\]\(([^):]+)\)", prose(lesson))
    assert not [link for link in links if not (NOTEBOOKS / link).exists()]
    following = LESSONS[LESSONS.index(lesson) + 1 :][:1]
    assert not [name for name in following if f"{name}.ipynb" not in prose(lesson).partition("## What next")[2]]


def test_the_tables_of_lessons_name_every_lesson_with_its_title() -> None:
    for table, folder in ((prose("00-start"), ""), ((ROOT / "README.md").read_text(encoding="utf-8"), "notebooks/")):
        rows = re.findall(r"^\| \[(\d\d) (.+?)\]\((.+?)\) \| .+ \| \d+ \| .+ \|$", table, flags=re.MULTILINE)
        titles = [re.findall(r"^# (.+)$", prose(lesson), flags=re.MULTILINE)[0] for lesson in LESSONS]
        linked = [f"{folder}{lesson}.ipynb" for lesson in LESSONS]
        assert rows == [(name[:2], title, link) for name, title, link in zip(LESSONS, titles, linked, strict=True)]


@each_lesson
def test_every_picture_has_a_text(lesson: str) -> None:
    assert not re.findall(r"!\[\s*\]|<img(?![^>]*alt=)", prose(lesson))
    for cell in cells(lesson, "code"):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert output.data["text/plain"]
                assert output.metadata["image/png"]["alt"]


@each_lesson
def test_every_widget_is_driven_in_the_cell_after_it(lesson: str) -> None:
    kinds, shown, trees = set(ninety_nine_kit.widgets.__all__), [], syntax(lesson)
    for tree, following in pairwise(trees):
        made = {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
            for target in node.targets
            if isinstance(target, ast.Name) and getattr(node.value.func, "id", "") in kinds
        }
        for name in made:
            shown.append(name)
            used = [node for node in ast.walk(following) if isinstance(node, ast.Attribute | ast.Call)]
            calls = [ast.unparse(node) for node in used]
            assert [call for call in calls if call.startswith(f"{name}.")], f"{name} is not driven"
            assert f"print({name})" in calls
    assert shown
    opened = [node for tree in trees for node in ast.walk(tree) if getattr(getattr(node, "func", 0), "id", "") in kinds]
    assert len(opened) == len(shown), "give every widget a name, so that the next cell can drive it"


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


class Page(dict[str, Any]):
    """The names of a notebook whose cells are run here, without a kernel."""

    def run(self, source: str) -> Exception | None:
        """What the cell raised, if it was that one that raised it or was told by the kit in a sentence."""
        try:
            exec(compile(source, "<cell>", "exec"), self)  # the lessons' own code
        except Mistake as told:
            return told
        except NameError as unknown:
            assert len(traceback.extract_tb(unknown.__traceback__)) == 2, "raised inside the kit"
            return unknown
        return None


@each_lesson
def test_cells_run_out_of_order_or_twice_say_what_is_wrong_in_a_sentence(lesson: str) -> None:
    sources = [
        cell.source for cell in cells(lesson, "code") if not re.search(r"(survey|compare|plot|again)\(", cell.source)
    ]
    Page().run(sources[-1])
    page = Page()
    page.run(sources[0])
    for source in [*reversed(sources[1:]), *sources, *(source for source in sources for _ in range(2))]:
        page.run(source)
    assert not any(isinstance(page.run(source), NameError) for source in sources)


def test_a_wrong_value_is_shown_as_a_sentence_without_a_traceback() -> None:
    """In a real kernel; a mistake of Python's own keeps its traceback."""
    wrong = "import ninety_nine_kit as kit\nkit.position(kit.ADDING_RU, ['3♥ 3♥ 4♥', '5♥'])"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in (wrong, "1 / 0")])
    NotebookClient(notebook, allow_errors=True, kernel_name="python3").execute()
    (told,), (traced,) = [cell.outputs for cell in notebook.cells]
    assert told.traceback == [f"Mistake: {told.evalue}"] == ["Mistake: adding-ru: the pack does not hold 3♥ so often"]
    assert len(traced.traceback) > 2


BACK = "self.go(max(self.history.step - 1, 0))"


def test_a_back_button_that_goes_two_steps_fails_a_lesson(tmp_path: Path) -> None:
    """A test of the tests, on a copy of the kit."""
    shutil.copytree(ROOT / "ninety_nine_kit", tmp_path / "ninety_nine_kit")
    table = tmp_path / "ninety_nine_kit" / "widgets" / "table.py"
    lesson = NOTEBOOKS / "01-tricks-follow-suit.ipynb"
    assert nbval(lesson, tmp_path).returncode == pytest.ExitCode.OK
    source = table.read_text(encoding="utf-8")
    assert source.count(BACK) == 1
    table.write_text(source.replace(BACK, BACK.replace("- 1", "- 2")), encoding="utf-8")
    result = nbval(lesson, tmp_path)
    assert result.returncode == pytest.ExitCode.TESTS_FAILED, result.stdout
    assert "1 failed" in result.stdout
