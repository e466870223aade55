"""Steps of blocks in contact: time stepping over tables."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class BlocksInContactSteps(StepsOfType):
    """Steps of blocks that have neither conditions nor applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.blocks_in_contact.steps import block_steps

        return block_steps(problem)

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return np.zeros(model.nv)

    def answering(self, problem: Problem) -> Answering:
        raise NotImplementedError("blocks in contact take no applied impulses")
