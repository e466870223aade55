"""Contacts of a face with an opposite feature, and of two lines.

All coordinates are relative to the plane of the face: x and y along it, z above it. The opposite feature is a polygon, a segment, a
point or a disc. The overlap of both is a convex region, and its corners become contacts.
"""

import math

import numpy as np

from vinculum.collision.contact_frame import add
from vinculum.collision.manifolds.clipping import disc_of_disc, disc_of_polygon, polygon_of_disc, polygon_of_polygon
from vinculum.collision.supports import FIRST, TRIANGLE, farthest, is_cone, is_ellipsoid
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import ON_THE_RIM, PARALLEL_LINES, STANDING

LYING, SLOPE = 0.7071, 0.02
MOST = TURNS = 8
COSINES = tuple(math.cos(2.0 * math.pi * k / TURNS + 0.1) for k in range(TURNS))
SINES = tuple(math.sin(2.0 * math.pi * k / TURNS + 0.1) for k in range(TURNS))
NONE, OF_FIRST, OF_SECOND = np.int64(0), np.int64(1), np.int64(2)
"""Owner of the face whose normal a contact has."""


@njit(nogil=True, cache=True, error_model="numpy")
def facing(m, pair, owner, face, far, solids, workspace, found):
    """Contacts of a face of the ``owner``, core O, with the other shape of a pair, core I."""
    i, j = pair
    O, I = (workspace.first, workspace.second) if owner == OF_FIRST else (workspace.second, workspace.first)
    frame, ring, part, room, other = workspace.axes, workspace.ring, workspace.part, workspace.room, workspace.other
    _frame(O, face, frame)
    n = frame[2]
    sides = _polygon(O, face, solids, frame, ring) if O[1, 0] == 0.0 else np.int64(0)
    corners, disc = _facing(I, -n[0], -n[1], -n[2], solids, frame, part)
    extent = O[1, 0]
    for k in range(sides):
        extent = max(extent, abs(ring[k, 0]), abs(ring[k, 1]))
    if O[1, 0] == 0.0:
        count = (
            disc_of_polygon(part, I[1, 0], ring, sides, ON_THE_RIM * extent, room)
            if disc
            else polygon_of_polygon(part, corners, ring, sides, ON_THE_RIM * extent, room, other)
        )
    elif disc:
        count = disc_of_disc(part, I[1, 0], O[1, 0], ON_THE_RIM * extent, room)
    else:
        count = polygon_of_disc(part, corners, O[1, 0], ON_THE_RIM * extent, room, other)
    if count > MOST:
        count = _fewest(room, count, other)
    rounding = I[1, 2] + O[1, 2]
    for k in range(count):
        gap = room[k, 2] - rounding
        if gap > far:
            continue
        z = O[1, 2] + 0.5 * gap
        x0 = frame[3, 0] + room[k, 0] * frame[0, 0] + room[k, 1] * frame[1, 0] + z * n[0]
        x1 = frame[3, 1] + room[k, 0] * frame[0, 1] + room[k, 1] * frame[1, 1] + z * n[1]
        x2 = frame[3, 2] + room[k, 0] * frame[0, 2] + room[k, 1] * frame[1, 2] + z * n[2]
        if owner == OF_FIRST:
            m = add(m, i, j, (-n[0], -n[1], -n[2]), (x0, x1, x2), gap, found)
        else:
            m = add(m, i, j, (n[0], n[1], n[2]), (x0, x1, x2), gap, found)
    return m


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _frame(O, face, frame):
    """Write two axes in the plane of a face, its normal and an origin in it."""
    corners, faces = np.int64(O[0, 0]), np.int64(O[0, 1])
    n, o, k = frame[2], frame[3], FIRST + corners + face
    for c in range(3):
        n[c] = O[k, c]
    if O[1, 0] > 0.0:
        for c in range(3):
            frame[0, c] = O[FIRST + 2, c]
            o[c] = O[FIRST, c] + O[1, 1] * n[c]
    else:
        down = O[k + faces, 0] - (O[FIRST, 0] * n[0] + O[FIRST, 1] * n[1] + O[FIRST, 2] * n[2])
        for c in range(3):
            o[c] = O[FIRST, c] + down * n[c]
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


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _local(p0, p1, p2, frame, out, row):
    x, y, z = p0 - frame[3, 0], p1 - frame[3, 1], p2 - frame[3, 2]
    for k in range(3):
        out[row, k] = x * frame[k, 0] + y * frame[k, 1] + z * frame[k, 2]


