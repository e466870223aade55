"""Beginning of sliding with a jump of the acceleration, because the load distribution changes."""

from dataclasses import replace

import numpy as np

from vinculum.compile.evaluate import evaluate_again
from vinculum.integrators.event_driven.collocation import rate_jacobians
from vinculum.integrators.event_driven.first_slips import Begin
from vinculum.motion.problem import Problem
from vinculum.tolerances.event_driven import (
    BARELY,
    COLLOCATION_SHIFT,
    SMALL_SLIP,
    SUDDEN_FOUND,
    SUDDEN_HALVINGS,
    SUDDEN_ITERATIONS,
    SUDDEN_SETTLED,
)


def sudden(problem: Problem, begin: Begin) -> Begin | None:
    r"""The beginning of slips along the accelerations w right after it, if these are larger than expected; otherwise None.

    .. math:: w = a(q, v + \varepsilon w, t),\qquad \varepsilon \to 0

    For given normal forces, w minimizes a convex function. Newton's method with a line search on the residual finds it.
    """
    t, nq, touching = problem.begin, problem.model.nq, begin.touching
    rest = problem.state.copy()
    here = touching.at(t, rest)
    slips, biases = here.jacobians[begin.rows], here.biases[begin.rows]

    def rates(states: np.ndarray, times: np.ndarray) -> np.ndarray:
        return evaluate_again(problem.tape, problem.rows(states, times))

    def accelerations(velocities: np.ndarray) -> np.ndarray:
        moved = np.concatenate([rest[:nq], rest[nq:] + velocities])
        return rates(moved[None], np.array([t]))[0, nq:]

    toward = begin.give_slips(t, rest, SMALL_SLIP * touching.speed * begin.directions)[nq:] - rest[nq:]
    first = accelerations(toward)
    size = float(np.abs(slips @ first + biases).max())
    if not size > BARELY * np.abs(slips @ here.rates + biases).max():
        return None
    epsilon = SMALL_SLIP * touching.speed / size
    w = toward / epsilon
    missing = w - accelerations(epsilon * w)
    for _ in range(SUDDEN_ITERATIONS):
        shift = np.array(
            [COLLOCATION_SHIFT * epsilon * float(np.linalg.norm((slips @ w).reshape(-1, 2), axis=1).min())]
        )
        moved = np.concatenate([rest[:nq], rest[nq:] + epsilon * w])[None]
        with np.errstate(invalid="ignore", divide="ignore"):
            slope = rate_jacobians(rates, moved, np.array([t]), shift, np.arange(nq, len(rest)))[0, nq:]
        if not np.isfinite(slope).all():  # the slips are too small for difference quotients: no solution
            return None
        step = -np.linalg.lstsq(np.eye(len(w)) - epsilon * slope, missing, rcond=None)[0]
        part, before, trial = 1.0, float(missing @ missing), w
        for _ in range(SUDDEN_HALVINGS):
            trial = w + part * step
            missing = trial - accelerations(epsilon * trial)
            if missing @ missing < before:
                break
            part *= 0.5
        w = trial
        if np.abs(part * step).max() <= SUDDEN_SETTLED * np.abs(w).max():
            break
    if not np.abs(missing).max() <= SUDDEN_FOUND * np.abs(w).max():
        return None
    come = slips @ w + biases
    return replace(begin, directions=come / np.abs(come).max())
