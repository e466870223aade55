"""Interface of integrators to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.by_type import ByType
from vinculum.models.model import Model
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.problem import Problem, StepSource


class Answering(ABC):
    """How bodies and their unilateral constraints answer to a given impulse."""

    @abstractmethod
    def after(
        self, t: float, state: np.ndarray, given: np.ndarray, held: np.ndarray | bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Velocities (nv,) after the impulse ``given`` (nv,), and the impulses (3 m,) of the unilateral constraints; ``held``: which of
        these pressed in the step before."""

    @abstractmethod
    def contact_solver(self, t: float) -> ContactSolver | None:
        """What is to be said about the last of these impulses."""


class StepsOfType(ABC):
    """What one type of model answers to integrators."""

    @abstractmethod
    def steps(self, problem: Problem) -> StepSource:
        """The steps of a run."""

    @abstractmethod
    def watched_rows(
        self, problem: Problem, given: Callable[[np.ndarray], np.ndarray] | None = None
    ) -> WatchedRows | None:
        """The rows that a run watches, None if there are none; ``given``: parameters at instants, if they change."""

    @abstractmethod
    def impulses_along(
        self, model: Model, names: list[str], t: float, state: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """The sum of the given impulses named along the velocities (nv,) for a state (n,)."""

    @abstractmethod
    def answering(self, problem: Problem) -> Answering:
        """How the model answers to given impulses."""


STEPS = ByType[StepsOfType]("integrators")
