"""The rotation of one body's frame relative to another's, and the limit at half a turn."""

from collections.abc import Sequence

import numpy as np

from vinculum.bonds.actions import Limit
from vinculum.bonds.body_view import BodyView
from vinculum.screws import Pose
from vinculum.screws.rotation_angles import half_turn_distance
from vinculum.tolerances.functions import NEAR_HALF_TURN


def relative_rotation(views: Sequence[BodyView], at: Pose, to: Pose) -> np.ndarray:
    """Y (3, 3) of the frame ``to`` of the second body relative to the frame ``at`` of the first."""
    a, b = views
    return (a.rotation @ at.R).T @ (b.rotation @ to.R)


def half_turn_limit(where: str, views: Sequence[BodyView], at: Pose, to: Pose) -> Limit:
    """The limit of a rotation angle at half a turn."""
    a, b = (view.name for view in views)
    room = half_turn_distance(relative_rotation(views, at, to)) - NEAR_HALF_TURN
    return Limit(room, f"{where}: '{b}' has turned half a turn relative to '{a}', where its "
                       "moment jumps; use a joint with stiffness for more than half a turn")  # fmt: skip
