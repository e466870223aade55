"""Shapes that have passed through others: their centers were in front of a surface or a shape and are now behind it."""

from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.collision.beneath import write_hits
from vinculum.collision.broad_phase import (
    BOX,
    CAPSULE,
    CONE,
    CYLINDER,
    DEFORMED,
    ELLIPSOID,
    POLYTOPE,
    SHEET,
    SPHERE,
    SURFACE,
)
from vinculum.collision.passages import pass_through
from vinculum.collision.primitives.cones import radius_in_cone
from vinculum.contact.free_bodies.bodies import FreeBodies
from vinculum.contact.free_bodies.observables import matrices
from vinculum.models.blocks_in_contact.block_shapes import BlockShapes, Meets
from vinculum.models.shapes.tree_shapes import TreeShapes
from vinculum.tolerances.shapes import BESIDE_A_TRIANGLE

SOLID = (SPHERE, BOX, CAPSULE, CYLINDER, POLYTOPE, ELLIPSOID, CONE)


@final
class Passages:
    """Checks the paths of shapes for passages; ``needed`` is False if there is nothing to pass through.

    ``meets`` (n, n): which shapes can collide; None if all can.
    """

    def __init__(self, shapes: FreeBodies | TreeShapes | BlockShapes, meets: np.ndarray | Meets | None = None):
        self._shapes, self._count = shapes, len(shapes.kinds) - len(shapes.places)
        self._meets = meets
        self._sheets = np.flatnonzero(shapes.kinds == SHEET)
        self._walls = np.flatnonzero(shapes.kinds == SURFACE)
        self._surfaces = shapes.pool.surfaces if len(self._walls) else ()
        self._solid = np.flatnonzero(np.isin(shapes.kinds[self._count :], SOLID)) + self._count
        self._thick = _thickness(shapes)[: self._count]
        self._deforming = np.flatnonzero(np.isin(shapes.kinds[: self._count], (DEFORMED, ELLIPSOID)))
        self.needed = self._count > 1 or bool(len(self._sheets) or len(self._walls) or len(self._solid))

    @property
    def unchecked(self) -> float:
        """Distance [m] that the center of a shape may move on a leg without passing through anything; zero if there are thin walls or
        shapes that deform, of which only their paths tell."""
        if not self.needed:
            return np.inf
        thin = len(self._sheets) or len(self._walls) or len(self._deforming)
        return 0.0 if thin else float(self._thick.min())

    def first(self, centers: np.ndarray, axes: Callable[[], np.ndarray]) -> tuple[int, int, int] | None:
        """The first leg on which the center of a shape passes through another shape: (leg, shape, other shape); None if there is none.

        A shape passes through a plane with two sides, through a mesh or height field from its outer side, or through a whole other
        shape. ``centers`` (k + 1, count, 3): of shapes at the ends of k legs. ``axes``: returns their axes (k + 1, count, 3, 3); called
        only if needed.
        """
        if not self.needed or len(centers) < 2:
            return None
        found = [*self._thin(centers), *self._through_solids(centers, axes)]
        return min(found) if found else None

    def first_of_thin(self, centers: np.ndarray) -> tuple[int, int, int] | None:
        """The same for planes, meshes and height fields alone; legs may have any length."""
        return min(self._thin(centers), default=None) if len(centers) > 1 else None

    def _thin(self, centers: np.ndarray) -> list[tuple[int, int, int]]:
        return [*self._through_sheets(centers), *self._through_surfaces(centers)]

    def _through_solids(self, centers: np.ndarray, axes: Callable[[], np.ndarray]):
        """Passages through solid shapes. In each of them one of the two shapes moves at least by its own thickness."""
        ways = np.linalg.norm(np.diff(centers, axis=0), axis=2)
        fast = ways > self._thinnest(axes)
        legs = np.flatnonzero(fast.any(axis=1))
        if not len(legs):
            return
        turn = axes()
        for leg in legs:
            one, other = self._near(centers[leg : leg + 2], ways[leg], fast[leg])
            ends = []
            for k in (leg, leg + 1):
                places = np.concatenate([centers[k], self._shapes.places])
                turns = np.concatenate([turn[k], self._shapes.turns])
                ends.append(_in_axes(self._shapes.kinds[other], turns[other], places[one] - places[other]))
            gone = pass_through(self._shapes.kinds[other], self._shapes.sizes[other], self._shapes.pool, *ends)
            for i, j in zip(one[gone], other[gone], strict=True):
                yield int(leg), min(int(i), int(j)), max(int(i), int(j))
                return

    def _thinnest(self, axes: Callable[[], np.ndarray]) -> float:
        """The smallest thickness [m] of all shapes at all ends of legs."""
        own = self._deforming
        if not len(own):
            return float(self._thick.min())
        others = np.delete(self._thick, own).min(initial=np.inf)
        return min(float(others), float((self._thick[own] * _least_stretch(axes()[:, own])).min()))

    def _near(self, ends: np.ndarray, ways: np.ndarray, fast: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of a moving shape and one that it may pass through on one leg, in both orders."""
        middle, reach = 0.5 * ends.sum(axis=0), self._shapes.reaches
        moving = np.arange(self._count)
        one, other = [np.zeros(0, dtype=int)], [np.zeros(0, dtype=int)]
        from scipy.spatial import KDTree

        tree = KDTree(middle) if self._count > 1 else None
        for i in np.flatnonzero(fast):
            about = moving
            if tree is not None:
                far = 0.5 * (ways[i] + ways.max()) + reach[: self._count].max()
                about = np.array(tree.query_ball_point(middle[i], far), dtype=int)
            about = about[about != i]
            away = np.linalg.norm(self._shapes.places[self._solid - self._count] - middle[i], axis=1)
            walls = self._solid[away <= 0.5 * ways[i] + reach[self._solid]]
            one += [np.full(len(about) + len(walls), i), about]
            other += [about, walls, np.full(len(about), i)]
        first, second = np.concatenate(one), np.concatenate(other)
        met = slice(None) if self._meets is None else self._meets[first, second]
        return first[met], second[met]

    def _through_sheets(self, centers: np.ndarray):
        for wall in self._sheets:
            height = (centers - self._shapes.places[wall - self._count]) @ self._shapes.sizes[wall]
            passed = height[1:] * height[:-1] < 0.0
            if self._meets is not None:
                passed &= self._meets[: self._count, wall]
            for leg, body in zip(*np.nonzero(passed), strict=True):
                yield int(leg), int(body), int(wall)
                break

    def _through_surfaces(self, centers: np.ndarray):
        begins, ends = (np.ascontiguousarray(x.reshape(-1, 3)) for x in (centers[:-1], centers[1:]))
        for wall in self._walls:
            k, hit = int(self._shapes.sizes[wall, 0]), np.zeros(len(begins), dtype=np.int64)
            write_hits(begins, ends, self._surfaces, k, hit)
            corners, triangles = self._shapes.pool.meshes[k]
            for number in np.flatnonzero(hit):
                leg, body = divmod(int(number), self._count)
                meets = self._meets is None or self._meets[body, wall]
                if meets and _from_outside(corners[triangles], begins[number], ends[number]):
                    yield leg, body, int(wall)
                    break


def _in_axes(kinds: np.ndarray, axes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (m, 3) in axes (m, 3, 3), which are not orthonormal where shapes deform."""
    found = np.einsum("mji,mj->mi", axes, vectors)
    deforming = np.isin(kinds, (DEFORMED, ELLIPSOID))
    found[deforming] = np.linalg.solve(axes[deforming], vectors[deforming, :, None])[..., 0]
    return found


def _thickness(shapes: FreeBodies | TreeShapes | BlockShapes) -> np.ndarray:
    """Radii (n,) of balls about the centers of solid shapes that lie inside them, without deformation; infinite for others."""
    found, sizes = np.full(len(shapes.kinds), np.inf), shapes.sizes
    for kinds, radii in (
        ((SPHERE, CAPSULE, ELLIPSOID), sizes[:, 0]),
        ((BOX,), sizes.min(axis=1)),
        ((CYLINDER,), sizes[:, :2].min(axis=1)),
        ((CONE,), radius_in_cone(sizes[:, 0], sizes[:, 1])),
    ):
        own = np.isin(shapes.kinds, kinds)
        found[own] = radii[own]
    own = np.isin(shapes.kinds, (POLYTOPE, DEFORMED))
    for number in np.unique(sizes[own, 0]):
        points, loops = shapes.pool.polytopes[int(number) - 2]
        corners = np.array([points[list(loop[:3])] for loop in loops])
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        heights = (normals * corners[:, 0]).sum(axis=1) / np.linalg.norm(normals, axis=1)
        found[own & (sizes[:, 0] == number)] = max(float(heights.min()), 0.0)
    return found


def _least_stretch(A: np.ndarray) -> np.ndarray:
    """Lower bounds of the smallest stretches of matrices A (…, 3, 3): 2 |det A| / |A|², as σ₁σ₂ ≤ ½ (σ₁² + σ₂²) for the larger ones."""
    volume = np.abs((A[..., 0] * np.cross(A[..., 1], A[..., 2])).sum(axis=-1))
    return 2.0 * volume / np.maximum((A * A).sum(axis=(-2, -1)), np.finfo(float).tiny)


def _from_outside(triangles: np.ndarray, begin: np.ndarray, end: np.ndarray) -> bool:
    """Whether a segment passes through triangles (t, 3, 3) more often from their outer sides than from their inner sides.

    Möller and Trumbore, J. Graphics Tools 2 (1997) 21.
    """
    a, e, f = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    way, r = end - begin, begin - a
    across, q = np.cross(way, f), np.cross(r, e)
    volume = np.einsum("ti,ti->t", e, across)
    side = np.where(volume != 0.0, volume, np.inf)
    u, v, t = ((x * y).sum(axis=1) / side for x, y in ((r, across), (way[None], q), (f, q)))
    met = (
        (t > 0.0)
        & (t <= 1.0)
        & (u >= -BESIDE_A_TRIANGLE)
        & (v >= -BESIDE_A_TRIANGLE)
        & (u + v <= 1.0 + BESIDE_A_TRIANGLE)
    )
    return bool(np.sign(volume)[met].sum() > 0)


def centers_of_shapes(free_bodies: FreeBodies, x: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Centers (k, count, 3) of the shapes of free bodies with mass centers x (k, count, 3) and attitudes Q (k, count, 4)."""
    return x + np.einsum("knij,nj->kni", matrices(Q), free_bodies.offsets) if np.any(free_bodies.offsets) else x


def axes_of_shapes(free_bodies: FreeBodies, Q: np.ndarray) -> np.ndarray:
    """Axes (k, count, 3, 3) of the shapes of free bodies in contact with attitudes Q (k, count, 4)."""
    return np.einsum("knij,njl->knil", matrices(Q), free_bodies.tilts)


def told_passage(names: list[str], moving: int, gone: tuple[int, int, int], t: float, h: float) -> str:
    """Message about a passage within a step of h [s] from t on; ``names``: of bodies, then of walls from number ``moving`` on."""
    _, body, other = gone
    through = names[other] if other >= moving else f"body '{names[other]}'"
    return f"body '{names[body]}' went through {through} within the step of {h:.3g} s after t = {t:.9g} s; use a smaller step"
