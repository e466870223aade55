"""Impulses of all contacts of a pile: block Gauss–Seidel with Anderson's acceleration, leaps along drifts, and
Newton's method where these fail.

Nothing is regularized: what is solved is the law itself, and what is left of it is reported.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_any import any_moved, any_residual, any_speeds, any_sweep
from vinculum.kernels.pile_newton import newton
from vinculum.kernels.pile_round import round_moved, round_residual, round_speeds, round_sweep

MEMORY = 5
LET_GO = 2.0
"""A change that is so many times the smallest one since forgets what came before."""
WILD = 1e6
"""Coefficients of a mixture beyond this are not trusted."""
STEADY, FAR = 0.05, 3.0
"""Changes that differ by less than this part of them are a drift; a leap along it pays if it is so many changes long."""
TURN, PLAIN = 300, 100
"""Sweeps after which mixing and leaping are left out, since they also hinder, and for how many at first; then for twice as many."""


@njit(nogil=True, cache=True)
def solved(m, is_round, contacts, bodies, mu, P, V, tolerance, most, scratch):
    r"""The relative residual of the natural map, the number of sweeps; P (m, 3) and V (n, 8) are solved in place.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad |P_T| \le \mu P_N,\quad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0

    Residual: ‖P − proj(P − u/w)‖ / ‖P‖ with w the diagonal of W. Anderson, J. ACM 12 (1965) 547. ``contacts``: who, frame, arms, W,
    weight, target; ``scratch``: before, last change, last image (cap, 3), differences of changes and of images (MEMORY, cap, 3).
    """
    before, f, g, dF, dG = scratch
    G, rhs = np.zeros((MEMORY, MEMORY)), np.empty(MEMORY)
    known = slot = 0
    have = False
    least = np.inf
    error = _residual(m, is_round, contacts, mu, P, V)
    sweeps, switch, plain, mixing = 0, TURN, PLAIN, True
    while error > tolerance and sweeps < most:
        if sweeps >= switch:
            known, slot, have, least = 0, 0, False, np.inf
            mixing = not mixing
            if mixing:
                switch = sweeps + TURN
                error = _finished(m, is_round, contacts, bodies, mu, P, V, tolerance, before, f, g)
                if error <= tolerance:
                    break
            else:
                switch, plain = sweeps + plain, 2 * plain
        before[:m] = P[:m]
        change, size = _sweep(m, is_round, contacts, bodies, mu, P, V)
        sweeps += 1
        error = np.sqrt(change / size) if size > 0.0 else 0.0
        if error <= 2.0 * tolerance:
            error = _residual(m, is_round, contacts, mu, P, V)
            if error <= tolerance:
                break
        if not mixing:
            continue
        if change > LET_GO * LET_GO * least:
            known, slot, have, least = 0, 0, False, change
        least = min(least, change)
        if have:
            _remember(m, slot, known, P, before, f, g, dF, dG, G, rhs)
            if G[slot, slot] <= STEADY * STEADY * change:
                room = _room(m, P, f, mu)
                if FAR < room < np.inf:
                    _leap(m, P, f, room, mu, before)
                    _moved(m, is_round, contacts, bodies, P, before, V)
                    known, slot, have, least = 0, 0, False, np.inf
                    continue
            known = min(known + 1, MEMORY)
            slot = (slot + 1) % MEMORY
            if _mix(m, known, P, before, dF, dG, G, rhs, mu):
                _moved(m, is_round, contacts, bodies, P, before, V)
        else:
            for c in range(m):
                for k in range(3):
                    f[c, k] = P[c, k] - before[c, k]
                    g[c, k] = P[c, k]
        have = True
    return error, sweeps


@njit(nogil=True, cache=True)
def _finished(m, is_round, contacts, bodies, mu, P, V, tolerance, found, u, last):
    """The residual after Newton's method, in place, where the law is missed most; what makes it worse is taken back."""
    who, frame, arms, wide, _W, _weight, target = contacts
    before = _residual(m, is_round, contacts, mu, P, V)
    if is_round:
        round_speeds(m, who, frame, arms, target, V, u)
    else:
        any_speeds(m, who, frame, wide, target, V, u)
    newton(m, is_round, contacts, bodies, mu, P, u, tolerance, found)
    _inside(m, found, mu)
    last[:m] = P[:m]
    _moved(m, is_round, contacts, bodies, P, found, V)
    error = _residual(m, is_round, contacts, mu, P, V)
    if not error <= before:
        found[:m] = last[:m]
        _moved(m, is_round, contacts, bodies, P, found, V)
        return before
    return error


@njit(nogil=True, cache=True)
def _inside(m, P, mu):
    """Bring impulses back to where they may be."""
    for c in range(m):
        if not P[c, 0] > 0.0:
            P[c, 0] = P[c, 1] = P[c, 2] = 0.0
        limit, slip = mu * P[c, 0], P[c, 1] ** 2 + P[c, 2] ** 2
        if slip > limit * limit:
            scale = limit / np.sqrt(slip)
            P[c, 1], P[c, 2] = P[c, 1] * scale, P[c, 2] * scale


