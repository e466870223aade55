"""What a crew of threads does to all contacts of a pile: each thread its side, the first one also what lies across.

``team``: own rank, how many threads, their board, sums (2, 3, 8) of parts, and the parts: order of contacts and of bodies, ``cut``, and
the rows and seats of `pile_packed`.
``law``: whether all bodies are spheres, the contacts, the bodies, μ and the pace of `own_part`. Sums are taken part by part, so that their
rounding does not depend on the crew; ``turn`` is the half of the sums that nobody reads.
"""

import numpy as np
from numba import njit

from vinculum.contact.sparse.general_rows import any_projected, any_residual, any_sweep
from vinculum.contact.sparse.packed_spheres import pack, packed_residual, packed_sweep
from vinculum.contact.sparse.sphere_rows import round_projected
from vinculum.contact.sparse.thread_pair import meet

SWEEP, DEFECT, HOLD = np.int64(0), np.int64(1), np.int64(2)
"""Tasks. Plain numbers would be types of their own, and everything below be compiled once for each."""


@njit(nogil=True, cache=True, error_model="numpy")
def passed(task, team, turn, law, P, V):
    """Sweep all contacts, or look at them, or bring impulses back to where they may be: two sums, the worst, and the next turn."""
    rank, thread_pool, board, sums, parts = team
    cut = parts[2]
    for side in range(2):
        if thread_pool < 2 or side == rank:
            begin, end = (0, cut[0]) if side == 0 else (cut[0], cut[1])
            sums[turn, side, 0], sums[turn, side, 1], sums[turn, side, 2] = _done(task, parts, begin, end, law, P, V)
    meet(board, rank, thread_pool)
    if rank == 0:
        sums[turn, 2, 0], sums[turn, 2, 1], sums[turn, 2, 2] = _done(task, parts, cut[1], cut[3], law, P, V)
    meet(board, rank, thread_pool)
    s = sums[turn]
    return s[0, 0] + s[1, 0] + s[2, 0], s[0, 1] + s[1, 1] + s[2, 1], max(s[0, 2], s[1, 2], s[2, 2]), 1 - turn


@njit(nogil=True, cache=True, error_model="numpy")
def _done(task, parts, begin, end, law, P, V):
    is_round, contacts, bodies, mu, pace = law
    order, _people, _cut, packed, seats = parts
    who, frame, arms, wide, W, weight, target = contacts
    inverse_mass, spin = bodies
    if task == SWEEP:
        if is_round:
            return packed_sweep(begin, end, packed, seats, mu, P, V)
        return any_sweep(order, begin, end, who, frame, wide, W, weight, target, mu, P, V, inverse_mass)
    if task == DEFECT:
        if is_round:
            return packed_residual(begin, end, packed, seats, mu, P, V, inverse_mass, pace)
        return any_residual(order, begin, end, who, frame, wide, weight, target, mu, P, V, inverse_mass, pace)
    if is_round:
        round_projected(order, begin, end, who, frame, arms, mu, P, V, inverse_mass, spin)
    else:
        any_projected(order, begin, end, who, frame, wide, mu, P, V, inverse_mass)
    return 0.0, 0.0, 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def packed_up(team, law):
    """Lay out what sweeps of the own part need."""
    rank, thread_pool, _board, _sums, (order, _people, cut, packed, seats) = team
    is_round, (who, frame, arms, _wide, _W, weight, target), (inverse_mass, spin), _mu, _pace = law
    if not is_round:
        return
    for part in range(3):
        if thread_pool < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            pack(begin, end, order, who, frame, arms, weight, target, inverse_mass, spin, packed, seats)


@njit(nogil=True, cache=True, error_model="numpy")
def copied(team, P, V, to_P, to_V):
    """Write impulses and velocities of the own part elsewhere."""
    beyond(team, 0.0, P, V, P, V, to_P, to_V)


@njit(nogil=True, cache=True, error_model="numpy")
def beyond(team, t, P, V, from_P, from_V, to_P, to_V):
    """Write P + t (P − from) for impulses and velocities of the own part."""
    rank, thread_pool, _board, _sums, (order, people, cut, _packed, _seats) = team
    for part in range(3):
        if thread_pool < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            for k in range(begin, end):
                c = order[k]
                for d in range(3):
                    to_P[c, d] = P[c, d] + t * (P[c, d] - from_P[c, d])
    for side in range(2):
        if thread_pool < 2 or side == rank:
            begin, end = (0, cut[2]) if side == 0 else (cut[2], len(people))
            for k in range(begin, end):
                i = people[k]
                for d in range(8):
                    to_V[i, d] = V[i, d] + t * (V[i, d] - from_V[i, d])


@njit(nogil=True, cache=True, error_model="numpy")
def extrapolated(team, beta, P, V, old_P, old_V):
    """Go on from the last impulses and velocities to these, by β of the way once more; these become the last ones."""
    rank, thread_pool, _board, _sums, (order, people, cut, _packed, _seats) = team
    for part in range(3):
        if thread_pool < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            for k in range(begin, end):
                c = order[k]
                for d in range(3):
                    here = P[c, d]
                    P[c, d] = here + beta * (here - old_P[c, d])
                    old_P[c, d] = here
    for side in range(2):
        if thread_pool < 2 or side == rank:
            begin, end = (0, cut[2]) if side == 0 else (cut[2], len(people))
            for k in range(begin, end):
                i = people[k]
                for d in range(8):
                    here = V[i, d]
                    V[i, d] = here + beta * (here - old_V[i, d])
                    old_V[i, d] = here
