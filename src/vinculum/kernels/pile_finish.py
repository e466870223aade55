"""The last digits of the impulses of a pile, where sweeps do not find them and its matrix is small enough."""

import numpy as np
from numba import njit

from vinculum.kernels.pile_interior import interior
from vinculum.kernels.pile_rows import pushed, rows_of
from vinculum.kernels.pile_settled import settled
from vinculum.kernels.pile_skyline import numbered, profile

LARGEST = 3e8
"""Multiplications of one factorization up to which it is taken: some hundred bodies, more where they lie in a row."""
ATTEMPTS = ((1.0, 1e3), (0.1, 1e4), (1e-3, 1e3))
"""How far from the edge of the cone to start, and ρ of Newton's method, one after the other."""


@njit(nogil=True, cache=True)
def moving_bodies(lightness):
    """How many bodies are no walls; walls come last."""
    count = len(lightness)
    while count > 0 and lightness[count - 1] == 0.0:
        count -= 1
    return count


@njit(nogil=True, cache=True)
def finish(m, is_round, contacts, bodies, mu, P, V, tolerance, out):
    """The residual of the impulses (m, 3) written to ``out``, infinite where it was not tried; V (n, 8) are those at the impulses P.

    Without friction there is no cone, and sweeps do well.
    """
    who, weight, target = contacts[0], contacts[5], contacts[6]
    moving = moving_bodies(bodies[0])
    if m == 0 or not mu > 0.0:
        return np.inf
    number = numbered(m, who, moving)
    first, begin, work = profile(m, who, moving, number)
    if work > LARGEST:
        return np.inf
    rows, shape = rows_of(m, moving, number, is_round, contacts, bodies), (first, begin)
    free, back = np.empty(6 * moving), np.empty((m, 3))
    for i in range(moving):
        for k in range(3):
            free[6 * number[i] + k], free[6 * number[i] + 3 + k] = V[i, k], V[i, 4 + k]
    for c in range(m):
        for k in range(3):
            back[c, k] = -P[c, k]
    pushed(m, rows[0], rows[2], back, free)
    best, trial = np.inf, np.empty((m, 3))
    for away, stiff in ATTEMPTS:
        trial[:] = P[:m]
        interior(m, rows, shape, weight, target, mu, trial, free, away, tolerance)
        error = settled(m, rows, shape, weight, target, mu, trial, free, stiff, tolerance)
        if error < best:
            best = error
            out[:m] = trial
        if error <= tolerance:
            break
    return best
