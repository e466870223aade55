"""Impacts that accumulate within time steps: as `vinculum.motion.impulses.accumulation`, compiled."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.integrators.moreau.impact_times import size_at
from vinculum.tolerances.event_driven import APPROACH_ROUND_OFF, FORCE_FREE, SHRINKS, TOUCHING
from vinculum.tolerances.time_stepping import SWIFT


@njit(nogil=True, cache=True)
def note_hits(hits, made, now):
    """Append an instant to the last ones (m, k) of the unilateral constraints that have an impulse."""
    m, last = hits.shape[0], hits.shape[1] - 1
    for c in range(m):
        if made[3 * c] > 0.0 and hits[c, last] != now:
            for i in range(last):
                hits[c, i] = hits[c, i + 1]
            hits[c, last] = now


@njit(nogil=True, cache=True)
def end_accumulation(program, step, watched, rows, hits, active):
    """Make the impact of constraints inelastic, in ``rows``, whose impacts accumulate now; returns their coefficients of restitution.

    The rule and its reasons are those of `vinculum.motion.impulses.accumulation.accumulating`. What forces do in a step bounds what they
    do between two impacts.
    """
    q, v, nv = step.q, step.v, len(step.v)
    ratio, last = rows.laws.ratio, rows.last
    kept, size = ratio[: len(active)].copy(), size_at(program.units, q)
    found, speeds, swiftest = np.zeros(len(hits), dtype=np.bool_), np.zeros(len(hits)), 0.0
    for c in range(len(hits)):
        speeds[c] = last[3 * c, nv]
        for j in range(nv):
            speeds[c] += last[3 * c, j] * v[j]
        swiftest = max(swiftest, abs(speeds[c]))
    least, comes, goes = APPROACH_ROUND_OFF * swiftest, False, False
    for c in range(len(hits)):
        if not active[c] or not _is_shrinking(hits[c], step.t):
            continue
        speed, since = speeds[c], step.t - hits[c, -1]
        pull = watched.slow[c] / (SWIFT * step.h)
        found[c] = speed * since <= TOUCHING * size and pull * since <= FORCE_FREE * abs(speed)
        comes = comes or (found[c] and speed < -least)
        goes = goes or (found[c] and speed > least)
    for c in range(len(hits)):
        if comes and goes and found[c]:
            ratio[c] = 0.0
    return kept


@njit(nogil=True, cache=True)
def _is_shrinking(instants, now):
    """Whether each interval between instants, the last until now, is at most the fraction `SHRINKS` of the one before."""
    shrinking = np.isfinite(instants[0]) and now - instants[-1] <= SHRINKS * (instants[-1] - instants[-2])
    for i in range(2, len(instants)):
        shrinking = shrinking and instants[i] - instants[i - 1] <= SHRINKS * (instants[i - 1] - instants[i - 2])
    return shrinking
