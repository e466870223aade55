"""IDAS in the table of integrators."""

from vinculum.compile.tape import Tape
from vinculum.integrators.table import Integrator
from vinculum.models.model import Model
from vinculum.motion.method import IDAS
from vinculum.motion.problem import Problem, StepSource
from vinculum.tolerances.methods import IDAS_LEAST, IDAS_TOLERANCE


def _steps(problem: Problem) -> StepSource:
    from vinculum.integrators.idas.idas import idas_steps

    return idas_steps(problem)


def _check(model: Model, watched: Tape | None) -> None:
    from vinculum.integrators.idas.idas import check_idas

    check_idas(model, watched is not None)


IMPLICIT = Integrator(IDAS, _steps, tolerance=IDAS_TOLERANCE, least=IDAS_LEAST, check=_check)
