"""What the view of a body is made of: pose, motion and kinematics at one instant."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.kinematics import POINT, RIGID, BodyKinematics
from vinculum.errors import ModelError
from vinculum.screws import Pose

NO_ACCELERATION = "only a constraint on accelerations knows them: give its function as acceleration="


@final
@dataclass(frozen=True, eq=False, repr=False)
class BodyState:
    """A body at one instant, in world axes; ``name`` and ``mass`` are the body's own.

    ``X_WB``: its origin and the matrix that carries its points, a rotation unless it deforms. ``turns``: whether it has a rotation.
    ``motion``: velocity of its origin and angular velocity (or the rates of its deformation), or the reason why
    they are not available. ``numbers``: additional numbers of a bond for each of its bodies, such as a charge, as
    attributes. ``body``: the described body, None for the ground. ``motion_rate``: acceleration of its origin and
    angular acceleration, or the reason why they are not available.
    """

    name: str
    mass: Any
    X_WB: Pose
    com: np.ndarray
    motion: tuple[np.ndarray, np.ndarray] | str
    turns: bool = True
    numbers: Any = None
    body: Body | None = None
    motion_rate: tuple[np.ndarray, np.ndarray] | str = NO_ACCELERATION

    @property
    def kinematics(self) -> BodyKinematics:
        """How the body carries its points."""
        if self.body is not None and self.body.mechanics.kinematics.deforms:
            return self.body.mechanics.kinematics
        return RIGID if self.turns else POINT

    @property
    def rotation(self) -> np.ndarray:
        """R_WB of a body that does not deform, (3, 3)."""
        if not self.turns:
            raise ModelError(
                f"body '{self.name}' is a mass point and has no rotation; use its position, or make it a vc.RigidBody"
            )
        return self.X_WB.R

    @property
    def angular_velocity(self) -> np.ndarray:
        """Of a body that does not deform, (3,) [rad/s]."""
        w = self.motion_for("angular_velocity")[1]
        if not self.turns:
            raise ModelError(f"body '{self.name}' is a mass point and has no angular velocity; use its velocity")
        return w

    def motion_for(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        """The motion, or an error that says why ``what`` is not available."""
        if isinstance(self.motion, str):
            raise ModelError(f"{what} of body '{self.name}' is not available here: {self.motion}")
        return self.motion

    def motion_rate_for(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        """The rate of the motion, or an error that says why ``what`` is not available."""
        if isinstance(self.motion_rate, str):
            raise ModelError(f"{what} of body '{self.name}' is not available here: {self.motion_rate}")
        return self.motion_rate
