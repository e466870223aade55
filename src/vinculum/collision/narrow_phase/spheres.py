"""Narrow phase for spheres and planes, which compiles quickly."""

import numpy as np

from vinculum.collision.broad_phase import SHEET, SPHERE
from vinculum.collision.contact_frame import add_round
from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_meetings(pairs, listed, shapes, approach, found):
    """Number of contacts of the near pairs, all of spheres or of spheres with planes, as in `meetings`."""
    kind = shapes.kind
    first, second, start, count = pairs.first, pairs.second, pairs.start, pairs.counts
    m = np.int64(0)
    for k in range(listed):
        i, j = first[k], second[k]
        far = farthest_gap(i, j, approach)
        start[k] = m
        if kind[j] == SPHERE:
            m = sphere_sphere(m, i, j, shapes, far, found)
        else:
            m = sphere_plane(m, i, j, shapes, far, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True, error_model="numpy")
def farthest_gap(i, j, approach):
    """Largest distance [m] at which two bodies are checked."""
    velocity = approach.velocity
    x, y, z = velocity[i, 0] - velocity[j, 0], velocity[i, 1] - velocity[j, 1], velocity[i, 2] - velocity[j, 2]
    return max(approach.margin, approach.step * np.sqrt(x * x + y * y + z * z))


@njit(nogil=True, cache=True, error_model="numpy")
def above(i, j, shapes):
    """Height of the center of body i above plane or sheet j, and the normal (3) on its side."""
    center, size = shapes.center, shapes.size
    n0, n1, n2 = size[j, 0], size[j, 1], size[j, 2]
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    height = x * n0 + y * n1 + z * n2
    if shapes.kind[j] == SHEET and height < 0.0:
        return -height, (-n0, -n1, -n2)
    return height, (n0, n1, n2)


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_plane(m, i, j, shapes, far, found):
    """The contact of sphere i with plane or sheet j."""
    height, n = above(i, j, shapes)
    radius = shapes.size[i, 0]
    gap = height - radius
    return m if gap > far else add_round(m, i, j, n, shapes.center[i], radius, gap, found)


@njit(nogil=True, cache=True, error_model="numpy")
def sphere_sphere(m, i, j, shapes, far, found):
    """The contact of two spheres."""
    center, size = shapes.center, shapes.size
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    distance = np.sqrt(x * x + y * y + z * z)
    gap = distance - size[i, 0] - size[j, 0]
    if gap > far:
        return m
    if distance == 0.0:
        return add_round(m, i, j, (0.0, 0.0, 1.0), center[i], size[i, 0], gap, found)
    return add_round(m, i, j, (x / distance, y / distance, z / distance), center[i], size[i, 0], gap, found)
