"""Which bodies of a pile are near each other: a grid of cells, hashed, so that the work grows with the number of bodies."""

import numpy as np
from numba import njit

from vinculum.tolerances.shapes import SIZE_CLASS

SPHERE, BOX, CAPSULE, PLANE, CYLINDER, POLYTOPE, SURFACE, SHEET = 0, 1, 2, 3, 4, 5, 6, 7
"""Kinds of shapes. A plane bounds the half-space on the side of its normal; a sheet keeps bodies on either side of it."""


@njit(nogil=True, cache=True, error_model="numpy")
def near_pairs(center, reach, kind, size, moving, margin, head, following, cells, first, second):
    """How many pairs have bounding spheres nearer than ``margin`` [m]; they are written to ``first``, ``second`` as far as there is room.

    ``center`` (n, 3), ``reach`` (n,): bounding spheres; the first ``moving`` bodies move, the others are fixed. A plane has its
    normal in ``size`` and a point in ``center``. ``head`` (a power of two), ``following`` (n,) and ``cells`` (n, 4) are scratch.
    Bodies of about one size share a grid of cells twice as wide; each is looked for in its own grid and in those of the larger ones, so
    that a few large bodies among many small ones cost little.
    """
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
    count = 0
    for level in range(coarsest, -1, -1):
        for i in range(len(reach)):
            if cells[i, 3] != level:
                continue
            count = _in_grids(
                i, level, coarsest, center, reach, moving, least, margin, head, following, cells, first, second, count
            )
            own = _bucket(cells[i, 0], cells[i, 1], cells[i, 2] + 7919 * level, len(head))
            following[i] = head[own]
            head[own] = i
            if i < moving:
                count = _at_walls(i, center, reach, kind, size, moving, margin, first, second, count)
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _in_grids(i, level, coarsest, center, reach, moving, least, margin, head, following, cells, first, second, count):
    """Pairs of body i with those that are in the grids already."""
    for coarse in range(level, coarsest + 1):
        side = 2.0 * least * 2.0**coarse + margin
        a, b, c = (
            int(np.floor(center[i, 0] / side)),
            int(np.floor(center[i, 1] / side)),
            int(np.floor(center[i, 2] / side)),
        )
        for da in range(-1, 2):
            for db in range(-1, 2):
                for dc in range(-1, 2):
                    j = head[_bucket(a + da, b + db, c + dc + 7919 * coarse, len(head))]
                    while j >= 0:
                        if (
                            cells[j, 3] == coarse
                            and cells[j, 0] == a + da
                            and cells[j, 1] == b + db
                            and cells[j, 2] == c + dc
                            and (i < moving or j < moving)
                        ):
                            x, y, z = (
                                center[i, 0] - center[j, 0],
                                center[i, 1] - center[j, 1],
                                center[i, 2] - center[j, 2],
                            )
                            far = reach[i] + reach[j] + margin
                            if x * x + y * y + z * z < far * far:
                                if count < len(first):
                                    first[count], second[count] = min(i, j), max(i, j)
                                count += 1
                        j = following[j]
    return count


@njit(nogil=True, cache=True, error_model="numpy")
def _at_walls(i, center, reach, kind, size, moving, margin, first, second, count):
    """Pairs of body i with planes, sheets and surfaces."""
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
def remembered(first, second, pairs, old_first, old_second, old_pairs, old_start, old_count, start, count, table):
    """Carry over where the last contacts of pairs stand, from an old list of pairs to a new one. ``table``: scratch, a power of two."""
    for k in range(len(table)):
        table[k] = -1
    mask = len(table) - 1
    for k in range(old_pairs):
        if old_count[k]:
            place = _bucket(old_first[k], old_second[k], 0, len(table))
            while table[place] >= 0:
                place = (place + 1) & mask
            table[place] = k
    for k in range(pairs):
        start[k], count[k] = 0, 0
        place = _bucket(first[k], second[k], 0, len(table))
        while table[place] >= 0:
            old = table[place]
            if old_first[old] == first[k] and old_second[old] == second[k]:
                start[k], count[k] = old_start[old], old_count[old]
                break
            place = (place + 1) & mask
