"""Passages through places where a force jumps, such as the end of a spring with a rest length, for methods that follow series."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vinculum.motion.limits import LimitWatch
from vinculum.motion.loops import end_state
from vinculum.motion.method import DOP853, Method
from vinculum.motion.problem import Problem, StepSource

TOLERANCE = 2e-14
FIRST = 1e-9
OUT = 99.0
"""A passage is over where there is as much room again, in units of where it began."""
MOST = 80


def with_passages(problem: Problem, made: Callable[[Problem], StepSource], limits: LimitWatch) -> StepSource:
    """The steps that ``made`` gives, checked against the limits of actions.

    A series sees nothing of a jump ahead and would go on with the law of this side, so where a motion comes to a place that can be
    passed, short steps of dop853 take it across, and ``made`` goes on from there.
    """
    source: StepSource | None = made(problem)
    while source is not None:
        here, source = source, None
        for steps in here:
            found, passable = limits.checked(steps)
            if not passable:
                yield found
                continue
            here.close()  # type: ignore[attr-defined]
            yield replace(found, failure=None)
            width, last = found.coefficients.shape[2], found
            for across in _across(problem, float(found.times[-1]), end_state(found), limits):
                last = replace(across, coefficients=_widened(across.coefficients, width))
                yield last
                if last.failure or last.stopped:
                    return
            t, state = float(last.times[-1]), end_state(last)
            if problem.is_over(t):
                return
            sized = problem.sized or (problem.begin, problem.state)
            problem = replace(problem, begin=t, state=state, sized=sized)
            source = made(problem)
            break


def _across(problem: Problem, t: float, state: np.ndarray, limits: LimitWatch) -> StepSource:
    from vinculum.motion.dop853 import dop853_steps

    method = Method(DOP853, tolerance=TOLERANCE, max_step=problem.method.max_step)
    span = FIRST * (problem.until - problem.begin)
    for _ in range(MOST):
        until = min(max(t + span, np.nextafter(t, np.inf)), problem.until)
        for steps in dop853_steps(replace(problem, method=method, begin=t, state=state, until=until)):
            yield steps
            if len(steps.coefficients):
                t, state = float(steps.times[-1]), end_state(steps)
        if t >= problem.until or limits.is_clear(t, state, OUT):
            return
        span *= 2.0


def _widened(coefficients: np.ndarray, width: int) -> np.ndarray:
    """Coefficients (k, n, width) of polynomials of a lower order."""
    missing = width - coefficients.shape[2]
    return np.pad(coefficients, ((0, 0), (0, 0), (0, missing))) if missing > 0 else coefficients
