"""Time loops of symplectic methods, eight runs at a time.

The inputs of a tape are (q, p, time, parameters). Every lane is a run of its own: its bits do not depend on its neighbors. Increments
are added with compensation, so that round-off of the state does not add up over long runs.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.tolerances.steps import CONVERGED, IMPLICIT_ITERATIONS, NEARLY_CONVERGED

ZERO = np.int64(0)


class Plan(NamedTuple):
    """``steps`` steps of length ``h`` from the instant ``t``; every ``every``-th is recorded."""

    t: float
    h: float
    steps: int
    every: int


class Rule(NamedTuple):
    """A (s, s), b (s,), c (s,) of an implicit Runge–Kutta method, and E (s, s) for the guesses of its rates."""

    A: np.ndarray
    b: np.ndarray
    c: np.ndarray
    E: np.ndarray


@njit(nogil=True, cache=True)
def set_row(x, row, value):
    for j in range(WIDTH):
        x[row, j] = value


@njit(nogil=True, cache=True)
def _add(x, carry, first, rate, weight):
    """x += weight · rate from row ``first`` on, with what rounding lost before (Kahan)."""
    for i in range(rate.shape[0]):
        for j in range(WIDTH):
            change = weight * rate[i, j] - carry[first + i, j]
            total = x[first + i, j] + change
            carry[first + i, j] = (total - x[first + i, j]) - change
            x[first + i, j] = total


@njit(nogil=True, cache=True)
def _record(states, record, x, n):
    """Keep the state; whether some lane is finite."""
    some = False
    for j in range(WIDTH):
        good = True
        for i in range(n):
            states[record, i, j] = x[i, j]
            good = good and np.isfinite(x[i, j])
        some = some or good
    return some


@njit(nogil=True, cache=True)
def split_steps(kick, drift, x, n, plan, kicks, drifts, states):
    """Compositions of leapfrog steps for H = T(p) + V(q, t); returns the number of records, smaller if no lane is finite any more.

    ``kick``, ``drift``: addresses of the tapes of −∂V/∂q and ∂T/∂p; ``states``: (records, 2n, 8), without the start.
    """
    t, h, count, every = plan
    k, v, carry = np.empty((n, WIDTH)), np.empty((n, WIDTH)), np.zeros((2 * n, WIDTH))
    set_row(x, 2 * n, t)
    run_lanes(kick, x, k)
    record = 0
    for step in range(count):
        passed = 0.0
        _add(x, carry, n, k, kicks[0] * h)
        for s in range(len(drifts)):
            run_lanes(drift, x, v)
            _add(x, carry, ZERO, v, drifts[s] * h)
            passed += drifts[s]
            set_row(x, 2 * n, t + (step + passed) * h)
            run_lanes(kick, x, k)
            _add(x, carry, n, k, kicks[s + 1] * h)
        if (step + 1) % every == 0:
            record += 1
            if not _record(states, record - 1, x, 2 * n):
                return record
    return record


@njit(nogil=True, cache=True)
def gauss_steps(address, x, n, plan, rule, states):
    """Collocation at Gauss's nodes for rates of n numbers; each lane is iterated until its stages no longer change."""
    t, h, count, every = plan
    b, E = rule.b, rule.E
    s = len(b)
    y, carry = np.empty((n, WIDTH)), np.zeros((n, WIDTH))
    K, guess, made = np.empty((s, n, WIDTH)), np.empty((s, n, WIDTH)), np.empty((n, WIDTH))
    set_row(x, n, t)
    run_lanes(address, x, made)
    for r in range(s):
        K[r] = made
        guess[r] = made
    record = 0
    for step in range(count):
        for i in range(n):
            for j in range(WIDTH):
                y[i, j] = x[i, j]
        K, guess = guess, K
        _solve_stages(address, x, n, (t + step * h, h), y, K, made, rule)
        for i in range(n):
            for j in range(WIDTH):
                total = 0.0
                for r in range(s):
                    total += b[r] * K[r, i, j]
                made[i, j] = total
                x[i, j] = y[i, j]
                for r in range(s):
                    total = 0.0
                    for l in range(s):
                        total += E[r, l] * K[l, i, j]
                    guess[r, i, j] = total
        _add(x, carry, ZERO, made, h)
        if (step + 1) % every == 0:
            record += 1
            if not _record(states, record - 1, x, n):
                return record
    return record


