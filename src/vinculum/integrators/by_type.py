"""Interface of integrators to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.integrators.row_limits import RowLimits
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.by_type import ByType
from vinculum.models.model import Model
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.problem import Problem, StepSource


class Answering(ABC):
    """Response of bodies and their unilateral constraints to an applied impulse."""

    @abstractmethod
    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Velocities (nv,) after the applied impulse ``given`` (nv,), and the impulses (3 m,) of the unilateral constraints.

        ``held``: which of these were active in the step before.
        """

    @abstractmethod
    def contact_solver(self, t: float) -> ContactSolver | None:
        """Statistics of the contact solver for the last response; None if it was not used."""

    @abstractmethod
    def meetings(self) -> Meetings | None:
        """The contacts of shapes that answered last, as those of one instant; None if shapes do not answer."""


class StepsOfType(ABC):
    """What integrators need to know of one type of model."""

    @abstractmethod
    def steps(self, problem: Problem) -> StepSource:
        """The steps of a run."""

    @abstractmethod
    def watched_rows(
        self, problem: Problem, given: Callable[[np.ndarray], np.ndarray] | None = None
    ) -> WatchedRows | None:
        """The rows that are monitored during a run, None if there are none; ``given``: parameters as a function of time, if they change."""

    @abstractmethod
    def impulses_along(
        self, model: Model, names: list[str], t: float, state: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """Generalized impulse (nv,): the sum of the named applied impulses for a state (n,)."""

    @abstractmethod
    def answering(self, problem: Problem) -> Answering:
        """Response of the model to applied impulses."""

    @abstractmethod
    def row_limits(self, model: Model) -> RowLimits | None:
        """Where the laws of rows of bonds and bodies end that are not graphs; None without such."""


STEPS = ByType[StepsOfType]("integrators")


def impulses_of_tape(model: Model, names: list[str], t: float, state: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Generalized impulse (nv,): the sum of the named applied impulses, from the tape of impulses."""
    found = evaluate_groups(model.tape("impulses"), np.concatenate([state, [t], values])[None])
    return sum((found[f"{name}/along"][0] for name in names), np.zeros(model.nv))
