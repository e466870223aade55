"""Steps of a pair loop: compiled loops over time and pairs."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class PairLoopSteps(StepsOfType):
    """Steps of free points, which have no conditions and refuse applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.looped.steps import looped_steps
        from vinculum.integrators.pair_loop.field import PairRates

        return looped_steps(problem, PairRates(problem.model, problem.parameters))

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return np.zeros(model.nv)

    def answering(self, problem: Problem) -> Answering:
        raise NotImplementedError("points of a pair loop take no applied impulses")

    def row_limits(self, model: Model) -> None:
        return None
