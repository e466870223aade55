"""A solid divided into tetrahedra."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.meshes.divided import DividedSolid, signed_volumes
from vinculum.measures.meshes.reading import check_simplices
from vinculum.tolerances.shapes import FLAT_POLYTOPE
from vinculum.tolerances.sizes import MOST_INTEGRATION_POINTS, TETRAHEDRA_AT_ONCE


@final
@dataclass(frozen=True, eq=False)
class Tetrahedra(DividedSolid):
    """The union of tetrahedra that do not overlap: ``corners`` (n, 3) [m]; ``cells`` (t, 4): which corners, in any order."""

    corners: Any
    cells: Any

    def __post_init__(self):
        corners, cells = check_simplices("tetrahedra", self.corners, self.cells, 4)
        object.__setattr__(self, "corners", corners)
        object.__setattr__(self, "cells", cells)
        self.check()

    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse tetrahedra without volume."""
        parts, volumes = self._tetrahedra
        longest = np.ptp(parts, axis=1).max(1)
        flat = np.flatnonzero(~(volumes > FLAT_POLYTOPE * longest**3))
        if len(flat):
            t = int(flat[0])
            raise ModelError(
                f"tetrahedra: cell {t}, {self.cells[t].tolist()}, has the volume {volumes[t]:.1e} m³, so its corners "
                f"{parts[t].tolist()} lie in one plane; leave it out ({len(flat)} of {len(volumes)} cells are flat)"
            )

    @cached_property
    def _tetrahedra(self) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[override]
        """Corners (t, 4, 3) and volumes (t,)."""
        parts = self.corners[self.cells]
        return parts, np.abs(signed_volumes(parts))

    @property
    def surface(self) -> np.ndarray:
        """The triangles (t, 3) that belong to one tetrahedron only, counterclockwise from outside."""
        parts, _ = self._tetrahedra
        turned = signed_volumes(parts) < 0.0
        cells = np.where(turned[:, None], self.cells[:, [0, 2, 1, 3]], self.cells)
        sides = cells[:, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]].reshape(-1, 3)
        _, first, count = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
        return sides[first[count == 1]]

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        if len(self.cells) * (order // 2 + 2) ** 3 > MOST_INTEGRATION_POINTS:
            raise ModelError(
                f"tetrahedra: integrals of the degree {order} over {len(self.cells)} cells take more than {MOST_INTEGRATION_POINTS} "
                "points; ask for a lower degree, or for coarser cells"
            )
        return super().quadrature(order)

    def levels(self, points: np.ndarray) -> np.ndarray:
        """Least over the cells of what is negative in one of them: the largest of four barycentric coordinates with their signs changed."""
        parts, _ = self._tetrahedra
        inverse = np.linalg.inv(np.swapaxes(parts[:, 1:] - parts[:, :1], 1, 2))
        found = np.empty(len(points))
        at_once = max(1, TETRAHEDRA_AT_ONCE // len(parts))
        for begin in range(0, len(points), at_once):
            away = points[begin : begin + at_once, None] - parts[:, 0]
            shares = np.einsum("tij,ntj->nti", inverse, away)
            least = np.minimum(shares.min(2), 1.0 - shares.sum(2))
            found[begin : begin + at_once] = -least.max(1)
        return found[None]
