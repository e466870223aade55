r"""Impulses of all contacts: block Gauss–Seidel with momentum on two groups at once, and extrapolation along drifts.

.. math:: Y = P + \beta\,(P - P'),\qquad P \leftarrow \text{sweep}(Y)

Velocities are affine in impulses, so those of Y are a linear combination. If contacts outnumber degrees of freedom, sweeps drift along
directions that change no velocity until a contact slides or opens; extrapolation goes there at once. Nothing is regularized: the contact
law itself is solved, and its residual is reported. Islands in which it holds are left out of further sweeps. Nesterov, Soviet Math.
Doklady 27 (1983) 372; Mazhar, Heyn, Negrut and Tasora, ACM Trans. Graph. 34 (2015) 32.
"""

import numpy as np

from vinculum.compile.calls import call_with
from vinculum.compile.kernels import njit
from vinculum.contact.cones import project
from vinculum.contact.sparse.arrays import ContactProblem, Pace, Team
from vinculum.contact.sparse.block_rows import project_rows
from vinculum.contact.sparse.first_sweeps import first_sweeps, goes_by_rows, hardest_of, pause, residual_of_rows
from vinculum.contact.sparse.impulses import replace_impulses
from vinculum.contact.sparse.islands import contacts_of_largest, leave_out_settled
from vinculum.contact.sparse.partition import keep_order, restore_order
from vinculum.contact.sparse.residual import relative
from vinculum.contact.sparse.shared_sweeps import (
    DEFECT,
    HOLD,
    SWEEP,
    add_momentum,
    copy,
    go_beyond,
    pack_parts,
    run_pass,
)
from vinculum.contact.sparse.thread_pair import meet
from vinculum.tolerances.contact import (
    DRIFT_SWEEPS,
    FARTHEST_LEAP,
    FEW_CONTACTS,
    FEW_FACES,
    FIRST_DIVISION,
    FIRST_LEAP,
    FIRST_MOMENTUM,
    FIRST_NEWTON,
    HARDEST,
    LEAPS_BELOW,
    LOOSE_LEAP,
    OWN,
    STUCK,
    STUCK_AT_FIRST,
    SWEEPS_BEFORE_NEWTON,
)

MOMENTA = (FIRST_MOMENTUM, 0.8, 0.93, 0.5)
"""Momenta of the sweeps. If one momentum stalls, the next is used."""
MOMENTA_WITH_MOMENTS = (FIRST_MOMENTUM, 0.0, 0.5, 0.0)
"""The same where contacts resist rolling or spinning: limits of moments change with every normal impulse, and plain sweeps may converge
where none with momentum do."""
FIRST, ALONE = np.int64(0), np.int64(1)


