"""Problem of simultaneous impulses of contacts and unilateral constraints with a dense operator, by name."""

from typing import NamedTuple

import numpy as np


class Problem(NamedTuple):
    """The law of m triples of rows, as in `impulses`."""

    W: np.ndarray
    """Delassus operator (3 m, 3 m)."""
    free: np.ndarray
    """Relative velocities without impulses (3 m,)."""
    target: np.ndarray
    """Least normal speeds (m,)."""
    least: np.ndarray
    """Least normal impulses (m,)."""
    mu: np.ndarray
    """Half axes of friction (m, 2), or (m, 3) where some triples are about axes."""


class Proximal(NamedTuple):
    """The proximal term of Newton's method, and what it is measured by."""

    limits: np.ndarray
    """Row of the pressure that limits each triple about axes, −1 for others (m,)."""
    rho: np.ndarray
    """1/w of every row (3 m,)."""
    anchor: np.ndarray
    """Impulses from which the term measures (3 m,)."""
    near: float
    """Its size."""
