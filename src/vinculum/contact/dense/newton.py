r"""Newton's method on the natural map of simultaneous contacts, used if sweeps do not converge.

.. math:: P = \mathrm{proj}\bigl(P - (u + \varepsilon\,w\,(P - \bar P))/w\bigr),\qquad \varepsilon \to 0

Alart and Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353; Rockafellar, SIAM J. Control Optim. 14 (1976) 877.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.arrays import Proximal
from vinculum.tolerances.contact import (
    NEWTON_ASTRAY,
    NEWTON_ITERATIONS,
    NEWTON_SETTLED,
    PROXIMAL_ROUNDS,
    PROXIMAL_SIZES,
    SHORTEST_STEP,
    SUFFICIENT_DECREASE,
)
from vinculum.tolerances.round_off import NEXT_TO_ZERO


class Disc(NamedTuple):
    """One or two numbers from ``i`` on that lie in a disc of radius ``limit`` = μ p[pressure]."""

    i: int
    size: int
    limit: float
    mu: float
    pressure: int


@njit(nogil=True, cache=True)
def newton(problem, P):
    """Impulses (n,) with a smaller residual than P, if Newton's method converges. Friction is circular here."""
    n, W = len(P), problem.W
    rho, limits = np.empty(n), _pressers(problem.mu, n)
    for c in range(n // 3):
        i = 3 * c
        a, b, e = W[i + 1, i + 1], W[i + 2, i + 2], W[i + 1, i + 2]
        w = 0.5 * (a + b) + np.sqrt(0.25 * (a - b) ** 2 + e * e)
        rho[i] = 1.0 / W[i, i] if W[i, i] > 0.0 else 0.0
        rho[i + 1] = rho[i + 2] = 1.0 / w if w > 0.0 else 0.0
    p, anchor = P.copy(), P.copy()
    for k in range(PROXIMAL_ROUNDS):
        near = PROXIMAL_SIZES[min(k, len(PROXIMAL_SIZES) - 1)]
        left = _settle(problem, Proximal(limits, rho, anchor, near), p)
        change = size = 0.0
        for i in range(n):
            change = max(change, abs(p[i] - anchor[i]))
            size = max(size, abs(p[i]))
            anchor[i] = p[i]
        if not np.isfinite(size):
            return P.copy()
        if k >= len(PROXIMAL_SIZES) - 1 and (change <= NEWTON_SETTLED * size or left > NEWTON_ASTRAY * size):
            break
    return p


@njit(nogil=True, cache=True)
def _pressers(mu, n):
    """The row of the normal impulse that limits each triple about axes; −1 for triples of unilateral constraints."""
    found = np.empty(n // 3, dtype=np.int64)
    for c in range(n // 3):
        found[c] = 3 * int(mu[c, 2]) if mu.shape[1] > 2 and mu[c, 2] >= 0.0 else -1
    return found


@njit(nogil=True, cache=True)
def _settle(problem, proximal, p):
    """Newton steps for one proximal term, shortened if the defect does not decrease; writes p and returns the remaining defect."""
    n = len(p)
    J, r, new, u = np.empty((n, n)), np.empty(n), p.copy(), np.empty(n)
    step, size, length = np.zeros(n), np.inf, 0.0
    for _ in range(NEWTON_ITERATIONS):
        found = _defect(problem, proximal, new, u, r, J)
        if not found < (1.0 - SUFFICIENT_DECREASE * length) * size and length > SHORTEST_STEP:
            length *= 0.5
        else:
            size, length = found, 1.0
            scale = 0.0
            for i in range(n):
                p[i], step[i] = new[i], r[i]
                scale += p[i] * p[i]
            if not size > NEWTON_SETTLED * np.sqrt(scale) or not eliminate(J, step):
                break
        for i in range(n):
            new[i] = p[i] - length * step[i]
    return size


@njit(nogil=True, cache=True)
def _defect(problem, proximal, p, u, r, J):
    """Write P − proj(P − ρ u) to r and its Jacobian to J; returns its norm."""
    W, free, target, least, mu = problem
    limits, rho, anchor, near = proximal
    n = len(p)
    for i in range(n):
        s = free[i]
        for j in range(n):
            s += W[i, j] * p[j]
            J[i, j] = 0.0
        u[i] = s + (near * (p[i] - anchor[i]) / rho[i] if rho[i] > 0.0 else 0.0)
    total = 0.0
    for c in range(n // 3):
        i, o = 3 * c, limits[c]
        if o < 0:
            shut = rho[i] > 0.0 and p[i] - rho[i] * (u[i] - target[c]) > least[c]
            r[i] = rho[i] * (u[i] - target[c]) if shut else p[i] - least[c]
            total += r[i] * r[i]
            if shut:
                _push_row(J, W, rho, near, i)
            else:
                J[i, i] = 1.0
        # Slip of a unilateral constraint; for three rows about axes first spinning, then rolling.
        for part in range(2):
            if o < 0 and part == 0:
                continue
            length = mu[c, 0] if o < 0 or part == 0 else mu[c, 1]
            scale = 1.0 / length if o >= 0 and length > 0.0 else 1.0
            pressure = i if o < 0 else o
            limit = length * p[pressure] if length > 0.0 and rho[i + part] > 0.0 else 0.0
            disc = Disc(i + part, 1 + part, limit, length, pressure)
            total += scale * scale * _disc(W, proximal, disc, p, u, r, J)
    return np.sqrt(total)


@njit(nogil=True, cache=True)
def _push_row(J, W, rho, near, i):
    for j in range(J.shape[1]):
        J[i, j] = rho[i] * W[i, j]
    J[i, i] += near


@njit(nogil=True, cache=True)
def _disc(W, proximal, disc, p, u, r, J):
    """Write the defect of the numbers in a disc and its Jacobian; returns the square of the defect."""
    rho, near = proximal.rho, proximal.near
    i, count, limit, mu, pressure = disc
    a = p[i] - rho[i] * u[i]
    b = p[i + 1] - rho[i + 1] * u[i + 1] if count == 2 else 0.0
    size = np.sqrt(a * a + b * b)
    inside = limit > 0.0 and size <= limit
    total = 0.0
    for k in range(i, i + count):
        along = (a if k == i else b) / size if size > 0.0 else 0.0
        r[k] = rho[k] * u[k] if inside else p[k] - max(limit, 0.0) * along
        total += r[k] * r[k]
        J[k, k] += near if inside else 1.0
        if limit > 0.0 and not inside:
            J[k, pressure] -= mu * along
        for m in range(i, i + count):
            same = 1.0 if m == k else 0.0
            other = (a if m == i else b) / size if size > 0.0 else 0.0
            bent = same if inside else max(limit, 0.0) / size * (same - along * other) if size > 0.0 else 0.0
            if not inside:
                J[k, m] -= bent * (1.0 - near)
            if bent != 0.0:
                for j in range(J.shape[1]):
                    J[k, j] += bent * rho[m] * W[m, j]
    return total


@njit(nogil=True, cache=True)
def eliminate(A, b):
    """Solve A x = b by elimination with pivoting; the solution overwrites b. False if A is singular."""
    n = len(b)
    for k in range(n):
        top, row = 0.0, k
        for i in range(k, n):
            if abs(A[i, k]) > top:
                top, row = abs(A[i, k]), i
        if not top > NEXT_TO_ZERO:
            return False
        if row != k:
            for j in range(n):
                A[k, j], A[row, j] = A[row, j], A[k, j]
            b[k], b[row] = b[row], b[k]
        for i in range(k + 1, n):
            if A[i, k] != 0.0:
                f = A[i, k] / A[k, k]
                for j in range(k, n):
                    A[i, j] -= f * A[k, j]
                b[i] -= f * b[k]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= A[i, j] * b[j]
        b[i] = s / A[i, i]
    return True