@njit(nogil=True, cache=True, error_model="numpy")
def is_over(O, I, face, solids, V, at, on):
    """Whether the lowest point of core I over a face of core O lies directly above that face.

    The point and its projection onto the face are written to rows of V. If so, no direction separates the cores more; for penetrating
    cores, no nearby direction does.
    """
    k = FIRST + np.int64(O[0, 0]) + face
    n0, n1, n2 = O[k, 0], O[k, 1], O[k, 2]
    farthest(I, -n0, -n1, -n2, V, at)
    x, y, z = V[at, 0], V[at, 1], V[at, 2]
    height = x * n0 + y * n1 + z * n2 - O[k + np.int64(O[0, 1]), 0]
    V[on, 0], V[on, 1], V[on, 2] = x - height * n0, y - height * n1, z - height * n2
    if O[1, 0] > 0.0:
        e0, e1, e2 = x - O[FIRST, 0], y - O[FIRST, 1], z - O[FIRST, 2]
        along = e0 * n0 + e1 * n1 + e2 * n2
        return e0 * e0 + e1 * e1 + e2 * e2 - along * along <= O[1, 0] ** 2
    face_of, loops, loop_of = solids.face_of, solids.loops, solids.loop_of
    f = face_of[np.int64(O[0, 2])] + face
    p = FIRST + loops[loop_of[f + 1] - 1]
    for k in range(loop_of[f], loop_of[f + 1]):
        q = FIRST + loops[k]
        e0, e1, e2 = O[q, 0] - O[p, 0], O[q, 1] - O[p, 1], O[q, 2] - O[p, 2]
        f0, f1, f2 = x - O[p, 0], y - O[p, 1], z - O[p, 2]
        if n0 * (e1 * f2 - e2 * f1) + n1 * (e2 * f0 - e0 * f2) + n2 * (e0 * f1 - e1 * f0) < 0.0:
            return False
        p = q
    return True


@njit(nogil=True, cache=True, error_model="numpy")
def _polygon(O, face, solids, frame, ring):
    """Number of corners of a face; they are written to ``ring``, counterclockwise seen from outside."""
    face_of, loops, loop_of = solids.face_of, solids.loops, solids.loop_of
    f = face_of[np.int64(O[0, 2])] + face
    for k in range(loop_of[f], loop_of[f + 1]):
        p = FIRST + loops[k]
        _local(O[p, 0], O[p, 1], O[p, 2], frame, ring, k - loop_of[f])
    return loop_of[f + 1] - loop_of[f]


@njit(nogil=True, cache=True, error_model="numpy")
def _facing(I, x, y, z, solids, frame, part):
    """The feature of a core that faces a direction: its number of corners, or a disc (True) as center, axis and direction to its lowest
    rim.

    It is written to ``part``. For a polytope it is the face at its support corner that is most aligned with the direction. Faces that
    are aligned better may not contain this corner.
    """
    if I[1, 0] > 0.0:
        return _of_cylinder(I, x, y, z, frame, part)
    if is_ellipsoid(I):
        farthest(I, x, y, z, part, 1)
        _local(part[1, 0], part[1, 1], part[1, 2], frame, part, 0)
        return np.int64(1), False
    face_of, loops, loop_of = solids.face_of, solids.loops, solids.loop_of
    count, which = np.int64(I[0, 0]), np.int64(I[0, 2])
    if which >= 0:
        best, face, high, first = -np.inf, np.int64(0), -np.inf, np.int64(0)
        for k in range(count):
            d = x * I[FIRST + k, 0] + y * I[FIRST + k, 1] + z * I[FIRST + k, 2]
            if d > high:
                high, first = d, k
        for f in range(np.int64(I[0, 1])):
            k = FIRST + count + f
            d = x * I[k, 0] + y * I[k, 1] + z * I[k, 2]
            if d > best and _has(face_of[which] + f, first, loops, loop_of):
                best, face = d, f
        if which != TRIANGLE or best > 0.0:
            return _polygon(I, face, solids, frame, part), False
    for k in range(count):
        _local(I[FIRST + k, 0], I[FIRST + k, 1], I[FIRST + k, 2], frame, part, k)
    return count, False


