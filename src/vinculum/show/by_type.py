"""Interface of drawings to a motion, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from vinculum.errors import MethodError
from vinculum.models.by_type import ByType


class DrawingOfType(ABC):
    """What one type of model answers to those who draw its motions."""

    @abstractmethod
    def plot(self, motion: Any, asked: Iterable, path=None) -> Any:
        """Curves over time of the named joints or coordinates, or of all, as a Matplotlib figure."""

    @abstractmethod
    def picture(self, motion: Any, t: float | None, path, elevation: float, azimuth: float) -> Any:
        """Bodies in space at an instant, as a Matplotlib figure."""


DRAWINGS = ByType[DrawingOfType]("show")


def plot_motion(motion: Any, asked: Iterable = (), path=None) -> Any:
    """Curves of a motion over time: of the joints or coordinates ``asked`` for (all by default), as a Matplotlib figure.

    ``path`` (PNG, SVG or PDF) also writes the figure, all or nothing.
    """
    return DRAWINGS.of(motion.model).plot(motion, asked, path)


def picture(motion: Any, t: float | None = None, path=None, elevation: float = 22.0, azimuth: float = -60.0) -> Any:
    """Bodies with shapes at the instant ``t`` [s], the last by default, seen from two angles [degrees].

    ``path`` (PNG, SVG or PDF) also writes the figure, all or nothing. Half-spaces are drawn as a square under the bodies.
    """
    return DRAWINGS.of(motion.model).picture(motion, t, path, elevation, azimuth)


def refuse_picture(motion: Any) -> None:
    """Refuse to draw bodies whose shapes are not known."""
    raise MethodError(
        f"system '{motion.model.name}' is not made of free bodies with a vc.Contact, so its bodies are not drawn; plot() shows its "
        "coordinates"
    )
