"""Gaps of spheres and capsules among each other, and of spheres with boxes: functions of the positions, for runs from event to event.

A sphere is a capsule whose axis has no length. The gap of two capsules is the distance of the nearest points of their axes without their
radii. Its slopes are continuous but where the axes become parallel: there the nearest point jumps from one end to the other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.shape_pose import shape_pose
from vinculum.measures.solids.elementary import Capsule, Sphere
from vinculum.scalars.math import maximum, minimum, norm
from vinculum.screws import Pose
from vinculum.tolerances.shapes import PARALLEL_EDGES_SQUARED

Axis = tuple[Any, Any, float]
"""The middle of an axis, its unit direction and half its length."""
Functions = tuple[Callable, Callable]
"""A gap and the contact point, as functions of bodies."""


class Round(NamedTuple):
    """A sphere or capsule: its radius, and its axis as a function of a body."""

    radius: Any
    axis: Callable[[Any], Axis]


def round_of(body: Body) -> Round | None:
    """A body's sphere or capsule; None if it has another shape."""
    shape = getattr(body, "shape", None)
    if not isinstance(shape, (Sphere, Capsule)):
        return None
    pose, half = shape_pose(body), _half(shape)
    return Round(shape.radius, lambda b: (b.point(pose.p), b._state.X_WB.R @ pose.R[:, 2], half))


def fixed_round(shape: Any, pose: Pose) -> Round | None:
    """A fixed sphere or capsule; None for other shapes."""
    if not isinstance(shape, (Sphere, Capsule)):
        return None
    axis = pose.p, pose.R[:, 2], _half(shape)
    return Round(shape.radius, lambda _: axis)


def _half(shape: Sphere | Capsule) -> Any:
    return 0.5 * shape.length if isinstance(shape, Capsule) else 0.0


def between_rounds(one: Round, other: Round) -> Functions:
    """Gap and contact point of two rounds. Functions of one body get a fixed round as the ``other``."""

    def ends(*bodies):
        return nearest_points(one.axis(bodies[0]), other.axis(bodies[-1]))

    def gap(*bodies):
        a, b = ends(*bodies)
        return norm(a - b) - one.radius - other.radius

    def point(*bodies):
        a, b = ends(*bodies)
        return a - one.radius * (a - b) / norm(a - b)

    return gap, point


def ball_on_box(ball: Round, size: np.ndarray, pose: Pose) -> Functions:
    """Gap and contact point of a sphere and a fixed box, whose nearest point has the coordinates of the center as far as the sides go."""

    def offset(b):
        """From the nearest point of the box to the center, in the box's axes, and the center."""
        center = ball.axis(b)[0]
        local = pose.R.T @ (center - pose.p)
        within = [minimum(maximum(x, -0.5 * s), 0.5 * s) for x, s in zip(local, size, strict=True)]
        return local - np.array(within), center

    def point(b):
        d, center = offset(b)
        return center - ball.radius * (pose.R @ d) / norm(d)

    return lambda b: norm(offset(b)[0]) - ball.radius, point


def nearest_points(one: Axis, other: Axis) -> tuple[Any, Any]:
    """The nearest points (3,) of two segments, of which either may be a point.

    Ericson, Real-Time Collision Detection, 5.1.9: the nearest points of both lines, moved onto the segments one after the other. Of
    parallel segments it is one of the nearest pairs.
    """
    (p, u, half), (q, w, reach) = one, other
    d = q - p
    if half == 0.0 and reach == 0.0:
        return p, q
    if half == 0.0:
        return p, q + _within(-(w @ d), reach) * w
    if reach == 0.0:
        return p + _within(u @ d, half) * u, q
    k, on_u, on_w = u @ w, u @ d, w @ d
    s = _within((on_u - k * on_w) / maximum(1.0 - k * k, PARALLEL_EDGES_SQUARED), half)
    t = _within(k * s - on_w, reach)
    s = _within(k * t + on_u, half)
    return p + s * u, q + t * w


def _within(x: Any, half: Any) -> Any:
    return minimum(maximum(x, -half), half)