@njit(nogil=True, cache=True, error_model="numpy")
def _of_cylinder(I, x, y, z, frame, part):
    """The feature of a cylinder or cone that faces a direction: a line on its side, or a disc (True)."""
    r, h = I[1, 0], I[1, 1]
    cone = is_cone(I)
    o0, o1, o2 = I[FIRST, 0], I[FIRST, 1], I[FIRST, 2]
    a0, a1, a2 = I[FIRST + 1, 0], I[FIRST + 1, 1], I[FIRST + 1, 2]
    along = x * a0 + y * a1 + z * a2
    u0, u1, u2 = x - along * a0, y - along * a1, z - along * a2
    across = np.sqrt(u0 * u0 + u1 * u1 + u2 * u2)
    if across > STANDING:
        u0, u1, u2 = u0 / across, u1 / across, u2 / across
    else:
        u0, u1, u2 = I[FIRST + 2, 0], I[FIRST + 2, 1], I[FIRST + 2, 2]
    if along < -_faces_base(I) if cone else abs(along) > LYING:
        s = h if along > 0.0 else -h
        _local(o0 + s * a0, o1 + s * a1, o2 + s * a2, frame, part, 0)
        for k in range(3):
            part[1, k] = a0 * frame[k, 0] + a1 * frame[k, 1] + a2 * frame[k, 2]
            part[2, k] = u0 * frame[k, 0] + u1 * frame[k, 1] + u2 * frame[k, 2]
        return np.int64(3), True
    for e in range(2):
        s, w = (h, 0.0 if cone else r) if e else (-h, r)
        _local(o0 + s * a0 + w * u0, o1 + s * a1 + w * u1, o2 + s * a2 + w * u2, frame, part, e)
    return np.int64(2), False


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _faces_base(I):
    """The cosine with the normal of a cone's base above which a direction is faced by the base: that of the direction in the middle
    between this normal and those of the side.
    """
    r, height = I[1, 0], 2.0 * I[1, 1]
    return np.sqrt(0.5 * (1.0 - r / np.sqrt(r * r + height * height)))


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _has(face, corner, loops, loop_of):
    """Whether a face contains a corner."""
    found = False
    for k in range(loop_of[face], loop_of[face + 1]):
        found = found or loops[k] == corner
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def _fewest(room, count, chosen):
    """Reduce many corners to at most nine: the lowest and those farthest in eight directions; returns their number. ``chosen``: scratch."""
    low = 0
    for k in range(count):
        chosen[k, 0] = 0.0
        if room[k, 2] < room[low, 2]:
            low = k
    chosen[low, 0] = 1.0
    for turn in range(TURNS):
        c, s = COSINES[turn], SINES[turn]
        best, which = -np.inf, 0
        for k in range(count):
            x = c * room[k, 0] + s * room[k, 1]
            if x > best:
                best, which = x, k
        chosen[which, 0] = 1.0
    kept = 0
    for k in range(count):
        if chosen[k, 0] > 0.0:
            for c in range(3):
                room[kept, c] = room[k, c]
            kept += 1
    return kept


@njit(nogil=True, cache=True, error_model="numpy")
def _line(A, x, y, z, ends, row):
    """Whether a core has a line that faces a direction; its two ends are written from a row on."""
    r, h, count = A[1, 0], A[1, 1], np.int64(A[0, 0])
    if r > 0.0:
        along = x * A[FIRST + 1, 0] + y * A[FIRST + 1, 1] + z * A[FIRST + 1, 2]
        cone = is_cone(A)
        if (along < -_faces_base(A) or along > 1.0 - STANDING) if cone else abs(along) > LYING:
            return False
        across = np.sqrt(1.0 - along * along)
        for c in range(3):
            o, a = A[FIRST, c], A[FIRST + 1, c]
            u = ((x if c == 0 else y if c == 1 else z) - along * a) / across
            ends[row, c], ends[row + 1, c] = o - h * a + r * u, o + h * a + (0.0 if cone else r * u)
        return True
    if is_ellipsoid(A):
        return False
    high, first = -np.inf, np.int64(0)
    for k in range(FIRST, FIRST + count):
        d = x * A[k, 0] + y * A[k, 1] + z * A[k, 2]
        if d > high:
            high, first = d, k
    slope, second = SLOPE, np.int64(-1)
    for k in range(FIRST, FIRST + count):
        e0, e1, e2 = A[k, 0] - A[first, 0], A[k, 1] - A[first, 1], A[k, 2] - A[first, 2]
        d, square = -(x * e0 + y * e1 + z * e2), e0 * e0 + e1 * e1 + e2 * e2
        if k != first and d * d < slope * slope * square:
            slope, second = d / np.sqrt(square), k
    if second < 0:
        return False
    for c in range(3):
        ends[row, c], ends[row + 1, c] = A[first, c], A[second, c]
    return True


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def lines(m, pair, far, workspace, found):
    """Two contacts at the ends of the overlap of parallel lines of both cores; none if they are not parallel."""
    i, j = pair
    A, B, n, L = workspace.first, workspace.second, workspace.vectors[0], workspace.ring
    if not _line(A, -n[0], -n[1], -n[2], L, 0) or not _line(B, n[0], n[1], n[2], L, 2):
        return m
    a, b, x = L[0:2], L[2:4], workspace.part[0]
    ee = ff = ef = s = t = 0.0
    for c in range(3):
        e, f = a[1, c] - a[0, c], b[1, c] - b[0, c]
        ee, ff, ef = ee + e * e, ff + f * f, ef + e * f
        s, t = s + (b[0, c] - a[0, c]) * e, t + (b[1, c] - a[0, c]) * e
    if ef * ef < (1.0 - PARALLEL_LINES) * ee * ff:
        return m
    s, t = s / ee, t / ee
    low, high = max(0.0, min(s, t)), min(1.0, max(s, t))
    if low >= high:
        return m
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
            p = x[0] + r * n[0], x[1] + r * n[1], x[2] + r * n[2]
            m = add(m, i, j, (n[0], n[1], n[2]), p, gap, found)
    return m


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def nearest_point(m, pair, gap, workspace, found):
    """Add the one contact at the nearest point b of the second core."""
    i, j = pair
    n, b = workspace.vectors[0], workspace.vectors[2]
    r = workspace.second[1, 2] + 0.5 * gap
    p = b[0] + r * n[0], b[1] + r * n[1], b[2] + r * n[2]
    return add(m, i, j, (n[0], n[1], n[2]), p, gap, found)
