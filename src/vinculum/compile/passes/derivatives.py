"""Tape → its outputs and their exact derivatives by every input, in one pass forward."""

from collections.abc import Callable

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.scalars.differentiate import PARTIALS
from vinculum.scalars.math import NUMERIC

SWITCHING = frozenset({"abs", "sign", "copysign", "min", "max", "lt", "le"})
"""Operations that have two values or two derivatives where their operands meet."""


def values_and_jacobians(tape: Tape, X: np.ndarray, side: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    r"""Outputs y (B, n_out) for rows of inputs x (B, n_in), and ∂y/∂x (B, n_out, n_in).

    Each operation carries its tangent, :math:`\dot y = \sum_i \partial_i f\,\dot x_i` (forward differentiation; no differences).
    ``side``: on a switch, such as |x| at 0, the one-sided slope, above (1) or below (−1).
    """
    B, n = X.shape
    values: list = [X[:, i : i + 1] for i in range(n)] + tape.constants.tolist()
    tangents: list = [np.broadcast_to(row, (B, n)) for row in np.eye(n)] + [None] * len(tape.constants)
    operations = NUMERIC | {name: table.values for name, table in tape.by_name.items()}
    slopes = {name: table.derivative.values for name, table in tape.by_name.items()}
    with np.errstate(all="ignore"):
        for name, _, operands in tape.rows():
            given = [values[a] for a in operands]
            moving = [(i, tangents[a]) for i, a in enumerate(operands) if tangents[a] is not None]
            if name in SWITCHING and moving:
                y, partials = _on_a_side(name, given, side)
            elif name == "where":
                y = np.where(*given)
                values.append(y)
                tangents.append(_select_tangent(given[0], *(tangents[a] for a in operands[1:])))
                continue
            else:
                y = operations[name](*given)
                partials = (slopes[name](given[0]),) if name in slopes else _partials(name, given, y) if moving else ()
            values.append(y)
            tangents.append(_tangent(partials, moving))
    Y = np.concatenate(
        [np.empty((B, 0)), *(np.broadcast_to(np.asarray(values[r], dtype=float), (B, 1)) for r in tape.results)], axis=1
    )
    zero = np.zeros((B, n))
    S = np.stack([np.empty((B, n)), *(zero if tangents[r] is None else tangents[r] for r in tape.results)], axis=1)[
        :, 1:
    ]
    return Y, S


def _tangent(partials: tuple, moving: list) -> np.ndarray | None:
    total = None
    for i, tangent in moving:
        part = partials[i]
        if isinstance(part, float) and part == 0.0:
            continue
        term = part * tangent
        total = term if total is None else total + term
    return total


def _partials(name: str, given: list, y) -> tuple:
    rule: Callable | None = PARTIALS.get(name)
    return rule(*given, y) if rule else (0.0,) * len(given)


def _select_tangent(condition, one, other) -> np.ndarray | None:
    if one is None and other is None:
        return None
    return np.where(condition, 0.0 if one is None else one, 0.0 if other is None else other)


def _on_a_side(name: str, given: list, side: float) -> tuple:
    """Value and partial derivatives of an operation that switches; where its operands meet, those on one side."""
    a, b = given if len(given) == 2 else (given[0], 0.0)
    above = np.where(b == 0.0, side > 0, b > 0.0) if name == "copysign" else np.where(a == b, side > 0, a > b)
    sign = np.where(above, 1.0, -1.0)
    if name == "copysign":
        return np.abs(a) * sign, (np.sign(a) * sign, 0.0)
    if name in ("lt", "le"):
        return ~above, (0.0, 0.0)
    if name in ("min", "max"):
        first = above if name == "max" else ~above
        return np.where(first, a, b), (np.where(first, 1.0, 0.0), np.where(first, 0.0, 1.0))
    return (a * sign, (sign,)) if name == "abs" else (sign, (0.0,))
