"""Contacts of cones with planes, and balls about and inside of cones. ``size`` of a cone: radius, height; its center is its mass center."""

import numpy as np

from vinculum.collision.primitives.cylinders import corner_plane
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import STANDING


def reach_of_cone(radius: float, height: float) -> float:
    """Radius of the ball about the mass center of a cone, through its apex or its rim."""
    return max(float(np.hypot(radius, 0.25 * height)), 0.75 * height)


def radius_in_cone(radius: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Radii of balls about the mass centers of cones that touch their bases or sides."""
    with np.errstate(invalid="ignore"):
        return np.minimum(0.25 * height, 0.75 * height * radius / np.hypot(radius, height))


@njit(nogil=True, cache=True)
def cone_plane(m, i, j, n, shapes, far, found):
    """Contacts of the apex, of the lowest point of the rim and of three more of its points, so that a cone can lie, roll and stand."""
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
    for k in range(5):
        s = 0.75 * h if k == 4 else -0.25 * h
        c, d = (r, 0.0) if k == 0 else (-r, 0.0) if k == 2 else (0.0, 0.0) if k == 4 else (0.0, r if k == 1 else -r)
        x = center[i, 0] + s * a0 + c * u0 + d * v0
        y = center[i, 1] + s * a1 + c * u1 + d * v1
        z = center[i, 2] + s * a2 + c * u2 + d * v2
        m = corner_plane(m, i, j, (x, y, z), n, center[j], far, found)
    return m
