"""Projection of states onto all conditions: one Newton step for positions, one linear step for velocities."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import final

import numpy as np

from vinculum.equations.constraints.closures import mixing
from vinculum.equations.constraints.conditions import condition_sizes, conditions
from vinculum.equations.recursions.composite import mass_matrix, solved_leaves_first
from vinculum.equations.recursions.coordinate_rates import rates
from vinculum.equations.recursions.inertias import regrouped_inertias
from vinculum.scalars import ldl, ldl_solve
from vinculum.scalars.math import minimum
from vinculum.systems import Tree
from vinculum.tolerances.rank import SINGULAR_PROJECTION


@final
@dataclass(frozen=True, eq=False)
class Projected:
    """Coordinates (nq,) and velocities (nv,) one step nearer to the conditions, and how far and how independent these were.

    ``gap`` and ``gap_rate``: sums of squares over all conditions, in lengths of their loops. ``independence``:
    positive while every pivot of J M⁻¹ Jᵀ is more
    than 1e-12 of its diagonal; their ratio is the squared sine of the angle between a row and those before it.
    """

    q: np.ndarray
    v: np.ndarray
    gap: object
    gap_rate: object
    independence: object


def project_state(tree: Tree, q, v) -> Projected:
    r"""A state (q, v) moved as little as the mass matrix measures it among the motions that velocity rows allow.

    .. math:: q - N\,M^{-1}J^T (J M^{-1} J^T)^{-1} F,\qquad v - M^{-1}J^T (J M^{-1} J^T)^{-1} \dot F

    F has zeros for rows on velocities, whose "rate" is their value. Hairer, Lubich and Wanner, Geometric Numerical Integration, IV.4.
    """
    P, kept = mixing(tree), list(tree.kept)
    rows = conditions(tree, q, v, biases=False)
    J = P @ rows.jacobians[kept]
    per_multiplier = solved_leaves_first(mass_matrix(tree, q, regrouped_inertias(tree)), J.T)
    A = J @ per_multiplier
    change = per_multiplier @ ldl_solve(A, np.stack([P @ rows.values[kept], P @ rows.rates[kept]], axis=1))
    sizes = np.array(
        [1.0 if isinstance(x, float) and x == 0.0 else x for x in condition_sizes(tree)[kept]], dtype=object
    )
    return Projected(
        q - rates(tree, q, change[:, 0]),
        v - change[:, 1],
        sum((x * x for x in rows.values[kept] / sizes), 0.0),
        sum((x * x for x in rows.rates[kept] / sizes), 0.0),
        reduce(minimum, ldl(A)[1] - SINGULAR_PROJECTION * np.diag(A)),
    )


def on_unit_spheres(q, quaternions: Sequence[Sequence[int]]) -> np.ndarray:
    """Coordinates whose quaternions, of nearly unit length, are brought there by a Newton step of 1/√(q·q)."""
    q = np.array(q, dtype=object)
    for first, last in quaternions:
        own = q[first:last]
        q[first:last] = own * (1.5 - 0.5 * (own @ own))
    return q
