"""Cores of convex shapes in the world: corners, faces and support functions. A shape is its core with a radius around it.

A core is an array of rows (…, 3). Row 0: numbers of corners and of faces, and the solid of the pool that has the loops of the faces. Row
1: radius and half length of a cylinder (zero for others), and the rounding radius. Row 2: the mean of the corners. Then come the
corners, the outward normals of the faces, and rows with their offsets. A cylinder has its center, its axis and a first transverse axis
in place of corners. So has a cone, with the middle of its axis as the center: it is a cylinder whose upper rim is a point and no face. An
ellipsoid has its center and its semiaxes, and −1 as its radius.
"""

import numpy as np

from vinculum.collision.broad_phase import BOX, CAPSULE, CONE, CYLINDER, DEFORMED, ELLIPSOID, SPHERE
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import ALONG_THE_AXIS

FIRST = 3
"""The row of the first corner."""
ABOVE_THE_CENTER = 0.25
"""Height of the middle of a cone's axis above its mass center, in heights of the cone."""
CUBE, TRIANGLE = 0, 1
"""The first solids of every pool: the cube from −1 to 1, and a triangle seen from the side of its normal."""


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def head_core(K, corners, faces, which, radius, half, rounding):
    """Write the first rows of a core; corners and faces are written later."""
    K[0, 0], K[0, 1], K[0, 2] = corners, faces, which
    K[1, 0], K[1, 1], K[1, 2] = radius, half, rounding


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def core(i, origin, shapes, solids, K):
    """Write the core of moving or fixed shape i, relative to an origin (3)."""
    center, R, size = shapes.center, shapes.turn[i], shapes.size
    c0, c1, c2 = center[i, 0] - origin[0], center[i, 1] - origin[1], center[i, 2] - origin[2]
    K[2, 0], K[2, 1], K[2, 2] = c0, c1, c2
    a = shapes.kind[i]
    if a == SPHERE:
        head_core(K, 1.0, 0.0, -1.0, 0.0, 0.0, size[i, 0])
        K[FIRST, 0], K[FIRST, 1], K[FIRST, 2] = c0, c1, c2
    elif a == CAPSULE:
        head_core(K, 2.0, 0.0, -1.0, 0.0, 0.0, size[i, 0])
        for k in range(3):
            K[FIRST, k], K[FIRST + 1, k] = K[2, k] - size[i, 1] * R[k, 2], K[2, k] + size[i, 1] * R[k, 2]
    elif a == CYLINDER:
        head_core(K, 3.0, 2.0, -1.0, size[i, 0], size[i, 1], 0.0)
        middle = 0.0
        for k in range(3):
            K[FIRST, k], K[FIRST + 1, k], K[FIRST + 2, k] = K[2, k], R[k, 2], R[k, 0]
            K[FIRST + 3, k], K[FIRST + 4, k] = R[k, 2], -R[k, 2]
            middle += K[2, k] * R[k, 2]
        K[FIRST + 5, 0], K[FIRST + 6, 0] = size[i, 1] + middle, size[i, 1] - middle
    elif a == CONE:
        half, below = 0.5 * size[i, 1], 0.0
        head_core(K, 3.0, 1.0, -1.0, size[i, 0], half, 0.0)
        for k in range(3):
            K[FIRST, k], K[FIRST + 1, k], K[FIRST + 2, k] = (
                K[2, k] + ABOVE_THE_CENTER * size[i, 1] * R[k, 2],
                R[k, 2],
                R[k, 0],
            )
            K[FIRST + 3, k] = -R[k, 2]
            below -= K[FIRST, k] * R[k, 2]
        K[FIRST + 4, 0] = half + below
    elif a == ELLIPSOID:
        head_core(K, 4.0, 0.0, -1.0, -1.0, 0.0, 0.0)
        for k in range(3):
            K[FIRST, k] = K[2, k]
            for c in range(3):
                K[FIRST + 1 + c, k] = size[i, 0] * R[k, c]
    else:
        which = CUBE if a == BOX else np.int64(size[i, 0])
        x, y, z = (size[i, 0], size[i, 1], size[i, 2]) if a == BOX else (1.0, 1.0, 1.0)
        _polytope(which, x, y, z, R, solids, K)
        if a == DEFORMED:
            _turn_normals(which, R, solids, K)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _polytope(which, x, y, z, R, solids, K):
    """Write corners and faces of a solid, scaled by (x, y, z) and rotated, about the point in row 2; their mean then replaces that
    point.
    """
    points, point_of, normals, face_of, loops, loop_of = solids
    first, count = point_of[which], point_of[which + 1] - point_of[which]
    begin, faces = face_of[which], face_of[which + 1] - face_of[which]
    head_core(K, 1.0 * count, 1.0 * faces, 1.0 * which, 0.0, 0.0, 0.0)
    c0, c1, c2 = K[2, 0], K[2, 1], K[2, 2]
    a0, a1, a2, b0, b1, b2 = R[0, 0] * x, R[1, 0] * x, R[2, 0] * x, R[0, 1] * y, R[1, 1] * y, R[2, 1] * y
    d0, d1, d2 = R[0, 2] * z, R[1, 2] * z, R[2, 2] * z
    m0 = m1 = m2 = 0.0
    for p in range(count):
        u, v, w = points[first + p, 0], points[first + p, 1], points[first + p, 2]
        p0, p1, p2 = c0 + a0 * u + b0 * v + d0 * w, c1 + a1 * u + b1 * v + d1 * w, c2 + a2 * u + b2 * v + d2 * w
        K[FIRST + p, 0], K[FIRST + p, 1], K[FIRST + p, 2] = p0, p1, p2
        m0, m1, m2 = m0 + p0, m1 + p1, m2 + p2
    K[2, 0], K[2, 1], K[2, 2] = m0 / count, m1 / count, m2 / count
    for f in range(faces):
        u, v, w = normals[begin + f, 0], normals[begin + f, 1], normals[begin + f, 2]
        n0, n1, n2 = (
            R[0, 0] * u + R[0, 1] * v + R[0, 2] * w,
            R[1, 0] * u + R[1, 1] * v + R[1, 2] * w,
            R[2, 0] * u + R[2, 1] * v + R[2, 2] * w,
        )
        own, corner = FIRST + count + f, FIRST + loops[loop_of[begin + f]]
        K[own, 0], K[own, 1], K[own, 2] = n0, n1, n2
        K[own + faces, 0] = n0 * K[corner, 0] + n1 * K[corner, 1] + n2 * K[corner, 2]


