"""Solids that are sums of tetrahedra."""

from abc import abstractmethod
from typing import Any

import numpy as np

from vinculum.measures.charts import Charts, simplices
from vinculum.measures.quadrature import simplex_nodes
from vinculum.measures.solids.base import Solid
from vinculum.scalars import Value
from vinculum.scalars.math import abs, norm


class DividedSolid(Solid):
    """A solid whose integrals are sums over tetrahedra; ``corners`` (n, 3) [m] span it."""

    corners: Any

    @property
    @abstractmethod
    def _tetrahedra(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners (t, 4, 3) and volumes (t,); a negative volume is taken away."""

    @property
    def volume(self) -> Value:
        return float(self._tetrahedra[1].sum())

    @property
    def center(self) -> np.ndarray:
        parts, volumes = self._tetrahedra
        return volumes @ parts.mean(1) / volumes.sum()

    @property
    def mean_square(self) -> np.ndarray:
        parts, volumes = self._tetrahedra
        center = self.center
        near = parts - center
        whole = near.sum(1)
        moments = np.einsum("t,tki,tkj->ij", volumes, near, near) + np.einsum("t,ti,tj->ij", volumes, whole, whole)
        return moments / (20.0 * volumes.sum()) + np.outer(center, center)

    def reach(self, point) -> Any:
        """As of other solids; from a point that depends on parameters, the reach of the box around the corners."""
        point = np.asarray(point)
        if point.dtype == float:
            return float(np.sqrt(((self.corners - point) ** 2).sum(1).max()))
        low, high = self.corners.min(0), self.corners.max(0)
        return norm(abs(point - 0.5 * (low + high)) + 0.5 * (high - low))

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        return simplex_nodes(*self._tetrahedra, order)

    @property
    def charts(self) -> Charts:
        return simplices(*self._tetrahedra)


def signed_volumes(parts: np.ndarray) -> np.ndarray:
    """Volumes (t,) of tetrahedra (t, 4, 3), negative where the last three corners run clockwise as seen from outside."""
    edges = parts[:, 1:] - parts[:, :1]
    return np.einsum("ti,ti->t", edges[:, 0], np.cross(edges[:, 1], edges[:, 2])) / 6.0
