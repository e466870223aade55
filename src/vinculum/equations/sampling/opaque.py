"""Evaluation of graphs with opaque functions, so that only algebraic identities vanish."""

import zlib
from collections.abc import Callable

import numpy as np

from vinculum.scalars.math import NUMERIC

KEPT = frozenset({"add", "sub", "mul", "div", "neg", "sin", "cos", "tan", "sqrt", "hypot"})


def _number(op: str, k: int = 0) -> float:
    return 0.7 + (zlib.crc32(f"{op} {k}".encode()) % 9973) / 9973.0


def _stand_in(op: str) -> Callable:
    """A smooth function of the operands between 0.1 and 0.9 that no other operation shares."""

    def function(*args):
        mixed = _number(op)
        for k, x in enumerate(args):
            x = np.asarray(x, dtype=float)
            mixed = mixed + 3.0 * _number(op, k + 1) * np.where(np.isfinite(x), x / (1.0 + np.abs(x)), 1.0)
        return 0.5 + 0.4 * np.sin(mixed)

    return function


def _blend(op: str) -> Callable:
    """Both of two operands, in a proportion of its own; the choice that a condition makes becomes one as well."""

    def function(a, b):
        weight = _number(op) - 0.7
        return weight * np.asarray(a, dtype=float) + (1.0 - weight) * np.asarray(b, dtype=float)

    return function


OPAQUE: dict[str, Callable] = {
    op: numeric if op in KEPT else _stand_in(op) for op, numeric in NUMERIC.items()
} | {
    "where": lambda c, a, b: c * np.asarray(a, dtype=float) + (1.0 - c) * np.asarray(b, dtype=float),
    "min": _blend("min"),
    "max": _blend("max"),
    "table": lambda table, x: _stand_in(f"table {table.digest}")(x),
}  # fmt: skip
"""Operations for `Sampling.of`: a pulse far away, a stop that is not reached and a steep exponential count as what they are made
of, not as the zero that they are at the samples."""
