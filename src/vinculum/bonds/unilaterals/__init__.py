"""Unilateral constraints, contact, impact laws and friction. Begin with `unilateral` and `contact`."""

from vinculum.bonds.unilaterals.contact import Contact
from vinculum.bonds.unilaterals.contact_frames import contact_frame, relative_turn, slip_velocity
from vinculum.bonds.unilaterals.frictions import Coulomb
from vinculum.bonds.unilaterals.impact_laws import Elastic, ImpactLaw, Inelastic, Newton, Poisson
from vinculum.bonds.unilaterals.phases import AHEAD, GRIP, SLIDES, STICKS, directions_ahead, kept_closed
from vinculum.bonds.unilaterals.stops import joint_stops
from vinculum.bonds.unilaterals.surfaces import HeightField, Mesh
from vinculum.bonds.unilaterals.unilateral import Unilateral
from vinculum.bonds.unilaterals.walls import FixedSolid, HalfSpace, TwoSidedPlane

__all__ = [
           "AHEAD",
           "GRIP",
           "SLIDES",
           "STICKS",
           "Contact",
           "Coulomb",
           "Elastic",
           "FixedSolid",
           "HalfSpace",
           "HeightField",
           "ImpactLaw",
           "Inelastic",
           "Mesh",
           "Newton",
           "Poisson",
           "TwoSidedPlane",
           "Unilateral",
           "contact_frame",
           "directions_ahead",
           "joint_stops",
           "kept_closed",
           "relative_turn",
           "slip_velocity",
]  # fmt: skip
