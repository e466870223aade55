"""Interface of reports to a motion, implemented for each type of model."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, final

from vinculum.models.by_type import ByType
from vinculum.show.contents import Contents
from vinculum.show.plots.panels import Panel


@final
@dataclass(frozen=True)
class Formulas:
    """Equations of motion: ``lines`` of LaTeX, and in ``words`` what they are, or why there are none."""

    words: str
    lines: tuple[str, ...] = ()


class ReportOfType(ABC):
    """What one type of model answers to a report on one of its motions."""

    time: ClassVar[str]
    """The label of the axis of time."""

    @abstractmethod
    def contents(self, motion: Any) -> list[Contents]:
        """Tables of what the system consists of."""

    @abstractmethod
    def formulas(self, motion: Any) -> Formulas:
        """The equations of motion."""

    @abstractmethod
    def energy(self, motion: Any) -> list[Panel]:
        """Energies over time."""

    @abstractmethod
    def reactions(self, motion: Any) -> list[Panel]:
        """Reactions of joints and constraints, and forces, over time."""


REPORTS = ByType[ReportOfType]("show.report")
