"""Interface of drawings to a motion, implemented for each type of model."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from vinculum.models.by_type import ByType
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.plots.kinds import PlotKind, draw_kind
from vinculum.show.scene import Scene


class DrawingOfType(ABC):
    """What one type of model answers to those who draw its motions."""

    @abstractmethod
    def plots(self) -> Mapping[str, PlotKind]:
        """The kinds of plots of its motions, by name; "time" is the usual one."""

    @abstractmethod
    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        """Shapes and their poses over time."""


DRAWINGS = ByType[DrawingOfType]("show")


def plot_motion(motion: Any, asked: Iterable = (), kind="time", beside=None, path=None) -> Any:
    """A plot of a motion as a Matplotlib figure: by default of the joints or coordinates ``asked`` for (all by default) over time.

    ``path`` (PNG, SVG or PDF) also writes the figure, all or nothing.
    """
    return draw_kind(motion, DRAWINGS.of(motion.model).plots(), asked, kind, beside, path)


def scene_of(motion: Any, wanted: Wanted) -> Scene:
    """Shapes of a motion and their poses over time."""
    return DRAWINGS.of(motion.model).scene(motion, wanted)
