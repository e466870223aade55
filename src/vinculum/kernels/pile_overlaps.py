"""Corners of where two facets lie above each other, seen in the plane z = 0 of one of them. They are written with the other's height z."""

import numpy as np
from numba import njit

RIM = 8


@njit(nogil=True, cache=True)
def polygon_of_polygon(part, ring, slack, room):
    """The part of a polygon, segment or point (k, 3) above a convex ring: its number of corners.

    Sutherland and Hodgman, Comm. ACM 17 (1974) 32.
    """
    count = len(part)
    for k in range(count):
        for c in range(3):
            room[k, c] = part[k, c]
    other = np.empty_like(room)
    here, there = room, other
    for e in range(len(ring)):
        p, q = ring[e], ring[(e + 1) % len(ring)]
        x, y = q[0] - p[0], q[1] - p[1]
        d = np.sqrt(x * x + y * y)
        count = _cut(here, count, y / d, -x / d, (y * p[0] - x * p[1]) / d + slack, there)
        here, there = there, here
    if len(ring) % 2:
        for k in range(count):
            for c in range(3):
                room[k, c] = other[k, c]
    return count


@njit(nogil=True, cache=True)
def _cut(here, count, a, b, limit, there):
    """The part of a polygon or segment with a x + b y ≤ limit."""
    made = np.int64(0)
    for k in range(count):
        f = here[k]
        s = a * f[0] + b * f[1] - limit
        if s <= 0.0:
            for c in range(3):
                there[made, c] = f[c]
            made += 1
        if count == 1 or (count == 2 and k == 1):
            continue
        g = here[(k + 1) % count]
        t = a * g[0] + b * g[1] - limit
        if (s < 0.0 < t) or (t < 0.0 < s):
            for c in range(3):
                there[made, c] = f[c] + (g[c] - f[c]) * (s / (s - t))
            made += 1
    return made


@njit(nogil=True, cache=True)
def _within(p, q, x, y, z, r):
    """From where to where the segment from p to q is inside a ball; empty if the first number is larger."""
    e0, e1, e2 = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    f0, f1, f2 = p[0] - x, p[1] - y, p[2] - z
    a, b, c = e0 * e0 + e1 * e1 + e2 * e2, e0 * f0 + e1 * f1 + e2 * f2, f0 * f0 + f1 * f1 + f2 * f2 - r * r
    root = b * b - a * c
    if root < 0.0 or a == 0.0:
        return (0.0, 0.0) if a == 0.0 and c <= 0.0 else (1.0, 0.0)
    root = np.sqrt(root)
    return max(0.0, (-b - root) / a), min(1.0, (-b + root) / a)


@njit(nogil=True, cache=True)
def _is_above(x, y, ring, count, slack):
    """Whether a point is inside a convex ring of either sense."""
    left = right = True
    for k in range(count):
        p, q = ring[k], ring[(k + 1) % count]
        e0, e1 = q[0] - p[0], q[1] - p[1]
        side = (e0 * (y - p[1]) - e1 * (x - p[0])) / max(np.sqrt(e0 * e0 + e1 * e1), 1e-300)
        left, right = left and side >= -slack, right and side <= slack
    return left or right


@njit(nogil=True, cache=True)
def disc_of_polygon(disc, r, ring, slack, room):
    """Corners of the part of a tilted disc (center, axis, a direction to its rim) above a ring."""
    o, a = disc[0], disc[1]
    count = _rim(disc, r, room)
    made = np.int64(0)
    for k in range(count):
        if _is_above(room[k, 0], room[k, 1], ring, len(ring), slack):
            for c in range(3):
                room[made, c] = room[k, c]
            made += 1
    p, q = np.empty(3), np.empty(3)
    for e in range(len(ring)):
        _lifted(ring[e, 0], ring[e, 1], o, a, p)
        f = ring[(e + 1) % len(ring)]
        _lifted(f[0], f[1], o, a, q)
        low, high = _within(p, q, o[0], o[1], o[2], r)
        if low > high:
            continue
        made = _put(p, q, low, room, made)
        if high < 1.0:
            made = _put(p, q, high, room, made)
    return made


