"""What the view of a body shows of its deformation."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bonds.body_state import BodyState
from vinculum.screws import skew


@final
@dataclass(frozen=True, eq=False, repr=False)
class AffineView:
    """The deformation φ of a body and its rates, in world axes; that of a rigid body is its rotation."""

    _state: BodyState

    def __repr__(self):
        return f"<deformation of body '{self._state.name}'>"

    @property
    def deformation(self) -> np.ndarray:
        """φ of x = r + φ a, (3, 3); of a body that does not deform its rotation."""
        return self._state.X_WB.R if self._state.kinematics.deforms else self._state.rotation

    @property
    def deformation_rate(self) -> np.ndarray:
        """φ̇, (3, 3) [1/s]."""
        w = self._state.motion_for("deformation_rate")[1]
        return self._state.kinematics.matrix_rate(self.deformation, w)

    @property
    def green_tensor(self) -> np.ndarray:
        """G = φᵀφ, (3, 3). Gołubowska (108)."""
        return self.deformation.T @ self.deformation

    @property
    def affine_velocity(self) -> np.ndarray:
        """Ω = φ̇ φ⁻¹, (3, 3) [1/s], in world axes: the gradient of the velocity. Gołubowska (98)."""
        if not self._state.kinematics.deforms:
            return skew(self._state.angular_velocity)
        return self.deformation_rate @ self._state.kinematics.inverse(self.deformation)

    @property
    def comoving_velocity(self) -> np.ndarray:
        """Ω̂ = φ⁻¹ φ̇, (3, 3) [1/s], in the body's own axes. Gołubowska (99)."""
        return self._state.kinematics.inverse(self.deformation) @ self.deformation_rate
