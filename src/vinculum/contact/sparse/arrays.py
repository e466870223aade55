"""The arrays of many contacts, by name. Compiled loops unpack these tuples without cost."""

from typing import NamedTuple

import numpy as np


class Resistance(NamedTuple):
    """Triples of moments that resist spinning about the normal and rolling about both tangents of a contact.

    A moment is an impulse times a length ``arm``, and its velocity is the angular velocity times that length, so that all rows have the
    same units.
    """

    partner: np.ndarray
    """The contact that limits a triple (m,); −1 for contacts themselves, which come before their triples."""
    arm: np.ndarray
    """Lengths of the triples (m,) [m]."""
    limits: np.ndarray
    """Largest impulses about the normal and about tangents, relative to the normal impulse of the partner (m, 2)."""


def no_resistance(m: int) -> Resistance:
    """That of m contacts without moments."""
    return Resistance(np.full(m, -1), np.zeros(m), np.zeros((m, 2)))


class Sides(NamedTuple):
    """Block-sparse rows of m contacts: the Jacobians of both sides, and their products with the inverse masses of the blocks.

    A side is a part of one block's velocities. Its three rows stand one after the other in ``H`` and in ``B``.
    """

    first: np.ndarray
    """Place of the first velocity of both sides in the velocities of all blocks (m, 2)."""
    count: np.ndarray  # type: ignore[override]
    """Numbers of velocities of both sides (m, 2); zero for a side that moves by none."""
    at: np.ndarray
    """Where the rows of both sides begin (m, 2)."""
    H: np.ndarray
    """Relative velocities along the axes, by velocities of the blocks; those of the second side are subtracted already."""
    B: np.ndarray
    """M⁻¹ Hᵀ, in the same places."""
    drift: np.ndarray
    """Relative velocities (m, 3) of blocks at rest, by prescribed motions [m/s]."""
    resistance: Resistance


class ContactRows(NamedTuple):
    """Rows of m contacts: the effect of their impulses.

    Spheres have ``arms``; other free bodies have ``wide`` and ``W``; blocks of any kind have ``sides`` and ``W``. The others are None, and
    nothing is compiled for that kind.
    """

    who: np.ndarray
    """Both bodies (m, 2)."""
    frame: np.ndarray
    """Normal and two tangents as rows (m, 3, 3)."""
    arms: np.ndarray | None
    """Distances from the centers of both spheres (m, 2) [m]."""
    wide: np.ndarray | None
    """r × t of both bodies, then I⁻¹ (r × t) of both (m, 4, 3, 3)."""
    sides: Sides | None
    W: np.ndarray | None
    """Diagonal blocks of the Delassus operator (m, 3, 3) [1/kg]."""
    weight: np.ndarray
    """Effective masses 1/w of the normal and of the stiffest tangent (m, 2) [kg]."""


class Bodies(NamedTuple):
    """Inverse inertia of all bodies, zero for fixed ones."""

    inverse_mass: np.ndarray
    """(n,) [1/kg]."""
    spin: np.ndarray
    """Inverse moments of inertia of spheres (n,) [1/(kg m²)]."""


class Pace(NamedTuple):
    """Scale of the velocity changes in a step, against which `own_part` measures residuals."""

    before: np.ndarray
    """Velocities before the step: of free bodies (n, 3) [m/s], of blocks as in `Iterate`."""
    least: float
    """|g| h [m/s]."""


class ContactProblem(NamedTuple):
    r"""The law of m contacts between blocks: free bodies, or trees of joints.

    .. math:: 0 \le P_N \perp u_N - \hat u_N \ge 0,\qquad |P_T| \le \mu P_N,\qquad u = H V,\quad V = V_0 + M^{-1} H^T P
    """

    m: int
    is_round: bool
    """Whether all blocks are spheres."""
    rows: ContactRows
    """H, and the effect M⁻¹ Hᵀ of impulses."""
    blocks: Bodies
    """Inverse masses of free bodies; those of other blocks are in the rows."""
    cones: np.ndarray
    """μ of every contact (m,)."""
    targets: np.ndarray
    """Smallest normal velocities û after the impulses (m,) [m/s]."""
    pace: Pace


class Iterate(NamedTuple):
    """Impulses, and the velocities of the bodies with them."""

    P: np.ndarray
    """(m, 3) [N s], along the axes of the contacts."""
    V: np.ndarray
    """Rows of eight (n, 8): velocities of a free body in columns 0 to 2, angular velocities in columns 4 to 6, world axes; the generalized
    velocities of another block one after the other, in as many rows as it needs."""


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
    grouped: np.ndarray | None = None
    """Where the groups of eight contacts end in each part (3,); None like ``packed``."""


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
