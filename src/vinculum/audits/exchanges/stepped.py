"""What balances of time stepping have in common: windows of whole steps, and the errors of these."""

from dataclasses import replace

import numpy as np

from vinculum.audits.exchanges.by_type import Admitted
from vinculum.audits.exchanges.window import Sums, Window
from vinculum.tolerances.certificates import IMPULSES_SOLVED, MOMENTA_CHANGED, SWEPT
from vinculum.tolerances.round_off import FEW_ROUND_OFFS

BETWEEN = "{} between them"
"""The part of a contact that acts between the chosen bodies alone."""


def nearest_edges(window: Window, edges: np.ndarray) -> Window:
    """The window with the ends of steps that are nearest to its own."""
    begin, end = (float(edges[np.argmin(np.abs(edges - t))]) for t in (window.begin, window.end))
    return replace(window, begin=begin, end=end)


def steps_at(edges: np.ndarray, time: np.ndarray, side: str) -> np.ndarray:
    """Numbers (T,) of the steps that instants belong to; at the end of one it is that on the ``side``."""
    found = np.searchsorted(edges, time, side="left") if side == "left" else np.searchsorted(edges, time, side="right")
    return np.clip(found - 1, 0, len(edges) - 2)


def admitted_by_steps(sums: Sums, conditioned: bool = False) -> Admitted:
    """The errors of the steps in a window: what sweeps leave of impulses, and round-off of every step. ``conditioned``: steps end with
    velocities that an iteration brings onto closed loops and constraints."""
    rounded = (IMPULSES_SOLVED if conditioned else SWEPT) * sums.gross + FEW_ROUND_OFFS * sums.steps * sums.largest
    return Admitted(rounded, rounded + MOMENTA_CHANGED * sums.gross, f"impulses of {sums.steps} steps")
