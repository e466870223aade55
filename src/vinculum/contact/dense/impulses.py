"""Impulses of one impact, by sweeps and, where they do not settle, by Newton's method from several places and by pivots."""

import numpy as np
from numba import njit

from vinculum.contact.dense.algebra import product
from vinculum.contact.dense.gauss_seidel import (
    given_back,
    impulses,
    is_in_turn,
    presser,
    project,
    residual,
    struck_in_turn,
    targets,
)
from vinculum.contact.dense.newton import newton
from vinculum.contact.dense.pivots import pivoted
from vinculum.tolerances.contact import NEWTON_STARTS, POLYGONS, SWEEPS_BEFORE_NEWTON


@njit(nogil=True, cache=True)
def finished_impact(W, u_free, u_before, law, e, mu, P, sought):
    """Impulses in place as those of `impact`: residual and sweeps. ``sought``: the residual, the one that will do, and the most sweeps."""
    nothing = np.zeros(len(e))
    if is_in_turn(law):
        held, u = np.zeros(len(P)), struck_in_turn(W, u_free, u_before, e, mu, P, sought[0], sought[2])
        error, sweeps = finished(W, u, nothing, nothing, mu, held, sought)
        for k in range(len(P)):
            P[k] += held[k]
        return error, sweeps
    target = targets(u_before, law, e)
    error, sweeps = finished(W, u_free, target, nothing, mu, P, sought)
    least, again = given_back(law, e, P)
    if again:
        error, more = finished(W, u_free, target, least, mu, P, sought)
        sweeps += more
    return error, sweeps


@njit(nogil=True, cache=True)
def finished(W, free, target, least, mu, P, sought):
    """Impulses in place as those of `impulses`: residual and sweeps."""
    tolerance, enough, most = sought
    limit, sweeps, best, kept = SWEEPS_BEFORE_NEWTON, 0, np.inf, P.copy()
    while True:
        error, more = impulses(W, free, target, least, mu, P, tolerance, min(limit, most - sweeps))
        sweeps += more
        if error > tolerance:
            error = _by_newton(W, free, target, least, mu, P, error, tolerance, 0, 2)
        if error > tolerance:
            error = _by_pivots(W, free, target, least, mu, P, error, tolerance)
        if error > enough:
            error = _by_newton(W, free, target, least, mu, P, error, tolerance, 2, NEWTON_STARTS)
        if error < best:
            best = error
            kept[:] = P
        if (
            best <= tolerance
            or (limit > SWEEPS_BEFORE_NEWTON and best <= enough)
            or sweeps >= most
            or not error < np.inf
        ):
            P[:] = kept
            return best, sweeps
        if limit == SWEEPS_BEFORE_NEWTON:
            P[:] = 0.0
        limit *= 4


@njit(nogil=True, cache=True)
def _by_newton(W, free, target, least, mu, P, error, tolerance, first, last):
    """The residual after Newton's method, which knows friction in discs alone, from places of these numbers; P is written if it is
    better."""
    for c in range(len(target)):
        if presser(mu, c) < 0 and mu[c, 0] != mu[c, 1]:
            return error
    start, chance = np.empty(len(P)), 1 + first
    for attempt in range(first, last):
        # sweeps drift where a solution is not unique, and may be far from where Newton's method should begin
        for k in range(len(P)):
            chance = (chance * 1103515245 + 12345) % 2147483648
            part = 1.0 if attempt == 0 else 0.0 if attempt == 1 else 2.0 * chance / 2147483648 - 0.5 * (k % 3 != 0)
            start[k] = P[k] if k % 3 == 0 and attempt < 2 else part * P[k]
        project(start, least, mu)
        error = _kept(W, free, target, least, mu, P, error, newton(W, free, target, least, mu, start))
        if error <= tolerance:
            break
    return error


@njit(nogil=True, cache=True)
def _by_pivots(W, free, target, least, mu, P, error, tolerance):
    """The residual after pivots, each time with polygons turned to the last impulses; P is written if it is better."""
    trial = P.copy()
    for _ in range(POLYGONS):
        if not pivoted(W, free, target, least, mu, trial):
            break
        before = error
        error = _kept(W, free, target, least, mu, P, error, trial)
        if error > tolerance:
            error = _kept(W, free, target, least, mu, P, error, newton(W, free, target, least, mu, trial))
        if error <= tolerance or error == before:
            break
    return error


@njit(nogil=True, cache=True)
def _kept(W, free, target, least, mu, P, error, found):
    """The smaller of the residuals of P and of what was found, whose impulses are brought to where they may be; P is written if these are
    better."""
    u = np.empty(len(P))
    project(found, least, mu)
    product(W, found, u)
    for k in range(len(P)):
        u[k] += free[k]
    better = residual(W, u, target, least, mu, found)
    if better < error:
        P[:] = found
        return better
    return error
