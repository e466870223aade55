"""Crossings found on completed steps, from the signs of the event functions at their ends."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from vinculum.compile.evaluate import evaluate, evaluate_rows
from vinculum.motion.events import Crossing
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.functions import CROSSING_SLOPE_STEP
from vinculum.tolerances.iterations import EVENT_HALVINGS
from vinculum.tolerances.time import SAME_INSTANT
from vinculum.tolerances.watch import EVENT_ROUND_OFF, EVENT_SHIFT


def with_crossings(problem: Problem, steps: Steps, before: np.ndarray | None) -> tuple[Steps, np.ndarray]:
    """The steps with the crossings found on their dense output, and the last signs; a stopping event cuts the steps off.

    ``before``: signs at the end of the preceding steps, so that a zero on the edge between them counts once.
    """
    tape = problem.event_tape
    assert tape is not None
    pieces = Pieces(steps.times, steps.coefficients)

    def functions(t: np.ndarray) -> np.ndarray:
        return evaluate(tape, problem.rows(pieces.state(t), t))

    signs = np.sign(functions(steps.times))
    if before is not None:
        signs[0] = before
    crossings, stop = [], None
    for k, event in enumerate(problem.events):
        known = np.flatnonzero(signs[:, k])
        for a, b in pairwise(known.tolist()):
            direction = int(signs[b, k])
            if signs[a, k] == direction or event.direction not in (0, direction):
                continue
            low, high = steps.times[a], steps.times[b]
            for _ in range(EVENT_HALVINGS):
                middle = 0.5 * (low + high)
                if np.sign(functions(np.array([middle]))[0, k]) == signs[a, k]:
                    low = middle
                else:
                    high = middle
            crossings.append(Crossing(event.name, float(high), direction))
            if event.stop and (stop is None or high < stop):
                stop = float(high)
    crossings.sort(key=lambda c: c.time)
    last = np.array([column[np.flatnonzero(column)[-1]] if column.any() else 0.0 for column in signs.T])
    if stop is None:
        return replace(steps, crossings=crossings), last
    kept = int(np.searchsorted(steps.times, stop))
    times = np.append(steps.times[:kept], stop)
    passed = [c for c in crossings if c.time <= stop + SAME_INSTANT * problem.latest]
    atoms, solver = (None if one is None else one.until(stop) for one in (steps.atoms, steps.contact_solver))
    kept_steps = replace(steps, times=times, coefficients=steps.coefficients[:kept], crossings=passed, failure=None)
    return replace(kept_steps, stopped=True, atoms=atoms, contact_solver=solver, corrected=None), last


def soonest_return(problem: Problem, state: np.ndarray, t: float) -> float:
    """Time [s] until an event function that is zero at a state is zero again, from its first two derivatives; infinity if it never is."""
    tape, dt = problem.event_tape, CROSSING_SLOPE_STEP * problem.brief
    if tape is None:
        return np.inf

    def rate(y: np.ndarray, at: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        row = problem.rows(y[None], np.array([at]))
        rates = evaluate_rows(problem.tape, row)[0]
        around = np.array([y - dt * rates, y + dt * rates])
        times = np.array([at - dt, at + dt])
        before, after = evaluate_rows(tape, problem.rows(around, times))
        return rates, evaluate_rows(tape, row)[0], 0.5 * (after - before) / dt

    rates, values, jacobians = rate(state, t)
    bends = (rate(state + dt * rates, t + dt)[2] - jacobians) / dt
    exact = np.abs(values) <= SAME_INSTANT * problem.latest * np.abs(jacobians)
    rounded = _event_round_off(problem, state, t, values)
    near = exact | ((np.abs(values) <= rounded) & (jacobians**2 > 2.0 * rounded * np.abs(bends)))
    near &= jacobians * bends < 0.0
    return float((-2.0 * jacobians[near] / bends[near]).min(initial=np.inf))


def _event_round_off(problem: Problem, state: np.ndarray, t: float, values: np.ndarray) -> np.ndarray:
    """Round-off of the event functions, caused by round-off of the coordinates."""
    tape = problem.event_tape
    assert tape is not None
    nq = problem.model.nq
    moved = np.repeat(state[None], nq, axis=0)
    moved[:, :nq] += EVENT_SHIFT * np.diag(state[:nq])
    rows = problem.rows(moved, np.full(nq, t))
    return EVENT_ROUND_OFF / EVENT_SHIFT * np.abs(evaluate_rows(tape, rows) - values).sum(axis=0)


def with_last_crossings(problem: Problem, steps: Steps) -> Steps:
    """The steps with the crossings on the last step, which the integrator has not searched."""
    if problem.event_tape is None:
        return steps
    before = steps.times[:-2]
    last = replace(steps, times=steps.times[-2:], coefficients=steps.coefficients[-1:])
    found, _ = with_crossings(problem, last, None)
    return replace(found, times=np.concatenate([before, found.times]), crossings=[*steps.crossings, *found.crossings],
                   coefficients=np.concatenate([steps.coefficients[:-1], found.coefficients]))  # fmt: skip
