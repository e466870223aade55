"""Impulses of unilateral constraints that are active together, by block Gauss–Seidel with Anderson acceleration.

Each unilateral constraint has three rows: the normal velocity, and the sliding velocities along two tangents. One that resists rolling
or spinning has three more rows somewhere after them: the angular velocities about the normal and about both tangents. ``W`` = H M⁻¹ Hᵀ,
the Delassus operator, maps impulses to velocities. The fixed points of a sweep are exactly the solutions of the law. Nothing is
regularized.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.algebra import factor, inverse, product, solve
from vinculum.tolerances.contact import ANDERSON_DAMPING, DEPENDENT_PIVOTS, ELLIPSE_FOUND, MEMORY, PLENTY
from vinculum.tolerances.round_off import NEXT_TO_ZERO


@njit(nogil=True, cache=True)
def impulses(W, free, target, least, mu, P, tolerance, most):
    r"""Solve for P in place; returns the relative residual of the natural map and the number of sweeps.

    .. math:: 0 \le P_N - P_{min} \perp u_N - \hat u_N \ge 0,\qquad P_T \in P_N D,\quad -u_T \in N_{P_N D}(P_T),\qquad u = u_{free} + W P

    ``free``: (3 m,); ``target`` û and ``least``: (m,); ``mu``: (m, 2), the half axes of the ellipse D, negative without friction. A
    third column holds −1 for the rows of a unilateral constraint. For three rows about axes it holds the number c of the unilateral
    constraint whose normal impulse limits them; their first two columns are then the lengths σ and δ: |M_N| ≤ σ P_N, |M_T| ≤ δ P_N, each
    opposing its rotation.
    """
    n = len(free)
    u, moved, change, before, mixed = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    _speeds(W, free, P, u)
    past, images = np.empty((MEMORY, n)), np.empty((MEMORY, n))
    known, best = 0, np.inf
    error = residual(W, u, target, least, mu, P)
    sweeps = 0
    while error > tolerance and sweeps < most:
        for k in range(n):
            before[k] = P[k]
        _sweep(W, u, target, least, mu, P)
        sweeps += 1
        size = 0.0
        for k in range(n):
            change[k] = P[k] - before[k]
            size += change[k] ** 2
        size = np.sqrt(size)
        if size > 2.0 * best:
            known = 0
        best = min(best, size) if known else size
        if known == MEMORY:
            for i in range(MEMORY - 1):
                for k in range(n):
                    past[i, k] = past[i + 1, k]
                    images[i, k] = images[i + 1, k]
            known -= 1
        for k in range(n):
            past[known, k] = change[k]
            images[known, k] = P[k]
        known += 1
        error = residual(W, u, target, least, mu, P)
        if error <= tolerance:
            break
        if known > 1 and sweeps > 4:
            _mix(past, images, known, mixed)
            project(mixed, least, mu)
            _speeds(W, free, mixed, moved)
            if residual(W, moved, target, least, mu, mixed) < 4.0 * error:
                for k in range(n):
                    P[k], u[k] = mixed[k], moved[k]
        if sweeps % PLENTY == 0:
            _speeds(W, free, P, u)
    return error, sweeps


@njit(nogil=True, cache=True)
def _speeds(W, free, P, u):
    """u = free + W P."""
    product(W, P, u)
    for k in range(len(u)):
        u[k] += free[k]


@njit(nogil=True, cache=True)
def _mix(past, images, known, result):
    """Write the combination of images whose changes cancel best (Anderson, J. ACM 12 (1965) 547) to ``result``."""
    m, n = known - 1, past.shape[1]
    G, c = np.zeros((m, m)), np.zeros(m)
    trace = 0.0
    for i in range(m):
        for k in range(n):
            c[i] += (past[i + 1, k] - past[i, k]) * past[m, k]
        for j in range(i + 1):
            for k in range(n):
                G[i, j] += (past[i + 1, k] - past[i, k]) * (past[j + 1, k] - past[j, k])
        trace += G[i, i]
    for i in range(m):
        G[i, i] += ANDERSON_DAMPING * trace + NEXT_TO_ZERO
    factor(G)
    solve(G, c)
    for k in range(n):
        result[k] = images[m, k]
    for i in range(m):
        for k in range(n):
            result[k] -= c[i] * (images[i + 1, k] - images[i, k])


@njit(nogil=True, cache=True)
def _sweep(W, u, target, least, mu, P):
    """One pass over all unilateral constraints; ``u`` is updated."""
    for c in range(len(target)):
        i = 3 * c
        if presser(mu, c) >= 0:
            s, a, b = _resisting_moments(W, u, mu, P, c)
            _move(W, u, P, i, s)
            _move(W, u, P, i + 1, a)
            _move(W, u, P, i + 2, b)
            continue
        if W[i, i] <= 0.0:
            continue
        normal = max(least[c], P[i] - (u[i] - target[c]) / W[i, i])
        _move(W, u, P, i, normal)
        if mu[c, 0] < 0.0:
            continue
        w = _largest(W[i + 1, i + 1], W[i + 2, i + 2], W[i + 1, i + 2])
        if w <= 0.0:
            continue
        a, b = _in_ellipse(P[i + 1] - u[i + 1] / w, P[i + 2] - u[i + 2] / w, mu[c, 0] * P[i], mu[c, 1] * P[i])
        _move(W, u, P, i + 1, a)
        _move(W, u, P, i + 2, b)


@njit(nogil=True, cache=True)
def presser(mu, c):
    """The unilateral constraint whose normal impulse limits the three rows c about axes; −1 if these are rows of a unilateral
    constraint.
    """
    return int(mu[c, 2]) if mu.shape[1] > 2 else -1


@njit(nogil=True, cache=True)
def _resisting_moments(W, u, mu, P, c):
    """Moments about the normal and both tangents after one projected step, in their interval and disc."""
    i, pressure = 3 * c, P[3 * presser(mu, c)]
    w = _largest(W[i + 1, i + 1], W[i + 2, i + 2], W[i + 1, i + 2])
    s = _within(P[i] - u[i] / W[i, i], mu[c, 0] * pressure) if W[i, i] > 0.0 else 0.0
    limit = mu[c, 1] * pressure
    a, b = _in_ellipse(P[i + 1] - u[i + 1] / w, P[i + 2] - u[i + 2] / w, limit, limit) if w > 0.0 else (0.0, 0.0)
    return s, a, b


@njit(nogil=True, cache=True)
def _within(x, limit):
    return min(max(x, -limit), limit)


@njit(nogil=True, cache=True)
def _move(W, u, P, i, new):
    change = new - P[i]
    if change != 0.0:
        P[i] = new
        for k in range(len(u)):
            u[k] += W[k, i] * change


@njit(nogil=True, cache=True)
def _largest(a, b, c):
    """The larger eigenvalue of ((a, c), (c, b))."""
    return 0.5 * (a + b) + np.sqrt(0.25 * (a - b) ** 2 + c * c)


@njit(nogil=True, cache=True)
def _in_ellipse(x, y, a, b):
    """The nearest point to (x, y) with (x/a)² + (y/b)² ≤ 1."""
    if a <= 0.0 or b <= 0.0:
        return (min(max(x, -a), a) if a > 0.0 else 0.0), (min(max(y, -b), b) if b > 0.0 else 0.0)
    if (x / a) ** 2 + (y / b) ** 2 <= 1.0:
        return x, y
    if a == b:
        r = a / np.hypot(x, y)
        return x * r, y * r
    low, high = 0.0, max(a, b) * np.hypot(x, y)
    s = high
    for _ in range(200):
        p, q = a * x / (a * a + s), b * y / (b * b + s)
        value = p * p + q * q - 1.0
        if value > 0.0:
            low = s
        else:
            high = s
        slope = -2.0 * (p * p / (a * a + s) + q * q / (b * b + s))
        step = s - value / slope
        step = step if low < step < high else 0.5 * (low + high)
        if abs(step - s) <= ELLIPSE_FOUND * s:
            break
        s = step
    return a * a * x / (a * a + s), b * b * y / (b * b + s)


@njit(nogil=True, cache=True)
def project(P, least, mu):
    """Project impulses in place: P_N ≥ least, P_T onto the ellipse P_N D, moments onto their interval and disc."""
    for c in range(len(least)):
        i, o = 3 * c, presser(mu, c)
        if o >= 0:
            P[i] = _within(P[i], mu[c, 0] * P[3 * o])
            P[i + 1], P[i + 2] = _in_ellipse(P[i + 1], P[i + 2], mu[c, 1] * P[3 * o], mu[c, 1] * P[3 * o])
            continue
        P[i] = max(P[i], least[c])
        if mu[c, 0] >= 0.0:
            P[i + 1], P[i + 2] = _in_ellipse(P[i + 1], P[i + 2], mu[c, 0] * P[i], mu[c, 1] * P[i])


@njit(nogil=True, cache=True)
def residual(W, u, target, least, mu, P):
    """‖P − proj(P − ρ u)‖ / ‖P‖ with ρ = 1/diag W, which does not change with units; absolute where P is zero."""
    top, size = 0.0, 0.0
    for c in range(len(target)):
        i = 3 * c
        if presser(mu, c) >= 0:
            s, a, b = _resisting_moments(W, u, mu, P, c)
            # moments divided by their lengths are impulses
            top += ((P[i] - s) / mu[c, 0]) ** 2 if mu[c, 0] > 0.0 else 0.0
            top += ((P[i + 1] - a) ** 2 + (P[i + 2] - b) ** 2) / mu[c, 1] ** 2 if mu[c, 1] > 0.0 else 0.0
            continue
        if W[i, i] <= 0.0:
            continue
        normal = max(least[c], P[i] - (u[i] - target[c]) / W[i, i])
        top += (P[i] - normal) ** 2
        size += P[i] ** 2 + normal**2
        if mu[c, 0] < 0.0:
            continue
        w = _largest(W[i + 1, i + 1], W[i + 2, i + 2], W[i + 1, i + 2])
        if w <= 0.0:
            continue
        a, b = _in_ellipse(P[i + 1] - u[i + 1] / w, P[i + 2] - u[i + 2] / w, mu[c, 0] * P[i], mu[c, 1] * P[i])
        top += (P[i + 1] - a) ** 2 + (P[i + 2] - b) ** 2
        size += P[i + 1] ** 2 + P[i + 2] ** 2
    return np.sqrt(top / size) if size > 0.0 else 0.0


@njit(nogil=True, cache=True)
def put_inverse_on_bonds(M, G, K):
    """Write M⁻¹, restricted to velocities with G v = 0 under bilateral conditions, to K; dependent rows change nothing.

    The result is not returned: an array that a cached function returns to Python is lost if another cached function also calls it
    (Numba's "descr is NULL").
    """
    n, full = len(M), inverse(M)
    for i in range(n):
        for j in range(n):
            K[i, j] = full[i, j]
    w, whole = np.empty(n), np.empty(n)
    for r in range(len(G)):
        product(K, G[r], w)
        product(full, G[r], whole)
        left, all_of_it = 0.0, 0.0
        for k in range(n):
            left += G[r, k] * w[k]
            all_of_it += G[r, k] * whole[k]
        if left > DEPENDENT_PIVOTS * all_of_it:
            for i in range(n):
                for j in range(n):
                    K[i, j] -= w[i] * w[j] / left


@njit(nogil=True, cache=True)
def put_on_bonds(K, G, v, w):
    """Restrict M⁻¹ in K and two velocities, all in place, to bilateral conditions G (v, 1) = 0 with derivatives (m, nv) and drifts."""
    n = len(v)
    full, d, whole = K.copy(), np.empty(n), np.empty(n)
    for r in range(len(G)):
        product(K, G[r, :n], d)
        product(full, G[r, :n], whole)
        left, all_of_it, a, b = 0.0, 0.0, G[r, n], G[r, n]
        for k in range(n):
            left += G[r, k] * d[k]
            all_of_it += G[r, k] * whole[k]
            a += G[r, k] * v[k]
            b += G[r, k] * w[k]
        if left > DEPENDENT_PIVOTS * all_of_it:
            for i in range(n):
                v[i] -= d[i] * a / left
                w[i] -= d[i] * b / left
                for j in range(n):
                    K[i, j] -= d[i] * d[j] / left
