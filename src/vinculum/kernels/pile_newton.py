r"""Newton's method on the natural map where few contacts keep sweeps from settling.

.. math:: P = \mathrm{proj}\bigl(P - (u + \varepsilon\,w\,(P - \bar P))/w\bigr),\qquad \varepsilon \to 0

Where contacts outnumber freedoms W is singular; the proximal term makes every step regular, and the last P̄ takes it out again.
Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)

LARGEST = 60
NEAREST = (1e-3, 1e-5, 1e-7, 1e-7)
"""Contacts that are taken together, and the sizes of the proximal term, one after the other."""
ITERATIONS = 10


@njit(nogil=True, cache=True)
def newton(m, is_round, contacts, bodies, mu, P, u, tolerance, out):
    """Write impulses (m, 3) to ``out`` that solve the law where it is missed most, with the impulses of all other contacts as they are.

    ``u`` (m, 3): velocities at the impulses P, the normal ones less their targets.
    """
    who, frame, arms, wide, _W, weight, _target = contacts
    chosen = _worst(m, who, weight, mu, P, u, bodies[0])
    count = len(chosen)
    D = _delassus(chosen, is_round, who, frame, arms, wide, bodies)
    w, p, free = np.empty(3 * count), np.empty(3 * count), np.empty(3 * count)
    for c in range(m):
        out[c, 0], out[c, 1], out[c, 2] = P[c, 0], P[c, 1], P[c, 2]
    for a in range(count):
        for k in range(3):
            w[3 * a + k] = weight[chosen[a], 0 if k == 0 else 1]
            p[3 * a + k], free[3 * a + k] = P[chosen[a], k], u[chosen[a], k]
    start = p.copy()
    for near in NEAREST:
        _settle(D, w, free, start, p.copy(), near, mu, p)
        if _defect(_velocities(D, free, start, p, 0.0, p, w), w, mu, p)[0] <= 0.1 * tolerance * np.sqrt((p * p).sum()):
            break
    for a in range(count):
        for k in range(3):
            out[chosen[a], k] = p[3 * a + k]


@njit(nogil=True, cache=True)
def _worst(m, who, weight, mu, P, u, lightness):
    """The contact at which the natural map has the largest defect, and those around it, ring by ring."""
    worst, most = 0, -1.0
    live = np.zeros(m, dtype=np.bool_)
    for c in range(m):
        p = max(P[c, 0] - u[c, 0] * weight[c, 0], 0.0)
        live[c] = p > 0.0 or P[c, 0] > 0.0
        q, r = P[c, 1] - u[c, 1] * weight[c, 1], P[c, 2] - u[c, 2] * weight[c, 1]
        slip, limit = np.sqrt(q * q + r * r), mu * P[c, 0]
        if slip > limit:
            q, r = q * limit / slip, r * limit / slip
        defect = (p - P[c, 0]) ** 2 + (q - P[c, 1]) ** 2 + (r - P[c, 2]) ** 2
        if defect > most:
            worst, most = c, defect
    ring = np.full(len(lightness), -1)
    ring[who[worst, 0]] = ring[who[worst, 1]] = 0
    chosen, taken, count = np.empty(m, dtype=np.int64), np.zeros(m, dtype=np.bool_), 0
    for turn in range(m):
        before = count
        for c in range(m):
            i, j = who[c, 0], who[c, 1]
            if not live[c] or taken[c] or count >= LARGEST:
                continue
            if (lightness[i] > 0.0 and 0 <= ring[i] <= turn) or (lightness[j] > 0.0 and 0 <= ring[j] <= turn):
                chosen[count] = c
                taken[c] = True
                count += 1
                for body in (i, j):
                    if ring[body] < 0:
                        ring[body] = turn + 1
        if count == before or count >= LARGEST:
            break
    return chosen[:count]


@njit(nogil=True, cache=True)
def _velocities(D, free, start, p, near, anchor, w):
    """free + D (p − start) + ε w⁻¹ (p − anchor)."""
    n = len(p)
    u = np.empty(n)
    for i in range(n):
        s = free[i] + near * (p[i] - anchor[i]) / w[i]
        for j in range(n):
            s += D[i, j] * (p[j] - start[j])
        u[i] = s
    return u


@njit(nogil=True, cache=True)
def _settle(D, w, free, start, anchor, near, mu, p):
    """Newton's steps, shortened where the defect does not fall, for one proximal term; p is written."""
    n = len(p)
    J, new = np.empty((n, n)), np.empty(n)
    for _ in range(ITERATIONS):
        u = _velocities(D, free, start, p, near, anchor, w)
        size, r = _defect(u, w, mu, p)
        if size <= 1e-14 * np.sqrt((p * p).sum()) or size == 0.0:
            return
        for c in range(0, n, 3):
            _rows(c, D, w, u, near, mu, p, J, r)
        if not _eliminated(J, r):
            return
        length = 1.0
        for _ in range(8):
            for i in range(n):
                new[i] = p[i] - length * r[i]
            if _defect(_velocities(D, free, start, new, near, anchor, w), w, mu, new)[0] < (1.0 - 1e-4 * length) * size:
                break
            length *= 0.5
        p[:] = new


