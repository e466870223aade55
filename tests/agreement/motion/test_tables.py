"""A table is one function everywhere: SciPy, numbers, graphs, and every target of a tape."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from scipy import interpolate

import vinculum as vc
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays, c99, interpreter
from vinculum.compile.targets.casadi import casadi_function
from vinculum.compile.targets.llvm import machine
from vinculum.compile.trace import trace
from vinculum.errors import FileError
from vinculum.scalars import directional, formulas, gradient, substitute, symbol, symbols, value

RNG = np.random.default_rng(5)
SCIPY = {
    "linear": lambda x, y: interpolate.make_interp_spline(x, y, k=1),
    "cubic": interpolate.CubicSpline,
    "natural": lambda x, y: interpolate.CubicSpline(x, y, bc_type="natural"),
    "quintic": lambda x, y: interpolate.make_interp_spline(x, y, k=5),
    "pchip": interpolate.PchipInterpolator,
    "akima": interpolate.Akima1DInterpolator,
}


def points(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.1, 1.0, count)) - 3.0, rng.normal(size=count)


def places(x: np.ndarray, beyond: float = 0.0) -> np.ndarray:
    """Random places, and every knot with its neighbors among floats."""
    inside = np.concatenate([x, np.nextafter(x[1:], -np.inf), np.nextafter(x[:-1], np.inf)])
    return np.concatenate([inside, np.random.default_rng(1).uniform(x[0] - beyond, x[-1] + beyond, 200)])


@pytest.mark.parametrize("kind", SCIPY)
@pytest.mark.parametrize("count", [6, 7, 40])
def test_a_table_has_scipys_values_and_slopes(kind, count):
    x, y = points(count)
    table, peer, at = vc.Table("cam", x, y, kind=kind), SCIPY[kind](x, y), places(x)
    assert table(at) == pytest.approx(peer(at), rel=1e-12, abs=1e-12)
    smooth = at[np.abs(at[:, None] - x).min(axis=1) > 1e-9]
    assert table.derivative()(smooth) == pytest.approx(peer.derivative()(smooth), rel=1e-10, abs=1e-10)
    assert [table(one) for one in at[:5].tolist()] == table(at[:5]).tolist()


def test_given_polynomials_are_taken_as_they_are_and_may_jump():
    table = vc.Table.of_polynomials("step", [0.0, 1.0, 3.0], [[1.0, 2.0], [5.0, -1.0]], outside="extend")
    assert table(np.array([-1.0, 0.5, 1.0, 2.0, 4.0])).tolist() == [-1.0, 2.0, 5.0, 4.0, 2.0]
    assert table.derivative()(np.array([0.5, 1.0])).tolist() == [2.0, -1.0]


def test_beyond_its_ends_a_table_does_what_was_asked():
    x, y = points(9)
    at = np.array([x[0] - 2.0, x[-1] + 3.0])
    assert vc.Table("cam", x, y, outside="flat")(at).tolist() == pytest.approx([y[0], y[-1]], rel=1e-14)
    assert vc.Table("cam", x, y, outside="flat").derivative()(at).tolist() == [0.0, 0.0]
    assert vc.Table("cam", x, y, outside="extend")(at) == pytest.approx(interpolate.CubicSpline(x, y)(at), rel=1e-12)


@pytest.mark.parametrize("kind", ["linear", "cubic", "quintic", "pchip", "akima"])
def test_a_table_that_repeats_is_the_same_a_period_later(kind):
    x, y = points(9)
    y[-1] = y[0]
    table, period = vc.Table("cam", x, y, kind=kind, outside="repeat"), x[-1] - x[0]
    at = np.random.default_rng(2).uniform(x[0], x[-1], 100)
    for turns in (-3, 1, 20):
        assert table(at + turns * period) == pytest.approx(table(at), abs=1e-11)
    assert table(x) == pytest.approx(y, abs=1e-12)
    if kind != "linear":
        assert table.derivative()(x[0]) == pytest.approx(table.derivative()(np.nextafter(x[-1], 0.0)), abs=1e-11)
    if kind == "cubic":
        assert table(at) == pytest.approx(interpolate.CubicSpline(x, y, bc_type="periodic")(at), abs=1e-12)
    if kind == "quintic":
        assert table(at) == pytest.approx(interpolate.make_interp_spline(x, y, k=5, bc_type="periodic")(at), abs=1e-12)


@pytest.mark.parametrize("outside", ["refuse", "extend", "flat"])
def test_an_integral_grows_by_what_a_table_holds(outside):
    x, y = points(12)
    table, peer = vc.Table("force", x, y, outside=outside), interpolate.CubicSpline(x, y).antiderivative()
    at = places(x)
    assert table.integral()(at) - table.integral()(x[0]) == pytest.approx(peer(at), abs=1e-12)
    assert table.integral().derivative()(at) == pytest.approx(table(at), abs=1e-12)


def test_graphs_differentiate_and_print_a_table():
    x, y = points(8)
    table, peer = vc.Table("cam", x, y), interpolate.CubicSpline(x, y)
    s, t = symbol("s"), symbol("t")
    graph = table(s * t) * s
    at = {"s": 0.7, "t": -1.3}

    def number(g):
        return float(value(substitute([g], [s, t], [at["s"], at["t"]]))[0])

    assert number(graph) == pytest.approx(peer(-0.91) * 0.7, rel=1e-13)
    by_s = peer(-0.91) + 0.7 * -1.3 * peer(-0.91, 1)
    assert number(gradient(graph, np.array([s, t]))[0]) == pytest.approx(by_s, rel=1e-12)
    assert number(directional([graph], [s], [1.0])[0]) == pytest.approx(by_s, rel=1e-12)
    assert str(formulas([table(s)])[0]) == "cam(s)"
    assert table(np.array([s, 0.5], dtype=object))[1] == table(0.5)


def a_tape(count: int, outside: str) -> tuple[Tape, np.ndarray]:
    x, y = points(count)
    table = vc.Table("cam", x, y, outside=outside)
    s = symbols("s", 2)
    tape = trace({"s": s}, {"y": [table(s[0]) * s[1], table.derivative()(s[0]), table(2.0 * s[0])]})
    at = np.concatenate([places(x, beyond=1.0), [np.nan]])
    return tape, np.column_stack([at, np.ones(len(at))])


@pytest.fixture(params=[(n, outside) for n in (2, 3, 9, 10, 300) for outside in ("refuse", "extend", "flat")], ids=str)
def case(request):
    return a_tape(*request.param)


def agree(found, expected):
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    size = np.maximum(1.0, np.nanmax(np.abs(expected)))
    assert np.nanmax(np.abs(found - expected)) <= 1e-14 * size


def test_numpy_agrees_with_scipy():
    x, y = points(9)
    tape, rows = a_tape(9, "refuse")
    at, peer = rows[:, 0], interpolate.CubicSpline(x, y, extrapolate=False)
    expected = np.stack([peer(at), peer(at, 1), peer(2.0 * at)], axis=1)
    agree(arrays.evaluate(tape, rows), expected)


def test_machine_code_agrees_with_numpy(case):
    tape, rows = case
    agree(machine.compile_tape(tape)(rows), arrays.evaluate(tape, rows))


def test_casadi_agrees_with_numpy(case):
    tape, rows = case
    function = casadi_function(tape)
    agree(np.stack([np.ravel(function(row)) for row in rows]), arrays.evaluate(tape, rows))


def test_the_interpreter_agrees_with_numpy(case):
    tape, rows = case
    agree(interpreter.evaluate(tape, rows), arrays.evaluate(tape, rows))


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


def test_equal_tables_are_one_and_a_tape_grows_by_one_operation_for_each():
    x, y = points(30)
    s = symbol("s")
    one = trace({"s": [s]}, {"y": [vc.Table("cam", x, y)(s) + vc.Table("cam", x, y)(s)]})
    assert len(one.tables) == 1
    assert len(one.code) == 2
    two = trace({"s": [s]}, {"y": [vc.Table("cam", x, y)(s) + vc.Table("cam", x, 2 * y)(s)]})
    assert len(two.tables) == 2
    assert one.digest != trace({"s": [s]}, {"y": [vc.Table("cam", x, 2 * y)(s) * 2.0]}).digest


def test_the_equations_do_not_grow_with_the_knots():
    def lengths(count):
        x = np.linspace(-1.0, 1.0, count)
        table = vc.Table("spring", x, -x)
        system = vc.System("slider")
        body = system.add(vc.MassPoint("body", 1.0))
        system.add(vc.Prismatic("x", "ground", body, drive=lambda q: table(q)))
        from vinculum.integrators.watch.modes import switched_of
        from vinculum.models.model_cache import model_for

        tape = model_for(system).tape("motion")
        form = switched_of(tape)
        return len(tape.code), len(form.smooth.code), len(form.functions.code), form.width

    assert lengths(100) == lengths(10_000)


def test_a_tape_with_tables_survives_as_plain_data(case):
    tape, rows = case
    again = Tape.from_dict(tape.to_dict())
    assert again.digest == tape.digest
    assert np.array_equal(arrays.evaluate(again, rows), arrays.evaluate(tape, rows), equal_nan=True)


@pytest.mark.parametrize("damage", [
    lambda d: d["tables"].pop(), lambda d: d.pop("tables"), lambda d: d["tables"][0].pop("breaks"),
    lambda d: d["tables"][0]["breaks"].reverse(), lambda d: d["tables"][0]["breaks"].append("0x1p+9"),
    lambda d: d["tables"][0]["coefficients"].pop(), lambda d: d["tables"][0]["origins"].__setitem__(0, "nan"),
    lambda d: d["tables"][0].__setitem__("low", ["0x1p+9"]), lambda d: d["tables"].__setitem__(0, 3),
    lambda d: d["tables"][0].__setitem__("low", []),
], ids=["one missing", "none", "no breaks", "unsorted", "too many breaks", "too few coefficients", "not a number", "no range",
        "no table", "no end"])  # fmt: skip
def test_a_damaged_table_is_refused(damage):
    data = a_tape(9, "refuse")[0].to_dict()
    damage(data)
    with pytest.raises(FileError):
        Tape.from_dict(data)
