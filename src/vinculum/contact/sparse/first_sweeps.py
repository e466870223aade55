"""The first sweeps over contacts that one thread takes, straight from their rows.

Most problems need only a few of them. There is nothing to pack, to share, to extrapolate or to leave out yet; for few contacts all that
would take longer than the sweeps.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.arrays import ContactProblem, Pace
from vinculum.contact.sparse.block_rows import hardest_of_sides, side_residual, side_sweep
from vinculum.contact.sparse.general_rows import any_residual, any_sweep
from vinculum.contact.sparse.residual import hardest, own_part, relative
from vinculum.contact.sparse.sphere_rows import round_defect, round_residual, round_sweep
from vinculum.tolerances.contact import (
    CONTACTS_WORTH_GROUPS,
    CONTACTS_WORTH_SHARING,
    FIRST_DIVISION,
    FIRST_MOMENTUM,
    HARDEST,
    OWN,
    PART_OF_EXPECTED,
    PART_OF_SWEPT,
    PAUSE,
    RARELY,
)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def goes_by_rows(sides, is_round, count):
    """Whether so many contacts begin with the sweeps of this module: so many that two threads may share them, or groups of eight, do not.
    ``sides``: those of the rows; no two threads share blocks."""
    found = count < (CONTACTS_WORTH_GROUPS if is_round else CONTACTS_WORTH_SHARING)
    # Numba does not compile the branch of an argument that is None.
    if sides is not None:
        found = True
    return found


@njit(nogil=True, cache=True, error_model="numpy")
def first_sweeps(problem, iterate, old, parts, settings, error):
    """Sweep in place, with momentum, as long as the residual ``error`` is above the tolerance and nothing else is tried; returns the
    residual and the number of sweeps. ``old``: a copy of the iterate to work in."""
    tolerance, most = settings
    (P, V), (old_P, old_V), rows = iterate, old, problem.rows
    flat, old_flat, count = V.reshape(-1), old_V.reshape(-1), 8 * len(parts.people)
    sweeps, look, looked, last = 0, 0, 0, min(FIRST_DIVISION - 1, most)
    for c in range(problem.m if error > tolerance else 0):
        for d in range(3):
            old_P[c, d] = P[c, d]
    for i in range(count if error > tolerance else 0):
        old_flat[i] = flat[i]
    while error > tolerance and sweeps < last:
        change, size, _worst = _sweep(rows.arms, rows.wide, rows.sides, parts, problem, iterate)
        sweeps, look = sweeps + 1, look - 1
        moved = np.sqrt(change / size) if size > 0.0 else 0.0
        if (moved <= 2.0 * tolerance and look <= 0) or sweeps == most:
            before = error
            error = residual_of_rows(problem, iterate, parts)
            look, looked = pause(before, error, tolerance, sweeps - looked, sweeps), sweeps
            if error <= tolerance:
                break
        beta = min(FIRST_MOMENTUM, (sweeps - 1.0) / (sweeps + 2.0))
        for k in range(parts.cut[3]):
            c = parts.order[k]
            for d in range(3):
                here = P[c, d]
                P[c, d] = here + beta * (here - old_P[c, d])
                old_P[c, d] = here
        for i in range(count):
            here = flat[i]
            flat[i] = here + beta * (here - old_flat[i])
            old_flat[i] = here
    return error, sweeps


@njit(nogil=True, cache=True, error_model="numpy")
def pause(last, error, tolerance, since, sweeps):
    """Sweeps until the residual is evaluated again, after one of ``last`` and then, ``since`` sweeps later, one of ``error``.

    At this rate the tolerance is met after an expected number of sweeps; the next look comes after a part of them.
    """
    least = max(PAUSE, sweeps // RARELY)
    if not tolerance < error < last:
        return least
    expected = since * np.log(error / tolerance) / np.log(last / error)
    return max(least, int(min(PART_OF_EXPECTED * expected, PART_OF_SWEPT * sweeps)))


@njit(nogil=True, cache=True, error_model="numpy")
def residual_of_rows(problem, iterate, parts):
    """The residual of an iterate for the contacts in the order of sweeps."""
    m, is_round, rows, blocks, cones, targets, (before, least) = problem
    pace = Pace(before, max(least, HARDEST * hardest_of(rows.sides, problem, iterate)))
    seen = ContactProblem(m, is_round, rows, blocks, cones, targets, pace)
    change, size, worst = defect_of_rows(rows.arms, rows.wide, rows.sides, parts, 0, parts.cut[3], seen, iterate)
    return max(relative(change, size), OWN * worst)


@njit(nogil=True, cache=True, error_model="numpy")
def hardest_of(sides, problem, iterate):
    """The largest velocity change of any body, or at any contact of blocks that have ``sides``."""
    # Numba does not compile the branch of an argument that is None.
    most = 0.0
    if sides is None:
        most = hardest(iterate.V, problem.pace.before)
    if sides is not None:
        most = hardest_of_sides(problem, iterate)
    return most


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def defect_of_rows(arms, wide, sides, parts, begin, end, problem, iterate):
    """Squares of the defect and of the size of some impulses in the order of sweeps, and the worst of them. ``arms``, ``wide``, ``sides``:
    those of the rows."""
    if arms is not None:
        return round_residual(parts.order, begin, end, problem, iterate)
    if wide is not None:
        return any_residual(parts.order, begin, end, problem, iterate)
    if sides is not None:
        return side_residual(parts.order, begin, end, problem, iterate)
    return 0.0, 0.0, 0.0


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def defect_of_row(arms, wide, sides, parts, k, problem, iterate):
    """The same for the impulse at one place in the order of sweeps."""
    if arms is not None:
        c, who = parts.order[k], problem.rows.who
        change, size, missing = round_defect(c, problem, iterate)
        return (
            change,
            size,
            own_part(who[c, 0], who[c, 1], missing, iterate.V, problem.blocks.inverse_mass, problem.pace),
        )
    return defect_of_rows(arms, wide, sides, parts, k, k + 1, problem, iterate)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _sweep(arms, wide, sides, parts, problem, iterate):
    if arms is not None:
        return round_sweep(parts.order, 0, parts.cut[3], problem, iterate)
    if wide is not None:
        return any_sweep(parts.order, 0, parts.cut[3], problem, iterate)
    if sides is not None:
        return side_sweep(parts.order, 0, parts.cut[3], problem, iterate)
    return 0.0, 0.0, 0.0
