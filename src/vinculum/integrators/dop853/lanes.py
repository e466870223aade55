"""Dormand–Prince 8(5,3) in compiled loops over a compiled tape: eight lanes, each with its own time and step.

One run uses lane 0; an ensemble uses all lanes and refills those that are done. Hairer, Nørsett and Wanner, II.10.
"""

from typing import NamedTuple

import numpy as np

from vinculum.compile.calls import run_lanes
from vinculum.compile.kernels import njit
from vinculum.compile.width import WIDTH
from vinculum.integrators.dop853.coefficients import E3, E5, EXTENDED, POWER, STAGES, A, B, C, D
from vinculum.integrators.projected_lanes import hold, space
from vinculum.tolerances.round_off import HALF_UNIT, NEAR_ROUND_OFF, NEXT_TO_ZERO
from vinculum.tolerances.steps import (
    AT_REST_FOR,
    BEGIN_OF_TIME,
    CLOCK_UNIT,
    DEFECT,
    FLOOR,
    LANE_BEGIN,
    LANE_COLLAPSED,
    NO_STEP,
    STEP_GROWS,
    STEP_SAFETY,
    STEP_SHRINKS,
    UNITS_OF_A_STEP,
)

DONE, STEP_LIMIT, COLLAPSED, NOT_FINITE, SIGN_CHANGE = 0, 1, 2, 3, 4
COSINE, SINE, VECTOR = 0, 1, 2


class Control(NamedTuple):
    """What the error of a step is measured against."""

    tolerance: float | None
    groups: np.ndarray
    """As `error_groups` returns them (3, n)."""
    strength: float
    """Largest sum of accelerations that cancel."""


class Clock(NamedTuple):
    """The time of a run: now, its end, the next step and the longest step [s]."""

    t: float
    end: float
    h: float
    longest: float


class Stages(NamedTuple):
    """States at the beginning and the end of a step (n, 8), and the rates of its stages (16, n, 8)."""

    y: np.ndarray
    K: np.ndarray
    new: np.ndarray


class Watch(NamedTuple):
    """Functions that are watched for sign changes: the address of their tape, their number, and their values.

    ``g`` (3, m, 8): at the start, middle and end of the last step.
    """

    address: int
    m: int
    g: np.ndarray


class Record(NamedTuple):
    """Accepted steps: their edges (S + 1,), states at their starts (S, n), and vectors of the interpolant (S, 7, n)."""

    times: np.ndarray
    starts: np.ndarray
    F: np.ndarray


class Jobs(NamedTuple):
    """Runs of an ensemble: starts (jobs, n), parameters (jobs, p), the common beginning, the requested instants, and a first step."""

    starts: np.ndarray
    parameters: np.ndarray
    begin: float
    instants: np.ndarray
    first_step: float


class Limits(NamedTuple):
    """When a run fails or all runs stop.

    A run fails after ``max_steps``, or if a rotation chart in ``guards`` (charts, 2) is closer to a singularity than ``least``. All runs
    stop if ``halt[0]`` is not zero.
    """

    max_steps: int
    halt: np.ndarray
    guards: np.ndarray
    """Rows as in `condition`."""
    least: float


class Outcome(NamedTuple):
    """States on the grid (jobs, G, n), which runs failed and how many steps each took (jobs,)."""

    states: np.ndarray
    failed: np.ndarray
    steps: np.ndarray


class Holding(NamedTuple):
    """Workspace of `hold`, rates (n, 8), lanes whose step was accepted, and lanes that cannot be projected (8,)."""

    around: np.ndarray
    rates: np.ndarray
    landed: np.ndarray
    torn: np.ndarray


def error_groups(layout) -> np.ndarray:
    """What the error of each number of the state is measured against, (3, n).

    The rows are its group; for a velocity, the group of the coordinates that it changes (−1 for a coordinate); and whether these are
    lengths (0) or angles (1).
    """
    units, groups = [*layout.q_units, *layout.v_units], layout.groups
    nq = len(layout.q_units)
    result = np.full((3, len(units)), -1, dtype=np.int64)
    result[0] = groups
    result[2] = [0 if unit.startswith("m") else 1 for unit in units]
    for entry in layout.joints.values():
        for i in range(nq + entry.v[0], nq + entry.v[1]):
            moved = [k for k in range(*entry.q) if result[2, k] == result[2, i]]
            result[1, i] = groups[moved[0]] if moved else groups[i]
    return result


@njit(nogil=True, cache=True)
def on_clock(t, h):
    """A step of about length h that ends on a representable instant: far from zero, t + h is rounded."""
    return (t + h) - t


