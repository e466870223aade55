"""`Corners`: material points of a body that meet walls."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import entries, shorten


@final
@dataclass(frozen=True, eq=False)
class Corners:
    """Material points of a body that meet the planes of a `Contact`, as the corners of a plate or the ends of a rod do.

    ``points`` (n, 3) [m] in the body's own frame; (n, 2) for a flat and (n, 1) for a rod-like body. They have no inside, so they do not
    meet other bodies. The whole of a flat convex plate, or of a straight rod, is above a plane if its corners are.

    >>> plate = vc.shapes.Corners([(0.1, 0.1), (-0.1, 0.1), (-0.1, -0.1), (0.1, -0.1)])
    """

    points: Any

    def __post_init__(self):
        points = entries("corners: points", self.points)
        if points.dtype != float or points.ndim != 2 or not len(points) or points.shape[1] not in (1, 2, 3):
            raise ModelError(
                f"corners: points {shorten(self.points)} must be numbers of shape (n, 3) [m], or (n, 2) for a flat and (n, 1) for a "
                "rod-like body"
            )
        whole = np.zeros((len(points), 3))
        whole[:, : points.shape[1]] = points
        whole.flags.writeable = False
        object.__setattr__(self, "points", whole)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Numbers need no further check."""
