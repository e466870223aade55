"""Where a body's shape stands."""

from vinculum.bodies.body import Body
from vinculum.measures.parts import Uniform
from vinculum.screws import Pose


def shape_pose(body: Body) -> Pose:
    """Where the shape stands in the body's frame: as its mass was placed, else at the origin."""
    parts = body.measure.parts if body.measure is not None else ()
    placed = [part.X for part in parts if isinstance(part, Uniform) and part.shape is body.shape]  # type: ignore[attr-defined]
    return placed[0] if len(placed) == 1 else Pose()
