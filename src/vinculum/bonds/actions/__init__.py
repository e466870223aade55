"""What acts between bodies besides joints."""

from vinculum.bonds.actions.action import (
    Action,
    called,
    checked_energy,
    end_name,
    read_ends,
)
from vinculum.bonds.actions.force import ContactForce, Force, Interaction, effort, given_wrench, opposed
from vinculum.bonds.actions.law import ActionLaw, Distance, Effort, Limit, squared
from vinculum.bonds.actions.pairs import PairAction, PairLaw, PairPotential, read_numbers, read_pair_ends
from vinculum.bonds.actions.potential import Potential

__all__ = [
    "Action",
    "ActionLaw",
    "ContactForce",
    "Distance",
    "Effort",
    "Force",
    "Interaction",
    "Limit",
    "PairAction",
    "PairLaw",
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
