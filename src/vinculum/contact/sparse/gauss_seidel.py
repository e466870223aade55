r"""Impulses of all contacts of a pile: block Gauss–Seidel with momentum on two sides at once, and leaps along drifts.

.. math:: Y = P + \beta\,(P - P'),\qquad P \leftarrow \text{sweep}(Y)

Velocities are affine in impulses, so those of Y cost nothing but a combination. Where contacts outnumber freedoms, sweeps drift along
directions that change no velocity until something slips or opens: a leap goes there at once. Nothing is regularized: what is solved is
the law itself, and what is left of it is reported.
Nesterov, Soviet Math. Doklady 27 (1983) 372; Mazhar, Heyn, Negrut and Tasora, ACM Trans. Graph. 34 (2015) 32.
"""

import numpy as np
from numba import njit

from vinculum.compile.calls import call_with
from vinculum.contact.cones import project
from vinculum.contact.sparse.general_rows import any_moved
from vinculum.contact.sparse.pace import hardest
from vinculum.contact.sparse.shared_sweeps import DEFECT, HOLD, SWEEP, beyond, copied, extrapolated, packed_up, passed
from vinculum.contact.sparse.sphere_rows import round_moved
from vinculum.contact.sparse.thread_pair import meet
from vinculum.tolerances.contact import (
    DRIFT_SWEEPS,
    FARTHEST_LEAP,
    FEW_FACES,
    FIRST_LEAP,
    FIRST_NEWTON,
    HARDEST,
    LEAPS_BELOW,
    LOOSE_LEAP,
    OWN,
    PAUSE,
    RARELY,
    STUCK,
)

MOMENTA = (0.9, 0.8, 0.93, 0.5)
"""The law of friction is not symmetric, so that more momentum makes sweeps diverge; the next one is taken where one is stuck."""
FIRST, ALONE = np.int64(0), np.int64(1)


