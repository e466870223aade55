r"""Time steps of a pile of free bodies, with impulses where they stand in the middle of a step.

.. math:: X = x + \tfrac d2 v,\qquad v' = v + d\,g + M^{-1} H(X)^T P,\qquad x' = X + \tfrac d2 v'

The next middle is X + s v' with s the mean of this d and the next, so the law holds for v': u_N ≥ 0 where bodies touch at X,
u_N ≥ −gap/s where they are about to.
Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988); Jean, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235, with θ = 1/2.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_any import any_moved, any_weights
from vinculum.kernels.pile_attitudes import in_world, matrix, turned
from vinculum.kernels.pile_crew import next_task, offer
from vinculum.kernels.pile_entry import met
from vinculum.kernels.pile_impulses import ALONE, FIRST, solved
from vinculum.kernels.pile_pairs import near_pairs, remembered
from vinculum.kernels.pile_renewed import LONG, renewed
from vinculum.kernels.pile_round import round_moved, round_weights
from vinculum.kernels.pile_sides import sides
from vinculum.kernels.pile_spare import spare_work
from vinculum.kernels.pile_surplus import surplus

DONE, MISSED, PAIRS, CONTACTS, INFINITE, PRESSES = 0, 1, 2, 3, 4, 5
RESIDUAL, SWEEPS, COUNT, DEPTH, MOVED, SURPLUS, SPARE, FINISHER = 0, 1, 2, 3, 4, 5, 6, 7
"""Columns of what is written about every step."""
PUSHES = np.int64(30)
"""Most sweeps that move bodies of one mass out of each other."""
SECOND, BOTH = np.int64(1), np.int64(2)
MANY = 200
"""Contacts from which on two threads are worth it."""
NEAR = 0.02
"""Part of the smallest radius within which bodies at rest are looked at."""


@njit(nogil=True, cache=True, error_model="numpy")
def time_steps(
    durations,
    gravity,
    law,
    moving,
    is_round,
    shape,
    inertia,
    state,
    scratch,
    pairs,
    contacts,
    memory,
    numbers,
    crew,
    records,
    report,
):
    """Take steps of ``durations`` [s] one after the other: a status and how many were taken.

    ``law``: μ, e, distance at which bodies touch, penetration that is left as it is, tolerance, most sweeps, and
    most of those that move bodies out of each other.
    ``records`` (steps, moving, 13): place, attitude, velocity and angular velocity at the end of every step.
    ``report`` (steps, 8): what is to be said about its impulses.
    """
    x, Q, v, L = state
    center, turn, inverse, V, D, R, world, spun, X, half = scratch
    kind, size, reach, offset, tilt, entry = shape
    lightness, spin, own_inertia, own_inverse = inertia
    who, frame, place, gap, arms, wide, W, weight, target, P, copies, order = contacts
    old_P, old_place, pressed = memory
    mu, e, touch, slack, tolerance, most, pushes = law
    lists = (who, frame, arms, wide, W, weight, target)
    bodies = (lightness, spin)
    threads, board, sums, told, people, cut, copies_V, listed, last = crew
    parts = (order, people, cut)
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    for step in range(len(durations)):
        d = durations[step]
        span = 0.5 * (d + (durations[step + 1] if step + 1 < len(durations) else d))
        _begun(moving, is_round, d, gravity, x, Q, v, L, X, half, V, spin, own_inverse, R, world, spun)
        _place(moving, is_round, X, half, center, turn, inverse, offset, tilt, own_inverse, R)
        _free(moving, is_round, L, V, inverse, spun)
        count, m = _contacts(max(d, span), moving, center, kind, size, entry, reach, V, pairs, numbers, len(gap))
        if count > len(pairs[0]):
            return PAIRS, step
        if m > len(gap):
            return CONTACTS, step
        if numbers[2] + m > len(pressed):
            _forgotten(pairs, numbers)
            return PRESSES, step
        if is_round:
            round_weights(m, who, arms, gap, reach, moving, lightness, spin, weight)
        else:
            any_weights(m, who, frame, place, wide, X, inverse, lightness, W, weight)
        depth = 0.0
        for c in range(m):
            depth = max(depth, -gap[c])
        report[step, DEPTH], report[step, COUNT], report[step, MOVED] = depth, m, 0.0
        if depth > slack:
            sides(m, who, place, X, moving, order, people, cut)
            report[step, MOVED] = _pushed_out(
                m, moving, is_round, lists, bodies, gap, X, D, P, mixing, board, sums, parts, pushes, last
            )
        _targets(m, moving, is_round, d, span, gravity, e, touch, lists, gap, V)
        _warm(m, d, moving, is_round, lists, bodies, place, mu, P, copies[0], V, pairs, numbers, old_P, old_place)
        sides(m, who, place, X, moving, order, people, cut)
        together = threads if m >= MANY else ALONE
        if together > 1:
            told[0], told[1], told[2], told[3] = m, mu, tolerance, most
            offer(board)
        error, sweeps, finisher = solved(
            FIRST, together, board, sums, m, is_round, lists, bodies, mu, P, V, tolerance, most, mixing, parts, last
        )
        if sweeps >= LONG:
            error, sweeps, finisher = renewed((error, sweeps, finisher), m, d, moving, is_round, gravity, v, spun, lists, bodies, mu, P, V,
                                              tolerance, most, (board, sums, parts), mixing, last)  # fmt: skip
        report[step, RESIDUAL], report[step, SWEEPS], report[step, FINISHER] = error, sweeps, finisher
        report[step, SURPLUS] = surplus(m, who, moving, is_round, mu, P, people, listed)
        report[step, SPARE] = spare_work(m, is_round, lists, P, V, error, copies[0])
        if not error <= tolerance:
            _forgotten(pairs, numbers)
            return MISSED, step
        for c in range(m):
            n = frame[c]
            for k in range(3):
                old_P[c, k] = (P[c, 0] * n[0, k] + P[c, 1] * n[1, k] + P[c, 2] * n[2, k]) / d
                old_place[c, k] = place[c, k]
        _blown(moving, is_round, L, half, V, spin, own_inertia, R, world, spun)
        if depth > slack:
            _turned_out(moving, is_round, half, D)
        if not _ended(moving, is_round, d, x, Q, v, L, X, half, V, own_inverse, R, world, records[step]):
            return INFINITE, step
        _noted(step, m, d, who, frame, place, P, old_P, pressed, numbers)
    return DONE, len(durations)


@njit(nogil=True, cache=True, error_model="numpy")
def serve(is_round, inertia, scratch, contacts, crew):
    """Work beside `time_steps` on the impulses of every step, until there are no more."""
    lightness, spin, _own_inertia, _own_inverse = inertia
    who, frame, _place, _gap, arms, wide, W, weight, target, P, copies, order = contacts
    _threads, board, sums, told, people, cut, copies_V, _listed, last = crew
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    done = 0
    while next_task(board, done):
        done += 1
        m, mu, tolerance, most = int(told[0]), told[1], told[2], int(told[3])
        lists = (who, frame, arms, wide, W, weight, target)
        solved(
            SECOND,
            BOTH,
            board,
            sums,
            m,
            is_round,
            lists,
            (lightness, spin),
            mu,
            P,
            scratch[3],
            tolerance,
            most,
            mixing,
            (order, people, cut),
            last,
        )


@njit(nogil=True, cache=True, error_model="numpy")
def look(moving, is_round, shape, inertia, state, scratch, pairs, contacts, numbers):
    """A status and the number of contacts of bodies where they stand; no step is taken."""
    center, turn, inverse, V, _D, R, _world, _spun, _X, _middle = scratch
    kind, size, reach, offset, tilt, entry = shape
    _place(moving, is_round, state[0], state[1], center, turn, inverse, offset, tilt, inertia[3], R)
    for i in range(len(V)):
        for k in range(8):
            V[i, k] = 0.0
    count, m = _contacts(0.0, moving, center, kind, size, entry, reach, V, pairs, numbers, len(contacts[3]))
    if count > len(pairs[0]):
        return PAIRS, 0
    return (CONTACTS, 0) if m > len(contacts[3]) else (DONE, m)


@njit(nogil=True, cache=True, error_model="numpy")
def pushed_out(m, moving, is_round, shape, inertia, state, scratch, contacts, crew):
    """Move bodies out of each other where `look` has found them: the largest move [m]."""
    lightness, spin, _own_inertia, _own_inverse = inertia
    who, frame, place, gap, arms, wide, W, weight, target, P, copies, order = contacts
    _threads, board, sums, _told, people, cut, copies_V, _listed, last = crew
    if is_round:
        round_weights(m, who, arms, gap, shape[2], moving, lightness, spin, weight)
    else:
        any_weights(m, who, frame, place, wide, state[0], scratch[2], lightness, W, weight)
    lists = (who, frame, arms, wide, W, weight, target)
    sides(m, who, place, state[0], moving, order, people, cut)
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    moved = _pushed_out(m, moving, is_round, lists, (lightness, spin), gap, state[0], scratch[4], P, mixing, board, sums,
                        (order, people, cut), PUSHES, last)  # fmt: skip
    _turned_out(moving, is_round, state[1], scratch[4])
    return moved


@njit(nogil=True, cache=True, error_model="numpy")
def _place(moving, is_round, x, Q, center, turn, inverse, offset, tilt, own_inverse, R):
    """Write centers and axes of the moving shapes, and inverse inertias, in the world."""
    if is_round:
        for i in range(moving):
            for k in range(3):
                center[i, k] = x[i, k]
        return
    for i in range(moving):
        matrix(Q[i], R)
        in_world(R, own_inverse[i], inverse[i])
        for k in range(3):
            center[i, k] = x[i, k] + R[k, 0] * offset[i, 0] + R[k, 1] * offset[i, 1] + R[k, 2] * offset[i, 2]
            for c in range(3):
                turn[i, k, c] = R[k, 0] * tilt[i, 0, c] + R[k, 1] * tilt[i, 1, c] + R[k, 2] * tilt[i, 2, c]


@njit(nogil=True, cache=True, error_model="numpy")
def _begun(moving, is_round, d, gravity, x, Q, v, L, X, half, V, spin, own_inverse, R, world, spun):
    """Write places and attitudes in the middle of a step, and the velocities at its end without impulses."""
    for i in range(moving):
        if is_round:
            for k in range(3):
                spun[i, k] = spin[i] * L[i, k]
        else:
            matrix(Q[i], R)
            in_world(R, own_inverse[i], world)
            for k in range(3):
                spun[i, k] = world[k, 0] * L[i, 0] + world[k, 1] * L[i, 1] + world[k, 2] * L[i, 2]
        turned(Q[i], 0.5 * d * spun[i, 0], 0.5 * d * spun[i, 1], 0.5 * d * spun[i, 2], half[i])
        for k in range(3):
            X[i, k] = x[i, k] + 0.5 * d * v[i, k]
            V[i, k] = v[i, k] + d * gravity[k]


@njit(nogil=True, cache=True, error_model="numpy")
def _free(moving, is_round, L, V, inverse, spun):
    """Write the angular velocities at the end of a step without impulses, to second order; they are kept in ``spun``."""
    for i in range(moving):
        for k in range(3):
            if not is_round:
                middle = inverse[i, k, 0] * L[i, 0] + inverse[i, k, 1] * L[i, 1] + inverse[i, k, 2] * L[i, 2]
                spun[i, k] = 2.0 * middle - spun[i, k]
            V[i, 4 + k] = spun[i, k]


@njit(nogil=True, cache=True, error_model="numpy")
def _contacts(d, moving, center, kind, size, entry, reach, V, pairs, numbers, room):
    """Numbers of near pairs and of contacts; the list of pairs is made anew once bodies have moved too far since."""
    first, second, start, count, old_first, old_second, old_start, old_count, head, following, cells, table, listed = (
        pairs
    )
    fastest = 0.0
    moved = 0.0
    small = np.inf
    for i in range(moving):
        fastest = max(fastest, V[i, 0] ** 2 + V[i, 1] ** 2 + V[i, 2] ** 2)
        moved = max(
            moved,
            (center[i, 0] - listed[i, 0]) ** 2
            + (center[i, 1] - listed[i, 1]) ** 2
            + (center[i, 2] - listed[i, 2]) ** 2,
        )
        small = min(small, reach[i])
    ahead = 3.0 * d * np.sqrt(fastest) + NEAR * small
    near = int(numbers[0])
    if not ahead + 2.0 * np.sqrt(moved) <= numbers[1]:
        for k in range(near):
            old_first[k], old_second[k], old_start[k], old_count[k] = first[k], second[k], start[k], count[k]
        margin = 1.5 * ahead + 0.1 * small
        made = near_pairs(center, reach, kind, size, moving, margin, head, following, cells, first, second)
        if made > len(first):
            for k in range(near):
                first[k], second[k] = old_first[k], old_second[k]
            return made, 0
        remembered(first, second, made, old_first, old_second, near, old_start, old_count, start, count, table)
        for i in range(moving):
            for k in range(3):
                listed[i, k] = center[i, k]
        near = made
        numbers[0], numbers[1] = near, margin
    for k in range(near):
        old_start[k], old_count[k] = start[k], count[k]
    # a body at rest may be hit within the step, so all look as far ahead as the fastest goes
    far = min(d * np.sqrt(fastest), 0.3 * small) + NEAR * small
    m = met(entry, near, far, d)
    if m > room:
        for k in range(near):
            start[k], count[k] = old_start[k], old_count[k]
    return near, m


@njit(nogil=True, cache=True, error_model="numpy")
def _targets(m, moving, is_round, d, span, gravity, e, touch, lists, gap, V):
    """Write the least speeds of separation: none where bodies touch, Newton's after a hit, else such that a gap just closes."""
    who, frame, _arms, wide, _W, _weight, target = lists
    for c in range(m):
        target[c] = 0.0 if gap[c] <= touch else -gap[c] / span
        if e > 0.0:
            i, j, n = who[c, 0], who[c, 1], frame[c, 0]
            u = (V[i, 0] - V[j, 0]) * n[0] + (V[i, 1] - V[j, 1]) * n[1] + (V[i, 2] - V[j, 2]) * n[2]
            if not is_round:
                A = wide[c]
                for k in range(3):
                    u += V[i, 4 + k] * A[0, 0, k] - V[j, 4 + k] * A[1, 0, k]
            pull = 0.0 if j < moving else 0.5 * d * (gravity[0] * n[0] + gravity[1] * n[1] + gravity[2] * n[2])
            approach = u - pull
            if approach < 0.0 and (gap[c] <= touch or gap[c] + span * u < 0.0):
                target[c] = max(target[c], pull - e * approach)


