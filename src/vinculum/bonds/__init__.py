"""Row 4: bonds between bodies."""

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

__all__ = ["Cylindrical", "Free", "Helical", "Joint", "Planar", "Prescribed", "Prismatic", "Revolute", "Spherical", "Translation",
           "Universal", "Weld", "argument_names", "refusal_of_start"]  # fmt: skip
