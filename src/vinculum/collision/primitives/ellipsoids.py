r"""Contacts of ellipsoids with planes, spheres, polytopes and each other. An ellipsoid is the image M y of the unit ball, M = r A.

Along a unit direction N two convex shapes are separated by f(N) = min N · a − max N · b. The direction comes from the space in which the
first ellipsoid is the unit ball, where that of the shortest distance is known: there the other shape is another ellipsoid or polytope.
Where shapes touch, both spaces have the same tangent plane, so that f vanishes and its slopes are those of the distance; at a gap g it is
less than the distance by a term of the order g².
"""

import numpy as np

from vinculum.collision.arrays import Witness
from vinculum.collision.broad_phase import ELLIPSOID, SPHERE
from vinculum.collision.contact_frame import add
from vinculum.collision.convex.gjk import COUNT, distance
from vinculum.collision.primitives.cylinders import corner_plane
from vinculum.collision.supports import FIRST, core, head_core, lowest
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import EXACT_DISTANCE, ON_THE_ELLIPSOID, STEPS_ON_THE_ELLIPSOID


@njit(nogil=True, cache=True)
def ellipsoid_plane(m, i, j, n, shapes, far, found):
    """The contact of the lowest point of ellipsoid i with plane j of the normal n."""
    return corner_plane(m, i, j, _lowest_point(i, n, shapes), n, shapes.center[j], far, found)


@njit(nogil=True, cache=True)
def ellipsoid_other(m, i, j, shapes, far, solids, workspace, found):
    """The contact of two shapes, one of them an ellipsoid, the other an ellipsoid too, a sphere, a box or a polytope."""
    center, reach, kind = shapes.center, shapes.reach, shapes.kind
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    wide = reach[i] + reach[j] + far
    if x * x + y * y + z * z > wide * wide:
        return m
    if (kind[i] == ELLIPSOID or kind[i] == SPHERE) and (kind[j] == ELLIPSOID or kind[j] == SPHERE):
        n = _between_ellipsoids(i, j, (x, y, z), shapes)
        a, b = _lowest_point(i, n, shapes), _lowest_point(j, (-n[0], -n[1], -n[2]), shapes)
        gap = n[0] * (a[0] - b[0]) + n[1] * (a[1] - b[1]) + n[2] * (a[2] - b[2])
        return _put(m, i, j, n, a, gap, far, found)
    if kind[i] == ELLIPSOID:
        n, gap = _from_polytope(i, j, shapes, solids, workspace)
        return _put(m, i, j, n, _lowest_point(i, n, shapes), gap, far, found)
    n, gap = _from_polytope(j, i, shapes, solids, workspace)
    a = _lowest_point(j, n, shapes)
    on = a[0] - gap * n[0], a[1] - gap * n[1], a[2] - gap * n[2]
    return _put(m, i, j, (-n[0], -n[1], -n[2]), on, gap, far, found)


@njit(nogil=True, cache=True)
def _put(m, i, j, n, p, gap, far, found):
    """A contact at the point p of the first shape, if it is near."""
    if gap > far:
        return m
    return add(m, i, j, n, (p[0] - 0.5 * gap * n[0], p[1] - 0.5 * gap * n[1], p[2] - 0.5 * gap * n[2]), gap, found)


@njit(nogil=True, cache=True)
def _lowest_point(i, n, shapes):
    """The point (3) c − M Mᵀn / |Mᵀn| of ellipsoid or sphere i that is lowest along n."""
    c, A = shapes.center[i], shapes.turn[i]
    g = _times_transpose(A, n)
    s = -shapes.size[i, 0] / np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    x = _times(A, g)
    return c[0] + s * x[0], c[1] + s * x[1], c[2] + s * x[2]


@njit(nogil=True, cache=True)
def _between_ellipsoids(i, j, d, shapes):
    """The unit direction (3) from ellipsoid j to ellipsoid i, whose centers are d (3) apart."""
    F, G, B = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
    _invert(shapes.turn[i], shapes.size[i, 0], F)
    _invert(shapes.turn[j], shapes.size[j, 0], G)
    for c in range(3):
        x = _times(F, (shapes.turn[j, 0, c], shapes.turn[j, 1, c], shapes.turn[j, 2, c]))
        B[0, c], B[1, c], B[2, c] = shapes.size[j, 0] * x[0], shapes.size[j, 0] * x[1], shapes.size[j, 0] * x[2]
    p, y = _times(F, d), _times(G, d)
    if y[0] * y[0] + y[1] * y[1] + y[2] * y[2] > 1.0:
        x = _times(B, _nearest_on(B, p, y))
        n = _times_transpose(F, (p[0] - x[0], p[1] - x[1], p[2] - x[2]))
    else:
        n = _times_transpose(G, y)
    return _unit(n)


