"""All conditions with multipliers: gaps of closing joints, then rows of constraints."""

import numpy as np

from vinculum.equations.constraints import closures
from vinculum.equations.constraints.gap_sizes import gap_sizes
from vinculum.equations.constraints.rows import Rows, constraint_levels, constraint_names, constraint_rows
from vinculum.systems import Tree


def condition_names(tree: Tree) -> list[tuple[str, str]]:
    """Closing joint or constraint, and label, of every condition."""
    return closures.gap_names(tree) + constraint_names(tree)


def condition_levels(tree: Tree) -> list[int]:
    """0 for conditions on positions, 1 for conditions on velocities, 2 for conditions on accelerations."""
    return [0] * len(closures.gap_names(tree)) + constraint_levels(tree)


def condition_sizes(tree: Tree) -> np.ndarray:
    """Scale of every condition, (m,)."""
    return np.concatenate([gap_sizes(tree), np.ones(len(constraint_names(tree)))])


def conditions(tree: Tree, q, v, biases: bool = True) -> Rows:
    """All conditions at a state, those of closing joints first."""
    own = constraint_rows(tree, q, v)
    if not tree.closures:
        return own
    drifts, J = closures.gap_drifts(tree, q), closures.gap_jacobian(tree, q)
    bias = closures.gap_accelerations(tree, q, v) if biases else np.zeros(len(J))
    gaps = (closures.all_gaps(tree, q), J @ v + drifts, drifts, J, bias, J)
    rows = (own.values, own.rates, own.drifts, own.jacobians, own.biases, own.along)
    return Rows(*(np.concatenate(pair) for pair in zip(gaps, rows, strict=True)))
