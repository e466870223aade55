"""Impulses of one shock, by sweeps and, where they do not settle, by Newton's method from several places."""

import numpy as np
from numba import njit

from vinculum.kernels.dense import product
from vinculum.kernels.shock_laws import project, residual, shock
from vinculum.kernels.shock_newton import newton

PATIENCE, STARTS = 100, 8
"""Sweeps after which Newton's method is tried, and again after four times as many; from so many places."""


@njit(nogil=True, cache=True)
def finished_shock(W, u_free, u_before, law, e, mu, P, tolerance, most):
    """Impulses in place as those of `shock`: residual and sweeps. Newton's method knows laws of Newton's kind and friction in discs."""
    m, n = len(e), len(P)
    target, least, start, u = np.empty(m), np.zeros(m), np.empty(n), np.empty(n)
    plain = True
    for c in range(m):
        target[c] = -e[c] * min(u_before[3 * c], 0.0)
        plain = plain and law[c] == 0 and (mu[c, 0] == mu[c, 1] or mu[c, 2] >= 0.0)
    limit, sweeps, chance, best = PATIENCE if plain else most, 0, 1, np.inf
    kept = np.empty(n)
    while True:
        error, more = shock(W, u_free, u_before, law, e, mu, P, tolerance, min(limit, most - sweeps))
        sweeps += more
        for attempt in range(STARTS if plain and error > tolerance else 0):
            # sweeps drift where a solution is not unique, and may be far from where Newton's method should begin
            for k in range(n):
                chance = (chance * 1103515245 + 12345) % 2147483648
                part = 1.0 if attempt == 0 else 0.0 if attempt == 1 else 2.0 * chance / 2147483648 - 0.5 * (k % 3 != 0)
                start[k] = P[k] if k % 3 == 0 and attempt < 2 else part * P[k]
            project(start, least, mu)
            found = newton(W, u_free, target, least, mu, start)
            project(found, least, mu)
            product(W, found, u)
            for k in range(n):
                u[k] += u_free[k]
            better = residual(W, u, target, least, mu, found)
            if better < error:
                P[:] = found
                error = better
            if error <= tolerance:
                break
        if error < best:
            best = error
            kept[:] = P
        if best <= tolerance or sweeps >= most or not error < np.inf:
            P[:] = kept
            return best, sweeps
        if limit == PATIENCE:
            P[:] = 0.0
        limit *= 4
