"""The view of a body in a user's function: the same names for floats, symbols and whole motions."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.algebra import polar_angular_velocity, polar_rotation, with_normal
from vinculum.bonds.deformation_view import DeformationView
from vinculum.errors import ModelError, shorten
from vinculum.scalars import vector
from vinculum.scalars.math import cross
from vinculum.screws import Pose

NO_ACCELERATION = "only a constraint on accelerations knows them: give its function as acceleration="


@final
@dataclass(frozen=True, eq=False, repr=False)
class BodyView(DeformationView):
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
    def position(self) -> np.ndarray:
        """The body's origin, (3,) [m]."""
        return self.X_WB.p

    @property
    def rotation(self) -> np.ndarray:
        """R_WB, (3, 3); of a body that deforms the rotation of its polar decomposition."""
        if self.kinematics.deforms:
            return polar_rotation(self._solid()[0])
        if not self.turns:
            raise ModelError(
                f"body '{self.name}' is a mass point and has no rotation; use its position, or make it a vc.RigidBody"
            )
        return self.X_WB.R

    @property
    def center(self) -> np.ndarray:
        """The mass center, (3,) [m]."""
        if self.kinematics.deforms:
            return self.point(self.com)
        return self.X_WB.apply(self.com) if self.turns else self.X_WB.p

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the body's origin, (3,) [m/s]."""
        return self._motion("velocity")[0]

    @property
    def center_velocity(self) -> np.ndarray:
        """Velocity of the mass center, (3,) [m/s]."""
        v, w = self._motion("center_velocity")
        if self.kinematics.deforms:
            return self.point_velocity(self.com)
        return v + cross(w, self.center - self.position) if self.turns else v

    @property
    def angular_velocity(self) -> np.ndarray:
        """(3,) [rad/s], in world axes; of a body that deforms that of its `rotation`."""
        w = self._motion("angular_velocity")[1]
        if self.kinematics.deforms:
            F, F_dot = self._solid(moving=True)
            return polar_angular_velocity(F, F_dot, polar_rotation(F))
        if not self.turns:
            raise ModelError(f"body '{self.name}' is a mass point and has no angular velocity; use its velocity")
        return w

    @property
    def acceleration(self) -> np.ndarray:
        """Acceleration of the body's origin, (3,) [m/s²]."""
        return self._motion_rate("acceleration")[0]

    @property
    def center_acceleration(self) -> np.ndarray:
        """Acceleration of the mass center, (3,) [m/s²]."""
        self._motion_rate("center_acceleration")
        if self.kinematics.deforms:
            return self.point_acceleration(self.com)
        return self._carried_acceleration(self.center - self.position) if self.turns else self.acceleration

    @property
    def angular_acceleration(self) -> np.ndarray:
        """(3,) [rad/s²], in world axes."""
        alpha = self._motion_rate("angular_acceleration")[1]
        if self.kinematics.deforms:
            raise ModelError(
                f"body '{self.name}' deforms, and the rate of its angular velocity is not available; use point_acceleration(p)"
            )
        if not self.turns:
            raise ModelError(
                f"body '{self.name}' is a mass point and has no angular acceleration; use its acceleration"
            )
        return alpha

    def point(self, p_B) -> np.ndarray:
        """World position of the material point ``p_B``, given in the body's own frame."""
        p = self._point(p_B)
        if self.kinematics.deforms:
            return self.position if _is_zero(p) else self.position + self.X_WB.R @ p
        return self.position if _is_zero(p) else self.position + self.rotation @ p

    def point_velocity(self, p_B) -> np.ndarray:
        """Velocity of the material point ``p_B``, given in the body's own frame, (3,) [m/s]."""
        p = self._point(p_B)
        if self.kinematics.deforms:
            return self.velocity if _is_zero(p) else self.velocity + self.deformation_rate @ p
        return self.velocity if _is_zero(p) else self.velocity + cross(self.angular_velocity, self.rotation @ p)

    def point_acceleration(self, p_B) -> np.ndarray:
        """Acceleration of the material point ``p_B``, given in the body's own frame, (3,) [m/s²]."""
        p = self._point(p_B)
        if self.kinematics.deforms:
            second = self.kinematics.matrix_rate(self.X_WB.R, self._motion_rate("point_acceleration")[1])
            return self.acceleration if _is_zero(p) else self.acceleration + second @ p
        return self.acceleration if _is_zero(p) else self._carried_acceleration(self.rotation @ p)

    def __repr__(self):
        return f"<body '{self.name}'>"

    def __getattr__(self, what: str):
        numbers = object.__getattribute__(self, "numbers") or {}
        if what in numbers:
            return numbers[what]
        raise AttributeError(
            f"a body has no {what!r} here: it has position, rotation, center, point(p), deformation, mass, name, velocity, "
            f"center_velocity, angular_velocity, deformation_rate and point_velocity(p){', ' * bool(numbers)}{', '.join(numbers)}"
            f"{'' if isinstance(self.motion_rate, str) else ', and the same with acceleration for velocity'}"
        )

    def _solid(self, moving: bool = False) -> tuple[np.ndarray, Any]:
        """The deformation in three dimensions and its rate: that of a flat body is continued along its normal."""
        F, F_dot = self.deformation, self.deformation_rate if moving else None
        rank = self.kinematics.material_dimension
        if rank == 1:
            raise ModelError(f"body '{self.name}' is rod-like and has no rotation; use its deformation")
        if rank == 3 or self.kinematics.is_planar:
            return F, F_dot
        return with_normal(F[:, :2], None if F_dot is None else F_dot[:, :2])

    def _point(self, p_B) -> np.ndarray:
        p = vector(p_B)
        if p.shape != (3,):
            raise ModelError(
                f"point {shorten(p_B)} of body '{self.name}' has shape {p.shape}; give three numbers [m] in the body's own frame"
            )
        return p

    def _motion(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        if isinstance(self.motion, str):
            raise ModelError(f"{what} of body '{self.name}' is not available here: {self.motion}")
        return self.motion

    def _motion_rate(self, what: str) -> tuple[np.ndarray, np.ndarray]:
        if isinstance(self.motion_rate, str):
            raise ModelError(f"{what} of body '{self.name}' is not available here: {self.motion_rate}")
        return self.motion_rate

    def _carried_acceleration(self, arm) -> np.ndarray:
        """Acceleration of a body-fixed point at ``arm`` from its origin, in world axes: v̇ + ω̇ × r + ω × (ω × r)."""
        w = self.angular_velocity
        return self.acceleration + cross(self.angular_acceleration, arm) + cross(w, cross(w, arm))


def _is_zero(p: np.ndarray) -> bool:
    return p.dtype != object and not p.any()
