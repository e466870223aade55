"""What a motion looks like: plots and pictures."""

from vinculum.show.comparisons import plot_comparison
from vinculum.show.pictures import picture
from vinculum.show.plots import plot_motion

__all__ = ["picture", "plot_comparison", "plot_motion"]
