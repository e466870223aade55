"""Drawings of models whose equations are graphs, and of tables."""

from collections.abc import Mapping
from typing import Any, final

from vinculum.motion.record import Record
from vinculum.show.by_type import DrawingOfType
from vinculum.show.drawing.bodies import Wanted, scene_of_bodies
from vinculum.show.plots.impacts import Curves, contact_panels, curves_of
from vinculum.show.plots.kinds import Asked, PlotKind
from vinculum.show.plots.of_bodies import PLOTS_OF_BODIES
from vinculum.show.plots.over_time import BodyPanels, plot_bodies
from vinculum.show.plots.panels import Panel
from vinculum.show.plots.phase import plot_phases
from vinculum.show.scene import Scene
from vinculum.show.written_out.touching import met_shapes


@final
class TreePanels(BodyPanels):
    """Coordinates and velocities; contacts where bodies have shapes."""

    def shows_coordinates(self, asked: list) -> bool:
        return True

    def curves(self, motion: Record) -> Curves:
        return curves_of(motion)

    def contact(self, motion: Record) -> list[Panel]:
        return [] if motion.model.shapes is None else contact_panels(motion)

    def hits(self, motion: Record) -> bool:
        return motion.atoms is not None and len(motion.atoms) > 0


@final
class TreeDrawing(DrawingOfType):
    """Curves over time, and bodies in space."""

    def plots(self) -> Mapping[str, PlotKind]:
        return {"time": PlotKind(_plot_over_time), "phase": PlotKind(plot_phases), **PLOTS_OF_BODIES}

    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        return scene_of_bodies(motion, wanted, met_shapes)


def _plot_over_time(motion: Record, asked: Asked) -> Any:
    return plot_bodies(motion, TreePanels(), asked)