@njit(nogil=True, cache=True)
def _nearest_on(B, p, y):
    r"""The unit vector y (3) for which B y is nearest to a point p outside; it begins as B⁻¹ p.

    .. math:: (B^T B + \mu)\,y = B^T p,\qquad |y| = 1

    Newton's method for 1/|y| − 1, a concave function of μ, ascends to the root from μ = 0.
    """
    S, F, mu = np.empty((3, 3)), np.empty((3, 3)), 0.0
    for r in range(3):
        for c in range(3):
            S[r, c] = B[0, r] * B[0, c] + B[1, r] * B[1, c] + B[2, r] * B[2, c]
    b = _times_transpose(B, p)
    for _ in range(STEPS_ON_THE_ELLIPSOID):
        size = np.sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2])
        if not size > 1.0 + ON_THE_ELLIPSOID:
            break
        _invert(S, 1.0, F)
        x = _times(F, y)
        step = (1.0 - 1.0 / size) * size**3 / (x[0] * y[0] + x[1] * y[1] + x[2] * y[2])
        mu += step
        for r in range(3):
            S[r, r] += step
        _invert(S, 1.0, F)
        y = _times(F, b)
    return _unit(y)


@njit(nogil=True, cache=True)
def _from_polytope(i, j, shapes, solids, workspace):
    """The unit direction (3) from box or polytope j to ellipsoid i, and their gap along it."""
    c, M, r = shapes.center[i], shapes.turn[i], shapes.size[i, 0]
    A, B, V, F = workspace.first, workspace.second, workspace.vectors, np.empty((3, 3))
    _invert(M, r, F)
    head_core(A, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0)
    for k in range(3):
        A[2, k] = A[FIRST, k] = 0.0
    core(j, (c[0], c[1], c[2]), shapes, solids, B)
    highest, face = _map(B, F, M, r)
    if highest > 0.0:
        for k in range(3):
            V[0, k] = -B[2, k]
        workspace.simplex[COUNT, 0] = 0.0
        distance(A, B, (0.0, 0.0, 0.0), 0.0, EXACT_DISTANCE, workspace.simplex, Witness(V[0], V[1], V[2]))
        u = V[0, 0], V[0, 1], V[0, 2]
    else:
        u = B[face, 0], B[face, 1], B[face, 2]
    n = _unit(_times_transpose(F, u))
    g = _times_transpose(M, n)
    g = r * g[0], r * g[1], r * g[2]
    return n, lowest(B, -g[0], -g[1], -g[2]) - np.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])


@njit(nogil=True, cache=True)
def _map(K, F, M, scale):
    """Map the core of a polytope by F, the inverse of M times a scale; returns the height of the origin above the highest of its faces,
    and the row of this face."""
    count, faces = np.int64(K[0, 0]), np.int64(K[0, 1])
    for p in range(2, FIRST + count):
        K[p, 0], K[p, 1], K[p, 2] = _times(F, (K[p, 0], K[p, 1], K[p, 2]))
    highest, found = -np.inf, np.int64(0)
    for f in range(FIRST + count, FIRST + count + faces):
        n = _times_transpose(M, (K[f, 0], K[f, 1], K[f, 2]))
        size = np.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
        K[f, 0], K[f, 1], K[f, 2] = n[0] / size, n[1] / size, n[2] / size
        K[f + faces, 0] /= scale * size
        if -K[f + faces, 0] > highest:
            highest, found = -K[f + faces, 0], f
    return highest, found


@njit(nogil=True, cache=True, error_model="numpy")
def _invert(M, scale, F):
    """Write the inverse of a matrix (3, 3) times a scale."""
    for r in range(3):
        p, q = (r + 1) % 3, (r + 2) % 3
        for c in range(3):
            s, t = (c + 1) % 3, (c + 2) % 3
            F[c, r] = M[p, s] * M[q, t] - M[p, t] * M[q, s]
    det = M[0, 0] * F[0, 0] + M[0, 1] * F[1, 0] + M[0, 2] * F[2, 0]
    for r in range(3):
        for c in range(3):
            F[r, c] /= scale * det


@njit(nogil=True, cache=True)
def _times(A, x):
    return (
        A[0, 0] * x[0] + A[0, 1] * x[1] + A[0, 2] * x[2],
        A[1, 0] * x[0] + A[1, 1] * x[1] + A[1, 2] * x[2],
        A[2, 0] * x[0] + A[2, 1] * x[1] + A[2, 2] * x[2],
    )


@njit(nogil=True, cache=True)
def _times_transpose(A, x):
    return (
        A[0, 0] * x[0] + A[1, 0] * x[1] + A[2, 0] * x[2],
        A[0, 1] * x[0] + A[1, 1] * x[1] + A[2, 1] * x[2],
        A[0, 2] * x[0] + A[1, 2] * x[1] + A[2, 2] * x[2],
    )


@njit(nogil=True, cache=True)
def _unit(x):
    """A vector (3) of length one along x; e_z for zero."""
    size = np.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
    if not size > 0.0:
        return 0.0, 0.0, 1.0
    return x[0] / size, x[1] / size, x[2] / size
