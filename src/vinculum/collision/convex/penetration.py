"""Penetration depth of two polytopes: along a face normal, or along the cross product of two edges.

Gottschalk, Lin and Manocha, SIGGRAPH 1996, show that no other directions are needed.
"""

import numpy as np

from vinculum.collision.supports import FIRST, apart
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import PARALLEL_EDGES


@njit(nogil=True, cache=True, error_model="numpy")
def best_of_edges(A, B, gap, solids, n):
    """Whether f along the cross product of some edges of A and B exceeds ``gap`` < 0; the best direction is written to n.

    In the best direction the edges cross within that depth. So an edge is skipped if it lies beyond a face of the other core by more.
    """
    face_of, loops, loop_of = solids.face_of, solids.loops, solids.loop_of
    best, better = gap, False
    first, second = face_of[np.int64(A[0, 2])], face_of[np.int64(B[0, 2])]
    for f in range(first, first + np.int64(A[0, 1])):
        for k in range(loop_of[f], loop_of[f + 1]):
            p, q = _ends(k, loop_of[f], loop_of[f + 1], loops)
            if p > q or _is_beyond(A, p, q, B, -gap):
                continue
            e0, e1, e2 = A[q, 0] - A[p, 0], A[q, 1] - A[p, 1], A[q, 2] - A[p, 2]
            for g in range(second, second + np.int64(B[0, 1])):
                for l in range(loop_of[g], loop_of[g + 1]):
                    r, s = _ends(l, loop_of[g], loop_of[g + 1], loops)
                    if r > s:
                        continue
                    f0, f1, f2 = B[s, 0] - B[r, 0], B[s, 1] - B[r, 1], B[s, 2] - B[r, 2]
                    x, y, z = e1 * f2 - e2 * f1, e2 * f0 - e0 * f2, e0 * f1 - e1 * f0
                    d = np.sqrt(x * x + y * y + z * z)
                    height = x * (A[p, 0] - B[r, 0]) + y * (A[p, 1] - B[r, 1]) + z * (A[p, 2] - B[r, 2])
                    d = -d if height > 0.0 else d  # in penetration, the edge of A is the lower one along n
                    if height / d <= best or abs(d) < PARALLEL_EDGES * np.sqrt(
                        (e0 * e0 + e1 * e1 + e2 * e2) * (f0 * f0 + f1 * f1 + f2 * f2)
                    ):
                        continue
                    depth = apart(A, B, x / d, y / d, z / d)
                    if depth > best:
                        best, better = depth, True
                        n[0], n[1], n[2] = x / d, y / d, z / d
    return better


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _ends(k, begin, end, loops):
    """The rows of both ends of an edge; both of its faces list it, in opposite senses."""
    return FIRST + loops[k], FIRST + loops[k + 1 if k + 1 < end else begin]


@njit(nogil=True, cache=True, error_model="numpy")
def _is_beyond(A, p, q, B, depth):
    """Whether an edge of A is above a face of B by more than a depth."""
    begin, faces = FIRST + np.int64(B[0, 0]), np.int64(B[0, 1])
    for k in range(begin, begin + faces):
        x, y, z, limit = B[k, 0], B[k, 1], B[k, 2], B[k + faces, 0] + depth
        if x * A[p, 0] + y * A[p, 1] + z * A[p, 2] > limit and x * A[q, 0] + y * A[q, 1] + z * A[q, 2] > limit:
            return True
    return False
