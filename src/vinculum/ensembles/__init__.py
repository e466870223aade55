"""Row 11: many runs at once."""

from vinculum.ensembles.cpu import ensemble
from vinculum.ensembles.runs import Runs

__all__ = ["Runs", "ensemble"]
