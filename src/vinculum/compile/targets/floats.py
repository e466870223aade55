"""Tape → a function of Python's floats, with the bits of the interpreter: for a few rows in a process that has compiled nothing yet.

Python and compiled code take elementary functions from one library. Operations for which Python has other ones, or other rules, are left
to the interpreter; so is a row for which Python raises an error.
"""

import math
from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.compile.targets import interpreter

FORMS = {
    "abs": "abs({0})",
    "add": "{0} + {1}",
    "and": "1.0 if {0} != 0.0 and {1} != 0.0 else 0.0",
    "copysign": "copysign({0}, {1})",
    "div": "{0} / {1} if {1} else divide_by_zero({0}, {1})",
    "eq": "1.0 if {0} == {1} else 0.0",
    "le": "1.0 if {0} <= {1} else 0.0",
    "lt": "1.0 if {0} < {1} else 0.0",
    "max": "{0} if {0} > {1} or {0} != {0} else {1}",
    "min": "{0} if {0} < {1} or {0} != {0} else {1}",
    "mul": "{0} * {1}",
    "ne": "1.0 if {0} != {1} else 0.0",
    "neg": "-{0}",
    "not": "1.0 if {0} == 0.0 else 0.0",
    "or": "1.0 if {0} != 0.0 or {1} != 0.0 else 0.0",
    "sign": "0.0 if {0} == 0.0 else {0} if {0} != {0} else copysign(1.0, {0})",
    "sqrt": "sqrt({0}) if {0} >= 0.0 else nan",
    "sub": "{0} - {1}",
    "where": "{1} if {0} != 0.0 else {2}",
} | {name: f"{name}({{0}})" for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log")} | {
    name: f"{name}({{0}}, {{1}})" for name in ("atan2", "pow")
}  # fmt: skip
"""Operations as expressions."""
ERRORS = (ValueError, OverflowError)
"""What Python raises where the result would be NaN or infinite."""


def divide_by_zero(x: float, y: float) -> float:
    """x / y for y = ± 0."""
    return math.nan if x == 0.0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


SCOPE = {name: getattr(math, name) for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp",
                                                "log", "atan2", "pow", "copysign", "nan")}  # fmt: skip


def is_translated(tape: Tape) -> bool:
    """Whether the function of a tape was made before."""
    return tape in _functions


def is_translatable(tape: Tape) -> bool:
    """Whether Python has all operations of a tape, with the same bits."""
    return tape.names() <= FORMS.keys() and bool(np.isfinite(tape.constants).all())


def evaluate(tape: Tape, X: np.ndarray) -> np.ndarray:
    """Rows of outputs for rows of inputs, (B, n_in) → (B, n_out), of a tape that is translatable."""
    function = _functions.get(tape)
    if function is None:
        function = _functions[tape] = _function(tape)
    try:
        return np.array([function(row) for row in np.asarray(X, dtype=float).tolist()]).reshape(len(X), tape.n_out)
    except ERRORS:
        return interpreter.evaluate(tape, X)


Row = Callable[[list[float]], tuple[float, ...]]
_functions: "WeakKeyDictionary[Tape, Row]" = WeakKeyDictionary()


def _function(tape: Tape) -> Row:
    names = [f"v{k}" for k in range(tape.n_in)]
    lines = ["def row(x):", f" [{', '.join(names)}] = x"]
    names += [repr(one) for one in tape.constants.tolist()]
    for name, result, operands in tape.rows():
        lines.append(f" v{result} = {FORMS[name].format(*[names[a] for a in operands])}")
        names.append(f"v{result}")
    lines.append(f" return ({''.join(names[k] + ', ' for k in tape.results.tolist())})")
    scope = SCOPE | {"divide_by_zero": divide_by_zero}
    exec("\n".join(lines), scope)
    return scope["row"]  # type: ignore[return-value]
