"""Gaps that close in a step of a tree, and the time at which an impact cuts the step."""

import numpy as np
from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.integrators.moreau.arrays import Step
from vinculum.integrators.moreau.impact_times import first_impact, overshoot, touching
from vinculum.integrators.moreau.rows import to_both_ends
from vinculum.integrators.moreau.theta import theta_step
from vinculum.tolerances.time_stepping import CLOSING, REFINED, TIME_FOUND


@njit(nogil=True, cache=True)
def find_cut(program, step, theta, watched, located) -> tuple[bool, float]:
    """Whether forces settled, and the part [s] of a step at whose end a gap closes swiftly, negative if none does; the step to there in
    which nothing is touched is written."""
    t, length, nothing = step.t, step.length, np.zeros(len(step.v))
    fine, cut = theta_step(program, step, theta, nothing), -1.0
    watched.later[:] = False
    if located:
        cut = first_impact(program, step, watched)
    for _ in range(REFINED if 0.0 < cut < length else 0):
        part = shorten(step, cut)
        theta_step(program, part, theta, nothing)
        better = cut - overshoot(program, part, watched)
        small = abs(better - cut) <= TIME_FOUND * (abs(t) + cut)
        cut = min(max(better, 0.0), length)
        if small or cut <= 0.0:
            break
    if cut > 0.0:
        fine = theta_step(program, shorten(step, cut), theta, nothing)
    return fine, cut


@njit(nogil=True, cache=True)
def shorten(step, length):
    """The same step with another length."""
    return Step(step.t, length, step.h, step.q, step.v, step.unbound, step.middle, step.slow, step.fast)


@njit(nogil=True, cache=True)
def find_active(program, step, rows, mu, watched, active):
    """How many triples of rows are ``active``: closed at the end of a step in which nothing is touched, or axes of such.

    A gap between shapes is closed that would be at the end within a part `CLOSING` of the way that forces make of the fastest there:
    what stays closed only since others press on it neither closes nor opens by itself. So is one of a unilateral constraint that was as
    narrow, and hardly moved, when the step began.
    """
    x, nq, q, v, h = program.x, program.nq, step.q, step.v, step.length
    gaps, later = watched.gaps, watched.later
    m = len(later)
    to_both_ends(program, step)
    for j in range(len(v)):
        x[nq + j, 1] = v[j]
    if m:
        run_lanes(program.distances, x, gaps)
    gain = 0.0
    forecast = np.empty(len(mu))
    for c in range(len(mu)):
        if mu[c, 2] < 0.0:
            forecast[c], more = _forecast(c, m, gaps, rows, step)
            gain = max(gain, more)
    # a count that begins as a plain 0 has a type of its own, for which all that is called would be compiled once more
    touched = np.int64(0)
    for c in range(len(mu)):
        if mu[c, 2] >= 0.0:
            active[c] = active[int(mu[c, 2])]
        else:
            closing = CLOSING * h * gain
            if c < m and (gaps[c, 1] > closing or abs(gaps[m + 3 * c, 1]) > CLOSING * gain):
                closing = touching(q)
            active[c] = not forecast[c] > max(closing, touching(q))
            if c < m and later[c]:
                active[c] = False
        touched += active[c]
    return touched


@njit(nogil=True, cache=True)
def _forecast(c, m, gaps, rows, step):
    """The gap at the end of a step in which nothing is touched, and by how much its speed has changed then."""
    if c < m:
        return gaps[c, 0], abs(gaps[m + 3 * c, 0] - gaps[m + 3 * c, 1])
    H, v, unbound = rows.H, step.v, step.unbound
    speed, more = rows.drift[3 * c], 0.0
    for j in range(len(v)):
        speed += H[3 * c, j] * 0.5 * (v[j] + unbound[j])
        more += H[3 * c, j] * (unbound[j] - v[j])
    return rows.gap[c] + 0.5 * step.length * speed, abs(more)
