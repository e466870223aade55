"""Drawings of models whose equations are graphs, and of pair loops."""

from collections.abc import Iterable
from typing import Any, final

from vinculum.motion.record import Record
from vinculum.show.by_type import DrawingOfType, refuse_picture
from vinculum.show.impacts import Curves, Panel, contact_panels, curves_of
from vinculum.show.plots import BodyPanels, checked_path, plot_bodies


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
    """Curves over time alone."""

    def plot(self, motion: Any, asked: Iterable, path=None) -> Any:
        return plot_bodies(motion, TreePanels(), asked, path)

    def picture(self, motion: Any, t: float | None, path, elevation: float, azimuth: float) -> Any:
        if path is not None:
            checked_path(path)
        refuse_picture(motion)
