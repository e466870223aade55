r"""Simultaneous impulses by pivoting with polygonal friction cones: exact in the plane, and a start for Newton's method in space.

.. math:: P_T = \sum_k \beta_k d_k,\qquad 0 \le P_N - P_{min} \perp u_N - \hat u_N \ge 0,\quad
   0 \le \beta_k \perp d_k\cdot u_T + \lambda \ge 0,\quad 0 \le \lambda \perp P_N - \sum_k \beta_k \ge 0

Lemke's path ends in a solution, or in a ray if it finds none. Redundant rows do not harm it, unlike sweeps. Lemke, Manage. Sci. 11
(1965) 681; Stewart and Trinkle, Int. J. Numer. Methods Eng. 39 (1996) 2673.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.algebra import between, product, transposed_product
from vinculum.contact.dense.gauss_seidel import presser
from vinculum.contact.dense.newton import eliminate
from vinculum.tolerances.contact import CORNERS_OF_A_CONE, LARGEST_TABLE, MOST_PIVOTS, NO_PIVOT, TIED_RATIOS


@njit(nogil=True, cache=True)
def pivot(W, free, target, least, mu, P):
    """Write a solution to P and return whether one was found; ``W``, ``free``, … as for `impulses`.

    Each polygon has a corner in the direction of P.
    """
    rows, ways, pressing, polygons = _corners(W, mu, P)
    size, begun = len(P), np.zeros(len(P))
    for c in range(len(target)):
        if presser(mu, c) < 0 and W[3 * c, 3 * c] > 0.0:
            begun[3 * c] = least[c]
    k, N, sets = len(rows), 0, 0
    for a in range(k):
        N += pressing[a] < 0
        sets = max(sets, polygons[a] + 1)
    if k + sets > LARGEST_TABLE:
        return False
    A, q, scale, D = np.zeros((k + sets, k + sets)), np.zeros(k + sets), np.ones(k + sets), np.zeros((k, size))
    for a in range(k):
        for side in range(2):
            if rows[a, side] >= 0:
                D[a, rows[a, side]] = ways[a, side]
    inner = between(D, W, D)
    for a in range(k):
        for c in range(k):
            A[a, c] = inner[a, c]
    u, x = np.empty(size), np.zeros(k + sets)
    product(W, begun, u)
    for a in range(k):
        for i in range(size):
            q[a] += D[a, i] * (u[i] + free[i])
        if a < N:
            q[a] -= target[rows[a, 0] // 3]
        scale[a] = 1.0 / np.sqrt(A[a, a]) if A[a, a] > 0.0 else 1.0
    for a in range(N, k):
        s = k + polygons[a]
        A[a, s], A[s, a] = 1.0, -1.0
        A[s, pressing[a]] = 1.0
        scale[s], q[s] = 1.0 / scale[a], begun[rows[pressing[a], 0]]
    for i in range(k + sets):
        q[i] *= scale[i]
        for j in range(k + sets):
            A[i, j] *= scale[i] * scale[j]
    if not _complementary(A, q, x):
        return False
    for a in range(k):
        x[a] *= scale[a]
    transposed_product(D, x[:k], P)
    for i in range(size):
        P[i] += begun[i]
    return True


@njit(nogil=True, cache=True)
def _corners(W, mu, P):
    """Directions of the unknowns: normals first, then corners of polygons.

    Rows (k, 2), −1 if there is none; components ``ways`` (k, 2) along them; for corners, the unknown (k,) that limits them and the
    number (k,) of their polygon.
    """
    m = len(P) // 3
    most = m * (2 + CORNERS_OF_A_CONE)
    rows, ways = np.full((most, 2), -1), np.zeros((most, 2))
    pressing, polygons = np.full(most, -1), np.full(most, -1)
    place, k, sets = np.full(m, -1), 0, 0
    for c in range(m):
        if presser(mu, c) < 0 and W[3 * c, 3 * c] > 0.0:
            rows[k, 0], ways[k, 0], place[c] = 3 * c, 1.0, k
            k += 1
    for c in range(m):
        o = presser(mu, c)
        limit = place[c if o < 0 else o]
        # Part 0 is spinning about a normal; part 1 is slip or rolling.
        for part in range(1 if o < 0 else 0, 2):
            i = 3 * c + part
            a = mu[c, 0] if o < 0 or part == 0 else mu[c, 1]
            b = 0.0 if part == 0 else mu[c, 1]
            first, second = a > 0.0 and W[i, i] > 0.0, b > 0.0 and W[i + part, i + part] > 0.0
            if limit < 0 or not (first or second):
                continue
            both = first and second
            angle = np.arctan2(P[i + 1] / b, P[i] / a) if both else 0.0 if first else 0.5 * np.pi
            count = CORNERS_OF_A_CONE if both else 2
            for j in range(count):
                turned = angle + 2.0 * np.pi * j / count
                rows[k, 0], ways[k, 0] = i if first else -1, a * np.cos(turned)
                rows[k, 1], ways[k, 1] = i + 1 if second else -1, b * np.sin(turned)
                pressing[k], polygons[k] = limit, sets
                k += 1
            sets += 1
    return rows[:k], ways[:k], pressing[:k], polygons[:k]


@njit(nogil=True, cache=True)
def _complementary(A, q, x):
    """Find x (n,) with 0 ≤ x ⟂ A x + q ≥ 0 by Lemke's pivots; returns whether it was found."""
    n, size, row = len(q), 0.0, 0
    for i in range(n):
        x[i] = 0.0
        if q[i] < q[row]:
            row = i
    size = -q[row]
    if not size > 0.0:
        return size == size
    T, basis = np.zeros((n, 2 * n + 2)), np.arange(n)
    for i in range(n):
        T[i, i] = 1.0
        for j in range(n):
            T[i, n + j] = -A[i, j]
        T[i, 2 * n], T[i, 2 * n + 1] = -1.0, q[i] / size
    enters = 2 * n
    for _ in range(MOST_PIVOTS * n):
        _pivot(T, row, enters)
        left, basis[row] = basis[row], enters
        if left == 2 * n:
            return _solve_basis(A, q, basis, x)
        enters = left + n if left < n else left - n
        row = _leaves(T, basis, enters)
        if row < 0:
            return False
    return False


