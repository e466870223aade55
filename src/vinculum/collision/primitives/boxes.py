"""Contacts of boxes with planes, with points, and with each other. ``size``: half edges."""

import numpy as np

from vinculum.collision.contact_frame import add, least
from vinculum.collision.primitives.box_distance import nearest_points
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import BESIDE_A_FACE, CUT_WIDER, FAVOR, PARALLEL_CROSS


@njit(nogil=True, cache=True)
def box_plane(m, i, j, n, shapes, far, found):
    """A contact for every corner near the plane."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    n0, n1, n2 = n
    for corner in range(8):
        a = size[i, 0] if corner & 1 else -size[i, 0]
        b = size[i, 1] if corner & 2 else -size[i, 1]
        c = size[i, 2] if corner & 4 else -size[i, 2]
        x = center[i, 0] + turn[i, 0, 0] * a + turn[i, 0, 1] * b + turn[i, 0, 2] * c
        y = center[i, 1] + turn[i, 1, 0] * a + turn[i, 1, 1] * b + turn[i, 1, 2] * c
        z = center[i, 2] + turn[i, 2, 0] * a + turn[i, 2, 1] * b + turn[i, 2, 2] * c
        gap = (x - center[j, 0]) * n0 + (y - center[j, 1]) * n1 + (z - center[j, 2]) * n2
        if gap <= far:
            m = add(m, i, j, n, (x - 0.5 * gap * n0, y - 0.5 * gap * n1, z - 0.5 * gap * n2), gap, found)
    return m


@njit(nogil=True, cache=True)
def nearest_in_box(p, j, shapes):
    """Distance of a point p (3) from box j, negative inside, and the direction (3) of the shortest way out."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    x, y, z = p[0] - center[j, 0], p[1] - center[j, 1], p[2] - center[j, 2]
    l0 = turn[j, 0, 0] * x + turn[j, 1, 0] * y + turn[j, 2, 0] * z
    l1 = turn[j, 0, 1] * x + turn[j, 1, 1] * y + turn[j, 2, 1] * z
    l2 = turn[j, 0, 2] * x + turn[j, 1, 2] * y + turn[j, 2, 2] * z
    e0 = l0 - min(max(l0, -size[j, 0]), size[j, 0])
    e1 = l1 - min(max(l1, -size[j, 1]), size[j, 1])
    e2 = l2 - min(max(l2, -size[j, 2]), size[j, 2])
    d = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    if d > 0.0:
        e0, e1, e2 = e0 / d, e1 / d, e2 / d
    else:
        d, e0, e1, e2 = abs(l0) - size[j, 0], (1.0 if l0 >= 0.0 else -1.0), 0.0, 0.0
        if abs(l1) - size[j, 1] > d:
            d, e0, e1 = abs(l1) - size[j, 1], 0.0, (1.0 if l1 >= 0.0 else -1.0)
        if abs(l2) - size[j, 2] > d:
            d, e0, e1, e2 = abs(l2) - size[j, 2], 0.0, 0.0, (1.0 if l2 >= 0.0 else -1.0)
    n0 = turn[j, 0, 0] * e0 + turn[j, 0, 1] * e1 + turn[j, 0, 2] * e2
    n1 = turn[j, 1, 0] * e0 + turn[j, 1, 1] * e1 + turn[j, 1, 2] * e2
    n2 = turn[j, 2, 0] * e0 + turn[j, 2, 1] * e1 + turn[j, 2, 2] * e2
    return d, n0, n1, n2


