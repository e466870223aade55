"""Fixed surfaces of triangles with an outer side."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import entries, shorten
from vinculum.screws.poses import frame_pose
from vinculum.tolerances.shapes import FLAT_TRIANGLE


@final
@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of triangles fixed to the ground.

    ``corners`` (n, 3) [m]; ``triangles`` (t, 3): which corners, counterclockwise from outside.

    ``at``: a position or a `Pose`. The mesh may be open, and more than two triangles may share an edge; coinciding
    corners are merged.
    """

    corners: Any
    triangles: Any
    at: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        corners = entries("mesh: corners", self.corners)
        if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype != float:
            raise ModelError(f"mesh: corners {shorten(self.corners)} must be numbers of shape (n, 3) [m]")
        triangles = np.asarray(self.triangles)
        if triangles.ndim != 2 or triangles.shape[1] != 3 or not len(triangles) or triangles.dtype.kind not in "iu":
            raise ModelError(
                f"mesh: triangles {shorten(self.triangles)} must be whole numbers of shape (t, 3), t ≥ 1, which name corners"
            )
        out = np.any((triangles < 0) | (triangles >= len(corners)), axis=1)
        if out.any():
            t = int(np.argmax(out))
            raise ModelError(
                f"mesh: triangle {t} is {triangles[t].tolist()}, but there are corners 0 to {len(corners) - 1}; count corners from 0"
            )
        pose = frame_pose(self.at, "mesh")
        places, which = np.unique(corners, axis=0, return_inverse=True)
        triangles = which.reshape(-1)[triangles].astype(np.int64)
        _check_areas(places, triangles)
        _check_sides(triangles)
        object.__setattr__(self, "corners", places)
        object.__setattr__(self, "triangles", triangles)
        object.__setattr__(self, "at", pose)

    @property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners in the world and triangles."""
        return np.asarray(self.at.apply(self.corners), dtype=float), self.triangles


@final
@dataclass(frozen=True, eq=False)
class HeightField:
    """Terrain of heights z = ``heights`` (nx, ny) [m] on a grid with ``spacing`` [m] (one number, or along x and along
    y), solid below.

    The entry (0, 0) is at ``at``, a position or a `Pose`. Every square of the grid is divided into two triangles.
    """

    heights: Any
    spacing: Any
    at: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        heights = entries("height field: heights", self.heights)
        if heights.ndim != 2 or min(heights.shape) < 2 or heights.dtype != float:
            raise ModelError(
                f"height field: heights have shape {heights.shape}; give numbers on a grid of at least 2 × 2 [m]"
            )
        spacing = entries("height field: spacing", self.spacing, (), (2,))
        if spacing.dtype != float or not np.all(spacing > 0.0):
            raise ModelError(f"height field: spacing {shorten(self.spacing)} must be one or two lengths > 0 [m]")
        object.__setattr__(self, "heights", heights)
        object.__setattr__(self, "spacing", np.broadcast_to(spacing, 2))
        object.__setattr__(self, "at", frame_pose(self.at, "height field"))

    @property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners in the world and triangles."""
        nx, ny = self.heights.shape
        i, j = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
        corners = np.stack([self.spacing[0] * i, self.spacing[1] * j, self.heights], axis=-1).reshape(-1, 3)
        a = (i[:-1, :-1] * ny + j[:-1, :-1]).ravel()
        squares = [np.stack([a, a + ny, a + ny + 1], axis=1), np.stack([a, a + ny + 1, a + 1], axis=1)]
        return np.asarray(self.at.apply(corners), dtype=float), np.stack(squares, axis=1).reshape(-1, 3)


def _check_areas(corners: np.ndarray, triangles: np.ndarray) -> None:
    a, b, c = (corners[triangles[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    size = np.maximum(np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1)) ** 2
    flat = ~(area > FLAT_TRIANGLE * size)
    if flat.any():
        t = int(np.argmax(flat))
        raise ModelError(
            f"mesh: triangle {t} has area {area[t]:.1e} m², so it has no normal; leave it out, or mend its corners "
            f"{corners[triangles[t]].tolist()}"
        )


def _check_sides(triangles: np.ndarray) -> None:
    """Refuse two triangles with a common edge and opposite outer sides."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    _, first, repeats = np.unique(np.sort(triangles, axis=1), axis=0, return_inverse=True, return_counts=True)
    twins = np.flatnonzero(repeats[first.reshape(-1)] > 1)
    for a, b in pairwise(twins):
        if any(np.array_equal(triangles[a], np.roll(triangles[b], k)) for k in range(3)):
            raise ModelError(f"mesh: triangles {int(a)} and {int(b)} are the same; leave one out")
    _, which, times = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True)
    _, inverse, counts = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
    turned = (counts[inverse.reshape(-1)] == 2) & (times[which.reshape(-1)] == 2)
    if turned.any():
        k = int(np.argmax(turned))
        pair = np.flatnonzero(inverse.reshape(-1) == inverse.reshape(-1)[k]) % len(triangles)
        raise ModelError(
            f"mesh: triangles {int(pair[0])} and {int(pair[1])} share an edge but have opposite outer sides; swap two corners of one"
        )
