"""Tape → heyoka expressions, whose Taylor series in time heyoka computes to machine precision."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache as remembered

import numpy as np

from vinculum.compile.disk import cache
from vinculum.compile.tape import Tape
from vinculum.tolerances.sizes import BYTES_OF_KEPT_INTEGRATORS

DATABASE = "cache.db"


@remembered
def heyoka():
    """The heyoka module, its object cache placed in our private directory."""
    with _sympy_left_out():
        import heyoka as hy

    hy.set_logger_level_error()  # series that are not finite are noticed and told by the run itself
    path = cache.directory("heyoka")
    cache.remove_foreign(path)
    os.close(os.open(path / DATABASE, os.O_CREAT | os.O_RDWR, 0o600))  # heyoka itself would make it as the umask says
    hy.llvm_state.set_diskcache_path(str(path))
    hy.llvm_state.set_diskcache_limit(BYTES_OF_KEPT_INTEGRATORS)
    hy.llvm_state.set_diskcache_enabled(True)
    return hy


@contextmanager
def _sympy_left_out() -> Iterator[None]:
    """Hide SymPy while heyoka is loaded, which takes longer to load than heyoka itself and is needed for conversions alone.

    A program that converts between the two (`heyoka.to_sympy`) imports SymPy or heyoka before its first run.
    """
    if "sympy" in sys.modules:
        yield
        return
    sys.modules["sympy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["sympy"]


def expressions(tape: Tape, inputs: list) -> list:
    """The tape's outputs as heyoka expressions of the given inputs.

    Sums of several terms become one operation and products with itself a square, which halves the work of a series.
    Conditions may depend on parameters only: a series cannot switch inside a step.
    """
    hy = heyoka()
    table = _operations(hy)
    values = [*inputs, *(hy.expression(c) for c in tape.constants.tolist())]
    uses = np.bincount([*(a for _, _, operands in tape.rows() for a in operands), *tape.results.tolist()], minlength=1)
    sums: dict[int, tuple[list, list]] = {}

    def make(place: int):
        if values[place] is None:
            values[place] = _signed_sum(hy, *sums[place])
        return values[place]

    for name, place, operands in tape.rows():
        if name in SIGNS:
            plus, minus = [], []
            for sign, a in zip(SIGNS[name], operands, strict=True):
                own = sums[a] if a in sums and uses[a] == 1 else ([make(a)], [])
                up, down = own if sign > 0 else own[::-1]
                plus, minus = plus + up, minus + down
            sums[place] = plus, minus
            values.append(None)
        elif name == "mul" and operands[0] == operands[1]:
            values.append(make(operands[0]) ** 2.0)
        else:
            values.append(table[name](*map(make, operands)))
    return [make(r) for r in tape.results.tolist()]


SIGNS = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}


def _signed_sum(hy, plus: list, minus: list):
    """Σ plus − Σ minus."""
    up, down = (terms[0] if len(terms) == 1 else hy.sum(terms) if terms else None for terms in (plus, minus))
    return up if down is None else -down if up is None else up - down


def _operations(hy) -> dict:
    direct = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log",
              "expm1", "log1p", "sqrt", "erf", "atan2")  # fmt: skip
    zero, half, one = (hy.expression(x) for x in (0.0, 0.5, 1.0))

    def decide(condition):
        return hy.select(condition, one, zero)

    return {name: getattr(hy, name) for name in direct} | {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "neg": lambda a: -a, "pow": lambda a, b: a**b, "hypot": lambda a, b: hy.sqrt(a * a + b * b),
        "and": lambda a, b: a * b, "or": lambda a, b: a + b - a * b, "not": lambda a: 1.0 - a,
        "where": lambda c, a, b: hy.select(hy.gt(c, half), a, b),
        "lt": lambda a, b: decide(hy.lt(a, b)), "le": lambda a, b: decide(hy.lte(a, b)),
        "eq": lambda a, b: decide(hy.eq(a, b)), "ne": lambda a, b: decide(hy.neq(a, b)),
        "abs": lambda a: hy.select(hy.lt(a, zero), -a, a), "sign": lambda a: decide(hy.gt(a, zero)) - decide(hy.lt(a, zero)),
        "min": lambda a, b: hy.select(hy.lt(a, b), a, b), "max": lambda a, b: hy.select(hy.lt(a, b), b, a),
    }  # fmt: skip
