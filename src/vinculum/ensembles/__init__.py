"""Many runs at once, on the cores of one machine. Begin with `cpu`. Imports `simulation` and below."""

from vinculum.ensembles.cpu import ensemble
from vinculum.ensembles.runs import Runs

__all__ = ["Runs", "ensemble"]
