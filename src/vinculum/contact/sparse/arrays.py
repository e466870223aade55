"""The arrays of many contacts, by name. Compiled loops unpack these tuples without cost."""

from typing import NamedTuple

import numpy as np


class ContactRows(NamedTuple):
    """Rows of m contacts: the effect of their impulses.

    Spheres have ``arms``; other shapes have ``wide`` and ``W``. The others are None, and nothing is compiled for that kind.
    """

    who: np.ndarray
    """Both bodies (m, 2)."""
    frame: np.ndarray
    """Normal and two tangents as rows (m, 3, 3)."""
    arms: np.ndarray | None
    """Distances from the centers of both spheres (m, 2) [m]."""
    wide: np.ndarray | None
    """r × t of both bodies, then I⁻¹ (r × t) of both (m, 4, 3, 3)."""
    W: np.ndarray | None
    """Diagonal blocks of the Delassus operator (m, 3, 3) [1/kg]."""
    weight: np.ndarray
    """Effective masses 1/w of the normal and of the stiffest tangent (m, 2) [kg]."""
    target: np.ndarray
    """Smallest normal velocities after the impulses (m,) [m/s]."""


class Bodies(NamedTuple):
    """Inverse inertia of all bodies, zero for fixed ones."""

    inverse_mass: np.ndarray
    """(n,) [1/kg]."""
    spin: np.ndarray
    """Inverse moments of inertia of spheres (n,) [1/(kg m²)]."""


class Pace(NamedTuple):
    """Scale of the velocity changes in a step, against which `own_part` measures residuals."""

    before: np.ndarray
    """Velocities before the step (n, 3) [m/s]."""
    least: float
    """|g| h [m/s]."""


class Problem(NamedTuple):
    """The contact law of m contacts: their bodies, the effect of impulses, and μ."""

    m: int
    is_round: bool
    """Whether all bodies are spheres."""
    rows: ContactRows
    bodies: Bodies
    mu: float
    pace: Pace


class Iterate(NamedTuple):
    """Impulses, and the velocities of the bodies with them."""

    P: np.ndarray
    """(m, 3) [N s], along the axes of the contacts."""
    V: np.ndarray
    """Velocities in columns 0 to 2, angular velocities in columns 4 to 6, world axes (n, 8)."""


class Partition(NamedTuple):
    """Contacts and bodies in the order of the sweeps: two sides and the separator."""

    order: np.ndarray
    """Contacts (m,)."""
    people: np.ndarray
    """Bodies (n,)."""
    cut: np.ndarray
    """Ends of the contacts of both sides, the end of the first side's bodies, and m."""
    packed: np.ndarray | None
    """Rows of `packed_spheres` (m, 24); None, like ``seats``, if not all bodies are spheres."""
    seats: np.ndarray | None
    """Positions of both velocities and of the impulse (m, 3)."""


class Team(NamedTuple):
    """One of the threads that solve a problem together."""

    rank: int | np.integer
    threads: int | np.integer
    board: np.ndarray
    """Words shared by both threads."""
    sums: np.ndarray
    """Sums of the three parts, in two halves that alternate (3, 3, 8)."""
    parts: Partition


class Copies(NamedTuple):
    """Storage for iterates: the last one, one from which a drift is measured, and a trial."""

    old: Iterate
    mark: Iterate
    trial: Iterate


class Settings(NamedTuple):
    """When sweeps end."""

    tolerance: float
    """The required residual."""
    most: int | np.integer
    """The largest number of sweeps."""


class FinisherEntry(NamedTuple):
    """Address and arguments of the `Finisher`."""

    address: int
    told: np.ndarray


class Solver(NamedTuple):
    """The data of a solution by sweeps."""

    team: Team
    settings: Settings
    copies: Copies
    finisher: FinisherEntry
