"""Interface of audits to a model, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from vinculum.audits.certificate import Certificate, Line
from vinculum.audits.weak_result import WeakResidual
from vinculum.models.by_type import ByType


class AuditOfType(ABC):
    """Audits of the motions of one type of model."""

    @abstractmethod
    def certificate(self, motion: Any) -> Certificate:
        """The certificate of a motion: every law of this type of model."""

    @abstractmethod
    def weak_residual(self, motion: Any, fields: int, seed: int) -> WeakResidual:
        """Residual of the weak form on a motion for ``fields`` random test fields."""


class Sides(NamedTuple):
    """Instants (K,) of impulses, states (K, n) before and after each, and applied impulses (K, nv) along the velocities."""

    times: np.ndarray
    left: np.ndarray
    right: np.ndarray
    given: np.ndarray


class BalancesOfType(ABC):
    """Balances of one type of model, if its bodies are balanced step by step."""

    @abstractmethod
    def sensitivities(
        self, motion: Any, sizes: np.ndarray, deviations: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], np.ndarray]:
        """Changes of the balanced quantities (m,) for each of the deviations (n,) of the state, and of their rates for the first one."""

    @abstractmethod
    def extent(self, L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
        """The values, with their signs, from which the scales of the momenta L (B, m) of bodies and system follow."""

    @abstractmethod
    def sides(self, motion: Any) -> Sides | None:
        """Both sides of all impulses of a motion; None without any, or if they are not known."""

    @abstractmethod
    def constraint_impulses(self, motion: Any) -> tuple[np.ndarray, dict[str, np.ndarray]] | None:
        """Instants (K,) of all impulses of a motion, and what joints (K, 6) and constraints (K, rows) transmit in them, by name, as far as
        this type of model knows it; None without impulses, or if they are not known."""

    @abstractmethod
    def body_lines(self, lines: list[Line]) -> list[Line]:
        """The lines of all bodies, as a certificate shows them."""


AUDITS = ByType[AuditOfType]("audits")
BALANCES = ByType[BalancesOfType]("audits.balances")
