"""The arrays of contacts between the shapes of a tree, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts, Grid, Pairs, Shapes
from vinculum.collision.narrow_phase.entry import Entry

KNOWN, RECORDED, STATUS, FOUND = 0, 1, 2, 3
"""Indices into ``counts``: contacts stored for the warm start, records written, a status, and the present number of contacts."""


class Memory(NamedTuple):
    """Active contacts of the last step: both bodies (C, 2), positions (C, 3), and impulses along and about the axes (C, 6)."""

    who: np.ndarray
    place: np.ndarray
    P: np.ndarray


class TreeContacts(NamedTuple):
    """Shapes of a tree, and workspace for their pairs, contacts and records."""

    tape: int
    """Address of the tape `shapes`; zero if states are checked one by one."""
    out: np.ndarray
    """Outputs of the tape (n_out, 8)."""
    shapes: Shapes
    reaches: np.ndarray
    """Radii of bounding spheres without deformation (n,) [m]."""
    velocity: np.ndarray
    """Velocities of the centers (n, 8)."""
    carried: np.ndarray
    """Which generalized velocity moves which moving shape (moving, nv)."""
    strained: np.ndarray
    """Generalized velocities that deform a shape (k,)."""
    laws_of: np.ndarray
    """Index of the laws of each pair of shapes, −1 for pairs that do not collide (n, n)."""
    laws: np.ndarray
    """e, μ, lengths of spinning and rolling friction (k, 4)."""
    kinds: np.ndarray
    """Whether e is Newton's ratio (0) or Poisson's (1), (k,)."""
    entry: Entry
    pairs: Pairs
    grid: Grid
    found: Contacts
    memory: Memory
    counts: np.ndarray
    records: np.ndarray


class Rows(NamedTuple):
    """Rows of the impulses and the contact law of a step: three for each unilateral constraint or contact, a triple."""

    gap: np.ndarray
    """(T,) [m]."""
    drift: np.ndarray
    """Relative velocities of bodies at rest (3 T,)."""
    H: np.ndarray
    """Jacobian (3 T, nv)."""
    M: np.ndarray
    """Mass matrix (nv, nv)."""
    G: np.ndarray
    """Jacobian of bilateral conditions, with their drifts in the last column (k, nv + 1)."""


class Laws(NamedTuple):
    """Impact and friction laws of the triples, one row each."""

    kind: np.ndarray
    ratio: np.ndarray
    """e of its law."""
    axes: np.ndarray
    """Half axes of friction and −1. For a triple about axes: lengths of spinning and rolling friction, and the triple of its normal
    force (T, 3).
    """
    triple: np.ndarray
    """First triple of each contact between shapes."""
