"""The convex polytope: the hull of points."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.meshes.divided import DividedSolid, signed_volumes
from vinculum.scalars import Value
from vinculum.scalars.math import maximum, norm
from vinculum.screws.entries import entries, shorten
from vinculum.tolerances.shapes import FLAT_POLYTOPE


@final
@dataclass(frozen=True, eq=False)
class Polytope(DividedSolid):
    """The convex hull of ``corners`` (n, 3) [m], numbers; interior points are ignored.

    >>> round(float(vc.shapes.Polytope([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]).volume), 6)
    0.166667
    """

    corners: Any

    def __post_init__(self):
        given = entries("polytope: corners", self.corners)
        if given.ndim != 2 or given.shape[1] != 3 or given.dtype != float:
            raise ModelError(f"polytope: corners {shorten(self.corners)} must be numbers of shape (n, 3) [m]")
        object.__setattr__(self, "corners", given)
        self.check()
        kept = np.unique(self._simplices)
        corners = np.array(given[kept])
        corners.flags.writeable = False
        object.__setattr__(self, "corners", corners)
        vars(self).pop("_simplices")

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse points in one plane."""
        given = np.asarray(self.corners)
        wide = np.linalg.svd(given - given.mean(0), compute_uv=False)[-1] if len(given) > 3 else 0.0
        size = np.abs(given - given.mean(0)).max(initial=0.0)
        if len(given) < 4 or not wide > FLAT_POLYTOPE * size:
            raise ModelError(
                f"polytope: its {len(given)} corners lie in one plane, to {wide:.1e} m, so it has no volume; "
                "give at least four that do not"
            )

    @cached_property
    def _simplices(self) -> np.ndarray:
        """Triangles (t, 3) of the hull, counterclockwise from outside."""
        from scipy.spatial import ConvexHull

        hull = ConvexHull(self.corners)
        a, b, c = (self.corners[hull.simplices[:, k]] for k in range(3))
        inward = (np.cross(b - a, c - a) * hull.equations[:, :3]).sum(1) < 0.0
        return np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)

    @cached_property
    def faces(self) -> tuple[tuple[int, ...], ...]:
        """Corners of every face in order, counterclockwise from outside; triangles in one plane are one face."""
        triangles, x = self._simplices, self.corners
        normals = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
        normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        size, left, faces = np.ptp(x, axis=0).max(), list(np.argsort(-_areas(x, triangles))), []
        while left:
            n, p = normals[left[0]], x[triangles[left[0], 0]]
            flat = [
                t
                for t in left
                if np.abs((x[triangles[t]] - p) @ n).max() <= FLAT_POLYTOPE * size and normals[t] @ n > 0.0
            ]
            on = np.unique(triangles[flat])
            e = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
            away = x[on] - x[on].mean(0)
            turn = np.arctan2(away @ np.cross(n, e), away @ e)
            faces.append(tuple(int(k) for k in on[np.argsort(turn)]))
            left = [t for t in left if t not in set(flat)]
        return tuple(faces)

    @cached_property
    def _tetrahedra(self) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[override]
        """Corners (t, 4, 3) and volumes (t,) of tetrahedra that make up the polytope."""
        inner = self.corners.mean(0)
        three = self.corners[self._simplices]
        parts = np.concatenate([np.broadcast_to(inner, (len(three), 1, 3)), three], axis=1)
        return parts, signed_volumes(parts)

    def reach(self, point) -> Value:
        first, *others = (norm(corner - point) for corner in self.corners)
        for other in others:
            first = maximum(first, other)
        return first

    def levels(self, points: np.ndarray) -> np.ndarray:
        x, found = self.corners, []
        for a, b, c, *_ in self.faces:
            n = np.cross(x[b] - x[a], x[c] - x[a])
            found.append((points - x[a]) @ (n / np.linalg.norm(n)))
        return np.array(found)


def _areas(x: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    a, b, c = (x[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1)
