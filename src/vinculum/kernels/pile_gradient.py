r"""Impulses of all contacts by accelerated projected gradients: no contact waits for another, and one slope serves all.

.. math:: \min_{P \in K}\ \tfrac12 P^T W P + P^T (u_0 - \hat u + \mu s\,e_N),\qquad s \leftarrow |u_T|

The minimum with s as it is makes a cone of velocities; renewing s until it is |u_T| makes it Coulomb's law. Impulses are measured in
units of √w, momentum starts anew where it points uphill, and the step is made shorter where the function falls less than it should.
Mazhar, Heyn, Negrut and Tasora, ACM Trans. Graph. 34 (2015) 32; De Saxcé and Feng, Math. Comput. Modelling 28 (1998) 225.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_cone import missed
from vinculum.kernels.pile_finish import moving_bodies
from vinculum.kernels.pile_rows import at_contacts, pushed, rows_of

RENEWED, LONGER = 20, 0.9
"""Iterations between two renewals of s; the inverse step after an iteration in parts of that before."""


@njit(nogil=True, cache=True, error_model="numpy")
def gradients(m, is_round, contacts, bodies, mu, P, V, tolerance, most, out):
    """The residual and the number of iterations; impulses (m, 3) are written to ``out``, V (n, 8) are velocities at the impulses P."""
    weight, target = contacts[5], contacts[6]
    moving = moving_bodies(bodies[0])
    rows = rows_of(m, moving, np.arange(moving), is_round, contacts, bodies)
    at, H, B = rows
    free, x, back = np.empty(6 * moving), np.empty(6 * moving), np.empty((m, 3))
    for i in range(moving):
        for k in range(3):
            free[6 * i + k], free[6 * i + 3 + k] = V[i, k], V[i, 4 + k]
    back[:] = -P[:m]
    pushed(m, at, B, back, free)
    Q, old, Y = P[:m].copy(), P[:m].copy(), P[:m].copy()
    u, v, shift, best = np.empty((m, 3)), np.empty((m, 3)), np.zeros(m), np.inf
    theta, inverse = 1.0, 1.0
    for iteration in range(most):
        _speeds(m, rows, free, target, Q, x, v)
        error = missed(m, weight, mu, Q, v)
        if error < best:
            best = error
            out[:m] = Q
        if error <= tolerance:
            return best, iteration
        if iteration % RENEWED == 0:
            for c in range(m):
                shift[c] = mu * np.hypot(v[c, 1], v[c, 2])
            theta = 1.0
            Y[:] = Q
        old[:] = Q
        _speeds(m, rows, free, target, Y, x, u)
        while True:
            for c in range(m):
                a = weight[c, 1] / inverse
                Q[c, 0], Q[c, 1], Q[c, 2] = _nearest(
                    mu, Y[c, 0] - a * (u[c, 0] + shift[c]), Y[c, 1] - a * u[c, 1], Y[c, 2] - a * u[c, 2]
                )
            back[:] = Q - Y
            x[:] = 0.0
            pushed(m, at, B, back, x)
            at_contacts(m, at, H, x, v)
            curved, size = 0.0, 0.0
            for c in range(m):
                for k in range(3):
                    curved += back[c, k] * v[c, k]
                    size += back[c, k] ** 2 / weight[c, 1]
            if curved <= inverse * size * (1.0 + 1e-12) or not np.isfinite(curved):
                break
            inverse *= 2.0
        uphill, following = 0.0, 0.5 * theta * (np.sqrt(theta * theta + 4.0) - theta)
        for c in range(m):
            for k in range(3):
                uphill += (u[c, k] + (shift[c] if k == 0 else 0.0)) * (Q[c, k] - old[c, k])
        beta = theta * (1.0 - theta) / (theta * theta + following)
        theta = following
        if uphill > 0.0:
            theta, beta = 1.0, 0.0
        for c in range(m):
            for k in range(3):
                Y[c, k] = Q[c, k] + beta * (Q[c, k] - old[c, k])
        inverse *= LONGER
    return best, most


@njit(nogil=True, cache=True, error_model="numpy")
def _speeds(m, rows, free, target, P, x, out):
    at, H, B = rows
    x[:] = free
    pushed(m, at, B, P, x)
    at_contacts(m, at, H, x, out)
    for c in range(m):
        out[c, 0] -= target[c]


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _nearest(mu, p, q, r):
    """The point of the cone |P_T| ≤ μ P_N that is nearest to (p, q, r)."""
    slip = np.sqrt(q * q + r * r)
    if slip <= mu * p:
        return p, q, r
    if mu * slip <= -p:
        return 0.0, 0.0, 0.0
    pressed = (p + mu * slip) / (1.0 + mu * mu)
    if not slip > 0.0:
        return pressed, 0.0, 0.0
    return pressed, mu * pressed * q / slip, mu * pressed * r / slip
