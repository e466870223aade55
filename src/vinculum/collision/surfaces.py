"""Contacts of shapes with surfaces of triangles, which act on shapes whose centers are in front of them.

A tree of bounding boxes finds the triangles near a shape. At an edge or corner, a direction counts as a normal of the surface only if
all neighbors lie behind the plane perpendicular to it. So no shape catches on edges between coplanar triangles or in a valley.
"""

import numpy as np

from vinculum.collision.arrays import Polyhedra
from vinculum.collision.broad_phase import SPHERE
from vinculum.collision.contact_frame import add_round
from vinculum.collision.convex.contacts import meeting, nearest
from vinculum.collision.manifolds.faces import OF_SECOND, facing
from vinculum.collision.manifolds.reduction import lowest_of
from vinculum.collision.supports import FIRST, TRIANGLE, core, head_core, lowest
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import NORMAL_CONE, SAME_NORMAL, SHALLOW


@njit(nogil=True, cache=True, forceinline=True)
def surface(m, pair, shapes, far, solids, surfaces, workspace, found):
    """Contacts of a convex shape with a surface."""
    i, j = pair
    root, center, wide = surfaces.roots[int(shapes.size[j, 0])], shapes.center, shapes.reach[i] + far
    for c in range(3):
        if center[i, c] - wide > surfaces.bounds[root, 3 + c] or center[i, c] + wide < surfaces.bounds[root, c]:
            return m
    begun = m
    A, is_ball = workspace.first, shapes.kind[i] == SPHERE
    if is_ball:
        wide = shapes.size[i, 0] + far
        low = center[i, 0] - wide, center[i, 1] - wide, center[i, 2] - wide
        high = center[i, 0] + wide, center[i, 1] + wide, center[i, 2] + wide
    else:
        core(i, (0.0, 0.0, 0.0), shapes, solids, A)
        wide = A[1, 2] + far
        low = lowest(A, 1.0, 0.0, 0.0) - wide, lowest(A, 0.0, 1.0, 0.0) - wide, lowest(A, 0.0, 0.0, 1.0) - wide
        high = wide - lowest(A, -1.0, 0.0, 0.0), wide - lowest(A, 0.0, -1.0, 0.0), wide - lowest(A, 0.0, 0.0, -1.0)
    nodes, order, stack, polyhedra = (
        surfaces.nodes,
        surfaces.order,
        surfaces.stack,
        Polyhedra(solids, workspace, surfaces),
    )
    stack[0], top = root, 1
    while top:
        top -= 1
        k = stack[top]
        if _is_outside(surfaces.bounds[k], low, high):
            continue
        if nodes[k, 2] == 0:
            stack[top], stack[top + 1] = nodes[k, 0], nodes[k, 1]
            top += 2
            continue
        for t in range(nodes[k, 0], nodes[k, 0] + nodes[k, 2]):
            if not _is_near(order[t], low, high, surfaces):
                continue
            if is_ball:
                m = _ball(m, pair, order[t], shapes, far, surfaces, found)
            else:
                m = _triangle(m, pair, order[t], shapes, far, polyhedra, found)
    return _distinct(begun, m, shapes.reach[i], found)


@njit(nogil=True, cache=True, forceinline=True)
def _is_outside(b, low, high):
    """Whether the box b (6,) of a node does not meet a box."""
    if b[0] > high[0] or b[1] > high[1] or b[2] > high[2]:
        return True
    return b[3] < low[0] or b[4] < low[1] or b[5] < low[2]


@njit(nogil=True, cache=True, forceinline=True)
def _is_near(t, low, high, surfaces):
    """Whether the bounding box of a triangle meets a box."""
    p, q, r = surfaces.triangles[t, 0], surfaces.triangles[t, 1], surfaces.triangles[t, 2]
    for c in range(3):
        a, b, d = surfaces.corners[p, c], surfaces.corners[q, c], surfaces.corners[r, c]
        if min(a, b, d) > high[c] or max(a, b, d) < low[c]:
            return False
    return True


