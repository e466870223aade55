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
from vinculum.contact.sparse.islands import islands_of
from vinculum.tolerances.contact import OWN
from vinculum.tolerances.rest import (
    REST_GAINED,
    REST_LOOKED_AT,
    REST_RENEWED,
    REST_STEPS,
    RESTS,
    SPEED_AT_REST,
)


class RestBounds(NamedTuple):
    """The largest speed [m/s] that counts as none, and the residual that impulses at rest may have."""

    speed: float
    tolerance: float


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def moves_from_rest(before, V, tolerance, least):
    """Whether a body that rested before a step now has a velocity within the residual of zero."""
    rests, moves = RESTS * least, False
    for i in range(len(before)):
        moves = moves or (_length(before[i]) <= rests and rests < _length(V[i]) <= tolerance / OWN * least)
    return moves


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
    if not is_swept and not moves_from_rest(before, V, tolerance, least):
        return 0
    near, found = tolerance / OWN * least, 0
    if is_swept and not _any_is_slow(V, len(before), near):
        return 0
    island = islands_of(rows.sides, problem, iterate, order, count)
    speed, apart = np.zeros((2, count))
    for k in range(count):
        c, i = order[k], island[k]
        apart[i] = max(apart[i], problem.targets[c])
        for side in range(2):
            b = rows.who[c, side]
            if b < moving:
                speed[i] = max(speed[i], _speed_of(b, side, c, rows.arms, rows.wide, V))
                if not is_swept and _length(before[b]) > rests:
                    speed[i] = np.inf
    chosen = np.empty(count, dtype=np.int64)
    for first in range(count):
        i = island[first]
        if not (0.0 < speed[i] <= near and apart[i] <= 0.0):
            continue
        size = 0
        for k in range(first, count):
            if island[k] == i:
                chosen[size] = order[k]
                size += 1
        bounds = RestBounds(SPEED_AT_REST * least, tolerance)
        found += _stop(rows.arms, rows.wide, problem, iterate, chosen, size, bounds, kept)
        speed[i] = 0.0  # tried
    return found


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _any_is_slow(V, moving, near):
    """Whether the speed of a free body is within the residual of zero."""
    slow = False
    for i in range(moving):
        slow = slow or _length(V[i]) <= near
    return slow


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _length(v):
    return np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)


@njit(nogil=True, cache=True, error_model="numpy")
def _stop(arms, wide, problem, iterate, chosen, size, bounds, kept):
    """Whether impulses of one island leave no velocity; then its velocities are zero, otherwise it is as before."""
    who, moving, cones, (P, V) = problem.rows.who, len(problem.pace.before), problem.cones, iterate
    place, ends, bodies = np.full(moving, -1), np.empty((size, 2), dtype=np.int64), 0
    for k in range(size):
        for side in range(2):
            b = who[chosen[k], side]
            if b < moving and place[b] < 0:
                place[b], bodies = bodies, bodies + 1
    left = np.zeros((bodies + 1, 8))
    for k in range(size):
        c = chosen[k]
        for d in range(3):
            kept[c, d] = P[c, d]
        for side in range(2):
            b = who[c, side]
            ends[k, side] = place[b] if b < moving else bodies
            if b < moving:
                for d in range(8):
                    left[place[b], d] = V[b, d]
    done = _cancel(arms, wide, problem, P, chosen[:size], ends, left, bounds.speed)
    missed, pressed = 0.0, 0.0
    for k in range(size):
        c = chosen[k]
        p, q, r = P[c, 0], P[c, 1], P[c, 2]
        limit = cones[c] * p
        done = done and p >= 0.0 and q * q + r * r <= limit * limit
        off = min(p, -problem.targets[c] * problem.rows.weight[c, 0])
        missed, pressed = missed + off * off, pressed + p * p + q * q + r * r
    done = done and missed <= bounds.tolerance**2 * pressed
    for k in range(size):
        c = chosen[k]
        if not done:
            for d in range(3):
                P[c, d] = kept[c, d]
            continue
        for side in range(2):
            b = who[c, side]
            if b < moving:
                for d in range(3):
                    V[b, d], V[b, 4 + d] = 0.0, 0.0
    return 1 if done else 0


