"""Impulses of contacts that act together: by sweeps and, if they do not converge, by Newton's method and by pivoting."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.dense.algebra import product
from vinculum.contact.dense.arrays import Problem
from vinculum.contact.dense.gauss_seidel import impulses, presser, project, residual
from vinculum.contact.dense.newton import newton
from vinculum.contact.dense.pivots import pivot
from vinculum.tolerances.contact import NEWTON_STARTS, POLYGONS, SWEEPS_BEFORE_NEWTON

NONE, FEW, STARTS = np.int64(0), np.int64(2), np.int64(NEWTON_STARTS)
"""Indices of the starts of Newton's method. Plain numbers have their own types in Numba, and it would be compiled once for each."""


@njit(nogil=True, cache=True)
def finish(W, free, target, least, mu, P, sought):
    """Solve for impulses in place, as `impulses` does; returns residual and sweeps."""
    tolerance, enough, most = sought
    problem = Problem(W, free, target, least, mu)
    limit, sweeps, best, kept = SWEEPS_BEFORE_NEWTON, 0, np.inf, P.copy()
    while True:
        error, more = impulses(W, free, target, least, mu, P, tolerance, min(limit, most - sweeps))
        sweeps += more
        if error > tolerance:
            error = _by_newton(problem, P, error, tolerance, NONE, FEW)
        if error > tolerance:
            error = _by_pivots(problem, P, error, tolerance)
        if error > enough:
            error = _by_newton(problem, P, error, tolerance, FEW, STARTS)
        if error < best:
            best = error
            for k in range(len(P)):
                kept[k] = P[k]
        if (
            best <= tolerance
            or (limit > SWEEPS_BEFORE_NEWTON and best <= enough)
            or sweeps >= most
            or not error < np.inf
        ):
            for k in range(len(P)):
                P[k] = kept[k]
            return best, sweeps
        if limit == SWEEPS_BEFORE_NEWTON:
            for k in range(len(P)):
                P[k] = 0.0
        limit *= 4


@njit(nogil=True, cache=True)
def _by_newton(problem, P, error, tolerance, first, last):
    """The residual after Newton's method from the starts ``first`` to ``last``; P is overwritten if the result is better.

    Newton's method knows circular friction only.
    """
    least, mu = problem.least, problem.mu
    for c in range(len(least)):
        if presser(mu, c) < 0 and mu[c, 0] != mu[c, 1]:
            return error
    start, chance = np.empty(len(P)), 1 + first
    for attempt in range(first, last):
        # If solutions are not unique, sweeps drift and may end far from a good start for Newton's method.
        for k in range(len(P)):
            chance = (chance * 1103515245 + 12345) % 2147483648
            part = 1.0 if attempt == 0 else 0.0 if attempt == 1 else 2.0 * chance / 2147483648 - 0.5 * (k % 3 != 0)
            start[k] = P[k] if k % 3 == 0 and attempt < 2 else part * P[k]
        project(start, least, mu)
        error = _keep_better(problem, P, error, newton(problem, start))
        if error <= tolerance:
            break
    return error


@njit(nogil=True, cache=True)
def _by_pivots(problem, P, error, tolerance):
    """The residual after pivoting, each time with polygons oriented by the last impulses; P is overwritten if the result is better."""
    trial = P.copy()
    for _ in range(POLYGONS):
        if not pivot(problem.W, problem.free, problem.target, problem.least, problem.mu, trial):
            break
        before = error
        error = _keep_better(problem, P, error, trial)
        if error > tolerance:
            error = _keep_better(problem, P, error, newton(problem, trial))
        if error <= tolerance or error == before:
            break
    return error


@njit(nogil=True, cache=True)
def _keep_better(problem, P, error, found):
    """The smaller of the residuals of P and of the impulses ``found``, after projection; P is overwritten if these are better."""
    W, free, target, least, mu = problem
    u = np.empty(len(P))
    project(found, least, mu)
    product(W, found, u)
    for k in range(len(P)):
        u[k] += free[k]
    better = residual(W, u, target, least, mu, found)
    if better < error:
        for k in range(len(P)):
            P[k] = found[k]
        return better
    return error
