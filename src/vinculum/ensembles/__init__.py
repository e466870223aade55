"""Row 11: many runs at once."""

from vinculum.ensembles.cpu import Runs, ensemble

__all__ = ["Runs", "ensemble"]
