"""Row 4: bonds between bodies."""

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

__all__ = ["Action", "AddedInertia", "BodyView", "Bushing", "Chetaev", "Constraint", "CoulombCharges", "Cylindrical", "DAlembert", "Damper",
           "Distance", "Effort", "Force", "Free", "Friction", "Gravitation", "Helical", "Interaction", "Joint",
           "LennardJones", "Limit", "MagneticDipoles", "Morse", "PairAction", "PairPotential", "Penalty", "Planar",
           "Potential", "Prescribed", "Prismatic", "Reaching", "Realization", "Revolute", "Rolling", "Servo",
           "Spherical", "Spring", "TorsionSpring",
           "Translation", "UniformGravity", "Universal", "Vakonomic", "Weld", "argument_names", "end_name",
           "refusal_of_start"]  # fmt: skip
