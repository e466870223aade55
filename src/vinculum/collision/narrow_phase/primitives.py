"""Where the shapes of a pile meet: gap, normal and place of every contact.

The normal points from the second body to the first. A contact is written as one row of the arrays ``found``: the two bodies (cap, 2),
normal and two tangents as rows (cap, 3, 3), place (cap, 3) and gap (cap,). What does not fit is counted but not written.
"""

import numpy as np
from numba import njit

from vinculum.collision.broad_phase import BOX, CAPSULE, PLANE, SHEET, SPHERE
from vinculum.collision.contact_frame import add
from vinculum.collision.narrow_phase.spheres import above, reached, sphere_plane, sphere_sphere
from vinculum.collision.primitives.boxes import box_box, box_plane, nearest_in_box
from vinculum.collision.primitives.capsule_box import capsule_box
from vinculum.collision.primitives.capsules import capsule_capsule, capsule_ends, nearest_on_segment


@njit(nogil=True, cache=True)
def meetings(first, second, pairs, center, turn, kind, size, margin, velocity, reach, step, found, start, count):
    """How many contacts the near pairs have with a gap below ``margin`` [m], or below what they approach within a step.

    ``start``, ``count`` (pairs,): where the contacts of each pair stand.
    """
    m = np.int64(0)  # a literal 0 would be a type of its own, and everything below be compiled twice
    for k in range(pairs):
        i, j = first[k], second[k]
        far = reached(i, j, margin, velocity, step)
        start[k] = m
        m = meet(m, i, j, center, turn, kind, size, reach, far, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True)
def meet(m, i, j, center, turn, kind, size, reach, far, found):
    """Contacts of two shapes that are spheres, boxes or capsules, or of one with a plane."""
    a, b = kind[i], kind[j]
    if b in (PLANE, SHEET):
        height, n0, n1, n2 = above(i, j, center, kind, size)
        if height - reach[i] > far:
            return m
        if a == SPHERE:
            return sphere_plane(m, i, j, center, kind, size, far, found)
        if a == CAPSULE:
            return capsule_ends(m, i, n0, n1, n2, j, center, turn, size, far, found)
        return box_plane(m, i, n0, n1, n2, j, center, turn, size, far, found)
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    wide = reach[i] + reach[j] + far
    if x * x + y * y + z * z > wide * wide:
        return m
    if a == SPHERE and b == SPHERE:
        return sphere_sphere(m, i, j, center, size, far, found)
    if a == BOX and b == BOX:
        return box_box(m, i, j, center, turn, size, far, found)
    if a == CAPSULE and b == CAPSULE:
        return capsule_capsule(m, i, j, center, turn, size, far, found)
    if a == SPHERE:
        return _sphere_other(m, i, j, 1.0, center, turn, kind, size, far, found)
    if b == SPHERE:
        return _sphere_other(m, j, i, -1.0, center, turn, kind, size, far, found)
    if a == CAPSULE:
        return capsule_box(m, i, j, 1.0, center, turn, size, far, found)
    return capsule_box(m, j, i, -1.0, center, turn, size, far, found)


@njit(nogil=True, cache=True)
def _sphere_other(m, i, j, sign, center, turn, kind, size, far, found):
    """The contact of sphere i with box or capsule j; ``sign`` −1 writes j as the first body."""
    if kind[j] == BOX:
        gap, n0, n1, n2 = nearest_in_box(center[i, 0], center[i, 1], center[i, 2], j, center, turn, size)
        gap -= size[i, 0]
    else:
        s = nearest_on_segment(center[i], j, center, turn, size)
        x = center[i, 0] - center[j, 0] - s * turn[j, 0, 2]
        y = center[i, 1] - center[j, 1] - s * turn[j, 1, 2]
        z = center[i, 2] - center[j, 2] - s * turn[j, 2, 2]
        d = np.sqrt(x * x + y * y + z * z)
        gap = d - size[i, 0] - size[j, 0]
        n0, n1, n2 = (x / d, y / d, z / d) if d > 0.0 else (turn[j, 0, 0], turn[j, 1, 0], turn[j, 2, 0])
    if gap > far:
        return m
    p0 = center[i, 0] - (size[i, 0] + 0.5 * gap) * n0
    p1 = center[i, 1] - (size[i, 0] + 0.5 * gap) * n1
    p2 = center[i, 2] - (size[i, 0] + 0.5 * gap) * n2
    if sign > 0.0:
        return add(m, i, j, n0, n1, n2, p0, p1, p2, gap, found)
    return add(m, j, i, -n0, -n1, -n2, p0, p1, p2, gap, found)
