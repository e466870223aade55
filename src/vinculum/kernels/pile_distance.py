"""The distance of two convex cores that do not meet, by the nearest point of their difference to the origin.

Gilbert, Johnson and Keerthi, IEEE J. Robot. Autom. 4 (1988) 193; regions of a triangle as in Ericson, Real-Time Collision Detection, 5.1.5.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_cores import farthest

ROUNDS = 100
CLOSE = 1e-15


@njit(nogil=True, cache=True)
def distance(A, B, sx, sy, sz, n, a, b):
    """Distance of A, moved by (sx, sy, sz), from B. Written: the unit vector n from B to A, and the nearest points a, b of A unmoved and B.

    Zero, with nothing written, if they meet.
    """
    W, P, Q, s = np.empty((4, 3)), np.empty((4, 3)), np.empty((4, 3)), np.zeros(4)
    V, part = np.empty(3), np.empty(4)
    V[0], V[1], V[2] = A[2, 0] + sx - B[2, 0], A[2, 1] + sy - B[2, 1], A[2, 2] + sz - B[2, 2]
    count, square = np.int64(0), np.inf
    for _ in range(ROUNDS):
        farthest(A, -V[0], -V[1], -V[2], P[count])
        farthest(B, V[0], V[1], V[2], Q[count])
        w = W[count]
        w[0], w[1], w[2] = (
            P[count, 0] + sx - Q[count, 0],
            P[count, 1] + sy - Q[count, 1],
            P[count, 2] + sz - Q[count, 2],
        )
        if count and V[0] * (V[0] - w[0]) + V[1] * (V[1] - w[1]) + V[2] * (V[2] - w[2]) <= CLOSE * square:
            break
        known = False
        for k in range(count):
            known = known or (W[k, 0] == w[0] and W[k, 1] == w[1] and W[k, 2] == w[2])
        if known:
            break
        made = _nearest(W, count + 1, part)
        x = y = z = 0.0
        for k in range(count + 1):
            x, y, z = x + part[k] * W[k, 0], y + part[k] * W[k, 1], z + part[k] * W[k, 2]
        if not x * x + y * y + z * z < square:
            break
        square = x * x + y * y + z * z
        V[0], V[1], V[2] = x, y, z
        kept = 0
        for k in range(count + 1):
            if part[k] > 0.0:
                s[kept] = part[k]
                for c in range(3):
                    W[kept, c], P[kept, c], Q[kept, c] = W[k, c], P[k, c], Q[k, c]
                kept += 1
        count = kept
        if square == 0.0 or made == 4 or count == 4:
            return 0.0
    d = np.sqrt(square)
    for c in range(3):
        n[c] = V[c] / d
        a[c] = b[c] = 0.0
        for k in range(count):
            a[c] += s[k] * P[k, c]
            b[c] += s[k] * Q[k, c]
    return d


@njit(nogil=True, cache=True)
def _nearest(W, count, part):
    """Write the shares of the corners in the nearest point of a simplex to the origin; 4 if the origin is inside, else 0."""
    part[:] = 0.0
    zero = np.int64(0)
    if count == 1:
        part[0] = 1.0
        return 0
    if count == 2:
        _on_segment(W, zero, zero + 1, part)
        return 0
    if count == 3:
        _on_triangle(W, zero, zero + 1, zero + 2, part)
        return 0
    best, inside = np.inf, True
    trial, chosen = np.empty(4), np.empty(4)
    for f in range(4):
        i, j, k = (f + 1) & 3, (f + 2) & 3, (f + 3) & 3
        if not _beyond(W, i, j, k, f):
            continue
        inside = False
        trial[:] = 0.0
        _on_triangle(W, i, j, k, trial)
        square = _square(W, trial)
        if square < best:
            best = square
            chosen[:] = trial
    if inside:
        return 4
    part[:] = chosen
    return 0


@njit(nogil=True, cache=True)
def _square(W, part):
    total = 0.0
    for c in range(3):
        x = part[0] * W[0, c] + part[1] * W[1, c] + part[2] * W[2, c] + part[3] * W[3, c]
        total += x * x
    return total


@njit(nogil=True, cache=True)
def _beyond(W, i, j, k, other):
    """Whether the origin is not on the side of the face (i, j, k) on which the fourth corner is."""
    e0, e1, e2 = W[j, 0] - W[i, 0], W[j, 1] - W[i, 1], W[j, 2] - W[i, 2]
    f0, f1, f2 = W[k, 0] - W[i, 0], W[k, 1] - W[i, 1], W[k, 2] - W[i, 2]
    x, y, z = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
    own = x * (W[other, 0] - W[i, 0]) + y * (W[other, 1] - W[i, 1]) + z * (W[other, 2] - W[i, 2])
    origin = -(x * W[i, 0] + y * W[i, 1] + z * W[i, 2])
    return own * origin <= 0.0


@njit(nogil=True, cache=True)
def _on_segment(W, i, j, part):
    e0, e1, e2 = W[j, 0] - W[i, 0], W[j, 1] - W[i, 1], W[j, 2] - W[i, 2]
    t = -(W[i, 0] * e0 + W[i, 1] * e1 + W[i, 2] * e2)
    square = e0 * e0 + e1 * e1 + e2 * e2
    t = min(max(t / square, 0.0), 1.0) if square > 0.0 else 0.0
    part[i], part[j] = 1.0 - t, t


@njit(nogil=True, cache=True)
def _on_triangle(W, i, j, k, part):
    e0, e1, e2 = W[j, 0] - W[i, 0], W[j, 1] - W[i, 1], W[j, 2] - W[i, 2]
    f0, f1, f2 = W[k, 0] - W[i, 0], W[k, 1] - W[i, 1], W[k, 2] - W[i, 2]
    d1, d2 = -(e0 * W[i, 0] + e1 * W[i, 1] + e2 * W[i, 2]), -(f0 * W[i, 0] + f1 * W[i, 1] + f2 * W[i, 2])
    if d1 <= 0.0 and d2 <= 0.0:
        part[i] = 1.0
        return
    d3, d4 = -(e0 * W[j, 0] + e1 * W[j, 1] + e2 * W[j, 2]), -(f0 * W[j, 0] + f1 * W[j, 1] + f2 * W[j, 2])
    if d3 >= 0.0 and d4 <= d3:
        part[j] = 1.0
        return
    c = d1 * d4 - d3 * d2
    if c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        _on_segment(W, i, j, part)
        return
    d5, d6 = -(e0 * W[k, 0] + e1 * W[k, 1] + e2 * W[k, 2]), -(f0 * W[k, 0] + f1 * W[k, 1] + f2 * W[k, 2])
    if d6 >= 0.0 and d5 <= d6:
        part[k] = 1.0
        return
    b = d5 * d2 - d1 * d6
    if b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        _on_segment(W, i, k, part)
        return
    a = d3 * d6 - d5 * d4
    if a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        _on_segment(W, j, k, part)
        return
    total = a + b + c
    part[j], part[k] = b / total, c / total
    part[i] = max(1.0 - part[j] - part[k], 0.0)
