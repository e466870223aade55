"""Efforts on a body from forces and moments at its points, and what is recorded of a body."""

from typing import Any

import numpy as np

from vinculum.bonds.body_view import BodyView
from vinculum.scalars.math import cross

Effort = tuple[np.ndarray, np.ndarray]
"""Force and moment at a body's origin, (3,) each, in world axes; on a body that deforms the second part is what the rates of its
deformation have power with."""


def velocity_at(view: BodyView, point) -> np.ndarray:
    """Velocity (3,) [m/s] of the body's material point that is at ``point`` in the world."""
    if not view._state.turns:
        return view.velocity
    arm = point - view.position
    if view._state.kinematics.deforms:
        return view.velocity + view.affine.deformation_rate @ view._state.kinematics.pulled_back(
            view.affine.deformation, arm
        )
    return view.velocity + cross(view.angular_velocity, arm)


def effort_at(view: BodyView, point, force) -> np.ndarray:
    """Second part of the effort of a force at a ``point`` of the world: its moment about the origin, unless the body deforms."""
    arm = point - view.position
    if not view._state.kinematics.deforms:
        return cross(arm, force)
    return view._state.kinematics.lever(
        view.affine.deformation, view._state.kinematics.pulled_back(view.affine.deformation, arm), force
    )


def effort_of(view: BodyView, p_B, force) -> np.ndarray:
    """Second part of the effort of a force at the material point ``p_B``."""
    if not view._state.kinematics.deforms:
        return cross(view.point(p_B) - view.position, force)
    return view._state.kinematics.lever(view.affine.deformation, p_B, force)


def couple(view: BodyView, moment) -> np.ndarray:
    """Second part of the effort of a pure moment (3,); a body that deforms refuses it."""
    return view._state.kinematics.couple(view.name, moment)


def moment_of(view: BodyView, effort: Effort) -> np.ndarray:
    """Moment (3,) [N m] about the body's origin, world axes, of an effort on it."""
    return view._state.kinematics.moment(view._state.X_WB.R, effort[1])


def moment_size(view: BodyView, effort: Effort) -> Any:
    """Size [N m] of the terms of that moment, where it is made of several that may cancel."""
    return view._state.kinematics.moment_size(view._state.X_WB.R, effort[1])


def quantities_of(view: BodyView) -> dict[str, np.ndarray]:
    """What a motion shows of the body. A rod-like body has no rotation; the identity stands in its place."""
    names = ["position", "rotation", "velocity", "angular_velocity", "center", "center_velocity"]
    kind = view._state.kinematics
    if not kind.deforms:
        return {what: getattr(view, what) for what in names}
    known = {"rotation": np.eye(3), "angular_velocity": np.zeros(3)} if kind.material_dimension == 1 else {}
    found = {what: known[what] if what in known else getattr(view, what) for what in names}
    return found | {"deformation": view.affine.deformation, "deformation_rate": view.affine.deformation_rate}
