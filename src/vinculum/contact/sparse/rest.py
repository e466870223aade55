r"""Rest with proof: islands for which impulses in their cones leave no velocity at all.

.. math:: V_0 + M^{-1} H^T P = 0,\qquad P_N \ge 0,\quad |P_T| \le \mu P_N

With u = 0 these are an exact solution of the contact law where shapes touch. Bodies then stay where they are, contacts do not change, and
the same impulses solve every following step without a sweep, until something else touches the island. A gap that is open by a little may
close in the step; an impulse that keeps it open misses the law by this approach, which the tolerance must admit. Impulses that are only
accurate to a tolerance leave small velocities, which move contacts and make sweeps necessary again. A slow motion that contacts do not stop
within the step has no such impulses.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.islands import end_of, islands_of, root_of
from vinculum.tolerances.contact import OWN
from vinculum.tolerances.rest import REST_GAINED, REST_LOOKED_AT, REST_SWEEPS, RESTS, SPEED_AT_REST


class RestBounds(NamedTuple):
    """The largest speed [m/s] that counts as none, and the residual that impulses at rest may have."""

    speed: float
    tolerance: float


@njit(nogil=True, cache=True, error_model="numpy")
def bring_to_rest(problem, iterate, parts, tolerance, is_swept, kept):
    """Replace the impulses of islands in the order of sweeps by such that leave no velocity, where there are some; returns how many islands
    have them.

    Only islands are tried whose velocities are within the residual of zero. Unless impulses were swept, they must have rested before: the
    impulses that stopped them are not those that hold them. ``kept`` (m, 3) is overwritten.
    """
    rows, order, cut, V = problem.rows, parts.order, parts.cut, iterate.V
    least, moving = problem.pace.least, len(problem.pace.before)
    count = cut[3]
    before, rests = problem.pace.before, RESTS * least
    if not least > 0.0 or count == 0:
        return 0
    if not is_swept:
        moved = False
        for i in range(moving):
            moved = moved or (_length(before[i]) <= rests and rests < _length(V[i]) <= tolerance / OWN * least)
        if not moved:
            return 0
    island = islands_of(rows.sides, problem, iterate, order, count)
    speed, apart = np.zeros(len(island)), np.zeros(len(island))
    for k in range(count):
        c = order[k]
        i = root_of(island, end_of(rows.sides, problem, c, 0))
        apart[i] = max(apart[i], problem.targets[c])
        for side in range(2):
            b = rows.who[c, side]
            if b < moving:
                speed[i] = max(speed[i], _speed_of(b, rows.who[c, 0], c, rows.arms, rows.wide, V))
                if not is_swept and _length(before[b]) > rests:
                    speed[i] = np.inf
    near, found = tolerance / OWN * least, 0
    chosen = np.empty(count, dtype=np.int64)
    for first in range(count):
        i = root_of(island, end_of(rows.sides, problem, order[first], 0))
        if not (0.0 < speed[i] <= near and apart[i] <= 0.0):
            continue
        size = 0
        for k in range(first, count):
            if root_of(island, end_of(rows.sides, problem, order[k], 0)) == i:
                chosen[size] = order[k]
                size += 1
        bounds = RestBounds(SPEED_AT_REST * least, tolerance)
        found += _stop(rows.arms, rows.wide, problem, iterate, chosen, size, bounds, kept)
        speed[i] = 0.0  # tried
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def _length(v):
    return np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)


@njit(nogil=True, cache=True, error_model="numpy")
def _stop(arms, wide, problem, iterate, chosen, size, bounds, kept):
    """Whether impulses of one island leave no velocity; then its velocities are zero, otherwise it is as before."""
    who, moving, cones, (P, V) = problem.rows.who, len(problem.pace.before), problem.cones, iterate
    before = np.empty((size, 2, 6))
    for k in range(size):
        c = chosen[k]
        for d in range(3):
            kept[c, d] = P[c, d]
        for side in range(2):
            b = who[c, side]
            for d in range(3):
                before[k, side, d], before[k, side, 3 + d] = V[b, d], V[b, 4 + d]
    left, last = np.inf, np.inf
    for sweep in range(REST_SWEEPS):
        for k in range(size):
            c = chosen[k]
            if P[c, 0] > 0.0:
                _hold(c, arms, wide, problem, P, V)
        left = 0.0
        for k in range(size):
            c = chosen[k]
            for side in range(2):
                if who[c, side] < moving:
                    left = max(left, _speed_of(who[c, side], who[c, 0], c, arms, wide, V))
        if left <= bounds.speed:
            break
        if sweep % REST_LOOKED_AT == REST_LOOKED_AT - 1:
            if not left <= REST_GAINED * last:
                break
            last = left
    done, missed, pressed = left <= bounds.speed, 0.0, 0.0
    for k in range(size):
        c = chosen[k]
        p, q, r = P[c]
        limit = cones[c] * p
        done = done and p >= 0.0 and q * q + r * r <= limit * limit
        off = min(p, -problem.targets[c] * problem.rows.weight[c, 0])
        missed, pressed = missed + off * off, pressed + p * p + q * q + r * r
    done = done and missed <= bounds.tolerance**2 * pressed
    for k in range(size):
        c = chosen[k]
        for side in range(2):
            b = who[c, side]
            if b < moving:
                for d in range(3):
                    V[b, d] = 0.0 if done else before[k, side, d]
                    V[b, 4 + d] = 0.0 if done else before[k, side, 3 + d]
        if not done:
            for d in range(3):
                P[c, d] = kept[c, d]
    return 1 if done else 0


@njit(nogil=True, cache=True, error_model="numpy")
def _hold(c, arms, wide, problem, P, V):
    """Stop the relative velocity at a contact, along the tangents if it has friction, whatever impulse that takes."""
    # Numba does not compile the branch of an argument that is None.
    if wide is not None:
        _hold_any(c, wide, problem, P, V)
    if arms is not None:
        _hold_round(c, arms, problem, P, V)


@njit(nogil=True, cache=True, error_model="numpy")
def _hold_any(c, wide, problem, P, V):
    who, frame, W, inverse_mass = problem.rows.who, problem.rows.frame, problem.rows.W, problem.blocks.inverse_mass
    i, j, A, n = who[c, 0], who[c, 1], wide[c], frame[c]
    for _ in range(2):
        for k in range(3 if problem.cones[c] > 0.0 else 1):
            u = 0.0
            for d in range(3):
                u += (V[i, d] - V[j, d]) * n[k, d] + V[i, 4 + d] * A[0, k, d] - V[j, 4 + d] * A[1, k, d]
            p = -u / W[c, k, k]
            P[c, k] += p
            for d in range(3):
                V[i, d] += inverse_mass[i] * p * n[k, d]
                V[i, 4 + d] += p * A[2, k, d]
                V[j, d] -= inverse_mass[j] * p * n[k, d]
                V[j, 4 + d] -= p * A[3, k, d]


@njit(nogil=True, cache=True, error_model="numpy")
def _hold_round(c, arms, problem, P, V):
    who, n, weight, inverse_mass, spin = (
        problem.rows.who,
        problem.rows.frame[c],
        problem.rows.weight,
        problem.blocks.inverse_mass,
        problem.blocks.spin,
    )
    i, j, a, b = who[c, 0], who[c, 1], arms[c, 0], arms[c, 1]
    for k in range(3 if problem.cones[c] > 0.0 else 1):
        # t · (ω × −n) = −(n × t) · ω
        x = n[0, 1] * n[k, 2] - n[0, 2] * n[k, 1]
        y = n[0, 2] * n[k, 0] - n[0, 0] * n[k, 2]
        z = n[0, 0] * n[k, 1] - n[0, 1] * n[k, 0]
        u = 0.0
        for d in range(3):
            u += (V[i, d] - V[j, d]) * n[k, d]
        u -= x * (a * V[i, 4] + b * V[j, 4]) + y * (a * V[i, 5] + b * V[j, 5]) + z * (a * V[i, 6] + b * V[j, 6])
        p = -u * weight[c, 0 if k == 0 else 1]
        P[c, k] += p
        for d in range(3):
            V[i, d] += inverse_mass[i] * p * n[k, d]
            V[j, d] -= inverse_mass[j] * p * n[k, d]
        for d, m in enumerate((x, y, z)):
            V[i, 4 + d] -= a * spin[i] * p * m
            V[j, 4 + d] -= b * spin[j] * p * m


@njit(nogil=True, cache=True, error_model="numpy")
def _speed_of(b, first, c, arms, wide, V):
    """The speed of body b, with its rotation at the arm of contact c."""
    arm = 0.0
    if arms is not None:
        arm = arms[c, 0] if b == first else arms[c, 1]
    if wide is not None:
        side = 0 if b == first else 1
        for k in range(3):
            A = wide[c, side, k]
            arm = max(arm, np.sqrt(A[0] * A[0] + A[1] * A[1] + A[2] * A[2]))
    v = np.sqrt(V[b, 0] ** 2 + V[b, 1] ** 2 + V[b, 2] ** 2)
    return v + arm * np.sqrt(V[b, 4] ** 2 + V[b, 5] ** 2 + V[b, 6] ** 2)
