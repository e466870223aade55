"""The view of a body in a user's function: the same names for floats, symbols and whole motions."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.algebra import polar_angular_velocity, polar_rotation, with_normal
from vinculum.bonds.affine_view import AffineView
from vinculum.bonds.body_state import NO_ACCELERATION, BodyState
from vinculum.errors import ModelError, shorten
from vinculum.scalars import vector
from vinculum.scalars.math import cross
from vinculum.screws import Pose


@final
@dataclass(frozen=True, eq=False, repr=False)
class BodyView:
    """A body at one instant, in world axes. Velocities are there where the function may depend on them, accelerations in constraints on
    accelerations."""

    _state: BodyState

    @property
    def name(self) -> str:
        """The body's name."""
        return self._state.name

    @property
    def mass(self) -> Any:
        """The body's mass [kg]."""
        return self._state.mass

    @property
    def position(self) -> np.ndarray:
        """The body's origin, (3,) [m]."""
        return self._state.X_WB.p

    @property
    def rotation(self) -> np.ndarray:
        """R_WB, (3, 3); of a body that deforms the rotation of its polar decomposition."""
        return polar_rotation(self._solid()[0]) if self._deforms else self._state.rotation

    @property
    def affine(self) -> AffineView:
        """Its deformation and the rates of it."""
        return AffineView(self._state)

    @property
    def center(self) -> np.ndarray:
        """The mass center, (3,) [m]."""
        state = self._state
        if self._deforms:
            return self.point(state.com)
        return state.X_WB.apply(state.com) if state.turns else state.X_WB.p

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the body's origin, (3,) [m/s]."""
        return self._state.motion_for("velocity")[0]

    @property
    def center_velocity(self) -> np.ndarray:
        """Velocity of the mass center, (3,) [m/s]."""
        v, w = self._state.motion_for("center_velocity")
        if self._deforms:
            return self.point_velocity(self._state.com)
        return v + cross(w, self.center - self.position) if self._state.turns else v

    @property
    def angular_velocity(self) -> np.ndarray:
        """(3,) [rad/s], in world axes; of a body that deforms that of its `rotation`."""
        self._state.motion_for("angular_velocity")
        if self._deforms:
            F, F_dot = self._solid(moving=True)
            return polar_angular_velocity(F, F_dot, polar_rotation(F))
        return self._state.angular_velocity

    @property
    def acceleration(self) -> np.ndarray:
        """Acceleration of the body's origin, (3,) [m/s²]."""
        return self._state.motion_rate_for("acceleration")[0]

    @property
    def center_acceleration(self) -> np.ndarray:
        """Acceleration of the mass center, (3,) [m/s²]."""
        self._state.motion_rate_for("center_acceleration")
        if self._deforms:
            return self.point_acceleration(self._state.com)
        return self._carried_acceleration(self.center - self.position) if self._state.turns else self.acceleration

    @property
    def angular_acceleration(self) -> np.ndarray:
        """(3,) [rad/s²], in world axes."""
        alpha = self._state.motion_rate_for("angular_acceleration")[1]
        if self._deforms:
            raise ModelError(
                f"body '{self.name}' deforms, and the rate of its angular velocity is not available; use point_acceleration(p)"
            )
        if not self._state.turns:
            raise ModelError(
                f"body '{self.name}' is a mass point and has no angular acceleration; use its acceleration"
            )
        return alpha

    def point(self, p_B) -> np.ndarray:
        """World position of the material point ``p_B``, given in the body's own frame."""
        p = self._point(p_B)
        if self._deforms:
            return self.position if _is_zero(p) else self.position + self._state.X_WB.R @ p
        return self.position if _is_zero(p) else self.position + self.rotation @ p

    def point_velocity(self, p_B) -> np.ndarray:
        """Velocity of the material point ``p_B``, given in the body's own frame, (3,) [m/s]."""
        p = self._point(p_B)
        if self._deforms:
            return self.velocity if _is_zero(p) else self.velocity + self.affine.deformation_rate @ p
        return self.velocity if _is_zero(p) else self.velocity + cross(self.angular_velocity, self.rotation @ p)

    def point_acceleration(self, p_B) -> np.ndarray:
        """Acceleration of the material point ``p_B``, given in the body's own frame, (3,) [m/s²]."""
        p, state = self._point(p_B), self._state
        if self._deforms:
            second = state.kinematics.matrix_rate(state.X_WB.R, state.motion_rate_for("point_acceleration")[1])
            return self.acceleration if _is_zero(p) else self.acceleration + second @ p
        return self.acceleration if _is_zero(p) else self._carried_acceleration(self.rotation @ p)

    def __repr__(self):
        return f"<body '{self.name}'>"

    def __getattr__(self, what: str):
        state = object.__getattribute__(self, "_state")
        numbers = state.numbers or {}
        if what in numbers:
            return numbers[what]
        raise AttributeError(
            f"a body has no {what!r} here: it has position, rotation, center, point(p), affine, mass, name, velocity, "
            f"center_velocity, angular_velocity and point_velocity(p){', ' * bool(numbers)}{', '.join(numbers)}"
            f"{'' if isinstance(state.motion_rate, str) else ', and the same with acceleration for velocity'}"
        )

    @property
    def _deforms(self) -> bool:
        return self._state.kinematics.deforms

    def _solid(self, moving: bool = False) -> tuple[np.ndarray, Any]:
        """The deformation in three dimensions and its rate: that of a flat body is continued along its normal."""
        F, F_dot = self.affine.deformation, self.affine.deformation_rate if moving else None
        rank = self._state.kinematics.material_dimension
        if rank == 1:
            raise ModelError(f"body '{self.name}' is rod-like and has no rotation; use its affine.deformation")
        if rank == 3 or self._state.kinematics.is_planar:
            return F, F_dot
        return with_normal(F[:, :2], None if F_dot is None else F_dot[:, :2])

    def _point(self, p_B) -> np.ndarray:
        p = vector(p_B)
        if p.shape != (3,):
            raise ModelError(
                f"point {shorten(p_B)} of body '{self.name}' has shape {p.shape}; give three numbers [m] in the body's own frame"
            )
        return p

    def _carried_acceleration(self, arm) -> np.ndarray:
        """Acceleration of a body-fixed point at ``arm`` from its origin, in world axes: v̇ + ω̇ × r + ω × (ω × r)."""
        w = self.angular_velocity
        return self.acceleration + cross(self.angular_acceleration, arm) + cross(w, cross(w, arm))


def make_view(
    name: str,
    mass,
    X_WB: Pose,
    com: np.ndarray,
    motion: tuple[np.ndarray, np.ndarray] | str,
    turns: bool = True,
    numbers=None,
    body: Body | None = None,
) -> BodyView:
    """The view of a body without accelerations, from the fields of `BodyState`."""
    return BodyView(BodyState(name, mass, X_WB, com, motion, turns, numbers, body, NO_ACCELERATION))


def change_view(view: BodyView, **changes) -> BodyView:
    """The same view with other fields of its `BodyState`."""
    return BodyView(replace(view._state, **changes))


def _is_zero(p: np.ndarray) -> bool:
    return p.dtype != object and not p.any()
