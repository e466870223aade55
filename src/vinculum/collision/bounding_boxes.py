"""A tree of bounding boxes over triangles: the search for triangles near a shape takes logarithmic time."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import TRIANGLES_OF_A_LEAF


@njit(nogil=True, cache=True)
def box_tree(corners, triangles, order, bounds, nodes):
    """Build the tree and return its number of nodes; ``order`` (T,) lists the triangles leaf by leaf.

    ``bounds`` (n, 6): smallest and largest coordinates. ``nodes`` (n, 3): two children and 0, or for a leaf its first index in
    ``order``, 0 and its number of triangles.
    """
    count = len(triangles)
    middle = np.empty((count, 3))
    for t in range(count):
        order[t] = t
        for c in range(3):
            middle[t, c] = corners[triangles[t, 0], c] + corners[triangles[t, 1], c] + corners[triangles[t, 2], c]
    low, high = np.empty(3), np.empty(3)
    begins, ends = np.empty(len(nodes), dtype=np.int64), np.empty(len(nodes), dtype=np.int64)
    begins[0], ends[0] = 0, count
    made, k = 1, 0
    while k < made:
        begin, end = begins[k], ends[k]
        low[:], high[:] = np.inf, -np.inf
        for c in range(3):
            bounds[k, c], bounds[k, 3 + c] = np.inf, -np.inf
        for s in range(begin, end):
            t = order[s]
            for c in range(3):
                low[c], high[c] = min(low[c], middle[t, c]), max(high[c], middle[t, c])
                for e in range(3):
                    x = corners[triangles[t, e], c]
                    bounds[k, c], bounds[k, 3 + c] = min(bounds[k, c], x), max(bounds[k, 3 + c], x)
        if end - begin <= TRIANGLES_OF_A_LEAF:
            nodes[k, 0], nodes[k, 1], nodes[k, 2] = begin, 0, end - begin
        else:
            x, y, z = high[0] - low[0], high[1] - low[1], high[2] - low[2]
            axis = 0 if x >= y and x >= z else 1 if y >= z else 2
            part = order[begin:end].copy()
            ranked = np.argsort(middle[part, axis])
            for s in range(end - begin):
                order[begin + s] = part[ranked[s]]
            half = (begin + end) // 2
            nodes[k, 0], nodes[k, 1], nodes[k, 2] = made, made + 1, 0
            begins[made], ends[made], begins[made + 1], ends[made + 1] = begin, half, half, end
            made += 2
        k += 1
    return made
