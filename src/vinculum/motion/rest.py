"""A system without freedoms stays where it is, while the clock goes on."""

import math

import numpy as np

from vinculum.motion.crossings import with_crossings
from vinculum.motion.problem import Problem, Steps, StepSource

FEWEST_STEPS = 1000
LARGEST_CHUNK = 4096


def rest_steps(problem: Problem) -> StepSource:
    """One step over the whole time; where events look at the clock, as many as their signs need to be seen."""
    if problem.event_tape is None:
        yield Steps(np.array([problem.begin, problem.until]), np.empty((1, 0, 1)))
        return
    span = problem.until - problem.begin
    longest = min(problem.method.step or math.inf, problem.method.max_step or math.inf, span / FEWEST_STEPS)
    count, signs = math.ceil(span / longest), None
    for first in range(0, count, LARGEST_CHUNK):
        edges = np.arange(first, min(first + LARGEST_CHUNK, count) + 1)
        times = problem.begin + span * (edges / count)
        chunk, signs = with_crossings(problem, Steps(times, np.empty((len(edges) - 1, 0, 1))), signs)
        yield chunk
        if chunk.stopped:
            return
