"""The view of a body in a user's function: the same names for floats, symbols and whole motions."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.algebra import polar_angular_velocity, polar_rotation, with_normal
from vinculum.bodies.kinematics import POINT, RIGID, BodyKinematics
from vinculum.errors import ModelError, shorten
from vinculum.scalars import vector
from vinculum.scalars.math import cross
from vinculum.screws import Pose, skew

NO_ACCELERATION = "only a constraint on accelerations knows them: give its function as acceleration="


@final
@dataclass(frozen=True, eq=False, repr=False)
class BodyView:
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
        if self.body is not None and self.body.kinematics.deforms:
            return self.body.kinematics
        return RIGID if self.turns else POINT

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

    def velocity_at(self, point) -> np.ndarray:
        """Velocity (3,) [m/s] of the body's material point that is at ``point`` in the world."""
        if not self.turns:
            return self.velocity
        if self.kinematics.deforms:
            return self.velocity + self.deformation_rate @ self.kinematics.pulled_back(self.deformation, point - self.position)
        return self.velocity + cross(self.angular_velocity, point - self.position)

    def effort_at(self, point, force) -> np.ndarray:
        """Second part of the effort of a force at a ``point`` of the world: its moment about the origin, unless the body deforms."""
        if not self.kinematics.deforms:
            return cross(point - self.position, force)
        return self.kinematics.lever(self.deformation, self.kinematics.pulled_back(self.deformation, point - self.position), force)

    def effort_of(self, p_B, force) -> np.ndarray:
        """Second part of the effort of a force at the material point ``p_B``."""
        if not self.kinematics.deforms:
            return cross(self.point(p_B) - self.position, force)
        return self.kinematics.lever(self.deformation, self._point(p_B), force)

    def couple(self, moment) -> np.ndarray:
        """Second part of the effort of a pure moment (3,); a body that deforms refuses it."""
        return self.kinematics.couple(self.name, moment)

    def moment(self, effort) -> np.ndarray:
        """Moment (3,) [N m] about the body's origin, world axes, of an effort on it."""
        return self.kinematics.moment(self.X_WB.R, effort[1])

    def moment_size(self, effort) -> Any:
        """Size [N m] of the terms of that moment, where it is made of several that may cancel."""
        return self.kinematics.moment_size(self.X_WB.R, effort[1])

    def shown(self) -> dict[str, np.ndarray]:
        """What a motion shows of the body. A rod-like body has no rotation; the identity stands in its place."""
        names = ["position", "rotation", "velocity", "angular_velocity", "center", "center_velocity"]
        kind = self.kinematics
        if not kind.deforms:
            return {what: getattr(self, what) for what in names}
        known = {"rotation": np.eye(3), "angular_velocity": np.zeros(3)} if kind.material_dimension == 1 else {}
        names += ["deformation", "deformation_rate"]
        return {what: known[what] if what in known else getattr(self, what) for what in names}

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
