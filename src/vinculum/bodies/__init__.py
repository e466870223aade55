"""Bodies, each a name and a mass measure. Begin with `body`. Imports `measures` and below."""

from vinculum.bodies.affine import AffineBody
from vinculum.bodies.body import GROUND, Body, check_name, second_moment
from vinculum.bodies.group import BodyGroup, copies_of
from vinculum.bodies.mass_point import MassPoint
from vinculum.bodies.mass_source import MassSource
from vinculum.bodies.path import Path
from vinculum.bodies.point_body import PointBody
from vinculum.bodies.prescribed import PrescribedBody
from vinculum.bodies.rigid import RigidBody

__all__ = ["GROUND", "AffineBody", "Body", "BodyGroup", "MassPoint", "MassSource", "Path", "PointBody", "PrescribedBody", "RigidBody",
           "check_name", "copies_of", "second_moment"]  # fmt: skip
