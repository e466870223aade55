"""Regions to which measures are restricted."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.solids.base import Solid
from vinculum.scalars import value
from vinculum.screws import Pose
from vinculum.screws.entries import from_function


@final
@dataclass(frozen=True, eq=False)
class Region:
    """Points x with all levels ≤ 0. ``shape``: a solid, or a function b of positions (n, 3) that returns (n,); ``X``: its pose."""

    shape: Any
    X: Pose

    @classmethod
    def of(cls, given: "Solid | Callable", X: Pose) -> "Region":
        """The region of a solid or a function at a pose."""
        if not isinstance(given, Solid) and (isinstance(given, type) or not callable(given)):
            raise ModelError(
                f"measure: {shorten(given)} is no region; give a solid of vc.shapes, or a function b of positions (n, 3) that is "
                "negative inside, as lambda x: x[:, 2]"
            )
        return cls(given, X)

    def transform(self, X: Pose) -> "Region":
        """The region carried along by the pose X."""
        return Region(self.shape, X @ self.X)

    def levels(self, points: np.ndarray) -> np.ndarray:
        """Functions of points (n, 3), (f, n), all negative inside."""
        R, p = (np.asarray(value(x), dtype=float) for x in (self.X.R, self.X.p))
        local = (points - p) @ R
        if isinstance(self.shape, Solid):
            return self.shape.levels(local)
        found = from_function("measure: the function of a region", self.shape, local)
        if found.shape != (len(points),) or not np.isfinite(found).all():
            raise ModelError(
                f"measure: the function of a region gives shape {found.shape} or numbers that are not finite for positions of shape "
                f"{local.shape}; return one finite number for each, negative inside"
            )
        return found[None]


def all_levels(regions: tuple[Region, ...]) -> Callable[[np.ndarray], np.ndarray] | None:
    """The levels of all regions together; None without regions."""
    if not regions:
        return None
    return lambda points: np.concatenate([one.levels(points) for one in regions])
