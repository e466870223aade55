"""Forces of penalties and friction, whose multipliers follow from the violation."""

import numpy as np

from vinculum.equations.constraints.rows import rows_of
from vinculum.systems import Constrained, Tree


def yielding(tree: Tree) -> list[Constrained]:
    """Constraints realized by penalty or friction: without multipliers, and not part of the Lagrangian."""
    return [one for one in tree.constraints if not one.holds and not one.varies]


def yielding_multipliers(tree: Tree, constrained: Constrained, q, v) -> np.ndarray:
    """λ (k,) of the reactions λ ∂F/∂v of a constraint that yields."""
    rows = rows_of(tree, [constrained], q, v)
    assert constrained.constraint.realization is not None
    return constrained.constraint.realization.multipliers(
        rows.values if constrained.constraint.level == 0 else rows.rates
    )


def constraint_forces(tree: Tree, q, v, potential: bool = True, other: bool = True) -> np.ndarray:
    """Generalized forces (nv,) of the constraints that yield: those with an energy, the others, or both."""
    total = np.zeros(tree.nv)
    for one in yielding(tree):
        if potential if one.constraint.level == 0 else other:
            total = total + rows_of(tree, [one], q, v).jacobians.T @ yielding_multipliers(tree, one, q, v)
    return total


def constraint_energy(tree: Tree, q):
    """Energy [J] of the penalties of violated positions."""
    total, still = 0.0, np.zeros(tree.nv)
    for one in yielding(tree):
        if one.constraint.level == 0:
            assert one.constraint.realization is not None
            total = total + one.constraint.realization.energy(rows_of(tree, [one], q, still).values)
    return total
