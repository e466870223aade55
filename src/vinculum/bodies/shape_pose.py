"""Pose of a body's shape, and its axes in contact."""

from vinculum.bodies.body import Body
from vinculum.measures.meshes.polytope import Polytope
from vinculum.measures.solids.elementary import Cone, Ellipsoid
from vinculum.scalars.math import maximum
from vinculum.screws import Pose


def shape_pose(body: Body) -> Pose:
    """Pose of the shape's center and axes in the body's frame: that of its mass, otherwise at the origin."""
    parts = body.measure.parts if body.measure is not None else ()
    looks = [look for part in parts if (look := part.drawn) is not None]
    placed = [look.X for look in looks if look.shape is body.shape]  # type: ignore[attr-defined]
    return center_pose(placed[0] if len(placed) == 1 else Pose(), body.shape)  # type: ignore[attr-defined]


def center_pose(pose: Pose, shape) -> Pose:
    """The pose shifted to the center of a polytope; other solids are centered at their frames."""
    return pose @ Pose(shape.center) if isinstance(shape, Polytope) else pose


def shape_frame(body: Body) -> Pose:
    """The shape's center and axes in the body's frame, as contact knows them: the axes of an ellipsoid have its proportions."""
    return contact_frame(shape_pose(body), body.shape)  # type: ignore[attr-defined]


def contact_frame(pose: Pose, shape) -> Pose:
    """The pose shifted to the mass center of a cone. The axes of an ellipsoid are as long as its semiaxes, of which the longest has length
    one; other shapes have unit axes."""
    if isinstance(shape, Cone):
        return pose @ Pose(shape.center)
    if not isinstance(shape, Ellipsoid):
        return pose
    return Pose.of(pose.R * (shape.semiaxes / longest_semiaxis(shape)), pose.p)


def longest_semiaxis(shape: Ellipsoid):
    """The radius [m] of the sphere about an ellipsoid."""
    a, b, c = shape.semiaxes
    return maximum(a, maximum(b, c))


def reach_of_shape(body: Body):
    """Largest distance [m] of a point of a body's shape from the body's origin."""
    shape, origin = body.shape, shape_pose(body).inverse().p  # type: ignore[attr-defined]
    return shape.reach(origin + shape.center if isinstance(shape, Polytope) else origin)
