"""Broad phase: pairs of bodies near each other, by a hashed grid of cells, in linear time."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import FEW_SHAPES, SIZE_CLASS

SPHERE, BOX, CAPSULE, PLANE, CYLINDER, POLYTOPE, SURFACE, SHEET, DEFORMED, ELLIPSOID, CONE = (
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
)
"""Kinds of shapes. A plane bounds the half-space on the side of its normal; a sheet keeps bodies on the side where they are. A deformed
shape is a polytope and an ellipsoid is a sphere whose axes need not be orthonormal.
"""


class Levels(NamedTuple):
    """Grids of cells, each with cells twice as wide as the one before."""

    least: float
    """The smallest radius [m]."""
    coarsest: int
    margin: float
    """How much wider cells are than shapes [m]."""


@njit(nogil=True, cache=True, error_model="numpy")
def near_pairs(shapes, moving, margin, grid, pairs):
    """Number of pairs whose bounding spheres are nearer than ``margin`` [m]; they are written to ``pairs`` if they fit.

    The first ``moving`` shapes move, the others are fixed. ``grid``: scratch. Bodies of similar size share a grid of cells twice as wide
    as they are. Each body is searched for in its own grid and in those of larger bodies, so that a few large bodies among many small
    ones cost little.
    """
    center, kind, reach = shapes.center, shapes.kind, shapes.reach
    if len(reach) <= FEW_SHAPES:
        return _of_few(shapes, moving, margin, pairs)
    head, following, cells = grid.head, grid.following, grid.cells
    least = np.inf
    for i in range(len(reach)):
        if kind[i] != PLANE and kind[i] != SHEET and kind[i] != SURFACE:
            least = min(least, reach[i])
    coarsest = 0
    for i in range(len(reach)):
        if kind[i] != PLANE and kind[i] != SHEET and kind[i] != SURFACE:
            cells[i, 3] = int(np.ceil(np.log2(reach[i] / least) - SIZE_CLASS))
            coarsest = max(coarsest, cells[i, 3])
            side = 2.0 * least * 2.0 ** cells[i, 3] + margin
            for k in range(3):
                cells[i, k] = int(np.floor(center[i, k] / side))
        else:
            cells[i, 3] = -1
    for k in range(len(head)):
        head[k] = -1
    # A plain 0 has its own type in Numba, for which all called functions would be compiled once more.
    count, levels = np.int64(0), Levels(least, coarsest, margin)
    for level in range(coarsest, -1, -1):
        for i in range(len(reach)):
            if cells[i, 3] != level:
                continue
            count = _in_grids(i, levels, shapes, moving, grid, pairs, count)
            own = _bucket(cells[i, 0], cells[i, 1], cells[i, 2] + 7919 * level, len(head))
            following[i] = head[own]
            head[own] = i
            if i < moving:
                count = _at_walls(i, shapes, moving, margin, pairs, count)
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _of_few(shapes, moving, margin, pairs):
    """The same by a look at every pair."""
    center, kind, reach, count = shapes.center, shapes.kind, shapes.reach, np.int64(0)
    for i in range(moving):
        for j in range(i + 1, len(reach)):
            if kind[j] == PLANE or kind[j] == SHEET or kind[j] == SURFACE:
                continue
            x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
            far = reach[i] + reach[j] + margin
            if x * x + y * y + z * z < far * far:
                if count < len(pairs.first):
                    pairs.first[count], pairs.second[count] = i, j
                count += 1
        count = _at_walls(i, shapes, moving, margin, pairs, count)
    return count


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _in_grids(i, levels, shapes, moving, grid, pairs, count):
    """Pairs of body i with those that are already in the grids: in the cells where such a body may be that is near enough."""
    center, reach, margin = shapes.center, shapes.reach, levels.margin
    head, following, cells = grid.head, grid.following, grid.cells
    first, second = pairs.first, pairs.second
    for coarse in range(cells[i, 3], levels.coarsest + 1):
        side = 2.0 * levels.least * 2.0**coarse + margin
        far = reach[i] + levels.least * 2.0 ** (coarse + SIZE_CLASS) + margin
        x, y, z = center[i, 0], center[i, 1], center[i, 2]
        for a in range(int(np.floor((x - far) / side)), int(np.floor((x + far) / side)) + 1):
            for b in range(int(np.floor((y - far) / side)), int(np.floor((y + far) / side)) + 1):
                for c in range(int(np.floor((z - far) / side)), int(np.floor((z + far) / side)) + 1):
                    j = head[_bucket(a, b, c + 7919 * coarse, len(head))]
                    while j >= 0:
                        own = cells[j, 3] == coarse and cells[j, 0] == a and cells[j, 1] == b and cells[j, 2] == c
                        if own and (i < moving or j < moving):
                            dx, dy, dz = x - center[j, 0], y - center[j, 1], z - center[j, 2]
                            near = reach[i] + reach[j] + margin
                            if dx * dx + dy * dy + dz * dz < near * near:
                                if count < len(first):
                                    first[count], second[count] = min(i, j), max(i, j)
                                count += 1
                        j = following[j]
    return count


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _at_walls(i, shapes, moving, margin, pairs, count):
    """Pairs of body i with planes, sheets and surfaces."""
    center, kind, size, reach = shapes.center, shapes.kind, shapes.size, shapes.reach
    first, second = pairs.first, pairs.second
    for j in range(moving, len(reach)):
        near = kind[j] == PLANE or kind[j] == SHEET or kind[j] == SURFACE
        if not near:
            continue
        x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
        if kind[j] == SURFACE:
            far = reach[i] + reach[j] + margin
            near = x * x + y * y + z * z < far * far
        else:
            height = x * size[j, 0] + y * size[j, 1] + z * size[j, 2]
            near = (height if kind[j] == PLANE else abs(height)) < reach[i] + margin
        if near:
            if count < len(first):
                first[count], second[count] = i, j
            count += 1
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _bucket(a, b, c, count):
    return (a * 73856093 ^ b * 19349663 ^ c * 83492791) & (count - 1)


@njit(nogil=True, cache=True, error_model="numpy")
def carry_over(old, known, pairs, made, table):
    """Carry over the positions of the last contacts of pairs, from ``known`` old pairs to the ``made`` new ones. ``table``: scratch."""
    old_first, old_second, old_start, old_count = old.first, old.second, old.start, old.counts
    first, second, start, count = pairs.first, pairs.second, pairs.start, pairs.counts
    size = len(table)
    while size > 4 * known + 4:
        size //= 2
    for k in range(size):
        table[k] = -1
    mask = size - 1
    for k in range(known):
        if old_count[k]:
            place = _bucket(old_first[k], old_second[k], 0, size)
            while table[place] >= 0:
                place = (place + 1) & mask
            table[place] = k
    for k in range(made):
        start[k], count[k] = 0, 0
        place = _bucket(first[k], second[k], 0, size)
        while table[place] >= 0:
            old = table[place]
            if old_first[old] == first[k] and old_second[old] == second[k]:
                start[k], count[k] = old_start[old], old_count[old]
                break
            place = (place + 1) & mask
