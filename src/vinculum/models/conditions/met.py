"""Whether a state satisfies all conditions."""

import numpy as np
from numba import njit

from vinculum.tolerances.constraints import CLOSED_AT_ONCE, INDEPENDENT_AT_ONCE, MET_AT_ONCE, REST_AT_ONCE


@njit(nogil=True, cache=True)
def is_met(x, y, begins, m, sides, nq, nv):
    """Whether m gaps are closed at a state, on the side where that means closed joints, velocities keep them so, and derivatives are
    independent by far; and all velocities move mass or inertia.

    x, y: a row of inputs (q, v, …) and its outputs; ``begins``: where gaps, rates, derivatives, sizes, drifts, sides and the mass matrix
    begin in these.
    """
    J, speed, total, steepest = np.empty((m, nv)), 1.0, 0.0, 0.0
    for j in range(nq, nq + nv):
        speed = max(speed, abs(x[j]))
    for i in range(m):
        size = y[begins[3] + i]
        size = size if size > 0.0 else 1.0
        F, rate, rest, steep = y[begins[0] + i] / size, y[begins[1] + i] / size, y[begins[4] + i] / size, 0.0
        for j in range(nv):
            J[i, j] = y[begins[2] + i * nv + j] / size
            if not np.isfinite(J[i, j]):
                return False
            steep = max(steep, abs(J[i, j]))
            rest += J[i, j] * x[nq + j]
        steepest = max(steepest, steep)
        if not (
            abs(F) <= MET_AT_ONCE * steep
            and abs(rate) <= MET_AT_ONCE * min(steep, 1.0)
            and abs(rest) <= REST_AT_ONCE * speed
        ):
            return False
        total += F * F
    for k in range(begins[5], begins[5] + sides):
        if not y[k] > 0.0:
            return False
    M = y[begins[6] : begins[6] + nv * nv].reshape(nv, nv)
    return (
        total <= CLOSED_AT_ONCE * CLOSED_AT_ONCE
        and m > 0
        and steepest > MET_AT_ONCE
        and _are_independent(J)
        and _is_regular(M)
    )


@njit(nogil=True, cache=True)
def _are_independent(J):
    """Whether the least eigenvalue of J Jᵀ is a part of its trace that counts."""
    m, nv = J.shape
    G, trace = np.zeros((m, m)), 0.0
    for i in range(m):
        for k in range(i + 1):
            for j in range(nv):
                G[i, k] += J[i, j] * J[k, j]
        trace += G[i, i]
    return _is_definite(G, INDEPENDENT_AT_ONCE * trace)


@njit(nogil=True, cache=True)
def _is_regular(M):
    """Whether M has eigenvalues that count once its diagonal is brought to one."""
    n = len(M)
    S = np.empty((n, n))
    for i in range(n):
        for k in range(i + 1):
            if not (M[i, i] > 0.0 and np.isfinite(M[i, k])):
                return False
            S[i, k] = M[i, k] / np.sqrt(M[i, i] * M[k, k])
    return _is_definite(S, INDEPENDENT_AT_ONCE)


@njit(nogil=True, cache=True)
def _is_definite(G, least):
    """Whether a symmetric matrix, given by its lower half, less ``least`` has a Cholesky factor; it is overwritten."""
    for i in range(len(G)):
        G[i, i] -= least
        for k in range(i + 1):
            for j in range(k):
                G[i, k] -= G[i, j] * G[k, j]
            if k < i:
                G[i, k] /= G[k, k]
        if not G[i, i] > least:
            return False
        G[i, i] = np.sqrt(G[i, i])
    return True
