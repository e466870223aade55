"""Views of a motion: arrays on its grid for one body, several bodies, a joint or a bond. Begin with `body`.

Imports what is below `motion/` and the reading of states in `motion/` itself. A view has a motion and a name; it
computes values when they are read.
"""

from vinculum.motion.views.affine import AffineMotion
from vinculum.motion.views.bodies import BodiesMotion
from vinculum.motion.views.body import BodyMotion, PointMotion
from vinculum.motion.views.bond import BondMotion
from vinculum.motion.views.drive import DriveMotion
from vinculum.motion.views.environment import Environment
from vinculum.motion.views.joint import JointMotion
from vinculum.motion.views.measures import MeasuresMotion
from vinculum.motion.views.servos import ServosMotion

__all__ = ["AffineMotion", "BodiesMotion", "BodyMotion", "BondMotion", "DriveMotion", "Environment", "JointMotion", "MeasuresMotion",
           "PointMotion", "ServosMotion"]  # fmt: skip
