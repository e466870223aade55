"""Rows of conditions whose Jacobian is monitored during a run."""

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.models.model import Model


class WatchedRows(ABC):
    """Rows of conditions whose Jacobian is monitored.

    ``rank``: number of independent rows. ``tape``: functions of (state, t, parameters), whose outputs ``residuals`` vanish. ``own``
    (k,): position among the residuals of the quantity that each row keeps at zero.
    """

    model: Model
    rank: int
    tape: Tape
    residuals: np.ndarray
    own: np.ndarray

    @abstractmethod
    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        """J (B, k, n) of the rows at states."""

    @abstractmethod
    def turns(self) -> np.ndarray:
        """Which columns (n,) of the Jacobian belong to rotations, while others belong to displacements; none if units are not known."""

    @abstractmethod
    def corrections(self, state: np.ndarray, t: float) -> Callable[[np.ndarray], np.ndarray]:
        """The smallest change of a state near this one that removes small residuals, as a linear function of them."""

    @abstractmethod
    def drift(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        """States (B, n) after the times ``dt``: the coordinates advance with the velocities of a state, and the velocities stay
        constant.
        """

    @abstractmethod
    def names(self) -> list[str]:
        """A name for every row."""

    @abstractmethod
    def of_constraints(self) -> np.ndarray:
        """Which rows belong to constraints, (k,); the others are gaps of closing joints."""

    @abstractmethod
    def subject(self, state: np.ndarray, t: float) -> str:
        """The rows that depend on each other at a state, as the subject of a sentence."""
