"""Steps of a model whose equations are graphs, by its method."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType, impulses_of_tape
from vinculum.integrators.table import INTEGRATORS
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class WrittenOutSteps(StepsOfType):
    """Steps of models with graphs: every integrator can use their tapes."""

    def steps(self, problem: Problem) -> StepSource:
        return INTEGRATORS[problem.method.claims.name].steps(problem)

    def watched_rows(self, problem: Problem, given=None) -> WatchedRows | None:
        from vinculum.integrators.watch.tree_rows import TreeRows

        layout = problem.model.layout
        return TreeRows(problem, given) if layout.gaps and layout.rank > 0 else None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        return impulses_of_tape(model, names, t, state, values)

    def answering(self, problem: Problem) -> Answering:
        from vinculum.integrators.event_driven.answering import AnsweringContacts

        return AnsweringContacts(problem)

    def row_limits(self, model: Model) -> None:
        return None
