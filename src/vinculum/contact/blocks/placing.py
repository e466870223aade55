"""Shapes on blocks: their positions and velocities, the inverse masses of their blocks, and velocities in rows of eight."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.contact.trees.contacts import stretch
from vinculum.tolerances.contact import SPARE_REACH


@njit(nogil=True, cache=True, error_model="numpy")
def place_shapes(Z, mounting, carriers, shapes, velocity):
    """Write centers, axes and velocities of the moving shapes, from the frames of their bodies in the long array Z."""
    center, turn = shapes.center, shapes.turn
    for s in range(len(mounting.block)):
        f, o, tilt = mounting.frames[s], mounting.offset[s], mounting.tilt[s]
        K, rate = carriers.matrix[s], carriers.rate[s]
        x, y, z = 0.0, 0.0, 0.0
        for k in range(3):
            a, b, c = Z[K + 3 * k], Z[K + 3 * k + 1], Z[K + 3 * k + 2]
            arm = a * o[0] + b * o[1] + c * o[2]
            if k == 0:
                x = arm
            elif k == 1:
                y = arm
            else:
                z = arm
            center[s, k] = Z[f + k] + arm
            for d in range(3):
                turn[s, k, d] = a * tilt[0, d] + b * tilt[1, d] + c * tilt[2, d]
        if rate >= 0:
            for k in range(3):
                e = rate + 3 * k
                velocity[s, k] = Z[f + 12 + k] + Z[e] * o[0] + Z[e + 1] * o[1] + Z[e + 2] * o[2]
            continue
        p, q, r = Z[f + 15], Z[f + 16], Z[f + 17]
        velocity[s, 0] = Z[f + 12] + q * z - r * y
        velocity[s, 1] = Z[f + 13] + r * x - p * z
        velocity[s, 2] = Z[f + 14] + p * y - q * x


@njit(nogil=True, cache=True, error_model="numpy")
def stretch_reaches(carriers, shapes, reaches):
    """Write the bounding spheres of shapes that deform, with some spare room; returns whether one of them has grown. ``reaches``: those
    without deformation."""
    grown = False
    for s in range(len(carriers.rate)):
        if carriers.rate[s] >= 0:
            needed = reaches[s] * stretch(shapes.turn[s])
            if needed > shapes.reach[s]:
                grown = True
            if needed > shapes.reach[s] or (1.0 + SPARE_REACH) ** 2 * needed < shapes.reach[s]:
                shapes.reach[s] = (1.0 + SPARE_REACH) * needed
    return grown


@njit(nogil=True, cache=True, error_model="numpy")
def invert_masses(Z, blocks):
    """Write the inverse mass matrices of all blocks, by Cholesky's factors of eight blocks at once; returns the first block whose matrix is
    not positive, −1 if there is none."""
    k, widest = len(blocks.count), 0
    for b in range(k):
        widest = max(widest, blocks.count[b])
    L, X = np.zeros((widest * widest, WIDTH)), np.zeros((widest * widest, WIDTH))
    sums, b = np.zeros(WIDTH), 0
    while b < k:
        n, lanes = blocks.count[b], 1
        while lanes < WIDTH and b + lanes < k and blocks.count[b + lanes] == n:
            lanes += 1
        if n > 0:
            wrong = _invert_lanes(n, b, lanes, Z, blocks, (L, X, sums))
            if wrong >= 0:
                return wrong
        b += lanes
    return -1


@njit(nogil=True, cache=True, error_model="numpy")
def _invert_lanes(n, first, lanes, Z, blocks, work):
    """Write the inverses of ``lanes`` mass matrices (n, n) from block ``first`` on, as those of triangular factors: X = L⁻¹, XᵀX."""
    mass, inverse_at, inverse, (L, X, s) = blocks.mass, blocks.inverse_at, blocks.inverse, work
    for lane in range(WIDTH):
        begin = mass[first + min(lane, lanes - 1)]
        for i in range(n):
            for j in range(i + 1):
                L[n * i + j, lane] = Z[begin + n * i + j]
    for j in range(n):
        for i in range(j, n):
            for lane in range(WIDTH):
                s[lane] = L[n * i + j, lane]
            for m in range(j):
                for lane in range(WIDTH):
                    s[lane] -= L[n * i + m, lane] * L[n * j + m, lane]
            if i == j:
                for lane in range(lanes):
                    if not s[lane] > 0.0:
                        return first + lane
                for lane in range(WIDTH):
                    X[n * j + j, lane] = 1.0 / np.sqrt(s[lane])
            else:
                for lane in range(WIDTH):
                    L[n * i + j, lane] = s[lane] * X[n * j + j, lane]
    for j in range(n):
        for i in range(j + 1, n):
            for lane in range(WIDTH):
                s[lane] = 0.0
            for m in range(j, i):
                for lane in range(WIDTH):
                    s[lane] -= L[n * i + m, lane] * X[n * m + j, lane]
            for lane in range(WIDTH):
                X[n * i + j, lane] = s[lane] * X[n * i + i, lane]
    for i in range(n):
        for j in range(i + 1):
            for lane in range(WIDTH):
                s[lane] = 0.0
            for m in range(i, n):
                for lane in range(WIDTH):
                    s[lane] += X[n * m + i, lane] * X[n * m + j, lane]
            for lane in range(lanes):
                at = inverse_at[first + lane]
                inverse[at + n * i + j] = inverse[at + n * j + i] = s[lane]
    return -1


@njit(nogil=True, cache=True, error_model="numpy")
def gather_velocities(blocks, v, V):
    """Write the velocities v (nv,) of the system that belong to blocks with shapes to rows of eight."""
    state = blocks.state
    for r in range(len(state)):
        for k in range(8):
            V[r, k] = v[state[r, k]] if state[r, k] >= 0 else 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def scatter_velocities(blocks, V, v):
    """Write velocities in rows of eight to their places among those of the system."""
    state = blocks.state
    for r in range(len(state)):
        for k in range(8):
            if state[r, k] >= 0:
                v[state[r, k]] = V[r, k]
