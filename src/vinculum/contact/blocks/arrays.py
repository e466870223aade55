"""The arrays of contacts between blocks, by name."""

from typing import NamedTuple

import numpy as np

from vinculum.contact.sparse.factors import Factors


class Blocks(NamedTuple):
    """Blocks with shapes; numbers of a block are found in one long array."""

    count: np.ndarray  # type: ignore[override]
    """Numbers of velocities (k,)."""
    first: np.ndarray
    """Places of the first velocities among those of all blocks (k,)."""
    screws: np.ndarray
    """Where the screws (nv, 6) of a block begin (k,)."""
    mass: np.ndarray
    """Where the mass matrix (nv, nv) of a block begins (k,)."""
    inverse_at: np.ndarray
    """Where its inverse begins in ``inverse`` (k,)."""
    inverse: np.ndarray
    """Inverse mass matrices, one after the other, by columns."""
    state: np.ndarray
    """For each velocity in a row of eight, its place in the velocities of the system; −1 for none (n, 8)."""
    group: np.ndarray
    """Numbers of the groups of blocks (k,)."""


class Groups(NamedTuple):
    """Blocks that conditions join; a block without conditions is alone. The velocities of a group follow each other."""

    count: np.ndarray  # type: ignore[override]
    """Numbers of velocities (g,)."""
    first: np.ndarray
    """Places of the first velocities among those of all blocks (g,)."""
    begins: np.ndarray
    """Where the blocks of a group begin in ``members`` (g + 1,)."""
    members: np.ndarray
    """Blocks, group by group (k,)."""
    rows: np.ndarray
    """First and last row of the conditions of a group, in their order of elimination (g, 2)."""


class Conditions(NamedTuple):
    """What conditions do to blocks: one entry for every end of a condition on a block, block by block."""

    begins: np.ndarray
    """Where the entries of a block begin (k + 1,)."""
    row: np.ndarray
    """The first row of the condition, in the order of elimination (e,)."""
    count: np.ndarray  # type: ignore[override]
    """Its number of rows (e,)."""
    jacobian: np.ndarray
    """Where its Jacobian by the twist of this end begins in the long array (e,)."""
    stride: np.ndarray
    """Numbers from one row of the Jacobian to the next (e,)."""
    twists: np.ndarray
    """Where the twists (6, nv) of the body of this end begin in the long array (e,)."""
    at: np.ndarray
    """Where the velocities by unit multipliers begin in ``answers`` (e,)."""
    answers: np.ndarray
    """M⁻¹Jᵀ of the entries, (nv, count) each."""
    x: np.ndarray
    """Multipliers (m,), to work with."""


class Unilaterals(NamedTuple):
    """Unilateral constraints on blocks: one entry for every body or joint of one, constraint by constraint."""

    gap: np.ndarray
    """Where the gaps are in the long array (u,)."""
    drift: np.ndarray
    """Where the velocities (3) of blocks at rest begin in the long array (u,)."""
    begins: np.ndarray
    """Where the entries of a constraint begin (u + 1,)."""
    group: np.ndarray
    """The groups of blocks that it moves, −1 for none (u, 2)."""
    block: np.ndarray
    """The block of an entry (e,)."""
    is_first: np.ndarray
    """Whether no entry before it is on the same block (e,)."""
    jacobian: np.ndarray
    """Where the Jacobian (3, width) by the motion of this end begins in the long array (e,)."""
    stride: np.ndarray
    """Numbers from one row of the Jacobian to the next (e,)."""
    width: np.ndarray
    """Numbers of a row: 6 for the twist of a body, or those of a joint's velocities (e,)."""
    twists: np.ndarray
    """Where the twists (6, nv) of a body begin in the long array; −1 for joints (e,)."""
    moved: np.ndarray
    """Where the twist of a body by prescribed motions begins, at the world's origin; −1 for joints (e,)."""
    place: np.ndarray
    """Where the position of a body begins; −1 for joints (e,)."""
    offset: np.ndarray
    """The velocity of a joint among those of its block (e,)."""
    laws: np.ndarray
    """e, μ (−1 without friction), and whether e is Poisson's (u, 3)."""
    last: np.ndarray
    """Impulses of the last step per duration (u, 3)."""


class Mounting(NamedTuple):
    """Where the moving shapes are on their blocks."""

    block: np.ndarray
    """Numbers of the blocks (s,)."""
    frames: np.ndarray
    """Where the frame of the shape's body begins: position, rotation, velocity, angular velocity (s,)."""
    drifts: np.ndarray
    """Where the twist of its body by prescribed motions begins (s,)."""
    offset: np.ndarray
    """Centers in the bodies' frames (s, 3) [m]."""
    tilt: np.ndarray
    """Axes in the bodies' frames (s, 3, 3)."""
    carried: np.ndarray
    """Which velocities of its block move a shape (s, w)."""


class ConstrainedBlocks(NamedTuple):
    """Blocks with shapes, and the conditions that hold them."""

    Z: np.ndarray
    """The long array."""
    blocks: Blocks
    groups: Groups
    mounting: Mounting
    strains: np.ndarray
    """Where the strains (nv, 9) of a block that deforms begin in the long array; −1 for others (k,)."""
    conditions: Conditions
    factors: Factors
    """Factors of J M⁻¹Jᵀ of all conditions."""
    unilaterals: Unilaterals


class Carriers(NamedTuple):
    """Matrices that carry the points of bodies with shapes, in the long array."""

    matrix: np.ndarray
    """Where the matrix of the shape's body begins: a rotation, or a deformation (s,)."""
    rate: np.ndarray
    """Where the rate of a deformation begins; −1 for bodies that do not deform (s,)."""
