"""Drawings of Lagrangian motions."""

from collections.abc import Mapping
from typing import Any, final

from vinculum.show.by_type import DrawingOfType
from vinculum.show.drawing.bodies import Wanted
from vinculum.show.plots.kinds import PlotKind
from vinculum.show.scene import Scene


@final
class LagrangianDrawing(DrawingOfType):
    """Coordinates over time, and what the user draws of them."""

    def plots(self) -> Mapping[str, PlotKind]:
        from vinculum.show.lagrangian import plot

        return {
            "time": PlotKind(plot.plot_lagrangian),
            "phase": PlotKind(plot.plot_lagrangian_phases),
            "path": PlotKind(plot.plot_lagrangian_path),
            "energy": PlotKind(plot.plot_lagrangian_energy),
        }

    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        from vinculum.show.lagrangian.scene import scene_of_points

        return scene_of_points(motion, wanted)
