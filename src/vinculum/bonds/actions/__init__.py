"""Actions between bodies: potentials, forces and interactions."""

from vinculum.bonds.actions.action import (
    Action,
    Distance,
    Effort,
    Limit,
    called,
    checked_energy,
    end_name,
    read_ends,
    squared,
)
from vinculum.bonds.actions.force import ContactForce, Force, Interaction, effort, given_wrench, opposed
from vinculum.bonds.actions.pairs import PairAction, PairPotential, read_numbers, read_pair_ends
from vinculum.bonds.actions.potential import Potential

__all__ = [
    "Action",
    "ContactForce",
    "Distance",
    "Effort",
    "Force",
    "Interaction",
    "Limit",
    "PairAction",
    "PairPotential",
    "Potential",
    "called",
    "checked_energy",
    "effort",
    "end_name",
    "given_wrench",
    "opposed",
    "read_ends",
    "read_numbers",
    "read_pair_ends",
    "squared",
]  # fmt: skip
