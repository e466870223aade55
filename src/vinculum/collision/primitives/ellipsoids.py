"""Contacts of ellipsoids with planes: balls of the radius ``size`` whose axes A are not orthonormal."""

import numpy as np

from vinculum.collision.primitives.cylinders import corner_plane
from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def ellipsoid_plane(m, i, j, n, shapes, far, found):
    """The contact of the lowest point c − r A Aᵀn / |Aᵀn| of ellipsoid i with plane j of the normal n."""
    c, A, r = shapes.center[i], shapes.turn[i], shapes.size[i, 0]
    n0, n1, n2 = n
    g0 = A[0, 0] * n0 + A[1, 0] * n1 + A[2, 0] * n2
    g1 = A[0, 1] * n0 + A[1, 1] * n1 + A[2, 1] * n2
    g2 = A[0, 2] * n0 + A[1, 2] * n1 + A[2, 2] * n2
    s = r / np.sqrt(g0 * g0 + g1 * g1 + g2 * g2)
    x = c[0] - s * (A[0, 0] * g0 + A[0, 1] * g1 + A[0, 2] * g2)
    y = c[1] - s * (A[1, 0] * g0 + A[1, 1] * g1 + A[1, 2] * g2)
    z = c[2] - s * (A[2, 0] * g0 + A[2, 1] * g1 + A[2, 2] * g2)
    return corner_plane(m, i, j, (x, y, z), n, shapes.center[j], far, found)
