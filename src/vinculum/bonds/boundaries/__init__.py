"""One-sided bonds: boundaries, what follows a hit, and friction."""

from vinculum.bonds.boundaries.boundary import Boundary
from vinculum.bonds.boundaries.contact import Contact
from vinculum.bonds.boundaries.frictions import Coulomb
from vinculum.bonds.boundaries.shocks import Elastic, Newton, Poisson, ShockLaw, Soft
from vinculum.bonds.boundaries.walls import HalfSpace, Wall

__all__ = ["Boundary", "Contact", "Coulomb", "Elastic", "HalfSpace", "Newton", "Poisson", "ShockLaw", "Soft", "Wall"]