@njit(nogil=True, cache=True, error_model="numpy")
def _warm(m, d, moving, is_round, lists, bodies, place, mu, P, guess, V, pairs, numbers, old_P, old_place):
    """Begin with the last impulses of the same contacts, scaled to the length of the flight."""
    (
        _first,
        _second,
        start,
        count,
        _old_first,
        _old_second,
        old_start,
        old_count,
        _head,
        _following,
        _cells,
        _table,
        _listed,
    ) = pairs
    who, frame, arms, wide, _W, _weight, _target = lists
    for k in range(int(numbers[0])):
        for c in range(start[k], start[k] + count[k]):
            P[c, 0] = P[c, 1] = P[c, 2] = 0.0
            guess[c, 0] = guess[c, 1] = guess[c, 2] = 0.0
            if old_count[k] == 0:
                continue
            best, nearest = np.inf, -1
            for o in range(old_start[k], old_start[k] + old_count[k]):
                away = (
                    (place[c, 0] - old_place[o, 0]) ** 2
                    + (place[c, 1] - old_place[o, 1]) ** 2
                    + (place[c, 2] - old_place[o, 2]) ** 2
                )
                if away < best:
                    best, nearest = away, o
            n, I = frame[c], old_P[nearest]
            p = d * (I[0] * n[0, 0] + I[1] * n[0, 1] + I[2] * n[0, 2])
            if p > 0.0:
                q = d * (I[0] * n[1, 0] + I[1] * n[1, 1] + I[2] * n[1, 2])
                r = d * (I[0] * n[2, 0] + I[1] * n[2, 1] + I[2] * n[2, 2])
                limit, slip = mu * p, q * q + r * r
                if slip > limit * limit:
                    scale = limit / np.sqrt(slip)
                    q, r = q * scale, r * scale
                guess[c, 0], guess[c, 1], guess[c, 2] = p, q, r
    if is_round:
        round_moved(m, who, frame, arms, P, guess, V, bodies[0], bodies[1])
    else:
        any_moved(m, who, frame, wide, P, guess, V, bodies[0])


