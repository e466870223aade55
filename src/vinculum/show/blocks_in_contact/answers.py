"""Drawings of blocks in contact."""

from collections.abc import Mapping
from typing import Any, final

from vinculum.motion.record import Record
from vinculum.show.by_type import DrawingOfType
from vinculum.show.drawing.bodies import Wanted, scene_of_bodies
from vinculum.show.free_bodies.touching import pressing_contacts
from vinculum.show.plots.impacts import Curves, contact_panels
from vinculum.show.plots.kinds import Asked, PlotKind
from vinculum.show.plots.of_bodies import PLOTS_OF_BODIES
from vinculum.show.plots.over_time import BodyPanels, plot_bodies
from vinculum.show.plots.panels import Panel
from vinculum.show.scene import Scene


@final
class BlockPanels(BodyPanels):
    """Contacts, residuals and penetrations; coordinates only of what is named."""

    def shows_coordinates(self, asked: list) -> bool:
        return bool(asked)

    def curves(self, motion: Record) -> Curves:
        return Curves(motion.time, motion.q, motion.v)

    def contact(self, motion: Record) -> list[Panel]:
        return contact_panels(motion)

    def hits(self, motion: Record) -> bool:
        return True


@final
class BlocksInContactDrawing(DrawingOfType):
    """Curves over time, and pictures in space."""

    def plots(self) -> Mapping[str, PlotKind]:
        return {"time": PlotKind(_plot_over_time), **PLOTS_OF_BODIES}

    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        return scene_of_bodies(motion, wanted, pressing_contacts)


def _plot_over_time(motion: Record, asked: Asked) -> Any:
    return plot_bodies(motion, BlockPanels(), asked)
