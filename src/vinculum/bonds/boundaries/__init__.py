"""One-sided bonds: boundaries, what follows a hit, and friction."""

from vinculum.bonds.boundaries.boundary import Boundary
from vinculum.bonds.boundaries.contact import Contact
from vinculum.bonds.boundaries.contact_frames import contact_frame, relative_turn, slip_velocity
from vinculum.bonds.boundaries.frictions import Coulomb
from vinculum.bonds.boundaries.phases import AHEAD, GRIP, SLIDES, STICKS, directions_ahead, kept_closed
from vinculum.bonds.boundaries.shocks import Elastic, Newton, Poisson, ShockLaw, Soft
from vinculum.bonds.boundaries.surfaces import HeightField, Mesh
from vinculum.bonds.boundaries.walls import HalfSpace, Plane, Wall

__all__ = ["AHEAD", "GRIP", "SLIDES", "STICKS", "Boundary", "Contact", "Coulomb", "Elastic", "HalfSpace", "HeightField", "Mesh",
           "Newton", "Plane", "Poisson", "ShockLaw", "Soft", "Wall", "contact_frame", "directions_ahead", "kept_closed", "relative_turn",
           "slip_velocity"]  # fmt: skip
