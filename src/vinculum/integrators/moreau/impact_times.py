"""Impact times: the first root of a gap inside a step, on the step's own polynomial (`first_impact`)."""

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.tolerances.time_stepping import CLOSING, HIT_TOGETHER, NARROWED, SWIFT, TIME_NARROWED

LAST_LANE = WIDTH - 1


@njit(nogil=True, cache=True)
def first_impact(program, step, watched):
    """The time from the beginning of a step until the first impact; negative if there is none within it.

    Writes to ``watched`` which gaps are hit then and which later, and the velocities below which a closing gap is not an impact. q̇ is
    linear between both ends of the step, and so are the velocities between ``v`` and ``unbound``. The closing velocity follows from
    them, because N is constant within a step. Gaps that are closed at that time up to round-off are hit together.
    """
    ends, apart, hit, later, slow, _lately = watched
    x, nq, q, v, unbound, length, h = program.x, program.nq, step.q, step.v, step.unbound, step.length, step.h
    m = len(hit)
    times, first = np.full(m, np.inf), np.inf
    near = touching(program.units, q)
    gaps, here, speeds = np.empty((m, WIDTH)), np.empty((m, WIDTH)), np.empty((m, WIDTH))
    for i in range(len(v)):
        for j in range(WIDTH):
            x[nq + i, j] = v[i] + j / LAST_LANE * (unbound[i] - v[i])
    _gaps_between(program, step, 0.0, length, ends, gaps)
    gains, fastest = np.zeros(m), 0.0
    for c in range(m):
        for j in range(WIDTH):
            speeds[c, j] = ends[m + 3 * c, j]
        for j in range(LAST_LANE):
            gains[c] = max(gains[c], abs(speeds[c, j + 1] - speeds[c, j]))
        fastest = max(fastest, gains[c])
    for c in range(m):
        hit[c] = later[c] = False
        speed, limit = speeds[c], max(SWIFT * gains[c], CLOSING * fastest) * LAST_LANE * h / length
        slow[c] = limit
        if not apart[c]:
            continue
        if gaps[c, 0] <= near and speed[0] < -limit - near * LAST_LANE / length:
            times[c] = 0.0
            first = 0.0
            continue
        later[c] = gaps[c, LAST_LANE] > 0.0 and speed[LAST_LANE] < -limit
        for j in range(1, WIDTH):
            if gaps[c, j - 1] > 0.0 and gaps[c, j] <= 0.0 and speed[j] < -limit:
                later[c] = True
                a, b = length * (j - 1) / LAST_LANE, length * j / LAST_LANE
                if a <= first:
                    times[c] = _root(program, step, a, b, ends, here, c)
                    first = min(first, times[c])
                break
    if first == np.inf:
        return -1.0
    for c in range(m):
        fastest = 0.0
        for j in range(WIDTH):
            fastest = max(fastest, -speeds[c, j])
        hit[c] = times[c] <= first + HIT_TOGETHER * h + (near / fastest if fastest > 0.0 else 0.0)
        later[c] = later[c] or hit[c]
    return first


@njit(nogil=True, cache=True)
def overshoot(program, step, watched):
    """Time by which a step extends beyond the closing of the struck gaps, by one Newton iteration."""
    ends, hit, length = watched.gaps, watched.struck, step.length
    gaps, most = np.empty((len(hit), WIDTH)), -np.inf
    _gaps_between(program, step, 0.0, length, ends, gaps)
    for c in range(len(hit)):
        if hit[c]:
            rate = (
                (1.5 * gaps[c, LAST_LANE] - 2.0 * gaps[c, LAST_LANE - 1] + 0.5 * gaps[c, LAST_LANE - 2])
                * LAST_LANE
                / length
            )
            if rate < 0.0:
                most = max(most, gaps[c, LAST_LANE] / rate)
    return most if most > -np.inf else 0.0


@njit(nogil=True, cache=True)
def touching(units, q):
    """Gaps below this value are closed."""
    return HIT_TOGETHER * size_at(units, q)


@njit(nogil=True, cache=True)
def size_at(units, q):
    """The size [m] of a system at q."""
    size = units.size
    for i in range(len(q)):
        size = max(size, units.q[i] * abs(q[i]))
    return size


@njit(nogil=True, cache=True)
def _root(program, step, a, b, ends, here, c):
    """The root of one gap between two times, taken on the open side."""
    for _ in range(NARROWED):
        if b - a <= TIME_NARROWED * (abs(step.t) + step.length):
            break
        _gaps_between(program, step, a, b, ends, here)
        width = (b - a) / LAST_LANE
        for j in range(1, WIDTH):
            if here[c, j] <= 0.0:
                a, b = a + (j - 1) * width, a + j * width
                break
    return a


@njit(nogil=True, cache=True)
def _gaps_between(program, step, a, b, ends, gaps):
    """Gaps (m, 8) at eight times from a to b on the parabola of the coordinates."""
    x, n, nq, q, slow, fast, t, length = (
        program.x,
        program.n,
        program.nq,
        step.q,
        step.slow,
        step.fast,
        step.t,
        step.length,
    )
    for j in range(WIDTH):
        s = a + (b - a) * j / LAST_LANE
        for i in range(nq):
            x[i, j] = q[i] + s * (slow[i] + 0.5 * s / length * (fast[i] - slow[i]))
        x[n, j] = t + s
    run_lanes(program.distances, x, ends)
    for c in range(len(gaps)):
        for j in range(WIDTH):
            gaps[c, j] = ends[c, j]
