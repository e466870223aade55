"""What the motion of a body shows of its deformation."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class AffineMotion:
    """The deformation φ of a body on the grid of a motion, in world axes; that of a rigid body is its rotation."""

    _motion: Any
    _name: str

    def __repr__(self):
        return f"deformation of body '{self._name}' on {self._motion!r}"

    @property
    def deformation(self) -> np.ndarray:
        """φ of x = r + φ a, (T, 3, 3); of a body that does not deform its rotation."""
        return self._samples("deformation" if self._deforms else "rotation")

    @property
    def deformation_rate(self) -> np.ndarray:
        """φ̇, (T, 3, 3) [1/s]."""
        if self._deforms:
            return self._samples("deformation_rate")
        w = self._motion._bodies[f"{self._name}/angular_velocity"]
        return np.cross(w[:, None], np.swapaxes(self.deformation, 1, 2)).swapaxes(1, 2)

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
        return f"{self._name}/deformation" in self._motion._bodies

    @property
    def _is_rod_like(self) -> bool:
        return self._deforms and not np.any(self.deformation[:, :, 1:])

    def _samples(self, what: str) -> np.ndarray:
        return self._motion._bodies[f"{self._name}/{what}"].reshape(-1, 3, 3)
