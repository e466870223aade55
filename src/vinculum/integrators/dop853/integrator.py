"""DOP853 in the table of integrators."""

from vinculum.integrators.table import Integrator
from vinculum.motion.method import DOP853
from vinculum.motion.problem import Problem, StepSource


def _steps(problem: Problem) -> StepSource:
    from vinculum.integrators.dop853.dop853 import dop853_steps

    return dop853_steps(problem)


DORMAND_PRINCE = Integrator(DOP853, _steps, tolerance=2e-14, least=1e-15, follows_contacts=True)