@njit(nogil=True, cache=True)
def _pivot(T, row, column):
    pivot = T[row, column]
    for j in range(T.shape[1]):
        T[row, j] /= pivot
    for i in range(len(T)):
        f = T[i, column]
        if i != row and f != 0.0:
            for j in range(T.shape[1]):
                T[i, j] -= f * T[row, j]


@njit(nogil=True, cache=True)
def _leaves(T, basis, enters):
    """The row whose variable leaves the basis, with the largest pivot among ties; −1 on a ray.

    The artificial variable leaves as soon as possible.
    """
    n, top, least, row = len(T), 1.0, np.inf, -1
    for i in range(n):
        top = max(top, abs(T[i, enters]))
    for i in range(n):
        if T[i, enters] > NO_PIVOT * top:
            least = min(least, T[i, 2 * n + 1] / T[i, enters])
    for i in range(n):
        if T[i, enters] > NO_PIVOT * top and T[i, 2 * n + 1] / T[i, enters] <= least + TIED_RATIOS * (1.0 + abs(least)):
            if basis[i] == 2 * n:
                return i
            if row < 0 or T[i, enters] > T[row, enters]:
                row = i
    return row


@njit(nogil=True, cache=True)
def _solve_basis(A, q, basis, x):
    """Recompute the unknowns of a basis without the round-off of all pivots before it; returns whether that succeeded."""
    n = len(q)
    S, b = np.zeros((n, n)), np.empty(n)
    for j in range(n):
        for i in range(n):
            S[i, j] = -A[i, basis[j] - n] if basis[j] >= n else 1.0 if i == basis[j] else 0.0
        b[j] = q[j]
    if not eliminate(S, b):
        return False
    for j in range(n):
        if basis[j] >= n:
            x[basis[j] - n] = max(b[j], 0.0)
    return True
