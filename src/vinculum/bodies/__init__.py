"""Row 3: bodies, each a name and a mass measure."""

from vinculum.bodies.body import GROUND, Body, check_name
from vinculum.bodies.mass_point import MassPoint
from vinculum.bodies.rigid import RigidBody

__all__ = ["GROUND", "Body", "MassPoint", "RigidBody", "check_name"]
