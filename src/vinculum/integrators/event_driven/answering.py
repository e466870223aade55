"""Response of touching unilateral constraints to an applied impulse."""

from typing import final

import numpy as np

from vinculum.integrators.by_type import Answering
from vinculum.integrators.event_driven.touching import Touching
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.problem import Problem


@final
class AnsweringContacts(Answering):
    """Response by an impact at the same instant, which follows the laws of the unilateral constraints."""

    def __init__(self, problem: Problem):
        self._model = problem.model
        self._touching = Touching(problem.model, problem.parameters) if problem.model.nv else None

    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        v = state[self._model.nq :]
        if self._touching is None:
            return v, np.zeros(3 * len(self._model.layout.unilaterals))
        found = self._touching.after_impact(self._touching.at(t, state), v, 0.0, given, held)
        assert found is not None
        return found

    def contact_solver(self, t: float) -> ContactSolver | None:
        return None if self._touching is None else self._touching.contact_solver(t) or None

    def meetings(self) -> None:
        return None
