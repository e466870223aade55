"""Which unilateral constraints close in a step of a tree, and where it is cut because one does so swiftly."""

import numpy as np
from numba import njit

from vinculum.compile.calls import run_lanes
from vinculum.integrators.moreau.impact_times import first_impact, overshoot, touching
from vinculum.integrators.moreau.rows import to_both_ends
from vinculum.integrators.moreau.theta import theta_step
from vinculum.tolerances.time_stepping import CLOSING, REFINED, TIME_FOUND


@njit(nogil=True, cache=True)
def cut_at(program, distances, q, v, t, length, h, theta, nothing, y, z, found, watched, located) -> tuple[bool, float]:
    """Whether forces settled, and the part [s] of a step at whose end a gap closes swiftly, negative if none does; the step to there in
    which nothing is touched is ``found``."""
    _motion, _tape, x, n, nq, _quaternions = program
    unbound, _middle, slow, fast = found
    gaps, apart, struck, later = watched
    fine, cut = theta_step(program, q, v, t, length, theta, nothing, y, z, found), -1.0
    later[:] = False
    if located:
        cut = first_impact(distances, x, n, nq, q, slow, fast, v, unbound, t, length, h, gaps, apart, struck, later)
    for _ in range(REFINED if 0.0 < cut < length else 0):
        theta_step(program, q, v, t, cut, theta, nothing, y, z, found)
        better = cut - overshoot(distances, x, n, nq, q, slow, fast, t, cut, gaps, struck)
        small = abs(better - cut) <= TIME_FOUND * (abs(t) + cut)
        cut = min(max(better, 0.0), length)
        if small:
            break
    if cut > 0.0:
        fine = theta_step(program, q, v, t, cut, theta, nothing, y, z, found)
    return fine, cut


@njit(nogil=True, cache=True)
def closed(program, distances, q, v, t, h, found, rows, gaps, mu, left_out, active):
    """How many triples of rows are ``active``: closed at the end of a step in which nothing is touched, or axes of such.

    A gap between shapes is closed that would be at the end within a part `CLOSING` of the way that forces make of the fastest there:
    what stays closed only since others press on it neither closes nor opens by itself. So is one of a unilateral constraint that was as
    narrow, and hardly moved, when the step began.
    """
    _motion, _tape, x, _n, nq, _quaternions = program
    unbound, _middle, slow, fast = found
    gap, drift, H, _M, _G = rows
    m = len(left_out)
    to_both_ends(program, q, slow, fast, t, h)
    for j in range(len(v)):
        x[nq + j, 1] = v[j]
    if m:
        run_lanes(distances, x, gaps)
    gain = 0.0
    forecast = np.empty(len(mu))
    for c in range(len(mu)):
        if mu[c, 2] < 0.0:
            forecast[c], more = _forecast(c, m, gaps, gap[c], drift, H, v, unbound, h)
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
            if c < m and left_out[c]:
                active[c] = False
        touched += active[c]
    return touched


@njit(nogil=True, cache=True)
def _forecast(c, m, gaps, gap, drift, H, v, unbound, h):
    """The gap at the end of a step in which nothing is touched, and by how much its speed has changed then."""
    if c < m:
        return gaps[c, 0], abs(gaps[m + 3 * c, 0] - gaps[m + 3 * c, 1])
    speed, more = drift[3 * c], 0.0
    for j in range(len(v)):
        speed += H[3 * c, j] * 0.5 * (v[j] + unbound[j])
        more += H[3 * c, j] * (unbound[j] - v[j])
    return gap + 0.5 * h * speed, abs(more)
