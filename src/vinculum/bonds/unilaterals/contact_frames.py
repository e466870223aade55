"""Normal, tangents and sliding velocity at a unilateral constraint, from the views of its bodies."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from vinculum.bonds.body_view import BodyView, change_view
from vinculum.bonds.efforts import moment_of, velocity_at
from vinculum.scalars import Scalar, jacobian, substitute, symbols
from vinculum.scalars.math import abs, cross, dot, norm
from vinculum.screws import Pose, skew
from vinculum.tolerances.shapes import AXIS_OF_FRAMES

if TYPE_CHECKING:
    from vinculum.bonds.unilaterals.unilateral import Unilateral


POLE, ACROSS_POLE = np.array([0.36, 0.48, 0.8]), np.array([0.8, -0.6, 0.0])
"""A direction that no plane of the axes holds, as do those in which most bodies move, and one across it."""


def contact_frame(unilateral: "Unilateral", views: Sequence, t) -> tuple[Any, np.ndarray, np.ndarray]:
    """|∂g/∂x| of the first body, the point of contact (3,), and the normal and both tangents as rows (3, 3), world
    axes.

    The normal is the direction in which the first body moves away.
    """
    if unilateral.frame is not None:
        return unilateral.frame(*views, t=t)
    shift = symbols("shift", 3)
    first = views[0]
    moved = change_view(first, X_WB=Pose.of(first._state.X_WB.R, first._state.X_WB.p + shift))
    slope = substitute(jacobian([unilateral.gap_at([moved, *views[1:]], t)], shift)[0], shift, np.zeros(3))
    size = norm(slope)
    normal = slope / size
    along = unilateral.friction.along if unilateral.friction is not None else None
    tangent = _tangent(normal) if along is None else _nearest_tangent(along, normal)
    return size, unilateral.point_at(views, t), np.array([normal, tangent, cross(normal, tangent)], dtype=object)


def _nearest_tangent(along, normal: np.ndarray) -> np.ndarray:
    """The unit vector across a normal that is nearest to a direction."""
    across = along - dot(along, normal) * normal
    return across / norm(across)


def _tangent(normal: np.ndarray) -> np.ndarray:
    """A unit vector across a normal, smooth in it: Taylor series follow a normal that turns.

    It lies in the plane in which the normal turns, if that is a plane of the axes; else the frame is turned from `POLE` to the normal on
    the shortest way, which is smooth but at the opposite of the pole.
    """
    if not any(isinstance(x, Scalar) for x in normal):
        steep = abs(normal[0]) < AXIS_OF_FRAMES
        return _nearest_tangent(np.array([1.0, 0.0, 0.0] if steep else [0.0, 1.0, 0.0], dtype=object), normal)
    for k in (1, 0, 2):
        if not isinstance(normal[k], Scalar) and normal[k] == 0.0:
            return cross(np.eye(3)[k], normal)
    return ACROSS_POLE - dot(ACROSS_POLE, normal) / (1.0 + dot(POLE, normal)) * (POLE + normal)


def gap_covector(unilateral: "Unilateral", views: Sequence[BodyView], t) -> list[tuple[np.ndarray, np.ndarray]]:
    """Derivatives of the gap with respect to translations (3,) and rotations about the origin (3,), or deformations, of every body:
    force and moment of a unit normal force."""
    moves = [(symbols("shift", 3), symbols("turn", view._state.kinematics.count)) for view in views]
    moved = [_displaced_view(view, *move) for view, move in zip(views, moves, strict=True)]
    leaves = np.concatenate([x for move in moves for x in move])
    slopes = jacobian([unilateral.gap_at(moved, t)], leaves)[0]
    found = substitute(slopes, leaves, np.zeros(len(leaves)))
    ends = np.cumsum([0, *(3 + len(turn) for _, turn in moves)])
    return [(found[first : first + 3], found[first + 3 : last]) for first, last in pairwise(ends)]


def _displaced_view(view: BodyView, shift: np.ndarray, turn: np.ndarray) -> BodyView:
    """The view with a small displacement and rotation."""
    R = view._state.X_WB.R + _small_change(view, turn) if view._state.turns else view._state.X_WB.R
    return change_view(view, X_WB=Pose.of(R, view._state.X_WB.p + shift))


def _small_change(view: BodyView, turn: np.ndarray) -> np.ndarray:
    if view._state.kinematics.deforms:
        return view._state.kinematics.matrix_rate(view._state.X_WB.R, turn)
    return skew(turn) @ view._state.X_WB.R


def opposite(view: BodyView, other: BodyView, effort: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The opposite force and moment on another body, about its origin."""
    force = effort[0]
    return -force, -moment_of(view, effort) - cross(view.position - other.position, force)


def slip_velocity(views: Sequence[BodyView], point: np.ndarray) -> np.ndarray:
    """Sliding velocity: velocity of the first body's material point at the point of contact relative to the second's
    (or the ground's), (3,)."""
    velocity = velocity_at(views[0], point)
    return velocity - velocity_at(views[1], point) if len(views) > 1 else velocity


def relative_turn(views: Sequence[BodyView]) -> np.ndarray:
    """Angular velocity of the first body relative to the second (or the ground), (3,)."""
    turn = views[0].angular_velocity
    return turn - views[1].angular_velocity if len(views) > 1 else turn
