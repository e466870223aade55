"""Actions between bodies: potentials, forces and interactions. Begin with `action` and `law`."""

from vinculum.bonds.actions.action import (
    Action,
    call_with_views,
    checked_energy,
    end_name,
    read_ends,
)
from vinculum.bonds.actions.force import ContactForce, Force, Interaction, effort, given_wrench, opposed_efforts
from vinculum.bonds.actions.law import ActionLaw, Distance, Effort, ExternalLaw, Limit, square
from vinculum.bonds.actions.mass_exchange import exchange_effort, mass_rate, transit_momentum
from vinculum.bonds.actions.own import own_actions
from vinculum.bonds.actions.pairs import PairAction, PairLaw, PairPotential, read_numbers, read_pair_ends
from vinculum.bonds.actions.potential import Potential

__all__ = [
    "Action",
    "ActionLaw",
    "ContactForce",
    "Distance",
    "Effort",
    "ExternalLaw",
    "Force",
    "Interaction",
    "Limit",
    "PairAction",
    "PairLaw",
    "PairPotential",
    "Potential",
    "call_with_views",
    "checked_energy",
    "effort",
    "end_name",
    "exchange_effort",
    "given_wrench",
    "mass_rate",
    "opposed_efforts",
    "own_actions",
    "read_ends",
    "read_numbers",
    "read_pair_ends",
    "square",
    "transit_momentum",
]  # fmt: skip