@njit(nogil=True, cache=True)
def run_stages(address, x, n, t, h, y, K):
    """Twelve stages and the rates at the end, K (13, n, 8), from states y (n, 8) at times t (8,) with steps h (8,)."""
    for s in range(1, STAGES + 1):
        weights = A[s] if s < STAGES else B
        combine(weights, s, x, n, h, y, K)
        for j in range(WIDTH):
            x[n, j] = t[j] + (C[s] if s < STAGES else 1.0) * h[j]
        run_lanes(address, x, K[s])


@njit(nogil=True, cache=True)
def combine(weights, count, x, n, h, y, K):
    """x = y + h Σ weights · K over the first ``count`` stages."""
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = 0.0
        for r in range(count):
            a = weights[r]
            if a != 0.0:
                for j in range(WIDTH):
                    x[i, j] += a * K[r, i, j]
        for j in range(WIDTH):
            x[i, j] = y[i, j] + h[j] * x[i, j]


@njit(nogil=True, cache=True)
def error_norms(stages, h, control, norms):
    """Estimated error of every lane relative to its tolerance.

    Components far below the largest of their group are measured against that one. No error has to be below the round-off of the largest
    rate, which all rates may share. No error has to be below the round-off of ``strength``, the largest sum of accelerations that
    cancel where contacts are closed. Where that is not known (zero), stiff forces may cancel, and no error of a velocity has to be below
    the effect of the round-off of its coordinates within a step, as for a system that comes to rest.
    """
    (y, K, new), (tolerance, groups, strength) = stages, control
    n = len(y)
    largest, fifth, third = np.zeros((n, WIDTH)), np.zeros(WIDTH), np.zeros(WIDTH)
    e5, e3 = np.empty(WIDTH), np.empty(WIDTH)
    for i in range(n):
        for j in range(WIDTH):
            largest[groups[0, i], j] = max(
                largest[groups[0, i], j], abs(y[i, j]), abs(new[i, j]), abs(h[j] * K[0, i, j])
            )
    noise, alike = np.zeros(WIDTH), np.zeros((2, WIDTH))
    for j in range(WIDTH):
        noise[j] = NEAR_ROUND_OFF * abs(h[j]) * strength
    for i in range(n):
        for j in range(WIDTH):
            noise[j] = max(noise[j], NEAR_ROUND_OFF * abs(h[j] * K[0, i, j]))
            if groups[1, i] < 0:
                alike[groups[2, i], j] = max(alike[groups[2, i], j], abs(y[i, j]), abs(new[i, j]))
    for i in range(n):
        e5[:], e3[:] = 0.0, 0.0
        for s in range(STAGES + 1):
            a, b = E5[s], E3[s]
            for j in range(WIDTH):
                e5[j] += a * K[s, i, j]
                e3[j] += b * K[s, i, j]
        for j in range(WIDTH):
            scale = tolerance * max(abs(y[i, j]), abs(new[i, j]), FLOOR * largest[groups[0, i], j], NEXT_TO_ZERO)
            scale = max(scale, noise[j])
            if strength == 0.0 and groups[1, i] >= 0 and h[j] != 0.0:
                behind = max(largest[groups[1, i], j], FLOOR * alike[groups[2, i], j])
                scale = max(scale, HALF_UNIT * behind / abs(h[j]))
            fifth[j] += (e5[j] / scale) ** 2
            third[j] += (e3[j] / scale) ** 2
    for j in range(WIDTH):
        both = (fifth[j] + 0.01 * third[j]) * n
        norms[j] = 0.0 if both == 0.0 else abs(h[j]) * fifth[j] / np.sqrt(both)


@njit(nogil=True, cache=True)
def dense(address, x, n, t, h, y, K, F):
    """The seven vectors F (7, n) of the interpolant of lane 0; its three extra stages are written to K (16, n, 8)."""
    for s in range(STAGES + 1, EXTENDED):
        combine(A[s], s, x, n, h, y, K)
        for j in range(WIDTH):
            x[n, j] = t[j] + C[s] * h[j]
        run_lanes(address, x, K[s])
    for i in range(n):
        change = 0.0
        for s in range(STAGES):
            change += B[s] * K[s, i, 0]
        change *= h[0]
        F[0, i] = change
        F[1, i] = h[0] * K[0, i, 0] - change
        F[2, i] = 2.0 * change - h[0] * (K[STAGES, i, 0] + K[0, i, 0])
        for r in range(POWER - 3):
            total = 0.0
            for s in range(EXTENDED):
                total += D[r, s] * K[s, i, 0]
            F[3 + r, i] = h[0] * total


