"""Views of bodies relative to another body, in its frame."""

import numpy as np

from vinculum.bonds.body_view import BodyView, change_view
from vinculum.scalars.math import cross
from vinculum.screws import Pose, skew


def relative_view(body: BodyView, pivot: BodyView) -> BodyView:
    r"""A body relative to a pivot with a rotation: positions and their rates in the pivot's frame.

    .. math:: y = Q_p^T (x - x_p),\qquad Y = Q_p^T Q,\qquad \dot y = Q_p^T\big(v - v_p - \omega_p\times(x - x_p)\big),\qquad
        Q_p^T(\omega - \omega_p)

    None of these notices a rigid motion of everything. O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of
    Rigid Bodies and Particles, (11)–(13).
    """
    R = pivot.rotation.T
    arm = body.position - pivot.position
    X = Pose.of(R @ body._state.X_WB.R if body._state.turns else np.eye(3), R @ arm)
    if isinstance(body._state.motion, str) or isinstance(pivot._state.motion, str):
        reason = body._state.motion if isinstance(body._state.motion, str) else pivot._state.motion
        return change_view(body, X_WB=X, motion=reason)
    (v, w), (v_p, w_p) = body._state.motion, pivot._state.motion
    if body._state.kinematics.deforms:
        rate = R @ (body.affine.deformation_rate - skew(w_p) @ body.affine.deformation)
        w = np.array(body._state.kinematics.free_entries(rate), dtype=object)
        return change_view(body, X_WB=X, motion=(R @ (v - v_p - cross(w_p, arm)), w))
    return change_view(body, X_WB=X, motion=(R @ (v - v_p - cross(w_p, arm)), R @ (w - w_p)))
