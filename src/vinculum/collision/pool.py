"""`Pool`: corners and faces of polytopes and triangles of surfaces, stored one after the other in arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.collision.arrays import Solids, Surfaces
from vinculum.collision.bounding_boxes import box_tree
from vinculum.collision.workspace import workspace_of
from vinculum.tolerances.shapes import DEPTH_OF_BOXES, SHARP_EDGE

CUBE_FACES = ((1, 3, 7, 5), (0, 4, 6, 2), (2, 6, 7, 3), (0, 1, 5, 4), (4, 5, 7, 6), (0, 2, 3, 1))
CUBE = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """Polytopes and meshes.

    ``polytopes``: corners (n, 3) and the loops of corners of every face, counterclockwise from outside. ``meshes``: corners (n, 3) in
    the world and triangles (t, 3).
    """

    polytopes: tuple[tuple[np.ndarray, tuple[tuple[int, ...], ...]], ...] = ()
    meshes: tuple[tuple[np.ndarray, np.ndarray], ...] = ()

    @property
    def solids(self) -> tuple[Solids, np.ndarray]:
        """The polytopes, and a new work array for pairs of them.

        The cube and the triangle come first, so polytope k is solid k + 2.
        """
        solids, counts = self._solids
        return solids, workspace_of(*counts)

    @cached_property
    def _solids(self) -> tuple[Solids, tuple[list[int], list[int], list[int]]]:
        """The polytopes, and the counts of corners and faces of each, and of corners of each face."""
        triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        every = [(CUBE, CUBE_FACES), (triangle, ((0, 1, 2),)), *self.polytopes]
        normals = [np.array([_normal(points[list(loop)]) for loop in loops]) for points, loops in every]
        loops = [loop for _, own in every for loop in own]
        corners, faces = [len(points) for points, _ in every], [len(own) for _, own in every]
        rings = [len(loop) for loop in loops]
        solids = Solids(
            np.concatenate([points for points, _ in every]),
            _begins(corners),
            np.concatenate(normals),
            _begins(faces),
            np.concatenate([np.array(loop, dtype=np.int64) for loop in loops]),
            _begins(rings),
        )
        return solids, (corners, faces, rings)

    @cached_property
    def surfaces(self) -> Surfaces:
        """The triangles of the meshes, and their trees of bounding boxes."""
        corners = np.concatenate([own for own, _ in self.meshes] or [np.zeros((0, 3))])
        begins = _begins([len(own) for own, _ in self.meshes])
        shifted = [own + begin for (_, own), begin in zip(self.meshes, begins, strict=False)]
        triangles = np.concatenate(shifted or [np.zeros((0, 3), dtype=np.int64)]).astype(np.int64)
        e, f = (corners[triangles[:, k]] - corners[triangles[:, 0]] for k in (1, 2))
        normals = np.cross(e, f)
        normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        rings, ring_of = _rings(triangles, len(corners))
        bounds, nodes, order, roots = _trees(corners, triangles, [len(own) for _, own in self.meshes])
        return Surfaces(
            corners,
            triangles,
            normals,
            _sharp(corners, triangles, normals),
            rings,
            ring_of,
            bounds,
            nodes,
            order,
            roots,
            np.zeros(DEPTH_OF_BOXES, dtype=np.int64),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "polytopes": [[points.tolist(), [list(loop) for loop in loops]] for points, loops in self.polytopes],
            "meshes": [[corners.tolist(), triangles.tolist()] for corners, triangles in self.meshes],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Pool":
        """The pool of `to_dict`."""
        polytopes = [
            (np.array(p, float).reshape(-1, 3), tuple(tuple(x) for x in loops)) for p, loops in data["polytopes"]
        ]
        meshes = [(np.array(c, float).reshape(-1, 3), np.array(t, np.int64).reshape(-1, 3)) for c, t in data["meshes"]]
        return cls(tuple(polytopes), tuple(meshes))


def _normal(ring: np.ndarray) -> np.ndarray:
    """The unit normal of a polygon, from the sum of the cross products of its edges."""
    n = (
        np.cross(ring, np.roll(ring, -1, axis=0)).sum(0)
        if len(ring) > 3
        else np.cross(ring[1] - ring[0], ring[2] - ring[0])
    )
    return n / np.linalg.norm(n)


def _begins(counts: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _rings(triangles: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Neighbors of every corner along edges, stored one after the other, and where they begin."""
    pairs = np.concatenate([triangles[:, [a, b]] for a in range(3) for b in range(3) if a != b] or [triangles[:, :2]])
    pairs = np.unique(pairs, axis=0) if len(pairs) else pairs
    return np.ascontiguousarray(pairs[:, 1]), np.searchsorted(pairs[:, 0], np.arange(count + 1)).astype(np.int64)


def _sharp(corners: np.ndarray, triangles: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Which triangles (T,) have an edge on the boundary of the surface, or one at which the surface bends away."""
    count = len(triangles)
    sharp = np.zeros(count, dtype=np.bool_)
    if not count:
        return sharp
    edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    owner, apex = np.tile(np.arange(count), 3), np.concatenate([triangles[:, 2], triangles[:, 0], triangles[:, 1]])
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    edges, owner, apex = edges[order], owner[order], apex[order]
    first = np.concatenate([[True], np.any(edges[1:] != edges[:-1], axis=1)])
    sizes = np.diff(np.append(np.flatnonzero(first), len(edges)))
    twice = np.repeat(sizes == 2, sizes)
    sharp[owner[~twice]] = True
    a, b = np.flatnonzero(twice)[::2], np.flatnonzero(twice)[1::2]
    way = corners[apex[b]] - corners[edges[a, 0]]
    bends = (normals[owner[a]] * way).sum(1) < -SHARP_EDGE * np.linalg.norm(way, axis=1)
    sharp[owner[a][bends]] = sharp[owner[b][bends]] = True
    return sharp


def _trees(corners, triangles, counts: Sequence[int]) -> tuple[np.ndarray, ...]:
    every, order, roots, begin, made = [], np.empty(len(triangles), dtype=np.int64), [], 0, 0
    for count in counts:
        own, bounds, nodes = (
            np.empty(count, dtype=np.int64),
            np.empty((2 * count + 1, 6)),
            np.zeros((2 * count + 1, 3), dtype=np.int64),
        )
        n = box_tree(corners, triangles[begin : begin + count], own, bounds, nodes)
        bounds, nodes = bounds[:n], nodes[:n].copy()
        inner = nodes[:, 2] == 0
        nodes[inner, :2] += made
        nodes[~inner, 0] += begin
        order[begin : begin + count] = own + begin
        every.append((bounds, nodes))
        roots.append(made)
        begin, made = begin + count, made + n
    bounds = np.concatenate([b for b, _ in every] or [np.zeros((0, 6))])
    nodes = np.concatenate([x for _, x in every] or [np.zeros((0, 3), dtype=np.int64)])
    return bounds, nodes, order, np.array(roots, dtype=np.int64)
