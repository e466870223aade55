"""The kinetics of the deformation of an affine body."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies.affine.kinematics import AffineKinematics
from vinculum.bodies.mechanics import InnerKinetics
from vinculum.screws import axial


@final
@dataclass(frozen=True, eq=False)
class AffineKinetics(InnerKinetics):
    r"""The rates of a deformation φ with the kinetic energy ½ tr(φ̇ J φ̇ᵀ); ``moment``: J (d, d). Gołubowska (103)."""

    kinematics: AffineKinematics
    moment: np.ndarray

    @property
    def inertia(self) -> np.ndarray:  # type: ignore[override]
        """M (n, n) over the free entries of φ̇, row after row."""
        return np.kron(np.eye(self.kinematics.rows), self.moment)

    def spin(self, K, w) -> np.ndarray:
        """Σ J_AB d_A × ḋ_B with the columns d of φ."""
        n = self.kinematics.dimension
        rate = self.kinematics.matrix_rate(K, w)
        return 2.0 * axial(rate[:, :n] @ self.moment @ K[:, :n].T)

    def vorticities(self, K, w) -> dict[str, tuple]:
        """The entries of φᵀφ̇J − Jφ̇ᵀφ."""
        F, rate = (self.kinematics.restrict(x) for x in (K, self.kinematics.matrix_rate(K, w)))
        momentum = rate @ self.moment
        P, size = F.T @ momentum, sum(abs(x) for x in F.ravel()) * sum(abs(x) for x in momentum.ravel())
        pairs = {3: {"x": (1, 2), "y": (2, 0), "z": (0, 1)}, 2: {"z": (0, 1)}, 1: {}}[len(P)]
        return {axis: (P[j, i] - P[i, j], size) for axis, (i, j) in pairs.items()}
