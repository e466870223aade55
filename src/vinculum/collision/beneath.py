"""Bodies with centers behind a surface: below a height field, or inside a closed mesh."""

from collections.abc import Iterator
from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.collision.arrays import Surfaces
from vinculum.collision.broad_phase import SURFACE
from vinculum.collision.pool import Pool
from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import ALONG_A_SLAB, BOX_MISSED, ONE_SIDED

SLANT = np.array([0.5377, 0.2263, 0.8122])
"""Direction of the rays that detect the inside of a closed surface; no edge of a usual model is parallel to it."""


_known: "WeakKeyDictionary[Pool, tuple[np.ndarray, np.ndarray]]" = WeakKeyDictionary()


def rays_of(pool: Pool) -> tuple[np.ndarray, np.ndarray, Surfaces] | None:
    """Inputs of `beneath` for the surfaces of a pool: directions and kinds of rays, and the surfaces; None if there are no surfaces."""
    if not pool.meshes:
        return None
    if pool not in _known:
        ends = np.cumsum([0, *(len(triangles) for _, triangles in pool.meshes)]).tolist()
        _known[pool] = rays(pool.surfaces, list(pairwise(ends)))
    return *_known[pool], pool.surfaces


def rays(surfaces: Surfaces, begins: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Directions (k, 3) of the rays for k surfaces, and their kinds (k,): a graph (1), closed (2) or neither (0)."""
    corners, triangles, normals = surfaces.corners, surfaces.triangles, surfaces.normals
    ways, kinds = np.tile(SLANT / np.linalg.norm(SLANT), (len(begins), 1)), np.zeros(len(begins), dtype=np.int64)
    for k, (begin, end) in enumerate(begins):
        own = triangles[begin:end]
        x = corners[own]
        way = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0]).sum(0)
        size = np.linalg.norm(way)
        edges = np.sort(np.concatenate([own[:, [0, 1]], own[:, [1, 2]], own[:, [2, 0]]]), axis=1)
        if np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2):
            kinds[k] = 2
        elif size > 0.0 and np.all(normals[begin:end] @ way > ONE_SIDED * size):
            kinds[k], ways[k] = 1, way / size
    return ways, kinds


def depths_by_surface(
    inputs: tuple[np.ndarray, np.ndarray, Surfaces] | None,
    center: np.ndarray,
    moving: int,
    kinds: np.ndarray,
    sizes: np.ndarray,
) -> Iterator[tuple[int, np.ndarray]]:
    """For every surface among the shapes its number, and the depths (moving,) [m] of the first centers behind it, zero in front.

    ``inputs``: those of `rays_of`. ``kinds`` (n,), ``sizes`` (n, 3): of all shapes.
    """
    if inputs is None:
        return
    ways, kinds_of_rays, surfaces = inputs
    for wall in np.flatnonzero(kinds == SURFACE).tolist():
        depth, which = np.zeros(moving), np.zeros(moving, dtype=np.int64)
        only = np.where(np.arange(len(kinds_of_rays)) == sizes[wall, 0], kinds_of_rays, 0)
        beneath(center, moving, ways, only, surfaces, depth, which)
        yield wall, depth


@njit(nogil=True, cache=True)
def beneath(center, count, ways, kinds, surfaces, depth, which):
    """Write for each of ``count`` points its depth behind a surface [m], zero if it is in front, and the number of that surface."""
    for i in range(count):
        depth[i], which[i] = 0.0, -1
        for k in range(len(kinds)):
            if kinds[k] == 0:
                continue
            crossed, nearest = _crossings(center[i], ways[k], np.inf, surfaces, k)
            if (kinds[k] == 1 and crossed > 0) or (kinds[k] == 2 and crossed % 2 == 1):
                depth[i], which[i] = nearest, k


@njit(nogil=True, cache=True)
def write_hits(begins, ends, surfaces, k, hit):
    """Write for each segment from (m, 3) to (m, 3) whether it hits surface k."""
    way = np.empty(3)
    for i in range(len(begins)):
        length = np.sqrt(
            (ends[i, 0] - begins[i, 0]) ** 2 + (ends[i, 1] - begins[i, 1]) ** 2 + (ends[i, 2] - begins[i, 2]) ** 2
        )
        hit[i] = 0
        if length > 0.0:
            for c in range(3):
                way[c] = (ends[i, c] - begins[i, c]) / length
            if _crossings(begins[i], way, length, surfaces, k)[1] <= length:
                hit[i] = 1


@njit(nogil=True, cache=True)
def _crossings(x, way, far, surfaces, k):
    """Number of times a ray crosses a surface, and the distance of the first crossing, if this is at most ``far``."""
    corners, triangles, order, roots = surfaces.corners, surfaces.triangles, surfaces.order, surfaces.roots
    bounds, nodes = surfaces.bounds, surfaces.nodes
    crossed, nearest = 0, np.inf
    begin, end = np.empty(3), np.empty(3)
    for c in range(3):
        y = x[c] + far * way[c] if way[c] != 0.0 else x[c]
        begin[c], end[c] = min(x[c], y), max(x[c], y)
    stack = np.empty(64, dtype=np.int64)
    stack[0], top = roots[k], 1
    while top:
        top -= 1
        node = stack[top]
        b = bounds[node]
        if b[0] > end[0] or b[1] > end[1] or b[2] > end[2] or b[3] < begin[0] or b[4] < begin[1] or b[5] < begin[2]:
            continue
        low, high = 0.0, far
        for c in range(3):
            if abs(way[c]) < ALONG_A_SLAB:
                if x[c] < bounds[node, c] or x[c] > bounds[node, 3 + c]:
                    high = -1.0
                continue
            s, t = (bounds[node, c] - x[c]) / way[c], (bounds[node, 3 + c] - x[c]) / way[c]
            low, high = max(low, min(s, t)), min(high, max(s, t))
        if low > high + BOX_MISSED * abs(high):
            continue
        if nodes[node, 2] == 0:
            stack[top], stack[top + 1] = nodes[node, 0], nodes[node, 1]
            top += 2
            continue
        for t in range(nodes[node, 0], nodes[node, 0] + nodes[node, 2]):
            distance = _hit(x, way, corners, triangles[order[t]])
            if distance > 0.0:
                crossed += 1
                nearest = min(nearest, distance)
    return crossed, nearest


@njit(nogil=True, cache=True)
def _hit(x, way, corners, triangle):
    """Distance at which a ray hits a triangle; negative if it does not. Möller and Trumbore, J. Graphics Tools 2 (1997) 21."""
    p, q, r = corners[triangle[0]], corners[triangle[1]], corners[triangle[2]]
    e0, e1, e2 = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    f0, f1, f2 = r[0] - p[0], r[1] - p[1], r[2] - p[2]
    h0, h1, h2 = way[1] * f2 - way[2] * f1, way[2] * f0 - way[0] * f2, way[0] * f1 - way[1] * f0
    a = e0 * h0 + e1 * h1 + e2 * h2
    if a == 0.0:
        return -1.0
    s0, s1, s2 = x[0] - p[0], x[1] - p[1], x[2] - p[2]
    u = (s0 * h0 + s1 * h1 + s2 * h2) / a
    g0, g1, g2 = s1 * e2 - s2 * e1, s2 * e0 - s0 * e2, s0 * e1 - s1 * e0
    v = (way[0] * g0 + way[1] * g1 + way[2] * g2) / a
    if u < 0.0 or v < 0.0 or u + v > 1.0:
        return -1.0
    return (f0 * g0 + f1 * g1 + f2 * g2) / a
