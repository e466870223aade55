"""Velocities of free bodies recomputed from their impulses after many sweeps."""

from vinculum.compile.kernels import njit
from vinculum.contact.sparse.arrays import Solver, Team
from vinculum.contact.sparse.gauss_seidel import ALONE, FIRST, residual_of, solve
from vinculum.contact.sparse.impulses import replace_impulses
from vinculum.tolerances.contact import SWEEPS_AFTER_RENEWAL, SWEEPS_BEFORE_RENEWAL


@njit(nogil=True, cache=True, error_model="numpy")
def renew_velocities(found, problem, iterate, step, spun, solver):
    """Recompute velocities V (n, 8) as V₀ + M⁻¹ Hᵀ P to the last digits, and solve again; returns residual, sweeps and the finisher
    flag.

    ``found``: these three values before. ``spun`` (n, 3): angular velocities at the end of the step without impulses. The first copy of
    the solver is overwritten.
    """
    error, sweeps, finisher = found
    (_rank, _threads, board, sums, parts), settings, copies, last = solver
    alone = Team(FIRST, ALONE, board, sums, parts)
    (P, V), v, kept = iterate, problem.pace.before, copies.old.P
    for _ in range(SWEEPS_AFTER_RENEWAL):
        for i in range(len(v)):
            for k in range(3):
                V[i, k], V[i, 4 + k] = v[i, k] + step.d * step.gravity[k], spun[i, k]
        for c in range(problem.m):
            for k in range(3):
                kept[c, k] = P[c, k]
                P[c, k] = 0.0
        replace_impulses(problem, iterate, kept)
        error = residual_of(problem, iterate, parts)
        if error <= settings.tolerance or sweeps >= settings.most:
            break
        error, more, last_digits = solve(problem, iterate, Solver(alone, settings, copies, last))
        sweeps, finisher = sweeps + more, max(finisher, last_digits)
        if more < SWEEPS_BEFORE_RENEWAL:
            break
    return error, sweeps, finisher
