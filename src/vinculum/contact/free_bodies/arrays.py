"""The arrays of the time steps of free bodies, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.collision.arrays import Contacts, Grid, Pairs, Shapes
from vinculum.collision.narrow_phase.entry import Entry
from vinculum.contact.sparse.arrays import Bodies, ContactRows, Copies, FinisherEntry, Partition

LISTED, MARGIN, RECORDED = 0, 1, 2
"""Indices in ``counts``: number of listed pairs, their margin [m], and number of recorded active contacts."""


class Law(NamedTuple):
    """The impact law and the accuracy of a step."""

    e: float
    touch: float
    """The gap at which bodies touch [m]."""
    slack: float
    """Penetration that is not corrected [m]."""
    tolerance: float
    most: int
    """Largest number of sweeps of the solver."""
    pushes: int | np.integer
    """Largest number of sweeps that push bodies apart."""
    impacts: int | np.integer
    """What a step does with impacts of their own, as in `closings`."""
    swift: float
    """Approaches faster than this are impacts of their own [m/s]."""
    after: float
    """The length of the step after the last one [s]; as long as the last one if it is zero."""


class Step(NamedTuple):
    """One step: its duration [s], the mean of its duration and the next [s], and gravity (3,)."""

    d: float
    span: float
    gravity: np.ndarray


class Mounting(NamedTuple):
    """Positions of shapes on their bodies."""

    offset: np.ndarray
    """Centers relative to the mass centers, in body axes (n, 3) [m]."""
    tilt: np.ndarray
    """Axes relative to body axes (n, 3, 3)."""


class Inertia(NamedTuple):
    """Inertias about the mass centers, in body axes (n, 3, 3), and their inverses."""

    own: np.ndarray
    own_inverse: np.ndarray


class State(NamedTuple):
    """Mass centers x (N, 3) and attitudes Q (N, 4) of moving and fixed bodies; velocities v and angular momenta L (n, 3) of the moving
    bodies.
    """

    x: np.ndarray
    Q: np.ndarray
    v: np.ndarray
    L: np.ndarray


class Flight(NamedTuple):
    """The middle of a step, and its end without impulses."""

    X: np.ndarray
    """Mass centers in the middle (N, 3)."""
    half: np.ndarray
    """Attitudes in the middle (N, 4)."""
    inverse: np.ndarray
    """Inverse inertias in world axes in the middle (N, 3, 3)."""
    V: np.ndarray
    """Velocities at the end, as in `Iterate` (N, 8)."""
    spun: np.ndarray
    """Angular velocities at the end without impulses (n, 3)."""
    R: np.ndarray
    """Scratch (3, 3), like ``world``."""
    world: np.ndarray


class NearPairs(NamedTuple):
    """Near pairs of bodies, those of the last list, and workspace of the broad phase."""

    now: Pairs
    old: Pairs
    grid: Grid
    table: np.ndarray
    """Scratch; its length is a power of two."""
    listed: np.ndarray
    """Centers when the list was built (n, 3)."""


class Memory(NamedTuple):
    """Contact data stored after a step."""

    P: np.ndarray
    """Impulses per duration of the step, in world axes (m, 3) [N]."""
    place: np.ndarray
    pressed: np.ndarray
    """Records of active contacts (C, 12)."""


class Threads(NamedTuple):
    """Shared data of two threads: a board, partial sums, and arguments passed from the first to the second."""

    board: np.ndarray
    sums: np.ndarray
    told: np.ndarray


class Work(NamedTuple):
    """All arrays of a step of free bodies."""

    is_round: bool
    gravity: np.ndarray
    shapes: Shapes
    mounting: Mounting
    entry: Entry
    bodies: Bodies
    inertia: Inertia
    state: State
    flight: Flight
    pairs: NearPairs
    contacts: Contacts
    rows: ContactRows
    cones: np.ndarray
    """μ of the contacts (m,)."""
    targets: np.ndarray
    """Smallest normal velocities of the contacts after a step (m,)."""
    P: np.ndarray
    """Impulses (m, 3)."""
    D: np.ndarray
    """Displacements that remove penetration (N, 8)."""
    copies: Copies
    parts: Partition
    memory: Memory
    counts: np.ndarray
    clusters: np.ndarray
    """Scratch (n,)."""
    threads: Threads
    finisher: FinisherEntry