@njit(nogil=True, cache=True, forceinline=True)
def _triangle(m, pair, t, shapes, far, polyhedra, found):
    solids, workspace, surfaces = polyhedra
    corners, triangles = surfaces.corners, surfaces.triangles
    i, A, B, n = pair[0], workspace.first, workspace.second, surfaces.normals[t]
    center, extent = shapes.center[i], shapes.reach[i]
    p, q, r = corners[triangles[t, 0]], corners[triangles[t, 1]], corners[triangles[t, 2]]
    offset = n[0] * p[0] + n[1] * p[1] + n[2] * p[2]
    if n[0] * center[0] + n[1] * center[1] + n[2] * center[2] < offset:
        return m
    if lowest(A, n[0], n[1], n[2]) - offset - A[1, 2] > far or _is_beside(A, t, far, surfaces):
        return m
    head_core(B, 3.0, 1.0, 1.0 * TRIANGLE, 0.0, 0.0, 0.0)
    for c in range(3):
        B[2, c] = (p[c] + q[c] + r[c]) / 3.0
        B[FIRST, c], B[FIRST + 1, c], B[FIRST + 2, c], B[FIRST + 3, c] = p[c], q[c], r[c], n[c]
    B[FIRST + 4, 0] = offset
    if not surfaces.sharp[t]:
        return _flat(m, pair, far, solids, workspace, found)
    gap, owner, face = nearest(extent, far, solids, workspace)
    if gap > far:
        return m
    if owner == OF_SECOND:
        made = _flat(m, pair, far, solids, workspace, found)
        if made > m:
            return made
    along = workspace.vectors[0]
    if _is_normal((along[0], along[1], along[2]), t, surfaces):
        return meeting(m, pair, (gap, owner, face), extent, far, solids, workspace, found)
    if lowest(A, n[0], n[1], n[2]) - offset - A[1, 2] < -SHALLOW * extent:
        return m
    return _flat(m, pair, far, solids, workspace, found)


@njit(nogil=True, cache=True, forceinline=True)
def _is_beside(A, t, far, surfaces):
    """Whether a core is farther than ``far`` from a triangle along the outward normal of an edge in its plane."""
    corners, triangles, n = surfaces.corners, surfaces.triangles, surfaces.normals[t]
    for k in range(3):
        p, q = corners[triangles[t, k]], corners[triangles[t, (k + 1) % 3]]
        x, y, z = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        x, y, z = y * n[2] - z * n[1], z * n[0] - x * n[2], x * n[1] - y * n[0]
        away = lowest(A, x, y, z) - (x * p[0] + y * p[1] + z * p[2])
        if away > (A[1, 2] + far) * np.sqrt(x * x + y * y + z * z):
            return True
    return False


@njit(nogil=True, cache=True, forceinline=True)
def _ball(m, pair, t, shapes, far, surfaces, found):
    """The contact of a sphere with a triangle: with its face or, at an edge or corner of the surface, with its nearest point."""
    corners, triangles, n, x = surfaces.corners, surfaces.triangles, surfaces.normals[t], shapes.center[pair[0]]
    radius, p = shapes.size[pair[0], 0], corners[triangles[t, 0]]
    height = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2])
    if height < 0.0 or height - radius > far:
        return m
    nearest, outside = np.inf, False
    d0 = d1 = d2 = 0.0
    for k in range(3):
        p, q = corners[triangles[t, k]], corners[triangles[t, (k + 1) % 3]]
        e0, e1, e2 = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        f0, f1, f2 = x[0] - p[0], x[1] - p[1], x[2] - p[2]
        if n[0] * (e1 * f2 - e2 * f1) + n[1] * (e2 * f0 - e0 * f2) + n[2] * (e0 * f1 - e1 * f0) >= 0.0:
            continue
        outside = True
        along = min(max((e0 * f0 + e1 * f1 + e2 * f2) / (e0 * e0 + e1 * e1 + e2 * e2), 0.0), 1.0)
        f0, f1, f2 = f0 - along * e0, f1 - along * e1, f2 - along * e2
        squared = f0 * f0 + f1 * f1 + f2 * f2
        if squared < nearest:
            nearest, d0, d1, d2 = squared, f0, f1, f2
    if not outside:
        return add_round(m, pair[0], pair[1], (n[0], n[1], n[2]), x, radius, height - radius, found)
    distance = np.sqrt(nearest)
    if not surfaces.sharp[t] or distance - radius > far or distance == 0.0:
        return m
    d = (d0 / distance, d1 / distance, d2 / distance)
    return add_round(m, pair[0], pair[1], d, x, radius, distance - radius, found) if _is_normal(d, t, surfaces) else m


