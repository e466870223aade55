"""The notebooks of the documentation run, cell by cell, and every cell shows what a notebook can show."""

import ast
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SHOWN = "_repr_mimebundle_", "_repr_html_", "_repr_png_"
"""How a notebook asks a value for something to show, besides its text."""


def cells(notebook, kind):
    return ["".join(cell["source"]) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
            if cell["cell_type"] == kind]  # fmt: skip


def played(code, name, space):
    """The value of the last expression of a cell; None if it ends otherwise."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), space)
    return None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), space)  # type: ignore[attr-defined]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_its_results(notebook, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space, kinds = {"__name__": "notebook"}, set()
    for number, code in enumerate(cells(notebook, "code")):
        value = played(code, f"{notebook.name}, cell {number}", space)
        shown = [getattr(value, way)() for way in SHOWN if hasattr(type(value), way)]
        if shown:
            assert any(shown), f"a {type(value).__name__} shows nothing"
            kinds.add(type(value).__name__)
    assert {"System", "Certificate", "ShownFigure", "Page"} <= kinds


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(notebook):
    """Outputs belong to the build: a kept one would be of another version."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        assert cell.get("outputs", []) == [] and cell.get("execution_count") is None


def test_there_are_notebooks_of_both_kinds():
    assert [path.stem for path in NOTEBOOKS] == ["first_notebook", "modes_and_beats"]
    assert all(cells(notebook, "markdown")[0].startswith("# ") for notebook in NOTEBOOKS)
