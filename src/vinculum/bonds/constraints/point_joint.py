"""A joint at a body that deforms, which has no frames that a joint could keep: a constraint on the positions of two points."""

from functools import partial

import numpy as np

from vinculum.bodies import Body
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import DAlembert
from vinculum.bonds.joints import Joint
from vinculum.bonds.joints.joint import compliance_of
from vinculum.errors import ModelError
from vinculum.scalars import Scalar, depends_on, symbols
from vinculum.screws import Pose


def joint_constraint(joint: Joint, parent: Body | None, child: Body) -> Constraint | None:
    """The constraint that stands for a joint at a body that deforms; None where neither of its bodies does."""
    deforming = [body for body in (parent, child) if body is not None and body.mechanics.kinematics.deforms]
    if not deforming:
        return None
    where, name = f"joint '{joint.name}'", deforming[0].name
    turn, place = symbols("R", 9).reshape(3, 3), symbols("p", 3)
    gaps = [x for _, x in joint.kind.gaps(Pose.of(turn, place))]
    if not gaps or depends_on(gaps, turn.ravel()):
        what = "keeps the attitudes of its bodies" if gaps else "keeps nothing"
        raise ModelError(
            f"{where} is a {type(joint).__name__} and {what}, but '{name}' deforms and has no frame; join one of its points with "
            "vc.Spherical, or write a vc.Constraint of several of its points"
        )
    if compliance_of(joint).acts:
        raise ModelError(
            f"{where}: '{name}' deforms, so the joint has no coordinates for its spring, damper or drive; leave them "
            "out, and add a vc.Spring "
            "or vc.Damper between points"
        )
    ends = [joint.parent, joint.child]
    return Constraint(joint.name, ends, position=partial(_gaps, joint), realization=DAlembert())


def _gaps(joint: Joint, parent: BodyView, child: BodyView) -> np.ndarray:
    """The gaps of the joint in the axes of the parent's joint frame, or of the world where the parent deforms."""
    offset = child.point(joint.to.p) - parent.point(joint.at.p)
    axes = joint.at.R if parent._state.kinematics.deforms else parent.rotation @ joint.at.R
    found = [x for _, x in joint.kind.gaps(Pose.of(np.eye(3), axes.T @ offset))]
    return np.array([x for x in found if isinstance(x, Scalar)], dtype=object)
