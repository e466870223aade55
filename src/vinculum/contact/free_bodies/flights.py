"""Both halves of a step of free bodies without contact, and the change of momenta by impulses in its middle."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.free_bodies.attitudes import in_world, matrix, rotate


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def place_shapes(is_round, x, Q, shapes, mounting, inertia, flight):
    """Write centers and axes of the moving shapes and inverse inertias, in world axes."""
    center, turn, offset, tilt = shapes.center, shapes.turn, mounting.offset, mounting.tilt
    own_inverse, inverse, R, moving = inertia.own_inverse, flight.inverse, flight.R, len(mounting.offset)
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


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def begin_flight(is_round, step, state, flight, spin, own_inverse):
    """Write positions and attitudes in the middle of a step, and the velocities at its end without impulses."""
    (x, Q, v, L), (X, half, _inverse, V, spun, R, world) = state, flight
    d, gravity = step.d, step.gravity
    for i in range(len(v)):
        if is_round:
            for k in range(3):
                spun[i, k] = spin[i] * L[i, k]
        else:
            matrix(Q[i], R)
            in_world(R, own_inverse[i], world)
            for k in range(3):
                spun[i, k] = world[k, 0] * L[i, 0] + world[k, 1] * L[i, 1] + world[k, 2] * L[i, 2]
        rotate(Q[i], 0.5 * d * spun[i, 0], 0.5 * d * spun[i, 1], 0.5 * d * spun[i, 2], half[i])
        for k in range(3):
            X[i, k] = x[i, k] + 0.5 * d * v[i, k]
            V[i, k] = v[i, k] + d * gravity[k]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def free_spins(is_round, L, flight):
    """Write the angular velocities at the end of a step without impulses, to second order; they are also stored in ``spun``."""
    inverse, V, spun = flight.inverse, flight.V, flight.spun
    for i in range(len(L)):
        for k in range(3):
            if not is_round:
                middle = inverse[i, k, 0] * L[i, 0] + inverse[i, k, 1] * L[i, 1] + inverse[i, k, 2] * L[i, 2]
                spun[i, k] = 2.0 * middle - spun[i, k]
            V[i, 4 + k] = spun[i, k]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def add_moments(is_round, L, flight, spin, own_inertia):
    """Add the moments of the impulses to the angular momenta L."""
    half, V, spun, R, world = flight.half, flight.V, flight.spun, flight.R, flight.world
    for i in range(len(L)):
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


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def end_flight(is_round, d, state, flight, own_inverse, record):
    """Take the second half of a step and record its end; returns whether all values are finite."""
    (x, Q, v, L), (X, half, _inverse, V, _spun, R, world) = state, flight
    total = 0.0
    for i in range(len(v)):
        r, w = record[i], V[i, 4:7]
        rotate(half[i], 0.5 * d * w[0], 0.5 * d * w[1], 0.5 * d * w[2], Q[i])
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
