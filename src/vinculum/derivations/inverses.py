"""Hamilton's equations with the inverse of M written out."""

from typing import Any

import numpy as np

from vinculum.derivations.canonical import TooLong
from vinculum.scalars import directional, gradient, substitute

LARGEST = 3


def explicit_hamilton(equations: Any) -> dict[str, np.ndarray]:
    """H, q̇ and ṗ with M⁻¹ = adj M / det M, for at most three coordinates."""
    canonical, state = equations.canonical, equations.state
    M, p = canonical["momentum_matrix"], canonical["p"]
    if len(p) > LARGEST:
        raise TooLong
    _, potential, force = canonical["parts"]
    columns, determinant = adjugate(M)
    velocity = (columns @ p) / determinant if len(p) > 1 else p / determinant
    half = np.array([0.5 * (velocity @ (directional(M, state.q, unit) @ velocity)) for unit in np.eye(len(p))], dtype=object)
    p_dot = half - gradient(potential, state.q) + substitute(np.asarray(force, dtype=object), state.v, velocity)
    return {"hamiltonian": np.array([0.5 * (p @ velocity) + potential], dtype=object), "velocities": velocity, "momenta_rates": p_dot}


def adjugate(M) -> tuple[np.ndarray, Any]:
    """The adjugate and the determinant of a small symmetric matrix, by minors."""
    n = len(M)
    if n == 1:
        return np.array([[1.0]], dtype=object), M[0, 0]
    cofactors = np.empty((n, n), dtype=object)
    for i in range(n):
        for j in range(n):
            minor = np.delete(np.delete(M, i, axis=0), j, axis=1)
            cofactors[i, j] = (-1.0) ** (i + j) * adjugate(minor)[1]
    return cofactors.T, sum(M[0, j] * cofactors[0, j] for j in range(n))
