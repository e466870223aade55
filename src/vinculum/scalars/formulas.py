"""Graphs as SymPy formulas: decimals become exact rationals, parameters remain symbols, sharing is kept until printed."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from vinculum.scalars.graph import replay
from vinculum.scalars.scalar import Scalar
from vinculum.tolerances.functions import MEANT
from vinculum.tolerances.sizes import SMALL_DENOMINATOR


def formulas(outputs, names: Mapping[Scalar, str] | None = None) -> np.ndarray:
    """The outputs as SymPy expressions, in an object array of the same shape.

    ``names`` may give other letters to leaves, written as SymPy reads symbols.
    """
    import sympy

    table: dict[int, str] = {id(leaf): name for leaf, name in (names or {}).items()}
    letters: dict[str, sympy.Symbol] = {}

    def leaf(node: Scalar):
        name = table[id(node)] if id(node) in table else node.args[0]
        return letters.setdefault(name, sympy.Symbol(name, real=True))

    return replay(outputs, leaf, operations(), lambda x: exact(x, sympy))


def exact(x, sympy):
    """The number that ``x`` was meant to be, as a rational number."""
    fraction = simplest_number(x)
    return sympy.Rational(fraction.numerator, fraction.denominator)


def simplest_number(x) -> Fraction:
    """The simplest number within round-off of ``x``: a small fraction (1/12), a short decimal, or else all its digits."""
    x = float(x)
    small = Fraction(x).limit_denominator(SMALL_DENOMINATOR)
    short = Fraction(f"{x:.12g}")
    near = Fraction(MEANT) * abs(Fraction(x))
    for candidate in (small, short):
        if abs(candidate - Fraction(x)) <= near:
            return candidate
    return Fraction(repr(x))


def operations() -> dict:
    """Every operation of a graph as a function of SymPy expressions."""
    import sympy as s

    def where(condition, a, b):
        return s.Piecewise((a, condition), (b, True))

    return {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "neg": lambda a: -a, "pow": lambda a, b: a**b, "sin": s.sin, "cos": s.cos, "tan": s.tan, "asin": s.asin,
        "acos": s.acos, "atan": s.atan, "sinh": s.sinh, "cosh": s.cosh, "tanh": s.tanh, "asinh": s.asinh,
        "acosh": s.acosh, "atanh": s.atanh, "exp": s.exp, "log": s.log, "expm1": lambda a: s.exp(a) - 1,
        "log1p": lambda a: s.log(1 + a), "sqrt": s.sqrt, "floor": s.floor, "ceil": s.ceiling, "sign": s.sign,
        "abs": s.Abs, "erf": s.erf, "atan2": s.atan2, "hypot": lambda a, b: s.sqrt(a**2 + b**2), "min": s.Min,
        "max": s.Max, "fmod": lambda a, b: s.sign(a) * s.Mod(s.Abs(a), s.Abs(b)), "copysign": _copysign(s),
        "lt": s.Lt, "le": s.Le, "eq": s.Eq, "ne": s.Ne, "and": s.And, "or": s.Or, "not": s.Not, "where": where,
        "table": lambda table, a: s.Function(table.name)(a),
    }  # fmt: skip


def _copysign(s):
    return lambda a, b: s.Piecewise((s.Abs(a), b >= 0), (-s.Abs(a), True))