@njit(nogil=True, cache=True)
def polygon_of_disc(part, r, slack, room):
    """Corners of the part of a polygon, segment or point above the disc about the origin."""
    count, made = len(part), np.int64(0)
    wide = r + slack
    if count == 1:
        return _put(part[0], part[0], 0.0, room, made) if part[0, 0] ** 2 + part[0, 1] ** 2 <= wide * wide else made
    p, q = np.empty(3), np.empty(3)
    for k in range(count if count > 2 else 1):
        f, g = part[k], part[(k + 1) % count]
        p[0], p[1], p[2], q[0], q[1], q[2] = f[0], f[1], 0.0, g[0], g[1], 0.0
        low, high = _within(p, q, 0.0, 0.0, 0.0, wide)
        if low > high:
            continue
        made = _put(f, g, low, room, made)
        if high < 1.0 or count == 2:
            made = _put(f, g, high, room, made)
    if count > 2:
        e0, e1, e2 = part[1, 0] - part[0, 0], part[1, 1] - part[0, 1], part[1, 2] - part[0, 2]
        f0, f1, f2 = part[2, 0] - part[0, 0], part[2, 1] - part[0, 1], part[2, 2] - part[0, 2]
        a = np.empty(3)
        a[0], a[1], a[2] = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
        if abs(a[2]) > 1e-9 * (abs(a[0]) + abs(a[1])):
            for k in range(RIM):
                x, y = r * np.cos(2.0 * np.pi * k / RIM), r * np.sin(2.0 * np.pi * k / RIM)
                if _is_above(x, y, part, count, slack):
                    _lifted(x, y, part[0], a, p)
                    made = _put(p, p, 0.0, room, made)
    return made


@njit(nogil=True, cache=True)
def disc_of_disc(disc, r, wide, slack, room):
    """Corners of the part of a tilted disc above the disc of radius ``wide`` about the origin."""
    o, a = disc[0], disc[1]
    count = _rim(disc, r, room)
    made = np.int64(0)
    for k in range(count):
        if room[k, 0] ** 2 + room[k, 1] ** 2 <= (wide + slack) ** 2:
            for c in range(3):
                room[made, c] = room[k, c]
            made += 1
    p = np.empty(3)
    away = np.sqrt(o[0] ** 2 + o[1] ** 2)
    begin = np.arctan2(o[1], o[0])
    if away > 1e-6 * r and abs(r - wide) < away < r + wide:
        half = np.arccos(min(max((wide * wide + away * away - r * r) / (2.0 * wide * away), -1.0), 1.0))
        for sign in range(2):
            angle = begin + (half if sign else -half)
            _lifted(wide * np.cos(angle), wide * np.sin(angle), o, a, p)
            if (p[0] - o[0]) ** 2 + (p[1] - o[1]) ** 2 + (p[2] - o[2]) ** 2 <= (1.0 + 1e-6) * r * r:
                made = _put(p, p, 0.0, room, made)
    for k in range(RIM):
        angle = begin + 2.0 * np.pi * k / RIM
        _lifted(wide * np.cos(angle), wide * np.sin(angle), o, a, p)
        if (p[0] - o[0]) ** 2 + (p[1] - o[1]) ** 2 + (p[2] - o[2]) ** 2 <= (r - slack) ** 2:
            made = _put(p, p, 0.0, room, made)
    return made


@njit(nogil=True, cache=True)
def _rim(disc, r, room):
    """Write points on the rim of a disc, from its lowest one on."""
    o, a, u = disc[0], disc[1], disc[2]
    v0, v1, v2 = a[1] * u[2] - a[2] * u[1], a[2] * u[0] - a[0] * u[2], a[0] * u[1] - a[1] * u[0]
    for k in range(RIM):
        c, s = r * np.cos(2.0 * np.pi * k / RIM), r * np.sin(2.0 * np.pi * k / RIM)
        room[k, 0], room[k, 1], room[k, 2] = (
            o[0] + c * u[0] + s * v0,
            o[1] + c * u[1] + s * v1,
            o[2] + c * u[2] + s * v2,
        )
    return RIM


@njit(nogil=True, cache=True)
def _lifted(x, y, o, a, out):
    """Write the point of the plane through o across a that is above (x, y)."""
    out[0], out[1] = x, y
    out[2] = o[2] - ((x - o[0]) * a[0] + (y - o[1]) * a[1]) / a[2]


@njit(nogil=True, cache=True)
def _put(p, q, s, room, made):
    for c in range(3):
        room[made, c] = p[c] + s * (q[c] - p[c])
    return made + 1
