"""Where two convex shapes of any kind meet.

The signed distance of two cores is the largest of f(n) = min n · a − max n · b over unit directions. It is sought from the best normal of a
face on: the cores are moved apart along n, and the direction between the nearest points is the next n, with f no less. Touching and
penetrating pairs are so as well conditioned as separated ones.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_contact import least
from vinculum.kernels.pile_cores import apart, core, farthest, lowest
from vinculum.kernels.pile_distance import distance
from vinculum.kernels.pile_facets import facing, lines, witnessed

FAVOR = 1e-3
"""By how much of its size another direction must do better than a face to be taken instead: manifolds of faces last longer."""
OPENED, BETTER, DEEP = 1e-2, 1e-12, 1e-2
BESIDE = 1e-6
"""By how much of a shape's size the contacts of a face may be farther than the nearest points before these are one more contact."""
ASCENTS = 12
NONE, OF_FIRST, OF_SECOND = 0, 1, 2


@njit(nogil=True, cache=True)
def convex(m, i, j, center, turn, kind, size, reach, far, solids, found):
    """Contacts of two convex shapes."""
    A, B = core(i, center, turn, kind, size, solids), core(j, center, turn, kind, size, solids)
    n, a, b = np.empty(3), np.empty(3), np.empty(3)
    gap, owner, face = nearest(A, B, min(reach[i], reach[j]), far, n, a, b)
    if gap > far:
        return m
    return meeting(m, i, j, A, B, gap, owner, face, n, b, min(reach[i], reach[j]), far, solids, found)


@njit(nogil=True, cache=True)
def meeting(m, i, j, A, B, gap, owner, face, n, b, extent, far, solids, found):
    """Contacts along n: of a face with what faces it, of two lines, or of two points.

    The nearest points are among them also where they lie beside the face that is favored.
    """
    begun = m
    if owner == OF_FIRST:
        m = facing(m, i, j, A, B, face, -1.0, far, solids, found)
    elif owner == OF_SECOND:
        m = facing(m, j, i, B, A, face, 1.0, far, solids, found)
    else:
        m = lines(m, i, j, A, B, n, far, found)
    return witnessed(m, i, j, B, gap, n, b, found) if least(begun, m, found) > gap + BESIDE * extent else m


@njit(nogil=True, cache=True)
def nearest(A, B, extent, far, n, a, b):
    """Signed distance of two shapes, and whose face it is along, if it is; n from B to A and nearest points of the cores are written.

    Where they are farther than ``far`` apart, a lower bound.
    """
    rounding = A[1, 2] + B[1, 2]
    known, owner, face = _best_face(A, B, n)
    if known - rounding > far:
        return known - rounding, owner, face
    t = np.empty(3)
    _between(A, B, t)
    between = apart(A, B, t[0], t[1], t[2])
    faces_first = owner != NONE and known >= between
    if owner != NONE and not faces_first:
        for c in range(3):
            n[c], t[c] = t[c], n[c]
    elif owner == NONE:
        n[0], n[1], n[2] = t[0], t[1], t[2]
    farthest(A, -n[0], -n[1], -n[2], a)
    farthest(B, n[0], n[1], n[2], b)
    gap = _ascended(A, B, max(known, between) if owner != NONE else between, extent, far + rounding, n, a, b)
    if owner != NONE and gap < -DEEP * extent:
        p, q = np.empty(3), np.empty(3)
        other = _ascended(A, B, min(known, between), extent, far + rounding, t, p, q)
        if other > gap:
            gap = other
            for c in range(3):
                n[c], a[c], b[c] = t[c], p[c], q[c]
    if A[1, 0] > 0.0 or B[1, 0] > 0.0:
        gap = _polished(A, B, gap, extent, n)
        gap = _on_edge(A, B, gap, extent, n, a, b)
    favored = owner != NONE and known >= gap - FAVOR * extent
    return gap - rounding, owner if favored else NONE, face


@njit(nogil=True, cache=True)
def _ascended(A, B, gap, extent, enough, n, a, b):
    """The largest f that is reached from the direction n, which is replaced; nearest points of the cores are written."""
    t = np.empty(3)
    for _ in range(ASCENTS):
        s = max(OPENED * extent - gap, 0.0)
        d = distance(A, B, s * n[0], s * n[1], s * n[2], t, a, b)
        if d == 0.0:
            break
        found = apart(A, B, t[0], t[1], t[2])
        step = found - gap
        if step > 0.0:
            gap = found
            n[0], n[1], n[2] = t[0], t[1], t[2]
        if s == 0.0 or step <= BETTER * extent or gap > enough:
            break
    return gap


@njit(nogil=True, cache=True)
def _best_face(A, B, n):
    """The largest f over the faces' normals, whose and which; n is written."""
    best, owner, face = -np.inf, NONE, -1
    for side in range(2):
        O, I = (B, A) if side == 0 else (A, B)
        begin, faces = 2 + int(O[0, 0]), int(O[0, 1])
        for f in range(faces):
            N = O[begin + f]
            gap = lowest(I, N[0], N[1], N[2]) - O[begin + faces + f, 0]
            if gap > best:
                best, owner, face = gap, OF_SECOND if side == 0 else OF_FIRST, f
    if owner != NONE:
        _normal_of(A, B, owner, face, n)
    return best, owner, face