@njit(nogil=True, cache=True)
def box_box(m, i, j, shapes, far, found):
    """Contacts of two boxes along the axis of largest separation: up to eight of two faces, or one of two edges.

    Gottschalk, Lin and Manocha, SIGGRAPH 1996: the 15 axes; Sutherland and Hodgman, Comm. ACM 17 (1974) 32: clipping.
    """
    center, turn, size = shapes.center, shapes.turn, shapes.size
    A, B, ha, hb = turn[i], turn[j], size[i], size[j]
    t = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    best, which = -np.inf, np.int64(-1)  # plain numbers have their own types in Numba
    for k in range(6):
        M = A if k < 3 else B
        c = k % 3
        gap = _apart((M[0, c], M[1, c], M[2, c]), t, A, B, ha, hb)
        if gap > far:
            return m
        if gap > best:
            best, which = gap, k
    small = min(ha.min(), hb.min())
    favor, most = best + FAVOR * small, best
    edge = crossed = np.int64(-1)
    for k in range(9):
        a, b = k // 3, k % 3
        x = A[1, a] * B[2, b] - A[2, a] * B[1, b]
        y = A[2, a] * B[0, b] - A[0, a] * B[2, b]
        z = A[0, a] * B[1, b] - A[1, a] * B[0, b]
        d = np.sqrt(x * x + y * y + z * z)
        if d < PARALLEL_CROSS:
            continue
        gap = _apart((x / d, y / d, z / d), t, A, B, ha, hb)
        if gap > far:
            return m
        if gap > favor:
            favor, edge = gap, k
        if crossed < 0 or gap > most:
            crossed, most = k, max(gap, most)
    begun = m
    if edge >= 0:
        m = _edges(m, i, j, edge, favor, shapes, far, found)
    elif which < 3:
        m = _faces(m, j, i, which, 1.0, shapes, far, found)
    else:
        m = _faces(m, i, j, which - 3, -1.0, shapes, far, found)
    low = least(begun, m, found)
    if most > 0.0 and low > most + BESIDE_A_FACE * small:
        return nearest_points(m, i, j, shapes, far, low - BESIDE_A_FACE * small, found)
    if m == begun and crossed >= 0:
        return _edges(m, i, j, crossed, most, shapes, far, found)
    return m


@njit(nogil=True, cache=True)
def _apart(n, t, A, B, ha, hb):
    """Separation of two boxes along a unit direction n (3); t (3) is the vector between their centers."""
    x, y, z = n
    gap = abs(x * t[0] + y * t[1] + z * t[2])
    for k in range(3):
        gap -= ha[k] * abs(x * A[0, k] + y * A[1, k] + z * A[2, k]) + hb[k] * abs(
            x * B[0, k] + y * B[1, k] + z * B[2, k]
        )
    return gap


@njit(nogil=True, cache=True)
def _edges(m, i, j, edge, gap, shapes, far, found):
    """The contact of an edge of box i with an edge of box j; of the nearest points of the boxes if those of the lines are not on both
    edges.
    """
    center, turn, size = shapes.center, shapes.turn, shapes.size
    A, B = turn[i], turn[j]
    a, b = edge // 3, edge % 3
    n = np.empty(3)
    n[0] = A[1, a] * B[2, b] - A[2, a] * B[1, b]
    n[1] = A[2, a] * B[0, b] - A[0, a] * B[2, b]
    n[2] = A[0, a] * B[1, b] - A[1, a] * B[0, b]
    toward = 0.0
    for k in range(3):
        toward += n[k] * (center[i, k] - center[j, k])
    n /= np.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2) * (1.0 if toward >= 0.0 else -1.0)
    p, q = center[i].copy(), center[j].copy()
    for c in range(3):
        if c != a:
            s = size[i, c] if A[0, c] * n[0] + A[1, c] * n[1] + A[2, c] * n[2] < 0.0 else -size[i, c]
            for k in range(3):
                p[k] += s * A[k, c]
        if c != b:
            s = size[j, c] if B[0, c] * n[0] + B[1, c] * n[1] + B[2, c] * n[2] > 0.0 else -size[j, c]
            for k in range(3):
                q[k] += s * B[k, c]
    dot = on_a = on_b = 0.0
    for k in range(3):
        dot += A[k, a] * B[k, b]
        on_a += A[k, a] * (p[k] - q[k])
        on_b += B[k, b] * (p[k] - q[k])
    s = (dot * on_b - on_a) / (1.0 - dot * dot)
    t = on_b + dot * s
    if gap > 0.0 and (abs(s) > size[i, a] or abs(t) > size[j, b]):
        return nearest_points(m, i, j, shapes, far, np.inf, found)
    s = min(max(s, -size[i, a]), size[i, a])
    place = (
        p[0] + s * A[0, a] - 0.5 * gap * n[0],
        p[1] + s * A[1, a] - 0.5 * gap * n[1],
        p[2] + s * A[2, a] - 0.5 * gap * n[2],
    )
    return add(m, i, j, (n[0], n[1], n[2]), place, gap, found)


