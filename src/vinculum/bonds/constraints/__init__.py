"""Constraints and the ways they are realized."""

from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import (
    AddedInertia,
    Chetaev,
    Claims,
    DAlembert,
    Friction,
    Penalty,
    Realization,
    Vakonomic,
)

__all__ = [
    "AddedInertia",
    "Chetaev",
    "Claims",
    "Constraint",
    "DAlembert",
    "Friction",
    "Penalty",
    "Realization",
    "Vakonomic",
]
