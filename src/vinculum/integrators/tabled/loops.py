"""Time loops of tables: one long state, no lanes. RK4, velocity Verlet, Dormand–Prince 8(5,3) with dense output."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.integrators.dop853.coefficients import E3, E5, EXTENDED, POWER, STAGES, A, B, C, D
from vinculum.integrators.dop853.lanes import COLLAPSED, DONE, NOT_FINITE, STEP_LIMIT, growth, on_clock
from vinculum.models.tabled.projection import bring_onto_conditions, is_constrained
from vinculum.models.tabled.rates import table_rates
from vinculum.tolerances.round_off import HALF_UNIT, NEAR_ROUND_OFF, NEXT_TO_ZERO
from vinculum.tolerances.steps import (
    BEGIN_OF_TIME,
    CLOCK_UNIT,
    FLOOR,
    NO_STEP,
    STEP_SAFETY,
    STEP_SHRINKS,
    UNITS_OF_A_STEP,
)

OPENED = 5
"""A state after a step from which no state on the conditions was found."""


@njit(nogil=True, cache=True)
def rk4(tables, y, t, h, states, jacobians):
    """Steps of length h from y at t; ``states`` (S, n) after each step, ``jacobians`` (S + 1, n): the rates at every edge.

    Returns the number of steps taken, which is smaller if the state stops being finite.
    """
    n, count = len(y), len(states)
    k, x, total = np.empty(n), np.empty(n), np.empty(n)
    table_rates(tables, y, t, jacobians[0])
    for step in range(count):
        now = t + step * h
        first = jacobians[step]
        x[:] = y + 0.5 * h * first
        total[:] = first
        table_rates(tables, x, now + 0.5 * h, k)
        total += 2.0 * k
        x[:] = y + 0.5 * h * k
        table_rates(tables, x, now + 0.5 * h, k)
        total += 2.0 * k
        x[:] = y + h * k
        table_rates(tables, x, now + h, k)
        y += h / 6.0 * (total + k)
        if is_constrained(tables) and not bring_onto_conditions(tables, y, now + h):
            return step
        states[step] = y
        table_rates(tables, y, now + h, jacobians[step + 1])
        if not np.all(np.isfinite(jacobians[step + 1])):
            return step
    return count


@njit(nogil=True, cache=True)
def _kick_and_drift(h, q, v, a, new_q, new_v):
    """Velocities after half a step, and coordinates after a whole one with these."""
    for i in range(len(q)):
        u = v[i] + 0.5 * h * a[i]
        new_v[i], new_q[i] = u, q[i] + h * u


@njit(nogil=True, cache=True)
def _kick(h, a, v, q_dot):
    """Write velocities after half a step more; returns how many of them are not finite."""
    wrong = 0
    for i in range(len(v)):
        u = v[i] + 0.5 * h * a[i]
        wrong += u - u != 0.0
        v[i] = q_dot[i] = u
    return wrong


@njit(nogil=True, cache=True)
def verlet(tables, y, t, h, states, jacobians):
    """The same by half a kick, a drift, half a kick. The forces depend on positions alone and are evaluated once per step."""
    half, count, before = len(y) // 2, len(states), y
    taken = count
    table_rates(tables, y, t, jacobians[0])
    for step in range(count):
        last, here, after = jacobians[step], jacobians[step + 1], states[step]
        _kick_and_drift(h, before[:half], before[half:], last[half:], after[:half], after[half:])
        table_rates(tables, after, t + (step + 1) * h, here)
        before = after
        if _kick(h, here[half:], after[half:], here[:half]):  # some velocity is not finite
            taken = step
            break
    if count:
        y[:] = before
    return taken


@njit(nogil=True, cache=True)
def _combine_stages(weights, count, h, y, K, x):
    """x = y + h Σ weights · K over the first ``count`` stages."""
    x[:] = 0.0
    for r in range(count):
        if weights[r] != 0.0:
            a, row = weights[r], K[r]
            for i in range(len(x)):
                x[i] += a * row[i]
    for i in range(len(x)):
        x[i] = y[i] + h * x[i]


@njit(nogil=True, cache=True)
def _error(K, y, new, h, tolerance, groups):
    """Estimated error relative to the tolerance, measured as in `dop853.error_norms`."""
    n = len(y)
    largest, noise = np.zeros(n), 0.0
    alike = np.zeros(2)
    for i in range(n):
        size = max(abs(y[i]), abs(new[i]))
        largest[groups[0, i]] = max(largest[groups[0, i]], size, abs(h * K[0, i]))
        noise = max(noise, NEAR_ROUND_OFF * abs(h * K[0, i]))
        if groups[1, i] < 0:
            alike[groups[2, i]] = max(alike[groups[2, i]], size)
    fifth, third = 0.0, 0.0
    for i in range(n):
        e5, e3 = 0.0, 0.0
        for s in range(STAGES + 1):
            e5 += E5[s] * K[s, i]
            e3 += E3[s] * K[s, i]
        scale = max(tolerance * max(abs(y[i]), abs(new[i]), FLOOR * largest[groups[0, i]], NEXT_TO_ZERO), noise)
        if groups[1, i] >= 0:
            behind = max(largest[groups[1, i]], FLOOR * alike[groups[2, i]])
            scale = max(scale, HALF_UNIT * behind / h)
        fifth += (e5 / scale) ** 2
        third += (e3 / scale) ** 2
    both = (fifth + 0.01 * third) * n
    return 0.0 if both == 0.0 else h * fifth / np.sqrt(both)


@njit(nogil=True, cache=True)
def _dense(tables, t, h, y, K, x, F):
    """The seven vectors F (7, n) of the interpolant, from three more stages."""
    for s in range(STAGES + 1, EXTENDED):
        _combine_stages(A[s], s, h, y, K, x)
        table_rates(tables, x, t + C[s] * h, K[s])
    for i in range(len(y)):
        change = 0.0
        for s in range(STAGES):
            change += B[s] * K[s, i]
        change *= h
        F[0, i] = change
        F[1, i] = h * K[0, i] - change
        F[2, i] = 2.0 * change - h * (K[STAGES, i] + K[0, i])
        for r in range(POWER - 3):
            total = 0.0
            for s in range(EXTENDED):
                total += D[r, s] * K[s, i]
            F[3 + r, i] = h * total


@njit(nogil=True, cache=True)
def dop853(tables, y, clock, tolerance, groups, K, record):
    """Adaptive steps from y until the end of the clock or a full record; K[0] holds the rates at the start.

    ``tables``: as for `table_rates`. States are brought onto the conditions after each step. Returns (status, steps, t, h).
    """
    (t, end, h, longest), (times, starts, F) = clock, record
    n, steps, shrunk = len(y), 0, False
    x, new = np.empty(n), np.empty(n)
    times[0] = t
    while steps < len(starts):
        left = end - t
        if left <= 0.0:
            return DONE, steps, t, h
        asked = min(h, left, longest)
        trial = asked if asked == left else on_clock(t, asked)
        if trial < UNITS_OF_A_STEP * CLOCK_UNIT * max(abs(t), NEXT_TO_ZERO) and trial < left:
            return COLLAPSED, steps, t, h
        for s in range(1, STAGES + 1):
            _combine_stages(A[s] if s < STAGES else B, s, trial, y, K, x)
            table_rates(tables, x, t + (C[s] if s < STAGES else 1.0) * trial, K[s])
        new[:] = x
        norm = _error(K, y, new, trial, tolerance, groups)
        if not np.isfinite(norm):
            h, shrunk = 0.1 * trial, True
            if h < NO_STEP * max(abs(t), BEGIN_OF_TIME * abs(end)):
                return NOT_FINITE, steps, t, h
            continue
        if norm > 1.0:
            h, shrunk = trial * max(STEP_SHRINKS, STEP_SAFETY * norm ** (-0.125)), True
            continue
        _dense(tables, t, trial, y, K, x, F[steps])
        starts[steps] = y
        y[:] = new
        K[0] = K[STAGES]
        t = end if trial == left else t + trial
        if is_constrained(tables):
            if not bring_onto_conditions(tables, y, t):
                return OPENED, steps, times[steps], h
            table_rates(tables, y, t, K[0])
        factor = growth(norm, shrunk)
        if asked in (h, longest) or factor < 1.0:
            h = trial * factor
        shrunk = False
        steps += 1
        times[steps] = t
    return (DONE if t >= end else STEP_LIMIT), steps, t, h
