"""Symbols refuse to be numbers, and foreign symbols refuse to be ours."""

import math

import casadi
import numpy as np
import pytest
import sympy

import vinculum as vc
from vinculum.scalars import symbols, vector

X = symbols("x", 3)


@pytest.mark.parametrize("use", [
    lambda: float(X[0]), lambda: int(X[0]), lambda: math.sin(X[0]), lambda: np.zeros(3).__setitem__(0, X[0]),
    lambda: np.array([X[0], 1.0], dtype=float), lambda: [1, 2][X[0]],
], ids=["float", "int", "math.sin", "assignment", "float array", "index"])  # fmt: skip
def test_a_symbol_has_no_value_and_names_the_remedy(use):
    with pytest.raises(TypeError, match=r"vc\.math"):
        use()


@pytest.mark.parametrize(
    "use",
    [lambda: 1 if X[0] else 2, lambda: X[0] > 0 and X[1] > 0, lambda: max(X[0], X[1]), lambda: not X[0]],
    ids=["if", "and", "max", "not"],
)
def test_a_symbol_decides_no_if(use):
    with pytest.raises(vc.errors.SymbolError, match=r"where|minimum"):
        use()


@pytest.mark.parametrize(
    "foreign", [casadi.SX.sym("a"), sympy.Symbol("a"), "a", None], ids=["casadi", "sympy", "text", "None"]
)
@pytest.mark.parametrize("use", [lambda a: X[0] + a, lambda a: X[0] * a, lambda a: vector([X[0], a]), lambda a: vc.math.dot(X, [1, 2, a]),
                                 lambda a: vc.math.sin(np.array([a, 1.0], dtype=object))],
                         ids=["plus", "times", "vector", "dot", "function"])  # fmt: skip
def test_foreign_symbols_are_refused(foreign, use):
    with pytest.raises(TypeError):
        use(foreign)


def test_a_raw_casadi_symbol_in_an_array_is_refused_by_name():
    raw = np.empty(2, dtype=object)
    raw[:] = [casadi.SX.sym("a"), 1.0]
    with pytest.raises(vc.errors.SymbolError, match=r"SX\(a\).*casadi.*vc\.parameter"):
        vector(raw)
    with pytest.raises(vc.errors.ModelError, match=r"body 'b'.*casadi"):
        vc.RigidBody("b", 1.0, com=(casadi.SX.sym("a"), 0, 0), inertia=(1, 1, 1))


def test_a_parameter_needs_a_name_and_a_finite_value():
    for name, value in (("not a name", 1.0), ("", 1.0), ("m", math.nan), ("m", math.inf), ("m", "heavy")):
        with pytest.raises(vc.errors.VinculumError):
            vc.parameter(name, value)


def test_a_symbol_cannot_be_unpacked():
    with pytest.raises(vc.errors.SymbolError, match="single symbol"):
        _, _ = X[0]
