"""Views of bodies relative to a base, and efforts that were found there."""

from typing import Any

import numpy as np

from vinculum.bodies import GROUND
from vinculum.bonds.body_view import BodyView, change_view, make_view
from vinculum.bonds.efforts import Effort
from vinculum.measures.frames import ChangeOfFrame
from vinculum.screws import Pose


def base_view(frame: ChangeOfFrame, t) -> BodyView:
    """The view of the old frame, from the new one at its instant ``t``."""
    place = frame.place + (t - frame.later) * frame.velocity
    return make_view("base", 0.0, Pose.of(frame.rotation, place), np.zeros(3), (frame.velocity, np.zeros(3)))


def old_ground() -> BodyView:
    """The view of the base relative to itself."""
    return make_view(GROUND, 0.0, Pose.of(np.eye(3), np.zeros(3)), np.zeros(3), (np.zeros(3), np.zeros(3)))


def relative_view(view: Any, base: BodyView) -> Any:
    r"""The view of a body relative to a base that does not turn; a joint is seen alike from everywhere.

    .. math:: x = R^T(x' - x'_0),\qquad K = R^T K',\qquad v = R^T(v' - u)
    """
    if not isinstance(view, BodyView):
        return view
    R, K = base._state.X_WB.R, view._state.X_WB.R
    turned = R.T @ K if view._state.turns else K
    motion, rate = view._state.motion, view._state.motion_rate
    if not isinstance(motion, str):
        assert not isinstance(base._state.motion, str)
        motion = R.T @ (motion[0] - base._state.motion[0]), _turn_numbers(view, R.T, motion[1])
    if not isinstance(rate, str):
        rate = R.T @ rate[0], _turn_numbers(view, R.T, rate[1])
    return change_view(
        view, X_WB=Pose.of(turned, R.T @ (view._state.X_WB.p - base._state.X_WB.p)), motion=motion, motion_rate=rate
    )


def effort_from_base(view: BodyView, base: BodyView, effort: Effort) -> Effort:
    """An effort on a body in world axes, from the same effort relative to the base."""
    R = base._state.X_WB.R
    return R @ effort[0], _turn_numbers(view, R, effort[1])


def _turn_numbers(view: BodyView, R, numbers) -> np.ndarray:
    """The numbers of a motion, or what has power with them, turned by R: those of a body that deforms are entries of a matrix."""
    kind = view._state.kinematics
    if not kind.deforms:
        return R @ numbers
    return np.array(kind.free_entries(R @ kind.matrix_rate(view._state.X_WB.R, numbers)), dtype=object)