@njit(nogil=True, cache=True, error_model="numpy")
def _cancel(arms, wide, problem, P, chosen, ends, left, bound):
    r"""Add impulses of the pressing contacts to P that take the velocities ``left`` (b + 1, 8) away; whether they are below ``bound``.

    .. math:: H M^{-1} H^T\,\delta P = -u

    by conjugate gradients, scaled with the diagonal. The matrix is singular where contacts outnumber degrees of freedom. The equations are
    consistent if the island can rest, and the method then converges in the complement of the null space. ``ends``: places of both bodies
    of a contact among the velocities; the last place is that of what is fixed.
    """
    made = np.empty_like(left)
    r, d, q = np.zeros((3, len(chosen), 3))
    size, best, gained = 0.0, np.inf, np.inf
    for step in range(REST_STEPS):
        if step % REST_RENEWED == 0:
            size = 0.0
            for k, c in enumerate(chosen):
                for e in range(_rows_of(c, problem, P)):
                    r[k, e] = -_speed_along(c, e, arms, wide, problem, left, ends[k])
                    d[k, e] = problem.rows.weight[c, min(e, 1)] * r[k, e]
                    size += r[k, e] * d[k, e]
        for b in range(len(left)):
            for e in range(8):
                made[b, e] = 0.0
        for k, c in enumerate(chosen):
            for e in range(_rows_of(c, problem, P)):
                _push(c, e, d[k, e], arms, wide, problem, made, ends[k])
        along = 0.0
        for k, c in enumerate(chosen):
            for e in range(_rows_of(c, problem, P)):
                q[k, e] = _speed_along(c, e, arms, wide, problem, made, ends[k])
                along += d[k, e] * q[k, e]
        if not along > 0.0:
            return False
        length, new, speed = size / along, 0.0, 0.0
        for b in range(len(left)):
            for e in range(8):
                left[b, e] += length * made[b, e]
        for k, c in enumerate(chosen):
            for e in range(_rows_of(c, problem, P)):
                P[c, e] += length * d[k, e]
                r[k, e] -= length * q[k, e]
                new += problem.rows.weight[c, min(e, 1)] * r[k, e] ** 2
            for side in range(2):
                if ends[k, side] < len(left) - 1:
                    speed = max(speed, _speed_of(ends[k, side], side, c, arms, wide, left))
        if speed <= bound:
            return True
        best = min(best, speed)
        if step % REST_LOOKED_AT == REST_LOOKED_AT - 1:
            if not best <= REST_GAINED * gained:
                return False
            gained = best
        for k, c in enumerate(chosen):
            for e in range(_rows_of(c, problem, P)):
                d[k, e] = problem.rows.weight[c, min(e, 1)] * r[k, e] + new / size * d[k, e]
        size = new
    return False


@njit(nogil=True, cache=True, error_model="numpy")
def _rows_of(c, problem, P):
    """How many axes of a contact hold: none if it does not press, the normal without friction."""
    if not P[c, 0] > 0.0:
        return 0
    return 3 if problem.cones[c] > 0.0 else 1


@njit(nogil=True, cache=True, error_model="numpy")
def _speed_along(c, k, arms, wide, problem, V, ends):
    """The relative velocity at a contact along its k-th axis, for velocities V of its bodies ``ends``."""
    n, i, j, u = problem.rows.frame[c], ends[0], ends[1], 0.0
    for d in range(3):
        u += (V[i, d] - V[j, d]) * n[k, d]
    # Numba does not compile the branch of an argument that is None.
    if wide is not None:
        A = wide[c]
        for d in range(3):
            u += V[i, 4 + d] * A[0, k, d] - V[j, 4 + d] * A[1, k, d]
    if arms is not None:
        turn = _across(n, k)  # t · (ω × −n) = −(n × t) · ω
        for d in range(3):
            u -= turn[d] * (arms[c, 0] * V[i, 4 + d] + arms[c, 1] * V[j, 4 + d])
    return u


@njit(nogil=True, cache=True, error_model="numpy")
def _push(c, k, p, arms, wide, problem, V, ends):
    """Add the velocities that an impulse p along the k-th axis of a contact makes."""
    n, (i, j), (one, other) = problem.rows.frame[c], ends, problem.rows.who[c]
    inverse_mass, spin = problem.blocks
    for d in range(3):
        V[i, d] += inverse_mass[one] * p * n[k, d]
        V[j, d] -= inverse_mass[other] * p * n[k, d]
    if wide is not None:
        A = wide[c]
        for d in range(3):
            V[i, 4 + d] += p * A[2, k, d]
            V[j, 4 + d] -= p * A[3, k, d]
    if arms is not None:
        turn = _across(n, k)
        for d in range(3):
            V[i, 4 + d] -= arms[c, 0] * spin[one] * p * turn[d]
            V[j, 4 + d] -= arms[c, 1] * spin[other] * p * turn[d]


@njit(nogil=True, cache=True, error_model="numpy")
def _across(n, k):
    """n × t of the k-th axis t of a contact."""
    return (
        n[0, 1] * n[k, 2] - n[0, 2] * n[k, 1],
        n[0, 2] * n[k, 0] - n[0, 0] * n[k, 2],
        n[0, 0] * n[k, 1] - n[0, 1] * n[k, 0],
    )


@njit(nogil=True, cache=True, error_model="numpy")
def _speed_of(b, side, c, arms, wide, V):
    """The speed of a body, with its rotation at the arm of its ``side`` of contact c."""
    arm = 0.0
    if arms is not None:
        arm = arms[c, side]
    if wide is not None:
        for k in range(3):
            A = wide[c, side, k]
            arm = max(arm, np.sqrt(A[0] * A[0] + A[1] * A[1] + A[2] * A[2]))
    v = np.sqrt(V[b, 0] ** 2 + V[b, 1] ** 2 + V[b, 2] ** 2)
    return v + arm * np.sqrt(V[b, 4] ** 2 + V[b, 5] ** 2 + V[b, 6] ** 2)
