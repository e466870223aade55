"""The arrays of a step of a tree, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.contact.trees.arrays import Laws, Rows


class Tapes(NamedTuple):
    """Addresses of compiled tapes; ``projection`` is zero without bilateral conditions."""

    motion: int
    unilaterals: int
    distances: int
    projection: int


class Units(NamedTuple):
    """The size of the system [m], and the factors that make displacements and speeds at that arm of all coordinates and velocities."""

    size: float
    q: np.ndarray
    v: np.ndarray


class Inputs(NamedTuple):
    """The state and parameters as inputs of the tapes, and the sizes of their parts."""

    x: np.ndarray
    """(n_in, 8)."""
    quaternions: np.ndarray
    """Indices of the first coordinates of quaternions."""
    n: int
    nq: int
    m: int
    """Number of unilateral constraints."""
    kept: int
    """Number of bilateral conditions."""
    placed: int
    """Number of the coordinates that velocities move; masses follow them."""
    units: Units


class Span(NamedTuple):
    """Steps to be taken: the instant at which they begin [s], their length [s], and their number."""

    t: float
    h: float
    steps: int


class Rules(NamedTuple):
    """How steps are taken."""

    theta: float
    located: bool
    """Whether a step is cut where a gap closes fast, with an impact of zero duration there."""
    lenient: bool
    """Whether steps continue if their forces do not converge, such as discontinuous ones."""
    residual: float
    """The residual at which the solver stops."""
    tolerance: float
    """The residual above which the run ends."""
    most: int
    """The largest number of sweeps."""


class Records(NamedTuple):
    """The records of a chunk, one row each: a step, a part of a step, or an impact of zero duration."""

    ends: np.ndarray
    """The instant at its end."""
    states: np.ndarray
    """The state after it."""
    free: np.ndarray
    """Velocities at its end without contact."""
    jumps: np.ndarray
    """Velocity changes by impulses."""
    rates: np.ndarray
    """q̇ at its middle for the velocities at its start, for the velocities ``free``, and for those at its end."""
    impulses: np.ndarray
    residuals: np.ndarray
    sweeps: np.ndarray
    corrections: np.ndarray
    """Displacements that corrected positions in penetration."""


class Program(NamedTuple):
    """Tapes of a step with inputs x and outputs y, z, all (…, 8)."""

    motion: int
    unilaterals: int
    distances: int
    x: np.ndarray
    y: np.ndarray
    z: np.ndarray
    n: int
    nq: int
    quaternions: np.ndarray
    place: np.ndarray
    """Scratch (nq,)."""
    placed: int
    """Number of the coordinates that velocities move; masses follow them."""
    units: Units


class Step(NamedTuple):
    """A step, or a part of one, from (q, v), and its contact-free motion."""

    t: float
    length: float
    h: float
    """Length of the whole step [s]."""
    q: np.ndarray
    v: np.ndarray
    unbound: np.ndarray
    """Velocities at its end (nv,), without the change by impulses."""
    middle: np.ndarray
    """Coordinates where the rates are evaluated (nq,)."""
    slow: np.ndarray
    """q̇ there for the velocities v (nq,)."""
    fast: np.ndarray
    """q̇ there for the velocities ``unbound`` (nq,)."""


class Watched(NamedTuple):
    """Gaps of unilateral constraints within a step."""

    gaps: np.ndarray
    """Outputs of the tape of gaps and their velocities (n_out, 8)."""
    apart: np.ndarray
    """Which gaps are checked (m,)."""
    struck: np.ndarray
    """Which gaps close first, together (m,)."""
    later: np.ndarray
    """Gaps that close as fast, at that time or later, and are inactive until their impact (m,)."""
    slow: np.ndarray
    """Velocities (m,) that count as rest in a step."""
    lately: np.ndarray
    """Constraints active in the last step or in a part of this one (m,)."""


class StepRows(NamedTuple):
    """Rows of a step in its middle, where impulses act, and at its ends, to which the impact law refers."""

    every: Rows
    """Of unilateral constraints and contacts between shapes."""
    own: Rows
    """Of unilateral constraints alone, views of the same arrays."""
    first: np.ndarray
    """Jacobian at the beginning of the step, with drifts in the last column (3 T, nv + 1)."""
    last: np.ndarray
    """The same at the end of the contact-free step, so that closed contacts move along the constraint surface there."""
    G_last: np.ndarray
    """Bilateral conditions on the velocities there."""
    laws: Laws


class Impulses(NamedTuple):
    """Impulses with which the solver starts, the solution (3 T,), and the velocity change that it causes (nv,)."""

    begun: np.ndarray
    made: np.ndarray
    change: np.ndarray


class Memory(NamedTuple):
    """Data passed from one step to the next."""

    P: np.ndarray
    """Impulses of the last step, the warm start of the next (3 b,)."""
    pressed: np.ndarray
    """Which unilateral constraints were active in it (m,)."""
    hits: np.ndarray
    """The last instants (m, k) at which they had impulses, -inf where there were fewer."""


class Workspace(NamedTuple):
    """Scratch of the steps of a chunk."""

    program: Program
    rows: StepRows
    impulses: Impulses
    watched: Watched
    active: np.ndarray
    """Which triples of rows are active (T,)."""
    step: Step
    """The arrays of every step; its instants and lengths are not used."""
    after: np.ndarray
    """Velocities at the end of a step (nv,)."""
    holding: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
    """Workspace and rates of a projection, and which lanes wait for it and which it has broken (8,)."""
