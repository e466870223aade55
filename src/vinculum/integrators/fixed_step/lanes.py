"""Time loops with a fixed step, eight runs at a time: RK4, velocity Verlet, implicit midpoint.

The inputs of a tape are (state, time, parameters), and its outputs are the rates of the state. Every lane is a run of its own: its bits
do not depend on its neighbors, not even if a step is solved by iteration.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.integrators.projected_lanes import hold, space
from vinculum.tolerances.steps import CONVERGED, IMPLICIT_ITERATIONS, NEARLY_CONVERGED

RK4, VERLET, MIDPOINT = 0, 1, 2
ZERO = np.int64(0)
"""A plain 0 has its own type in Numba, for which all called functions would be compiled once more."""


class Plan(NamedTuple):
    """Steps of length ``h`` [s] from the instant ``t`` by one kind of method; every ``every``-th is recorded."""

    kind: int
    t: float
    h: float
    steps: int
    every: int


@njit(nogil=True, cache=True)
def advance(field, nq, plan, states):
    """Take steps from the state in the field's inputs, which hold the final state afterwards.

    ``states``: (records, n, 8), without the start. Returns the number of steps taken, which is smaller if no lane has a finite state any
    more.
    """
    (address, x, n), (kind, t, h, steps, every) = field, plan
    k, work, total = np.empty((n, WIDTH)), np.empty((n, WIDTH)), np.empty((n, WIDTH))
    record = 0
    for step in range(steps):
        now = t + step * h
        if kind == RK4:
            _set_time(x, n, now)
            run_lanes(address, x, k)
            _rk4(address, x, n, now, h, k, work, total)
        elif kind == VERLET:
            _verlet(field, nq, now, h, k, work)
        else:
            _midpoint(field, now, h, k, work)
        if (step + 1) % every == 0:
            for i in range(n):
                for j in range(WIDTH):
                    states[record, i, j] = x[i, j]
            record += 1
            if not _some_finite(x, n):
                return step + 1
    return steps


@njit(nogil=True, cache=True)
def advance_projected(field, nq, plan, projection, states, broken):
    """The same with conditions: after every step the tape at ``projection`` projects all states onto them.

    Its rates, which cost little more than the state, begin the next step. ``broken`` (8,) is set for lanes that cannot be projected. The
    loop ends with the step that broke the last of them.
    """
    (address, x, n), (kind, t, h, steps, every) = field, plan
    k, work, total = np.empty((n, WIDTH)), np.empty((n, WIDTH)), np.empty((n, WIDTH))
    around, waiting = space(n), np.ones(WIDTH, dtype=np.bool_)
    _set_time(x, n, t)
    hold(projection, x, n, around, k, waiting, broken)
    record = 0
    for step in range(steps):
        now = t + step * h
        if kind == RK4:
            _rk4(address, x, n, now, h, k, work, total)
        elif kind == VERLET:
            _verlet(field, nq, now, h, k, work)
        else:
            _midpoint(field, now, h, k, work)
        _set_time(x, n, t + (step + 1) * h)
        waiting[:] = True
        hold(projection, x, n, around, k, waiting, broken)
        if (step + 1) % every == 0:
            for i in range(n):
                for j in range(WIDTH):
                    states[record, i, j] = x[i, j]
            record += 1
            if broken.all() or not _some_finite(x, n):
                return step + 1
    return steps


@njit(nogil=True, cache=True)
def _some_finite(x, n):
    for j in range(WIDTH):
        good = True
        for i in range(n):
            good = good and np.isfinite(x[i, j])
        if good:
            return True
    return False


@njit(nogil=True, cache=True)
def _set_time(x, n, t):
    for j in range(WIDTH):
        x[n, j] = t


@njit(nogil=True, cache=True)
def _rk4(address, x, n, t, h, k, start, total):
    """One step from rates k at its start."""
    for i in range(n):
        for j in range(WIDTH):
            start[i, j] = x[i, j]
            total[i, j] = k[i, j]
            x[i, j] = start[i, j] + 0.5 * h * k[i, j]
    _set_time(x, n, t + 0.5 * h)
    run_lanes(address, x, k)
    for i in range(n):
        for j in range(WIDTH):
            total[i, j] += 2.0 * k[i, j]
            x[i, j] = start[i, j] + 0.5 * h * k[i, j]
    run_lanes(address, x, k)
    for i in range(n):
        for j in range(WIDTH):
            total[i, j] += 2.0 * k[i, j]
            x[i, j] = start[i, j] + h * k[i, j]
    _set_time(x, n, t + h)
    run_lanes(address, x, k)
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = start[i, j] + h / 6.0 * (total[i, j] + k[i, j])


@njit(nogil=True, cache=True)
def _iterate(address, x, first, last, k, base, weight):
    """Solve x = base + weight · rate(x) for rows first … last, each lane until it no longer changes."""
    frozen = np.zeros(WIDTH, dtype=np.bool_)
    for _ in range(IMPLICIT_ITERATIONS):
        run_lanes(address, x, k)
        all_frozen = True
        for j in range(WIDTH):
            if frozen[j]:
                continue
            change, size = 0.0, 1.0
            for i in range(first, last):
                new = base[i, j] + weight * k[i, j]
                change = max(change, abs(new - x[i, j]))
                size = max(size, abs(new))
                x[i, j] = new
            frozen[j] = not (change > CONVERGED * size)
            all_frozen = all_frozen and frozen[j]
        if all_frozen:
            return
    run_lanes(address, x, k)
    for j in range(WIDTH):
        if not frozen[j] and not _has_settled(x, base, k, first, last, weight, j):
            x[first, j] = np.nan


@njit(nogil=True, cache=True)
def _has_settled(x, base, k, first, last, weight, j):
    """Whether the last change of an iteration is only round-off that alternates."""
    settled = True
    for i in range(first, last):
        settled = settled and abs(base[i, j] + weight * k[i, j] - x[i, j]) <= NEARLY_CONVERGED * (1.0 + abs(x[i, j]))
    return settled


@njit(nogil=True, cache=True)
def _verlet(field, nq, t, h, k, base):
    """Half a kick, a drift, half a kick. Forces may depend on velocities, and rates on the position where the drift ends."""
    address, x, n = field
    for i in range(n):
        for j in range(WIDTH):
            base[i, j] = x[i, j]
    _set_time(x, n, t)
    _iterate(address, x, nq, n, k, base, 0.5 * h)
    run_lanes(address, x, k)
    for i in range(nq):
        for j in range(WIDTH):
            base[i, j] = x[i, j] + 0.5 * h * k[i, j]
            x[i, j] = x[i, j] + h * k[i, j]
    _set_time(x, n, t + h)
    _iterate(address, x, ZERO, nq, k, base, 0.5 * h)
    run_lanes(address, x, k)
    for i in range(nq, n):
        for j in range(WIDTH):
            x[i, j] = x[i, j] + 0.5 * h * k[i, j]


@njit(nogil=True, cache=True)
def _midpoint(field, t, h, k, base):
    """x₁ = x₀ + h f((x₀ + x₁)/2): solved for the middle state, m = x₀ + h/2 f(m)."""
    address, x, n = field
    for i in range(n):
        for j in range(WIDTH):
            base[i, j] = x[i, j]
    _set_time(x, n, t + 0.5 * h)
    _iterate(address, x, ZERO, n, k, base, 0.5 * h)
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = 2.0 * x[i, j] - base[i, j]
