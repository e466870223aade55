"""Where shapes of all kinds meet, cylinders, polytopes and surfaces among them."""

import numpy as np
from numba import carray, njit  # pyright: ignore[reportPrivateImportUsage]

from vinculum.collision.broad_phase import CYLINDER, PLANE, SHEET, SPHERE, SURFACE
from vinculum.collision.contact_frame import add
from vinculum.collision.convex.contacts import convex
from vinculum.collision.narrow_phase.entry import (
    FIXED,
    MET,
    PAIRS,
    flags,
    float_rows,
    floats,
    matrices,
    whole,
    whole_rows,
)
from vinculum.collision.narrow_phase.primitives import above, meet, reached
from vinculum.collision.primitives.cylinders import cylinder_plane, nearest_in_cylinder, polytope_plane
from vinculum.collision.surfaces import surface
from vinculum.collision.workspace import laid


@njit(nogil=True, cache=True)
def _meetings(
    first, second, pairs, center, turn, kind, size, solids, surfaces, margin, velocity, reach, step, found, start, count
):
    m, workspace = np.int64(0), laid(solids[6])
    for k in range(pairs):
        i, j = first[k], second[k]
        far = reached(i, j, margin, velocity, step)
        start[k] = m
        a, b = kind[i], kind[j]
        if b == SURFACE:
            m = surface(m, i, j, center, turn, kind, size, reach, far, solids, surfaces, workspace, found)
        elif a < CYLINDER and (b < CYLINDER or b == SHEET):
            m = meet(m, i, j, center, turn, kind, size, reach, far, found)
        elif b in (PLANE, SHEET):
            height, n0, n1, n2 = above(i, j, center, kind, size)
            if height - reach[i] <= far:
                if a == CYLINDER:
                    m = cylinder_plane(m, i, n0, n1, n2, j, center, turn, size, far, found)
                else:
                    m = polytope_plane(m, i, n0, n1, n2, j, center, turn, size, far, solids, found)
        elif a == SPHERE and b == CYLINDER:
            m = _ball_cylinder(m, i, j, 1.0, center, turn, size, far, found)
        elif a == CYLINDER and b == SPHERE:
            m = _ball_cylinder(m, j, i, -1.0, center, turn, size, far, found)
        else:
            m = convex(m, i, j, center, turn, kind, size, reach, far, solids, workspace, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True)
def _ball_cylinder(m, i, j, sign, center, turn, size, far, found):
    """The contact of sphere i with cylinder j; ``sign`` −1 writes j as the first body."""
    gap, n0, n1, n2 = nearest_in_cylinder(center[i, 0], center[i, 1], center[i, 2], j, center, turn, size)
    gap -= size[i, 0]
    if gap > far:
        return m
    r = size[i, 0] + 0.5 * gap
    x, y, z = center[i, 0] - r * n0, center[i, 1] - r * n1, center[i, 2] - r * n2
    if sign > 0.0:
        return add(m, i, j, n0, n1, n2, x, y, z, gap, found)
    return add(m, j, i, -n0, -n1, -n2, x, y, z, gap, found)


def general_phase(table):
    """Find the contacts of the pairs in a table, of shapes of all kinds."""
    T = carray(table, (FIXED + 64,))
    lengths = floats(T, 10)
    solids = (
        float_rows(T, 11, 3),
        whole(T, 12),
        float_rows(T, 13, 3),
        whole(T, 14),
        whole(T, 15),
        whole(T, 16),
        float_rows(T, 17, 3),
    )
    surfaces = (float_rows(T, 18, 3), whole_rows(T, 19, 3), float_rows(T, 20, 3), flags(T, 21), whole(T, 22), whole(T, 23),
                float_rows(T, 24, 6), whole_rows(T, 25, 3), whole(T, 26), whole(T, 27))  # fmt: skip
    found = whole_rows(T, 28, 2), matrices(T, 29), float_rows(T, 30, 3), floats(T, 31)
    T[MET] = _meetings(
        whole(T, 0), whole(T, 1), T[PAIRS], float_rows(T, 4, 3), matrices(T, 5), whole(T, 6), float_rows(T, 7, 3), solids, surfaces,
        lengths[0], float_rows(T, 8, 8), floats(T, 9), lengths[1], found, whole(T, 2), whole(T, 3),
    )  # fmt: skip
