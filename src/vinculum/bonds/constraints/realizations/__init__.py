"""Ways in which a constraint is realized."""

from vinculum.bonds.constraints.realizations.added_inertia import AddedInertia
from vinculum.bonds.constraints.realizations.chetaev import Chetaev
from vinculum.bonds.constraints.realizations.dalembert import DAlembert
from vinculum.bonds.constraints.realizations.friction import Friction
from vinculum.bonds.constraints.realizations.penalty import Penalty
from vinculum.bonds.constraints.realizations.reaching import Reaching
from vinculum.bonds.constraints.realizations.realization import Claims, Direction, Realization, check_realization
from vinculum.bonds.constraints.realizations.servo import Servo
from vinculum.bonds.constraints.realizations.vakonomic import Vakonomic

__all__ = [
    "AddedInertia",
    "Chetaev",
    "Claims",
    "DAlembert",
    "Direction",
    "Friction",
    "Penalty",
    "Reaching",
    "Realization",
    "Servo",
    "Vakonomic",
    "check_realization",
]
