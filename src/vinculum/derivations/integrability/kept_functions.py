"""Integrals of integrable rows, in closed form where SymPy finds one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.derivations.integrability.pfaffian import Pfaffian
from vinculum.scalars import formulas
from vinculum.tolerances.functions import EXPRESSION_ZERO
from vinculum.tolerances.samples import KEPT_FUNCTION_TRIES
from vinculum.tolerances.sizes import OPERATIONS_PER_ENTRY


def kept_functions(
    pfaffian: Pfaffian, names: Sequence[str], places: int, combinations: tuple[tuple[float, ...], ...] | None
) -> tuple[str | None, ...]:
    r"""For every integrable combination ω of the rows a function F with dF = f ω for some factor f, as text; None if none is found.

    .. math:: f\,\omega_i = \frac{\partial F}{\partial x_i}

    Factors tried are 1, 1/ω_j and 1/ω_iω_j. ``names``: of the coordinates x.
    """
    k, n = pfaffian.frame.shape
    if not combinations or k != n:
        return (None,) * len(combinations or ())
    import sympy

    letters = dict(zip(pfaffian.x.tolist(), names, strict=True))
    x = [sympy.Symbol(name, real=True) for name in names]
    rows, frame = (sympy.Matrix(formulas(part, letters)) for part in (pfaffian.rows[places:], pfaffian.frame))
    if sum(map(sympy.count_ops, [*rows, *frame])) > OPERATIONS_PER_ENTRY * len(rows) * n:
        return (None,) * len(combinations)
    inverse = frame if frame == sympy.eye(n) else frame.inv()
    covectors = rows * inverse
    found = []
    for row in combinations:
        coefficients = sympy.Matrix([[sympy.nsimplify(c, rational=True) for c in row]])
        found.append(_function(list(coefficients * covectors), x, sympy))
    if len(combinations) == len(rows.tolist()) and None in found:
        found = _jointly(covectors, x, sympy) or found
    return tuple(None if one is None else str(one) for one in found)


def _jointly(covectors, x: list, sympy) -> list | None:
    """Functions that rows keep together, though not each alone: of the rows solved for some of the rates; None if one is missing."""
    reduced, pivots = covectors.applyfunc(sympy.simplify).rref(simplify=True)
    found = [_function(list(reduced.row(i)), x, sympy) for i in range(len(pivots))]
    return None if None in found else found


def _function(covector: list, x: list, sympy) -> Any:
    covector = [sympy.simplify(entry) for entry in covector]
    divisors = [entry for entry in covector if entry != 0]
    pairs = [a * b for i, a in enumerate(divisors) for b in divisors[:i]]
    if not divisors:
        return None
    for factor in [sympy.Integer(1), *(1 / entry for entry in (*divisors, *pairs))]:
        scaled = [sympy.simplify(factor * entry) for entry in covector]
        if not _is_closed(scaled, x, sympy):
            continue
        F = _integral(scaled, x, sympy)
        if F is not None:
            return F
    return None


def _integral(covector: list, x: list, sympy) -> Any:
    """F with these derivatives, found coordinate by coordinate; None where SymPy leaves an integral open."""
    from sympy.integrals.manualintegrate import manualintegrate

    F = sympy.Integer(0)
    for entry, variable in zip(covector, x, strict=True):
        rest = sympy.simplify(entry - sympy.diff(F, variable))
        F = F + manualintegrate(rest, variable)
        if F.has(sympy.Integral):
            return None
    jacobians = [sympy.diff(F, variable) - entry for entry, variable in zip(covector, x, strict=True)]
    return sympy.expand(F) if _vanish(jacobians, sympy) else None


def _is_closed(covector: list, x: list, sympy) -> bool:
    curls = [sympy.diff(covector[i], x[j]) - sympy.diff(covector[j], x[i]) for i in range(len(x)) for j in range(i)]
    return _vanish(curls, sympy)


def _vanish(expressions: list, sympy) -> bool:
    """Whether expressions are zero at random values of their letters."""
    open_ones = [one for one in expressions if one != 0]
    letters = sorted({letter for one in open_ones for letter in one.free_symbols}, key=str)
    draw = np.random.default_rng(7)
    for _ in range(KEPT_FUNCTION_TRIES):
        at = dict(zip(letters, map(sympy.Float, draw.uniform(0.3, 1.1, len(letters))), strict=True))
        if any(abs(complex(one.evalf(15, subs=at))) > EXPRESSION_ZERO for one in open_ones):
            return False
    return True
