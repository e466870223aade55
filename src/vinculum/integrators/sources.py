"""Which integrator takes the steps of a run."""

from vinculum.integrators.event_driven.given_impulses import with_given_impulses
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.integrators.watch.passages import with_passages
from vinculum.motion.problem import Problem, StepSource


def smooth_steps(problem: Problem, limits: LimitWatch) -> StepSource:
    """The steps of a run between the impulses that are given, within the limits of its joints."""
    if problem.model.layout.impulses:
        return with_given_impulses(problem, lambda part: with_passages(part, steps_of, limits))
    return with_passages(problem, steps_of, limits)


def steps_of(problem: Problem) -> StepSource:
    """The steps of a run by its method, or by what belongs to its model."""
    name = problem.method.claims.name
    if problem.model.nq == 0:
        from vinculum.integrators.rest import rest_steps

        return rest_steps(problem)
    if problem.model.pile is not None:
        from vinculum.integrators.free_bodies.steps import pile_steps

        return pile_steps(problem)
    if problem.model.swarm is not None:
        from vinculum.integrators.pair_loop.steps import swarm_steps

        return swarm_steps(problem)
    if name == "taylor":
        from vinculum.integrators.taylor.taylor import taylor_steps

        return taylor_steps(problem)
    if name == "series":
        from vinculum.integrators.taylor.series import series_steps

        return series_steps(problem)
    if name == "idas":
        from vinculum.integrators.idas.idas import idas_steps

        return idas_steps(problem)
    if name == "dop853":
        from vinculum.integrators.dop853.dop853 import dop853_steps

        return dop853_steps(problem)
    if name == "moreau":
        from vinculum.integrators.moreau.moreau import moreau_steps

        return moreau_steps(problem)
    from vinculum.integrators.fixed_step.fixed_step import fixed_steps

    return fixed_steps(problem)
