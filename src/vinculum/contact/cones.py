"""Projection of contact impulses onto Coulomb's cone |P_T| ≤ μ P_N, for sweeps over many contacts.

The normal part is clipped at zero, and the tangential part is projected onto the disc of radius μ P_N. For elliptic friction see
`contact.dense.gauss_seidel.project`.
"""

import numpy as np

from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def within(q, r, limit):
    """The tangential impulse nearest to (q, r) whose size is at most ``limit`` = μ P_N."""
    slip = q * q + r * r
    if slip > limit * limit:
        scale = limit / np.sqrt(slip)
        q, r = q * scale, r * scale
    return q, r


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def project_on_cone(p, q, r, mu):
    """The projection of an impulse (p, q, r): zero if p ≤ 0; otherwise its tangential part (q, r) is projected onto the disc of radius μ
    p.
    """
    if p > 0.0:
        q, r = within(q, r, mu * p)
    else:
        p = q = r = 0.0
    return p, q, r


@njit(nogil=True, cache=True, error_model="numpy")
def project(m, P, cones):
    """Project impulses P (m, 3) in place; ``cones``: μ of every contact (m,)."""
    for c in range(m):
        P[c, 0], P[c, 1], P[c, 2] = project_on_cone(P[c, 0], P[c, 1], P[c, 2], cones[c])


@njit(nogil=True, cache=True, error_model="numpy")
def residual(m, weight, mu, P, u):
    """‖P − proj(P − u/w)‖ / ‖P‖ for impulses P and velocities u (m, 3), the normal velocities minus their targets."""
    change = size = 0.0
    for c in range(m):
        p = max(P[c, 0] - u[c, 0] * weight[c, 0], 0.0)
        q, r = within(P[c, 1] - u[c, 1] * weight[c, 1], P[c, 2] - u[c, 2] * weight[c, 1], mu * P[c, 0])
        size += P[c, 0] ** 2 + P[c, 1] ** 2 + P[c, 2] ** 2
        change += (p - P[c, 0]) ** 2 + (q - P[c, 1]) ** 2 + (r - P[c, 2]) ** 2
    return np.sqrt(change / size) if size > 0.0 else (1.0 if change > 0.0 else 0.0)
