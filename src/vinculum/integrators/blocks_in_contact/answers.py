"""Steps of blocks in contact: time stepping over tables."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType, impulses_of_tape
from vinculum.integrators.row_limits import RowLimits
from vinculum.integrators.tabled.limits import limits_over_tables
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class BlocksInContactSteps(StepsOfType):
    """Steps of blocks, and their response to applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.blocks_in_contact.steps import block_steps

        return block_steps(problem)

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return impulses_of_tape(model, names, t, state, values)

    def answering(self, problem: Problem) -> Answering:
        from vinculum.integrators.blocks_in_contact.given_impulses import AnsweringBlocks

        return AnsweringBlocks(problem)

    def row_limits(self, model: Model) -> RowLimits | None:
        return limits_over_tables(model)
