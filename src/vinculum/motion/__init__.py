"""Row 9: the motion, and the integrators that make it."""

from vinculum.models.kept import model_for
from vinculum.motion.events import Crossing
from vinculum.motion.method import METHODS, Claims, Method
from vinculum.motion.motion import Motion
from vinculum.motion.pieces import Pieces
from vinculum.simulation.simulate import simulate

__all__ = ["METHODS", "Claims", "Crossing", "Method", "Motion", "Pieces", "model_for", "simulate"]
