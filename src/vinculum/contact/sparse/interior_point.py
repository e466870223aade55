r"""Impulses of all contacts by an interior-point method over the velocities of the bodies.

.. math:: p = (\mu P_N, P_T),\quad z = (u_N/\mu + |u_T|,\, u_T),\qquad p \in L,\; z \in L,\; p \circ z = 0,\qquad V = V_0 + B P

Newton's method solves p ∘ z = σ e with σ → 0, including the change of |u_T|, by a predictor and a corrector step with the same factors.
The matrix 1 + B D H over velocities is regular for any number of contacts, so impulses need not be unique; the solution lies in the
middle of all solutions. Near the end, p and z are so close to the edge of the cone that digits are lost. There Newton's method on the
contact law itself takes over, `solve_impulses`. De Saxcé and Feng, Math. Comput. Modelling 28 (1998) 225; Mehrotra, SIAM J. Optim. 2
(1992) 575; Acary, Armand, Nguyen and Shpakovych, Second-order cone programming for frictional contact mechanics using interior point
algorithm, Optim. Methods Softw. (2024).
"""

import numpy as np

from vinculum.contact.sparse.cone_scaling import farthest, product, quotient, scale, scaling
from vinculum.contact.sparse.rows import Rows
from vinculum.tolerances.contact import BACK_FROM_EDGE, CENTERED, INTERIOR_ITERATIONS, INTERIOR_PATIENCE, SHORT_STEP
from vinculum.tolerances.round_off import NEXT_TO_ZERO


def interior(rows: Rows, P: np.ndarray, away: float, enough: float) -> tuple[float, np.ndarray]:
    """The residual and the impulses (m, 3), from the initial guess P; iterations end at a residual of ``enough``.

    ``away``: initial distance of impulses and velocities from the edge of the cone, relative to their mean sizes.
    """
    mu, m = rows.mu, len(P)
    size, mean = np.sqrt((P * P).sum() / m), rows.weight[:, 0].mean()
    x = rows.velocities(P)
    u, p = rows.speeds(x), P.copy()
    z = u.copy()
    p[:, 0] = np.maximum(mu * P[:, 0], np.hypot(P[:, 1], P[:, 2])) + away * size
    z[:, 0] = np.hypot(u[:, 1], u[:, 2]) + np.maximum(u[:, 0] / mu, 0.0) + away * size / mean
    best, found, waited, short = np.inf, P, 0, False
    for _ in range(INTERIOR_ITERATIONS):
        pair = scaling(p, z)
        if pair is None:
            break
        Q = _unscale(p, mu)
        error = rows.residual(Q)
        waited = 0 if error < 0.9 * best else waited + 1
        if error < best:
            best, found = error, Q
        if error <= enough or waited > INTERIOR_PATIENCE or not np.isfinite(error):
            break
        slip = np.hypot(u[:, 1], u[:, 2])
        slope = u[:, 1:] / np.maximum(slip, NEXT_TO_ZERO)[:, None]
        off = np.column_stack([z[:, 0] - u[:, 0] / mu - slip, z[:, 1:] - u[:, 1:]])
        w, eta = pair
        law = (mu, w, eta, slope)
        solve = rows.factors(_jacobians(law))
        if solve is None:
            break
        left = x - rows.velocities(Q)
        _dx, _du, dp, dz = _direction(rows, solve, law, -z, off, left)
        length = min(1.0, farthest(p, dp), farthest(z, dz))
        sigma = max((1.0 - length) ** 3, CENTERED if short else 0.0)
        goal = np.zeros((m, 3))
        goal[:, 0] = sigma * (p * z).sum() / m
        if not short:
            goal -= product(scale(w, 1.0, eta, dp), scale(w, -1.0, 1.0 / eta, dz))
        t = scale(w, 1.0, eta, quotient(scale(w, 1.0, eta, p), goal)) - z
        dx, du, dp, dz = _direction(rows, solve, law, t, off, left)
        length = min(1.0, BACK_FROM_EDGE * min(farthest(p, dp), farthest(z, dz)))
        short = length < SHORT_STEP
        x, u, p, z = x + length * dx, u + length * du, p + length * dp, z + length * dz
    return best, found


def _jacobians(law) -> np.ndarray:
    """Negative derivative of P with respect to u at every contact, (m, 3, 3)."""
    mu, w, eta, slope = law
    D = np.empty((len(w), 3, 3))
    for k in range(3):
        column = np.zeros((len(w), 3))
        column[:, 0] = 1.0 / mu if k == 0 else slope[:, k - 1]
        column[:, k] = column[:, k] if k == 0 else 1.0
        D[:, :, k] = scale(w, -1.0, 1.0 / eta, scale(w, -1.0, 1.0 / eta, column))
        D[:, 0, k] /= mu
    return D


def _unscale(p: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """Impulses (m, 3) of p = (μ P_N, P_T)."""
    return np.column_stack([p[:, 0] / mu, p[:, 1:]])


def _direction(rows: Rows, solve, law, t, off, left):
    """The step that satisfies W² dp + dz = t, dz − d(z of u) = −off and dx − B dP = −left; one iterative refinement reduces its
    residual.
    """
    mu, w, eta, slope = law

    def answers(du):
        dz = du - off
        dz[:, 0] = du[:, 0] / mu + (slope * du[:, 1:]).sum(axis=1) - off[:, 0]
        return scale(w, -1.0, 1.0 / eta, scale(w, -1.0, 1.0 / eta, t - dz)), dz

    dx, du = np.zeros_like(left), np.zeros_like(t)
    for _ in range(2):
        dp, _dz = answers(du)
        dx = dx + solve(rows.B @ _unscale(dp, mu).ravel() - left - dx)
        du = (rows.H @ dx).reshape(-1, 3)
    return dx, du, *answers(du)
