"""What the motion of a body shows of its deformation."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np


class DeformationMotion(ABC):
    """The deformation φ of a body on the grid of a motion, in world axes; that of a rigid body is its rotation."""

    motion: Any
    name: str

    @property
    @abstractmethod
    def rotation(self) -> np.ndarray:
        """R_WB, (T, 3, 3)."""

    @property
    @abstractmethod
    def angular_velocity(self) -> np.ndarray:
        """Angular velocity, (T, 3) [rad/s]."""

    @property
    def deformation(self) -> np.ndarray:
        """φ of x = r + φ a, (T, 3, 3); of a body that does not deform its rotation."""
        return self._deformations("deformation").reshape(-1, 3, 3) if self._deforms else self.rotation

    @property
    def deformation_rate(self) -> np.ndarray:
        """φ̇, (T, 3, 3) [1/s]."""
        if self._deforms:
            return self._deformations("deformation_rate").reshape(-1, 3, 3)
        return np.cross(self.angular_velocity[:, None], np.swapaxes(self.rotation, 1, 2)).swapaxes(1, 2)

    @property
    def green_tensor(self) -> np.ndarray:
        """G = φᵀφ, (T, 3, 3). Gołubowska (108)."""
        return np.swapaxes(self.deformation, 1, 2) @ self.deformation

    @property
    def affine_velocity(self) -> np.ndarray:
        """Ω = φ̇ φ⁻¹, (T, 3, 3) [1/s], in world axes; φ⁻¹ is the pseudo-inverse for a flat or rod-like body. Gołubowska (98)."""
        return self.deformation_rate @ np.linalg.pinv(self.deformation)

    @property
    def comoving_velocity(self) -> np.ndarray:
        """Ω̂ = φ⁻¹ φ̇, (T, 3, 3) [1/s], in the body's own axes. Gołubowska (99)."""
        return np.linalg.pinv(self.deformation) @ self.deformation_rate

    @property
    def _deforms(self) -> bool:
        return f"{self.name}/deformation" in self.motion._bodies

    def _deformations(self, what: str) -> np.ndarray:
        return self.motion._bodies[f"{self.name}/{what}"]
