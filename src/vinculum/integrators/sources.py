"""Selection of the integrator of a run."""

from vinculum.integrators.by_type import STEPS
from vinculum.integrators.event_driven.given_impulses import with_given_impulses
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.integrators.watch.passages import with_passages
from vinculum.motion.problem import Problem, StepSource


def smooth_steps(problem: Problem, limits: LimitWatch) -> StepSource:
    """The steps of a run between applied impulses, within the limits of its joints."""
    if problem.model.layout.impulses:
        return with_given_impulses(problem, lambda part: with_passages(part, steps_of, limits))
    return with_passages(problem, steps_of, limits)


def steps_of(problem: Problem) -> StepSource:
    """The steps of a run, by its method or by the steps of its model type. A system without coordinates is at rest."""
    if problem.model.nq == 0:
        from vinculum.integrators.rest import rest_steps

        return rest_steps(problem)
    return STEPS.of(problem.model).steps(problem)
