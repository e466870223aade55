"""Contacts of two convex shapes of any kind.

The signed distance of two cores is the maximum of f(n) = min n · a − max n · b over unit directions. The search starts from the best
face normal. It moves the cores apart along n and takes the direction between the nearest points as the next n; f does not decrease. So
touching and penetrating pairs are as well conditioned as separated ones.

Nothing is allocated for a pair: all results are written to parts of the `Workspace`.
"""

import numpy as np

from vinculum.collision.arrays import Witness
from vinculum.collision.contact_frame import least
from vinculum.collision.convex.cylinder_axes import refine
from vinculum.collision.convex.gjk import COUNT, distance
from vinculum.collision.convex.normals import refine_normal
from vinculum.collision.convex.penetration import best_of_edges
from vinculum.collision.manifolds.faces import NONE, OF_FIRST, OF_SECOND, facing, is_over, lines, nearest_point
from vinculum.collision.supports import FIRST, TRIANGLE, apart, core, farthest, is_cone, is_ellipsoid, lowest
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import (
    ASCENTS,
    BESIDE_A_FACE,
    BETTER,
    CLEARLY_APART,
    DEEPLY_INSIDE,
    EXACT_DISTANCE,
    FAVOR,
    FINE_DISTANCE,
    OPENED,
    ROUGH_DISTANCE,
    SURE,
)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def convex(m, i, j, shapes, far, solids, workspace, found):
    """Contacts of two convex shapes, computed with the center of the second one as the origin."""
    center, reach = shapes.center, shapes.reach
    x, y, z = center[j, 0], center[j, 1], center[j, 2]
    core(i, (x, y, z), shapes, solids, workspace.first)
    core(j, (x, y, z), shapes, solids, workspace.second)
    extent, begun = min(reach[i], reach[j]), m
    gap, owner, face = nearest(extent, far, solids, workspace)
    if gap > far:
        return m
    m = meeting(m, (i, j), (gap, owner, face), extent, far, solids, workspace, found)
    place = found.place
    for k in range(begun, min(m, len(place))):
        place[k, 0], place[k, 1], place[k, 2] = place[k, 0] + x, place[k, 1] + y, place[k, 2] + z
    return m


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def meeting(m, pair, closest, extent, far, solids, workspace, found):
    """Contacts of a pair of shapes along the direction between them: of two facing features, of two lines, or of two points.

    ``closest``: the result of `nearest`. The nearest points are included even if they lie beside the favored face.
    """
    begun = m
    gap, owner, face = closest
    if owner == NONE:
        m = lines(m, pair, far, workspace, found)
    else:
        m = facing(m, pair, owner, face, far, solids, workspace, found)
    return nearest_point(m, pair, gap, workspace, found) if least(begun, m, found) > gap + BESIDE_A_FACE * extent else m


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def nearest(extent, far, solids, workspace):
    """Signed distance of two shapes, and the face whose normal it is along, if there is one.

    Writes the first vectors of the workspace: n from B to A and the nearest points of the cores. If these are farther apart than
    ``far``, the distance is a lower bound.
    """
    A, B, V = workspace.first, workspace.second, workspace.vectors
    n, a, b, t, p, q = V[0], V[1], V[2], V[3], V[4], V[5]
    rounding = A[1, 2] + B[1, 2]
    enough = far + rounding
    _between(A, B, n)
    farthest(A, -n[0], -n[1], -n[2], V, 1)
    farthest(B, n[0], n[1], n[2], V, 2)
    gap = (a[0] - b[0]) * n[0] + (a[1] - b[1]) * n[1] + (a[2] - b[2]) * n[2]
    known, owner, face = _best_face(A, B, BETTER * extent, enough, V)
    if known > enough:
        return known - rounding, owner, face
    other = known
    if owner != NONE:
        _normal_of(A, B, owner, face, t)
        if known >= gap:
            gap, other = known, gap
            for c in range(3):
                n[c], t[c] = t[c], n[c]
    over = False
    if owner != NONE and known >= gap:
        over = is_over(A, B, face, solids, V, 2, 1) if owner == OF_FIRST else is_over(B, A, face, solids, V, 1, 2)
    if not over:
        gap = _ascend(gap, extent, enough, Witness(n, a, b), workspace)
    if owner != NONE and gap < -DEEPLY_INSIDE * extent:
        other = _ascend(other, extent, enough, Witness(t, p, q), workspace)
        if other > gap:
            gap = other
            for c in range(3):
                n[c], a[c], b[c] = t[c], p[c], q[c]
    solid = A[0, 2] >= 0.0 and B[0, 2] >= 0.0 and B[0, 2] != TRIANGLE
    if solid and gap < -FAVOR * extent and best_of_edges(A, B, gap, solids, t):
        gap = _ascend(apart(A, B, t[0], t[1], t[2]), extent, enough, Witness(t, a, b), workspace)
        for c in range(3):
            n[c] = t[c]
    favored = owner != NONE and known >= gap - FAVOR * extent
    return gap - rounding, owner if favored else NONE, face


