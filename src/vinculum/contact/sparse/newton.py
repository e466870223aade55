r"""Newton's method on the contact law over the velocities of the bodies, from nearly converged impulses.

.. math:: V = V_0 + B\,\mathrm{proj}\bigl(\bar P - \rho\,(u(V) - \hat u)/w\bigr),\qquad \bar P \leftarrow \mathrm{proj}(\dots)

The larger ρ is, the fewer updates of P̄ are needed, and the closer the initial guess has to be. ρ grows if Newton's method converges
quickly and falls if it fails. Each step factorizes a matrix 1 + B D H, as `interior` does. Alart and Curnier, Comput. Methods Appl.
Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

import numpy as np

from vinculum.contact.sparse.rows import Rows, within
from vinculum.tolerances.contact import (
    PENALTY_FALLS,
    PENALTY_GIVEN_UP,
    PENALTY_GROWS,
    PENALTY_HALVINGS,
    PENALTY_ITERATIONS,
    PENALTY_QUICK,
    SUFFICIENT_DECREASE_OF_PENALTY,
)


def solve_impulses(
    rows: Rows, P: np.ndarray, stiff: tuple[float, float], tolerance: float, most: int
) -> tuple[float, np.ndarray]:
    """The residual and the best impulses (m, 3) found from the initial guess P, with at most ``most`` factorizations.

    ``stiff``: the first and the largest ρ.
    """
    best, found, anchor, count = rows.residual(P), P, P, 0
    rho, largest = stiff
    while count < most and rho >= PENALTY_GIVEN_UP and best > tolerance:
        Q, used = _newton(rows, anchor, rho, tolerance)
        count += max(1, abs(used))
        if used < 0:
            rho /= PENALTY_FALLS
            continue
        anchor, error = Q, rows.residual(Q)
        if error < best:
            best, found = error, Q
        rho = min(largest, PENALTY_GROWS * rho) if used <= PENALTY_QUICK else rho
    return best, found


def _newton(rows: Rows, anchor: np.ndarray, rho: float, tolerance: float) -> tuple[np.ndarray, int]:
    """The projected impulses for one P̄, and the number of factorizations, negative if Newton's method failed."""
    x = rows.velocities(anchor)
    size, Z, Q, left = _project(rows, rho, anchor, x)
    for used in range(PENALTY_ITERATIONS + 1):
        if size <= 0.01 * tolerance * _velocity_norm(rows, rows.B @ Q.ravel()):
            return Q, used
        solve = rows.factors(_jacobians(rows, rho, Z)) if used < PENALTY_ITERATIONS else None
        if solve is None:
            return Q, -max(1, used)
        step, length, trial = solve(left), 1.0, (size, Z, Q, left)
        for _ in range(PENALTY_HALVINGS):
            trial = _project(rows, rho, anchor, x - length * step)
            if trial[0] < (1.0 - SUFFICIENT_DECREASE_OF_PENALTY * length) * size:
                break
            length *= 0.5
        if not trial[0] < size:
            return Q, -(used + 1)
        x = x - length * step
        size, Z, Q, left = trial
    return Q, -PENALTY_ITERATIONS


def _project(rows: Rows, rho: float, anchor: np.ndarray, x: np.ndarray):
    """Norm of x − V₀ − B Q at the contacts, impulses Z before and Q after the projection, and x − V₀ − B Q itself."""
    Z = anchor - rho * rows.weight * rows.speeds(x)
    Q = np.maximum(Z, 0.0)
    Q[:, 1:] = within(Z[:, 1:], rows.mu * Q[:, 0])
    left = x - rows.velocities(Q)
    return _velocity_norm(rows, left), Z, Q, left


def _velocity_norm(rows: Rows, x: np.ndarray) -> float:
    """The root of the sum of (H x)²/w: a norm of velocities that does not depend on units of lengths and angles."""
    return float(np.linalg.norm(np.sqrt(rows.weight).ravel() * (rows.H @ x)))


def _jacobians(rows: Rows, rho: float, Z: np.ndarray) -> np.ndarray:
    """Negative derivative of the projected impulses with respect to u, (m, 3, 3)."""
    f, g, mu = rho * rows.weight[:, 0], rho * rows.weight[:, 1], rows.mu
    size, pressed = np.hypot(Z[:, 1], Z[:, 2]), Z[:, 0] > 0.0
    slides = pressed & (size > mu * Z[:, 0])
    D = np.zeros((len(Z), 3, 3))
    D[pressed, 0, 0] = f[pressed]
    for k in (1, 2):
        D[pressed, k, k] = g[pressed]
    way = Z[slides, 1:] / size[slides, None]
    D[slides, 1:, 0] = (mu * f)[slides, None] * way
    part = (g * mu * Z[:, 0])[slides] / size[slides]
    D[slides, 1:, 1:] = part[:, None, None] * (np.eye(2) - way[:, :, None] * way[:, None, :])
    return D
