"""Clipping: corners of the overlap of two facets in the plane z = 0 of one of them, with the height z of the other."""

import math

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import CONCENTRIC, RIM_WIDER, UPRIGHT_POLYGON

RIM = 8
COSINES = tuple(math.cos(2.0 * math.pi * k / RIM) for k in range(RIM))
SINES = tuple(math.sin(2.0 * math.pi * k / RIM) for k in range(RIM))


@njit(nogil=True, cache=True, error_model="numpy")
def polygon_of_polygon(part, count, ring, sides, slack, room, other):
    """Clip a polygon, segment or point (count, 3) by a convex ring (sides, 3) below it; returns its number of corners. ``other``:
    scratch.

    Sutherland and Hodgman, Comm. ACM 17 (1974) 32.
    """
    for k in range(count):
        for c in range(3):
            room[k, c] = part[k, c]
    here, there = room, other
    for e in range(sides):
        f = e + 1 if e + 1 < sides else 0
        p0, p1 = ring[e, 0], ring[e, 1]
        x, y = ring[f, 0] - p0, ring[f, 1] - p1
        d = np.sqrt(x * x + y * y)
        count = _cut(here, count, y / d, -x / d, (y * p0 - x * p1) / d + slack, there)
        here, there = there, here
        if count == 0:
            return count
    if sides % 2:
        for k in range(count):
            for c in range(3):
                room[k, c] = other[k, c]
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _cut(here, count, a, b, limit, there):
    """The part of a polygon or segment with a x + b y ≤ limit."""
    made = np.int64(0)
    s = a * here[0, 0] + b * here[0, 1] - limit
    for k in range(count):
        g = k + 1 if k + 1 < count else 0
        t = a * here[g, 0] + b * here[g, 1] - limit
        if s <= 0.0:
            for c in range(3):
                there[made, c] = here[k, c]
            made += 1
        if ((s < 0.0 < t) or (t < 0.0 < s)) and (count > 2 or k == 0):
            for c in range(3):
                there[made, c] = here[k, c] + (here[g, c] - here[k, c]) * (s / (s - t))
            made += 1
        s = t
    return made


@njit(nogil=True, cache=True, error_model="numpy")
def _within(p, q, center, r):
    """Parameters between which the segment from p to q is inside a ball; the span is empty if the first is larger."""
    e0, e1, e2 = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    f0, f1, f2 = p[0] - center[0], p[1] - center[1], p[2] - center[2]
    a, b, c = e0 * e0 + e1 * e1 + e2 * e2, e0 * f0 + e1 * f1 + e2 * f2, f0 * f0 + f1 * f1 + f2 * f2 - r * r
    root = b * b - a * c
    if root < 0.0 or a == 0.0:
        return (0.0, 0.0) if a == 0.0 and c <= 0.0 else (1.0, 0.0)
    root = np.sqrt(root)
    return max(0.0, (-b - root) / a), min(1.0, (-b + root) / a)


@njit(nogil=True, cache=True, error_model="numpy")
def _is_above(x, y, ring, count, slack):
    """Whether a point is inside a convex ring of either orientation."""
    left = right = True
    for k in range(count):
        l = k + 1 if k + 1 < count else 0
        e0, e1 = ring[l, 0] - ring[k, 0], ring[l, 1] - ring[k, 1]
        side, limit = e0 * (y - ring[k, 1]) - e1 * (x - ring[k, 0]), slack * np.sqrt(e0 * e0 + e1 * e1)
        left, right = left and side >= -limit, right and side <= limit
    return left or right


@njit(nogil=True, cache=True, error_model="numpy")
def disc_of_polygon(disc, r, ring, sides, slack, room):
    """Corners of the part of a tilted disc (center, axis, a direction to its rim) above a ring."""
    _rim(disc, r, room)
    made = np.int64(0)
    for k in range(RIM):
        if _is_above(room[k, 0], room[k, 1], ring, sides, slack):
            made = _write_point(room[k, 0], room[k, 1], room[k, 2], room, made)
    for e in range(sides):
        f = e + 1 if e + 1 < sides else 0
        p0, p1, q0, q1 = ring[e, 0], ring[e, 1], ring[f, 0], ring[f, 1]
        p2, q2 = _plane_height(p0, p1, disc, disc, 1), _plane_height(q0, q1, disc, disc, 1)
        low, high = _within((p0, p1, p2), (q0, q1, q2), (disc[0, 0], disc[0, 1], disc[0, 2]), r)
        if low > high:
            continue
        made = _write_point(p0 + low * (q0 - p0), p1 + low * (q1 - p1), p2 + low * (q2 - p2), room, made)
        if high < 1.0:
            made = _write_point(p0 + high * (q0 - p0), p1 + high * (q1 - p1), p2 + high * (q2 - p2), room, made)
    return made


