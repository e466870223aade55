"""Row 4: bonds between bodies."""

from vinculum.bonds.joints import (
    Cylindrical,
    Free,
    Helical,
    Joint,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
    Weld,
    argument_names,
)

__all__ = ["Cylindrical", "Free", "Helical", "Joint", "Planar", "Prismatic", "Revolute", "Spherical", "Translation",
           "Universal", "Weld", "argument_names"]  # fmt: skip
