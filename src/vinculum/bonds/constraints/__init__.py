"""Constraints and their realizations. Begin with `constraint`; the other files are constraints ready to use."""

from vinculum.bonds.constraints.constant_speed import constant_speed
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.deformations import incompressible, rotationless
from vinculum.bonds.constraints.distance import distance
from vinculum.bonds.constraints.gear import gear
from vinculum.bonds.constraints.invariant import invariant_constraint, invariant_rows
from vinculum.bonds.constraints.knife_edge import knife_edge
from vinculum.bonds.constraints.no_twist import no_twist
from vinculum.bonds.constraints.point_on_curve import point_on_curve
from vinculum.bonds.constraints.point_on_surface import point_on_surface
from vinculum.bonds.constraints.realizations import (
    AddedInertia,
    Chetaev,
    Claims,
    DAlembert,
    Penalty,
    Reaching,
    Realization,
    Servo,
    Vakonomic,
    ViscousFriction,
)
from vinculum.bonds.constraints.rolling import Rolling

__all__ = [
    "AddedInertia",
    "Chetaev",
    "Claims",
    "Constraint",
    "DAlembert",
    "Penalty",
    "Reaching",
    "Realization",
    "Rolling",
    "Servo",
    "Vakonomic",
    "ViscousFriction",
    "constant_speed",
    "distance",
    "gear",
    "incompressible",
    "invariant_constraint",
    "invariant_rows",
    "knife_edge",
    "no_twist",
    "point_on_curve",
    "point_on_surface",
    "rotationless",
]  # fmt: skip
