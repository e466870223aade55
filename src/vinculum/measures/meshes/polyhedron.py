"""The polyhedron: a solid inside a closed surface of triangles."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.meshes.closed import close_surface
from vinculum.measures.meshes.divided import DividedSolid, signed_volumes
from vinculum.measures.meshes.reading import check_simplices, read_triangles
from vinculum.measures.meshes.winding import winding_numbers
from vinculum.measures.quadrature import equimomental_points
from vinculum.scalars import Value
from vinculum.screws.entries import is_number, shorten
from vinculum.tolerances.shapes import FLAT_POLYTOPE
from vinculum.tolerances.sizes import LARGEST_LENGTH, MOST_INTEGRATION_POINTS, SMALLEST_LENGTH


class _Moments(NamedTuple):
    volume: float
    center: np.ndarray
    central: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Polyhedron(DividedSolid):
    """The solid inside a closed surface of triangles, convex or not, with cavities or without.

    ``corners`` (n, 3) [m]; ``triangles`` (t, 3): which corners, counterclockwise from outside. Corners that coincide are merged,
    triangles that face the wrong way are turned, and open edges are refused. Volume, center and second moment are exact sums over
    the triangles. `Polyhedron.read` takes it from a file.
    """

    corners: Any
    triangles: Any

    def __post_init__(self):
        corners, triangles = check_simplices("mesh", self.corners, self.triangles, 3)
        triangles = close_surface(corners, triangles)
        triangles.flags.writeable = False
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "triangles", triangles)
        self.check()

    @classmethod
    def read(cls, path, scale: float = 1.0) -> "Polyhedron":
        """The solid of an STL, OBJ or PLY file; ``scale``: meters per unit of the file, 0.001 for millimeters."""
        if not is_number(scale) or not scale > 0.0:
            raise ModelError(f"mesh: scale {shorten(scale)} must be a number > 0, the meters per unit of the file")
        corners, triangles = read_triangles(path)
        return cls(float(scale) * corners, triangles)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse a surface without a volume inside."""
        used = self.corners[self.triangles]
        size = float(np.ptp(used.reshape(-1, 3), axis=0).max())
        if not (SMALLEST_LENGTH < size < LARGEST_LENGTH):
            raise ModelError(
                f"mesh: it is {size:g} m wide, beyond {SMALLEST_LENGTH:g} to {LARGEST_LENGTH:g} m, so its moments are beyond the range "
                "of numbers; check its units"
            )
        if not self._moments.volume > FLAT_POLYTOPE * size**3:
            raise ModelError(
                f"mesh: its volume is {self.volume:.1e} m³ for a size of {size:g} m, so it is flat; give a thin sheet with "
                "vc.Measure.surface"
            )

    @cached_property
    def _moments(self) -> _Moments:
        """Exact moments, about a point amid the corners, where they lose the fewest digits."""
        middle = 0.5 * (self.corners.min(0) + self.corners.max(0))
        near = self.corners - middle
        a, b, c = (near[self.triangles[:, k]] for k in range(3))
        volumes = np.einsum("ti,ti->t", a, np.cross(b, c)) / 6.0
        whole = a + b + c
        volume = float(volumes.sum())
        first = volumes @ whole / (4.0 * volume)
        second = np.sum([(x * volumes[:, None]).T @ x for x in (a, b, c, whole)], axis=0) / (20.0 * volume)
        return _Moments(volume, middle + first, 0.5 * (second + second.T) - np.outer(first, first))

    @property
    def volume(self) -> Value:
        return self._moments.volume

    @property
    def center(self) -> np.ndarray:
        return self._moments.center

    @property
    def mean_square(self) -> np.ndarray:
        return self._moments.central + np.outer(self.center, self.center)

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """As of other solids. Where the solid is not star-shaped about its center, points may lie outside and weights be negative."""
        if order <= 2:
            return equimomental_points(*self._moments)
        if len(self.triangles) * (order // 2 + 2) ** 3 > MOST_INTEGRATION_POINTS:
            raise ModelError(
                f"mesh: integrals of the degree {order} over {len(self.triangles)} triangles take more than {MOST_INTEGRATION_POINTS} "
                "points; ask for degree 2, which is exact in closed form, or simplify the mesh"
            )
        return super().quadrature(order)

    @cached_property
    def _tetrahedra(self) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[override]
        """Corners (t, 4, 3) and signed volumes (t,) of the tetrahedra from the center to each triangle."""
        three = self.corners[self.triangles]
        parts = np.concatenate([np.broadcast_to(self.center, (len(three), 1, 3)), three], axis=1)
        return parts, signed_volumes(parts)

    def levels(self, points: np.ndarray) -> np.ndarray:
        return 0.5 - winding_numbers(self.corners, self.triangles, points)[None]
