"""Nearest points of two separated boxes: a corner and a point, or points of two edges."""

import numpy as np

from vinculum.collision.contact_frame import add
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import PARALLEL_EDGES_SQUARED

FIRST, SECOND = np.int64(0), np.int64(1)
"""Indices as Numba integers. Plain numbers have their own types, and everything below would be compiled once for each."""


@njit(nogil=True, cache=True)
def nearest_points(m, i, j, shapes, far, below, found):
    """Add one contact at the nearest points of boxes i and j, if their distance is less than ``below`` and at most ``far``."""
    ends = np.empty((2, 3))
    gap = _of_corners(i, j, FIRST, shapes, below, ends)
    gap = _of_corners(j, i, SECOND, shapes, gap, ends)
    gap = _of_edges(i, j, shapes, gap, ends)
    if not (gap < below and gap <= far):
        return m
    x, y = ends[0], ends[1]
    n = (x[0] - y[0]) / gap, (x[1] - y[1]) / gap, (x[2] - y[2]) / gap
    return add(m, i, j, n, (0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1]), 0.5 * (x[2] + y[2])), gap, found)


@njit(nogil=True, cache=True)
def _of_corners(i, j, place, shapes, below, ends):
    """The smallest distance of a corner of box i from box j, or ``below`` if that is smaller.

    The corner is written to ``ends[place]``, and the nearest point of box j to the other row.
    """
    center, turn, size = shapes.center, shapes.turn, shapes.size
    x, y = np.empty(3), np.empty(3)
    for corner in range(8):
        for k in range(3):
            x[k], y[k] = center[i, k], center[j, k]
            for c in range(3):
                x[k] += (size[i, c] if corner & (1 << c) else -size[i, c]) * turn[i, k, c]
        for c in range(3):
            along = 0.0
            for k in range(3):
                along += turn[j, k, c] * (x[k] - center[j, k])
            along = min(max(along, -size[j, c]), size[j, c])
            for k in range(3):
                y[k] += along * turn[j, k, c]
        below = _nearer(x, y, place, below, ends)
    return below


@njit(nogil=True, cache=True)
def _of_edges(i, j, shapes, below, ends):
    """The smallest distance of an edge of box i from an edge of box j, or ``below`` if that is smaller; both points are written."""
    center, turn, size = shapes.center, shapes.turn, shapes.size
    A, B = turn[i], turn[j]
    p, q, x, y = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for one in range(12):
        a = _middle(one, center[i], A, size[i], p)
        for other in range(12):
            b = _middle(other, center[j], B, size[j], q)
            dot = on_a = on_b = 0.0
            for k in range(3):
                dot += A[k, a] * B[k, b]
                on_a += A[k, a] * (q[k] - p[k])
                on_b += B[k, b] * (q[k] - p[k])
            across = 1.0 - dot * dot
            if across < PARALLEL_EDGES_SQUARED:
                continue
            s = min(max((on_a - dot * on_b) / across, -size[i, a]), size[i, a])
            t = min(max(dot * s - on_b, -size[j, b]), size[j, b])
            s = min(max(dot * t + on_a, -size[i, a]), size[i, a])
            for k in range(3):
                x[k], y[k] = p[k] + s * A[k, a], q[k] + t * B[k, b]
            below = _nearer(x, y, FIRST, below, ends)
    return below


@njit(nogil=True, cache=True)
def _middle(edge, center, R, half, out):
    """Write the middle of one of twelve edges of a box; returns the axis along which the edge runs."""
    axis, corner = edge // 4, edge % 4
    u, v = (axis + 1) % 3, (axis + 2) % 3
    for k in range(3):
        out[k] = (
            center[k]
            + (half[u] if corner & 1 else -half[u]) * R[k, u]
            + (half[v] if corner & 2 else -half[v]) * R[k, v]
        )
    return axis


@njit(nogil=True, cache=True)
def _nearer(x, y, place, below, ends):
    """The distance of two points if it is less than ``below``, and the points are written; otherwise ``below``."""
    d = np.sqrt((x[0] - y[0]) ** 2 + (x[1] - y[1]) ** 2 + (x[2] - y[2]) ** 2)
    if not 0.0 < d < below:
        return below
    for k in range(3):
        ends[place, k], ends[1 - place, k] = x[k], y[k]
    return d
