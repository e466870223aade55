"""Steps of a Lagrangian model, by its method."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType
from vinculum.integrators.table import INTEGRATORS
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.lagrangian.type import is_constrained
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class LagrangianSteps(StepsOfType):
    """Steps of Lagrangian models, which have neither contacts nor applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        return INTEGRATORS[problem.method.claims.name].steps(problem)

    def watched_rows(self, problem: Problem, given=None) -> WatchedRows | None:
        from vinculum.integrators.lagrangian.rows import LagrangianRows

        return LagrangianRows(problem) if is_constrained(problem.model) else None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return np.zeros(model.nv)

    def answering(self, problem: Problem) -> Answering:
        raise NotImplementedError("nothing strikes a coordinate of a Lagrangian")

    def row_limits(self, model: Model) -> None:
        return None
