"""Views of bodies relative to another body, in its frame."""

from dataclasses import replace

import numpy as np

from vinculum.bonds.body_view import BodyView
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
    X = Pose.of(R @ body.X_WB.R if body.turns else np.eye(3), R @ arm)
    if isinstance(body.motion, str) or isinstance(pivot.motion, str):
        reason = body.motion if isinstance(body.motion, str) else pivot.motion
        return replace(body, X_WB=X, motion=reason)
    (v, w), (v_p, w_p) = body.motion, pivot.motion
    if body.kinematics.deforms:
        rate = R @ (body.deformation_rate - skew(w_p) @ body.deformation)
        w = np.array(body.kinematics.free_entries(rate), dtype=object)
        return replace(body, X_WB=X, motion=(R @ (v - v_p - cross(w_p, arm)), w))
    return replace(body, X_WB=X, motion=(R @ (v - v_p - cross(w_p, arm)), R @ (w - w_p)))
