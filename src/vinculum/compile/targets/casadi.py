"""Tape → a CasADi function, for CasADi's solvers."""

from typing import Any

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.scalars import Piecewise


def casadi_function(tape: Tape):
    """A `casadi.Function` from one column of inputs to one column of outputs."""
    import casadi as ca

    operations = _operations(ca) | {name: _looked_up(ca, table) for name, table in tape.by_name.items()}
    kind: Any = ca.MX if tape.tables else ca.SX
    x = kind.sym("x", tape.n_in)
    values = [x[i] for i in range(tape.n_in)] + [kind(c) for c in tape.constants.tolist()]
    for name, _, operands in tape.rows():
        values.append(operations[name](*(values[a] for a in operands)))
    return ca.Function("f", [x], [ca.densify(ca.vertcat(*(values[r] for r in tape.results.tolist())))])


def _looked_up(ca, table: Piecewise):
    """The table as a function of a matrix symbol, the only kind that can look up an entry."""
    breaks, origins, terms = ca.DM(table.breaks), ca.MX(ca.DM(table.origins)), ca.MX(ca.DM(table.coefficients))
    low, high = table.limits

    def value(x):
        piece = ca.sum1(breaks <= x) if table.count > 1 else ca.MX(0)
        y = terms[piece, terms.shape[1] - 1]
        for j in range(terms.shape[1] - 2, -1, -1):
            y = y * (x - origins[piece]) + terms[piece, j]
        return ca.if_else(ca.logic_and(x >= low, x <= high), y, np.nan)

    return value


def _operations(ca) -> dict:
    direct = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log",
              "expm1", "log1p", "sqrt", "floor", "ceil", "sign", "erf", "atan2", "hypot", "fmod", "copysign")  # fmt: skip
    return {name: getattr(ca, name) for name in direct} | {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "neg": lambda a: -a, "pow": lambda a, b: a**b, "abs": ca.fabs, "min": ca.fmin, "max": ca.fmax,
        "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
        "and": ca.logic_and, "or": ca.logic_or, "not": ca.logic_not, "where": ca.if_else,
    }  # fmt: skip
