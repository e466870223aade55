"""A system without freedoms stays where it is."""

import numpy as np

from vinculum.motion.problem import Problem, Steps, StepSource


def rest_steps(problem: Problem) -> StepSource:
    """One step over the whole time."""
    yield Steps(np.array([problem.begin, problem.until]), np.empty((1, 0, 1)))
