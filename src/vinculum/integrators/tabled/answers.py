"""Steps of tables: compiled loops over time and rows."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class TabledSteps(StepsOfType):
    """Steps of blocks without conditions and applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.looped.steps import looped_steps
        from vinculum.integrators.tabled.field import TableRates

        return looped_steps(problem, TableRates(problem.model, problem.parameters))

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return np.zeros(model.nv)

    def answering(self, problem: Problem) -> Answering:
        raise NotImplementedError("blocks of tables take no applied impulses")
