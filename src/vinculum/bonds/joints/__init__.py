"""Joints: the description (`joint`), the kinematics (`kind`, `coordinates`), and spring, damper and drive
(`compliance`).

Begin with `axial`. A new joint is a `JointKind` and a `Joint` in a file of this room, as there."""

from vinculum.bonds.joints.axial import Cylindrical, Helical, Prismatic, Revolute
from vinculum.bonds.joints.compliance import argument_names
from vinculum.bonds.joints.free_joint import free_joint
from vinculum.bonds.joints.joint import Joint, check_joint, with_child
from vinculum.bonds.joints.limits import Limits
from vinculum.bonds.joints.prescribed import Prescribed, joint_at, refusal_of_start, stop_joint
from vinculum.bonds.joints.several_axes import Planar, Translation, Universal, Weld
from vinculum.bonds.joints.turning import Free, Spherical, with_base

__all__ = ["Cylindrical", "Free", "Helical", "Joint", "Limits", "Planar", "Prescribed", "Prismatic", "Revolute", "Spherical", "Translation",
           "Universal", "Weld", "argument_names", "check_joint", "free_joint", "joint_at",
           "refusal_of_start", "stop_joint", "with_base", "with_child"]  # fmt: skip
