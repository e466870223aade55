"""Pose of a body's shape."""

from vinculum.bodies.body import Body
from vinculum.measures.parts import Uniform
from vinculum.measures.polytope import Polytope
from vinculum.screws import Pose


def shape_pose(body: Body) -> Pose:
    """Where the shape's center and axes stand in the body's frame: as its mass was placed, else at the origin."""
    parts = body.measure.parts if body.measure is not None else ()
    placed = [part.X for part in parts if isinstance(part, Uniform) and part.shape is body.shape]  # type: ignore[attr-defined]
    return center_pose(placed[0] if len(placed) == 1 else Pose(), body.shape)  # type: ignore[attr-defined]


def center_pose(pose: Pose, shape) -> Pose:
    """The pose moved to the center of a polytope; solids of other kinds stand about their frames."""
    return pose @ Pose(shape.center) if isinstance(shape, Polytope) else pose