@njit(nogil=True, cache=True)
def _flat(m, pair, far, solids, workspace, found):
    """Contacts along the normal of a triangle with the part of a shape that lies directly above it."""
    return facing(m, pair, OF_SECOND, np.int64(0), far, solids, workspace, found)


@njit(nogil=True, cache=True)
def _is_normal(d, t, surfaces):
    """Whether the surface lies behind the plane perpendicular to d through the corner or edge of a triangle that is farthest along d.

    At an edge the triangles that share it are checked, at a corner all its neighbors.
    """
    corners, triangles, rings, ring_of = surfaces.corners, surfaces.triangles, surfaces.rings, surfaces.ring_of
    top, size = -np.inf, 0.0
    for k in range(3):
        v, w = corners[triangles[t, k]], corners[triangles[t, (k + 1) % 3]]
        top = max(top, d[0] * v[0] + d[1] * v[1] + d[2] * v[2])
        size = max(size, abs(w[0] - v[0]) + abs(w[1] - v[1]) + abs(w[2] - v[2]))
    first = second = np.int64(-1)
    held = 0
    for k in range(3):
        v = corners[triangles[t, k]]
        if d[0] * v[0] + d[1] * v[1] + d[2] * v[2] >= top - NORMAL_CONE * size:
            held += 1
            first, second = triangles[t, k], first
    if held == 3:
        return True
    v = corners[first]
    for s in range(ring_of[first], ring_of[first + 1]):
        w = corners[rings[s]]
        height = d[0] * (w[0] - v[0]) + d[1] * (w[1] - v[1]) + d[2] * (w[2] - v[2])
        if height <= NORMAL_CONE * (abs(w[0] - v[0]) + abs(w[1] - v[1]) + abs(w[2] - v[2])):
            continue
        if held == 1:
            return False
        for r in range(ring_of[second], ring_of[second + 1]):
            if rings[r] == rings[s]:
                return False
    return True


@njit(nogil=True, cache=True)
def _distinct(begun, m, extent, found):
    """The number of contacts after reduction of those with the same normal to the lowest, the outermost and those not above others."""
    who, frame, place, gaps = found
    if m - begun < 2 or m > len(gaps):
        return m
    count = m - begun
    group, kept, points = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.bool_), np.empty((count, 3))
    for g in range(count):
        if group[g] >= 0:
            continue
        f = frame[begun + g]
        members = 0
        for k in range(g, count):
            e = frame[begun + k, 0]
            if group[k] < 0 and abs(e[0] - f[0, 0]) + abs(e[1] - f[0, 1]) + abs(e[2] - f[0, 2]) < SAME_NORMAL:
                group[k] = g
                p = place[begun + k]
                for c in range(2):
                    points[members, c] = f[1 + c, 0] * p[0] + f[1 + c, 1] * p[1] + f[1 + c, 2] * p[2]
                points[members, 2] = gaps[begun + k]
                members += 1
        if members == 1:
            kept[g] = True
            continue
        chosen = lowest_of(points[:members], extent)
        members = 0
        for k in range(g, count):
            if group[k] == g:
                kept[k] = chosen[members]
                members += 1
    made = begun
    for k in range(count):
        if kept[k]:
            if made < begun + k:
                who[made, 0], who[made, 1] = who[begun + k, 0], who[begun + k, 1]
                gaps[made] = gaps[begun + k]
                for c in range(3):
                    place[made, c] = place[begun + k, c]
                    for e in range(3):
                        frame[made, c, e] = frame[begun + k, c, e]
            made += 1
    return made
