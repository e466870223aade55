"""Cores of convex shapes in the world: corners, faces and supports; a shape is its core with a radius around it.

A core is a tuple: corners (n, 3), outward normals (f, 3) and offsets (f,) of its faces, which solid of the pool has its loops, radius and
half length of a cylinder (zero for others), rounding. A cylinder has its center, axis and first axis across in place of corners.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_pairs import BOX, CAPSULE, CYLINDER, SPHERE

CUBE, TRIANGLE = 0, 1
"""The first solids of every pool: the cube from −1 to 1, and a triangle seen from the side of its normal."""


@njit(nogil=True, cache=True)
def core(i, center, turn, kind, size, solids):
    """The core of moving or fixed shape i."""
    points, point_of, normals, face_of, loops, loop_of = solids
    c, R = center[i], turn[i]
    a = kind[i]
    if a == SPHERE:
        C = np.empty((1, 3))
        C[0, 0], C[0, 1], C[0, 2] = c[0], c[1], c[2]
        return C, np.empty((0, 3)), np.empty(0), -1, 0.0, 0.0, size[i, 0]
    if a == CAPSULE:
        C = np.empty((2, 3))
        for k in range(3):
            C[0, k], C[1, k] = c[k] - size[i, 1] * R[k, 2], c[k] + size[i, 1] * R[k, 2]
        return C, np.empty((0, 3)), np.empty(0), -1, 0.0, 0.0, size[i, 0]
    if a == CYLINDER:
        C, N, o = np.empty((3, 3)), np.empty((2, 3)), np.empty(2)
        middle = 0.0
        for k in range(3):
            C[0, k], C[1, k], C[2, k] = c[k], R[k, 2], R[k, 0]
            N[0, k], N[1, k] = R[k, 2], -R[k, 2]
            middle += c[k] * R[k, 2]
        o[0], o[1] = middle + size[i, 1], size[i, 1] - middle
        return C, N, o, -1, size[i, 0], size[i, 1], 0.0
    which = CUBE if a == BOX else int(size[i, 0])
    first, count = point_of[which], point_of[which + 1] - point_of[which]
    begin, faces = face_of[which], face_of[which + 1] - face_of[which]
    C, N, o = np.empty((count, 3)), np.empty((faces, 3)), np.empty(faces)
    x, y, z = (size[i, 0], size[i, 1], size[i, 2]) if a == BOX else (1.0, 1.0, 1.0)
    for p in range(count):
        P = points[first + p]
        for k in range(3):
            C[p, k] = c[k] + R[k, 0] * x * P[0] + R[k, 1] * y * P[1] + R[k, 2] * z * P[2]
    for f in range(faces):
        n = normals[begin + f]
        p = loops[loop_of[begin + f]]
        o[f] = 0.0
        for k in range(3):
            N[f, k] = R[k, 0] * n[0] + R[k, 1] * n[1] + R[k, 2] * n[2]
            o[f] += N[f, k] * C[p, k]
    return C, N, o, which, 0.0, 0.0, 0.0


@njit(nogil=True, cache=True)
def lowest(A, x, y, z):
    """The least of n · a over a core without its rounding."""
    C, r, h = A[0], A[4], A[5]
    if r > 0.0:
        along = x * C[1, 0] + y * C[1, 1] + z * C[1, 2]
        across = np.sqrt(max(x * x + y * y + z * z - along * along, 0.0))
        return x * C[0, 0] + y * C[0, 1] + z * C[0, 2] - h * abs(along) - r * across
    best = np.inf
    for p in range(len(C)):
        best = min(best, x * C[p, 0] + y * C[p, 1] + z * C[p, 2])
    return best


@njit(nogil=True, cache=True)
def apart(A, B, x, y, z):
    """How far core A is above core B along the unit direction: min n · a − max n · b."""
    return lowest(A, x, y, z) + lowest(B, -x, -y, -z)


@njit(nogil=True, cache=True)
def farthest(A, x, y, z, out):
    """Write the corner of a core that is farthest in a direction."""
    C, r, h = A[0], A[4], A[5]
    if r > 0.0:
        along = x * C[1, 0] + y * C[1, 1] + z * C[1, 2]
        u, v, w = x - along * C[1, 0], y - along * C[1, 1], z - along * C[1, 2]
        across = np.sqrt(u * u + v * v + w * w)
        s = h if along >= 0.0 else -h
        t = r / across if across > 1e-14 * abs(along) else 0.0
        out[0], out[1], out[2] = C[0, 0] + s * C[1, 0] + t * u, C[0, 1] + s * C[1, 1] + t * v, C[0, 2] + s * C[1, 2] + t * w
        return
    best, which = -np.inf, 0
    for p in range(len(C)):
        d = x * C[p, 0] + y * C[p, 1] + z * C[p, 2]
        if d > best:
            best, which = d, p
    out[0], out[1], out[2] = C[which, 0], C[which, 1], C[which, 2]
