"""Interface of commands to a description."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from vinculum.models.model import Model


@final
@dataclass(frozen=True)
class Asked:
    """Options of `derive`: file, form, LaTeX only, path of C code, seconds of simplification, JSON."""

    model: Path
    form: str
    as_latex: bool
    c: Path | None
    seconds: float
    as_json: bool


class Described(ABC):
    """What is described: bodies, or a Lagrangian."""

    @abstractmethod
    def facts(self, path: Path, file: Any) -> dict[str, Any]:
        """What a model file holds."""

    @abstractmethod
    def stored_facts(self, model: Model) -> dict[str, Any]:
        """What the model of a stored run holds."""

    @abstractmethod
    def curves(self, system: Any) -> tuple[str, list[str], list[str]]:
        """What can be plotted: the word for it, names, and names of what closes a loop and has no coordinates."""

    @abstractmethod
    def stored_curves(self, model: Model) -> tuple[str, list[str], list[str]]:
        """The same for a stored run."""

    @abstractmethod
    def print_equations(self, system: Any, asked: Asked) -> None:
        """Print the equations of motion."""

    @abstractmethod
    def invariance(self, path: Path, system: Any) -> Any:
        """The report on the invariance of energies and joints."""
