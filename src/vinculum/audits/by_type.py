"""Interface of audits to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.weak_result import WeakResidual
from vinculum.models.by_type import ByType


class AuditOfType(ABC):
    """What one type of model answers to those who audit its motions."""

    @abstractmethod
    def certificate(self, motion: Any) -> Certificate:
        """Every law that is measured on a motion."""

    @abstractmethod
    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        """What the weak form leaves over on a motion, against so many test fields."""


class BalancesOfType(ABC):
    """What one type of model answers about its balances, if it has bodies that are balanced step by step."""

    @abstractmethod
    def sensitivities(
        self, motion: Any, sizes: np.ndarray, deviations: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """How far the balanced quantities (m,) move for each of the deviations (n,) of the state, and their rates for the first of them."""

    @abstractmethod
    def extent(self, L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
        """The sizes by which momenta L (B, m) of bodies and system are measured, with their signs."""

    @abstractmethod
    def body_lines(self, lines: list[Line]) -> list[Line]:
        """The lines of all bodies, as they stand in a certificate."""


AUDITS = ByType[AuditOfType]("audits")
BALANCES = ByType[BalancesOfType]("audits.balances")
