"""Drawings of Lagrangian motions."""

from collections.abc import Iterable
from typing import Any, final

from vinculum.show.by_type import DrawingOfType
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.scene import Scene


@final
class LagrangianDrawing(DrawingOfType):
    """Coordinates over time, and what the user draws of them."""

    def plot(self, motion: Any, asked: Iterable, path=None) -> Any:
        from vinculum.show.lagrangian.plot import plot_lagrangian

        return plot_lagrangian(motion, asked, path)

    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        from vinculum.show.lagrangian.scene import scene_of_points

        return scene_of_points(motion, wanted)
