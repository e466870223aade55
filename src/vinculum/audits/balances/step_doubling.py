"""The error of a fixed-step method by step doubling: one step against two half steps, from the recorded states."""

import numpy as np

from vinculum.audits.balances.quantities import samples
from vinculum.audits.impacts.seen_impacts import TIME_STEPPING
from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.integrators.fixed_step.one_step import advance
from vinculum.integrators.variables import field, inward, outward
from vinculum.motion.chart_changes import stretch_of
from vinculum.motion.method import MIDDLE
from vinculum.motion.record import Record
from vinculum.motion.states import recorded_states, tape_rows
from vinculum.tolerances.samples import MOST_DOUBLED_STEPS, ROUGHEST_STEPS

FIXED = ("rk4", "verlet", "midpoint", "moreau")


def doubled_steps(motion: Record, edges, coefficients, steps: int, first: int, rough: np.ndarray) -> np.ndarray | float:
    """Difference of every quantity between two half steps and one step, summed over a block of steps from the number ``first`` on, (m,).
    In time stepping, the difference of the residuals of its balance.

    Of very many steps some are taken for all, but none of the roughest, which may be the only ones with a kink of a force in them.
    ``rough`` (S,): how rough each step is. Every step ends with closed loops and satisfied constraints, as in the run.
    """
    name = motion.method.claims.name
    if name not in FIXED:
        return 0.0
    stride = max(1, steps // MOST_DOUBLED_STEPS)
    whole = np.flatnonzero(~_inside_steps(motion, edges))
    begin = np.arange(-first % stride, len(whole) - 1, stride)
    if stride > 1:
        roughest = np.argsort(np.maximum.reduceat(rough, whole[:-1]))[-ROUGHEST_STEPS:]
        begin = np.union1d(begin, roughest)
        weights = np.where(np.isin(begin, roughest), 1.0, stride)
    else:
        weights = np.ones(len(begin))
    if not len(begin):
        return 0.0
    chosen = whole[begin]
    t, h, x = edges[chosen], edges[whole[begin + 1]] - edges[chosen], coefficients[chosen, :, 0]
    model, stretch = motion.model, stretch_of(motion.changes, first + chosen)

    # time stepping normalizes the quaternions in the middle of a step and at its end
    within = model.on_charts if name in TIME_STEPPING else lambda states: states

    def rates(instants, states):
        return evaluate(field(name, model), tape_rows(motion, instants, within(states), stretch))

    def take_steps(instants, states, lengths):
        own = inward(name, model, tape_rows(motion, instants, states, stretch))
        ends = advance(name, rates, instants, own, lengths, model.nq, motion.method.theta or MIDDLE)
        after = instants + lengths
        own = within(outward(name, model, tape_rows(motion, after, ends, stretch)))
        return recorded_states(motion, after, own, stretch)

    half = take_steps(t, x, h / 2)
    once, twice = take_steps(t, x, h), take_steps(t + h / 2, half, h / 2)
    changed = samples(motion, t + h, once, stretch).L - samples(motion, t + h, twice, stretch).L
    if name in TIME_STEPPING:
        changed -= _integral(motion, t, h, x, once, stretch)
        for time, begin, end in ((t, x, half), (t + h / 2, half, twice)):
            changed += _integral(motion, time, h / 2, begin, end, stretch)
    return weights @ np.abs(changed)


def _integral(motion: Record, t: np.ndarray, h: np.ndarray, begin: np.ndarray, end: np.ndarray, stretch) -> np.ndarray:
    """∫ R dt (K, m) by Simpson's rule over steps of time stepping. Velocities are linear in a step and coordinates quadratic, with rates
    N v for N in the middle of the step. A law that the dense output satisfies for every step length has no error of the method."""
    nq, middle = motion.model.nq, motion.model.on_charts(0.5 * (begin + end))
    first, last = (
        evaluate_groups(motion.model.tape("rates"), tape_rows(motion, t + h / 2, states, stretch))["q_dot"]
        for states in (np.hstack([middle[:, :nq], one[:, nq:]]) for one in (begin, end))
    )
    middle = 0.5 * (begin + end)
    middle[:, :nq] += h[:, None] / 8.0 * (first - last)
    R = [
        samples(motion, time, recorded_states(motion, time, states, stretch), stretch).R
        for time, states in ((t, begin), (t + h / 2, middle), (t + h, end))
    ]
    return h[:, None] / 6.0 * (R[0] + 4.0 * R[1] + R[2])


def _inside_steps(motion: Record, edges: np.ndarray) -> np.ndarray:
    """Which edges (E,) of a block lie inside a step, as impulses of time stepping do; never the first and the last."""
    atoms = motion.atoms
    inside = (
        np.isin(edges, atoms.times[atoms.durations > 0.0]) if atoms is not None else np.zeros(len(edges), dtype=bool)
    )
    inside[[0, -1]] = False
    return inside