@njit(nogil=True, cache=True, error_model="numpy")
def solved(
    rank, thread_pool, board, sums, m, is_round, contacts, bodies, mu, pace, P, V, tolerance, most, scratch, parts, last
):
    r"""The residual of `pile_pace`, number of sweeps, whether a finisher ended them; P (m, 3) and V (n, 8) are solved in place.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad |P_T| \le \mu P_N,\quad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0

    ``pace``: velocities before the step (n, 3) and |g| h [m/s]. ``contacts``: who, frame, arms, W, weight, target; ``scratch``: three
    copies of P and of V; ``parts``: order of contacts and of bodies, where their sides end, and room for what sweeps need;
    ``last``: the address of the `Finisher`, and where it is told what to do. Each thread of a crew calls this with
    its own ``rank``; all come to the same end, and to the same as one thread alone.
    """
    old, mark, trial, old_V, mark_V, trial_V = scratch
    law, team = (is_round, contacts, bodies, mu, pace), (rank, thread_pool, board, sums, parts)
    packed_up(team, law)
    error, _part, turn = _residual(team, FIRST, law, P, V)
    finisher = 0
    sweeps, since, rested, chosen, look, newtons, best = 0, 0, 0, 0, 0, FIRST_NEWTON, np.inf
    copied(team, P, V, old, old_V)
    while error > tolerance and sweeps < most:
        change, size, _worst, turn = passed(SWEEP, team, turn, law, P, V)
        sweeps, since, look = sweeps + 1, since + 1, look - 1
        moved = np.sqrt(change / size) if size > 0.0 else 0.0
        if (moved <= 2.0 * tolerance and look <= 0) or sweeps == most:
            error, _part, turn = _residual(team, turn, law, P, V)
            look = max(PAUSE, sweeps // RARELY)
            if error <= tolerance:
                break
        rested += 1
        if moved < 0.98 * best:
            best, rested = moved, 0
        elif rested > STUCK:
            chosen, best, rested = (chosen + 1) % len(MOMENTA), np.inf, 0
        if since == DRIFT_SWEEPS:
            copied(team, P, V, mark, mark_V)
        elif since >= 2 * DRIFT_SWEEPS and (sweeps >= FIRST_LEAP or (m < FEW_FACES and not is_round)):
            since = DRIFT_SWEEPS - 1
            if sweeps >= newtons:
                newtons *= 2
                leaped, done = _finished(team, last, m, law, P, V, tolerance, trial, old)
                copied(team, P, V, old, old_V)  # ``old`` was scratch
                if done:
                    finisher = 1
                    error, _part, turn = _residual(team, turn, law, P, V)
                    break
            else:
                leaped, turn = _leaped(team, turn, law, P, V, mark, mark_V, trial, trial_V)
            if leaped:
                since = 0
                copied(team, P, V, old, old_V)
                continue
        extrapolated(team, min(MOMENTA[chosen], (sweeps - 1.0) / (sweeps + 2.0)), P, V, old, old_V)
    meet(board, rank, thread_pool)  # nobody goes on to the next step while the other still reads the sums of this one
    return error, sweeps, finisher


@njit(nogil=True, cache=True, error_model="numpy")
def _residual(team, turn, law, P, V):
    """The residual, what impulses miss as part of all of them, and the next turn."""
    is_round, contacts, bodies, mu, (before, least) = law
    pace = (before, max(least, HARDEST * hardest(V, before)))
    change, size, worst, turn = passed(DEFECT, team, turn, (is_round, contacts, bodies, mu, pace), P, V)
    part = np.sqrt(change / size) if size > 0.0 else (1.0 if change > 0.0 else 0.0)
    return max(part, OWN * worst), part, turn


@njit(nogil=True, cache=True, error_model="numpy")
def _leaped(team, turn, law, P, V, mark, mark_V, trial, trial_V):
    """Go on along the drift from the mark to here, twice as far each time, while the law is not missed by much more: whether at all."""
    _worst, before, turn = _residual(team, turn, law, P, V)
    if not before <= LEAPS_BELOW:
        return False, turn
    length = 0.0
    while True:
        t = 2.0 * length if length > 0.0 else 1.0
        turn = _tried(t, team, turn, law, P, V, mark, mark_V, trial, trial_V)
        _worst, error, turn = _residual(team, turn, law, trial, trial_V)
        if not (error <= LOOSE_LEAP * before and t < FARTHEST_LEAP):
            break
        length = t
    if length == 0.0:
        return False, turn
    turn = _tried(length, team, turn, law, P, V, mark, mark_V, trial, trial_V)
    copied(team, trial, trial_V, P, V)
    meet(team[2], team[0], team[1])
    return True, turn


@njit(nogil=True, cache=True, error_model="numpy")
def _tried(t, team, turn, law, P, V, mark, mark_V, trial, trial_V):
    beyond(team, t, P, V, mark, mark_V, trial, trial_V)
    return passed(HOLD, team, turn, law, trial, trial_V)[3]


@njit(nogil=True, cache=True, error_model="numpy")
def _finished(team, last, m, law, P, V, tolerance, found, kept):
    """The finisher in place, asked by the first thread: whether anything is better, and whether it is good enough."""
    rank, thread_pool, board, sums, parts = team
    meet(board, rank, thread_pool)
    if rank == 0:
        is_round, contacts, bodies, mu, (_before, least) = law
        address, told = last
        alone = (FIRST, ALONE, board, sums, parts)
        before, _part, _turn = _residual(alone, FIRST, law, P, V)
        told[0], told[1], told[2], told[3], told[4] = m, mu, tolerance, before, least
        _kept(m, P, kept)
        call_with(address, told)
        project(m, found, mu)
        _moved(m, is_round, contacts, bodies, P, found, V)
        error, _part, _turn = _residual(alone, FIRST, law, P, V)
        if not error <= before:
            _kept(m, kept, found)
            _moved(m, is_round, contacts, bodies, P, found, V)
        sums[2, 0, 0] = 1.0 if error <= before else 0.0
        sums[2, 0, 1] = 1.0 if error <= tolerance else 0.0
    meet(board, rank, thread_pool)
    return sums[2, 0, 0] > 0.0, sums[2, 0, 1] > 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _kept(m, P, to):
    for c in range(m):
        for k in range(3):
            to[c, k] = P[c, k]


@njit(nogil=True, cache=True, error_model="numpy")
def _moved(m, is_round, contacts, bodies, P, Q, V):
    who, frame, arms, wide, _W, _weight, _target = contacts
    inverse_mass, spin = bodies
    if is_round:
        round_moved(m, who, frame, arms, P, Q, V, inverse_mass, spin)
    else:
        any_moved(m, who, frame, wide, P, Q, V, inverse_mass)
