r"""Newton's method on the natural map of few contacts, for impulses that sweeps do not settle.

.. math:: P = \mathrm{proj}\bigl(P - (u + \varepsilon\,w\,(P - \bar P))/w\bigr),\qquad \varepsilon \to 0

Where contacts outnumber freedoms W is singular; the proximal term makes every step regular, and the last P̄ takes it out again.
Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)

LARGEST = 350
NEAREST = (1e-3, 1e-4, 1e-5, 1e-6, 1e-6, 1e-7, 1e-7, 1e-7)
"""Most contacts with impulses, and the sizes of the proximal term, one after the other."""
ITERATIONS = 12


@njit(nogil=True, cache=True)
def newton(m, is_round, contacts, bodies, mu, P, u, tolerance, out):
    """Write impulses (m, 3) to ``out`` and say whether they were found: False where too many contacts have one.

    ``u`` (m, 3): velocities at the impulses P, the normal ones less their targets. Contacts that are open here stay open.
    """
    who, frame, arms, wide, W, weight, target = contacts
    chosen = np.empty(m, dtype=np.int64)
    count = 0
    for c in range(m):
        out[c, 0], out[c, 1], out[c, 2] = P[c, 0], P[c, 1], P[c, 2]
        if P[c, 0] - u[c, 0] * weight[c, 0] > 0.0 or P[c, 0] > 0.0:
            chosen[count] = c
            count += 1
    if count == 0 or count > LARGEST:
        return False
    chosen = chosen[:count]
    D = _delassus(chosen, is_round, who, frame, arms, wide, bodies)
    w = np.empty(3 * count)
    p, free = np.empty(3 * count), np.empty(3 * count)
    for a in range(count):
        for k in range(3):
            w[3 * a + k] = weight[chosen[a], 0 if k == 0 else 1]
            p[3 * a + k], free[3 * a + k] = P[chosen[a], k], u[chosen[a], k]
    start, begun = p.copy(), free.copy()
    for near in NEAREST:
        anchor = p.copy()
        _settle(D, w, begun, start, anchor, near, mu, p)
        full = begun + D @ (p - start)
        if _defect(full, w, mu, p)[0] <= 0.3 * tolerance * np.sqrt((p * p).sum()):
            break
    for a in range(count):
        for k in range(3):
            out[chosen[a], k] = p[3 * a + k]
    return True


@njit(nogil=True, cache=True)
def _settle(D, w, begun, start, anchor, near, mu, p):
    """Newton's steps, shortened where the defect does not fall, for one proximal term; p is written."""
    n = len(p)
    J = np.empty((n, n))
    for _ in range(ITERATIONS):
        u = begun + D @ (p - start) + near * (p - anchor) / w
        size, r = _defect(u, w, mu, p)
        if size <= 1e-14 * np.sqrt((p * p).sum()) or size == 0.0:
            return
        for c in range(0, n, 3):
            for k in range(3):
                J[c + k] = w[c + k] * D[c + k]
                J[c + k, c + k] += near
            z = p[c] - u[c] * w[c]
            if z <= 0.0:
                for k in range(3):
                    J[c + k] = 0.0
                    J[c + k, c + k] = 1.0
                    r[c + k] = p[c + k]
                continue
            x, y = p[c + 1] - u[c + 1] * w[c + 1], p[c + 2] - u[c + 2] * w[c + 2]
            slip, limit = np.sqrt(x * x + y * y), mu * max(p[c], 0.0)
            if slip > limit:
                x, y = x / slip, y / slip
                s = limit / slip
                a, b, e = s * (1.0 - x * x), -s * x * y, s * (1.0 - y * y)
                first, second = J[c + 1].copy(), J[c + 2].copy()
                J[c + 1] = a * first + b * second
                J[c + 2] = b * first + e * second
                J[c + 1, c + 1] += 1.0 - a
                J[c + 1, c + 2] -= b
                J[c + 2, c + 1] -= b
                J[c + 2, c + 2] += 1.0 - e
                J[c + 1, c] -= mu * x
                J[c + 2, c] -= mu * y
        step = np.linalg.solve(J, r)
        length = 1.0
        for _ in range(8):
            new = p - length * step
            if _defect(begun + D @ (new - start) + near * (new - anchor) / w, w, mu, new)[0] < (1.0 - 1e-4 * length) * size:
                break
            length *= 0.5
        p[:] = new


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
                                s += lightness[body] * frame[chosen[a], k, d] * frame[chosen[b], h, d] + A[a, i, k, d] * B[b, j, h, d]
                            D[3 * a + k, 3 * b + h] += sign * s
            if b > a:
                for k in range(3):
                    for h in range(3):
                        D[3 * b + h, 3 * a + k] = D[3 * a + k, 3 * b + h]
    return D
