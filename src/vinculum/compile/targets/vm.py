"""Tape → a CasADi function, for one-off calls and for CasADi's own solvers. Without CasADi one-off calls go to machine code."""

import threading
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.engines import has_casadi
from vinculum.compile.recent import Recent
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm import machine
from vinculum.scalars import Piecewise
from vinculum.tolerances.sizes import KEPT_TAPES


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


@final
class _Machine:
    """A CasADi function that reads and writes arrays of its own: a call of it is a hundred times cheaper than by arguments."""

    def __init__(self, tape: Tape):
        self._x, self._y = np.zeros(tape.n_in), np.zeros(tape.n_out)
        self._function = casadi_function(tape)
        self._buffer, self._run = self._function.buffer()
        self._buffer.set_arg(0, self._x.data)  # pyright: ignore[reportCallIssue]
        self._buffer.set_res(0, self._y.data)  # pyright: ignore[reportCallIssue]
        self._lock = threading.Lock()

    def __call__(self, x: np.ndarray) -> np.ndarray:
        with self._lock:
            self._x[:] = x
            self._run()
            return self._y.copy()


_machines: "WeakKeyDictionary[Tape, _Machine]" = WeakKeyDictionary()
_codes: Recent[machine.Compiled] = Recent(KEPT_TAPES)


def evaluate_one(tape: Tape, x: np.ndarray) -> np.ndarray:
    """Outputs (n_out,) for one row of inputs, by CasADi's virtual machine if it is there."""
    if not tape.n_out:
        return np.empty(0)
    if not has_casadi():
        code = _codes.get(tape.digest) or _codes.keep(tape.digest, machine.compile_plainly(tape))
        return code(np.ascontiguousarray(x, dtype=float)[None])[0]
    found = _machines.get(tape)
    if found is None:
        found = _machines[tape] = _Machine(tape)
    return found(x)


def evaluate_each(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out), one by one: for a few rows of a tape that is asked again."""
    return np.stack([evaluate_one(tape, x) for x in X]) if len(X) else np.empty((0, tape.n_out))


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
