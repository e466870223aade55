"""The motion as a user gets it: states over time, impulses, views, storage. Frozen data.

Begin with `motion.Motion`; `problem` is what an integrator gets and gives back, `pieces` its dense output. Imports `models` and below.
"""

from vinculum.models.kept import model_for
from vinculum.motion.events import Crossing
from vinculum.motion.method import METHODS, Claims, Method
from vinculum.motion.motion import Motion
from vinculum.motion.pieces import Pieces

__all__ = ["METHODS", "Claims", "Crossing", "Method", "Motion", "Pieces", "model_for"]
