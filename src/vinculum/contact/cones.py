"""Where the impulses of contacts may be. Whatever law a contact has, its projection is here and nowhere else."""

import numpy as np
from numba import njit


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def within(q, r, limit):
    """The tangential impulse nearest to (q, r) whose size is at most ``limit`` = μ P_N."""
    slip = q * q + r * r
    if slip > limit * limit:
        scale = limit / np.sqrt(slip)
        q, r = q * scale, r * scale
    return q, r


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def allowed(p, q, r, mu):
    """An impulse (p, q, r) brought back to where it may be: nowhere without pressure, and its tangential part into the cone."""
    if p > 0.0:
        q, r = within(q, r, mu * p)
    else:
        p = q = r = 0.0
    return p, q, r


@njit(nogil=True, cache=True, error_model="numpy")
def project(m, P, mu):
    """Bring impulses P (m, 3) back to where they may be."""
    for c in range(m):
        P[c, 0], P[c, 1], P[c, 2] = allowed(P[c, 0], P[c, 1], P[c, 2], mu)


@njit(nogil=True, cache=True, error_model="numpy")
def missed(m, weight, mu, P, u):
    """‖P − proj(P − u/w)‖ / ‖P‖ of impulses P and velocities u (m, 3), the normal ones less their targets."""
    change = size = 0.0
    for c in range(m):
        p = max(P[c, 0] - u[c, 0] * weight[c, 0], 0.0)
        q, r = within(P[c, 1] - u[c, 1] * weight[c, 1], P[c, 2] - u[c, 2] * weight[c, 1], mu * P[c, 0])
        size += P[c, 0] ** 2 + P[c, 1] ** 2 + P[c, 2] ** 2
        change += (p - P[c, 0]) ** 2 + (q - P[c, 1]) ** 2 + (r - P[c, 2]) ** 2
    return np.sqrt(change / size) if size > 0.0 else (1.0 if change > 0.0 else 0.0)
