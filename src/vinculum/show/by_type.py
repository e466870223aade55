"""Interface of drawings to a motion, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from vinculum.models.by_type import ByType
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.scene import Scene


class DrawingOfType(ABC):
    """What one type of model answers to those who draw its motions."""

    @abstractmethod
    def plot(self, motion: Any, asked: Iterable, path=None) -> Any:
        """Curves over time of the named joints or coordinates, or of all, as a Matplotlib figure."""

    @abstractmethod
    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        """Shapes and their poses over time."""


DRAWINGS = ByType[DrawingOfType]("show")


def plot_motion(motion: Any, asked: Iterable = (), path=None) -> Any:
    """Curves of a motion over time: of the joints or coordinates ``asked`` for (all by default), as a Matplotlib figure.

    ``path`` (PNG, SVG or PDF) also writes the figure, all or nothing.
    """
    return DRAWINGS.of(motion.model).plot(motion, asked, path)


def scene_of(motion: Any, wanted: Wanted) -> Scene:
    """Shapes of a motion and their poses over time."""
    return DRAWINGS.of(motion.model).scene(motion, wanted)
