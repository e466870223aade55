"""Drawings of Lagrangian motions."""

from collections.abc import Iterable
from typing import Any, final

from vinculum.show.by_type import DrawingOfType, refuse_picture


@final
class LagrangianDrawing(DrawingOfType):
    """Coordinates over time; there are no bodies to draw."""

    def plot(self, motion: Any, asked: Iterable, path=None) -> Any:
        from vinculum.show.lagrangian.plot import plot_lagrangian

        return plot_lagrangian(motion, asked, path)

    def picture(self, motion: Any, t: float | None, path, elevation: float, azimuth: float) -> Any:
        refuse_picture(motion)
