r"""Impulses of all contacts by an interior-point method over the velocities of the bodies.

.. math:: p = (\mu P_N, P_T),\quad z = (u_N/\mu + |u_T|,\, u_T),\qquad p \in L,\; z \in L,\; p \circ z = 0,\qquad V = V_0 + B P

Newton's method goes to p ∘ z = σ e with σ → 0, the change of |u_T| with it, a step of prediction and one of correction with the same
factors. The matrix 1 + B D H over velocities is regular however many contacts there are, so impulses need not be unique; those that are
found lie in the middle of all. Near the end p and z are so near the edge of the cone that digits are lost: there Newton's method on the
law itself takes over, `settled`.
De Saxcé and Feng, Math. Comput. Modelling 28 (1998) 225; Mehrotra, SIAM J. Optim. 2 (1992) 575; Acary, Armand, Nguyen and Shpakovych,
Second-order cone programming for frictional contact mechanics using interior point algorithm, Optim. Methods Softw. (2024).
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_cone import missed
from vinculum.kernels.pile_rows import assembled, at_contacts, pushed
from vinculum.kernels.pile_scaling import farthest, quotient, scaled, scaling
from vinculum.kernels.pile_skyline import divided, factored

ITERATIONS, PATIENCE = 40, 12
"""The most steps, and the most in a row that make nothing better."""
BACK, SHORT, CENTERED = 0.99, 0.2, 0.5
"""Part of the way to the edge; a step that is so short that the next one goes to the middle of the cone, by this much."""


@njit(nogil=True, cache=True, error_model="numpy")
def interior(m, rows, shape, weight, target, mu, P, V, away, enough):
    """The residual; impulses P (m, 3) are written, V (6 n,) are velocities without impulses. It ends at a residual of ``enough``.

    ``away``: how far from the edge of the cone impulses and velocities start, in means of their sizes.
    """
    at, H, B = rows
    size = mean = 0.0
    for c in range(m):
        size += P[c, 0] ** 2 + P[c, 1] ** 2 + P[c, 2] ** 2
        mean += weight[c, 0] / m
    size = np.sqrt(size / m)
    x, u, p, z = V.copy(), np.empty((m, 3)), np.empty((m, 3)), np.empty((m, 3))
    pushed(m, at, B, P, x)
    at_contacts(m, at, H, x, u)
    for c in range(m):
        u[c, 0] -= target[c]
        p[c, 1], p[c, 2], z[c, 1], z[c, 2] = P[c, 1], P[c, 2], u[c, 1], u[c, 2]
        p[c, 0] = max(mu * P[c, 0], np.hypot(p[c, 1], p[c, 2])) + away * size
        z[c, 0] = np.hypot(z[c, 1], z[c, 2]) + max(u[c, 0] / mu, 0.0) + away * size / mean
    waited, best, found, speed = 0, np.inf, np.empty((m, 3)), np.empty((m, 3))
    w, eta, l = np.empty((m, 3)), np.empty(m), np.empty((m, 3))
    D, slope, short = np.empty((m, 3, 3)), np.empty((m, 2)), False
    dx, du, dp, dz, t = np.empty(len(V)), np.empty((m, 3)), np.empty((m, 3)), np.empty((m, 3)), np.empty((m, 3))
    rp, rd = np.empty((m, 3)), np.empty(len(V))
    lower, upper = np.empty(shape[1][-1]), np.empty(shape[1][-1])
    for _ in range(ITERATIONS):
        gap = 0.0
        rd[:] = V
        for c in range(m):
            gap += (p[c, 0] * z[c, 0] + p[c, 1] * z[c, 1] + p[c, 2] * z[c, 2]) / m
        for c in range(m):
            found[c, 0], found[c, 1], found[c, 2] = p[c, 0] / mu, p[c, 1], p[c, 2]
            slip = np.hypot(u[c, 1], u[c, 2])
            rp[c, 0], rp[c, 1], rp[c, 2] = z[c, 0] - u[c, 0] / mu - slip, z[c, 1] - u[c, 1], z[c, 2] - u[c, 2]
            slope[c, 0], slope[c, 1] = (u[c, 1] / slip, u[c, 2] / slip) if slip > 0.0 else (0.0, 0.0)
            eta[c] = scaling(p[c], z[c], w[c])
            if not eta[c] > 0.0:
                return best
            l[c, 0], l[c, 1], l[c, 2] = scaled(w[c], 1.0, eta[c], p[c, 0], p[c, 1], p[c, 2])
        pushed(m, at, B, found, rd)
        at_contacts(m, at, H, rd, speed)
        for c in range(m):
            speed[c, 0] -= target[c]
        error = missed(m, weight, mu, found, speed)
        if error < best:
            P[:m] = found
        best, waited = min(best, error), (0 if error < 0.9 * best else waited + 1)
        if error <= enough or waited > PATIENCE or not np.isfinite(error):
            break
        for k in range(len(x)):
            rd[k] = x[k] - rd[k]
        _slopes(m, mu, w, eta, slope, D)
        assembled(m, at, H, B, D, shape[0], shape[1], lower, upper)
        if not factored(shape[0], shape[1], lower, upper):
            break
        for c in range(m):
            for k in range(3):
                t[c, k] = -z[c, k]
        factors, law = (lower, upper, shape), (mu, w, eta, slope)
        _direction(m, rows, factors, law, t, rp, rd, dx, du, dp, dz)
        length = min(1.0, min(farthest(m, p, dp), farthest(m, z, dz)))
        sigma = max((1.0 - length) ** 3, CENTERED if short else 0.0)
        for c in range(m):
            a, b, d = scaled(w[c], 1.0, eta[c], dp[c, 0], dp[c, 1], dp[c, 2])
            e, f, g = scaled(w[c], -1.0, 1.0 / eta[c], dz[c, 0], dz[c, 1], dz[c, 2])
            mix = 0.0 if short else 1.0
            q, r, s = quotient(
                l[c], sigma * gap - mix * (a * e + b * f + d * g), -mix * (a * f + e * b), -mix * (a * g + e * d)
            )
            q, r, s = scaled(w[c], 1.0, eta[c], q, r, s)
            t[c, 0], t[c, 1], t[c, 2] = q - z[c, 0], r - z[c, 1], s - z[c, 2]
        _direction(m, rows, factors, law, t, rp, rd, dx, du, dp, dz)
        length = min(1.0, BACK * min(farthest(m, p, dp), farthest(m, z, dz)))
        short = length < SHORT
        for k in range(len(x)):
            x[k] += length * dx[k]
        for c in range(m):
            for k in range(3):
                p[c, k] += length * dp[c, k]
                z[c, k] += length * dz[c, k]
                u[c, k] += length * du[c, k]
    return best


@njit(nogil=True, cache=True, error_model="numpy")
def _slopes(m, mu, w, eta, slope, D):
    """Write by how much P falls with u at every contact, (m, 3, 3)."""
    for c in range(m):
        f = 1.0 / eta[c]
        for k in range(3):
            a = (1.0 / mu) if k == 0 else slope[c, k - 1]
            q, r, s = scaled(w[c], -1.0, f, a, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            q, r, s = scaled(w[c], -1.0, f, q, r, s)
            D[c, 0, k], D[c, 1, k], D[c, 2, k] = q / mu, r, s


@njit(nogil=True, cache=True, error_model="numpy")
def _direction(m, rows, factors, law, t, rp, rd, dx, du, dp, dz):
    """Write the step for which W² dp + dz = t, dz − d(z of u) = −rp and dx − B dP = −rd, solved twice, the second time for what is left."""
    at, H, B = rows
    lower, upper, shape = factors
    mu = law[0]
    dx[:] = 0.0
    du[:] = 0.0
    left = np.empty(len(dx))
    for _ in range(2):
        _answers(m, law, t, rp, du, dp, dz)
        for c in range(m):
            dp[c, 0] /= mu
        for k in range(len(dx)):
            left[k] = -rd[k] - dx[k]
        pushed(m, at, B, dp, left)
        divided(shape[0], shape[1], lower, upper, left)
        for k in range(len(dx)):
            dx[k] += left[k]
        at_contacts(m, at, H, dx, du)
    _answers(m, law, t, rp, du, dp, dz)


@njit(nogil=True, cache=True, error_model="numpy")
def _answers(m, law, t, rp, du, dp, dz):
    mu, w, eta, slope = law
    for c in range(m):
        dz[c, 0] = du[c, 0] / mu + slope[c, 0] * du[c, 1] + slope[c, 1] * du[c, 2] - rp[c, 0]
        dz[c, 1], dz[c, 2] = du[c, 1] - rp[c, 1], du[c, 2] - rp[c, 2]
        f = 1.0 / eta[c]
        q, r, s = scaled(w[c], -1.0, f, t[c, 0] - dz[c, 0], t[c, 1] - dz[c, 1], t[c, 2] - dz[c, 2])
        dp[c, 0], dp[c, 1], dp[c, 2] = scaled(w[c], -1.0, f, q, r, s)
