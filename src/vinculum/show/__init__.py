"""Row 12: what a motion looks like."""

from vinculum.show.plots import plot_motion

__all__ = ["plot_motion"]
