"""The arrays of a step of a tree, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.contact.trees.arrays import Laws, Rows


class Tapes(NamedTuple):
    """Addresses of compiled tapes; ``projection`` is zero without two-sided conditions."""

    motion: int
    unilaterals: int
    distances: int
    projection: int


class Inputs(NamedTuple):
    """The state and parameters as tapes take them, and how many numbers are what."""

    x: np.ndarray
    """(n_in, 8)."""
    quaternions: np.ndarray
    """First coordinates of quaternions."""
    n: int
    nq: int
    m: int
    """Unilateral constraints."""
    kept: int
    """Two-sided conditions."""


class Span(NamedTuple):
    """Steps to be taken: the instant at which they begin, their length, both in s, and how many."""

    t: float
    h: float
    steps: int


class Rules(NamedTuple):
    """How steps are taken."""

    theta: float
    located: bool
    """Whether a step is cut where a gap closes swiftly, and the impact happens there in no time."""
    lenient: bool
    """Whether steps continue whose forces do not converge, such as discontinuous ones."""
    residual: float
    """To which impulses are sought."""
    tolerance: float
    """The residual above which the run ends."""
    most: int
    """The most sweeps."""


class Records(NamedTuple):
    """What is written, a row each: a step, a part of one, or an impact of no duration."""

    ends: np.ndarray
    """The instant at its end."""
    states: np.ndarray
    """The state after it."""
    free: np.ndarray
    """Velocities with which it would end if nothing were touched."""
    jumps: np.ndarray
    """What impulses change in them."""
    rates: np.ndarray
    """q̇ at its middle for the velocities at its start, for these, and at its end."""
    impulses: np.ndarray
    residuals: np.ndarray
    sweeps: np.ndarray
    corrections: np.ndarray
    """How far positions were pushed out of unilateral constraints."""


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


class Step(NamedTuple):
    """A step, or a part of one, from (q, v), and what it would be if nothing were touched."""

    t: float
    length: float
    h: float
    """Length of the whole step [s]."""
    q: np.ndarray
    v: np.ndarray
    unbound: np.ndarray
    """Velocities at its end (nv,), less what impulses change."""
    middle: np.ndarray
    """The place where rates are taken (nq,)."""
    slow: np.ndarray
    """q̇ there for the velocities v (nq,)."""
    fast: np.ndarray
    """q̇ there for the velocities ``unbound`` (nq,)."""


class Watched(NamedTuple):
    """Gaps of unilateral constraints within a step."""

    gaps: np.ndarray
    """Outputs of the tape of gaps and their speeds (n_out, 8)."""
    apart: np.ndarray
    """Which gaps are looked at (m,)."""
    struck: np.ndarray
    """Which gaps close first, together (m,)."""
    later: np.ndarray
    """Gaps that close as fast, then or later, and are inactive until their impact (m,)."""
    slow: np.ndarray
    """Velocities (m,) that count as rest in a step."""
    lately: np.ndarray
    """Constraints active in the last step or in a part of this one (m,)."""


class StepRows(NamedTuple):
    """Rows of a step in its middle, where impulses act, and at its ends, which the law is about."""

    every: Rows
    """Of unilateral constraints and contacts between shapes."""
    own: Rows
    """Of unilateral constraints alone, views of the same arrays."""
    first: np.ndarray
    """Jacobian where the step begins, with drifts in the last column (3 T, nv + 1)."""
    last: np.ndarray
    """Where it would end, so that what stays closed moves along the unilateral constraint there."""
    G_last: np.ndarray
    """Two-sided conditions that allow velocities there."""
    laws: Laws


class Impulses(NamedTuple):
    """Impulses with which a solution begins, those that are found (3 T,), and the change of velocity that they make (nv,)."""

    begun: np.ndarray
    made: np.ndarray
    change: np.ndarray


class Memory(NamedTuple):
    """What one step leaves to the next."""

    P: np.ndarray
    """Impulses of the last step, with which the next are begun (3 b,)."""
    pressed: np.ndarray
    """Which unilateral constraints pressed in it (m,)."""