@njit(nogil=True, cache=True)
def attempt(address, x, n, t, h, y, K, new):
    """One step without error control: the new state of every lane, from rates K[0] at its start."""
    run_stages(address, x, n, t, h, y, K)
    for i in range(n):
        for j in range(WIDTH):
            new[i, j] = x[i, j]


@njit(nogil=True, cache=True)
def evaluate_watched(address, x, n, t, state, g):
    """The watched functions g (m, 8) at a state; the inputs of the tape are those of the motion."""
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = state[i, j]
    for j in range(WIDTH):
        x[n, j] = t
    run_lanes(address, x, g)


@njit(nogil=True, cache=True)
def to_the_middle(F, y, K):
    """Write the interpolant in the middle of a step to K[1], and its rate there, times the step, to K[2]."""
    for i in range(len(y)):
        value, rate = F[POWER - 1, i], 0.0
        for r in range(POWER - 2, -1, -1):
            # factors θ and 1 − θ in turn, at θ = 1/2
            sign = 1.0 if r % 2 == 1 else -1.0
            rate = sign * value + 0.5 * rate
            value = F[r, i] + 0.5 * value
        for j in range(WIDTH):
            K[1, i, j] = y[i, j] + 0.5 * value
            K[2, i, j] = value + 0.5 * rate


@njit(nogil=True, cache=True)
def defect_norm(field, t, h, control, stages):
    """How far the interpolant in the middle of a step, in K[1] and K[2], is from its equations, relative to what is allowed.

    A slip that begins turns into its direction at a rate that is proportional to 1/speed. Steps that are too long for it are unstable,
    which the error of their end does not tell while the slip is slow.
    """
    (address, x, n), (y, K, new), (tolerance, groups, strength) = field, stages, control
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = K[1, i, j]
    for j in range(WIDTH):
        x[n, j] = t + 0.5 * h
    run_lanes(address, x, K[3])
    largest, behind, worst = np.zeros(n), np.zeros(2), 0.0
    for i in range(n):
        own = groups[0, i]
        largest[own] = max(largest[own], abs(y[i, 0]), abs(new[i, 0]), abs(h * K[0, i, 0]), abs(h * K[3, i, 0]))
        if groups[1, i] < 0:
            behind[groups[2, i]] = max(behind[groups[2, i]], abs(y[i, 0]), abs(new[i, 0]))
    for i in range(n):
        scale = tolerance * max(largest[groups[0, i]], strength * AT_REST_FOR)
        scale = max(scale, NEAR_ROUND_OFF * h * strength, NEXT_TO_ZERO)
        if strength == 0.0 and groups[1, i] >= 0:
            scale = max(scale, HALF_UNIT * max(largest[groups[1, i]], FLOOR * behind[groups[2, i]]) / h)
        worst = max(worst, abs(K[2, i, 0] - h * K[3, i, 0]) / (DEFECT * scale))
    return worst


@njit(nogil=True, cache=True)
def growth(norm, shrunk):
    """Factor for the next step after one with this error; the step does not grow right after a rejected one."""
    factor = STEP_GROWS if norm == 0.0 else min(STEP_GROWS, STEP_SAFETY * norm ** (-0.125))
    return min(1.0, factor) if shrunk else factor


