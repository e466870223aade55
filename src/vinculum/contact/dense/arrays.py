"""Arrays of the dense problem of simultaneous impulses of contacts and unilateral constraints, by name."""

from typing import NamedTuple

import numpy as np


class Problem(NamedTuple):
    """The law of m triples of rows, as in `impulses`."""

    W: np.ndarray
    """Delassus operator (3 m, 3 m)."""
    free: np.ndarray
    """Relative velocities without impulses (3 m,)."""
    target: np.ndarray
    """Smallest normal velocities (m,)."""
    least: np.ndarray
    """Smallest normal impulses (m,)."""
    mu: np.ndarray
    """Half axes of friction (m, 2), or (m, 3) if some triples are about axes."""


class Proximal(NamedTuple):
    """The proximal term of Newton's method, and its scales."""

    limits: np.ndarray
    """Row of the normal impulse that limits each triple about axes, −1 for others (m,)."""
    rho: np.ndarray
    """1/w of every row (3 m,)."""
    anchor: np.ndarray
    """Impulses at which the term is zero (3 m,)."""
    near: float
    """Its weight ε."""
