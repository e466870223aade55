r"""Exact separating directions of shapes of all kinds by Newton's method, from the final points of a distance search.

A core has parts with smooth supports: corners, rims of cylinders and cones, an ellipsoid. The nearest point a of a core is on one part, or
between points a₀ and a₁ of two parts that are equally far along n, on an edge or on the line of a side. With the weights s and t of the
second points the largest f(n) of two cores solves

.. math:: a(n, s) - b(n, t) = \lambda n,\qquad |n| = 1,\qquad n\cdot(a_1 - a_0) = 0,\qquad n\cdot(b_1 - b_0) = 0

and λ is their signed distance. The slopes of a point along a unit direction are those of its support function: (r/|n⊥|) v vᵀ for a rim,
(1 − x̂ x̂ᵀ) in the space of an ellipsoid where it is the unit ball.
"""

import numpy as np

from vinculum.collision.convex.gjk import COUNT, SHARE
from vinculum.collision.supports import FIRST, apart, half_width, is_cone
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import AXIS_DONE, AXIS_LONGEST, AXIS_STEPS, NEAREST_POINTS

N, LENGTH, S, T, RIGHT, ROWS = 0, 3, 4, 5, 6, 6
"""Where the unknowns n, λ, s and t are in the equations, their right-hand side, and the number of equations."""
ONE = np.int64(-1)
"""The second part of a core whose nearest point is on one part."""


@njit(nogil=True, cache=True, error_model="numpy")
def refine_normal(gap, slack, witness, workspace):
    """The maximum of f ≥ ``gap`` − ``slack`` near n, −∞ if none is found, and whether it is certain.

    The witness is replaced. The simplex of the search is read.
    """
    A, B, G = workspace.first, workspace.second, workspace.simplex
    n, a, b = witness
    A0, A1, s = _parts(A, G, 1)
    B0, B1, t = _parts(B, G, 2)
    if (A[1, 0] == 0.0 and A1 == ONE and _corners(G, 1) > 1) or (B[1, 0] == 0.0 and B1 == ONE and _corners(G, 2) > 1):
        return -np.inf, False
    E, P, x = np.empty((ROWS, ROWS + 1)), np.empty((4, 3)), np.empty(3)
    x[0], x[1], x[2] = n[0], n[1], n[2]
    length, done = gap, False
    for _ in range(AXIS_STEPS):
        _write_equations(A, B, (A0, A1, B0, B1), (s, t), length, x, P, E)
        if not _eliminate(E):
            return -np.inf, False
        size = np.sqrt(E[0, RIGHT] ** 2 + E[1, RIGHT] ** 2 + E[2, RIGHT] ** 2)
        if not size < np.inf:
            return -np.inf, False
        short = min(1.0, AXIS_LONGEST / max(size, AXIS_LONGEST))
        for c in range(3):
            x[c] += short * E[c, RIGHT]
        length, s, t = length + short * E[LENGTH, RIGHT], s + short * E[S, RIGHT], t + short * E[T, RIGHT]
        d = np.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
        for c in range(3):
            x[c] /= d
        if size < AXIS_DONE:
            done = True
            break
    if not done:
        return -np.inf, False
    value = apart(A, B, x[0], x[1], x[2])
    if not value >= gap - slack:
        return -np.inf, False
    _write_equations(A, B, (A0, A1, B0, B1), (s, t), value, x, P, E)
    error = 0.0
    for c in range(3):
        n[c] = x[c]
        a[c], b[c] = (1.0 - s) * P[0, c] + s * P[1, c], (1.0 - t) * P[2, c] + t * P[3, c]
        error += abs(a[c] - b[c] - value * x[c])
    inside = 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0 and error <= NEAREST_POINTS * slack
    return value, inside and (value >= 0.0 or _is_largest(E, A1 != ONE, B1 != ONE, x))


@njit(nogil=True, cache=True, error_model="numpy")
def _corners(G, column):
    """Number of different corners of a core in the simplex."""
    count, made = np.int64(G[COUNT, 0]), np.int64(0)
    for k in range(count):
        new = True
        for e in range(k):
            new = new and G[SHARE + e, column] != G[SHARE + k, column]
        made += new
    return made


@njit(nogil=True, cache=True, error_model="numpy")
def _parts(K, G, column):
    """The part or both parts of a core that hold its nearest point, and the weight of the second."""
    count = np.int64(G[COUNT, 0])
    first, second, share = np.int64(G[SHARE, column]), ONE, 0.0
    if _corners(G, column) != 2:
        return first, ONE, 0.0
    for k in range(1, count):
        if np.int64(G[SHARE + k, column]) != first:
            second = np.int64(G[SHARE + k, column])
            share += G[SHARE + k, 0]
    return first, second, share


