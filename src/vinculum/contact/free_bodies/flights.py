"""Both halves of a step of free bodies, which fly and turn, and what impulses in its middle do to their momenta."""

import numpy as np
from numba import njit

from vinculum.contact.free_bodies.attitudes import in_world, matrix, turned


@njit(nogil=True, cache=True, error_model="numpy")
def placed(moving, is_round, x, Q, center, turn, inverse, offset, tilt, own_inverse, R):
    """Write centers and axes of the moving shapes, and inverse inertias, in the world."""
    if is_round:
        for i in range(moving):
            for k in range(3):
                center[i, k] = x[i, k]
        return
    for i in range(moving):
        matrix(Q[i], R)
        in_world(R, own_inverse[i], inverse[i])
        for k in range(3):
            center[i, k] = x[i, k] + R[k, 0] * offset[i, 0] + R[k, 1] * offset[i, 1] + R[k, 2] * offset[i, 2]
            for c in range(3):
                turn[i, k, c] = R[k, 0] * tilt[i, 0, c] + R[k, 1] * tilt[i, 1, c] + R[k, 2] * tilt[i, 2, c]


@njit(nogil=True, cache=True, error_model="numpy")
def begun(moving, is_round, d, gravity, x, Q, v, L, X, half, V, spin, own_inverse, R, world, spun):
    """Write places and attitudes in the middle of a step, and the velocities at its end without impulses."""
    for i in range(moving):
        if is_round:
            for k in range(3):
                spun[i, k] = spin[i] * L[i, k]
        else:
            matrix(Q[i], R)
            in_world(R, own_inverse[i], world)
            for k in range(3):
                spun[i, k] = world[k, 0] * L[i, 0] + world[k, 1] * L[i, 1] + world[k, 2] * L[i, 2]
        turned(Q[i], 0.5 * d * spun[i, 0], 0.5 * d * spun[i, 1], 0.5 * d * spun[i, 2], half[i])
        for k in range(3):
            X[i, k] = x[i, k] + 0.5 * d * v[i, k]
            V[i, k] = v[i, k] + d * gravity[k]


@njit(nogil=True, cache=True, error_model="numpy")
def freed(moving, is_round, L, V, inverse, spun):
    """Write the angular velocities at the end of a step without impulses, to second order; they are kept in ``spun``."""
    for i in range(moving):
        for k in range(3):
            if not is_round:
                middle = inverse[i, k, 0] * L[i, 0] + inverse[i, k, 1] * L[i, 1] + inverse[i, k, 2] * L[i, 2]
                spun[i, k] = 2.0 * middle - spun[i, k]
            V[i, 4 + k] = spun[i, k]


@njit(nogil=True, cache=True, error_model="numpy")
def blown(moving, is_round, L, half, V, spin, own_inertia, R, world, spun):
    """Add the moments of the impulses to the moments of momentum L."""
    for i in range(moving):
        w = V[i, 4:7]
        if is_round:
            for k in range(3):
                L[i, k] = w[k] / spin[i]
        else:
            matrix(half[i], R)
            in_world(R, own_inertia[i], world)
            a, b, c = w[0] - spun[i, 0], w[1] - spun[i, 1], w[2] - spun[i, 2]
            for k in range(3):
                L[i, k] += world[k, 0] * a + world[k, 1] * b + world[k, 2] * c


@njit(nogil=True, cache=True, error_model="numpy")
def ended(moving, is_round, d, x, Q, v, L, X, half, V, own_inverse, R, world, record):
    """Take the second half of a step and write down its end: whether all is finite."""
    total = 0.0
    for i in range(moving):
        r, w = record[i], V[i, 4:7]
        turned(half[i], 0.5 * d * w[0], 0.5 * d * w[1], 0.5 * d * w[2], Q[i])
        if not is_round:
            matrix(Q[i], R)
            in_world(R, own_inverse[i], world)
            for k in range(3):
                w[k] = world[k, 0] * L[i, 0] + world[k, 1] * L[i, 1] + world[k, 2] * L[i, 2]
        for k in range(3):
            v[i, k] = V[i, k]
            x[i, k] = X[i, k] + 0.5 * d * v[i, k]
            r[k], r[7 + k], r[10 + k] = x[i, k], v[i, k], w[k]
            total += abs(x[i, k]) + abs(v[i, k]) + abs(L[i, k])
        for k in range(4):
            r[3 + k] = Q[i, k]
    return np.isfinite(total)
