"""Contacts of capsules: segments along their z-axis with a radius. ``size``: radius, half length of the segment."""

import numpy as np

from vinculum.collision.contact_frame import add
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import PARALLEL_CAPSULES_SQUARED


@njit(nogil=True, cache=True)
def nearest_on_segment(point, j, shapes):
    """The parameter, from −half length to half length, of the point on the axis of capsule j nearest to a point (3,)."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    s = 0.0
    for k in range(3):
        s += (point[k] - center[j, k]) * turn[j, k, 2]
    return min(max(s, -size[j, 1]), size[j, 1])


@njit(nogil=True, cache=True)
def capsule_ends(m, i, j, n, shapes, far, found):
    """Contacts of both ends of capsule i with plane j."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    n0, n1, n2 = n
    for end in range(2):
        s = size[i, 1] if end else -size[i, 1]
        x, y, z = center[i, 0] + s * turn[i, 0, 2], center[i, 1] + s * turn[i, 1, 2], center[i, 2] + s * turn[i, 2, 2]
        gap = (x - center[j, 0]) * n0 + (y - center[j, 1]) * n1 + (z - center[j, 2]) * n2 - size[i, 0]
        if gap <= far:
            r = size[i, 0] + 0.5 * gap
            m = add(m, i, j, n, (x - r * n0, y - r * n1, z - r * n2), gap, found)
    return m


@njit(nogil=True, cache=True)
def capsule_capsule(m, i, j, shapes, far, found):
    """One contact at the nearest points of the axes, or two at the ends of the overlap of parallel axes."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    a, b = turn[i, :, 2], turn[j, :, 2]
    w0, w1, w2 = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
    c = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    on_a, on_b = a[0] * w0 + a[1] * w1 + a[2] * w2, b[0] * w0 + b[1] * w1 + b[2] * w2
    la, lb = size[i, 1], size[j, 1]
    across = 1.0 - c * c
    if across < PARALLEL_CAPSULES_SQUARED:
        low, high = max(-la, -lb - on_a), min(la, lb - on_a)
        if low < high:
            m = _between(m, i, j, low, c * low + on_b, shapes, far, found)
            return _between(m, i, j, high, c * high + on_b, shapes, far, found)
    s = min(max((c * on_b - on_a) / across, -la), la) if across > 0.0 else 0.0
    r = c * s + on_b
    if r < -lb or r > lb:
        r = min(max(r, -lb), lb)
        s = min(max(c * r - on_a, -la), la)
    return _between(m, i, j, s, r, shapes, far, found)


@njit(nogil=True, cache=True)
def _between(m, i, j, s, r, shapes, far, found):
    """The contact along the line between two points of the axes."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    x = center[i, 0] + s * turn[i, 0, 2] - center[j, 0] - r * turn[j, 0, 2]
    y = center[i, 1] + s * turn[i, 1, 2] - center[j, 1] - r * turn[j, 1, 2]
    z = center[i, 2] + s * turn[i, 2, 2] - center[j, 2] - r * turn[j, 2, 2]
    d = np.sqrt(x * x + y * y + z * z)
    gap = d - size[i, 0] - size[j, 0]
    if gap > far:
        return m
    n0, n1, n2 = (x / d, y / d, z / d) if d > 0.0 else (turn[j, 0, 0], turn[j, 1, 0], turn[j, 2, 0])
    half = size[j, 0] + 0.5 * gap
    p0 = center[j, 0] + r * turn[j, 0, 2] + half * n0
    p1 = center[j, 1] + r * turn[j, 1, 2] + half * n1
    p2 = center[j, 2] + r * turn[j, 2, 2] + half * n2
    return add(m, i, j, (n0, n1, n2), (p0, p1, p2), gap, found)
