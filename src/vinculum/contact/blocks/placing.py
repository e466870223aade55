"""Shapes on blocks: their positions and velocities, the inverse masses of their blocks, and velocities in rows of eight."""

import numpy as np

from vinculum.compile.kernels import njit
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
    """Write the inverse mass matrices of all blocks, by Cholesky's factors; returns the first block whose matrix is not positive, −1 if
    there is none."""
    for b in range(len(blocks.count)):
        n = blocks.count[b]
        if n == 0:
            continue
        mass, inverse = (
            blocks.mass[b],
            blocks.inverse[blocks.inverse_at[b] : blocks.inverse_at[b] + n * n].reshape(n, n),
        )
        L = np.zeros((n, n))
        for i in range(n):
            for j in range(i + 1):
                s = Z[mass + n * i + j]
                for k in range(j):
                    s -= L[i, k] * L[j, k]
                if i == j:
                    if not s > 0.0:
                        return b
                    L[i, i] = np.sqrt(s)
                else:
                    L[i, j] = s / L[j, j]
        for c in range(n):
            for i in range(n):
                s = 1.0 if i == c else 0.0
                for k in range(i):
                    s -= L[i, k] * inverse[c, k]
                inverse[c, i] = s / L[i, i]
            for i in range(n - 1, -1, -1):
                s = inverse[c, i]
                for k in range(i + 1, n):
                    s -= L[k, i] * inverse[c, k]
                inverse[c, i] = s / L[i, i]
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
