"""Reduction of contacts with one normal: those on the lower side of the convex hull of positions and gaps are kept.

While a body rotates by a small angle, the gap at a position (x, y) of its face becomes g + a + b x + c y. A contact above the hull of
the others can close only after one of them, so it is dropped. Any other contact is kept, such as a bump beneath the middle of a face.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import CLEARLY_FIRST, CORNERS_OF_A_CUT, FACE_TURNS

TURNS = 8


@njit(nogil=True, cache=True)
def lowest_of(points, extent):
    """Which points to keep (k,): the lowest, the outermost, and those not above others. ``points`` (k, 3): positions in a plane and
    gaps.
    """
    count = len(points)
    kept, gone = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.bool_)
    low = 0
    for k in range(count):
        if points[k, 2] < points[low, 2]:
            low = k
    kept[low] = True
    frame = np.empty(TURNS + 1, dtype=np.int64)
    frame[TURNS] = low
    for turn in range(TURNS):
        angle = 2.0 * np.pi * turn / TURNS + 0.1
        c, s = np.cos(angle), np.sin(angle)
        best, chosen = -np.inf, 0
        for k in range(count):
            x = c * points[k, 0] + s * points[k, 1] + (CLEARLY_FIRST * extent if kept[k] else 0.0)
            if x > best:
                best, chosen = x, k
        kept[chosen], frame[turn] = True, chosen
    ring, other = np.empty((CORNERS_OF_A_CUT, 2)), np.empty((CORNERS_OF_A_CUT, 2))
    for k in range(count):
        if not kept[k]:
            gone[k] = not _touches(points, k, frame, gone, CLEARLY_FIRST * extent, ring, other)
    for k in range(count):
        kept[k] = kept[k] or not gone[k]
    return kept


@njit(nogil=True, cache=True)
def _touches(points, k, frame, gone, clear, ring, other):
    """Whether some plane that is not steep has point k below all other remaining points.

    The slopes (b, c) of such planes form a polygon. Each other point cuts it by b (x − x_k) + c (y − y_k) ≤ g − g_k.
    """
    for i in range(4):
        ring[i, 0], ring[i, 1] = FACE_TURNS if i in (0, 3) else -FACE_TURNS, FACE_TURNS if i < 2 else -FACE_TURNS
    corners = 4
    for n in range(len(frame) + len(points)):
        j = frame[n] if n < len(frame) else n - len(frame)
        if j == k or gone[j]:
            continue
        x, y = points[j, 0] - points[k, 0], points[j, 1] - points[k, 1]
        corners = _cut(ring, corners, x, y, points[j, 2] - points[k, 2] - clear, other)
        if corners == 0:
            return False
        ring, other = other, ring
    return True


@njit(nogil=True, cache=True)
def _cut(ring, corners, x, y, most, out):
    """Write the part of a convex polygon with b x + c y ≤ most; returns its number of corners."""
    made = 0
    for i in range(corners):
        p, q = ring[i], ring[(i + 1) % corners]
        here, there = p[0] * x + p[1] * y - most, q[0] * x + q[1] * y - most
        if here <= 0.0 and made < CORNERS_OF_A_CUT:
            out[made, 0], out[made, 1] = p[0], p[1]
            made += 1
        if (here < 0.0 < there or there < 0.0 < here) and made < CORNERS_OF_A_CUT:
            s = here / (here - there)
            out[made, 0], out[made, 1] = p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])
            made += 1
    return made