@njit(nogil=True, cache=True, error_model="numpy")
def _noted(step, m, d, who, frame, place, P, rates, pressed, numbers):
    """Write down the contacts of a step that press: step, bodies, place, normal and impulse, after the ``numbers[2]`` that are there."""
    row = int(numbers[2])
    for c in range(m):
        if P[c, 0] > 0.0:
            r = pressed[row]
            r[0], r[1], r[2] = step, who[c, 0], who[c, 1]
            for k in range(3):
                r[3 + k], r[6 + k], r[9 + k] = place[c, k], frame[c, 0, k], d * rates[c, k]
            row += 1
    numbers[2] = row


@njit(nogil=True, cache=True, error_model="numpy")
def _forgotten(pairs, numbers):
    """Let the listed pairs have the contacts again whose impulses are remembered: those of the step before."""
    start, count, old_start, old_count = pairs[2], pairs[3], pairs[6], pairs[7]
    for k in range(int(numbers[0])):
        start[k], count[k] = old_start[k], old_count[k]


@njit(nogil=True, cache=True, error_model="numpy")
def _pushed_out(m, moving, is_round, lists, bodies, gap, x, D, P, mixing, board, sums, parts, pushes, last):
    """Move bodies by the least displacement D (n, 8) in the kinetic metric that ends penetration, to first order; the largest of it [m].

    They are not turned yet: impulses act on the inertias with which they were found.
    """
    who, frame, _arms, wide, _W, _weight, target = lists
    for i in range(len(D)):
        for k in range(8):
            D[i, k] = 0.0
    for c in range(m):
        P[c, 0] = P[c, 1] = P[c, 2] = 0.0
        target[c] = -gap[c]
    solved(FIRST, ALONE, board, sums, m, is_round, lists, bodies, 0.0, P, D, 1e-3, pushes, mixing, parts, last)
    largest = 0.0
    for i in range(moving):
        largest = max(largest, D[i, 0] ** 2 + D[i, 1] ** 2 + D[i, 2] ** 2)
        for k in range(3):
            x[i, k] += D[i, k]
    for c in range(m):
        i, j, n = who[c, 0], who[c, 1], frame[c, 0]
        u = (D[i, 0] - D[j, 0]) * n[0] + (D[i, 1] - D[j, 1]) * n[1] + (D[i, 2] - D[j, 2]) * n[2]
        if not is_round:
            A = wide[c]
            for k in range(3):
                u += D[i, 4 + k] * A[0, 0, k] - D[j, 4 + k] * A[1, 0, k]
        gap[c] += u
    return np.sqrt(largest)


