"""The house in numbers: folders are tables of contents, fields have names, rooms say what lives in them."""

import ast
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import vinculum as vc

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "vinculum"
FILES = sorted(PACKAGE.rglob("*.py"))
MOST = 25
"""Entries of a folder: what a reader takes in as a table of contents."""


def name(path):
    return str(path.relative_to(PACKAGE.parent))


@pytest.mark.parametrize("folder", sorted({path.parent for path in FILES}), ids=name)
def test_a_folder_is_a_table_of_contents(folder):
    shown = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    shown = [
        path for path in shown if path.is_dir() or "= lazy(__name__)" not in path.read_text("utf-8")
    ]  # a namespace
    assert len(shown) <= MOST
    prefixes = Counter(path.name.split("_")[0] for path in shown if "_" in path.stem and path.stem != "__init__")
    assert len(shown) <= 12 or max(prefixes.values(), default=0) <= 5, (
        f"a folder not yet made: {prefixes.most_common(2)}"
    )


TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("folder", sorted({path.parent for path in TESTS.rglob("*.py")}), ids=lambda path: path.name)
def test_a_folder_of_tests_is_one_too(folder):
    assert len([path for path in folder.iterdir() if path.suffix == ".py" or any(path.glob("**/*.py"))]) <= MOST


@pytest.mark.parametrize("path", [path for path in FILES if path.name == "__init__.py"], ids=name)
def test_a_room_opens_with_what_lives_there(path):
    """A room says what it may import and, as a large folder within one does, where a newcomer begins."""
    told = " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split())
    assert told
    is_room = path.parent.parent == PACKAGE
    if is_room or (path.parent != PACKAGE and len(list(path.parent.glob("*.py"))) > 8):
        assert "egin with" in told
    if is_room:
        assert "mports" in told


def test_fields_of_a_layout_have_names():
    found = {name(path): len(re.findall(r"layout\[|layout\.get\(", path.read_text("utf-8"))) for path in FILES}
    assert not {path: count for path, count in found.items() if count}


def numbers(tree):
    """Names and values of a module's constants in capitals that are numbers."""
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        target = node.targets[0]
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for one, value in pairs:
            if isinstance(one, ast.Name) and one.id.isupper() and (found := number(value)) is not None:
                yield one.id, found


def number(node):
    """The number that an expression is, or None."""
    try:
        found = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}, "Fraction": Fraction})
    except Exception:
        return None
    return found if type(found) in (int, float, Fraction) else None


STATED = {path: dict(numbers(ast.parse(path.read_text("utf-8")))) for path in FILES}
ROOM = PACKAGE / "tolerances"


def test_no_number_has_one_name_in_three_modules():
    """Numbers of states and columns that are listed together, as in ``DONE, FULL = 0, 1``, belong to their module."""
    alone = [re.findall(r"^([A-Z_0-9]+) = ", path.read_text("utf-8"), re.MULTILINE) for path in FILES]
    count = Counter(one for found, names in zip(STATED.values(), alone, strict=True) for one in {*names} & {*found})
    assert not {constant: k for constant, k in count.items() if k > 2}


NO_TOLERANCES = {
    "bonds/potentials/gravitation.py": {6.67430e-11},  # Newton's constant
    "bonds/potentials/magnetic_dipoles.py": {1.00000000055e-7},  # µ0 / 4π
    "compile/evaluate.py": {1e-4, 4e-5, 1.5e-5, 2e-6, 8e-8, 1e-8, 1.5e-9, 1.2e-9, 5e-10},  # measured seconds of work
    "integrators/taylor/taylor.py": {2e-8},  # measured seconds of a step
    "compile/targets/llvm/elementary.py": None,  # coefficients of elementary functions
    "integrators/dop853/coefficients.py": None,  # coefficients of Dormand and Prince
}
"""Small numbers that decide nothing: those of nature, of measurement and of published tables (None: all of the file)."""


