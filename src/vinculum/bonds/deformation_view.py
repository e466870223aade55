"""What the view of a body shows of its deformation."""

from abc import ABC, abstractmethod

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.kinematics import POINT, RIGID, BodyKinematics
from vinculum.screws import Pose, skew


class DeformationView(ABC):
    """The deformation φ of a body and its rates, in world axes; that of a rigid body is its rotation."""

    X_WB: Pose
    turns: bool
    body: Body | None

    @property
    @abstractmethod
    def rotation(self) -> np.ndarray:
        """R_WB, (3, 3)."""

    @property
    @abstractmethod
    def angular_velocity(self) -> np.ndarray:
        """(3,) [rad/s], in world axes."""

    @abstractmethod
    def _motion(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        """Velocity of the origin, and what the rate of the deformation is made of."""

    @property
    def kinematics(self) -> BodyKinematics:
        """How the body carries its points."""
        if self.body is not None and self.body.mechanics.kinematics.deforms:
            return self.body.mechanics.kinematics
        return RIGID if self.turns else POINT

    @property
    def deformation(self) -> np.ndarray:
        """φ of x = r + φ a, (3, 3); of a body that does not deform its rotation."""
        return self.X_WB.R if self.kinematics.deforms else self.rotation

    @property
    def deformation_rate(self) -> np.ndarray:
        """φ̇, (3, 3) [1/s]."""
        w = self._motion("deformation_rate")[1]
        return self.kinematics.matrix_rate(self.deformation, w)

    @property
    def green_tensor(self) -> np.ndarray:
        """G = φᵀφ, (3, 3). Gołubowska (108)."""
        return self.deformation.T @ self.deformation

    @property
    def affine_velocity(self) -> np.ndarray:
        """Ω = φ̇ φ⁻¹, (3, 3) [1/s], in world axes: the gradient of the velocity. Gołubowska (98)."""
        if not self.kinematics.deforms:
            return skew(self.angular_velocity)
        return self.deformation_rate @ self.kinematics.inverse(self.deformation)

    @property
    def comoving_velocity(self) -> np.ndarray:
        """Ω̂ = φ⁻¹ φ̇, (3, 3) [1/s], in the body's own axes. Gołubowska (99)."""
        return self.kinematics.inverse(self.deformation) @ self.deformation_rate
