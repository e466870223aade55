"""Joints: each a small table of functions of its own coordinates."""

from vinculum.bonds.joints.axial import Cylindrical, Helical, Prismatic, Revolute
from vinculum.bonds.joints.joint import Joint, argument_names
from vinculum.bonds.joints.prescribed import Prescribed, refusal_of_start
from vinculum.bonds.joints.several_axes import Planar, Translation, Universal, Weld
from vinculum.bonds.joints.turning import Free, Spherical

__all__ = ["Cylindrical", "Free", "Helical", "Joint", "Planar", "Prescribed", "Prismatic", "Revolute", "Spherical", "Translation",
           "Universal", "Weld", "argument_names", "refusal_of_start"]  # fmt: skip
