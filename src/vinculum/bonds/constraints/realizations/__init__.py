"""Realizations of constraints, one file each. Begin with `realization`, their interface."""

from vinculum.bonds.constraints.realizations.added_inertia import AddedInertia
from vinculum.bonds.constraints.realizations.chetaev import Chetaev
from vinculum.bonds.constraints.realizations.dalembert import DAlembert
from vinculum.bonds.constraints.realizations.penalty import Penalty
from vinculum.bonds.constraints.realizations.reaching import Reaching
from vinculum.bonds.constraints.realizations.realization import Claims, Direction, Realization
from vinculum.bonds.constraints.realizations.servo import Servo
from vinculum.bonds.constraints.realizations.short_forms import REALIZATIONS, read_realization
from vinculum.bonds.constraints.realizations.vakonomic import Vakonomic
from vinculum.bonds.constraints.realizations.viscous_friction import ViscousFriction

__all__ = [
    "REALIZATIONS",
    "AddedInertia",
    "Chetaev",
    "Claims",
    "DAlembert",
    "Direction",
    "Penalty",
    "Reaching",
    "Realization",
    "Servo",
    "Vakonomic",
    "ViscousFriction",
    "read_realization",
]
