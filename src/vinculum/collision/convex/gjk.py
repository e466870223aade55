"""GJK: the distance of two separated convex cores, as the point of their difference nearest to the origin.

Gilbert, Johnson and Keerthi, IEEE J. Robot. Autom. 4 (1988) 193; regions of a triangle as in Ericson, Real-Time Collision Detection,
5.1.5.

The simplex G (17, 3) is kept from one search to the next, which begins where the last one ended. Rows 0 to 3: its corners, differences
of points of A and B. Rows from 4 and from 8 on: these points. Rows from 12 on: their barycentric weights in the nearest point, and which
corners of A and of B they are. Row 16: the number of corners.
"""

import numpy as np

from vinculum.collision.supports import farthest
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import GJK_ROUNDS, SURE

OF_A, OF_B, SHARE, COUNT = 4, 8, 12, 16


@njit(nogil=True, cache=True, error_model="numpy")
def distance(A, B, shift, low, close, G, witness):
    """Distance of A, moved by ``shift`` (3), from B, with a relative error of at most ``close``; they must be separated.

    ``low``: a known lower bound; the search ends when it is reached. ``witness.n``: a guess of the unit vector from B to A, which is
    replaced. Writes the nearest points a, b of A (not moved) and B.
    """
    n, a, b = witness
    count, square = np.int64(G[COUNT, 0]), np.inf
    v0, v1, v2, enough = n[0], n[1], n[2], (1.0 + SURE) * low * low
    for k in range(count):
        _join(G, k, shift)
    for _ in range(GJK_ROUNDS):
        G[SHARE + count, 1] = farthest(A, -v0, -v1, -v2, G, OF_A + count)
        G[SHARE + count, 2] = farthest(B, v0, v1, v2, G, OF_B + count)
        _join(G, count, shift)
        w0, w1, w2, held = G[count, 0], G[count, 1], G[count, 2], count + 1
        if square < np.inf and v0 * (v0 - w0) + v1 * (v1 - w1) + v2 * (v2 - w2) <= close * square:
            break
        for k in range(count):
            if G[k, 0] == w0 and G[k, 1] == w1 and G[k, 2] == w2:
                held = count
        if held == count and square < np.inf:
            break
        p, q, r, s = _shares(G, held)
        x, y, z = _sum(G, 0, p, q, r, s, held)
        if not x * x + y * y + z * z < square:
            break
        square = x * x + y * y + z * z
        v0, v1, v2 = x, y, z
        count = np.int64(0)
        for k in range(held):
            share = p if k == 0 else q if k == 1 else r if k == 2 else s
            if share > 0.0:
                G[SHARE + count, 0] = share
                if count < k:
                    _copy_corner(G, k, count)
                count += 1
        if square <= enough:
            break
    G[COUNT, 0] = count
    d = np.sqrt(square)
    n[0], n[1], n[2] = v0 / d, v1 / d, v2 / d
    p, q, r = G[SHARE, 0], G[SHARE + 1, 0], G[SHARE + 2, 0]
    a[0], a[1], a[2] = _sum(G, OF_A, p, q, r, 0.0, count)
    b[0], b[1], b[2] = _sum(G, OF_B, p, q, r, 0.0, count)
    return d


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _join(G, k, shift):
    """Write the difference of point k of A, moved, and point k of B."""
    sx, sy, sz = shift
    G[k, 0] = G[OF_A + k, 0] + sx - G[OF_B + k, 0]
    G[k, 1] = G[OF_A + k, 1] + sy - G[OF_B + k, 1]
    G[k, 2] = G[OF_A + k, 2] + sz - G[OF_B + k, 2]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _copy_corner(G, k, to):
    """Copy corner k of the simplex to another position, without its weight."""
    for c in range(3):
        G[to, c], G[OF_A + to, c], G[OF_B + to, c] = G[k, c], G[OF_A + k, c], G[OF_B + k, c]
    G[SHARE + to, 1], G[SHARE + to, 2] = G[SHARE + k, 1], G[SHARE + k, 2]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _sum(G, begin, p, q, r, s, count):
    """The weighted sum of up to four rows."""
    x, y, z = p * G[begin, 0], p * G[begin, 1], p * G[begin, 2]
    if count > 1:
        x, y, z = x + q * G[begin + 1, 0], y + q * G[begin + 1, 1], z + q * G[begin + 1, 2]
    if count > 2:
        x, y, z = x + r * G[begin + 2, 0], y + r * G[begin + 2, 1], z + r * G[begin + 2, 2]
    if count > 3:
        x, y, z = x + s * G[begin + 3, 0], y + s * G[begin + 3, 1], z + s * G[begin + 3, 2]
    return x, y, z


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _shares(G, count):
    """Weights (4) of the corners in the point of a simplex nearest to the origin, which is outside the simplex.

    Of four corners the last is new, and the nearest point lies on one of its three faces.
    """
    if count == 1:
        return 1.0, 0.0, 0.0, 0.0
    if count == 2:
        p, q = _on_segment(G, 0, 1)
        return p, q, 0.0, 0.0
    if count == 3:
        p, q, r = _on_triangle(G, 0, 1, 2)
        return p, q, r, 0.0
    p, q, s = _on_triangle(G, 0, 1, 3)
    r = 0.0
    best = _square(G, p, q, r, s)
    f, g, h = _on_triangle(G, 0, 2, 3)
    square = _square(G, f, 0.0, g, h)
    if square < best:
        best, p, q, r, s = square, f, 0.0, g, h
    f, g, h = _on_triangle(G, 1, 2, 3)
    if _square(G, 0.0, f, g, h) < best:
        p, q, r, s = 0.0, f, g, h
    return p, q, r, s


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _square(G, p, q, r, s):
    x, y, z = _sum(G, 0, p, q, r, s, 4)
    return x * x + y * y + z * z


