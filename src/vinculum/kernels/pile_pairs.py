"""Which bodies of a pile are near each other: a grid of cells, hashed, so that the work grows with the number of bodies."""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)

SPHERE, BOX, CAPSULE, PLANE = 0, 1, 2, 3
"""Kinds of shapes. A plane bounds the half-space on the side of its normal."""


@njit(nogil=True, cache=True)
def near_pairs(center, reach, kind, size, moving, margin, head, following, cells, first, second):
    """How many pairs have bounding spheres nearer than ``margin`` [m]; they are written to ``first``, ``second`` as far as there is room.

    ``center`` (n, 3), ``reach`` (n,): bounding spheres; the first ``moving`` bodies move, the others are fixed. A plane has its
    normal in ``size`` and a point in ``center``. ``head`` (a power of two), ``following`` and ``cells`` (moving, 3) are scratch.
    """
    widest = 0.0
    for i in range(moving):
        widest = max(widest, reach[i])
    side = 2.0 * widest + margin
    head[:] = -1
    for i in range(moving):
        for k in range(3):
            cells[i, k] = int(np.floor(center[i, k] / side))
    count = 0
    for i in range(moving):
        a, b, c = cells[i]
        for da in range(-1, 2):
            for db in range(-1, 2):
                for dc in range(-1, 2):
                    j = head[_bucket(a + da, b + db, c + dc, len(head))]
                    while j >= 0:
                        if cells[j, 0] == a + da and cells[j, 1] == b + db and cells[j, 2] == c + dc:
                            x, y, z = (
                                center[i, 0] - center[j, 0],
                                center[i, 1] - center[j, 1],
                                center[i, 2] - center[j, 2],
                            )
                            far = reach[i] + reach[j] + margin
                            if x * x + y * y + z * z < far * far:
                                if count < len(first):
                                    first[count], second[count] = j, i
                                count += 1
                        j = following[j]
        own = _bucket(a, b, c, len(head))
        following[i] = head[own]
        head[own] = i
        for j in range(moving, len(reach)):
            x, y, z = center[i, 0] - center[j, 0], center[i, 1] - center[j, 1], center[i, 2] - center[j, 2]
            if kind[j] == PLANE:
                near = x * size[j, 0] + y * size[j, 1] + z * size[j, 2] < reach[i] + margin
            else:
                far = reach[i] + reach[j] + margin
                near = x * x + y * y + z * z < far * far
            if near:
                if count < len(first):
                    first[count], second[count] = i, j
                count += 1
    return count


@njit(nogil=True, cache=True)
def _bucket(a, b, c, count):
    return (a * 73856093 ^ b * 19349663 ^ c * 83492791) & (count - 1)


@njit(nogil=True, cache=True)
def remembered(first, second, pairs, old_first, old_second, old_pairs, old_start, old_count, start, count, table):
    """Carry over where the last contacts of pairs stand, from an old list of pairs to a new one. ``table``: scratch, a power of two."""
    table[:] = -1
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
