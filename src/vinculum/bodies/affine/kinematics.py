"""How an affine body carries its points: by its deformation φ."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.affine.algebra import pseudo_inverse
from vinculum.bodies.kinematics import BodyKinematics
from vinculum.errors import ModelError
from vinculum.scalars import symbols
from vinculum.scalars.math import norm
from vinculum.screws import axial


@final
@dataclass(frozen=True)
class AffineKinematics(BodyKinematics):
    """An affine body: K is its deformation φ, and w are the rates of the entries of φ that are free.

    ``dimension``: of the body's material, 3, 2 (flat) or 1 (rod-like); ``is_planar``: flat, and it stays in the plane x-y.
    """

    dimension: int = 3
    is_planar: bool = False
    turns = True
    deforms = True

    @property
    def material_dimension(self) -> int:  # type: ignore[override]
        return self.dimension

    @property
    def rows(self) -> int:
        """Number of rows of φ that are free: the dimension of space."""
        return 2 if self.is_planar else 3

    @property
    def count(self) -> int:  # type: ignore[override]
        return self.rows * self.dimension

    def symbolic_matrix(self, name: str) -> np.ndarray:
        return self.whole(symbols(f"F of {name} ", self.count))

    def whole(self, entries) -> np.ndarray:
        """φ (3, 3) from its free entries; a flat or rod-like body has nothing along the other material axes, a planar one e_z."""
        return self._pad(entries, 1.0 if self.is_planar else 0.0)

    def restrict(self, K) -> np.ndarray:
        """φ without what is not free, (rows, dimension)."""
        return K[: self.rows, : self.dimension]

    def free_entries(self, K) -> list:
        return np.ravel(self.restrict(np.asarray(K))).tolist()

    def matrix_rate(self, K, w) -> np.ndarray:
        return self._pad(w, 0.0)

    def gradient(self, P, K) -> np.ndarray:
        return np.array(self.free_entries(P), dtype=object)

    def moment(self, K, m) -> np.ndarray:
        return 2.0 * axial(self._pad(m, 0.0) @ K.T)

    def moment_size(self, K, m) -> Any:
        return sum(abs(x) for x in self.free_entries(K)) * sum(abs(x) for x in m)

    def lever(self, K, p_B, force) -> np.ndarray:
        return np.array([force[i] * p_B[k] for i in range(self.rows) for k in range(self.dimension)], dtype=object)

    def couple(self, name: str, moment) -> np.ndarray:
        if np.asarray(moment).dtype == object or np.any(np.asarray(moment)):
            raise ModelError(
                f"body '{name}' deforms, so a pure moment does not say which of its points it acts on; give forces at points of it, such "
                "as a pair of opposite ones"
            )
        return np.zeros(self.count)

    def inverse(self, K) -> np.ndarray:
        """φ⁻¹ (3, 3), or the pseudo-inverse of a flat or rod-like body."""
        found = pseudo_inverse(self.restrict(K))
        result = np.zeros((3, 3), dtype=object)
        result[: self.dimension, : self.rows] = found
        if self.is_planar:
            result[2, 2] = 1.0
        return result

    def ball_end(self, K, n) -> np.ndarray:
        """φφᵀ n / |φᵀ n|: the ball has become an ellipsoid."""
        return K @ (K.T @ n) / norm(K.T @ n)

    def _pad(self, entries, corner: float) -> np.ndarray:
        entries = np.asarray(entries)
        result = np.zeros((3, 3), dtype=entries.dtype)
        result[: self.rows, : self.dimension] = entries.reshape(self.rows, self.dimension)
        if self.is_planar:
            result[2, 2] = corner
        return result
