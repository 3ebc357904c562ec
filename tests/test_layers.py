"""The house keeps its shape: which module may import which, how long things may be, what an import costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "ninety_nine_kit"
NAME = PACKAGE.name

# Each may import what stands before it; those in one line never each other.
ORDER = [
    {"card"},
    {"rules"},
    {"events"},
    {"narration"},
    {"game"},
    {"tricks", "adding"},
    {"dealing"},
    {"presets"},
    {"readings"},
    {"agents"},
    {"show"},
    {"teaching"},
    {"record"},
    {"terminal"},
    {"__main__"},
    {"experiment"},
    {"widgets"},
]
BEFORE = {module: set().union(*ORDER[:place]) for place, line in enumerate(ORDER) for module in line}
BEFORE["batch"] = {"card", "rules"}
BEFORE["experiment"] |= {"batch"}
OUTSIDE = {
    "widgets": {"ipywidgets", "anywidget", "traitlets"},
    "batch": {"numpy"},
    "experiment": {"matplotlib", "pandas", "tqdm"},
}

FILES = sorted(PACKAGE.rglob("*.py"))
each_file = pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(PACKAGE)) for path in FILES])


def module_of(path: Path) -> str:
    """The module or folder of the house that a file belongs to; __init__ for the package's own."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Full names of all that is imported anywhere in a file: modules, and names from modules."""
    parts = (NAME, *path.relative_to(PACKAGE).parent.parts)
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            near = parts[: len(parts) - node.level + 1] if node.level else ()
            start = ".".join([*near, *([node.module] if node.module else [])])
            names |= {f"{start}.{alias.name}" for alias in node.names}
    return names


@each_file
def test_a_module_imports_only_what_stands_before_it(path: Path) -> None:
    module = module_of(path)
    if module != "__init__":
        inner = {f"{name}.__init__".split(".")[1] for name in imported(path) if name.split(".")[0] == NAME}
        assert module in BEFORE, "give the module its place in ORDER"
        assert inner - {module} <= BEFORE[module]


@each_file
def test_only_the_standard_library_is_imported_from_outside(path: Path) -> None:
    outer = {name.split(".")[0] for name in imported(path)} - {NAME}
    assert outer - sys.stdlib_module_names <= OUTSIDE.get(module_of(path), set())


@each_file
def test_no_module_is_over_400_lines_and_no_function_over_40(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 400
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    lengths = {f.name: f.end_lineno - f.lineno + 1 for f in functions if f.end_lineno}
    assert not {name: length for name, length in lengths.items() if length > 40}


@each_file
def test_a_module_opens_with_one_sentence_of_purpose(path: Path) -> None:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert said
    assert said[0].isupper()


def test_the_package_only_hands_names_on_and_no_module_has_a_name_of_theirs() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    names = [
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    ]
    others = [node for node in tree.body[1:] if not isinstance(node, ast.ImportFrom)]
    assert [ast.unparse(node).split(" = ")[0] for node in others] in ([], ["__all__"])
    assert not set(names) & {module_of(path) for path in FILES}


@pytest.mark.parametrize("path", [path for path in FILES if module_of(path) == "record"], ids=lambda path: path.name)
def test_what_reads_records_can_run_nothing_that_stands_in_them(path: Path) -> None:
    assert not {name.split(".")[0] for name in imported(path)} & {"pickle", "marshal", "shelve", "yaml"}
    called = {node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)}
    assert not called & {"eval", "exec", "compile", "__import__"}


def test_importing_the_kit_loads_nothing_from_outside() -> None:
    code = f"import {NAME}, sys; assert not {{'numpy', 'ipywidgets', 'IPython'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