@njit(nogil=True, cache=True)
def run_one(field, watch, clock, control, stages, record):
    """Adaptive steps of one run from y at t, until its end, a full record, or a sign change of a watched function.

    ``K[0]`` must hold the rates at the start. A step with a sign change is not recorded; its length is returned as h. Returns (status,
    steps, t, h).
    """
    address, x, n = field
    _watch, m, g = watch
    t, end, h, longest = clock
    y, K, new = stages
    times, starts, F = record
    steps, shrunk = 0, False
    hs, ts, norms = np.empty(WIDTH), np.empty(WIDTH), np.empty(WIDTH)
    times[0] = t
    while steps < starts.shape[0]:
        left = end - t
        if left <= 0.0:
            return DONE, steps, t, h
        asked = min(h, left, longest)
        trial = asked if asked == left else on_clock(t, asked)
        if trial < UNITS_OF_A_STEP * CLOCK_UNIT * max(abs(t), NEXT_TO_ZERO) and trial < left:
            return COLLAPSED, steps, t, h
        hs[:], ts[:] = trial, t
        attempt(address, x, n, ts, hs, y, K, new)
        error_norms(stages, hs, control, norms)
        norm = norms[0]
        if not np.isfinite(norm):
            h = trial * 0.1
            shrunk = True
            if h < NO_STEP * max(abs(t), BEGIN_OF_TIME * abs(end)):
                return NOT_FINITE, steps, t, h
            continue
        if norm > 1.0:
            h = trial * max(STEP_SHRINKS, STEP_SAFETY * norm ** (-0.125))
            shrunk = True
            continue
        dense(address, x, n, ts, hs, y, K, F[steps])
        if m > 0:
            to_the_middle(F[steps], y, K)
            norm = max(norm, defect_norm(field, t, trial, control, stages))
            if norm > 1.0:
                h = trial * max(STEP_SHRINKS, STEP_SAFETY * norm ** (-0.125))
                shrunk = True
                continue
            evaluate_watched(watch.address, x, n, t + trial, new, g[2])
            evaluate_watched(watch.address, x, n, t + 0.5 * trial, K[1], g[1])
            for k in range(m):
                if g[0, k, 0] * g[2, k, 0] < 0.0 or g[0, k, 0] * g[1, k, 0] < 0.0:
                    return SIGN_CHANGE, steps, t, trial
        for i in range(n):
            starts[steps, i] = y[i, 0]
            for j in range(WIDTH):
                y[i, j] = new[i, j]
                K[0, i, j] = K[STAGES, i, j]
        if m > 0:
            for k in range(m):
                if g[2, k, 0] != 0.0:
                    g[0, k, 0] = g[2, k, 0]
        t = end if trial == left else t + trial
        factor = growth(norm, shrunk)
        if asked in (h, longest) or factor < 1.0:
            h = trial * factor
        shrunk = False
        steps += 1
        times[steps] = t
    return (DONE if t >= end else STEP_LIMIT), steps, t, h


@njit(nogil=True, cache=True)
def locate(field, watch, which, sign, t, bracket, stages):
    """The step length within a bracket at which the watched function ``which`` has just left ``sign``, by true steps from y (Illinois
    method).
    """
    address, x, n = field
    y, K, new = stages
    low, high = bracket
    g = np.zeros_like(watch.g[0])
    hs, ts = np.empty(WIDTH), np.empty(WIDTH)
    ts[:] = t
    g_low, g_high = 0.0, 0.0
    for k in range(2):
        hs[:] = low if k == 0 else high
        attempt(address, x, n, ts, hs, y, K, new)
        evaluate_watched(watch.address, x, n, t + hs[0], new, g)
        if k == 0:
            g_low = g[which, 0]
        else:
            g_high = g[which, 0]
    if low == 0.0:
        g_low = sign * abs(g_low) if g_low != 0.0 else sign * NEXT_TO_ZERO
    for _ in range(200):
        if high - low <= CLOCK_UNIT * max(abs(t), high):
            break
        middle = high - g_high * (high - low) / (g_high - g_low) if g_high != g_low else 0.5 * (low + high)
        if not (low < middle < high):
            middle = 0.5 * (low + high)
        hs[:] = middle
        attempt(address, x, n, ts, hs, y, K, new)
        evaluate_watched(watch.address, x, n, t + middle, new, g)
        value = g[which, 0]
        if value * sign > 0.0:
            low, g_low = middle, value
            g_high *= 0.5
        else:
            high, g_high = middle, value
            g_low *= 0.5
            if value == 0.0:
                break
    return high


@njit(nogil=True, cache=True)
def condition(kind, first, y, j):
    """Distance of a rotation chart from its singularity in lane j: cos ϑ, sin ϑ or 1/(1 + |f|²) of the coordinates from ``first`` on."""
    if kind == COSINE:
        return abs(np.cos(y[first + 1, j]))
    if kind == SINE:
        return abs(np.sin(y[first + 1, j]))
    return 1.0 / (1.0 + y[first, j] ** 2 + y[first + 1, j] ** 2 + y[first + 2, j] ** 2)


@njit(nogil=True, cache=True)
def _begin(field, t, stages, fresh):
    """Write the rates K[0] of lanes that have taken a new job; ``new`` is overwritten."""
    address, x, n = field
    y, K, new = stages
    anew = False
    for j in range(WIDTH):
        anew = anew or fresh[j]
    if not anew:
        return
    for i in range(n):
        for j in range(WIDTH):
            x[i, j] = y[i, j]
    for j in range(WIDTH):
        x[n, j] = t[j]
    run_lanes(address, x, new)
    for j in range(WIDTH):
        if fresh[j]:
            fresh[j] = False
            for i in range(n):
                K[0, i, j] = new[i, j]


