"""Bonds between bodies: joints, actions, constraints with their realizations, contact. Imports `bodies` and below. One file a bond."""

from vinculum.bonds.actions import (
    Action,
    Distance,
    Effort,
    Force,
    Interaction,
    Limit,
    PairAction,
    PairPotential,
    Potential,
    end_name,
)
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.boundaries import (
    Boundary,
    Contact,
    Coulomb,
    Elastic,
    HalfSpace,
    HeightField,
    Mesh,
    Newton,
    Plane,
    Poisson,
    ShockLaw,
    Soft,
    Wall,
)
from vinculum.bonds.constraints import (
    AddedInertia,
    Chetaev,
    Constraint,
    DAlembert,
    Friction,
    Penalty,
    Reaching,
    Realization,
    Rolling,
    Servo,
    Vakonomic,
)
from vinculum.bonds.impulse import Impulse
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
from vinculum.bonds.potentials import (
    Bushing,
    CoulombCharges,
    Damper,
    Gravitation,
    LennardJones,
    MagneticDipoles,
    Morse,
    Spring,
    TorsionSpring,
    UniformGravity,
)

__all__ = ["Action", "AddedInertia", "BodyView", "Boundary", "Bushing", "Chetaev", "Constraint", "Contact",
           "Coulomb", "CoulombCharges", "Cylindrical", "DAlembert", "Damper", "Distance", "Effort", "Elastic",
           "Force", "Free", "Friction", "Gravitation", "HalfSpace", "HeightField", "Helical", "Impulse", "Interaction", "Joint",
           "LennardJones", "Limit", "MagneticDipoles", "Mesh", "Morse", "Newton", "PairAction", "PairPotential", "Penalty",
           "Planar", "Plane", "Poisson", "Potential", "Prescribed", "Prismatic", "Reaching", "Realization", "Revolute",
           "Rolling", "Servo", "ShockLaw", "Soft", "Spherical", "Spring", "TorsionSpring", "Translation",
           "UniformGravity", "Universal", "Vakonomic", "Wall", "Weld", "argument_names", "end_name",
           "refusal_of_start"]  # fmt: skip
