"""Narrow phase for all shapes, including cylinders, polytopes and surfaces."""

import numpy as np

from vinculum.collision.broad_phase import CAPSULE, CONE, CYLINDER, ELLIPSOID, PLANE, SHEET, SPHERE, SURFACE
from vinculum.collision.contact_frame import add
from vinculum.collision.convex.contacts import convex
from vinculum.collision.narrow_phase.entry import (
    ARRAYS,
    FIXED,
    MET,
    PAIRS,
    approach_in,
    contacts_in,
    pairs_in,
    shapes_in,
    solids_in,
    surfaces_in,
    workspace_in,
)
from vinculum.collision.narrow_phase.primitives import above, meet
from vinculum.collision.narrow_phase.spheres import farthest_gap
from vinculum.collision.primitives.cones import cone_plane
from vinculum.collision.primitives.cylinders import cylinder_plane, nearest_in_cylinder, polytope_plane
from vinculum.collision.primitives.ellipsoids import ellipsoid_other, ellipsoid_plane
from vinculum.collision.surfaces import surface
from vinculum.collision.workspace import divide
from vinculum.compile.kernels import carray, njit


@njit(nogil=True, cache=True)
def _meetings(pairs, listed, shapes, approach, solids, workspace, surfaces, found):
    kind, reach = shapes.kind, shapes.reach
    first, second, start, count = pairs.first, pairs.second, pairs.start, pairs.counts
    m = np.int64(0)
    for k in range(listed):
        i, j = first[k], second[k]
        far = farthest_gap(i, j, approach)
        start[k] = m
        a, b = kind[i], kind[j]
        if b == SURFACE:
            m = surface(m, (i, j), shapes, far, solids, surfaces, workspace, found)
        elif a < CYLINDER and (b < CYLINDER or b == SHEET):
            m = meet(m, i, j, shapes, far, found)
        elif b in (PLANE, SHEET):
            height, n = above(i, j, shapes)
            if height - reach[i] <= far:
                if a == CYLINDER:
                    m = cylinder_plane(m, i, j, n, shapes, far, found)
                elif a == CONE:
                    m = cone_plane(m, i, j, n, shapes, far, found)
                elif a == ELLIPSOID:
                    m = ellipsoid_plane(m, i, j, n, shapes, far, found)
                else:
                    m = polytope_plane(m, i, j, n, shapes, far, solids, found)
        elif (a == ELLIPSOID and _is_mapped(b)) or (b == ELLIPSOID and _is_mapped(a)):
            m = ellipsoid_other(m, i, j, shapes, far, solids, workspace, found)
        elif a == SPHERE and b == CYLINDER:
            m = _ball_cylinder(m, i, j, 1.0, shapes, far, found)
        elif a == CYLINDER and b == SPHERE:
            m = _ball_cylinder(m, j, i, -1.0, shapes, far, found)
        else:
            m = convex(m, i, j, shapes, far, solids, workspace, found)
        count[k] = m - start[k]
    return m


@njit(nogil=True, cache=True)
def _is_mapped(kind):
    """Whether a shape is of the same kind in the space in which an ellipsoid is a ball."""
    return kind != CAPSULE and kind != CYLINDER and kind != CONE


@njit(nogil=True, cache=True)
def _ball_cylinder(m, i, j, sign, shapes, far, found):
    """The contact of sphere i with cylinder j; ``sign`` −1 writes j as the first body."""
    center, radius = shapes.center, shapes.size[i, 0]
    gap, n0, n1, n2 = nearest_in_cylinder((center[i, 0], center[i, 1], center[i, 2]), j, shapes)
    gap -= radius
    if gap > far:
        return m
    r = radius + 0.5 * gap
    p = center[i, 0] - r * n0, center[i, 1] - r * n1, center[i, 2] - r * n2
    if sign > 0.0:
        return add(m, i, j, (n0, n1, n2), p, gap, found)
    return add(m, j, i, (-n0, -n1, -n2), p, gap, found)


def general_phase(table):
    """Find the contacts of the pairs in a table, of shapes of all kinds."""
    T = carray(table, (FIXED + 2 * ARRAYS,))
    solids, workspace, surfaces = solids_in(T), divide(workspace_in(T)), surfaces_in(T)
    T[MET] = _meetings(pairs_in(T), T[PAIRS], shapes_in(T), approach_in(T), solids, workspace, surfaces, contacts_in(T))