@njit(nogil=True, cache=True)
def _bring_back(projection, field, stages, holding):
    """Project the new states of the ``landed`` lanes onto their conditions and update their rates; ``torn`` is set where this fails."""
    x, n, K, new = field.x, field.n, stages.K, stages.new
    around, rates, landed, torn = holding
    for i in range(n):
        for j in range(WIDTH):
            x[i, j], rates[i, j] = new[i, j], K[STAGES, i, j]
    hold(projection, x, n, around, rates, landed, torn)
    for i in range(n):
        for j in range(WIDTH):
            new[i, j], K[STAGES, i, j] = x[i, j], rates[i, j]


@njit(nogil=True, cache=True)
def run_many(field, projection, jobs, control, limits, outcome):
    """Take every job through its instants; the states on that grid are written to ``outcome``.

    A lane whose run is done takes the next job. The arithmetic of a lane does not depend on other lanes, so the bits of a run do not
    depend on its neighbors. Steps end on the requested instants. A run fails if its state is no longer finite, its step collapses, it
    has used up its steps, or a rotation chart is near a singularity; its remaining states are NaN. All lanes stop at once if they are
    halted. If ``projection`` is not zero, there are conditions, and that tape projects every accepted state onto them.
    """
    (address, x, n), (begun, parameters, begin, instants, first_step) = field, jobs
    (max_steps, halt, guards, least), (states, failed, steps_taken) = limits, outcome
    G, p = instants.shape[0], parameters.shape[1]
    y, new, K = np.zeros((n, WIDTH)), np.zeros((n, WIDTH)), np.zeros((EXTENDED, n, WIDTH))
    stages = Stages(y, K, new)
    t, h, hs, norms = np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH), np.zeros(WIDTH)
    job, place = np.full(WIDTH, -1), np.zeros(WIDTH, dtype=np.int64)
    taken, shrunk = np.zeros(WIDTH, dtype=np.int64), np.zeros(WIDTH, dtype=np.bool_)
    fresh, torn, landed = np.zeros_like(shrunk), np.zeros_like(shrunk), np.zeros_like(shrunk)
    holding = Holding(space(n), np.zeros((n, WIDTH)), landed, torn)
    ask, waiting = 0, begun.shape[0]
    active = 0
    while True:
        for j in range(WIDTH):
            if job[j] < 0 and ask < waiting:
                job[j], place[j], taken[j], shrunk[j], fresh[j] = ask, 0, 0, False, True
                t[j], h[j] = begin, first_step
                for i in range(n):
                    y[i, j] = begun[ask, i]
                for i in range(p):
                    x[n + 1 + i, j] = parameters[ask, i]
                ask += 1
                active += 1
        if active == 0 or halt[0] != 0:
            return
        _begin(field, t, stages, fresh)
        for j in range(WIDTH):
            left = instants[place[j]] - t[j] if job[j] >= 0 else 0.0
            h[j] = on_clock(t[j], h[j])
            hs[j] = min(h[j], left)
        attempt(address, x, n, t, hs, y, K, new)
        error_norms(stages, hs, control, norms)
        if projection != 0:
            for j in range(WIDTH):
                torn[j], landed[j] = False, job[j] >= 0 and norms[j] <= 1.0
            _bring_back(projection, field, stages, holding)
        for j in range(WIDTH):
            if job[j] < 0:
                continue
            norm = norms[j]
            taken[j] += 1
            if not np.isfinite(norm):
                h[j] = hs[j] * 0.1
                shrunk[j] = True
            elif norm > 1.0:
                h[j] = hs[j] * max(STEP_SHRINKS, STEP_SAFETY * norm ** (-0.125))
                shrunk[j] = True
            else:
                arrived = hs[j] >= instants[place[j]] - t[j]
                for i in range(n):
                    y[i, j] = new[i, j]
                    K[0, i, j] = K[STAGES, i, j]
                t[j] = instants[place[j]] if arrived else t[j] + hs[j]
                factor = growth(norm, shrunk[j])
                if hs[j] == h[j] or factor < 1.0:
                    h[j] = hs[j] * factor
                shrunk[j] = False
                if arrived:
                    for i in range(n):
                        states[job[j], place[j], i] = y[i, j]
                    place[j] += 1
            broken = torn[j] or taken[j] >= max_steps or h[j] < LANE_COLLAPSED * max(abs(t[j]), LANE_BEGIN)
            for g in range(guards.shape[0]):
                broken = broken or condition(guards[g, 0], guards[g, 1], y, j) < least
            if place[j] == G or broken:
                if place[j] < G:
                    failed[job[j]] = True
                    for g in range(place[j], G):
                        for i in range(n):
                            states[job[j], g, i] = np.nan
                steps_taken[job[j]] = taken[j]
                job[j] = -1
                active -= 1