@njit(nogil=True, cache=True, error_model="numpy")
def _turned_out(moving, is_round, Q, D):
    """Turn bodies as `_pushed_out` has found."""
    for i in range(0 if is_round else moving):
        turned(Q[i], D[i, 4], D[i, 5], D[i, 6], Q[i])


@njit(nogil=True, cache=True, error_model="numpy")
def _blown(moving, is_round, L, half, V, spin, own_inertia, R, world, spun):
    """Add the moments of the impulses to the moments of momentum L."""
    for i in range(moving):
        w = V[i, 4:7]
        if is_round:
            for k in range(3):
                L[i, k] = w[k] / spin[i]
        else:
            matrix(half[i], R)
            in_world(R, own_inertia[i], world)
            a, b, c = w[0] - spun[i, 0], w[1] - spun[i, 1], w[2] - spun[i, 2]
            for k in range(3):
                L[i, k] += world[k, 0] * a + world[k, 1] * b + world[k, 2] * c


@njit(nogil=True, cache=True, error_model="numpy")
def _ended(moving, is_round, d, x, Q, v, L, X, half, V, own_inverse, R, world, record):
    """Take the second half of a step and write down its end: whether all is finite."""
    total = 0.0
    for i in range(moving):
        r, w = record[i], V[i, 4:7]
        turned(half[i], 0.5 * d * w[0], 0.5 * d * w[1], 0.5 * d * w[2], Q[i])
        if not is_round:
            matrix(Q[i], R)
            in_world(R, own_inverse[i], world)
            for k in range(3):
                w[k] = world[k, 0] * L[i, 0] + world[k, 1] * L[i, 1] + world[k, 2] * L[i, 2]
        for k in range(3):
            v[i, k] = V[i, k]
            x[i, k] = X[i, k] + 0.5 * d * v[i, k]
            r[k], r[7 + k], r[10 + k] = x[i, k], v[i, k], w[k]
            total += abs(x[i, k]) + abs(v[i, k]) + abs(L[i, k])
        for k in range(4):
            r[3 + k] = Q[i, k]
    return np.isfinite(total)
