r"""Time steps of a pile of free bodies, with impulses where they stand in the middle of a step.

.. math:: X = x + \tfrac d2 v,\qquad v' = v + d\,g + M^{-1} H(X)^T P,\qquad x' = X + \tfrac d2 v'

The next middle is X + s v' with s the mean of this d and the next, so the law holds for v': u_N ≥ 0 where bodies touch at X,
u_N ≥ −gap/s where they are about to.
Moreau, in Nonsmooth Mechanics and Applications, CISM 302 (1988); Jean, Comput. Methods Appl. Mech. Engrg. 177 (1999) 235, with θ = 1/2.
"""

import numpy as np
from numba import njit

from vinculum.contact.free_bodies.contacts import found_contacts, least_speeds
from vinculum.contact.free_bodies.depenetration import moved_out, turned_out
from vinculum.contact.free_bodies.flights import begun, blown, ended, freed, placed
from vinculum.contact.free_bodies.warm_start import forgotten, noted, warmed
from vinculum.contact.sparse.admitted_work import residual_work
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, solved
from vinculum.contact.sparse.general_rows import any_weights
from vinculum.contact.sparse.partition import sides
from vinculum.contact.sparse.redundancy import surplus
from vinculum.contact.sparse.sphere_rows import round_weights
from vinculum.contact.sparse.thread_pair import next_task, offer
from vinculum.contact.sparse.velocities import renewed
from vinculum.tolerances.contact import CONTACTS_WORTH_SHARING, SWEEPS_BEFORE_RENEWAL

DONE, MISSED, PAIRS, CONTACTS, INFINITE, PRESSES = 0, 1, 2, 3, 4, 5
RESIDUAL, SWEEPS, COUNT, DEPTH, MOVED, SURPLUS, SPARE, FINISHER = 0, 1, 2, 3, 4, 5, 6, 7
"""Columns of what is written about every step."""
PUSHES = np.int64(30)
"""Most sweeps that move bodies of one mass out of each other."""
SECOND, BOTH = np.int64(1), np.int64(2)


@njit(nogil=True, cache=True, error_model="numpy")
def time_steps(
    durations, gravity, law, moving, is_round, shape, inertia, state, scratch, pairs, contacts, memory, numbers, thread_pool, records,
    report,
):  # fmt: skip
    """Take steps of ``durations`` [s] one after the other: a status and how many were taken.

    ``law``: μ, e, distance at which bodies touch, penetration that is left as it is, tolerance, most sweeps, and
    most of those that move bodies out of each other.
    ``records`` (steps, moving, 13): place, attitude, velocity and angular velocity at the end of every step.
    ``report`` (steps, 8): what is to be said about its impulses.
    """
    x, Q, v, L = state
    center, turn, inverse, V, D, R, world, spun, X, half = scratch
    kind, size, reach, offset, tilt, entry = shape
    inverse_mass, spin, own_inertia, own_inverse = inertia
    who, frame, place, gap, arms, wide, W, weight, target, P, copies, order, packed, seats = contacts
    old_P, old_place, pressed = memory
    mu, e, touch, slack, tolerance, most, pushes = law
    lists = (who, frame, arms, wide, W, weight, target)
    bodies = (inverse_mass, spin)
    threads, board, sums, told, people, cut, copies_V, listed, last = thread_pool
    parts = (order, people, cut, packed, seats)
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    pull = np.linalg.norm(gravity)
    for step in range(len(durations)):
        d = durations[step]
        span = 0.5 * (d + (durations[step + 1] if step + 1 < len(durations) else d))
        begun(moving, is_round, d, gravity, x, Q, v, L, X, half, V, spin, own_inverse, R, world, spun)
        placed(moving, is_round, X, half, center, turn, inverse, offset, tilt, own_inverse, R)
        freed(moving, is_round, L, V, inverse, spun)
        count, m = found_contacts(max(d, span), moving, center, kind, size, entry, reach, V, pairs, numbers, len(gap))
        if count > len(pairs[0]):
            return PAIRS, step
        if m > len(gap):
            return CONTACTS, step
        if numbers[2] + m > len(pressed):
            forgotten(pairs, numbers)
            return PRESSES, step
        if is_round:
            round_weights(m, who, arms, gap, reach, moving, inverse_mass, spin, weight)
        else:
            any_weights(m, who, frame, place, wide, X, inverse, inverse_mass, W, weight)
        depth = 0.0
        for c in range(m):
            depth = max(depth, -gap[c])
        report[step, DEPTH], report[step, COUNT], report[step, MOVED] = depth, m, 0.0
        if depth > slack:
            sides(m, who, place, X, moving, is_round, order, people, cut)
            report[step, MOVED] = moved_out(m, moving, is_round, lists, bodies, gap, X, D, P, mixing, board, sums, parts, pushes,
                                            last)  # fmt: skip
        least_speeds(m, moving, is_round, d, span, gravity, e, touch, lists, gap, V)
        warmed(m, d, moving, is_round, lists, bodies, place, mu, P, copies[0], V, pairs, numbers, old_P, old_place)
        sides(m, who, place, X, moving, is_round, order, people, cut)
        together = threads if m >= CONTACTS_WORTH_SHARING else ALONE
        if together > 1:
            told[0], told[1], told[2], told[3], told[4] = m, mu, tolerance, most, d * pull
            offer(board)
        error, sweeps, finisher = solved(FIRST, together, board, sums, m, is_round, lists, bodies, mu, (v, d * pull), P, V,
                                         tolerance, most, mixing, parts, last)  # fmt: skip
        if sweeps >= SWEEPS_BEFORE_RENEWAL:
            error, sweeps, finisher = renewed((error, sweeps, finisher), m, d, moving, is_round, gravity, v, spun, lists, bodies, mu, P, V,
                                              tolerance, most, (board, sums, parts), mixing, last)  # fmt: skip
        report[step, RESIDUAL], report[step, SWEEPS], report[step, FINISHER] = error, sweeps, finisher
        report[step, SURPLUS] = surplus(m, who, moving, is_round, mu, P, people, listed)
        report[step, SPARE] = residual_work(m, is_round, lists, mu, P, V, copies[0])
        if not error <= tolerance:
            forgotten(pairs, numbers)
            return MISSED, step
        for c in range(m):
            n = frame[c]
            for k in range(3):
                old_P[c, k] = (P[c, 0] * n[0, k] + P[c, 1] * n[1, k] + P[c, 2] * n[2, k]) / d
                old_place[c, k] = place[c, k]
        blown(moving, is_round, L, half, V, spin, own_inertia, R, world, spun)
        if depth > slack:
            turned_out(moving, is_round, half, D)
        if not ended(moving, is_round, d, x, Q, v, L, X, half, V, own_inverse, R, world, records[step]):
            return INFINITE, step
        noted(step, m, d, who, frame, place, P, old_P, pressed, numbers)
    return DONE, len(durations)


