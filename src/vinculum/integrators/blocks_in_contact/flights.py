"""Both halves of a step of blocks: forces that are consistent with velocities, and coordinates on charts and conditions."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.integrators.blocks_in_contact.damping import begin_damping, multiply
from vinculum.integrators.blocks_in_contact.fixed_points import next_iterate
from vinculum.models.tabled.projection import close_on_charts, on_charts, project_velocities
from vinculum.models.tabled.rates import run_job, table_rates
from vinculum.tolerances.round_off import NEXT_TO_ZERO
from vinculum.tolerances.steps import (
    CONVERGED,
    IMPLICIT_ITERATIONS,
    NEARLY_CONVERGED,
    PLAIN_ITERATIONS,
    PROJECTION_ROUNDS,
    TORN_SQUARED,
)
from vinculum.tolerances.time_stepping import FORCE_ROUNDS

CHANGE, BEGUN, DEFECT, GUESS, LATER, FREE = range(6)
"""Rows of the velocities to work in."""
NEW, RATES, OLD = range(3)
"""Rows of the coordinates to work in."""


@njit(nogil=True, cache=True, error_model="numpy")
def write_state(flight, q, v):
    """Write a state; returns it."""
    y, nq = flight.room.state, len(q)
    for i in range(nq):
        y[i] = q[i]
    for i in range(len(v)):
        y[nq + i] = v[i]
    return y


@njit(nogil=True, cache=True, error_model="numpy")
def write_accelerations(flight, q, v, t, a):
    """Write v̇ (nv,) without contacts."""
    out, nq = flight.room.rates, len(q)
    table_rates(flight.tables, write_state(flight, q, v), t, out)
    for i in range(len(v)):
        a[i] = out[nq + i]


@njit(nogil=True, cache=True, error_model="numpy")
def write_coordinate_rates(flight, q, v, t, rates):
    """Write q̇ = N v (nq,)."""
    Z = flight.tables.board
    run_job(flight.coordinates, Z, write_state(flight, q, v), t)
    for i in range(len(q)):
        rates[i] = Z[flight.begin + i]


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _larger(most, x):
    """The larger of a size and that of a number."""
    size = abs(x)
    return size if size > most else most


@njit(nogil=True, cache=True, error_model="numpy")
def largest(x):
    """The largest size of some numbers; not a number if one of them is none."""
    m0 = m1 = m2 = m3 = w0 = w1 = w2 = w3 = 0.0
    n = len(x)
    for i in range(0, n - n % 4, 4):
        m0, m1, m2, m3 = _larger(m0, x[i]), _larger(m1, x[i + 1]), _larger(m2, x[i + 2]), _larger(m3, x[i + 3])
        w0, w1, w2, w3 = w0 + 0.0 * x[i], w1 + 0.0 * x[i + 1], w2 + 0.0 * x[i + 2], w3 + 0.0 * x[i + 3]
    for i in range(n - n % 4, n):
        m0, w0 = _larger(m0, x[i]), w0 + 0.0 * x[i]
    return _larger(_larger(m0, m1), _larger(m2, m3)) + ((w0 + w1) + (w2 + w3))


@njit(nogil=True, cache=True, error_model="numpy")
def write_damping(flight, q, v, t, h):
    """Set the damping of a step of h [s], at a state."""
    if len(flight.damped.count):
        Z = flight.tables.board
        run_job(flight.damping, Z, write_state(flight, q, v), t)
        begin_damping(flight.damped, Z, h)


@njit(nogil=True, cache=True, error_model="numpy")
def begin_step(flight, step, middle, a):
    """Write the coordinates in the middle of a step and accelerations there without impulses; returns whether these converged."""
    h, q, v, nothing = step.h, step.q, step.v, flight.room.v[CHANGE]
    write_coordinate_rates(flight, q, v, step.t, middle)
    for i in range(len(q)):
        middle[i] = q[i] + 0.5 * h * middle[i]
    on_charts(flight.quaternions, middle)
    write_damping(flight, middle, v, step.t + 0.5 * h, h)
    for i in range(len(v)):
        a[i], nothing[i] = flight.last[i], 0.0
    begin_accelerations(flight, middle, step)
    return accelerate(flight, middle, step, nothing, a)


@njit(nogil=True, cache=True, error_model="numpy")
def begin_accelerations(flight, q, step):
    """Write the accelerations at q for the velocities before a step: all that `accelerate` finds in it begins with them."""
    write_accelerations(flight, q, step.v, step.t + 0.5 * step.h, flight.room.v[BEGUN])


@njit(nogil=True, cache=True, error_model="numpy")
def accelerate(flight, q, step, change, a):
    """Write the mean of the accelerations for the velocities before and after a step with a velocity ``change`` by impulses, from the
    guess ``a`` (nv,); returns whether they converged. Those before it are written already.

    A fixed point is found where the next defect, at the rate at which they have decreased, is round-off."""
    h, v, t, room, n, nq = step.h, step.v, step.t + 0.5 * step.h, flight.room, len(step.v), len(q)
    begun, defect, y = room.v[BEGUN], room.v[DEFECT], room.state
    write_state(flight, q, v)
    older, last, kept, unit = np.inf, np.inf, 0, max(largest(v), largest(change), NEXT_TO_ZERO)
    for k in range(IMPLICIT_ITERATIONS):
        for i in range(n):
            y[nq + i] = v[i] + h * a[i] + change[i]
        table_rates(flight.tables, y, t, room.rates)
        most, off = _write_defect(begun, room.rates[nq:], a, defect)
        left = h * off / max(unit, h * most)
        if left <= CONVERGED or (left <= NEARLY_CONVERGED and k > 1 and left >= older):
            for i in range(n):
                a[i] += defect[i]
            return True
        if not np.isfinite(left):
            break
        multiply(flight.damped, flight.damped.inverses, defect)
        if k > 0 and left * left <= CONVERGED * (older - left):
            for i in range(n):
                a[i] += defect[i]
            return True
        older, last = left, left
        if k >= PLAIN_ITERATIONS:
            kept = next_iterate(kept, room.last, defect, room.search, a)
        else:
            for i in range(n):
                room.last[0, i], room.last[1, i] = a[i], defect[i]
                a[i] += defect[i]
    return last <= NEARLY_CONVERGED or flight.is_piecewise


@njit(nogil=True, cache=True, error_model="numpy")
def _write_defect(begun, ended, a, defect):
    """Write ½ (begun + ended) − a; returns the largest sizes of these means and of the defect, not a number if one of them is none.

    Four at a time, which do not wait for each other."""
    n = len(a)
    m0 = m1 = m2 = m3 = d0 = d1 = d2 = d3 = w0 = w1 = w2 = w3 = 0.0
    for i in range(0, n - n % 4, 4):
        x, y = 0.5 * (begun[i] + ended[i]), 0.5 * (begun[i + 1] + ended[i + 1])
        z, u = 0.5 * (begun[i + 2] + ended[i + 2]), 0.5 * (begun[i + 3] + ended[i + 3])
        m0, m1, m2, m3 = _larger(m0, x), _larger(m1, y), _larger(m2, z), _larger(m3, u)
        x, y, z, u = x - a[i], y - a[i + 1], z - a[i + 2], u - a[i + 3]
        d0, d1, d2, d3 = _larger(d0, x), _larger(d1, y), _larger(d2, z), _larger(d3, u)
        w0, w1, w2, w3 = w0 + 0.0 * x, w1 + 0.0 * y, w2 + 0.0 * z, w3 + 0.0 * u
        defect[i], defect[i + 1], defect[i + 2], defect[i + 3] = x, y, z, u
    for i in range(n - n % 4, n):
        x = 0.5 * (begun[i] + ended[i])
        m0 = _larger(m0, x)
        defect[i] = x - a[i]
        d0, w0 = _larger(d0, defect[i]), w0 + 0.0 * defect[i]
    none = (w0 + w1) + (w2 + w3)  # zero, or not a number
    return _larger(_larger(m0, m1), _larger(m2, m3)), _larger(_larger(d0, d1), _larger(d2, d3)) + none


@njit(nogil=True, cache=True, error_model="numpy")
def settle(flight, middle, step, a, after, closing):
    """Write velocities ``after`` a step without contacts, what conditions change of them at its end (``closing``), consistent with the
    forces in the step, and accelerations ``a``."""
    h, v, last, n = step.h, step.v, np.inf, len(step.v)
    before, q = flight.room.v[FREE], flight.room.q[OLD]
    for i in range(n):
        closing[i] = 0.0
    for _ in range(FORCE_ROUNDS):
        accelerate(flight, middle, step, closing, a)
        for i in range(n):
            after[i], before[i] = v[i] + h * a[i], closing[i]
        kept = end_step(flight, middle, after, closing, step, q)
        left, size = 0.0, largest(after)
        for i in range(n):
            change = abs(closing[i] - before[i])
            left = left if change <= left else change
        if not kept or left <= NEARLY_CONVERGED * size or not left < last:
            break
        last = left


@njit(nogil=True, cache=True, error_model="numpy")
def end_step(flight, middle, after, closing, step, q):
    """Write the coordinates q = q_m + h/2 N(q) v at the end of a step, brought onto all conditions, and what these change of the velocities
    there; returns whether they are kept. ``after``: velocities without this change; ``closing``: about what it was."""
    h, t, room, last = step.h, step.t + step.h, flight.room, np.inf
    v, new, size = room.v[LATER], room.q[NEW], max(1.0, largest(middle))
    for i in range(len(v)):
        v[i] = after[i] + closing[i]
    for i in range(len(q)):
        q[i] = middle[i]
    for _ in range(IMPLICIT_ITERATIONS):
        write_coordinate_rates(flight, q, v, t, new)
        for i in range(len(q)):
            new[i] = middle[i] + 0.5 * h * new[i]
        on_charts(flight.quaternions, new)
        left = 0.0
        for i in range(len(q)):
            change = abs(new[i] - q[i])
            left = left if change <= left else change
            q[i] = new[i]
        left /= size
        if left <= CONVERGED or (left <= NEARLY_CONVERGED and left >= last) or not np.isfinite(left):
            break
        if last < np.inf and left * left <= CONVERGED * (last - left):
            break  # the next change, at the rate at which they have decreased, is round-off
        last = left
    if not flight.is_conditioned:
        return True
    kept = close(flight, q, t)
    y = write_state(flight, q, after)
    project_velocities(flight.tables, y, t)
    for i in range(len(after)):
        closing[i] = y[len(q) + i] - after[i]
    return kept


@njit(nogil=True, cache=True, error_model="numpy")
def close(flight, q, t):
    """Bring coordinates onto all conditions, as near as the mass matrix measures it; returns whether there are such."""
    y = flight.room.state
    for i in range(len(y)):
        y[i] = q[i] if i < len(q) else 0.0
    closed = close_on_charts(flight.tables, flight.quaternions, y, t, TORN_SQUARED, PROJECTION_ROUNDS)
    for i in range(len(q)):
        q[i] = y[i]
    return closed


@njit(nogil=True, cache=True, error_model="numpy")
def write_frames(frames, flight, q, v, t):
    """Write frames, screws, drifts and masses of blocks that have shapes or conditions to the long array."""
    run_job(frames, flight.tables.board, write_state(flight, q, v), t)
