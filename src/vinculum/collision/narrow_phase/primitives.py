"""Narrow phase for primitives: gap, normal and position of every contact.

A contact is written as one row of ``found``. Contacts that do not fit are counted but not written.
"""

import numpy as np

from vinculum.collision.broad_phase import BOX, CAPSULE, PLANE, SHEET, SPHERE
from vinculum.collision.contact_frame import add
from vinculum.collision.narrow_phase.spheres import above, farthest_gap, sphere_plane, sphere_sphere
from vinculum.collision.primitives.boxes import box_box, box_plane, nearest_in_box
from vinculum.collision.primitives.capsule_box import capsule_box
from vinculum.collision.primitives.capsules import capsule_capsule, capsule_ends, nearest_on_segment
from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def meetings(pairs, listed, shapes, approach, found):
    """Number of contacts of the ``listed`` near pairs with a gap below the margin, or below the distance that they approach within a
    step.
    """
    first, second, start, count = pairs.first, pairs.second, pairs.start, pairs.counts
    m = np.int64(0)  # a literal 0 has its own type in Numba, and everything below would be compiled twice
    for k in range(listed):
        i, j = first[k], second[k]
        far = farthest_gap(i, j, approach)
        start[k] = m
        m = meet(m, i, j, shapes, far, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True)
def meetings_but_of_boxes(pairs, listed, shapes, approach, found):
    """The same where no two boxes can meet: what two boxes need is more code than all the rest, and is not compiled for it."""
    first, second, start, count = pairs.first, pairs.second, pairs.start, pairs.counts
    m = np.int64(0)
    for k in range(listed):
        i, j = first[k], second[k]
        far = farthest_gap(i, j, approach)
        start[k] = m
        m = meet_but_boxes(m, i, j, shapes, far, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True)
def meet(m, i, j, shapes, far, found):
    """Contacts of two spheres, boxes or capsules, or of one of them with a plane."""
    if shapes.kind[i] == BOX and shapes.kind[j] == BOX:
        center, wide = shapes.center, shapes.reach[i] + shapes.reach[j] + far
        x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
        return m if x * x + y * y + z * z > wide * wide else box_box(m, i, j, shapes, far, found)
    return meet_but_boxes(m, i, j, shapes, far, found)


@njit(nogil=True, cache=True)
def meet_but_boxes(m, i, j, shapes, far, found):
    """Contacts of spheres, boxes or capsules, but of two boxes, or of one of them with a plane."""
    center, reach = shapes.center, shapes.reach
    a, b = shapes.kind[i], shapes.kind[j]
    if b in (PLANE, SHEET):
        height, n = above(i, j, shapes)
        if height - reach[i] > far:
            return m
        if a == SPHERE:
            return sphere_plane(m, i, j, shapes, far, found)
        if a == CAPSULE:
            return capsule_ends(m, i, j, n, shapes, far, found)
        return box_plane(m, i, j, n, shapes, far, found)
    x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    wide = reach[i] + reach[j] + far
    if x * x + y * y + z * z > wide * wide:
        return m
    if a == SPHERE and b == SPHERE:
        return sphere_sphere(m, i, j, shapes, far, found)
    if a == CAPSULE and b == CAPSULE:
        return capsule_capsule(m, i, j, shapes, far, found)
    if a == SPHERE:
        return _sphere_other(m, i, j, 1.0, shapes, far, found)
    if b == SPHERE:
        return _sphere_other(m, j, i, -1.0, shapes, far, found)
    if a == CAPSULE:
        return capsule_box(m, i, j, 1.0, shapes, far, found)
    return capsule_box(m, j, i, -1.0, shapes, far, found)


@njit(nogil=True, cache=True)
def _sphere_other(m, i, j, sign, shapes, far, found):
    """The contact of sphere i with box or capsule j; ``sign`` −1 writes j as the first body."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    if shapes.kind[j] == BOX:
        gap, n0, n1, n2 = nearest_in_box((center[i, 0], center[i, 1], center[i, 2]), j, shapes)
        gap -= size[i, 0]
    else:
        s = nearest_on_segment(center[i], j, shapes)
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
        return add(m, i, j, (n0, n1, n2), (p0, p1, p2), gap, found)
    return add(m, j, i, (-n0, -n1, -n2), (p0, p1, p2), gap, found)
