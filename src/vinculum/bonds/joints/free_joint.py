"""The joint of a body that nothing carries."""

from vinculum.bodies import GROUND, Body
from vinculum.bonds.joints.affine import Deforming
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.several_axes import Translation
from vinculum.bonds.joints.turning import Free


def free_joint(body: Body) -> Joint:
    """The joint from the ground with the body's name that allows every motion of it."""
    if body.mechanics.kinematics.deforms:
        return Deforming(body.name, GROUND, body)
    return (Free if body.turns else Translation)(body.name, GROUND, body)