@njit(nogil=True, cache=True)
def _faces(m, other, owner, axis, sign, shapes, far, found):
    """Contacts of the face of ``owner`` normal to ``axis`` with the opposite face of ``other``.

    ``sign`` 1: the owner is written as the first body, −1: the other one.
    """
    center, turn, size = shapes.center, shapes.turn, shapes.size
    R, S = turn[owner], turn[other]
    toward = 0.0
    for k in range(3):
        toward += R[k, axis] * (center[other, k] - center[owner, k])
    way = 1.0 if toward >= 0.0 else -1.0
    n0, n1, n2 = way * R[0, axis], way * R[1, axis], way * R[2, axis]
    facing, most = 0, -1.0
    for k in range(3):
        c = S[0, k] * n0 + S[1, k] * n1 + S[2, k] * n2
        if abs(c) > most:
            most, facing = abs(c), k
    outward = -1.0 if S[0, facing] * n0 + S[1, facing] * n1 + S[2, facing] * n2 > 0.0 else 1.0
    u, v = (facing + 1) % 3, (facing + 2) % 3
    polygon, clipped = np.empty((12, 3)), np.empty((12, 3))
    a, b = (axis + 1) % 3, (axis + 2) % 3
    for corner in range(4):
        su = size[other, u] if corner == 0 or corner == 3 else -size[other, u]
        sv = size[other, v] if corner < 2 else -size[other, v]
        world = np.empty(3)
        for k in range(3):
            world[k] = (
                center[other, k]
                + outward * size[other, facing] * S[k, facing]
                + su * S[k, u]
                + sv * S[k, v]
                - center[owner, k]
            )
        for c in range(3):
            polygon[corner, c] = world[0] * R[0, c] + world[1] * R[1, c] + world[2] * R[2, c]
    count = np.int64(4)
    for side in range(4):
        c = a if side < 2 else b
        s = 1.0 if side % 2 == 0 else -1.0
        count = _cut(polygon, count, c, s, size[owner, c] * (1.0 + CUT_WIDER), clipped)
        polygon, clipped = clipped, polygon
    for k in range(count):
        gap = way * polygon[k, axis] - size[owner, axis]
        if gap > far:
            continue
        polygon[k, axis] -= 0.5 * way * gap
        x = center[owner, 0] + R[0, 0] * polygon[k, 0] + R[0, 1] * polygon[k, 1] + R[0, 2] * polygon[k, 2]
        y = center[owner, 1] + R[1, 0] * polygon[k, 0] + R[1, 1] * polygon[k, 1] + R[1, 2] * polygon[k, 2]
        z = center[owner, 2] + R[2, 0] * polygon[k, 0] + R[2, 1] * polygon[k, 1] + R[2, 2] * polygon[k, 2]
        if sign > 0.0:
            m = add(m, owner, other, (-n0, -n1, -n2), (x, y, z), gap, found)
        else:
            m = add(m, other, owner, (n0, n1, n2), (x, y, z), gap, found)
    return m


@njit(nogil=True, cache=True)
def _cut(polygon, count, c, sign, limit, clipped):
    """Write the part of a polygon with sign · x_c ≤ limit to ``clipped``; returns its number of corners."""
    made = np.int64(0)
    for k in range(count):
        here, there = polygon[k], polygon[(k + 1) % count]
        a, b = sign * here[c] - limit, sign * there[c] - limit
        if a <= 0.0:
            for i in range(3):
                clipped[made, i] = here[i]
            made += 1
        if (a < 0.0 < b) or (b < 0.0 < a):
            part = a / (a - b)
            for i in range(3):
                clipped[made, i] = here[i] + (there[i] - here[i]) * part
            made += 1
    return made
