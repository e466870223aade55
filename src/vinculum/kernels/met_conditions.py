"""Whether a state meets all conditions on it beyond doubt."""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)

CLOSED, RATES, RESTS = 1e-13, 1e-9, 5e-13
INDEPENDENT = 1e-10


@njit(nogil=True, cache=True)
def is_met(F, rates, drifts, J, sides, v, M):
    """Whether gaps F (m,) are closed, on the side where that means closed joints, velocities keep them so, and slopes J (m, nv) are
    independent by far; and all velocities move mass or inertia by the matrix M."""
    m, nv = J.shape
    speed, total, steepest = 1.0, 0.0, 0.0
    for j in range(nv):
        speed = max(speed, abs(v[j]))
    for i in range(m):
        steep, rest = 0.0, drifts[i]
        for j in range(nv):
            if not np.isfinite(J[i, j]):
                return False
            steep = max(steep, abs(J[i, j]))
            rest += J[i, j] * v[j]
        steepest = max(steepest, steep)
        if not (abs(F[i]) <= RATES * steep and abs(rates[i]) <= RATES * min(steep, 1.0) and abs(rest) <= RESTS * speed):
            return False
        total += F[i] * F[i]
    for side in sides:
        if not side > 0.0:
            return False
    return total <= CLOSED * CLOSED and m > 0 and steepest > RATES and _are_independent(J) and _is_regular(M)


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
    return _is_definite(G, INDEPENDENT * trace)


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
    return _is_definite(S, INDEPENDENT)


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