@njit(nogil=True, cache=True)
def _rows(c, D, w, u, near, mu, p, J, r):
    """Write the three rows of the slope of the natural map at one contact."""
    n = len(p)
    for k in range(3):
        for j in range(n):
            J[c + k, j] = w[c + k] * D[c + k, j]
        J[c + k, c + k] += near
    if p[c] - u[c] * w[c] <= 0.0:
        for k in range(3):
            for j in range(n):
                J[c + k, j] = 0.0
            J[c + k, c + k] = 1.0
            r[c + k] = p[c + k]
        return
    x, y = p[c + 1] - u[c + 1] * w[c + 1], p[c + 2] - u[c + 2] * w[c + 2]
    slip, limit = np.sqrt(x * x + y * y), mu * max(p[c], 0.0)
    if slip > limit:
        x, y = x / slip, y / slip
        s = limit / slip
        a, b, e = s * (1.0 - x * x), -s * x * y, s * (1.0 - y * y)
        for j in range(n):
            f, g = J[c + 1, j], J[c + 2, j]
            J[c + 1, j], J[c + 2, j] = a * f + b * g, b * f + e * g
        J[c + 1, c + 1] += 1.0 - a
        J[c + 1, c + 2] -= b
        J[c + 2, c + 1] -= b
        J[c + 2, c + 2] += 1.0 - e
        J[c + 1, c] -= mu * x
        J[c + 2, c] -= mu * y


@njit(nogil=True, cache=True)
def _eliminated(A, b):
    """Solve A x = b in place of b by elimination with pivots of columns; False where A is singular."""
    n = len(b)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if A[best, k] == 0.0:
            return False
        if best != k:
            for j in range(k, n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
            b[k], b[best] = b[best], b[k]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                s = A[i, k] / A[k, k]
                for j in range(k + 1, n):
                    A[i, j] -= s * A[k, j]
                b[i] -= s * b[k]
    for k in range(n - 1, -1, -1):
        s = b[k]
        for j in range(k + 1, n):
            s -= A[k, j] * b[j]
        b[k] = s / A[k, k]
    return True


@njit(nogil=True, cache=True)
def _defect(u, w, mu, p):
    """Size and entries of P − proj(P − u w)."""
    r = np.empty(len(p))
    total = 0.0
    for c in range(0, len(p), 3):
        r[c] = p[c] - max(p[c] - u[c] * w[c], 0.0)
        x, y = p[c + 1] - u[c + 1] * w[c + 1], p[c + 2] - u[c + 2] * w[c + 2]
        slip, limit = np.sqrt(x * x + y * y), mu * max(p[c], 0.0)
        if slip > limit:
            x, y = x * limit / slip, y * limit / slip
        r[c + 1], r[c + 2] = p[c + 1] - x, p[c + 2] - y
        total += r[c] ** 2 + r[c + 1] ** 2 + r[c + 2] ** 2
    return np.sqrt(total), r


@njit(nogil=True, cache=True)
def _delassus(chosen, is_round, who, frame, arms, wide, bodies):
    """What impulses at the chosen contacts do to their velocities, (3 n, 3 n)."""
    lightness, spin = bodies
    n = len(chosen)
    A, B = np.zeros((n, 2, 3, 3)), np.zeros((n, 2, 3, 3))
    for a in range(n):
        c = chosen[a]
        for side in range(2):
            if is_round:
                r, s = (-arms[c, 0] if side == 0 else arms[c, 1]), spin[who[c, side]]
                for d in range(3):
                    A[a, side, 1, d], A[a, side, 2, d] = r * frame[c, 2, d], -r * frame[c, 1, d]
                    B[a, side, 1, d], B[a, side, 2, d] = s * A[a, side, 1, d], s * A[a, side, 2, d]
            else:
                A[a, side], B[a, side] = wide[c, side], wide[c, 2 + side]
    D = np.zeros((3 * n, 3 * n))
    for a in range(n):
        for b in range(a, n):
            for i in range(2):
                body = who[chosen[a], i]
                for j in range(2):
                    if who[chosen[b], j] != body or (lightness[body] == 0.0):
                        continue
                    sign = 1.0 if i == j else -1.0
                    for k in range(3):
                        for h in range(3):
                            s = 0.0
                            for d in range(3):
                                s += (
                                    lightness[body] * frame[chosen[a], k, d] * frame[chosen[b], h, d]
                                    + A[a, i, k, d] * B[b, j, h, d]
                                )
                            D[3 * a + k, 3 * b + h] += sign * s
            if b > a:
                for k in range(3):
                    for h in range(3):
                        D[3 * b + h, 3 * a + k] = D[3 * a + k, 3 * b + h]
    return D