@njit(nogil=True, cache=True, error_model="numpy")
def polygon_of_disc(part, count, r, slack, room, across):
    """Corners of the part of a polygon, segment or point (count, 3) above the disc about the origin. ``across``: scratch."""
    made = np.int64(0)
    wide = r + slack
    if count == 1:
        return (
            _write_point(part[0, 0], part[0, 1], part[0, 2], room, made)
            if part[0, 0] ** 2 + part[0, 1] ** 2 <= wide * wide
            else made
        )
    for k in range(count if count > 2 else 1):
        l = k + 1 if k + 1 < count else 0
        low, high = _within((part[k, 0], part[k, 1], 0.0), (part[l, 0], part[l, 1], 0.0), (0.0, 0.0, 0.0), wide)
        if low > high:
            continue
        made = _put(part, k, l, low, room, made)
        if high < 1.0 or count == 2:
            made = _put(part, k, l, high, room, made)
    if count > 2:
        e0, e1, e2 = part[1, 0] - part[0, 0], part[1, 1] - part[0, 1], part[1, 2] - part[0, 2]
        f0, f1, f2 = part[2, 0] - part[0, 0], part[2, 1] - part[0, 1], part[2, 2] - part[0, 2]
        across[0, 0], across[0, 1], across[0, 2] = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
        if abs(across[0, 2]) > UPRIGHT_POLYGON * (abs(across[0, 0]) + abs(across[0, 1])):
            for k in range(RIM):
                x, y = r * COSINES[k], r * SINES[k]
                if _is_above(x, y, part, count, slack):
                    made = _write_point(x, y, _plane_height(x, y, part, across, 0), room, made)
    return made


@njit(nogil=True, cache=True, error_model="numpy")
def disc_of_disc(disc, r, wide, slack, room):
    """Corners of the part of a tilted disc above the disc of radius ``wide`` about the origin."""
    _rim(disc, r, room)
    made = np.int64(0)
    for k in range(RIM):
        if room[k, 0] ** 2 + room[k, 1] ** 2 <= (wide + slack) ** 2:
            made = _write_point(room[k, 0], room[k, 1], room[k, 2], room, made)
    x, y = disc[0, 0], disc[0, 1]
    away = np.sqrt(x * x + y * y)
    c, s = (x / away, y / away) if away > 0.0 else (1.0, 0.0)
    if away > CONCENTRIC * r and abs(r - wide) < away < r + wide:
        cosine = min(max((wide * wide + away * away - r * r) / (2.0 * wide * away), -1.0), 1.0)
        sine = np.sqrt(1.0 - cosine * cosine)
        made = _of_rim(c * cosine + s * sine, s * cosine - c * sine, wide, disc, (1.0 + RIM_WIDER) * r * r, room, made)
        made = _of_rim(c * cosine - s * sine, s * cosine + c * sine, wide, disc, (1.0 + RIM_WIDER) * r * r, room, made)
    for k in range(RIM):
        x, y = c * COSINES[k] - s * SINES[k], s * COSINES[k] + c * SINES[k]
        made = _of_rim(x, y, wide, disc, (r - slack) ** 2, room, made)
    return made


@njit(nogil=True, cache=True, error_model="numpy")
def _of_rim(c, s, wide, disc, square, room, made):
    """Write the point of a tilted disc above a point of the rim about the origin, if it is close enough to the disc's center."""
    x, y = wide * c, wide * s
    z = _plane_height(x, y, disc, disc, 1)
    if (x - disc[0, 0]) ** 2 + (y - disc[0, 1]) ** 2 + (z - disc[0, 2]) ** 2 > square:
        return made
    return _write_point(x, y, z, room, made)


@njit(nogil=True, cache=True, error_model="numpy")
def _rim(disc, r, room):
    """Write points on the rim of a disc, beginning with its lowest."""
    a0, a1, a2, u0, u1, u2 = disc[1, 0], disc[1, 1], disc[1, 2], disc[2, 0], disc[2, 1], disc[2, 2]
    v0, v1, v2 = a1 * u2 - a2 * u1, a2 * u0 - a0 * u2, a0 * u1 - a1 * u0
    for k in range(RIM):
        c, s = r * COSINES[k], r * SINES[k]
        _write_point(disc[0, 0] + c * u0 + s * v0, disc[0, 1] + c * u1 + s * v1, disc[0, 2] + c * u2 + s * v2, room, k)


@njit(nogil=True, cache=True, error_model="numpy")
def _plane_height(x, y, points, normals, row):
    """Height above (x, y) of the plane through the first point with a given normal."""
    return (
        points[0, 2] - ((x - points[0, 0]) * normals[row, 0] + (y - points[0, 1]) * normals[row, 1]) / normals[row, 2]
    )


@njit(nogil=True, cache=True, error_model="numpy")
def _put(P, k, l, s, room, made):
    """Write the point between two rows at the parameter s."""
    x, y, z = P[k, 0], P[k, 1], P[k, 2]
    return _write_point(x + s * (P[l, 0] - x), y + s * (P[l, 1] - y), z + s * (P[l, 2] - z), room, made)


@njit(nogil=True, cache=True, error_model="numpy")
def _write_point(x, y, z, room, made):
    room[made, 0], room[made, 1], room[made, 2] = x, y, z
    return made + 1
