"""No file outside the folders of a type asks which type a model is; every room has an implementation for every type."""

import ast
from pathlib import Path

import pytest

from vinculum.audits.action.by_type import ACTIONS
from vinculum.audits.by_type import AUDITS
from vinculum.cli.descriptions import STORED
from vinculum.integrators.by_type import STEPS
from vinculum.models.lagrangian.type import LagrangianType
from vinculum.models.types import TYPES
from vinculum.motion.by_type import MOTIONS
from vinculum.show.by_type import DRAWINGS
from vinculum.show.report.by_type import REPORTS
from vinculum.simulation.by_type import RUNS

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "vinculum"
FILES = sorted(PACKAGE.rglob("*.py"))
OWN = {path.parent.name for path in PACKAGE.glob("models/*/type.py")}
"""Folders and files of a type."""
HELD = {"FreeBodies", "Tabled", "BlockShapes", "LagrangianSystem", "LagrangianMotion"}
"""Classes of what a type has."""
CLASSES = {"ModelType", "LoopedType", "OverTables", *(one.__name__ for one in TYPES)} | HELD
DATA = {"free_bodies_of", "lagrangian_of", "tabled_in", "block_shapes_of"}
"""Functions that give the data of a type."""
GONE = {"pile", "swarm"}
MECHANISM = PACKAGE / "models" / "by_type.py"


def relative(path):
    return str(path.relative_to(PACKAGE.parent))


def is_own(path):
    return not OWN.isdisjoint(path.relative_to(PACKAGE).with_suffix("").parts)


def names_in(node):
    inside = list(ast.walk(node))
    return {n.id for n in inside if isinstance(n, ast.Name)} | {n.attr for n in inside if isinstance(n, ast.Attribute)}


def questions(tree):
    """Lines on which a file asks which type a model is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in GONE:
            yield node.lineno, f".{node.attr}"
        if isinstance(node, ast.Attribute) and node.attr == "lagrangian" and "layout" in names_in(node.value):
            yield node.lineno, "layout.lagrangian"
        if isinstance(node, ast.Compare) and not CLASSES.isdisjoint(names_in(node)):
            yield node.lineno, "comparison with a type"
        if isinstance(node, ast.MatchClass) and not CLASSES.isdisjoint(names_in(node.cls)):
            yield node.lineno, "match of a type"
        if isinstance(node, ast.Name) and node.id in DATA:
            yield node.lineno, node.id
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name, given = node.func.id, node.args
            if name in ("isinstance", "issubclass") and not CLASSES.isdisjoint(names_in(given[1])):
                yield node.lineno, f"{name} of a type"
            if name == "type" and isinstance(given[0], ast.Attribute) and given[0].attr == "type":
                yield node.lineno, "type(model.type)"
            if (
                name in ("getattr", "hasattr")
                and isinstance(given[1], ast.Constant)
                and given[1].value in GONE | {"type"}
            ):
                yield node.lineno, f"{name} of a type"


@pytest.mark.parametrize("path", [path for path in FILES if not is_own(path) and path != MECHANISM], ids=relative)
def test_nobody_else_asks_which_type_a_model_is(path):
    found = list(questions(ast.parse(path.read_text("utf-8"))))
    assert not found, f"{relative(path)} asks: {found}"


@pytest.mark.parametrize("asked", [
    "model.pile is not None", "isinstance(model.type, WrittenOutType)", "type(model.type) is X", "model.layout.lagrangian",
    "getattr(model, 'swarm')", "X is FreeBodiesType", "free_bodies_of(model)", "isinstance(system, (System, LagrangianSystem))",
    "isinstance(model.type, TabledType)", "tabled_in(model)", "type(one) is BlocksInContactType", "isinstance(model.type, LoopedType)",
])  # fmt: skip
def test_such_questions_are_noticed(asked):
    assert list(questions(ast.parse(asked)))


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_types_are_imported_where_they_live_or_are_registered(path):
    if is_own(path) or path.name == "__init__.py" or path.parent == PACKAGE / "models":
        return
    tree = ast.parse(path.read_text("utf-8"))
    imported = {a.name for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) for a in n.names}
    assert imported.isdisjoint(CLASSES - HELD | DATA)


def test_every_type_has_a_folder_of_its_own():
    assert {one.__module__.split(".")[-2] for one in TYPES} == OWN


@pytest.mark.parametrize("room", [STEPS, MOTIONS, AUDITS, ACTIONS, DRAWINGS, REPORTS, STORED])
@pytest.mark.parametrize("one", TYPES)
def test_every_room_answers_for_every_type(room, one):
    assert one in room


@pytest.mark.parametrize("one", [one for one in TYPES if one is not LagrangianType])
def test_every_type_of_bodies_can_be_run(one):
    assert one in RUNS
