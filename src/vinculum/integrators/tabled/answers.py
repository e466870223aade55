"""Steps of tables: compiled loops over time and rows."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType, impulses_of_tape
from vinculum.integrators.row_limits import RowLimits
from vinculum.integrators.tabled.limits import limits_over_tables
from vinculum.models.model import Model
from vinculum.models.tabled.type import tabled_in
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.problem import Problem, StepSource


@final
class TabledSteps(StepsOfType):
    """Steps of blocks, and their response to applied impulses."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.tabled.field import TableRates
        from vinculum.integrators.tabled.steps import steps_over_tables

        return steps_over_tables(problem, TableRates(problem.model, problem.parameters))

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return impulses_of_tape(model, names, t, state, values)

    def answering(self, problem: Problem) -> Answering:
        return AnsweringTables(problem.model, problem.parameters)

    def row_limits(self, model: Model) -> RowLimits | None:
        return limits_over_tables(model)


@final
class AnsweringTables(Answering):
    """Response of blocks and of the conditions between them; nothing is in contact."""

    def __init__(self, model: Model, values: np.ndarray):
        self._model, self._values = model, values

    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        from vinculum.models.tabled.projection import velocities_after

        found = velocities_after(self._model, tabled_in(self._model), state[None], t, self._values, given[None])
        return found[0], np.zeros(0)

    def contact_solver(self, t: float) -> ContactSolver | None:
        return None

    def meetings(self) -> None:
        return None
