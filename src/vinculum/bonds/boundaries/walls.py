"""What stands still and may be hit: half-spaces, and solids fixed to the ground."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.solid import Solid
from vinculum.screws import Pose
from vinculum.screws.entries import entries, shortened
from vinculum.screws.poses import frame_pose


@final
@dataclass(frozen=True, eq=False)
class HalfSpace:
    """The places where ``normal`` · x ≥ ``offset`` [m] are free; what lies beyond the plane is solid.

    ``normal`` (3,) is scaled to length one.
    """

    normal: Any
    offset: float = 0.0

    def __post_init__(self):
        normal = entries("half-space: normal", self.normal, (3,))
        if normal.dtype != float or not np.linalg.norm(normal) > 0.0:
            raise ModelError(f"half-space: normal {shortened(self.normal)} is no direction; give three numbers")
        offset = entries("half-space: offset", self.offset, ())
        if offset.dtype != float:
            raise ModelError(f"half-space: offset {shortened(self.offset)} must be a number [m]")
        object.__setattr__(self, "normal", normal / np.linalg.norm(normal))
        object.__setattr__(self, "offset", float(offset))


@final
@dataclass(frozen=True, eq=False)
class Wall:
    """A solid fixed to the ground, placed by ``at``: a position (3,) [m] or a `Pose`."""

    shape: Solid
    at: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        if not isinstance(self.shape, Solid):
            raise ModelError(f"wall: {shortened(self.shape)} is no solid; give a vc.Box, vc.Sphere or vc.Capsule")
        object.__setattr__(self, "at", frame_pose(self.at, "wall"))

    @property
    def pose(self) -> Pose:
        return self.at
