"""Graphs against floats, against CasADi's own derivatives, and against SymPy."""

import casadi as ca
import numpy as np
import pytest
import sympy

import vinculum as vc
from vinculum.compile.tape import ARITY, OPERATIONS
from vinculum.compile.targets import arrays
from vinculum.compile.targets.casadi import casadi_function
from vinculum.compile.trace import trace
from vinculum.scalars import (
    Scalar,
    cholesky_solve,
    directional,
    formulas,
    gradient,
    inverse3,
    jacobian,
    ldl_solve,
    parameter,
    replay,
    symbols,
    value,
)
from vinculum.scalars.differentiate import PARTIALS
from vinculum.scalars.math import NUMERIC

DOMAIN = {"asin": 0.9, "acos": 0.9, "atanh": 0.9}
SMOOTH = sorted(set(PARTIALS).intersection(ARITY))


def operands(op: str, rng, count: int) -> np.ndarray:
    x = rng.uniform(0.2, DOMAIN.get(op, 2.0), size=(count, ARITY[op]))
    if op == "acosh":
        x += 1.0
    if op == "where":
        x[:, 0] = rng.integers(0, 2, count)
    return x


@pytest.mark.parametrize("op", SMOOTH)
def test_every_partial_derivative_is_casadis(op):
    rng = np.random.default_rng(0)
    x = symbols("x", ARITY[op])
    y = Scalar(op, *x)
    x_ca = ca.SX.sym("x", ARITY[op])
    rows = operands(op, rng, 20)
    f = casadi_function(trace({"x": x}, {"y": [y]}))
    J = ca.Function("J", [x_ca], [ca.jacobian(f(x_ca), x_ca)])
    expected = np.array([np.array(J(row)).ravel() for row in rows])
    for derivative in (gradient(y, x), np.array([directional([y], x, np.eye(len(x))[i])[0] for i in range(len(x))])):
        found = arrays.evaluate(trace({"x": x}, {"d": derivative}), rows)
        skip = 1 if op == "where" else 0
        assert np.abs(found - expected)[:, skip:].max() < 1e-12 * (1 + np.abs(expected).max())


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_every_operation_traces_to_what_numpy_computes(op):
    rng = np.random.default_rng(1)
    x = symbols("x", ARITY[op])
    rows = operands(op, rng, 30)
    found = arrays.evaluate(trace({"x": x}, {"y": [Scalar(op, *x)]}), rows)[:, 0]
    assert np.array_equal(found, np.asarray(NUMERIC[op](*rows.T), dtype=float))


def random_graph(rng, x, depth: int = 40):
    nodes = list(x)
    for _ in range(depth):
        a, b = (nodes[i] for i in rng.integers(len(nodes), size=2))
        nodes.append([a + b, a - b, a * b, vc.math.sin(a) * b, a / (2.0 + b * b), vc.math.exp(0.1 * vc.math.sin(a)), -a,
                      3.0 * a, vc.math.sqrt(1.5 + a * a)][rng.integers(9)])  # fmt: skip
    return nodes[-6:]


@pytest.mark.parametrize("seed", range(10))
def test_jacobians_of_random_graphs_are_casadis(seed):
    rng = np.random.default_rng(seed)
    x = symbols("x", 4)
    outputs = random_graph(rng, x)
    tape = trace({"x": x}, {"y": outputs})
    x_ca = ca.SX.sym("x", 4)
    J = ca.Function("J", [x_ca], [ca.jacobian(casadi_function(tape)(x_ca), x_ca)])
    point = rng.normal(size=4)
    expected = np.array(J(point))
    for chosen in (outputs, outputs[:2]):
        found = arrays.evaluate(trace({"x": x}, {"J": np.ravel(jacobian(chosen, x))}), point[None])[0]
        assert np.abs(found.reshape(-1, 4) - expected[: len(chosen)]).max() < 1e-11 * (1 + np.abs(expected).max())


@pytest.mark.parametrize("seed", range(5))
def test_formulas_are_the_same_functions(seed):
    rng = np.random.default_rng(seed)
    x = symbols("x", 3)
    outputs = np.array(random_graph(rng, x, 12), dtype=object)
    point = rng.normal(size=3)
    letters = {sympy.Symbol(f"x{i}", real=True): point[i] for i in range(3)}
    by_sympy = [float(sympy.N(sympy.sympify(e).subs(letters), 20)) for e in formulas(outputs)]
    by_tape = arrays.evaluate(trace({"x": x}, {"y": outputs}), point[None])[0]
    assert by_tape == pytest.approx(by_sympy, rel=1e-10, abs=1e-12)


def test_decimals_become_exact_rationals_and_parameters_stay_letters():
    m = parameter("m", 2.0)
    (formula,) = formulas(np.array([0.1 * m + 0.25], dtype=object))
    assert formula == sympy.Rational(1, 10) * sympy.Symbol("m", real=True) + sympy.Rational(1, 4)


def test_exact_zeros_and_ones_fold():
    x, y = symbols("x", 2)
    assert 0 * x == 0.0 and isinstance(0 * x, float)
    assert x + 0 is x and 1 * x is x and x - 0.0 is x and x / 1 is x
    assert isinstance(x - x, float)
    A = np.array([[1.0, 0.0], [0.0, 2.0]])
    assert (A @ np.array([x, y]))[0] is x
    assert len(trace({"x": [x, y]}, {"z": [x * y + y * x, (x + y) * 2.0, 2.0 * (y + x)]}).code) == 4


def test_linear_algebra_traces_and_solves():
    rng = np.random.default_rng(3)
    B = rng.normal(size=(4, 4))
    A = B @ B.T + np.eye(4)
    b = rng.normal(size=(4, 2))
    a = symbols("a", 16)
    S = a.reshape(4, 4)
    for solve in (ldl_solve, cholesky_solve):
        assert np.abs(solve(A, b) - np.linalg.solve(A, b)).max() < 1e-13
        traced = arrays.evaluate(trace({"a": a}, {"x": np.ravel(solve(S, b))}), A.reshape(1, -1))[0].reshape(4, 2)
        assert np.abs(traced - np.linalg.solve(A, b)).max() < 1e-13
    C = rng.normal(size=(3, 3))
    assert np.abs(inverse3(C) @ C - np.eye(3)).max() < 1e-12


def test_parameters_take_values_by_name():
    m = parameter("m", 2.0)
    assert value(m * m + 1) == 5.0
    assert value(np.array([m / 2, 1.0]), {"m": 6.0}) == pytest.approx([3.0, 1.0])


def test_functions_work_on_floats_arrays_and_symbols():
    x = symbols("x", 3)
    point = np.array([0.3, -0.2, 0.9])

    def of(y):
        return replay(y, lambda leaf: point[int(leaf.args[0][1:])], NUMERIC)

    assert vc.math.norm(point) == pytest.approx(float(of(np.array([vc.math.norm(x)]))[0]))
    assert np.allclose(of(vc.math.cross(x, (1, 2, 3))).astype(float), np.cross(point, (1, 2, 3)))
    assert np.allclose(of(np.array([vc.math.where(a > 0.0, a, -a) for a in x])).astype(float), np.abs(point))
    assert vc.math.where(True, 1.0, 2.0) == 1.0
    assert vc.math.sin(0.5) == np.sin(0.5)
    assert vc.math.clip(3.0, 0.0, 1.0) == 1.0
