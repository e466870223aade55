"""Rows of constraints that multipliers keep: their values, rates, slopes and second derivatives."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.equations.coordinate_rates import rates as coordinate_rates
from vinculum.scalars import directional, jacobian, substitute, symbol, symbols
from vinculum.systems import Held, Tree
from vinculum.systems.held import constraint_values


@final
@dataclass(frozen=True, eq=False)
class Rows:
    r"""Conditions of a tree, (m,) each, ``slopes`` (m, nv): values F, rates Ḟ = J v + drifts, and biases with J v̇ + bias = F̈.

    A row on velocities has no value of its own; its "rate" is F(q, v, t), its slopes are ∂F/∂v, and J v̇ + bias = Ḟ.
    """

    values: np.ndarray
    rates: np.ndarray
    drifts: np.ndarray
    slopes: np.ndarray
    biases: np.ndarray


def constraint_names(tree: Tree) -> list[tuple[str, str]]:
    """Constraint and number of every row that a multiplier keeps."""
    return [(one.constraint.name, str(i)) for one in tree.constraints if one.holds for i in range(one.count)]


def constraint_levels(tree: Tree) -> list[int]:
    """0 for rows on positions, 1 for rows on velocities."""
    return [one.constraint.level for one in tree.constraints if one.holds for _ in range(one.count)]


def constraint_rows(tree: Tree, q, v) -> Rows:
    """The rows of every constraint that is kept by multipliers, where the tree stands at its instant."""
    return rows_of(tree, [one for one in tree.constraints if one.holds], q, v)


def rows_of(tree: Tree, held: list[Held], q, v) -> Rows:
    """The rows of some constraints, one after the other."""
    nothing = np.zeros(0)
    if not held:
        return Rows(nothing, nothing, nothing, np.zeros((0, tree.nv)), nothing)
    s, w, t = symbols("q", tree.nq), symbols("v", tree.nv), symbol("t")
    there = tree.at(t)
    q_dot = coordinate_rates(there, s, w)
    values, rates = [], []
    for one in held:
        F = constraint_values(there, one, s, w, t)
        values.append(F if one.constraint.level == 0 else np.zeros(len(F)))
        rates.append(_along(F, s, t, q_dot) if one.constraint.level == 0 else F)
    value, rate = np.concatenate(values), np.concatenate(rates)
    J = jacobian(rate, w)
    bias = _along(rate, s, t, q_dot)
    drift = rate - J @ w
    outputs = np.concatenate([value, rate, drift, bias, J.ravel()])
    found = substitute(outputs, [*s, *w, t], [*q, *v, tree.instant])
    m = len(value)
    parts = [found[i * m : (i + 1) * m] for i in range(4)]
    return Rows(parts[0], parts[1], parts[2], found[4 * m :].reshape(m, tree.nv), parts[3])


def _along(F, q, t, q_dot) -> np.ndarray:
    return np.asarray(directional(F, [*q, t], [*q_dot, 1.0]), dtype=object)
