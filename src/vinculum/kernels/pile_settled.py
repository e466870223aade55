r"""Newton's method on the law of contact over the velocities of the bodies, from impulses that almost fulfill it.

.. math:: V = V_0 + B\,\mathrm{proj}\bigl(\bar P - \rho\,(u(V) - \hat u)/w\bigr),\qquad \bar P \leftarrow \mathrm{proj}(\dots)

The larger ρ, the fewer times P̄ is renewed, and the nearer the start has to be. Each step has a matrix 1 + B D H as `interior` does.
Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_cone import missed, within
from vinculum.kernels.pile_rows import assembled, at_contacts, pushed
from vinculum.kernels.pile_skyline import divided, factored

RENEWALS, ITERATIONS, HALVINGS, FAILURES = 8, 8, 8, 6


@njit(nogil=True, cache=True, error_model="numpy")
def settled(m, rows, shape, weight, target, mu, P, V, stiff, tolerance):
    """The residual; impulses P (m, 3) are replaced wherever they get better, V (6 n,) are velocities without impulses; ``stiff`` is ρ."""
    at, H, B = rows
    x, new, u, Q, anchor, D = V.copy(), V.copy(), np.empty((m, 3)), np.empty((m, 3)), P[:m].copy(), np.empty((m, 3, 3))
    step, left = np.empty(len(V)), np.empty(len(V))
    lower, upper = np.empty(shape[1][-1]), np.empty(shape[1][-1])
    pushed(m, at, B, P, x)
    at_contacts(m, at, H, x, u)
    for c in range(m):
        u[c, 0] -= target[c]
    best, failures = missed(m, weight, mu, P, u), 0
    for _ in range(RENEWALS):
        size = _projected(m, rows, weight, target, mu, stiff, anchor, V, x, u, Q, left)
        for _ in range(ITERATIONS):
            if not size > 0.01 * tolerance * _strength(m, rows, weight, Q, step):
                break
            _projected(m, rows, weight, target, mu, stiff, anchor, V, x, u, Q, left)
            _slopes(m, weight, mu, stiff, anchor, u, D)
            assembled(m, at, H, B, D, shape[0], shape[1], lower, upper)
            if not factored(shape[0], shape[1], lower, upper):
                return best
            step[:] = left
            divided(shape[0], shape[1], lower, upper, step)
            length, trial = 1.0, np.inf
            for _ in range(HALVINGS):
                for k in range(len(x)):
                    new[k] = x[k] - length * step[k]
                trial = _projected(m, rows, weight, target, mu, stiff, anchor, V, new, u, Q, left)
                if trial < (1.0 - 1e-4 * length) * size:
                    break
                length *= 0.5
            failures += 0 if trial < size else 1
            if failures > FAILURES or not np.isfinite(trial):
                return best
            x[:] = new
            size = trial
        _projected(m, rows, weight, target, mu, stiff, anchor, V, x, u, Q, left)
        anchor[:] = Q
        x[:] = V
        pushed(m, at, B, Q, x)
        at_contacts(m, at, H, x, u)
        for c in range(m):
            u[c, 0] -= target[c]
        error = missed(m, weight, mu, Q, u)
        if error < best:
            best = error
            P[:m] = Q
        if not error > tolerance or not np.isfinite(error):
            break
    return best


@njit(nogil=True, cache=True, error_model="numpy")
def _projected(m, rows, weight, target, mu, stiff, anchor, V, x, u, Q, left):
    """The size of V₀ + B Q − x at contacts; velocities u, impulses Q and x − V₀ − B Q are written."""
    at, H, B = rows
    at_contacts(m, at, H, x, u)
    for c in range(m):
        u[c, 0] -= target[c]
        Q[c, 0] = max(anchor[c, 0] - stiff * weight[c, 0] * u[c, 0], 0.0)
        s = stiff * weight[c, 1]
        Q[c, 1], Q[c, 2] = within(anchor[c, 1] - s * u[c, 1], anchor[c, 2] - s * u[c, 2], mu * Q[c, 0])
    for k in range(len(x)):
        left[k] = V[k] - x[k]
    pushed(m, at, B, Q, left)
    for k in range(len(x)):
        left[k] = -left[k]
    return _weighed(m, rows, weight, left)


@njit(nogil=True, cache=True, error_model="numpy")
def _weighed(m, rows, weight, x):
    """The root of the sum of (H x)²/w: a size of velocities that does not depend on units of lengths and angles."""
    at, H, _B = rows
    total = 0.0
    for c in range(m):
        for k in range(3):
            s = 0.0
            for side in range(2):
                a = at[c, side]
                if a >= 0:
                    for d in range(6):
                        s += H[c, side, k, d] * x[a + d]
            total += s * s * weight[c, 0 if k == 0 else 1]
    return np.sqrt(total)


@njit(nogil=True, cache=True, error_model="numpy")
def _strength(m, rows, weight, Q, x):
    """The size of what all impulses do."""
    x[:] = 0.0
    pushed(m, rows[0], rows[2], Q, x)
    return _weighed(m, rows, weight, x)


@njit(nogil=True, cache=True, error_model="numpy")
def _slopes(m, weight, mu, stiff, anchor, u, D):
    """Write by how much the projected impulses fall with u, (m, 3, 3)."""
    for c in range(m):
        f, g = stiff * weight[c, 0], stiff * weight[c, 1]
        n, x, y = anchor[c, 0] - f * u[c, 0], anchor[c, 1] - g * u[c, 1], anchor[c, 2] - g * u[c, 2]
        D[c] = 0.0
        if n <= 0.0:
            continue
        D[c, 0, 0] = f
        size = np.hypot(x, y)
        if size <= mu * n:
            D[c, 1, 1] = D[c, 2, 2] = g
            continue
        x, y, s = x / size, y / size, g * mu * n / size
        D[c, 1, 0], D[c, 2, 0] = f * mu * x, f * mu * y
        D[c, 1, 1], D[c, 2, 2] = s * (1.0 - x * x), s * (1.0 - y * y)
        D[c, 1, 2] = D[c, 2, 1] = -s * x * y
