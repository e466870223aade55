"""The arrays of contacts between blocks, by name."""

from typing import NamedTuple

import numpy as np


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
    """Inverse mass matrices, one after the other."""
    state: np.ndarray
    """For each velocity in a row of eight, its place in the velocities of the system; −1 for none (n, 8)."""


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


class Carriers(NamedTuple):
    """Matrices that carry the points of bodies with shapes, and the strains of blocks that deform, in the long array."""

    matrix: np.ndarray
    """Where the matrix of the shape's body begins: a rotation, or a deformation (s,)."""
    rate: np.ndarray
    """Where the rate of a deformation begins; −1 for bodies that do not deform (s,)."""
    strains: np.ndarray
    """Where the strains (nv, 9) of a block that deforms begin; −1 for others (k,)."""