def small_number(node):
    """The number from zero to a thousandth that a literal, a power or quotient of literals, or a fraction is; otherwise None."""
    match node:
        case ast.Constant(value=float()):
            found = node.value
        case ast.BinOp(left=ast.Constant(), op=ast.Pow() | ast.Div()) | ast.Call(func=ast.Name(id="Fraction")):
            found = number(node)
        case _:
            return None
    return found if found is not None and 0.0 < found <= 1e-3 else None


@pytest.mark.parametrize("text", ["x < 1e-9", "x < 2.0**-46", "x < 1 / 4096", "x < 3 * Fraction(1, 2**51)"])
def test_small_numbers_are_noticed(text):
    assert any(small_number(node) for node in ast.walk(ast.parse(text)))


def test_tolerances_are_stated_in_their_room():
    """Any number below a thousandth, in functions, defaults and tables alike, has a name and a reason in tolerances/. So has a power or a
    quotient that is one."""
    found = []
    for path in FILES:
        allowed = NO_TOLERANCES.get(path.relative_to(PACKAGE).as_posix(), set())
        if ROOM in path.parents or allowed is None:
            continue
        small = {
            value: node.lineno for node in ast.walk(ast.parse(path.read_text("utf-8"))) if (value := small_number(node))
        }
        found += [f"{name(path)}:{line}: {value}" for value, line in small.items() if value not in allowed]
    assert not found


def test_a_tolerance_is_stated_once_with_its_reason():
    count = Counter(
        constant for path in ROOM.glob("*.py") for constant, _ in numbers(ast.parse(path.read_text("utf-8")))
    )
    assert count and not [constant for constant, k in count.items() if k > 1]
    for path in ROOM.glob("*.py"):
        body = ast.parse(path.read_text("utf-8")).body[1:]
        for stated, reason in zip(body[::2], body[1::2], strict=True):
            assert isinstance(stated, ast.Assign), f"{name(path)} holds numbers alone"
            assert isinstance(reason, ast.Expr) and isinstance(reason.value, ast.Constant), ast.unparse(stated)


def test_a_tolerance_is_a_number_of_its_room_alone():
    """No other module gives the same name to the same number; every tolerance is used."""
    room = {constant: value for path in ROOM.glob("*.py") for constant, value in STATED[path].items()}
    elsewhere = [path for path in FILES if path.parent != ROOM]
    assert not [
        f"{name(path)}: {one}" for path in elsewhere for one, value in STATED[path].items() if room.get(one) == value
    ]
    words = Counter(word for path in FILES for word in re.findall(r"\b[A-Z][A-Z_0-9]+\b", path.read_text("utf-8")))
    assert not [one for one in room if words[one] < 2]


@pytest.mark.parametrize("noun", [vc.Motion, vc.LagrangianMotion])
def test_a_motion_has_few_names(noun):
    """Those that a user sees by tab: methods, properties and fields, inherited ones included."""
    names = {name for name in (*dir(noun), *noun.__dataclass_fields__) if not name.startswith("_")}
    assert len(names) <= 15, sorted(names)


def definitions(kind):
    return [
        (path, node)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, kind)
    ]


def test_few_functions_take_more_than_eight_arguments():
    """`simulate` and its kin take what a user may choose; elsewhere what travels together is one named tuple."""
    found = [
        f"{name(path)}: {node.name}"
        for path, node in definitions(ast.FunctionDef)
        if len(node.args.args) + len(node.args.kwonlyargs) > 8
    ]
    assert len(found) <= 15, found


def test_no_class_has_more_than_fifteen_methods():
    found = {
        node.name
        for _, node in definitions(ast.ClassDef)
        if sum(isinstance(one, ast.FunctionDef) and not one.name.startswith("_") for one in node.body) > 15
    }
    assert not found


def test_free_bodies_and_pair_loops_have_one_name():
    assert not [name(path) for path in FILES if re.search(r"(?i)(?<!com)pile|swarm", path.read_text("utf-8"))]
