"""Moreau–Jean time stepping in the table of integrators."""

from vinculum.integrators.table import Integrator
from vinculum.motion.method import MOREAU
from vinculum.motion.problem import Problem, StepSource


def _steps(problem: Problem) -> StepSource:
    from vinculum.integrators.moreau.moreau import moreau_steps

    return moreau_steps(problem)


TIME_STEPPING = Integrator(MOREAU, _steps, follows_contacts=True)
