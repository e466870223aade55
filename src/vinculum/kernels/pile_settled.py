r"""Newton's method on the law of contact over the velocities of the bodies, from impulses that almost fulfill it.

.. math:: V = V_0 + B\,\mathrm{proj}\bigl(\bar P - \rho\,(u(V) - \hat u)/w\bigr),\qquad \bar P \leftarrow \mathrm{proj}(\dots)

The larger ρ, the fewer times P̄ is renewed, and the nearer the start has to be. Each step has a matrix 1 + B D H as `interior` does.
Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

import numpy as np

from vinculum.kernels.pile_rows import Rows, within

RENEWALS, ITERATIONS, HALVINGS, FAILURES = 8, 8, 8, 6


def settled(rows: Rows, P: np.ndarray, stiff: float, tolerance: float) -> tuple[float, np.ndarray]:
    """The residual and the best impulses (m, 3) that were met, begun at P; ``stiff`` is ρ."""
    best, found, failures, anchor = rows.missed(P), P, 0, P
    x = rows.velocities(P)
    for _ in range(RENEWALS):
        size, Z, Q, left = _projected(rows, stiff, anchor, x)
        for _ in range(ITERATIONS):
            if not size > 0.01 * tolerance * _weighed(rows, rows.B @ Q.ravel()):
                break
            solve = rows.factors(_slopes(rows, stiff, Z))
            if solve is None:
                return best, found
            step, length = solve(left), 1.0
            for _ in range(HALVINGS):
                trial, Z, Q, left = _projected(rows, stiff, anchor, x - length * step)
                if trial < (1.0 - 1e-4 * length) * size:
                    break
                length *= 0.5
            failures += 0 if trial < size else 1
            if failures > FAILURES or not np.isfinite(trial):
                return best, found
            x, size = x - length * step, trial
        anchor, x = Q, rows.velocities(Q)
        error = rows.missed(Q)
        if error < best:
            best, found = error, Q
        if error <= tolerance or not np.isfinite(error):
            break
    return best, found


def _projected(rows: Rows, stiff: float, anchor: np.ndarray, x: np.ndarray):
    """The size of x − V₀ − B Q at contacts, impulses Z before and Q after the projection, and x − V₀ − B Q itself."""
    Z = anchor - stiff * rows.weight * rows.speeds(x)
    Q = np.maximum(Z, 0.0)
    Q[:, 1:] = within(Z[:, 1:], rows.mu * Q[:, 0])
    left = x - rows.velocities(Q)
    return _weighed(rows, left), Z, Q, left


def _weighed(rows: Rows, x: np.ndarray) -> float:
    """The root of the sum of (H x)²/w: a size of velocities that does not depend on units of lengths and angles."""
    return float(np.linalg.norm(np.sqrt(rows.weight).ravel() * (rows.H @ x)))


def _slopes(rows: Rows, stiff: float, Z: np.ndarray) -> np.ndarray:
    """By how much the projected impulses fall with u, (m, 3, 3)."""
    f, g, mu = stiff * rows.weight[:, 0], stiff * rows.weight[:, 1], rows.mu
    size, pressed = np.hypot(Z[:, 1], Z[:, 2]), Z[:, 0] > 0.0
    slides = pressed & (size > mu * Z[:, 0])
    D = np.zeros((len(Z), 3, 3))
    D[pressed, 0, 0] = f[pressed]
    for k in (1, 2):
        D[pressed, k, k] = g[pressed]
    way = Z[slides, 1:] / size[slides, None]
    D[slides, 1:, 0] = mu * f[slides, None] * way
    part = g[slides] * mu * Z[slides, 0] / size[slides]
    D[slides, 1:, 1:] = part[:, None, None] * (np.eye(2) - way[:, :, None] * way[:, None, :])
    return D
