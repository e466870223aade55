"""Row 4: bonds between bodies."""

from vinculum.bonds.actions import Action, Effort, Force, Interaction, PairAction, PairPotential, Potential, end_name
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.joints import (
    Cylindrical,
    Free,
    Helical,
    Joint,
    Planar,
    Prescribed,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
    Weld,
    argument_names,
    refusal_of_start,
)

__all__ = ["Action", "BodyView", "Cylindrical", "Effort", "Force", "Free", "Helical", "Interaction", "Joint", "PairAction",
           "PairPotential", "Planar", "Potential", "Prescribed", "Prismatic", "Revolute", "Spherical", "Translation", "Universal", "Weld",
           "argument_names", "end_name", "refusal_of_start"]  # fmt: skip
