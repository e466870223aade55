"""Contacts of a face with what faces it, and of lines.

All is seen from the plane of the face: x and y along it, z above it. What faces it is a polygon, a segment, a point or a disc; where both
lie above each other is a convex region, and its corners become contacts.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_contact import add
from vinculum.kernels.pile_cores import TRIANGLE
from vinculum.kernels.pile_overlaps import disc_of_disc, disc_of_polygon, polygon_of_disc, polygon_of_polygon

LYING = 0.7071
MOST = 8
INSIDE = 1e-9


@njit(nogil=True, cache=True)
def facing(m, i, j, O, I, face, sign, far, solids, found):
    """Contacts of a face of shape i, core O, with shape j, core I. ``sign`` 1: j is written as the first body, −1: i."""
    frame = np.empty((4, 3))
    _frame(O, face, frame)
    n = frame[2]
    ring = _polygon(O, face, solids, frame) if O[1, 0] == 0.0 else np.empty((0, 3))
    part, disc = _facing(I, -n[0], -n[1], -n[2], solids, frame)
    room = np.empty((2 * (len(ring) + len(part)) + 40, 3))
    extent = O[1, 0]
    for k in range(len(ring)):
        extent = max(extent, abs(ring[k, 0]), abs(ring[k, 1]))
    if O[1, 0] == 0.0:
        count = (
            disc_of_polygon(part, I[1, 0], ring, INSIDE * extent, room)
            if disc
            else polygon_of_polygon(part, ring, INSIDE * extent, room)
        )
    elif disc:
        count = disc_of_disc(part, I[1, 0], O[1, 0], INSIDE * extent, room)
    else:
        count = polygon_of_disc(part, O[1, 0], INSIDE * extent, room)
    if count > MOST:
        count = _fewest(room, count)
    rounding = I[1, 2] + O[1, 2]
    for k in range(count):
        gap = room[k, 2] - rounding
        if gap > far:
            continue
        z = O[1, 2] + 0.5 * gap
        x0 = frame[3, 0] + room[k, 0] * frame[0, 0] + room[k, 1] * frame[1, 0] + z * n[0]
        x1 = frame[3, 1] + room[k, 0] * frame[0, 1] + room[k, 1] * frame[1, 1] + z * n[1]
        x2 = frame[3, 2] + room[k, 0] * frame[0, 2] + room[k, 1] * frame[1, 2] + z * n[2]
        if sign > 0.0:
            m = add(m, j, i, n[0], n[1], n[2], x0, x1, x2, gap, found)
        else:
            m = add(m, i, j, -n[0], -n[1], -n[2], x0, x1, x2, gap, found)
    return m


@njit(nogil=True, cache=True)
def _frame(O, face, frame):
    """Write two axes in the plane of a face, its normal and an origin in it."""
    C, N = O[2:], O[2 + int(O[0, 0]) + face]
    n, o = frame[2], frame[3]
    for c in range(3):
        n[c] = N[c]
    if O[1, 0] > 0.0:
        for c in range(3):
            frame[0, c] = C[2, c]
            o[c] = C[0, c] + O[1, 1] * n[c]
    else:
        offset = O[2 + int(O[0, 0] + O[0, 1]) + face, 0]
        down = offset - (C[0, 0] * n[0] + C[0, 1] * n[1] + C[0, 2] * n[2])
        for c in range(3):
            o[c] = C[0, c] + down * n[c]
        a = 0 if abs(n[0]) < 0.6 else 1
        for c in range(3):
            frame[0, c] = (1.0 if c == a else 0.0) - n[a] * n[c]
        d = np.sqrt(frame[0, 0] ** 2 + frame[0, 1] ** 2 + frame[0, 2] ** 2)
        for c in range(3):
            frame[0, c] /= d
    t = frame[0]
    frame[1, 0], frame[1, 1], frame[1, 2] = (
        n[1] * t[2] - n[2] * t[1],
        n[2] * t[0] - n[0] * t[2],
        n[0] * t[1] - n[1] * t[0],
    )


@njit(nogil=True, cache=True)
def _local(p0, p1, p2, frame, out):
    x, y, z = p0 - frame[3, 0], p1 - frame[3, 1], p2 - frame[3, 2]
    for k in range(3):
        out[k] = x * frame[k, 0] + y * frame[k, 1] + z * frame[k, 2]


@njit(nogil=True, cache=True)
def _polygon(O, face, solids, frame):
    """The corners (k, 3) of a face, counterclockwise seen from outside."""
    _points, _point_of, _normals, face_of, loops, loop_of = solids
    f = face_of[int(O[0, 2])] + face
    count = loop_of[f + 1] - loop_of[f]
    ring = np.empty((count, 3))
    for k in range(count):
        p = O[2 + loops[loop_of[f] + k]]
        _local(p[0], p[1], p[2], frame, ring[k])
    return ring


@njit(nogil=True, cache=True)
def _facing(I, x, y, z, solids, frame):
    """What of a core looks in a direction: corners, or a disc as its center, axis and the direction to its lowest rim (True).

    Of a polytope it is that of the faces at its farthest corner which looks there most: faces that do so more may not have this corner."""
    C, which, r, h = I[2:], int(I[0, 2]), I[1, 0], I[1, 1]
    _points, _point_of, _normals, face_of, loops, loop_of = solids
    count = int(I[0, 0])
    if r > 0.0:
        a = C[1]
        along = x * a[0] + y * a[1] + z * a[2]
        u = np.empty(3)
        u[0], u[1], u[2] = x - along * a[0], y - along * a[1], z - along * a[2]
        across = np.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2)
        for c in range(3):
            u[c] = u[c] / across if across > 1e-6 else C[2, c]
        if abs(along) > LYING:
            part = np.empty((3, 3))
            s = h if along > 0.0 else -h
            _local(C[0, 0] + s * a[0], C[0, 1] + s * a[1], C[0, 2] + s * a[2], frame, part[0])
            for k in range(3):
                part[1, k] = a[0] * frame[k, 0] + a[1] * frame[k, 1] + a[2] * frame[k, 2]
                part[2, k] = u[0] * frame[k, 0] + u[1] * frame[k, 1] + u[2] * frame[k, 2]
            return part, True
        part = np.empty((2, 3))
        for e in range(2):
            s = h if e else -h
            _local(
                C[0, 0] + s * a[0] + r * u[0],
                C[0, 1] + s * a[1] + r * u[1],
                C[0, 2] + s * a[2] + r * u[2],
                frame,
                part[e],
            )
        return part, False
    if which >= 0:
        best, face = -np.inf, 0
        first = np.int64(0)
        for k in range(1, count):
            if x * (C[k, 0] - C[first, 0]) + y * (C[k, 1] - C[first, 1]) + z * (C[k, 2] - C[first, 2]) > 0.0:
                first = k
        for f in range(int(I[0, 1])):
            N = C[count + f]
            d = x * N[0] + y * N[1] + z * N[2]
            if d > best and _has(face_of[which] + f, first, loops, loop_of):
                best, face = d, f
        if which != TRIANGLE or best > 0.0:
            return _polygon(I, face, solids, frame), False
    part = np.empty((count, 3))
    for k in range(count):
        _local(C[k, 0], C[k, 1], C[k, 2], frame, part[k])
    return part, False


@njit(nogil=True, cache=True)
def _has(face, corner, loops, loop_of):
    """Whether a face has a corner."""
    found = False
    for k in range(loop_of[face], loop_of[face + 1]):
        found = found or loops[k] == corner
    return found


@njit(nogil=True, cache=True)
def _fewest(room, count):
    """At most nine of many corners: the lowest and those farthest in eight directions; their number."""
    chosen = np.zeros(count, dtype=np.bool_)
    low = 0
    for k in range(count):
        if room[k, 2] < room[low, 2]:
            low = k
    chosen[low] = True
    for turn in range(8):
        c, s = np.cos(0.25 * np.pi * turn + 0.1), np.sin(0.25 * np.pi * turn + 0.1)
        best, which = -np.inf, 0
        for k in range(count):
            x = c * room[k, 0] + s * room[k, 1]
            if x > best:
                best, which = x, k
        chosen[which] = True
    kept = 0
    for k in range(count):
        if chosen[k]:
            for c in range(3):
                room[kept, c] = room[k, c]
            kept += 1
    return kept


@njit(nogil=True, cache=True)
def _line(A, x, y, z, ends):
    """Whether a core offers a line in a direction; its two ends are written."""
    C, r, h = A[2:], A[1, 0], A[1, 1]
    count = int(A[0, 0])
    if r > 0.0:
        along = x * C[1, 0] + y * C[1, 1] + z * C[1, 2]
        if abs(along) > LYING:
            return False
        across = np.sqrt(1.0 - along * along)
        for c in range(3):
            u = (x * (c == 0) + y * (c == 1) + z * (c == 2) - along * C[1, c]) / across
            ends[0, c], ends[1, c] = C[0, c] - h * C[1, c] + r * u, C[0, c] + h * C[1, c] + r * u
        return True
    high, first = -np.inf, 0
    for k in range(count):
        d = x * C[k, 0] + y * C[k, 1] + z * C[k, 2]
        if d > high:
            high, first = d, k
    slope, second = 0.02, -1
    for k in range(count):
        if k != first:
            d = high - (x * C[k, 0] + y * C[k, 1] + z * C[k, 2])
            length = np.sqrt((C[k, 0] - C[first, 0]) ** 2 + (C[k, 1] - C[first, 1]) ** 2 + (C[k, 2] - C[first, 2]) ** 2)
            if d < slope * length:
                slope, second = d / length, k
    if second < 0:
        return False
    for c in range(3):
        ends[0, c], ends[1, c] = C[first, c], C[second, c]
    return True


@njit(nogil=True, cache=True)
def lines(m, i, j, A, B, n, far, found):
    """Two contacts at the ends of what parallel lines of A and B have in common; none if they are not parallel."""
    a, b = np.empty((2, 3)), np.empty((2, 3))
    if not _line(A, -n[0], -n[1], -n[2], a) or not _line(B, n[0], n[1], n[2], b):
        return m
    ee = ff = ef = s = t = 0.0
    for c in range(3):
        e, f = a[1, c] - a[0, c], b[1, c] - b[0, c]
        ee, ff, ef = ee + e * e, ff + f * f, ef + e * f
        s, t = s + (b[0, c] - a[0, c]) * e, t + (b[1, c] - a[0, c]) * e
    if ef * ef < (1.0 - 1e-4) * ee * ff:
        return m
    s, t = s / ee, t / ee
    low, high = max(0.0, min(s, t)), min(1.0, max(s, t))
    if low >= high:
        return m
    x = np.empty(3)
    for end in range(2):
        s = high if end else low
        t = 0.0
        for c in range(3):
            x[c] = a[0, c] + s * (a[1, c] - a[0, c])
            t += (x[c] - b[0, c]) * (b[1, c] - b[0, c])
        t = min(max(t / ff, 0.0), 1.0)
        gap = -A[1, 2] - B[1, 2]
        for c in range(3):
            q = b[0, c] + t * (b[1, c] - b[0, c])
            gap += (x[c] - q) * n[c]
            x[c] = q
        if gap <= far:
            r = B[1, 2] + 0.5 * gap
            m = add(m, i, j, n[0], n[1], n[2], x[0] + r * n[0], x[1] + r * n[1], x[2] + r * n[2], gap, found)
    return m


@njit(nogil=True, cache=True)
def witnessed(m, i, j, B, gap, n, b, found):
    """The one contact at the nearest point b of core B."""
    r = B[1, 2] + 0.5 * gap
    return add(m, i, j, n[0], n[1], n[2], b[0] + r * n[0], b[1] + r * n[1], b[2] + r * n[2], gap, found)
