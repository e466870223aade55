"""Constraints and the ways they are realized."""

from vinculum.bonds.constraints.constant_speed import ConstantSpeed
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.distance import Distance
from vinculum.bonds.constraints.gear import Gear
from vinculum.bonds.constraints.invariant import InvariantConstraint, InvariantRows
from vinculum.bonds.constraints.knife_edge import KnifeEdge
from vinculum.bonds.constraints.no_twist import NoTwist
from vinculum.bonds.constraints.point_on_curve import PointOnCurve
from vinculum.bonds.constraints.point_on_surface import PointOnSurface
from vinculum.bonds.constraints.realizations import (
    AddedInertia,
    Chetaev,
    Claims,
    DAlembert,
    Friction,
    Penalty,
    Reaching,
    Realization,
    Servo,
    Vakonomic,
)
from vinculum.bonds.constraints.rolling import Rolling

__all__ = ["AddedInertia", "Chetaev", "Claims", "ConstantSpeed", "Constraint", "DAlembert", "Distance", "Friction",
           "Gear", "InvariantConstraint", "InvariantRows", "KnifeEdge", "NoTwist", "Penalty", "PointOnCurve",
           "PointOnSurface", "Reaching", "Realization", "Rolling", "Servo", "Vakonomic"]  # fmt: skip
