"""Correction of penetration of free bodies."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.attitudes import rotate
from vinculum.contact.free_bodies.contacts import separation_speed
from vinculum.contact.sparse.arrays import ContactProblem, Pace, Settings, Solver, Team
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solve
from vinculum.tolerances.contact import DEPENETRATION_RESIDUAL


@njit(nogil=True, cache=True, error_model="numpy")
def push_apart(problem, gap, x, moved, pushes, solver):
    """Move bodies by the smallest displacement D (n, 8) in the kinetic metric that removes penetration to first order; returns its
    maximum [m].

    ``moved``: impulses P and D. Bodies are not rotated yet, since the impulses belong to the inertias with which they were found.
    """
    m, is_round, rows, bodies, _cones, targets, (before, _least) = problem
    (P, D), moving = moved, len(before)
    who, frame, wide = rows.who, rows.frame, rows.wide
    for i in range(len(D)):
        for k in range(8):
            D[i, k] = 0.0
    for c in range(m):
        P[c, 0] = P[c, 1] = P[c, 2] = 0.0
        targets[c] = -gap[c]
    least = np.inf
    for c in range(m):
        least = min(least, gap[c])
    pace = Pace(np.zeros((moving, 3)), -least)
    (_rank, _threads, board, sums, parts), _settings, copies, finisher = solver
    alone = Solver(Team(FIRST, ALONE, board, sums, parts), Settings(DEPENETRATION_RESIDUAL, pushes), copies, finisher)
    solve(ContactProblem(m, is_round, rows, bodies, np.zeros(m), targets, pace), moved, alone)
    largest = 0.0
    for i in range(moving):
        largest = max(largest, D[i, 0] ** 2 + D[i, 1] ** 2 + D[i, 2] ** 2)
        for k in range(3):
            x[i, k] += D[i, k]
    for c in range(m):
        i, j, n = who[c, 0], who[c, 1], frame[c, 0]
        gap[c] += separation_speed(D, i, j, n, wide, c)
    return np.sqrt(largest)


@njit(nogil=True, cache=True, error_model="numpy")
def turn_apart(moving, is_round, Q, D):
    """Rotate bodies by the displacements that `push_apart` has found."""
    for i in range(0 if is_round else moving):
        rotate(Q[i], D[i, 4], D[i, 5], D[i, 6], Q[i])