@njit(nogil=True, cache=True)
def _remember(m, slot, known, P, before, f, g, dF, dG, G, rhs):
    """Write down how change and image differ from the last ones, with the products of the differences."""
    a, b = dF[slot], dG[slot]
    for c in range(m):
        for k in range(3):
            new = P[c, k] - before[c, k]
            a[c, k] = new - f[c, k]
            b[c, k] = P[c, k] - g[c, k]
            f[c, k] = new
            g[c, k] = P[c, k]
    for other in range(min(known + 1, MEMORY)):
        s = t = u = x = y = z = 0.0
        d = dF[other]
        for c in range(m):
            s += a[c, 0] * d[c, 0]
            t += a[c, 1] * d[c, 1]
            u += a[c, 2] * d[c, 2]
            x += f[c, 0] * d[c, 0]
            y += f[c, 1] * d[c, 1]
            z += f[c, 2] * d[c, 2]
        G[slot, other] = G[other, slot] = s + t + u
        rhs[other] = x + y + z


@njit(nogil=True, cache=True)
def _room(m, P, f, mu):
    """How many changes f fit between impulses that are inside of their cones and the first of the cones' surfaces.

    Where contacts outnumber freedoms, sweeps drift along a direction that changes no velocity until something slips or opens.
    """
    room = np.inf
    for c in range(m):
        p, q, r = P[c, 0], P[c, 1], P[c, 2]
        x, y, z = f[c, 0], f[c, 1], f[c, 2]
        inside = (mu * p) ** 2 - q * q - r * r
        if p <= 0.0 or (x == 0.0 and y == 0.0 and z == 0.0):
            continue
        if x < 0.0:
            room = min(room, -p / x)
        if inside <= 1e-6 * (mu * p) ** 2:
            continue
        a, b = (mu * x) ** 2 - y * y - z * z, mu * mu * p * x - q * y - r * z
        under = b * b - a * inside
        if under < 0.0:
            continue
        t = -(b + (np.sqrt(under) if b >= 0.0 else -np.sqrt(under)))
        low = t / a if a != 0.0 else 0.0
        high = inside / t if t != 0.0 else 0.0
        if low > 0.0:
            room = min(room, low)
        if high > 0.0:
            room = min(room, high)
    return room


@njit(nogil=True, cache=True)
def _leap(m, P, f, room, mu, out):
    """Write P + room · f, a little beyond, brought back to where impulses may be."""
    s = 1.0001 * room
    for c in range(m):
        for k in range(3):
            out[c, k] = P[c, k] + s * f[c, k]
    _inside(m, out, mu)


@njit(nogil=True, cache=True)
def _mix(m, known, P, mixed, dF, dG, G, rhs, mu):
    """The combination of images whose changes cancel best, brought back to where impulses may be."""
    c = _least_squares(known, G, rhs)
    if not np.abs(c).max() <= WILD:
        return False
    for a in range(m):
        p, q, r = P[a, 0], P[a, 1], P[a, 2]
        for k in range(known):
            p -= c[k] * dG[k, a, 0]
            q -= c[k] * dG[k, a, 1]
            r -= c[k] * dG[k, a, 2]
        mixed[a, 0], mixed[a, 1], mixed[a, 2] = p, q, r
    _inside(m, mixed, mu)
    return True


@njit(nogil=True, cache=True)
def _least_squares(known, G, rhs):
    """Solve a small symmetric system, a little regularized, by Cholesky's factors."""
    L, c = np.zeros((known, known)), np.empty(known)
    trace = 0.0
    for i in range(known):
        trace += G[i, i]
    for i in range(known):
        for j in range(i + 1):
            s = G[i, j] + (1e-14 * trace + 1e-300 if i == j else 0.0)
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = np.sqrt(max(s, 1e-15 * trace + 1e-300))
            else:
                L[i, j] = s / L[j, j]
    for i in range(known):
        s = rhs[i]
        for k in range(i):
            s -= L[i, k] * c[k]
        c[i] = s / L[i, i]
    for i in range(known - 1, -1, -1):
        s = c[i]
        for k in range(i + 1, known):
            s -= L[k, i] * c[k]
        c[i] = s / L[i, i]
    return c


@njit(nogil=True, cache=True)
def _residual(m, is_round, contacts, mu, P, V):
    who, frame, arms, wide, _W, weight, target = contacts
    if is_round:
        change, size = round_residual(m, who, frame, arms, weight, target, mu, P, V)
    else:
        change, size = any_residual(m, who, frame, wide, weight, target, mu, P, V)
    return np.sqrt(change / size) if size > 0.0 else (1.0 if change > 0.0 else 0.0)


@njit(nogil=True, cache=True)
def _sweep(m, is_round, contacts, bodies, mu, P, V):
    who, frame, arms, wide, W, weight, target = contacts
    lightness, spin = bodies
    if is_round:
        return round_sweep(m, who, frame, arms, weight, target, mu, P, V, lightness, spin)
    return any_sweep(m, who, frame, wide, W, weight, target, mu, P, V, lightness)


@njit(nogil=True, cache=True)
def _moved(m, is_round, contacts, bodies, P, Q, V):
    who, frame, arms, wide, _W, _weight, _target = contacts
    lightness, spin = bodies
    if is_round:
        round_moved(m, who, frame, arms, P, Q, V, lightness, spin)
    else:
        any_moved(m, who, frame, wide, P, Q, V, lightness)
