"""DOP853 in the table of integrators."""

from vinculum.integrators.table import Integrator
from vinculum.motion.method import DOP853
from vinculum.motion.problem import Problem, StepSource
from vinculum.tolerances.methods import DOP853_LEAST, DOP853_TOLERANCE


def _steps(problem: Problem) -> StepSource:
    from vinculum.integrators.dop853.dop853 import dop853_steps

    return dop853_steps(problem)


DORMAND_PRINCE = Integrator(DOP853, _steps, tolerance=DOP853_TOLERANCE, least=DOP853_LEAST, follows_contacts=True)
