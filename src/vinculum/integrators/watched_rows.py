"""Rows of conditions whose Jacobian is monitored during a run."""

from abc import ABC, abstractmethod

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.models.model import Model


class WatchedRows(ABC):
    """``rank``: how many rows are independent; ``tape``: functions of (state, t, parameters), of which the outputs ``residuals`` vanish;
    ``own`` (k,): places among them of what each row keeps at zero."""

    model: Model
    rank: int
    tape: Tape
    residuals: np.ndarray
    own: np.ndarray

    @abstractmethod
    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        """J (B, k, n) of the rows at states."""

    @abstractmethod
    def correction(self, state: np.ndarray, t: float, found: np.ndarray) -> np.ndarray:
        """The least change of a state that takes the small residuals ``found`` away."""

    @abstractmethod
    def drift(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        """States (B, n) whose coordinates go on from a state for some times with its velocities, which stay."""

    @abstractmethod
    def names(self) -> list[str]:
        """Every row in words."""

    @abstractmethod
    def of_constraints(self) -> np.ndarray:
        """Which rows belong to constraints, (k,); the others are gaps of closing joints."""

    @abstractmethod
    def subject(self, state: np.ndarray, t: float) -> str:
        """The rows that depend on each other at a state, as the subject of a sentence."""
