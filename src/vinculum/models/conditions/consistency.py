"""Whether a state satisfies all conditions."""

import numpy as np

from vinculum.tolerances.constraints import CLOSED_AT_ONCE, INDEPENDENT_AT_ONCE, MET_AT_ONCE, REST_AT_ONCE

FEW_ROWS = 6
"""Rows of a matrix that is factored in less time by plain numbers than NumPy takes to begin."""


def is_met(x, y, begins, m: int, sides: int, nq: int, nv: int) -> bool:
    """Whether m gaps are closed at a state, on the side where that means closed joints, velocities keep them so, and derivatives are
    independent by far; and all velocities move mass or inertia.

    x, y: a row of inputs (q, v, …) and its outputs; ``begins``: where gaps, rates, derivatives, sizes, drifts, sides and the mass matrix
    begin in these.
    """
    gaps, rates, slopes, measures, drifts, side, mass = begins.tolist()
    v, sizes = x[nq : nq + nv], y[measures : measures + m]
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    J = y[slopes : slopes + m * nv].reshape(m, nv) / sizes[:, None]
    if m == 0 or not np.isfinite(J).all() or not np.all(y[side : side + sides] > 0.0):
        return False
    F, rate, steep = y[gaps : gaps + m] / sizes, y[rates : rates + m] / sizes, np.abs(J).max(axis=1, initial=0.0)
    rest, speed = y[drifts : drifts + m] / sizes + J @ v, np.abs(v).max(initial=1.0)
    met = (
        (np.abs(F) <= MET_AT_ONCE * steep)
        & (np.abs(rate) <= MET_AT_ONCE * np.minimum(steep, 1.0))
        & (np.abs(rest) <= REST_AT_ONCE * speed)
    )
    G = J @ J.T
    return bool(
        met.all()
        and F @ F <= CLOSED_AT_ONCE * CLOSED_AT_ONCE
        and steep.max() > MET_AT_ONCE
        and _is_definite(G, INDEPENDENT_AT_ONCE * np.trace(G))
        and _is_regular(y[mass : mass + nv * nv].reshape(nv, nv))
    )


def _is_regular(M: np.ndarray) -> bool:
    """Whether M has eigenvalues that count once its diagonal is brought to one."""
    d = np.diag(M)
    if not (np.all(d > 0.0) and np.isfinite(np.tril(M)).all()):
        return False
    return _is_definite(M / np.sqrt(np.outer(d, d)), INDEPENDENT_AT_ONCE)


def _is_definite(G: np.ndarray, least: float) -> bool:
    """Whether a symmetric matrix less ``least`` has a Cholesky factor whose pivots are above it."""
    if len(G) <= FEW_ROWS:
        return _has_pivots(G.tolist(), least)
    try:
        return bool(np.all(np.diag(np.linalg.cholesky(G - least * np.eye(len(G)))) ** 2 > least))
    except np.linalg.LinAlgError:
        return False


def _has_pivots(rows: list[list[float]], least: float) -> bool:
    """Whether all pivots of a symmetric matrix less ``least`` are above it; its lower half is changed."""
    for k, row in enumerate(rows):
        pivot = row[k] - least
        if not pivot > least:
            return False
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / pivot
            for j in range(k + 1, i + 1):
                rows[i][j] -= factor * rows[j][k]
    return True
