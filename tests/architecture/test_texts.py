"""What messages, docstrings and documents tell users to type is there."""

import ast
import importlib
import importlib.util
import re
from dataclasses import fields
from pathlib import Path

import pytest

import vinculum as vc
from vinculum.motion.lagrangian.record import LagrangianRecord
from vinculum.motion.record import Record
from vinculum.motion.recorded_motion import MotionPlot
from vinculum.motion.views.body import BodyMotion
from vinculum.motion.views.bond import BondMotion
from vinculum.motion.views.joint import JointMotion
from vinculum.namespaces import HOMES, TOP, names

ROOT = Path(__file__).resolve().parents[2]
ASKED = re.compile(r"(?<![\w.])(motion|vc)\.(\w+)(?:\.(\w+))?")
MODULES = {"Motion", "lagrangian", "storage", "py"}
"""What follows `motion.` where a module or file is meant."""
TOPS = {*vc.__all__, "__file__"}
MOTION = {*dir(vc.Motion), *dir(vc.LagrangianMotion), "record"} | MODULES
RECORD = {name for cls in (Record, LagrangianRecord) for name in (*dir(cls), *(one.name for one in fields(cls)))}
FAMILIES = {home.removeprefix(f"{TOP}."): set(names(home)) for home in HOMES if home != TOP}


def unknown(text: str) -> list[str]:
    """What a text asks of a motion or of the package that is not there."""
    found = []
    for asked in ASKED.finditer(text):
        whose, name, further = asked.groups()
        known = name in (MOTION if whose == "motion" else TOPS)
        if whose == "motion" and name == "record" and further:
            known = further in RECORD
        if whose == "vc" and name in FAMILIES and further:
            known = further in FAMILIES[name]
        if not known:
            found.append(asked[0])
    return found


def test_messages_and_docstrings_name_what_is_there():
    wrong = [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {one}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for one in unknown(node.value)
    ]
    assert not wrong


def test_documents_and_benchmarks_name_what_is_there():
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.py")]
    texts += [*(ROOT / "examples").glob("*.py"), *(ROOT / "packaging").glob("*.py")]
    wrong = [f"{path.name}: {one}" for path in texts for one in unknown(path.read_text(encoding="utf-8"))]
    assert not wrong


def test_a_name_that_was_moved_is_found():
    assert unknown("ask motion.crossings, motion.record.crossings, vc.Morse and vc.potentials.Morse") == [
        "motion.crossings",
        "vc.Morse",
    ]


VIEWS = {"body": BodyMotion, "joint": JointMotion, "bond": BondMotion}
"""Classes of what `motion.body(…)`, `motion.joint(…)` and `motion.bond(…)` return."""


@pytest.mark.parametrize(
    "page", ["notation.md", "start.md", "tour.md", "tour/runs.md", "tour/motions.md", "certificate.md"]
)
def test_attributes_of_views_and_dotted_names_of_a_page_are_there(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    asked = re.findall(r"\.(body|joint|bond)\([^()]*\)\.(\w+)", text)
    assert [f"{view}(…).{name}" for view, name in asked if not hasattr(VIEWS[view], name)] == []
    dotted = set(re.findall(r"`(vinculum(?:\.\w+)+)`", text))
    for name in dotted:
        module, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(module), last) or importlib.util.find_spec(name), name


def first_cells(text: str, head: str) -> list[str]:
    """The first cells of the rows of all tables whose first column has a head."""
    tables = re.findall(rf"^\| {head} \|.*\n\|[-| :]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [row.split("|")[1] for table in tables for row in table.splitlines()]


def absent_methods(cell: str) -> list[str]:
    """What a cell of a table calls that a motion, its plots or the package do not have."""
    found = []
    for asked in re.findall(r"`([\w.]+)\(", cell):
        whose, _, name = asked.rpartition(".")
        owner = {"": vc.Motion, "motion": vc.Motion, "plot": MotionPlot, "motion.plot": MotionPlot, "vc": vc}.get(whose)
        found += [asked] if owner is None or not hasattr(owner, name) else []
    return found


def test_methods_in_tables_are_methods_of_a_motion():
    """A table lists methods without the motion before them."""
    cells = first_cells((ROOT / "docs" / "tour" / "motions.md").read_text(encoding="utf-8"), "method")
    assert len(cells) > 5 and not [one for cell in cells for one in absent_methods(cell)]


def test_a_method_of_the_plots_is_not_one_of_the_motion():
    assert absent_methods(" `view()`, `plot.view()`, `audit()` ") == ["view"]


def test_words_of_the_papers_are_explained_by_names_that_are_there():
    """The table of `notation.md` that translates the words of the papers."""
    table = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8").partition("## Words of the papers")[2]
    charts = re.findall(r'chart="(\w+)"', table)
    assert charts and all(vc.Spherical("s", "ground", "b", chart=chart).nq for chart in charts)


def test_slow_tests_that_are_listed_are_there():
    listed = (ROOT / "tests" / "slow_tests.txt").read_text().split("\n")[:-1]
    assert listed == sorted(set(listed))
    sources = {path: (ROOT / path).read_text() for path in {name.partition("::")[0] for name in listed}}
    for name in listed:
        path, _, test = name.partition("[")[0].rpartition("::")
        assert f"def {test}(" in sources[path.partition("::")[0]], name