@njit(nogil=True, cache=True)
def _normal_of(A, B, owner, face, n):
    sign, O = (1.0, B) if owner == OF_SECOND else (-1.0, A)
    N = O[2 + int(O[0, 0]) + face]
    n[0], n[1], n[2] = sign * N[0], sign * N[1], sign * N[2]


@njit(nogil=True, cache=True)
def _between(A, B, n):
    """Write a direction from the middle of B to that of A."""
    for c in range(3):
        n[c] = _middle(A, c) - _middle(B, c)
    d = np.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
    if d > 0.0:
        n /= d
    else:
        n[0], n[1], n[2] = 0.0, 0.0, 1.0


@njit(nogil=True, cache=True)
def _middle(A, c):
    """A coordinate of the mean of the corners, or of a cylinder's center."""
    if A[1, 0] > 0.0:
        return A[2, c]
    total = 0.0
    for k in range(2, 2 + int(A[0, 0])):
        total += A[k, c]
    return total / A[0, 0]


@njit(nogil=True, cache=True)
def _polished(A, B, gap, extent, n):
    """A gap no worse with n made exact where the side of a cylinder is touched by another side or by a corner."""
    t = np.empty(3)
    for turn in range(3):
        if turn == 0 and A[1, 0] > 0.0 and B[1, 0] > 0.0:
            u, w = A[3], B[3]
            t[0], t[1], t[2] = u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]
        elif turn == 1 and A[1, 0] > 0.0:
            _across(A, B, -1.0, n, t)
        elif turn == 2 and B[1, 0] > 0.0:
            _across(B, A, 1.0, n, t)
        else:
            continue
        d = np.sqrt(t[0] ** 2 + t[1] ** 2 + t[2] ** 2)
        if d < 1e-6 * (extent if turn else 1.0):
            continue
        d = d if t[0] * n[0] + t[1] * n[1] + t[2] * n[2] > 0.0 else -d
        better = apart(A, B, t[0] / d, t[1] / d, t[2] / d)
        if better >= gap - BETTER * extent:
            gap = better
            n[0], n[1], n[2] = t[0] / d, t[1] / d, t[2] / d
    return gap


@njit(nogil=True, cache=True)
def _across(A, B, sign, n, t):
    """Write the part across the axis of cylinder A of the way from it to the corner of B that is nearest along n."""
    p = np.empty(3)
    if B[1, 0] > 0.0:
        for c in range(3):
            p[c] = B[2, c]
    else:
        best = np.inf
        for k in range(2, 2 + int(B[0, 0])):
            x = sign * (n[0] * B[k, 0] + n[1] * B[k, 1] + n[2] * B[k, 2])
            if x < best:
                best = x
                for c in range(3):
                    p[c] = B[k, c]
    along = 0.0
    for c in range(3):
        along += (p[c] - A[2, c]) * A[3, c]
    for c in range(3):
        t[c] = p[c] - A[2, c] - along * A[3, c]


@njit(nogil=True, cache=True)
def _on_edge(A, B, gap, extent, n, a, b):
    """A gap no worse with n and nearest points made exact where the side of a cylinder is touched by an edge, or by a capsule."""
    p, q, t = np.empty(3), np.empty(3), np.empty(3)
    for side in range(2):
        C, E, sign = (A, B, -1.0) if side == 0 else (B, A, 1.0)
        if C[1, 0] <= 0.0 or E[1, 0] > 0.0 or E[0, 0] < 2.0:
            continue
        _edge(E, sign, n, p, q)
        u, uw, ww, along, other = C[3], 0.0, 0.0, 0.0, 0.0
        for c in range(3):
            w, d = q[c] - p[c], p[c] - C[2, c]
            uw, ww, along, other = uw + u[c] * w, ww + w * w, along + u[c] * d, other + w * d
            k, l = (c + 1) % 3, (c + 2) % 3
            t[c] = u[k] * (q[l] - p[l]) - u[l] * (q[k] - p[k])
        square = ww - uw * uw
        if square < (1e-6 * extent) ** 2:
            continue
        d = np.sqrt(square) if t[0] * n[0] + t[1] * n[1] + t[2] * n[2] > 0.0 else -np.sqrt(square)
        better = apart(A, B, t[0] / d, t[1] / d, t[2] / d)
        if better < gap - BETTER * extent:
            continue
        gap, on = better, (uw * along - other) / square
        for c in range(3):
            n[c] = t[c] / d
        for c in range(3):
            x, y = p[c] + on * (q[c] - p[c]), C[2, c] + (along + on * uw) * u[c] + sign * C[1, 0] * n[c]
            a[c], b[c] = (y, x) if side == 0 else (x, y)
    return gap


@njit(nogil=True, cache=True)
def _edge(E, sign, n, p, q):
    """Write the two corners of a core that are nearest along ∓n."""
    first = second = np.inf
    for k in range(2, 2 + int(E[0, 0])):
        x = sign * (n[0] * E[k, 0] + n[1] * E[k, 1] + n[2] * E[k, 2])
        if x < first:
            second = first
            q[:] = p
            first = x
            p[:] = E[k, :3]
        elif x < second:
            second = x
            q[:] = E[k, :3]
