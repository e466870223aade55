"""Where spheres meet each other and planes: all that a pile of spheres has to know, and quickly compiled."""

import numpy as np
from numba import njit

from vinculum.collision.broad_phase import SHEET, SPHERE
from vinculum.collision.contact_frame import add_round


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_meetings(first, second, pairs, center, kind, size, margin, velocity, step, found, start, count):
    """How many contacts the near pairs have, all of spheres and of spheres with planes, as `meetings` counts them."""
    m = np.int64(0)
    for k in range(pairs):
        i, j = first[k], second[k]
        far = reached(i, j, margin, velocity, step)
        start[k] = m
        if kind[j] == SPHERE:
            m = sphere_sphere(m, i, j, center, size, far, found)
        else:
            m = sphere_plane(m, i, j, center, kind, size, far, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True, error_model="numpy")
def reached(i, j, margin, velocity, step):
    """How far apart [m] two bodies may be to be looked at."""
    x, y, z = velocity[i, 0] - velocity[j, 0], velocity[i, 1] - velocity[j, 1], velocity[i, 2] - velocity[j, 2]
    return max(margin, step * np.sqrt(x * x + y * y + z * z))


@njit(nogil=True, cache=True, error_model="numpy")
def above(i, j, center, kind, size):
    """How high the center of body i is above plane or sheet j, and the normal on its side."""
    n0, n1, n2 = size[j, 0], size[j, 1], size[j, 2]
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    height = x * n0 + y * n1 + z * n2
    if kind[j] == SHEET and height < 0.0:
        return -height, -n0, -n1, -n2
    return height, n0, n1, n2


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_plane(m, i, j, center, kind, size, far, found):
    """The contact of sphere i with plane or sheet j."""
    height, n0, n1, n2 = above(i, j, center, kind, size)
    gap = height - size[i, 0]
    return m if gap > far else add_round(m, i, j, n0, n1, n2, center[i], size[i, 0], gap, found)


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_sphere(m, i, j, center, size, far, found):
    """The contact of two spheres."""
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    distance = np.sqrt(x * x + y * y + z * z)
    gap = distance - size[i, 0] - size[j, 0]
    if gap > far:
        return m
    if distance == 0.0:
        return add_round(m, i, j, 0.0, 0.0, 1.0, center[i], size[i, 0], gap, found)
    return add_round(m, i, j, x / distance, y / distance, z / distance, center[i], size[i, 0], gap, found)
