"""Drawings of free bodies in contact."""

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from vinculum.motion.record import Record
from vinculum.show.by_type import DrawingOfType
from vinculum.show.drawing.bodies import Wanted, scene_of_bodies
from vinculum.show.free_bodies.touching import pressing_contacts
from vinculum.show.plots.impacts import Curves, contact_panels, shown_on_logarithm
from vinculum.show.plots.kinds import Asked, PlotKind
from vinculum.show.plots.of_bodies import PLOTS_OF_BODIES
from vinculum.show.plots.over_time import BodyPanels, plot_bodies
from vinculum.show.plots.panels import Panel
from vinculum.show.scene import Scene
from vinculum.tolerances.sizes import UNILATERALS_NAMED


@final
class FreeBodiesPanels(BodyPanels):
    """Velocities of all bodies; coordinates only of the named ones."""

    def shows_coordinates(self, asked: list) -> bool:
        return bool(asked)

    def curves(self, motion: Record) -> Curves:
        return Curves(motion.time, motion.q, motion.v)

    def contact(self, motion: Record) -> list[Panel]:
        return [_speeds(motion), *contact_panels(motion)]

    def hits(self, motion: Record) -> bool:
        return True


@final
class FreeBodiesDrawing(DrawingOfType):
    """Curves over time, and pictures in space."""

    def plots(self) -> Mapping[str, PlotKind]:
        return {"time": PlotKind(_plot_over_time), **PLOTS_OF_BODIES}

    def scene(self, motion: Any, wanted: Wanted) -> Scene:
        return scene_of_bodies(motion, wanted, pressing_contacts)


def _plot_over_time(motion: Record, asked: Asked) -> Any:
    return plot_bodies(motion, FreeBodiesPanels(), asked)


def _speeds(motion: Record) -> Panel:
    """Speeds of the bodies' frames, or of many the largest and the median."""
    bodies = list(motion.model.layout.bodies)
    each = np.linalg.norm(motion.v.reshape(len(motion.time), len(bodies), 6)[:, :, :3], axis=2)
    if len(bodies) <= UNILATERALS_NAMED:
        return Panel("speed [m/s]", bodies, shown_on_logarithm(each), 1.0, None, "line", True)
    both = np.stack([each.max(axis=1), np.median(each, axis=1)], axis=1)
    return Panel("speed [m/s]", ["fastest body", "median"], shown_on_logarithm(both), 1.0, None, "line", True)
