"""Bodies of a pile moved out of each other."""

import numpy as np
from numba import njit

from vinculum.contact.free_bodies.attitudes import turned
from vinculum.contact.free_bodies.contacts import parting
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solved
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL


@njit(nogil=True, cache=True, error_model="numpy")
def moved_out(m, moving, is_round, lists, bodies, gap, x, D, P, mixing, board, sums, parts, pushes, last):
    """Move bodies by the least displacement D (n, 8) in the kinetic metric that ends penetration, to first order; the largest of it [m].

    They are not turned yet: impulses act on the inertias with which they were found.
    """
    who, frame, _arms, wide, _W, _weight, target = lists
    for i in range(len(D)):
        for k in range(8):
            D[i, k] = 0.0
    for c in range(m):
        P[c, 0] = P[c, 1] = P[c, 2] = 0.0
        target[c] = -gap[c]
    pace = (np.zeros((moving, 3)), -gap[:m].min())
    solved(
        FIRST,
        ALONE,
        board,
        sums,
        m,
        is_round,
        lists,
        bodies,
        0.0,
        pace,
        P,
        D,
        DEPENETRATION_RESIDUAL,
        pushes,
        mixing,
        parts,
        last,
    )
    largest = 0.0
    for i in range(moving):
        largest = max(largest, D[i, 0] ** 2 + D[i, 1] ** 2 + D[i, 2] ** 2)
        for k in range(3):
            x[i, k] += D[i, k]
    for c in range(m):
        i, j, n = who[c, 0], who[c, 1], frame[c, 0]
        gap[c] += parting(D, i, j, n, is_round, wide, c)
    return np.sqrt(largest)


@njit(nogil=True, cache=True, error_model="numpy")
def turned_out(moving, is_round, Q, D):
    """Turn bodies as `moved_out` has found."""
    for i in range(0 if is_round else moving):
        turned(Q[i], D[i, 4], D[i, 5], D[i, 6], Q[i])
