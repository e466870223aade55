"""Velocities of a pile made anew from its impulses, where many sweeps have changed both."""

import numpy as np
from numba import njit

from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solved
from vinculum.contact.sparse.general_rows import any_moved
from vinculum.contact.sparse.sphere_rows import round_moved
from vinculum.tolerances.contact import SWEEPS_AFTER_RENEWAL, SWEEPS_BEFORE_RENEWAL

NONE = np.int64(0)


@njit(nogil=True, cache=True, error_model="numpy")
def renewed(
    found, m, d, moving, is_round, gravity, v, spun, lists, bodies, mu, P, V, tolerance, most, team, mixing, last
):
    """Residual, sweeps and whether a finisher ended them, after V (n, 8) is V₀ + M⁻¹ Hᵀ P to the last digits.

    ``found``: these three as they were; ``v``, ``spun`` (n, 3): velocities at the begin of the step, and angular ones at its end without
    impulses; ``team``: board, sums and parts of `solved`. ``mixing[0]`` is written over.
    """
    error, sweeps, finisher = found
    pace = (v, d * np.linalg.norm(gravity))
    board, sums, parts = team
    kept = mixing[0]
    for _ in range(SWEEPS_AFTER_RENEWAL):
        for i in range(moving):
            for k in range(3):
                V[i, k], V[i, 4 + k] = v[i, k] + d * gravity[k], spun[i, k]
        for c in range(m):
            for k in range(3):
                kept[c, k] = P[c, k]
                P[c, k] = 0.0
        if is_round:
            round_moved(m, lists[0], lists[1], lists[2], P, kept, V, bodies[0], bodies[1])
        else:
            any_moved(m, lists[0], lists[1], lists[3], P, kept, V, bodies[0])
        error = solved(
            FIRST, ALONE, board, sums, m, is_round, lists, bodies, mu, pace, P, V, tolerance, NONE, mixing, parts, last
        )[0]
        if error <= tolerance or sweeps >= most:
            break
        error, more, last_digits = solved(
            FIRST, ALONE, board, sums, m, is_round, lists, bodies, mu, pace, P, V, tolerance, most, mixing, parts, last
        )
        sweeps, finisher = sweeps + more, max(finisher, last_digits)
        if more < SWEEPS_BEFORE_RENEWAL:
            break
    return error, sweeps, finisher
