"""Rows of constraints that multipliers keep: their values, rates, slopes and second derivatives."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.equations.coordinate_rates import rates as coordinate_rates
from vinculum.equations.named_rows import named_rows
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.systems import Held, Tree
from vinculum.systems.held import constraint_values


@final
@dataclass(frozen=True, eq=False)
class Rows:
    r"""Conditions of a tree, (m,) each, ``slopes`` (m, nv): values F, rates Ḟ = J v + drifts, and biases with J v̇ + bias = F̈.

    A row on velocities has no value of its own; its "rate" is F(q, v, t), its slopes are ∂F/∂v, and J v̇ + bias = Ḟ. A row on
    accelerations has neither value nor rate, and J v̇ + bias = F. ``along`` (m, nv): the generalized forces of unit multipliers, which
    are the slopes unless a servo names others.
    """

    values: np.ndarray
    rates: np.ndarray
    drifts: np.ndarray
    slopes: np.ndarray
    biases: np.ndarray
    along: np.ndarray


def constraint_names(tree: Tree) -> list[tuple[str, str]]:
    """Constraint and number of every row that a multiplier keeps."""
    return [(one.constraint.name, str(i)) for one in tree.constraints if one.holds for i in range(one.count)]


def constraint_levels(tree: Tree) -> list[int]:
    """0 for rows on positions, 1 for rows on velocities, 2 for rows on accelerations."""
    return [one.constraint.level for one in tree.constraints if one.holds for _ in range(one.count)]


def constraint_rows(tree: Tree, q, v) -> Rows:
    """The rows of every constraint that is kept by multipliers, where the tree stands at its instant."""
    return rows_of(tree, [one for one in tree.constraints if one.holds], q, v)


def rows_of(tree: Tree, held: list[Held], q, v) -> Rows:
    """The rows of some constraints, one after the other."""
    nothing, none = np.zeros(0), np.zeros((0, tree.nv))
    if not held:
        return Rows(nothing, nothing, nothing, none, nothing, none)
    s, w, t, a = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t"), symbols("a", tree.nv)
    there = tree.at(t)
    q_dot = coordinate_rates(there, s, w)
    parts = []
    for one in held:
        level, F = one.constraint.level, constraint_values(there, one, s, w, t, a)
        zero = np.zeros(len(F))
        value, rate = F if level == 0 else zero, zero if level == 2 else _along(F, s, t, q_dot) if level == 0 else F
        if level == 2:
            J, bias, drift = jacobian(F, a), substitute(F, a, np.zeros(tree.nv)), zero
        else:
            J, bias = jacobian(rate, w), _along(rate, s, t, q_dot)
            drift = rate - J @ w
        parts.append((value, rate, drift, bias, J))
    outputs = [np.concatenate([np.ravel(part[k]) for part in parts]) for k in range(5)]
    found = substitute(np.concatenate(outputs), [*s, *w, t], [*q, *v, tree.instant])
    m = len(outputs[0])
    value, rate, drift, bias = (found[i * m : (i + 1) * m] for i in range(4))
    J = found[4 * m :].reshape(m, tree.nv)
    return Rows(value, rate, drift, J, bias, _efforts(tree, held, q, v, J))


def _efforts(tree: Tree, held: list[Held], q, v, J) -> np.ndarray:
    """The generalized forces (m, nv) of unit multipliers."""
    if not any(one.directions for one in held):
        return J
    rows, first = [], 0
    for one in held:
        rows.append(named_rows(tree, one, q, v) if one.directions else J[first : first + one.count])
        first += one.count
    return np.concatenate(rows)


def _along(F, q, t, q_dot) -> np.ndarray:
    return np.asarray(directional(F, [*q, t], [*q_dot, 1.0]), dtype=object)
