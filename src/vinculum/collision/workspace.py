"""Workspace of the narrow phase for all shapes: nothing is allocated per pair."""

import numpy as np

from vinculum.collision.arrays import Workspace
from vinculum.collision.supports import FIRST
from vinculum.compile.kernels import njit

SIMPLEX, VECTORS, TIES, AXES, SPARE = 17, 6, 7, 4, 40


def workspace_of(corners: list[int], faces: list[int], loops: list[int]) -> np.ndarray:
    """An array for cores of solids with these numbers of corners and faces, and for faces with these numbers of corners.

    Its first row holds the numbers of rows of a core and of a face.
    """
    core = FIRST + max(max(c + 2 * f for c, f in zip(corners, faces, strict=True)), 8)
    ring = max(*loops, *corners, 4)
    workspace = np.zeros((1 + 2 * core + SIMPLEX + VECTORS + TIES + AXES + 2 * ring + 2 * (4 * ring + SPARE), 3))
    workspace[0, 0], workspace[0, 1] = core, ring
    return workspace


@njit(nogil=True, cache=True)
def divide(workspace):
    """Divide the array into its parts."""
    core, ring = np.int64(workspace[0, 0]), np.int64(workspace[0, 1])
    a = 1 + 2 * core
    b = a + SIMPLEX
    c = b + VECTORS
    d = c + TIES
    e = d + AXES
    f = e + 2 * ring
    g = f + 4 * ring + SPARE
    return Workspace(
        workspace[1 : 1 + core],
        workspace[1 + core : a],
        workspace[a:b],
        workspace[b:c],
        workspace[c:d],
        workspace[d:e],
        workspace[e : e + ring],
        workspace[e + ring : f],
        workspace[f:g],
        workspace[g:],
    )
