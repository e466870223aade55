"""Bodies of a pile that have gone through a surface: their centers were in front of it and are behind."""

from typing import final

import numpy as np

from vinculum.kernels.pile import Pile
from vinculum.kernels.pile_beneath import swept
from vinculum.kernels.pile_pairs import SHEET, SURFACE

BESIDE = 1e-12


@final
class Passages:
    """Looks at the ways of the bodies of a pile; ``needed`` is False where it has no thin walls."""

    def __init__(self, pile: Pile):
        self._pile = pile
        self._sheets = np.flatnonzero(pile.kinds == SHEET)
        self._walls = np.flatnonzero(pile.kinds == SURFACE)
        self._surfaces = pile.pool.surfaces if len(self._walls) else ()
        self.needed = bool(len(self._sheets) or len(self._walls))

    def first(self, x: np.ndarray, R: np.ndarray) -> tuple[int, int, int] | None:
        """Number of the first leg on which the center of a shape goes through a plane with two sides or, from its outer side, through a
        mesh or height field; the body and the wall. None if there is none.

        ``x`` (k + 1, count, 3), ``R`` (k + 1, count, 3, 3): mass centers and attitudes at the ends of k legs.
        """
        if not self.needed or len(x) < 2:
            return None
        centers = x + np.einsum("knij,nj->kni", R, self._pile.offsets)
        found = [*self._through_sheets(centers), *self._through_surfaces(centers)]
        return min(found) if found else None

    def _through_sheets(self, centers: np.ndarray):
        for wall in self._sheets:
            height = (centers - self._pile.places[wall - self._pile.count]) @ self._pile.sizes[wall]
            for leg, body in zip(*np.nonzero(height[1:] * height[:-1] < 0.0), strict=True):
                yield int(leg), int(body), int(wall)
                break

    def _through_surfaces(self, centers: np.ndarray):
        begins, ends = (np.ascontiguousarray(x.reshape(-1, 3)) for x in (centers[:-1], centers[1:]))
        for wall in self._walls:
            k, hit = int(self._pile.sizes[wall, 0]), np.zeros(len(begins), dtype=np.int64)
            swept(begins, ends, self._surfaces, k, hit)
            corners, triangles = self._pile.pool.meshes[k]
            for number in np.flatnonzero(hit):
                if _from_outside(corners[triangles], begins[number], ends[number]):
                    leg, body = divmod(int(number), self._pile.count)
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