@njit(nogil=True, cache=True, error_model="numpy")
def _ascend(gap, extent, enough, witness, workspace):
    """The largest f reached from the direction n of the witness, which is replaced; the nearest points of the cores are written."""
    A, B, G = workspace.first, workspace.second, workspace.simplex
    n, a, b = witness
    curved, t = A[1, 0] != 0.0 or B[1, 0] != 0.0, workspace.ties[6]
    cylinders = not (is_cone(A) or is_cone(B) or is_ellipsoid(A) or is_ellipsoid(B))
    trial = Witness(t, a, b)
    close = ROUGH_DISTANCE if curved else EXACT_DISTANCE
    G[COUNT, 0] = 0.0
    for _ in range(ASCENTS):
        s = 0.0 if gap > CLEARLY_APART * extent else OPENED * extent - gap
        t[0], t[1], t[2] = n[0], n[1], n[2]
        shift = s * n[0], s * n[1], s * n[2]
        d = distance(A, B, shift, gap + s, close, G, trial)
        if d * d <= (1.0 + SURE) * (gap + s) ** 2:
            break
        found = apart(A, B, t[0], t[1], t[2])
        sure = not curved and s == 0.0
        if curved:
            if cylinders:
                exact, sure = refine(found, BETTER * extent, trial, workspace)
            else:
                exact, sure = refine_normal(found, BETTER * extent, trial, workspace)
            if exact == -np.inf:
                distance(A, B, shift, gap + s, EXACT_DISTANCE, G, trial)
                exact = apart(A, B, t[0], t[1], t[2])
            found = exact
        step = found - gap
        if step > 0.0:
            gap = found
            n[0], n[1], n[2] = t[0], t[1], t[2]
        if sure or gap > enough or (step <= BETTER * extent and close < ROUGH_DISTANCE):
            break
        close = min(close, FINE_DISTANCE)
    return gap


@njit(nogil=True, cache=True, error_model="numpy")
def _best_face(A, B, slack, enough, V):
    """The largest f over the face normals, its owner and its face; the first f above ``enough`` if there is one.

    f is at most the value at any point of the other core. Rows 1 and 2 of V hold such a point of A and of B, so few faces have to be
    checked. ``slack``: effect of round-off on that bound.
    """
    seed = best = -np.inf
    owner, face = NONE, np.int64(-1)
    for side in range(2):
        O, I, x = (B, A, 1) if side == 0 else (A, B, 2)
        high, looks = seed, np.int64(-1)
        begin, faces = FIRST + np.int64(O[0, 0]), np.int64(O[0, 1])
        for k in range(begin, begin + faces):
            above = O[k, 0] * V[x, 0] + O[k, 1] * V[x, 1] + O[k, 2] * V[x, 2] - O[k + faces, 0]
            O[k + faces, 1] = above
            if above > high:
                high, looks = above, k
        if looks >= 0:
            seed = max(seed, lowest(I, O[looks, 0], O[looks, 1], O[looks, 2]) - O[looks + faces, 0])
    for side in range(2):
        O, I = (B, A) if side == 0 else (A, B)
        begin, faces = FIRST + np.int64(O[0, 0]), np.int64(O[0, 1])
        for k in range(begin, begin + faces):
            if O[k + faces, 1] < max(seed, best) - slack:
                continue
            gap = lowest(I, O[k, 0], O[k, 1], O[k, 2]) - O[k + faces, 0]
            if gap > best:
                best, owner, face = gap, OF_SECOND if side == 0 else OF_FIRST, k - begin
                if gap > enough:
                    return best, owner, face
    return best, owner, face


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _normal_of(A, B, owner, face, n):
    sign, O = (1.0, B) if owner == OF_SECOND else (-1.0, A)
    k = FIRST + np.int64(O[0, 0]) + face
    n[0], n[1], n[2] = sign * O[k, 0], sign * O[k, 1], sign * O[k, 2]


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _between(A, B, n):
    """Write a direction from the middle of B to the middle of A."""
    for c in range(3):
        n[c] = A[2, c] - B[2, c]
    d = np.sqrt(n[0] ** 2 + n[1] ** 2 + n[2] ** 2)
    for c in range(3):
        n[c] = n[c] / d if d > 0.0 else 1.0 * (c == 2)