@njit(nogil=True, cache=True, error_model="numpy")
def _write_equations(A, B, parts, weights, length, x, P, E):
    """Write the equations for a step of n, λ, s and t; the points of both parts of both cores are written to P."""
    (A0, A1, B0, B1), (s, t) = parts, weights
    for r in range(ROWS):
        for c in range(ROWS + 1):
            E[r, c] = 0.0
    _put_point(A, A0, -1.0, 1.0 - s, x, P, 0, E)
    _put_point(A, A0 if A1 == ONE else A1, -1.0, s, x, P, 1, E)
    _put_point(B, B0, 1.0, 1.0 - t, x, P, 2, E)
    _put_point(B, B0 if B1 == ONE else B1, 1.0, t, x, P, 3, E)
    for c in range(3):
        of_a, of_b = P[1, c] - P[0, c], P[3, c] - P[2, c]
        E[c, c] -= length
        E[c, LENGTH] = E[LENGTH, c] = -x[c]
        E[c, S] = E[S, c] = of_a
        E[c, T] = E[T, c] = -of_b
        E[c, RIGHT] = length * x[c] - (P[0, c] + s * of_a) + (P[2, c] + t * of_b)
        E[S, RIGHT] -= of_a * x[c]
        E[T, RIGHT] += of_b * x[c]
    for one, row in ((A1, S), (B1, T)):
        if one == ONE:
            for c in range(3):
                E[c, row] = E[row, c] = 0.0
            E[row, row], E[row, RIGHT] = 1.0, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _put_point(K, part, sign, weight, x, P, row, E):
    """Write the support point of a part of a core along ``sign`` n to a row of P, and subtract its slopes, weighed, from the equations."""
    r = K[1, 0]
    if r == 0.0:
        P[row, 0], P[row, 1], P[row, 2] = K[FIRST + part, 0], K[FIRST + part, 1], K[FIRST + part, 2]
        return
    if r < 0.0:
        w = half_width(K, x[0], x[1], x[2])
        for k in range(3):
            P[row, k] = 0.0
        for c in range(FIRST + 1, FIRST + 4):
            y = (x[0] * K[c, 0] + x[1] * K[c, 1] + x[2] * K[c, 2]) / w
            for k in range(3):
                P[row, k] += y * K[c, k]
        y0, y1, y2 = P[row, 0], P[row, 1], P[row, 2]
        for i in range(3):
            for k in range(3):
                square = K[FIRST + 1, i] * K[FIRST + 1, k] + K[FIRST + 2, i] * K[FIRST + 2, k]
                square += K[FIRST + 3, i] * K[FIRST + 3, k]
                E[i, k] -= weight * (square - P[row, i] * P[row, k]) / w
        P[row, 0], P[row, 1], P[row, 2] = K[FIRST, 0] + sign * y0, K[FIRST, 1] + sign * y1, K[FIRST, 2] + sign * y2
        return
    u0, u1, u2, h = K[FIRST + 1, 0], K[FIRST + 1, 1], K[FIRST + 1, 2], K[1, 1] * (2.0 * part - 1.0)
    P[row, 0], P[row, 1], P[row, 2] = K[FIRST, 0] + h * u0, K[FIRST, 1] + h * u1, K[FIRST, 2] + h * u2
    if part == 1 and is_cone(K):
        return
    along = x[0] * u0 + x[1] * u1 + x[2] * u2
    m0, m1, m2 = x[0] - along * u0, x[1] - along * u1, x[2] - along * u2
    rho = np.sqrt(m0 * m0 + m1 * m1 + m2 * m2)
    m0, m1, m2 = m0 / rho, m1 / rho, m2 / rho
    P[row, 0], P[row, 1], P[row, 2] = P[row, 0] + sign * r * m0, P[row, 1] + sign * r * m1, P[row, 2] + sign * r * m2
    v0, v1, v2 = u1 * m2 - u2 * m1, u2 * m0 - u0 * m2, u0 * m1 - u1 * m0
    for i in range(3):
        for k in range(3):
            p, q = (v0 if i == 0 else v1 if i == 1 else v2), (v0 if k == 0 else v1 if k == 1 else v2)
            E[i, k] -= weight * r / rho * p * q


@njit(nogil=True, cache=True, error_model="numpy")
def _eliminate(E):
    """Solve the equations in place, by Gauss's elimination with the largest pivot of each column; whether they have a solution."""
    for k in range(ROWS):
        best = k
        for r in range(k + 1, ROWS):
            if abs(E[r, k]) > abs(E[best, k]):
                best = r
        if E[best, k] == 0.0:
            return False
        for c in range(ROWS + 1):
            E[k, c], E[best, c] = E[best, c], E[k, c]
        for r in range(ROWS):
            if r != k:
                factor = E[r, k] / E[k, k]
                for c in range(k, ROWS + 1):
                    E[r, c] -= factor * E[k, c]
    for k in range(ROWS):
        E[k, RIGHT] /= E[k, k]
    return True


@njit(nogil=True, cache=True, error_model="numpy")
def _is_largest(E, tied_a, tied_b, x):
    """Whether f is a maximum, in penetration: its second derivatives are negative in the directions that n may take.

    They are those of the equations. With both cores tied, n has no such direction.
    """
    if tied_a and tied_b:
        return True
    e = np.empty(3)
    if tied_a or tied_b:
        row = S if tied_a else T
        w0, w1, w2 = E[row, 0], E[row, 1], E[row, 2]
        e[0], e[1], e[2] = x[1] * w2 - x[2] * w1, x[2] * w0 - x[0] * w2, x[0] * w1 - x[1] * w0
        return _second(E, e, e) < 0.0
    if abs(x[0]) < 0.6:
        e[0], e[1], e[2] = 0.0, x[2], -x[1]
    else:
        e[0], e[1], e[2] = -x[2], 0.0, x[0]
    t = np.array([x[1] * e[2] - x[2] * e[1], x[2] * e[0] - x[0] * e[2], x[0] * e[1] - x[1] * e[0]])
    ee, tt, et = _second(E, e, e), _second(E, t, t), _second(E, e, t)
    return ee < 0.0 and ee * tt > et * et


@njit(nogil=True, cache=True, error_model="numpy")
def _second(E, e, t):
    total = 0.0
    for i in range(3):
        for k in range(3):
            total += e[i] * E[i, k] * t[k]
    return total
