"""Gaps that close in a step of a tree, and the time at which an impact cuts the step."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.integrators.moreau.arrays import Step
from vinculum.integrators.moreau.impact_times import first_impact, overshoot, touching
from vinculum.integrators.moreau.rows import to_both_ends
from vinculum.integrators.moreau.theta import theta_step
from vinculum.tolerances.time_stepping import CLOSING, REFINED, TIME_FOUND


@njit(nogil=True, cache=True)
def find_cut(program, step, theta, watched, located) -> tuple[bool, float]:
    """Whether the force iteration converged, and the time [s] from the beginning of a step to its first fast impact.

    The time is negative if there is no such impact. The contact-free step up to that time is written.
    """
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
    """Mark the ``active`` triples of rows and return their number: contacts that are closed at the end of the contact-free step, and
    their axes.

    Let Δu be the largest change of a gap velocity in the step. A gap between shapes counts as closed if it ends below the fraction
    `CLOSING` of h Δu, because a contact that stays closed only under the pressure of others neither closes nor opens by itself. The same
    holds for a unilateral constraint whose gap was that small and nearly at rest when the step began; any other one must be closed up to
    round-off.
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
    # A plain 0 has its own type in Numba, for which all called functions would be compiled once more.
    touched = np.int64(0)
    for c in range(len(mu)):
        if mu[c, 2] >= 0.0:
            active[c] = active[int(mu[c, 2])]
        else:
            closing = CLOSING * h * gain
            if c < m and (gaps[c, 1] > closing or abs(gaps[m + 3 * c, 1]) > CLOSING * gain):
                closing = touching(program.units, q)
            active[c] = not forecast[c] > max(closing, touching(program.units, q))
            if c < m and later[c]:
                active[c] = False
        touched += active[c]
    return touched


@njit(nogil=True, cache=True)
def _forecast(c, m, gaps, rows, step):
    """The gap at the end of a contact-free step, and the change of its velocity in the step."""
    if c < m:
        return gaps[c, 0], abs(gaps[m + 3 * c, 0] - gaps[m + 3 * c, 1])
    H, v, unbound = rows.H, step.v, step.unbound
    speed, more = rows.drift[3 * c], 0.0
    for j in range(len(v)):
        speed += H[3 * c, j] * 0.5 * (v[j] + unbound[j])
        more += H[3 * c, j] * (unbound[j] - v[j])
    return rows.gap[c] + 0.5 * step.length * speed, abs(more)
