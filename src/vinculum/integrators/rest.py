"""A system without degrees of freedom is at rest or moves as prescribed."""

import math

import numpy as np

from vinculum.integrators.watch.crossings import with_crossings
from vinculum.models.conditions.gaps import gaps_at
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.constraints import REST_TORN
from vinculum.tolerances.samples import FEWEST_STEPS_AT_REST

CHUNK_OF_REST = 4096


def rest_steps(problem: Problem) -> StepSource:
    """One step over the whole run; several steps if bodies are prescribed or events depend on time."""
    driven = bool(problem.model.layout.prescribed)
    if problem.event_tape is None and not driven:
        yield Steps(np.array([problem.begin, problem.until]), np.empty((1, 0, 1)))
        return
    span = problem.until - problem.begin
    longest = min(problem.method.step or math.inf, problem.method.max_step or math.inf, span / FEWEST_STEPS_AT_REST)
    count, signs = math.ceil(span / longest), None
    for first in range(0, count, CHUNK_OF_REST):
        edges = np.arange(first, min(first + CHUNK_OF_REST, count) + 1)
        times = problem.begin + span * (edges / count)
        chunk = Steps(times, np.empty((len(edges) - 1, 0, 1)))
        if problem.model.layout.gaps:
            chunk = _until_torn(problem, chunk)
        if problem.event_tape is not None:
            chunk, signs = with_crossings(problem, chunk, signs)
        yield chunk
        if chunk.stopped or chunk.failure:
            return


def _until_torn(problem: Problem, steps: Steps) -> Steps:
    """The steps until prescribed bodies pull a closing joint apart."""
    nothing = np.empty((len(steps.times), 0))
    gaps = np.abs(gaps_at(problem.model, nothing, steps.times, problem.parameters).values).max(axis=1, initial=0.0)
    if not np.any(gaps > REST_TORN):
        return steps
    k = max(int(np.argmax(gaps > REST_TORN)), 1)
    told = f"the prescribed bodies pull the loops apart at t = {steps.times[k]:.9g} s; change their motion"
    return Steps(steps.times[: k + 1], steps.coefficients[:k], [], [], told)
