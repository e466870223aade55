"""Shapes that have gone through a surface: their centers were in front of it and are behind."""

from typing import final

import numpy as np

from vinculum.kernels.pile import Pile
from vinculum.kernels.pile_beneath import swept
from vinculum.kernels.pile_pairs import SHEET, SURFACE
from vinculum.kernels.tree_shapes import TreeShapes

BESIDE = 1e-12


@final
class Passages:
    """Looks at the ways of shapes; ``needed`` is False where there are no thin walls. ``meets`` (n, n): which shapes meet, if not all."""

    def __init__(self, shapes: Pile | TreeShapes, meets: np.ndarray | None = None):
        self._shapes, self._count = shapes, len(shapes.kinds) - len(shapes.places)
        self._meets = np.ones((len(shapes.kinds),) * 2, dtype=bool) if meets is None else meets
        self._sheets = np.flatnonzero(shapes.kinds == SHEET)
        self._walls = np.flatnonzero(shapes.kinds == SURFACE)
        self._surfaces = shapes.pool.surfaces if len(self._walls) else ()
        self.needed = bool(len(self._sheets) or len(self._walls))

    def first(self, centers: np.ndarray) -> tuple[int, int, int] | None:
        """Number of the first leg on which the center of a shape goes through a plane with two sides or, from its outer side, through a
        mesh or height field; the body and the wall. None if there is none.

        ``centers`` (k + 1, count, 3): of shapes at the ends of k legs.
        """
        if not self.needed or len(centers) < 2:
            return None
        found = [*self._through_sheets(centers), *self._through_surfaces(centers)]
        return min(found) if found else None

    def _through_sheets(self, centers: np.ndarray):
        for wall in self._sheets:
            height = (centers - self._shapes.places[wall - self._count]) @ self._shapes.sizes[wall]
            passed = (height[1:] * height[:-1] < 0.0) & self._meets[: self._count, wall]
            for leg, body in zip(*np.nonzero(passed), strict=True):
                yield int(leg), int(body), int(wall)
                break

    def _through_surfaces(self, centers: np.ndarray):
        begins, ends = (np.ascontiguousarray(x.reshape(-1, 3)) for x in (centers[:-1], centers[1:]))
        for wall in self._walls:
            k, hit = int(self._shapes.sizes[wall, 0]), np.zeros(len(begins), dtype=np.int64)
            swept(begins, ends, self._surfaces, k, hit)
            corners, triangles = self._shapes.pool.meshes[k]
            for number in np.flatnonzero(hit):
                leg, body = divmod(int(number), self._count)
                if self._meets[body, wall] and _from_outside(corners[triangles], begins[number], ends[number]):
                    yield leg, body, int(wall)
                    break


def _from_outside(triangles: np.ndarray, begin: np.ndarray, end: np.ndarray) -> bool:
    """Whether a segment goes through triangles (t, 3, 3) more often from their outer sides than from the others.

    Möller and Trumbore, J. Graphics Tools 2 (1997) 21."""
    a, e, f = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    way, r = end - begin, begin - a
    across, q = np.cross(way, f), np.cross(r, e)
    volume = np.einsum("ti,ti->t", e, across)
    side = np.where(volume != 0.0, volume, np.inf)
    u, v, t = ((x * y).sum(axis=1) / side for x, y in ((r, across), (way[None], q), (f, q)))
    met = (t > 0.0) & (t <= 1.0) & (u >= -BESIDE) & (v >= -BESIDE) & (u + v <= 1.0 + BESIDE)
    return bool(np.sign(volume)[met].sum() > 0)


def centers_of_shapes(pile: Pile, x: np.ndarray, R: np.ndarray) -> np.ndarray:
    """Centers (k, count, 3) of the shapes of a pile with mass centers x (k, count, 3) and attitudes R (k, count, 3, 3)."""
    return x + np.einsum("knij,nj->kni", R, pile.offsets)