@njit(nogil=True, cache=True, error_model="numpy")
def _turn_normals(which, A, solids, K):
    """Write normals and offsets of the faces of a solid whose axes A are not orthonormal: the normals are along A⁻ᵀ n."""
    normals, begin, loops, loop_of = solids.normals, solids.face_of[which], solids.loops, solids.loop_of
    count, faces = np.int64(K[0, 0]), np.int64(K[0, 1])
    for f in range(faces):
        u, v, w = normals[begin + f, 0], normals[begin + f, 1], normals[begin + f, 2]
        own, corner, size = FIRST + count + f, FIRST + loops[loop_of[begin + f]], 0.0
        for r in range(3):
            p, q = (r + 1) % 3, (r + 2) % 3
            n = u * (A[p, 1] * A[q, 2] - A[p, 2] * A[q, 1])
            n += v * (A[p, 2] * A[q, 0] - A[p, 0] * A[q, 2])
            n += w * (A[p, 0] * A[q, 1] - A[p, 1] * A[q, 0])
            K[own, r] = n
            size += n * n
        size, offset = np.sqrt(size), 0.0
        for r in range(3):
            K[own, r] /= size
            offset += K[own, r] * K[corner, r]
        K[own + faces, 0] = offset


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def is_cone(K):
    """Whether a core is that of a cone: round, with one face."""
    return K[1, 0] > 0.0 and K[0, 1] == 1.0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def is_ellipsoid(K):
    return K[1, 0] < 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def half_width(K, x, y, z):
    """|Mᵀ n| of an ellipsoid with the semiaxes in the columns of M."""
    total = 0.0
    for c in range(FIRST + 1, FIRST + 4):
        s = x * K[c, 0] + y * K[c, 1] + z * K[c, 2]
        total += s * s
    return np.sqrt(total)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def lowest(A, x, y, z):
    """The minimum of n · a over a core without its rounding."""
    r, h = A[1, 0], A[1, 1]
    if r < 0.0:
        return x * A[FIRST, 0] + y * A[FIRST, 1] + z * A[FIRST, 2] - half_width(A, x, y, z)
    if r > 0.0:
        along = x * A[FIRST + 1, 0] + y * A[FIRST + 1, 1] + z * A[FIRST + 1, 2]
        across = np.sqrt(max(x * x + y * y + z * z - along * along, 0.0))
        middle = x * A[FIRST, 0] + y * A[FIRST, 1] + z * A[FIRST, 2]
        if A[0, 1] == 1.0:
            return middle + min(h * along, -h * along - r * across)
        return middle - h * abs(along) - r * across
    best = np.inf
    for p in range(FIRST, FIRST + int(A[0, 0])):
        best = min(best, x * A[p, 0] + y * A[p, 1] + z * A[p, 2])
    return best


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def apart(A, B, x, y, z):
    """Separation of core A from core B along the unit direction n: min n · a − max n · b."""
    return lowest(A, x, y, z) + lowest(B, -x, -y, -z)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def farthest(A, x, y, z, G, row):
    """Write the support point of a core in a direction to a row of G; returns which corner it is, or on which rim of a cylinder it lies.
    The apex of a cone is its upper rim.
    """
    r, h = A[1, 0], A[1, 1]
    if r < 0.0:
        return _on_ellipsoid(A, x, y, z, G, row)
    if r > 0.0:
        a0, a1, a2 = A[FIRST + 1, 0], A[FIRST + 1, 1], A[FIRST + 1, 2]
        along = x * a0 + y * a1 + z * a2
        u, v, w = x - along * a0, y - along * a1, z - along * a2
        across = np.sqrt(u * u + v * v + w * w)
        upper = 2.0 * h * along >= r * across if A[0, 1] == 1.0 else along >= 0.0
        s = h if upper else -h
        t = 0.0 if across <= ALONG_THE_AXIS * abs(along) or (upper and A[0, 1] == 1.0) else r / across
        G[row, 0], G[row, 1], G[row, 2] = (
            A[FIRST, 0] + s * a0 + t * u,
            A[FIRST, 1] + s * a1 + t * v,
            A[FIRST, 2] + s * a2 + t * w,
        )
        return np.int64(upper)
    best, which = -np.inf, np.int64(0)
    for p in range(np.int64(A[0, 0])):
        d = x * A[FIRST + p, 0] + y * A[FIRST + p, 1] + z * A[FIRST + p, 2]
        if d > best:
            best, which = d, p
    G[row, 0], G[row, 1], G[row, 2] = A[FIRST + which, 0], A[FIRST + which, 1], A[FIRST + which, 2]
    return which


@njit(nogil=True, cache=True, error_model="numpy")
def _on_ellipsoid(A, x, y, z, G, row):
    """Write c + M Mᵀn / |Mᵀn|, the support point of an ellipsoid; it is its only smooth part, number 0."""
    w = half_width(A, x, y, z)
    for k in range(3):
        G[row, k] = A[FIRST, k]
    for c in range(FIRST + 1, FIRST + 4):
        s = (x * A[c, 0] + y * A[c, 1] + z * A[c, 2]) / w
        for k in range(3):
            G[row, k] += s * A[c, k]
    return np.int64(0)