@njit(nogil=True, cache=True, error_model="numpy")
def serve(is_round, inertia, v, scratch, contacts, thread_pool):
    """Work beside `time_steps` on the impulses of every step, until there are no more."""
    inverse_mass, spin, _own_inertia, _own_inverse = inertia
    who, frame, _place, _gap, arms, wide, W, weight, target, P, copies, order, packed, seats = contacts
    _threads, board, sums, told, people, cut, copies_V, _listed, last = thread_pool
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    done = 0
    while next_task(board, done):
        done += 1
        m, mu, tolerance, most, least = int(told[0]), told[1], told[2], int(told[3]), told[4]
        lists = (who, frame, arms, wide, W, weight, target)
        solved(SECOND, BOTH, board, sums, m, is_round, lists, (inverse_mass, spin), mu, (v, least), P, scratch[3], tolerance, most, mixing,
               (order, people, cut, packed, seats), last)  # fmt: skip


@njit(nogil=True, cache=True, error_model="numpy")
def look(moving, is_round, shape, inertia, state, scratch, pairs, contacts, numbers):
    """A status and the number of contacts of bodies where they stand; no step is taken."""
    center, turn, inverse, V, _D, R, _world, _spun, _X, _middle = scratch
    kind, size, reach, offset, tilt, entry = shape
    placed(moving, is_round, state[0], state[1], center, turn, inverse, offset, tilt, inertia[3], R)
    for i in range(len(V)):
        for k in range(8):
            V[i, k] = 0.0
    count, m = found_contacts(0.0, moving, center, kind, size, entry, reach, V, pairs, numbers, len(contacts[3]))
    if count > len(pairs[0]):
        return PAIRS, 0
    return (CONTACTS, 0) if m > len(contacts[3]) else (DONE, m)


@njit(nogil=True, cache=True, error_model="numpy")
def pushed_out(m, moving, is_round, shape, inertia, state, scratch, contacts, thread_pool):
    """Move bodies out of each other where `look` has found them: the largest move [m]."""
    inverse_mass, spin, _own_inertia, _own_inverse = inertia
    who, frame, place, gap, arms, wide, W, weight, target, P, copies, order, packed, seats = contacts
    _threads, board, sums, _told, people, cut, copies_V, _listed, last = thread_pool
    if is_round:
        round_weights(m, who, arms, gap, shape[2], moving, inverse_mass, spin, weight)
    else:
        any_weights(m, who, frame, place, wide, state[0], scratch[2], inverse_mass, W, weight)
    lists = (who, frame, arms, wide, W, weight, target)
    sides(m, who, place, state[0], moving, is_round, order, people, cut)
    mixing = (copies[0], copies[1], copies[2], copies_V[0], copies_V[1], copies_V[2])
    moved = moved_out(m, moving, is_round, lists, (inverse_mass, spin), gap, state[0], scratch[4], P, mixing, board, sums,
                        (order, people, cut, packed, seats), PUSHES, last)  # fmt: skip
    turned_out(moving, is_round, state[1], scratch[4])
    return moved
