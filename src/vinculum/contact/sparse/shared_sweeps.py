"""Sweeps over all contacts by two threads: each has its group, and the first one also has the separator.

Sums are taken part by part, so that their rounding does not depend on the number of threads. ``turn`` is the half of the sums that no
thread reads.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.block_rows import project_sides, side_residual, side_sweep
from vinculum.contact.sparse.general_rows import any_residual, any_sweep, project_any
from vinculum.contact.sparse.grouped_spheres import grouped_residual, grouped_sweep, pack_groups
from vinculum.contact.sparse.packed_spheres import pack, packed_residual, packed_sweep
from vinculum.contact.sparse.sphere_rows import project_round
from vinculum.contact.sparse.thread_pair import meet

SWEEP, DEFECT, HOLD = np.int64(0), np.int64(1), np.int64(2)
"""Tasks as Numba integers. Plain numbers have their own types, and everything below would be compiled once for each."""
NOTHING = (0.0, 0.0, 0.0)
"""The sums of no contacts."""


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def run_pass(task, team, turn, problem, iterate):
    """Sweep all contacts, evaluate their defect, or project their impulses; returns two sums, the worst contact, and the next turn."""
    rank, threads, board, sums, parts = team
    cut, packed, wide, sides = parts.cut, parts.packed, problem.rows.wide, problem.rows.sides
    for side in range(2):
        if threads < 2 or side == rank:
            begin, end = (0, cut[0]) if side == 0 else (cut[0], cut[1])
            sums[turn, side, 0], sums[turn, side, 1], sums[turn, side, 2] = _run_part(
                packed, wide, sides, task, parts, (side, begin, end), problem, iterate
            )
    meet(board, rank, threads)
    if rank == 0:
        sums[turn, 2, 0], sums[turn, 2, 1], sums[turn, 2, 2] = _run_part(
            packed, wide, sides, task, parts, (2, cut[1], cut[3]), problem, iterate
        )
    meet(board, rank, threads)
    s = sums[turn]
    return s[0, 0] + s[1, 0] + s[2, 0], s[0, 1] + s[1, 1] + s[2, 1], max(s[0, 2], s[1, 2], s[2, 2]), 1 - turn


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _run_part(packed, wide, sides, task, parts, part, problem, iterate):
    which, begin, end = part
    # Numba does not compile the branch of an argument that is None.
    if packed is not None:
        whole, seats, P, V = parts.grouped[which], parts.seats, iterate.P, iterate.V
        if task == SWEEP:
            return _both(
                grouped_sweep(begin, whole, packed, seats, P, V) if begin < whole else NOTHING,
                packed_sweep(whole, end, packed, seats, P, V),
            )
        if task == DEFECT:
            inverse_mass, pace = problem.blocks.inverse_mass, problem.pace
            return _both(
                grouped_residual(begin, whole, packed, seats, P, V, inverse_mass, pace) if begin < whole else NOTHING,
                packed_residual(whole, end, packed, seats, P, V, inverse_mass, pace),
            )
        project_round(parts.order, begin, end, problem, iterate)
    if wide is not None:
        if task == SWEEP:
            return any_sweep(parts.order, begin, end, problem, iterate)
        if task == DEFECT:
            return any_residual(parts.order, begin, end, problem, iterate)
        project_any(parts.order, begin, end, problem, iterate)
    if sides is not None:
        if task == SWEEP:
            return side_sweep(parts.order, begin, end, problem, iterate)
        if task == DEFECT:
            return side_residual(parts.order, begin, end, problem, iterate)
        project_sides(parts.order, begin, end, problem, iterate)
    return 0.0, 0.0, 0.0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _both(one, other):
    """Sums over two sets of contacts, and the worst of both."""
    return one[0] + other[0], one[1] + other[1], max(one[2], other[2])


@njit(nogil=True, cache=True, error_model="numpy")
def pack_parts(packed, team, problem):
    """Pack the data for sweeps of this thread's part. ``packed``: the packed rows of its parts."""
    if packed is None:
        return
    rank, threads, cut = team.rank, team.threads, team.parts.cut
    for part in range(3):
        if threads < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            whole = team.parts.grouped[part]
            pack_groups(begin, whole, team.parts, problem)
            pack(whole, end, team.parts, problem)


@njit(nogil=True, cache=True, error_model="numpy")
def copy(team, iterate, to):
    """Copy impulses and velocities of this thread's part."""
    go_beyond(team, 0.0, iterate, iterate, to)


@njit(nogil=True, cache=True, error_model="numpy")
def go_beyond(team, t, iterate, origin, to):
    """Write x + t (x − origin) for impulses and velocities of this thread's part."""
    rank, threads = team.rank, team.threads
    order, people, cut = team.parts.order, team.parts.people, team.parts.cut
    (P, V), (from_P, from_V), (to_P, to_V) = iterate, origin, to
    for part in range(3):
        if threads < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            for k in range(begin, end):
                c = order[k]
                for d in range(3):
                    to_P[c, d] = P[c, d] + t * (P[c, d] - from_P[c, d])
    for side in range(2):
        if threads < 2 or side == rank:
            begin, end = (0, cut[2]) if side == 0 else (cut[2], len(people))
            for k in range(begin, end):
                i = people[k]
                for d in range(8):
                    to_V[i, d] = V[i, d] + t * (V[i, d] - from_V[i, d])


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def add_momentum(team, beta, iterate, old, m):
    """Extrapolate impulses of m contacts and velocities by β times their last change; the present ones become the last ones."""
    rank, threads = team.rank, team.threads
    order, people, cut = team.parts.order, team.parts.people, team.parts.cut
    (P, V), (old_P, old_V) = iterate, old
    if threads < 2 and cut[3] == m:
        _extrapolate(beta, 3 * m, P.reshape(-1), old_P.reshape(-1))
        _extrapolate(beta, 8 * len(people), V.reshape(-1), old_V.reshape(-1))
        return
    for part in range(3):
        if threads < 2 or part == rank or (part == 2 and rank == 0):
            begin, end = (0 if part == 0 else cut[part - 1]), (cut[part] if part < 2 else cut[3])
            for k in range(begin, end):
                c = order[k]
                for d in range(3):
                    here = P[c, d]
                    P[c, d] = here + beta * (here - old_P[c, d])
                    old_P[c, d] = here
    for side in range(2):
        if threads < 2 or side == rank:
            begin, end = (0, cut[2]) if side == 0 else (cut[2], len(people))
            for k in range(begin, end):
                i = people[k]
                for d in range(8):
                    here = V[i, d]
                    V[i, d] = here + beta * (here - old_V[i, d])
                    old_V[i, d] = here


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _extrapolate(beta, count, x, old):
    """The same for the first numbers of two arrays, without an order."""
    for k in range(count):
        here = x[k]
        x[k] = here + beta * (here - old[k])
        old[k] = here
