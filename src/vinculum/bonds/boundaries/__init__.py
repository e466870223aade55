"""One-sided bonds: boundaries, what follows a hit, and friction."""

from vinculum.bonds.boundaries.boundary import Boundary
from vinculum.bonds.boundaries.contact_frames import contact_frame, slip_velocity
from vinculum.bonds.boundaries.frictions import Coulomb
from vinculum.bonds.boundaries.phases import GRIP, SLIDES, STICKS, kept_closed
from vinculum.bonds.boundaries.shocks import Elastic, Newton, Poisson, ShockLaw, Soft

__all__ = ["GRIP", "SLIDES", "STICKS", "Boundary", "Coulomb", "Elastic", "Newton", "Poisson", "ShockLaw", "Soft", "contact_frame",
           "kept_closed", "slip_velocity"]  # fmt: skip
