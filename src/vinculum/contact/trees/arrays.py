"""The arrays of contacts between the shapes of a tree, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts, Grid, Pairs, Shapes
from vinculum.collision.narrow_phase.entry import Entry

KNOWN, RECORDED, STATUS, FOUND = 0, 1, 2, 3
"""Places in ``counts``: contacts that are remembered, records that are written, a status, and contacts that are there now."""


class Memory(NamedTuple):
    """Active contacts of the last step: both bodies (C, 2), positions (C, 3), and impulses along and about the axes
    (C, 6)."""

    who: np.ndarray
    place: np.ndarray
    P: np.ndarray


class TreeContacts(NamedTuple):
    """Shapes of a tree, and room for their pairs, contacts and records."""

    tape: int
    """Address of the tape `shapes`, zero where states are looked at one by one."""
    out: np.ndarray
    """What the tape gives (n_out, 8)."""
    shapes: Shapes
    velocity: np.ndarray
    """Velocities of the centers (n, 8)."""
    carried: np.ndarray
    """Which velocity carries which moving shape (moving, nv)."""
    laws_of: np.ndarray
    """Number of the laws of each pair of shapes, −1 for those that do not meet (n, n)."""
    laws: np.ndarray
    """Newton's e, μ, lengths of spinning and rolling friction (k, 4)."""
    entry: Entry
    pairs: Pairs
    grid: Grid
    found: Contacts
    memory: Memory
    counts: np.ndarray
    records: np.ndarray


class Rows(NamedTuple):
    """What impulses and the law of a step are about: three rows for each unilateral constraint or contact, a triple."""

    gap: np.ndarray
    """(T,) [m]."""
    drift: np.ndarray
    """Relative velocities of bodies at rest (3 T,)."""
    H: np.ndarray
    """Jacobian (3 T, nv)."""
    M: np.ndarray
    """Mass matrix (nv, nv)."""
    G: np.ndarray
    """Jacobian of two-sided conditions, with their drifts in the last column (k, nv + 1)."""


class Laws(NamedTuple):
    """Impact and friction of the triples, a row each."""

    kind: np.ndarray
    ratio: np.ndarray
    """Newton's e."""
    axes: np.ndarray
    """Half axes of friction and −1; of a triple about axes: lengths of spinning and rolling, and the triple that presses (T, 3)."""
    triple: np.ndarray
    """First triple of each contact between shapes."""
