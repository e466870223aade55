"""Hamilton's equations with the inverse of M written out."""

from typing import Any

import numpy as np

from vinculum.derivations.printing.canonical import TooLongError
from vinculum.equations.forms.hamilton import at_rest
from vinculum.scalars import directional, gradient, substitute
from vinculum.tolerances.sizes import LARGEST_INVERSE


def explicit_hamilton(graphs: Any, coupled) -> dict[str, np.ndarray]:
    """H, q̇ and ṗ with M⁻¹ = adj M / det M, for at most three coordinates. ``coupled``: where M is not zero."""
    canonical, state = graphs.canonical, graphs.state
    M, p = canonical["momentum_matrix"], canonical["p"]
    if len(p) > LARGEST_INVERSE:
        raise TooLongError
    kinetic, potential, force = canonical["parts"]
    b, rest = canonical["momentum_drift"], at_rest([kinetic], state.v)[0]
    velocity = np.empty(len(p), dtype=object)
    for block in independent(coupled):
        columns, determinant = adjugate(M[np.ix_(block, block)])
        velocity[block] = (columns @ (p - b)[block]) / determinant
    half = np.array(
        [0.5 * (velocity @ (directional(M, state.q, unit) @ velocity)) for unit in np.eye(len(p))], dtype=object
    )
    drifting = gradient(rest, state.q) + np.array([directional(b, state.q, unit) @ velocity for unit in np.eye(len(p))])
    p_dot = (
        half + drifting - gradient(potential, state.q) + substitute(np.asarray(force, dtype=object), state.v, velocity)
    )
    return {
        "hamiltonian": np.array([0.5 * ((p - b) @ velocity) - rest + potential], dtype=object),
        "velocities": velocity,
        "momenta_rates": p_dot,
    }


def independent(coupled) -> list[list[int]]:
    """Groups of coordinates that are not coupled, directly or through others."""
    left, groups = set(range(len(coupled))), []
    while left:
        group, stack = set(), [min(left)]
        while stack:
            i = stack.pop()
            if i not in group:
                group.add(i)
                stack += [j for j in left if coupled[i, j]]
        left -= group
        groups.append(sorted(group))
    return groups


def adjugate(M) -> tuple[np.ndarray, Any]:
    """The adjugate and the determinant of a small symmetric matrix, by minors."""
    n = len(M)
    if n == 1:
        return np.ones((1, 1)), M[0, 0]
    cofactors = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(M, i, axis=0), j, axis=1)
            cofactors[i, j] = (-1.0) ** (i + j) * adjugate(minor)[1]
    return cofactors.T, sum(M[0, j] * cofactors[0, j] for j in range(n))
