"""The arrays of the steps of blocks in contact, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts, Shapes
from vinculum.collision.meeting import Meeting
from vinculum.collision.narrow_phase.entry import Entry
from vinculum.compile.targets.llvm.indexed import IndexedJob
from vinculum.contact.blocks.arrays import Carriers, ConstrainedBlocks
from vinculum.contact.free_bodies.arrays import Memory, NearPairs
from vinculum.contact.sparse.arrays import ContactRows, Copies, FinisherEntry, Iterate, Partition
from vinculum.models.tabled.rates import Tables


class Damped(NamedTuple):
    """Damped blocks, and 1 − ½ h A of a step with its inverse, in tiles of blocks of one kind side by side; see `damping`."""

    count: np.ndarray  # type: ignore[override]
    """Numbers of velocities of a block of each tile (g,)."""
    lanes: np.ndarray
    """Numbers of blocks of each tile (g,)."""
    places: np.ndarray
    """Places of the velocities among those of the system, tile by tile (n, TILE)."""
    begins: np.ndarray
    """Where those of a tile begin in ``places`` (g,)."""
    rates: np.ndarray
    """Where A (nv, nv) begins in the long array (g, TILE)."""
    inverse: np.ndarray
    """Where the inverse mass matrix begins among those of all blocks (g, TILE)."""
    at: np.ndarray
    """Where the matrices of a tile begin in ``factors`` and ``inverses`` (g,)."""
    active: np.ndarray
    """Which of the velocities of a tile are damped, in the places of ``begins`` (n,); the other columns are those of the identity."""
    factors: np.ndarray
    """1 − ½ h A of all damped blocks (n, TILE), entry by entry."""
    inverses: np.ndarray
    room: np.ndarray
    """Matrices to work in (n, TILE)."""


class Search(NamedTuple):
    """Differences of a fixed-point iteration; see `next_iterate`."""

    across: np.ndarray
    """Orthonormal differences of defects (k, nv)."""
    along: np.ndarray
    """What changes with them (k, nv)."""


class Room(NamedTuple):
    """Vectors to work in."""

    state: np.ndarray
    """A state (nq + nv,)."""
    rates: np.ndarray
    """Its rates (nq + nv,)."""
    q: np.ndarray
    """Coordinates (3, nq)."""
    v: np.ndarray
    """Velocities (6, nv)."""
    changes: np.ndarray
    """Changes of velocities (4, nv)."""
    last: np.ndarray
    """The last point of a fixed-point iteration, and its defect (2, nv)."""
    search: Search


class Flight(NamedTuple):
    """Rates of a state, and what both halves of a step need besides."""

    tables: Tables
    coordinates: IndexedJob
    """q̇ = N v."""
    damping: IndexedJob
    damped: Damped
    begin: int
    """Where q̇ begins in the long array."""
    quaternions: np.ndarray
    """Places of quaternions among the coordinates (k, 4)."""
    is_conditioned: bool
    is_piecewise: bool
    last: np.ndarray
    """The accelerations of the step before, from which the next ones begin (nv,)."""
    room: Room


class Near(NamedTuple):
    """Shapes where they were placed last, and their contacts."""

    placed: Shapes
    reaches: np.ndarray
    """Bounding spheres without deformation (s,)."""
    velocity: np.ndarray
    """Velocities of the centers in the first columns (n, 8)."""
    pairs: NearPairs
    contacts: Contacts
    counts: np.ndarray
    """Number of listed pairs, their margin [m], and number of recorded contacts."""
    entry: Entry
    touch: float
    """The gap at which shapes touch [m]."""
    slack: float
    """Penetration that is not corrected [m]."""


class Met(NamedTuple):
    """The contact problem of the contacts that were found last."""

    rows: ContactRows
    cones: np.ndarray
    targets: np.ndarray
    ratios: np.ndarray
    """Newton's e (m,)."""
    before: np.ndarray
    """Velocities before a step, in rows of eight (n, 8)."""
    free: np.ndarray
    """Velocities without impulses (n, 8)."""
    displaced: np.ndarray
    """Displacements that remove penetration (n, 8)."""
    made: np.ndarray
    """Velocities that impulses make (n, 8)."""
    nothing: np.ndarray
    """No velocities (n, 8)."""
    still: np.ndarray
    """No drifts (m, 3)."""
    smooth: np.ndarray
    """No friction (m,)."""
    weightless: np.ndarray
    """Masses of no free bodies (0,)."""
    iterate: Iterate
    copies: Copies
    parts: Partition
    board: np.ndarray
    sums: np.ndarray
    finisher: FinisherEntry
    memory: Memory
    resists: bool
    """Whether some contacts resist rolling or spinning."""
    pull: float
    """|g| [m/s²]."""
    told: np.ndarray
    """What a status is about: numbers of contacts and of rows, a block, numbers that rows need (4,)."""


class BlockWork(NamedTuple):
    """All arrays of a step of blocks."""

    flight: Flight
    frames: IndexedJob
    """Frames, screws, drifts and masses of blocks that have shapes or conditions."""
    held: ConstrainedBlocks
    carriers: Carriers
    meeting: Meeting
    near: Near
    met: Met
