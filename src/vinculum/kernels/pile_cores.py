"""Cores of convex shapes in the world: corners, faces and supports; a shape is its core with a radius around it.

A core is an array of rows (…, 3). Row 0: numbers of corners and of faces, and which solid of the pool has the loops of the faces. Row 1:
radius and half length of a cylinder (zero for others), and the rounding. Then come the corners, the outward normals of the faces, and rows
with their offsets. A cylinder has its center, axis and first axis across in place of corners.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_pairs import BOX, CAPSULE, CYLINDER, SPHERE

CUBE, TRIANGLE = 0, 1
"""The first solids of every pool: the cube from −1 to 1, and a triangle seen from the side of its normal."""


@njit(nogil=True, cache=True)
def blank(corners, faces, which, radius, half, rounding):
    """A core whose corners and faces are yet to be written."""
    K = np.empty((2 + int(corners) + 2 * int(faces), 3))
    K[0, 0], K[0, 1], K[0, 2] = corners, faces, which
    K[1, 0], K[1, 1], K[1, 2] = radius, half, rounding
    return K


@njit(nogil=True, cache=True)
def core(i, center, turn, kind, size, solids):
    """The core of moving or fixed shape i."""
    points, point_of, normals, face_of, loops, loop_of = solids
    c, R = center[i], turn[i]
    a = kind[i]
    if a == SPHERE:
        K = blank(1.0, 0.0, -1.0, 0.0, 0.0, size[i, 0])
        for k in range(3):
            K[2, k] = c[k]
        return K
    if a == CAPSULE:
        K = blank(2.0, 0.0, -1.0, 0.0, 0.0, size[i, 0])
        for k in range(3):
            K[2, k], K[3, k] = c[k] - size[i, 1] * R[k, 2], c[k] + size[i, 1] * R[k, 2]
        return K
    if a == CYLINDER:
        K = blank(3.0, 2.0, -1.0, size[i, 0], size[i, 1], 0.0)
        middle = 0.0
        for k in range(3):
            K[2, k], K[3, k], K[4, k], K[5, k], K[6, k] = c[k], R[k, 2], R[k, 0], R[k, 2], -R[k, 2]
            middle += c[k] * R[k, 2]
        K[7, 0], K[8, 0] = middle + size[i, 1], size[i, 1] - middle
        return K
    which = CUBE if a == BOX else int(size[i, 0])
    first, count = point_of[which], point_of[which + 1] - point_of[which]
    begin, faces = face_of[which], face_of[which + 1] - face_of[which]
    K = blank(1.0 * count, 1.0 * faces, 1.0 * which, 0.0, 0.0, 0.0)
    x, y, z = (size[i, 0], size[i, 1], size[i, 2]) if a == BOX else (1.0, 1.0, 1.0)
    for p in range(count):
        P = points[first + p]
        for k in range(3):
            K[2 + p, k] = c[k] + R[k, 0] * x * P[0] + R[k, 1] * y * P[1] + R[k, 2] * z * P[2]
    for f in range(faces):
        n, o = normals[begin + f], 0.0
        corner = 2 + loops[loop_of[begin + f]]
        for k in range(3):
            N = R[k, 0] * n[0] + R[k, 1] * n[1] + R[k, 2] * n[2]
            K[2 + count + f, k] = N
            o += N * K[corner, k]
        K[2 + count + faces + f, 0] = o
    return K


@njit(nogil=True, cache=True)
def lowest(A, x, y, z):
    """The least of n · a over a core without its rounding."""
    r, h = A[1, 0], A[1, 1]
    C = A[2:]
    if r > 0.0:
        along = x * C[1, 0] + y * C[1, 1] + z * C[1, 2]
        across = np.sqrt(max(x * x + y * y + z * z - along * along, 0.0))
        return x * C[0, 0] + y * C[0, 1] + z * C[0, 2] - h * abs(along) - r * across
    best = np.inf
    for p in range(int(A[0, 0])):
        best = min(best, x * C[p, 0] + y * C[p, 1] + z * C[p, 2])
    return best


@njit(nogil=True, cache=True)
def apart(A, B, x, y, z):
    """How far core A is above core B along the unit direction: min n · a − max n · b."""
    return lowest(A, x, y, z) + lowest(B, -x, -y, -z)


@njit(nogil=True, cache=True)
def farthest(A, x, y, z, out):
    """Write the corner of a core that is farthest in a direction."""
    r, h = A[1, 0], A[1, 1]
    C = A[2:]
    if r > 0.0:
        along = x * C[1, 0] + y * C[1, 1] + z * C[1, 2]
        u, v, w = x - along * C[1, 0], y - along * C[1, 1], z - along * C[1, 2]
        across = np.sqrt(u * u + v * v + w * w)
        s = h if along >= 0.0 else -h
        t = r / across if across > 1e-14 * abs(along) else 0.0
        out[0], out[1], out[2] = (
            C[0, 0] + s * C[1, 0] + t * u,
            C[0, 1] + s * C[1, 1] + t * v,
            C[0, 2] + s * C[1, 2] + t * w,
        )
        return
    best, which = -np.inf, 0
    for p in range(int(A[0, 0])):
        d = x * C[p, 0] + y * C[p, 1] + z * C[p, 2]
        if d > best:
            best, which = d, p
    out[0], out[1], out[2] = C[which, 0], C[which, 1], C[which, 2]
