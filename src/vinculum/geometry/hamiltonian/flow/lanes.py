"""Dormand–Prince 8(5,3) of eight runs at once: deviations that are made orthonormal after every step, walls, and crossings of a section.

A state has n numbers: 2d coordinates and momenta, and then k deviations of 2d numbers each, one after the other. The inputs of a tape are
(state, time, parameters). Every lane has its own time and step; its bits do not depend on its neighbors.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.integrators.dop853.coefficients import STAGES
from vinculum.integrators.dop853.lanes import Stages, attempt, error_norms, growth, on_clock
from vinculum.tolerances.steps import (
    BESIDE_THE_ENDS,
    CHATTER_SHRINKS,
    CLOCK_UNIT,
    CROWDED_IMPACTS,
    CROWDED_UNITS,
    LANE_BEGIN,
    LANE_COLLAPSED,
    LOCATING_ROUNDS,
    RESOLVED_BY_A_STEP,
    SHORTENING_ROUNDS,
    STEP_FROM_REST,
    STEP_SAFETY,
    STEP_SHRINKS,
)

NO_REASON, FAILED, FULL, ACCUMULATED, TOGETHER = 0, 1, 2, 3, 4
AT_WALL = np.inf
"""The value of a gap that is zero up to round-off, at a start or after an impact: the motion leaves the wall, or meets it again at once."""


class Frame(NamedTuple):
    """``d2``: numbers of a point of phase space; ``k``: deviations; ``normal``: whether they are made orthonormal after each step."""

    d2: int
    k: int
    normal: bool


class Events(NamedTuple):
    """``watch``: address of the tape of all watched functions, ``walls`` of them first, and then ``sections``, and of their rates;
    ``reset``: addresses of the tapes (walls,) of the states after impacts, with the ``restitution`` (walls,) of each; ``orthogonal``
    (walls, walls): those whose impacts leave each other alone; ``sides``: +1, −1 or 0 (sections,), the sign of the rate of a recorded
    crossing."""

    watch: int
    walls: int
    sections: int
    reset: np.ndarray
    restitution: np.ndarray
    orthogonal: np.ndarray
    sides: np.ndarray


class Crossings(NamedTuple):
    """States (most, n, 8), instants and sections (most, 8) of crossings, their number ``found`` (8,), and the number of impacts (8,)."""

    states: np.ndarray
    times: np.ndarray
    which: np.ndarray
    found: np.ndarray
    impacts: np.ndarray


class Chatter(NamedTuple):
    """The last impact of each lane: its instant and wall, the wall of the one ``before``, the time since then, and that time where it
    began to shrink, (8,) each; ``crowded``: how many impacts in sequence are not apart on the clock."""

    t: np.ndarray
    wall: np.ndarray
    before: np.ndarray
    interval: np.ndarray
    first: np.ndarray
    crowded: np.ndarray


class Growth(NamedTuple):
    """Sums of the logarithms of stretching (k, 8), and products R (k, k, 8) of the triangular factors, all since they were last reset."""

    sums: np.ndarray
    R: np.ndarray


class Clocks(NamedTuple):
    """Times, ends, and next steps of the lanes, (8,) each; how many steps each tried; why each stopped."""

    t: np.ndarray
    end: np.ndarray
    h: np.ndarray
    steps: np.ndarray
    status: np.ndarray


class Records(NamedTuple):
    """What is recorded along the way: crossings ``found``, the last impacts, ``chatter``, and the growth of deviations, ``stretch``."""

    found: Crossings
    chatter: Chatter
    stretch: Growth


class Trials(NamedTuple):
    """Steps that are tried: times ``t`` (8,) and states ``y`` (n, 8) at their begins, their ``lengths`` (8,), zero for lanes that rest, the
    rates ``K`` of all stages, and the states ``new`` (n, 8) at their ends."""

    t: np.ndarray
    lengths: np.ndarray
    y: np.ndarray
    K: np.ndarray
    new: np.ndarray


class Watched(NamedTuple):
    """Watched functions and their rates (2 watched, 8) at the begins, ``first``, and at the ends, ``last``, of steps."""

    first: np.ndarray
    last: np.ndarray


class Located(NamedTuple):
    """Where watched functions vanish: ``lengths`` (8,) of the steps up to there, states ``at`` (n, 8) and ``values`` of all functions."""

    lengths: np.ndarray
    at: np.ndarray
    values: np.ndarray


@njit(nogil=True, cache=True)
def run_flow(field, frame, events, control, clocks, y, records, most):
    """Advance the states y (n, 8) of all lanes to their ends; at most ``most`` steps each, those that are repeated included."""
    address, x, n = field
    t, end, h, steps, status = clocks
    K, new = np.empty((STAGES + 4, n, WIDTH)), np.empty((n, WIDTH))
    stages, (found, chatter, stretch) = Stages(y, K, new), records
    trial, norms, shrunk = np.zeros(WIDTH), np.empty(WIDTH), np.zeros(WIDTH, dtype=np.bool_)
    uncut, hit = np.zeros(WIDTH), np.full(WIDTH, -1)
    watched = events.walls + events.sections
    g, g_new = np.zeros((max(2 * watched, 1), WIDTH)), np.zeros((max(2 * watched, 1), WIDTH))
    trials, values = Trials(t, trial, y, K, new), Watched(g, g_new)
    _rates(address, x, n, t, y, K[0])
    if watched > 0:
        _watch(events.watch, x, n, t, y, g)
        for k in range(events.walls):
            for j in range(WIDTH):
                g[k, j] = g[k, j] if g[k, j] > 0.0 else AT_WALL
    if h[0] == 0.0:
        _first_steps(n, t, end, y, K[0], h)
    while True:
        active = False
        for j in range(WIDTH):
            left = end[j] - t[j]
            if status[j] != NO_REASON or left <= 0.0:
                trial[j] = 0.0
                continue
            if steps[j] >= most:
                status[j], trial[j] = FAILED, 0.0
                continue
            active = True
            steps[j] += 1
            trial[j] = left if h[j] >= left else on_clock(t[j], max(h[j], CLOCK_UNIT * abs(t[j])))
        if not active:
            return
        attempt(address, x, n, t, trial, y, K, new)
        error_norms(stages, trial, control, norms)
        for j in range(WIDTH):
            if trial[j] == 0.0:
                continue
            if not norms[j] <= 1.0:
                shrink = max(STEP_SHRINKS, STEP_SAFETY * norms[j] ** (-0.125)) if np.isfinite(norms[j]) else 0.1
                h[j] = trial[j] * shrink
                shrunk[j] = True
                trial[j] = 0.0
                if h[j] < LANE_COLLAPSED * max(abs(t[j]), LANE_BEGIN):
                    status[j] = FAILED
        if watched > 0:
            _shorten(field, events, trials, values)
        uncut[:] = trial
        if watched > 0:
            hit[:] = -1
            _meet(field, events, trials, values, found, status, hit)
        for j in range(WIDTH):
            if trial[j] == 0.0 and hit[j] < 0:
                continue
            whole = trial[j] == end[j] - t[j]
            cut = h[j] > trial[j] and whole
            t[j] = end[j] if whole else t[j] + trial[j]
            factor = growth(norms[j], shrunk[j])
            if not cut or factor < 1.0:
                h[j] = max(trial[j] * factor, STEP_SHRINKS * uncut[j])
            shrunk[j] = False
            if hit[j] >= 0:
                why = _reason_to_end(events, chatter, t[j], uncut[j], hit[j], j)
                status[j] = why if why != NO_REASON else status[j]
            for i in range(n):
                y[i, j] = new[i, j]
                K[0, i, j] = K[STAGES, i, j]
            if frame.normal:
                _orthonormalize(frame, y, j, stretch)
        if frame.normal or watched > 0:
            _rates(address, x, n, t, y, K[0])


@njit(nogil=True, cache=True)
def _rates(address, x, n, t, y, rates):
    for j in range(WIDTH):
        for i in range(n):
            x[i, j] = y[i, j]
        x[n, j] = t[j]
    run_lanes(address, x, rates)


@njit(nogil=True, cache=True)
def _watch(address, x, n, t, y, g):
    for j in range(WIDTH):
        for i in range(n):
            x[i, j] = y[i, j]
        x[n, j] = t[j]
    run_lanes(address, x, g)


@njit(nogil=True, cache=True)
def _first_steps(n, t, end, y, rates, h):
    """A hundredth of the time in which the state changes by its own size."""
    for j in range(WIDTH):
        size, rate = 0.0, 0.0
        for i in range(n):
            size, rate = max(size, abs(y[i, j])), max(rate, abs(rates[i, j]))
        h[j] = min(0.01 * size / rate if rate > 0.0 and size > 0.0 else STEP_FROM_REST, end[j] - t[j])


@njit(nogil=True, cache=True)
def _changes(before, after):
    """Whether a watched function changes its sign."""
    return before * after < 0.0 or (before != 0.0 and after == 0.0)


@njit(nogil=True, cache=True)
def _reason_to_end(events, chatter, t, step, wall, j):
    """Why a lane ends with an impact, if it does: two walls are met at once, or impacts follow each other ever faster, so that infinitely
    many of them precede some instant.

    At a wall with restitution e < 1 that a force presses on, the times between impacts shrink by e; or impacts are not apart on the clock.
    """
    interval, e = t - chatter.t[j], events.restitution[wall]
    chatter.before[j] = chatter.wall[j]
    if chatter.wall[j] != wall or not interval <= 0.5 * (1.0 + e) * chatter.interval[j] or e == 1.0:
        chatter.first[j] = interval
    crowded = interval <= CROWDED_UNITS * CLOCK_UNIT * max(abs(t), step)
    chatter.crowded[j] = chatter.crowded[j] + 1 if crowded else 0
    chatter.t[j], chatter.wall[j], chatter.interval[j] = t, wall, interval
    if (
        crowded
        and chatter.before[j] >= 0
        and not events.orthogonal[chatter.before[j], wall]
        and chatter.before[j] != wall
    ):
        return TOGETHER
    if chatter.crowded[j] >= CROWDED_IMPACTS or interval < CHATTER_SHRINKS * chatter.first[j]:
        return ACCUMULATED
    return NO_REASON


@njit(nogil=True, cache=True)
def _shorten(field, events, trials, values):
    """Make steps shorter within which a watched function may cross zero and come back, so that they end where it turns back.

    A particle that flies freely has steps of any length, in which it would pass through an obstacle.
    """
    address, x, n = field
    (t, trial, y, K, new), (g, g_new) = trials, values
    watched = events.walls + events.sections
    middle, g_mid, length = np.empty((n, WIDTH)), np.empty_like(g), np.empty(WIDTH)
    for _ in range(SHORTENING_ROUNDS):
        for i in range(n):
            for j in range(WIDTH):
                middle[i, j] = 0.5 * (y[i, j] + new[i, j]) + 0.125 * trial[j] * (K[0, i, j] - K[STAGES, i, j])
        _watch(events.watch, x, n, t + trial, new, g_new)
        _watch(events.watch, x, n, t + 0.5 * trial, middle, g_mid)
        shorter = False
        for j in range(WIDTH):
            length[j] = trial[j]
            if trial[j] <= 2.0 * CROWDED_UNITS * CLOCK_UNIT * abs(t[j]):
                continue
            for k in range(watched):
                three = g[k, j], g_mid[k, j], g_new[k, j]
                rates = trial[j] * g[watched + k, j], trial[j] * g_mid[watched + k, j], trial[j] * g_new[watched + k, j]
                length[j] = min(length[j], trial[j] * _clear_share(three, rates))
            shorter = shorter or length[j] < trial[j]
        if not shorter:
            return
        trial[:] = length
        attempt(address, x, n, t, trial, y, K, new)


@njit(nogil=True, cache=True)
def _clear_share(values, rates):
    """The share of a step up to where a watched function turns back beyond zero, or may; a half if it is not known well enough, one if it
    does not. Values and rates, per step, are those at the start, in the middle and at the end."""
    first, middle, last = values
    rate, rate_mid, rate_last = rates
    at_wall = first == AT_WALL
    if at_wall:
        first = 0.0
    side = 1.0 if at_wall or first > 0.0 or (first == 0.0 and rate > 0.0) else -1.0
    off = abs(middle - 0.5 * (first + last) - 0.125 * (rate - rate_last))
    scale = max(abs(middle - first), abs(last - middle), abs(rate), abs(rate_mid), abs(rate_last))
    least, share = min(side * first, side * middle, side * last), 1.0
    for half in range(2):
        a, b = (first, middle) if half == 0 else (middle, last)
        u, v = (0.5 * rate, 0.5 * rate_mid) if half == 0 else (0.5 * rate_mid, 0.5 * rate_last)
        # side times the cubic through both ends is A s³/3 + B s²/2 + C s + …, and least where its rate rises through zero
        A, B, C = 3.0 * side * (2.0 * (a - b) + u + v), side * (6.0 * (b - a) - 4.0 * u - 2.0 * v), side * u
        under = B * B - 4.0 * A * C
        if not under > 0.0:
            continue
        s = -2.0 * C / (B + np.sqrt(under)) if B > 0.0 else (np.sqrt(under) - B) / (2.0 * A) if A != 0.0 else -1.0
        if not 0.0 < s < 1.0:
            continue
        value = side * a + s * (C + s * (0.5 * B + s * A / 3.0))
        place = 0.5 * (half + s)
        least = min(least, value)
        # the cubic is exact at both ends of the step, with its rate
        margin = RESOLVED_BY_A_STEP * scale * (4.0 * place * (1.0 - place)) ** 2
        if share == 1.0 and value <= margin and BESIDE_THE_ENDS < place < 1.0 - BESIDE_THE_ENDS:
            share = place
    if off > RESOLVED_BY_A_STEP * scale and least <= 4.0 * off:
        return 0.5
    if share == 1.0 and side * middle < 0.0 and side * last > 0.0:
        return 0.5
    return share


@njit(nogil=True, cache=True)
def _meet(field, events, trials, values, found, status, hit):
    """Crossings within the steps that are accepted: those of sections are recorded, and a step that meets a wall, whose number is put in
    ``hit``, ends after its impact.

    A crossing is located by steps of other lengths from the same start, so that it is as exact as a step is.
    """
    _, x, n = field
    (t, trial, y, K, new), (g, g_new) = trials, values
    later = t + trial
    _watch(events.watch, x, n, later, new, g_new)
    some = False
    for j in range(WIDTH):
        for k in range(events.walls + events.sections):
            if trial[j] > 0.0 and _changes(g[k, j], g_new[k, j]):
                some = True
    if not some:
        for j in range(WIDTH):
            if trial[j] > 0.0:
                g[:, j] = g_new[:, j]
        return
    rates, ends, full = K[STAGES].copy(), new.copy(), trial.copy()
    length, g_at, at = np.zeros(WIDTH), np.empty_like(g), np.empty((n, WIDTH))
    whole, located = Trials(t, full, y, K, new), Located(length, at, g_at)
    # walls first: the earliest of them cuts the step
    for k in range(events.walls):
        need = np.zeros(WIDTH, dtype=np.bool_)
        for j in range(WIDTH):
            need[j] = full[j] > 0.0 and _changes(g[k, j], g_new[k, j])
        if need.any():
            _locate(field, events, whole, values, k, need, located)
            for j in range(WIDTH):
                if need[j]:
                    full[j], hit[j] = length[j], k
                    g_new[:, j] = g_at[:, j]
                    ends[:, j] = at[:, j]
    for k in range(events.walls, events.walls + events.sections):
        need = np.zeros(WIDTH, dtype=np.bool_)
        for j in range(WIDTH):
            side = events.sides[k - events.walls]
            rising = g[k, j] < 0.0
            need[j] = full[j] > 0.0 and _changes(g[k, j], g_new[k, j]) and (side == 0 or (side > 0) == rising)
        if need.any():
            _locate(field, events, whole, values, k, need, located)
            for j in range(WIDTH):
                if need[j]:
                    place = found.found[j]
                    if place < found.states.shape[0]:
                        found.states[place, :, j] = at[:, j]
                        found.times[place, j] = t[j] + length[j]
                        found.which[place, j] = k - events.walls
                        found.found[j] += 1
                    if found.found[j] == found.states.shape[0]:
                        status[j] = FULL
    for j in range(WIDTH):
        if full[j] > 0.0 or hit[j] >= 0:
            g[:, j] = g_new[:, j]
            trial[j] = full[j]
    if (hit >= 0).any():
        for j in range(WIDTH):
            for i in range(n):
                x[i, j] = ends[i, j]
            x[n, j] = t[j] + trial[j]
        for k in range(events.walls):
            if (hit == k).any():
                run_lanes(events.reset[k], x, at)
                for j in range(WIDTH):
                    if hit[j] == k:
                        ends[:, j] = at[:, j]
                        g[k, j] = AT_WALL
                        found.impacts[j] += 1
        # walls that are met at the same instant are met next
        for j in range(WIDTH):
            for k in range(events.walls):
                if hit[j] >= 0 and g[k, j] <= 0.0:
                    g[k, j] = AT_WALL
        # a jump is no crossing: sections are watched from the state after it
        _watch(events.watch, x, n, t + trial, ends, g_at)
        for j in range(WIDTH):
            if hit[j] >= 0:
                for k in range(events.walls, 2 * (events.walls + events.sections)):
                    g[k, j] = g_at[k, j]
    for j in range(WIDTH):
        for i in range(n):
            new[i, j] = ends[i, j]
            K[STAGES, i, j] = rates[i, j]


@njit(nogil=True, cache=True)
def _locate(field, events, trials, values, k, need, located):
    """Lengths of the steps after which function k vanishes in the lanes that need it, by the Illinois rule; states and values there.

    A step from a wall that nowhere leaves it has length zero.
    """
    address, x, n = field
    (t, full, y, K, _), (g, g_new), (length, at, g_at) = trials, values, located
    low, high = np.zeros(WIDTH), full.copy()
    f_low, f_high = g[k].copy(), g_new[k].copy()
    work, trial, last = np.empty((n, WIDTH)), np.zeros(WIDTH), np.zeros(WIDTH, dtype=np.int64)
    done, met = ~need, np.zeros(WIDTH, dtype=np.bool_)
    later = np.empty(WIDTH)
    for j in range(WIDTH):
        if f_low[j] == AT_WALL:
            f_low[j] = abs(f_high[j])
    for _ in range(LOCATING_ROUNDS):
        if done.all():
            break
        for j in range(WIDTH):
            trial[j] = 0.0
            if not done[j]:
                trial[j] = (
                    high[j] if f_high[j] == 0.0 else high[j] - f_high[j] * (high[j] - low[j]) / (f_high[j] - f_low[j])
                )
                trial[j] = min(max(trial[j], low[j]), high[j])
            later[j] = t[j] + trial[j]
        attempt(address, x, n, t, trial, y, K, work)
        watched = np.empty_like(g_at)
        _watch(events.watch, x, n, later, work, watched)
        for j in range(WIDTH):
            if done[j]:
                continue
            value = watched[k, j]
            length[j] = trial[j]
            at[:, j] = work[:, j]
            g_at[:, j] = watched[:, j]
            unit = CLOCK_UNIT * max(abs(t[j]), full[j])
            met[j] = value == 0.0
            if value == 0.0 or high[j] - low[j] <= 2.0 * unit:
                done[j] = True
            elif value * f_high[j] > 0.0:
                if trial[j] == high[j]:
                    done[j] = True
                high[j], f_high[j] = trial[j], value
                if last[j] == 1:
                    f_low[j] *= 0.5
                last[j] = 1
            else:
                if trial[j] == low[j]:
                    done[j] = True
                low[j], f_low[j] = trial[j], value
                if last[j] == -1:
                    f_high[j] *= 0.5
                last[j] = -1
    for j in range(WIDTH):
        if need[j] and g[k, j] == AT_WALL and low[j] == 0.0 and not met[j]:
            length[j] = 0.0
            at[:, j] = y[:, j]
            g_at[:, j] = g[:, j]


@njit(nogil=True, cache=True)
def _orthonormalize(frame, y, j, stretch):
    """Deviations of one lane made orthonormal by Gram and Schmidt, twice; their factor R, Y = Q R, multiplies the product of all."""
    d2, k, _ = frame
    R = np.zeros((k, k))
    for a in range(k):
        column = d2 * (a + 1)
        for _ in range(2):
            for b in range(a):
                other, total = d2 * (b + 1), 0.0
                for i in range(d2):
                    total += y[column + i, j] * y[other + i, j]
                for i in range(d2):
                    y[column + i, j] -= total * y[other + i, j]
                R[b, a] += total
        size = 0.0
        for i in range(d2):
            size += y[column + i, j] ** 2
        size = np.sqrt(size)
        R[a, a] = size
        stretch.sums[a, j] += np.log(size)
        for i in range(d2):
            y[column + i, j] /= size
    if stretch.R.shape[0] == 0:
        return
    product = np.zeros((k, k))
    for a in range(k):
        for b in range(k):
            for c in range(a, k):
                product[a, b] += R[a, c] * stretch.R[c, b, j]
    stretch.R[:, :, j] = product
