"""One tape, every target, one answer."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

import vinculum as vc
from trees import defaults, random_state, random_system
from vinculum.compile import evaluate
from vinculum.compile.engines import has_heyoka
from vinculum.compile.tape import ARITY, OPERATIONS, Tape
from vinculum.compile.targets import arrays, c99, floats, interpreter
from vinculum.compile.targets.casadi import casadi_function
from vinculum.compile.targets.llvm import alike_parts, machine
from vinculum.compile.trace import trace
from vinculum.errors import FileError
from vinculum.models.types import model_of
from vinculum.scalars import Scalar, symbols
from vinculum.scalars.math import sin

DOMAIN = {"asin": 0.9, "acos": 0.9, "atanh": 0.9}


def all_operations() -> tuple[Tape, np.ndarray]:
    """A tape with every operation once, and rows in all their domains."""
    rng = np.random.default_rng(0)
    x, y, z = symbols("x", 3)
    arguments = {1: (x,), 2: (x, y), 3: (z, x, y)}
    outputs = [Scalar(op, *arguments[ARITY[op]]) if op != "acosh" else Scalar(op, x + 1.0) for op in OPERATIONS]
    rows = np.column_stack([rng.uniform(-0.95, 0.95, 64), rng.uniform(-0.95, 0.95, 64), rng.integers(0, 2, 64)])
    rows[:32, 0] = np.abs(rows[:32, 0])
    rows[3] = [0.5, 0.5, 1.0]
    return trace({"x": [x, y, z]}, {"y": outputs}), rows


def a_tree() -> tuple[Tape, np.ndarray]:
    rng = np.random.default_rng(2)
    tree = random_system(rng, 5).tree()
    tape = model_of(tree).tape("motion")
    return tape, np.stack([np.concatenate([*random_state(tree, rng), [0.3], defaults(tape)]) for _ in range(37)])


@pytest.fixture(params=[all_operations, a_tree], ids=["every operation", "a tree"])
def case(request):
    return request.param()


def agree(found, expected):
    same = np.isnan(found) & np.isnan(expected)
    scale = 1e-13 * (1 + np.abs(np.where(np.isfinite(expected), expected, 0)).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        assert np.all(same | (found == expected) | (np.abs(found - expected) <= scale))


def test_llvm_agrees_with_numpy(case):
    tape, rows = case
    agree(machine.compile_tape(tape)(rows), arrays.evaluate(tape, rows))


@pytest.mark.parametrize("length", [1, 7, 100])
def test_llvm_in_parts_agrees_with_numpy(case, length, monkeypatch):
    tape, rows = case
    for name, value in (("UNDIVIDED_TAPE", 0), ("PART_OF_TAPE", length), ("EMITTER_VERSION", f"parts of {length}")):
        monkeypatch.setattr(machine, name, value)
    assert "@part1(" in machine.assembly(tape).text
    agree(machine._load_or_compile(tape)(rows), arrays.evaluate(tape, rows))


def a_chain(links):
    system = vc.System("chain", gravity=(0, 0, -9.81))
    for i in range(links):
        system.add(vc.RigidBody(f"link{i}", 1.0 + 0.01 * i, (0.05, 0, 0), (1e-4, 8e-4, 8e-4)))
        parent, axis = f"link{i - 1}" if i else "ground", ((0, 1, 0), (0, 0, 1))[i % 2]
        system.add(vc.Revolute(f"hinge{i}", parent, f"link{i}", axis=axis, at=(0.1 if i else 0.0, 0, 0), damping=0.1))
    return system


def test_links_that_are_alike_are_one_function_and_agree_with_numpy(monkeypatch):
    """The recursions of a chain are loops over two kinds of links: a longer chain has more calls, and not one function more."""
    for name, value in (("UNDIVIDED_TAPE", 0), ("EMITTER_VERSION", "parts alike")):
        monkeypatch.setattr(machine, name, value)
    functions = {}
    for links in (30, 60):
        tape = model_of(a_chain(links).tree()).tape("motion")
        made = machine.assembly(tape)
        functions[links] = made.parts.count("define void @kind")
        assert made.text.count("call void @kind") > 2 * functions[links]
        rows = np.random.default_rng(links).normal(size=(37, tape.n_in))
        agree(machine._load_or_compile(tape)(rows), arrays.evaluate(tape, rows))
    assert functions[60] <= functions[30] + 2


def test_only_long_tapes_with_parts_alike_are_taken_for_such(monkeypatch):
    chain, (mixed, _) = model_of(a_chain(40).tree()).tape("motion"), all_operations()
    assert not alike_parts.repeats_itself(chain)
    monkeypatch.setattr(alike_parts, "UNDIVIDED_TAPE", 0)
    assert alike_parts.repeats_itself(model_of(a_chain(41).tree()).tape("motion"))
    assert not alike_parts.repeats_itself(mixed)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 1000])
def test_the_last_block_is_padded_and_rows_keep_their_bits(count):
    tape, rows = a_tree()
    rows = np.resize(rows, (count, rows.shape[1]))
    whole = machine.compile_tape(tape)(rows)
    assert np.array_equal(
        whole, np.concatenate([machine.compile_tape(tape)(row[None]) for row in rows[:37]])[np.arange(count) % 37]
    )
    assert np.array_equal(whole, machine.compile_tape(tape)(rows, threads=1))


@pytest.mark.parametrize("columns", [257, 264, 300])
@pytest.mark.parametrize("divided", [False, True])
def test_many_columns_agree_with_numpy(columns, divided, monkeypatch):
    """Columns beyond a few are transposed in a loop and, in parts, stored by several functions."""
    if divided:
        for name, value in (("UNDIVIDED_TAPE", 0), ("PART_OF_TAPE", 50), ("EMITTER_VERSION", "many columns")):
            monkeypatch.setattr(machine, name, value)
    x = symbols("x", columns)
    tape = trace({"x": x}, {"y": [x[k] * x[k - 1] + abs(x[k - 2]) for k in range(columns)]})
    rows = np.random.default_rng(4).normal(size=(37, columns))
    agree(machine.compile_tape(tape)(rows), arrays.evaluate(tape, rows))


def test_casadi_agrees_with_numpy(case):
    tape, rows = case
    function = casadi_function(tape)
    agree(np.stack([np.ravel(function(row)) for row in rows]), arrays.evaluate(tape, rows))


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 200])
def test_the_interpreter_agrees_with_numpy(case, count):
    tape, rows = case
    rows = np.resize(rows, (count, rows.shape[1]))
    agree(interpreter.evaluate(tape, rows), arrays.evaluate(tape, rows))


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_interpreter_takes_numbers_that_are_not_finite_as_numpy_does(operation):
    count = ARITY[operation]
    x = symbols("x", count)
    odd = [0.0, -0.0, 1.0, -1.5, 2.0, 1e308, -1e308, 5e-324, np.inf, -np.inf, np.nan]
    rows = np.array(np.meshgrid(*[odd] * count)).reshape(count, -1).T
    if operation in ("where", "and", "or", "not"):
        rows = rows[~np.isnan(rows).any(axis=1)]
    tape = trace({"x": x}, {"y": [Scalar(operation, *x)]})
    found, expected = interpreter.evaluate(tape, rows), arrays.evaluate(tape, rows)
    near = np.isclose(found, expected, rtol=1e-15, atol=0.0, equal_nan=True)
    assert near.all(), (rows[~near[:, 0]], found[~near], expected[~near])
    zero = (found == 0.0) & (expected == 0.0)
    assert np.array_equal(np.signbit(found[zero]), np.signbit(expected[zero]))


def test_numpy_is_used_until_compiling_the_interpreter_pays(monkeypatch):
    tape, rows = a_tree()
    monkeypatch.setattr(interpreter, "was_kept", lambda: False)
    monkeypatch.setattr(evaluate, "_spent", evaluate.Recent(4096))
    seen = []
    while len(seen) < 2 or seen[-1] == seen[-2]:
        seen.append(evaluate.has_interpreter())
        agree(
            evaluate.interpret(tape, np.resize(rows, (4096, rows.shape[1]))),
            np.resize(arrays.evaluate(tape, rows), (4096, tape.n_out)),
        )
    assert not seen[0] and seen[-1]


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_exported_c_agrees_with_numpy(case, tmp_path):
    tape, rows = case
    (tmp_path / "kernel.c").write_text(c99.source(tape))
    (tmp_path / "kernel.h").write_text(c99.header(tape))
    subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "-pedantic", "-O1", "-shared", "-fPIC", "kernel.c", "-o", "k.so", "-lm"],
                   cwd=tmp_path, check=True)  # fmt: skip
    function = ctypes.CDLL(str(tmp_path / "k.so")).kernel
    found = np.empty((len(rows), tape.n_out))
    for row, out in zip(np.ascontiguousarray(rows), found, strict=True):
        function(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(out.ctypes.data))
    agree(found, arrays.evaluate(tape, rows))


@pytest.mark.skipif(not has_heyoka(), reason="heyoka is hidden")
def test_heyoka_agrees_with_numpy():
    from vinculum.compile.targets.heyoka import expressions, heyoka

    tape, rows = a_tree()
    hy = heyoka()
    state = hy.make_vars(*(f"x{i}" for i in range(tape.n_in)))
    function = hy.cfunc(expressions(tape, list(state)), list(state))
    agree(np.ascontiguousarray(function(np.ascontiguousarray(rows.T)).T), arrays.evaluate(tape, rows))


def test_a_tape_survives_as_plain_data(case):
    tape, rows = case
    again = Tape.from_dict(tape.to_dict())
    assert again.digest == tape.digest
    assert np.array_equal(arrays.evaluate(again, rows), arrays.evaluate(tape, rows), equal_nan=True)


@pytest.mark.parametrize("damage", [
    lambda d: d["code"][0].__setitem__(1, 10**6), lambda d: d["code"][0].__setitem__(1, -5), lambda d: d.pop("code"),
    lambda d: d["operations"].__setitem__(0, "system"), lambda d: d["results"].append(3), lambda d: d["constants"].append("one"),
], ids=["beyond", "negative", "missing", "unknown operation", "too many results", "no number"])  # fmt: skip
def test_a_damaged_tape_is_refused(damage):
    data = a_tree()[0].to_dict()
    damage(data)
    with pytest.raises(FileError):
        Tape.from_dict(data)


def test_a_tape_in_constant_use_gets_machine_code_in_the_end():
    x = symbols("x", 3)
    tape = trace(
        {"x": x}, {"y": np.array([sum(sin(k * a) * b for k in range(9)) for a, b in zip(x, x[::-1], strict=True)])}
    )
    rows, seen = np.random.default_rng(3).normal(size=(65536, 3)), []
    for _ in range(60):
        agree(evaluate.evaluate_again(tape, rows), arrays.evaluate(tape, rows))
        seen.append(evaluate.machine_code(tape) is None)
    assert seen == sorted(seen, reverse=True) and not seen[-1]


def test_floats_of_python_have_the_bits_of_the_interpreter():
    rng = np.random.default_rng(5)
    x, y, z = symbols("x", 3)
    arguments = {1: (x,), 2: (x, y), 3: (z, x, y)}
    outputs = [Scalar(op, *arguments[ARITY[op]]) for op in OPERATIONS if op in floats.FORMS]
    assert len(outputs) == len(floats.FORMS)
    for tape, rows in ((trace({"x": [x, y, z]}, {"y": outputs}), rng.uniform(0.0, 0.95, (2000, 3))), a_tree()):
        rows = rows * np.where(rng.random(rows.shape) < 0.1, 0.0, 1.0) if tape.n_in == 3 else rows
        rows = rows[(rows[:, 0] != 0.0)] if tape.n_in == 3 else rows
        assert floats.is_translatable(tape)
        assert floats.evaluate(tape, rows).tobytes() == interpreter.evaluate(tape, rows).tobytes()


@pytest.mark.parametrize("row", [[-0.5, 0.3, 1.0], [1e308, 1e308, 0.0], [-0.0, 0.0, 1.0], [0.0, -0.0, 0.0], [0.5, np.nan, np.inf],
                                 [-np.inf, 0.0, np.nan], [2.0, 3.0, 1.0]])  # fmt: skip
@pytest.mark.parametrize("operation", sorted(floats.FORMS))
def test_floats_of_python_are_the_interpreters_where_they_are_not_finite(operation, row):
    x, y, z = symbols("x", 3)
    tape = trace({"x": [x, y, z]}, {"y": [Scalar(operation, *{1: (x,), 2: (x, y), 3: (z, x, y)}[ARITY[operation]])]})
    found, expected = (which.evaluate(tape, np.array([row])) for which in (floats, interpreter))
    assert np.array_equal(found, expected, equal_nan=True) and (
        np.isnan(found).all() or np.signbit(found) == np.signbit(expected)
    )


def test_what_python_does_otherwise_is_left_to_the_interpreter():
    x, y = symbols("x", 2)
    tape = trace({"x": [x, y]}, {"y": [Scalar("hypot", x, y)]})
    assert not floats.is_translatable(tape)
    assert evaluate.evaluate_rows(tape, np.array([[3.0, 4.0]]))[0, 0] == 5.0
