"""Constraints and the ways they are realized."""

from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import (
    Chetaev,
    Claims,
    DAlembert,
    Friction,
    Penalty,
    Realization,
    Vakonomic,
)

__all__ = ["Chetaev", "Claims", "Constraint", "DAlembert", "Friction", "Penalty", "Realization", "Vakonomic"]
