"""Contacts of cylinders with planes and spheres, and of corners with planes. ``size`` of a cylinder: radius, half length."""

import numpy as np

from vinculum.collision.contact_frame import add
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import STANDING


@njit(nogil=True, cache=True)
def cylinder_plane(m, i, j, n, shapes, far, found):
    """Contacts of the lowest points of both rims and of three more points of the lower rim, so that a cylinder can lie, roll and stand."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    n0, n1, n2 = n
    r, h = size[i, 0], size[i, 1]
    a0, a1, a2 = turn[i, 0, 2], turn[i, 1, 2], turn[i, 2, 2]
    along = n0 * a0 + n1 * a1 + n2 * a2
    u0, u1, u2 = along * a0 - n0, along * a1 - n1, along * a2 - n2
    across = np.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
    if across > STANDING:
        u0, u1, u2 = u0 / across, u1 / across, u2 / across
    else:
        u0, u1, u2 = turn[i, 0, 0], turn[i, 1, 0], turn[i, 2, 0]
    v0, v1, v2 = a1 * u2 - a2 * u1, a2 * u0 - a0 * u2, a0 * u1 - a1 * u0
    low = -h if along > 0.0 else h
    for k in range(5):
        s = -low if k == 4 else low
        c, d = (r, 0.0) if k == 0 or k == 4 else (-r, 0.0) if k == 2 else (0.0, r if k == 1 else -r)
        x = center[i, 0] + s * a0 + c * u0 + d * v0
        y = center[i, 1] + s * a1 + c * u1 + d * v1
        z = center[i, 2] + s * a2 + c * u2 + d * v2
        m = corner_plane(m, i, j, (x, y, z), n, center[j], far, found)
    return m


@njit(nogil=True, cache=True)
def corner_plane(m, i, j, p, n, origin, far, found):
    """The contact of a point p of body i with plane j through ``origin``, if it is near."""
    (x, y, z), (n0, n1, n2) = p, n
    gap = (x - origin[0]) * n0 + (y - origin[1]) * n1 + (z - origin[2]) * n2
    if gap > far:
        return m
    return add(m, i, j, n, (x - 0.5 * gap * n0, y - 0.5 * gap * n1, z - 0.5 * gap * n2), gap, found)


@njit(nogil=True, cache=True)
def polytope_plane(m, i, j, n, shapes, far, solids, found):
    """A contact for every corner near the plane."""
    points, point_of = solids.points, solids.point_of
    which = int(shapes.size[i, 0])
    c, R, origin = shapes.center[i], shapes.turn[i], shapes.center[j]
    for p in range(point_of[which], point_of[which + 1]):
        P = points[p]
        x = c[0] + R[0, 0] * P[0] + R[0, 1] * P[1] + R[0, 2] * P[2]
        y = c[1] + R[1, 0] * P[0] + R[1, 1] * P[1] + R[1, 2] * P[2]
        z = c[2] + R[2, 0] * P[0] + R[2, 1] * P[1] + R[2, 2] * P[2]
        m = corner_plane(m, i, j, (x, y, z), n, origin, far, found)
    return m


@njit(nogil=True, cache=True)
def nearest_in_cylinder(p, j, shapes):
    """Distance of a point p (3) from cylinder j, negative inside, and the direction (3) of the shortest way out."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    x, y, z = p[0] - center[j, 0], p[1] - center[j, 1], p[2] - center[j, 2]
    R = turn[j]
    a, b = R[0, 0] * x + R[1, 0] * y + R[2, 0] * z, R[0, 1] * x + R[1, 1] * y + R[2, 1] * z
    c = R[0, 2] * x + R[1, 2] * y + R[2, 2] * z
    rho = np.sqrt(a * a + b * b)
    out, up = rho - size[j, 0], abs(c) - size[j, 1]
    f, g = (a / rho, b / rho) if rho > 0.0 else (1.0, 0.0)
    sign = 1.0 if c >= 0.0 else -1.0
    if out > 0.0 and up > 0.0:
        d = np.sqrt(out * out + up * up)
        s, t = out / d, sign * up / d
    elif out > up:
        d, s, t = out, 1.0, 0.0
    else:
        d, s, t = up, 0.0, sign
    f, g = s * f, s * g
    return (
        d,
        R[0, 0] * f + R[0, 1] * g + R[0, 2] * t,
        R[1, 0] * f + R[1, 1] * g + R[1, 2] * t,
        R[2, 0] * f + R[2, 1] * g + R[2, 2] * t,
    )