@njit(nogil=True, cache=True)
def _solve_stages(address, x, n, clock, y, K, made, rule):
    """K_r = f(y + h Σ A_rl K_l) by iteration from K; a lane that does not converge becomes not a number."""
    (t, h), A, c = clock, rule.A, rule.c
    s = len(c)
    frozen, before = np.zeros(WIDTH, dtype=np.bool_), np.full(WIDTH, np.inf)
    change, size = np.empty(WIDTH), np.empty(WIDTH)
    for _ in range(IMPLICIT_ITERATIONS):
        change[:], size[:] = 0.0, 0.0
        for r in range(s):
            for i in range(n):
                for j in range(WIDTH):
                    total = 0.0
                    for l in range(s):
                        total += A[r, l] * K[l, i, j]
                    x[i, j] = y[i, j] + h * total
            set_row(x, n, t + c[r] * h)
            run_lanes(address, x, made)
            for i in range(n):
                for j in range(WIDTH):
                    if not frozen[j]:
                        change[j] = max(change[j], abs(h * (made[i, j] - K[r, i, j])))
                        size[j] = max(size[j], abs(y[i, j]), abs(h * made[i, j]))
                        K[r, i, j] = made[i, j]
        done = True
        for j in range(WIDTH):
            if not frozen[j]:
                settled = change[j] >= before[j] and change[j] <= NEARLY_CONVERGED * size[j]
                frozen[j] = change[j] <= CONVERGED * size[j] or settled or not np.isfinite(change[j])
                before[j] = change[j]
                done = done and frozen[j]
        if done:
            return
    for j in range(WIDTH):
        if not frozen[j] and not before[j] <= NEARLY_CONVERGED * size[j]:
            K[0, 0, j] = np.nan


@njit(nogil=True, cache=True)
def variational_steps(address, x, sizes, plan, states):
    """Steps (q, p) → (q′, p′) that a tape gives by equations for (q′, λ, μ).

    The inputs of the tape are q, p (n each), q′ (n), λ, μ (m each), t, h and parameters; its outputs are the residuals (n + 2m), their
    derivatives, and p′. x holds a guess for q′ at the start. Each lane is solved by Newton's method. ``sizes``: n, m.
    """
    t, h, count, every = plan
    n, m = sizes
    unknowns = n + 2 * m
    out = np.empty((unknowns + unknowns * unknowns + n, WIDTH))
    A, b = np.empty((unknowns, unknowns)), np.empty(unknowns)
    frozen, before = np.empty(WIDTH, dtype=np.bool_), np.empty(WIDTH)
    row = 2 * n + unknowns
    set_row(x, row + 1, h)
    record = 0
    for step in range(count):
        set_row(x, row, t + step * h)
        frozen[:], before[:] = False, np.inf
        for _ in range(IMPLICIT_ITERATIONS):
            run_lanes(address, x, out)
            done = True
            for j in range(WIDTH):
                if frozen[j]:
                    continue
                for i in range(unknowns):
                    b[i] = out[i, j]
                    for l in range(unknowns):
                        A[i, l] = out[unknowns + i * unknowns + l, j]
                solve_small(A, b)
                change, size = 0.0, 0.0
                for i in range(unknowns):
                    x[2 * n + i, j] -= b[i]
                    if i < n:
                        change = max(change, abs(b[i]))
                        size = max(size, abs(x[2 * n + i, j]), abs(x[i, j]))
                settled = change >= before[j] and change <= NEARLY_CONVERGED * size
                frozen[j] = change <= CONVERGED * size or settled or not np.isfinite(change)
                before[j] = change
                done = done and frozen[j]
            if done:
                break
        run_lanes(address, x, out)
        for j in range(WIDTH):
            for i in range(n):
                old, new = x[i, j], x[2 * n + i, j]
                x[i, j] = new if frozen[j] else np.nan
                x[2 * n + i, j] = 2.0 * new - old
                x[n + i, j] = out[unknowns + unknowns * unknowns + i, j]
        if (step + 1) % every == 0:
            record += 1
            if not _record(states, record - 1, x, 2 * n):
                return record
    return record


@njit(nogil=True, cache=True)
def solve_small(A, b):
    """A x = b by elimination with row exchange, in place; x is left in b."""
    n = len(b)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if pivot != k:
            for l in range(k, n):
                A[k, l], A[pivot, l] = A[pivot, l], A[k, l]
            b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for l in range(k + 1, n):
                A[i, l] -= factor * A[k, l]
            b[i] -= factor * b[k]
    for k in range(n - 1, -1, -1):
        for l in range(k + 1, n):
            b[k] -= A[k, l] * b[l]
        b[k] /= A[k, k]