@njit(nogil=True, cache=True, error_model="numpy")
def solve(problem, iterate, solver):
    r"""Solve the iterate in place; returns the residual (see `residual`), the number of sweeps, and whether a finisher ended them.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad |P_T| \le \mu P_N,\quad P_T = -\mu P_N\,u_T/|u_T| \text{ if } u_T \ne 0

    Each thread of a team calls this with its own rank. All threads obtain the same result, which is also that of one thread alone.
    """
    team, (tolerance, most), (old, mark, trial), finisher = solver
    sweeps, turn = 0, FIRST
    if goes_by_rows(problem.rows.sides, problem.is_round, team.parts.cut[3]):
        error = residual_of_rows(problem, iterate, team.parts)
        error, sweeps = first_sweeps(problem, iterate, old, team.parts, solver.settings, error)
        if error <= tolerance or sweeps >= most:
            return error, sweeps, 0
        pack_parts(team.parts.packed, team, problem)
    else:
        pack_parts(team.parts.packed, team, problem)
        error, _part, turn = _residual(team, FIRST, problem, iterate)
    finished = 0
    momenta = MOMENTA_WITH_MOMENTS if _has_moments(problem.rows.sides, problem) else MOMENTA
    since, rested, chosen, look, looked, newtons, best = 0, 0, 0, 0, sweeps, FIRST_NEWTON, np.inf
    division, settled, kept = FIRST_DIVISION, 0.0, np.empty(0, dtype=np.int64)
    copy(team, iterate, old)
    while error > tolerance and sweeps < most:
        change, size, _worst, turn = run_pass(SWEEP, team, turn, problem, iterate)
        sweeps, since, look = sweeps + 1, since + 1, look - 1
        moved = np.sqrt(change / size) if size > 0.0 else 0.0
        if (moved <= 2.0 * tolerance and look <= 0) or sweeps == most:
            last = error
            error, _part, turn = _residual(team, turn, problem, iterate)
            look, looked = pause(last, error, tolerance, sweeps - looked, sweeps), sweeps
            if error <= tolerance:
                break
        if sweeps == division:
            division *= 2
            if team.rank == 0 and len(kept) == 0:
                kept = keep_order(team.parts.grouped, team.parts)
            settled, are_few = _leave_out(team, settled, problem, iterate, tolerance, trial.P)
            if are_few and sweeps >= SWEEPS_BEFORE_NEWTON:
                _leaped, done = _finish(team, finisher, problem, iterate, tolerance, trial.P, old.P)
                finished = 1 if done else finished
            error, _part, turn = _residual(team, turn, problem, iterate)
            copy(team, iterate, old)
            since, best = 0, np.inf
            continue
        rested += 1
        if moved < 0.98 * best:
            best, rested = moved, 0
        elif rested > (STUCK if chosen else min(STUCK, STUCK_AT_FIRST + sweeps // 4)):
            chosen, best, rested = (chosen + 1) % len(momenta), np.inf, 0
        if since == DRIFT_SWEEPS:
            copy(team, iterate, mark)
        elif since >= 2 * DRIFT_SWEEPS and (sweeps >= FIRST_LEAP or (problem.m < FEW_FACES and not problem.is_round)):
            since = DRIFT_SWEEPS - 1
            if sweeps >= newtons:
                newtons *= 2
                leaped, done = _finish(team, finisher, problem, iterate, tolerance, trial.P, old.P)
                copy(team, iterate, old)  # ``old`` was scratch
                if done:
                    finished = 1
                    error, _part, turn = _residual(team, turn, problem, iterate)
                    break
            else:
                leaped, turn = _extrapolate_drift(team, turn, problem, iterate, mark, trial)
            if leaped:
                since = 0
                copy(team, iterate, old)
                continue
        add_momentum(team, min(momenta[chosen], (sweeps - 1.0) / (sweeps + 2.0)), iterate, old, problem.m)
    # No thread continues with the next step while the other still reads these sums.
    meet(team.board, team.rank, team.threads)
    if len(kept) > 0:
        restore_order(team.parts.grouped, team.parts, kept)
    return max(error, settled), sweeps, finished


@njit(nogil=True, cache=True, error_model="numpy")
def residual_of(problem, iterate, parts):
    """The residual of an iterate, as `solve` finds it."""
    return residual_of_rows(problem, iterate, parts)


@njit(nogil=True, cache=True, error_model="numpy")
def _leave_out(team, settled, problem, iterate, tolerance, room):
    """Leave islands in which the law holds out of further sweeps; returns the largest residual of all that are left out, and whether the
    others have few contacts each. ``room`` (m, 3) is overwritten."""
    rank, threads, board, sums, parts = team
    meet(board, rank, threads)
    if rank == 0:
        sums[2, 0, 0] = max(settled, leave_out_settled(problem, iterate, parts, tolerance, room))
        sums[2, 0, 1] = contacts_of_largest(problem, iterate, parts)
    meet(board, rank, threads)
    settled, are_few = sums[2, 0, 0], sums[2, 0, 1] <= FEW_CONTACTS
    pack_parts(parts.packed, team, problem)
    return settled, are_few


@njit(nogil=True, cache=True, error_model="numpy")
def _has_moments(sides, problem):
    # Numba does not compile the branch of an argument that is None.
    found = False
    if sides is not None:
        found = problem.m > 0 and sides.resistance.partner[problem.m - 1] >= 0
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def _residual(team, turn, problem, iterate):
    """The residual, the defect relative to all impulses, and the next turn."""
    m, is_round, rows, blocks, cones, targets, (before, least) = problem
    pace = Pace(before, max(least, HARDEST * hardest_of(rows.sides, problem, iterate)))
    seen = ContactProblem(m, is_round, rows, blocks, cones, targets, pace)
    change, size, worst, turn = run_pass(DEFECT, team, turn, seen, iterate)
    part = relative(change, size)
    return max(part, OWN * worst), part, turn


@njit(nogil=True, cache=True, error_model="numpy")
def _extrapolate_drift(team, turn, problem, iterate, mark, trial):
    """Extrapolate along the drift from the mark, doubling the distance while the residual does not grow much; returns whether it moved."""
    _worst, before, turn = _residual(team, turn, problem, iterate)
    if not before <= LEAPS_BELOW:
        return False, turn
    length = 0.0
    while True:
        t = 2.0 * length if length > 0.0 else 1.0
        turn = _try(t, team, turn, problem, iterate, mark, trial)
        _worst, error, turn = _residual(team, turn, problem, trial)
        if not (error <= LOOSE_LEAP * before and t < FARTHEST_LEAP):
            break
        length = t
    if length == 0.0:
        return False, turn
    turn = _try(length, team, turn, problem, iterate, mark, trial)
    copy(team, trial, iterate)
    meet(team.board, team.rank, team.threads)
    return True, turn


@njit(nogil=True, cache=True, error_model="numpy")
def _try(t, team, turn, problem, iterate, mark, trial):
    go_beyond(team, t, iterate, mark, trial)
    return run_pass(HOLD, team, turn, problem, trial)[3]


@njit(nogil=True, cache=True, error_model="numpy")
def _finish(team, finisher, problem, iterate, tolerance, found, kept):
    """Call the finisher in place, on the first thread; returns whether the impulses improved, and whether they meet the tolerance."""
    rank, threads, board, sums, parts = team
    meet(board, rank, threads)
    if rank == 0:
        m, P, told = problem.m, iterate.P, finisher.told
        alone = Team(FIRST, ALONE, board, sums, parts)
        before, _part, _turn = _residual(alone, FIRST, problem, iterate)
        roughest = 0.0
        for c in range(m):
            roughest = max(roughest, problem.cones[c])
        told[0], told[1], told[2], told[3] = m, roughest, tolerance, problem.pace.least
        _keep(m, P, kept)
        call_with(finisher.address, told)
        _project(problem.rows.sides, problem, found)
        replace_impulses(problem, iterate, found)
        error, _part, _turn = _residual(alone, FIRST, problem, iterate)
        if not error <= before:
            _keep(m, kept, found)
            replace_impulses(problem, iterate, found)
        sums[2, 0, 0] = 1.0 if error <= before else 0.0
        sums[2, 0, 1] = 1.0 if error <= tolerance else 0.0
    meet(board, rank, threads)
    return sums[2, 0, 0] > 0.0, sums[2, 0, 1] > 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _project(sides, problem, found):
    # Numba does not compile the branch of an argument that is None.
    if sides is None:
        project(problem.m, found, problem.cones)
    if sides is not None:
        project_rows(problem, found)


@njit(nogil=True, cache=True, error_model="numpy")
def _keep(m, P, to):
    for c in range(m):
        for k in range(3):
            to[c, k] = P[c, k]
