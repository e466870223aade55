"""Bonds as they are described in another inertial frame: what was bound to the ground is bound to a base that moves uniformly.

Begin with `views`: a function or law is evaluated at views relative to the base, and what it gives is turned with the base.
"""

from vinculum.bonds.moving_base.actions import action_on_base
from vinculum.bonds.moving_base.bonds import constraint_on_base, impulse_in_frame, joint_on_base, unilateral_on_base
from vinculum.bonds.moving_base.functions import ViewsInFrame

__all__ = [
    "ViewsInFrame",
    "action_on_base",
    "constraint_on_base",
    "impulse_in_frame",
    "joint_on_base",
    "unilateral_on_base",
]
