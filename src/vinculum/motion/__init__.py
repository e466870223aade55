"""Row 9: the motion, and the integrators that make it."""

from vinculum.kernels.models import model_for
from vinculum.motion.events import Crossing
from vinculum.motion.method import METHODS, Claims, Method
from vinculum.motion.motion import Motion
from vinculum.motion.pieces import Pieces
from vinculum.motion.simulate import simulate

__all__ = ["METHODS", "Claims", "Crossing", "Method", "Motion", "Pieces", "model_for", "simulate"]
