"""Methods with a fixed step in the table of integrators."""

from vinculum.integrators.table import Integrator
from vinculum.motion.method import MIDPOINT, RK4, VERLET
from vinculum.motion.problem import Problem, StepSource


def _steps(problem: Problem) -> StepSource:
    from vinculum.integrators.fixed_step.fixed_step import fixed_steps

    return fixed_steps(problem)


FIXED_STEP = tuple(Integrator(claims, _steps) for claims in (RK4, VERLET, MIDPOINT))