@njit(nogil=True, cache=True, error_model="numpy")
def _on_segment(G, i, j):
    """Weights of both ends in the nearest point of a segment."""
    e0, e1, e2 = G[j, 0] - G[i, 0], G[j, 1] - G[i, 1], G[j, 2] - G[i, 2]
    t = -(G[i, 0] * e0 + G[i, 1] * e1 + G[i, 2] * e2)
    square = e0 * e0 + e1 * e1 + e2 * e2
    t = min(max(t / square, 0.0), 1.0) if square > 0.0 else 0.0
    return 1.0 - t, t


@njit(nogil=True, cache=True, error_model="numpy")
def _on_triangle(G, i, j, k):
    """Weights of the corners in the nearest point of a triangle."""
    w0, w1, w2 = G[i, 0], G[i, 1], G[i, 2]
    e0, e1, e2 = G[j, 0] - w0, G[j, 1] - w1, G[j, 2] - w2
    f0, f1, f2 = G[k, 0] - w0, G[k, 1] - w1, G[k, 2] - w2
    d1, d2 = -(e0 * w0 + e1 * w1 + e2 * w2), -(f0 * w0 + f1 * w1 + f2 * w2)
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3, d4 = -(e0 * G[j, 0] + e1 * G[j, 1] + e2 * G[j, 2]), -(f0 * G[j, 0] + f1 * G[j, 1] + f2 * G[j, 2])
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    c = d1 * d4 - d3 * d2
    if c <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        p, q = _on_segment(G, i, j)
        return p, q, 0.0
    d5, d6 = -(e0 * G[k, 0] + e1 * G[k, 1] + e2 * G[k, 2]), -(f0 * G[k, 0] + f1 * G[k, 1] + f2 * G[k, 2])
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    b = d5 * d2 - d1 * d6
    if b <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        p, q = _on_segment(G, i, k)
        return p, 0.0, q
    a = d3 * d6 - d5 * d4
    if a <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        p, q = _on_segment(G, j, k)
        return 0.0, p, q
    total = a + b + c
    if not total > 0.0:
        p, q = _on_segment(G, i, j)
        return p, q, 0.0
    return max(1.0 - b / total - c / total, 0.0), b / total, c / total
