"""Passages through positions where a force jumps, such as zero length of a spring with a rest length."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from vinculum.compile.targets import arrays
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.integrators.watch.loops import end_state
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.iterations import PASSAGES_IN_A_ROW
from vinculum.tolerances.steps import PASSAGES_TAKE


def with_passages(problem: Problem, made: Callable[[Problem], StepSource], limits: LimitWatch) -> StepSource:
    """The steps from ``made``, checked against the limits of actions.

    A series does not see a jump of the force ahead and would continue with the law of the side where it began. If the motion comes close
    to a position that it can pass, two steps, one for each side, take it across. Then ``made`` continues from there. A motion that comes to
    rest there is not determined beyond, and ends.
    """
    source: StepSource | None = made(problem)
    shortest = PASSAGES_TAKE * (problem.until - problem.begin)
    passages: deque[float] = deque(maxlen=PASSAGES_IN_A_ROW)
    while source is not None:
        here, source = source, None
        for steps in here:
            found, passed = limits.check_steps(steps)
            if passed is None:
                yield found
                continue
            here.close()  # type: ignore[attr-defined]
            state = steps.coefficients[0, :, 0]
            if len(found.coefficients):
                yield replace(found, failure=None)
                state = end_state(found)
            passages.append(float(found.times[-1]))
            if len(passages) == PASSAGES_IN_A_ROW and passages[-1] - passages[0] < shortest:
                why = f"{found.failure}, and the motion comes to rest there, so that no side is determined"
                yield Steps(found.times[-1:], steps.coefficients[:0], failure=why)
                return
            across = _across(problem, float(found.times[-1]), state, limits, passed, steps.coefficients.shape[2])
            yield across
            t = float(across.times[-1])
            if across.stopped or problem.is_over(t):
                return
            problem = replace(problem, begin=t, state=end_state(across), sized=problem.sizes)
            source = made(problem)
            break


def _across(problem: Problem, t: float, state: np.ndarray, limits: LimitWatch, passed: int, width: int) -> Steps:
    r"""Two steps from just before a jump of the force to a little beyond it, by the midpoint rule with the law of each side.

    With the time τ that the distance takes at the present velocity, y_{n+1} = y_n + τ f(y_n + ½ τ f). The error is of third order in τ,
    and τ is about 1e-7 of all other time scales.
    """

    def rates(y: np.ndarray, at: float) -> np.ndarray:
        return arrays.evaluate(problem.tape, problem.rows(y[None], np.array([at])))[0]

    now = rates(state, t)
    tau = limits.time_to(passed, t, state, now)
    tau = max(min(tau, 0.4 * (problem.until - t)), 4.0 * float(np.spacing(t)))
    before = rates(state + 0.5 * tau * now, t + 0.5 * tau)
    middle = state + tau * before
    beyond = 1.5 * tau
    after = rates(middle + 0.5 * beyond * before, t + tau + 0.5 * beyond)
    coefficients = np.zeros((2, len(state), width))
    coefficients[0, :, 0], coefficients[0, :, 1] = state, before
    coefficients[1, :, 0], coefficients[1, :, 1] = middle, after
    steps = Steps(np.array([t, t + tau, min(t + tau + beyond, problem.until)]), coefficients)
    return with_crossings(problem, steps, None)[0] if problem.event_tape is not None else steps
