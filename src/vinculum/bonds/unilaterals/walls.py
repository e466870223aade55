"""Fixed walls: half-spaces, planes, and solids."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.solids.base import Solid
from vinculum.screws import Pose
from vinculum.screws.entries import entries, shorten
from vinculum.screws.poses import frame_pose


@final
@dataclass(frozen=True, eq=False)
class HalfSpace:
    """A solid half-space: the points with ``normal`` · x ≥ ``offset`` [m] are free.

    ``normal`` (3,) is scaled to length one.

    >>> floor = vc.shapes.HalfSpace((0, 0, 1))
    """

    normal: Any
    offset: float = 0.0

    def __post_init__(self):
        _set_plane(self, "half-space")


@final
@dataclass(frozen=True, eq=False)
class TwoSidedPlane:
    """A plane ``normal`` · x = ``offset`` [m] without thickness: bodies stay on the side of their shapes' centers.

    ``normal`` (3,) is scaled to length one.
    """

    normal: Any
    offset: float = 0.0

    def __post_init__(self):
        _set_plane(self, "plane")


def _set_plane(wall, what: str) -> None:
    normal = entries(f"{what}: normal", wall.normal, (3,))
    if normal.dtype != float or not normal.any():
        raise ModelError(
            f"{what}: normal {shorten(wall.normal)} is not a direction; give three numbers that are not all zero"
        )
    offset = entries(f"{what}: offset", wall.offset, ())
    if offset.dtype != float:
        raise ModelError(f"{what}: offset {shorten(wall.offset)} must be a number [m]")
    normal = normal / np.abs(normal).max()
    object.__setattr__(wall, "normal", normal / np.linalg.norm(normal))
    object.__setattr__(wall, "offset", float(offset))


@final
@dataclass(frozen=True, eq=False)
class FixedSolid:
    """A solid fixed to the ground at ``at``: a position (3,) [m] or a `Pose`.

    >>> slab = vc.shapes.FixedSolid(vc.shapes.Box((1, 1, 0.2)), at=(0, 0, 0.1))
    """

    shape: Solid
    at: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        if not isinstance(self.shape, Solid):
            raise ModelError(
                f"fixed solid: {shorten(self.shape)} is not a solid; give a Box, Sphere, Capsule, Cylinder, Cone, Ellipsoid or "
                "Polytope of vc.shapes"
            )
        object.__setattr__(self, "at", frame_pose(self.at, "fixed solid"))

    @property
    def pose(self) -> Pose:
        return self.at
