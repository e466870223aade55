"""Steps of free bodies in contact: time stepping in a compiled loop."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering, StepsOfType
from vinculum.models.model import Model
from vinculum.motion.problem import Problem, StepSource


@final
class FreeBodiesSteps(StepsOfType):
    """Steps of free bodies in contact, which have neither graphs nor monitored rows."""

    def steps(self, problem: Problem) -> StepSource:
        from vinculum.integrators.free_bodies.steps import free_bodies_steps

        return free_bodies_steps(problem)

    def watched_rows(self, problem: Problem, given=None) -> None:
        return None

    def impulses_along(self, model: Model, names: list[str], t: float, state, values) -> np.ndarray:
        from vinculum.integrators.free_bodies.given_impulses import impulses_on_free_bodies

        return impulses_on_free_bodies(model, names, t, state)

    def answering(self, problem: Problem) -> Answering:
        from vinculum.integrators.free_bodies.given_impulses import AnsweringFreeBodies

        return AnsweringFreeBodies(problem)

    def row_limits(self, model: Model) -> None:
        return None
