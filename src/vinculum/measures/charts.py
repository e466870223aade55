"""Charts: regions of one, two or three dimensions as images of unit cubes, with their densities."""

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial
from typing import final

import numpy as np

from vinculum.scalars import value
from vinculum.screws import Pose

Images = tuple[np.ndarray, np.ndarray]


@final
@dataclass(frozen=True, eq=False)
class Charts:
    """``count`` maps of the unit cube of a ``dimension`` into space, numbered from zero.

    ``images(k, u)``: points (n, 3) [m] and measures per unit of the cube (n,) at u (n, dimension) of the charts k (n,).
    """

    dimension: int
    count: int
    images: Callable[[np.ndarray, np.ndarray], Images]

    def transform(self, X: Pose) -> "Charts":
        """The charts carried along by the pose X."""

        def images(k: np.ndarray, u: np.ndarray) -> Images:
            points, weights = self.images(k, u)
            return points @ R.T + p, weights

        R, p = (np.asarray(value(x), dtype=float) for x in (X.R, X.p))
        return Charts(self.dimension, self.count, images)

    def weigh(self, density: Callable[[np.ndarray], np.ndarray]) -> "Charts":
        """The charts with their measures multiplied by a function of points (n, 3) that returns (n,)."""

        def images(k: np.ndarray, u: np.ndarray) -> Images:
            points, weights = self.images(k, u)
            return points, weights * density(points)

        return Charts(self.dimension, self.count, images)


def map_cube(images: Callable[[np.ndarray], Images], dimension: int = 3) -> Charts:
    """One chart."""
    return Charts(dimension, 1, lambda _, u: images(u))


def join_charts(*several: Charts) -> Charts:
    """The charts of all together."""
    ends = np.cumsum([one.count for one in several])

    def images(k: np.ndarray, u: np.ndarray) -> Images:
        points, weights, whose = np.empty((len(u), 3)), np.empty(len(u)), np.searchsorted(ends, k, side="right")
        for i in np.unique(whose):
            mine = whose == i
            points[mine], weights[mine] = several[i].images(k[mine] - (ends[i] - several[i].count), u[mine])
        return points, weights

    return Charts(several[0].dimension, int(ends[-1]), images)


def block(size) -> Charts:
    """A box about the origin."""
    edges = np.asarray(value(size), dtype=float)
    return map_cube(lambda u: ((u - 0.5) * edges, np.full(len(u), edges.prod())))


def tube(radius, length, narrowing: float = 0.0) -> Charts:
    """A cylinder along z about the origin; a cone from z = 0 to its apex at z = ``length`` if ``narrowing`` is one."""
    r, h = float(value(radius)), float(value(length))

    def images(u: np.ndarray) -> Images:
        slim, angle = r * (1.0 - narrowing * u[:, 2]), 2.0 * np.pi * u[:, 1]
        away = slim * u[:, 0]
        z = h * (u[:, 2] - 0.5 * (1.0 - narrowing))
        return np.stack([away * np.cos(angle), away * np.sin(angle), z], axis=1), 2.0 * np.pi * h * slim * away

    return map_cube(images)


def ball_sector(semiaxes, begin: float = 0.0, end: float = np.pi, lift: float = 0.0) -> Charts:
    """An ellipsoid about (0, 0, lift) between two polar angles."""
    axes = np.asarray(value(semiaxes), dtype=float)

    def images(u: np.ndarray) -> Images:
        r, polar, turn = u[:, 0], begin + (end - begin) * u[:, 1], 2.0 * np.pi * u[:, 2]
        ring = r * np.sin(polar)
        points = np.stack([ring * np.cos(turn), ring * np.sin(turn), r * np.cos(polar)], axis=1) * axes
        return points + np.array([0.0, 0.0, lift]), 2.0 * np.pi * (end - begin) * axes.prod() * r * ring

    return map_cube(images)


def simplices(corners: np.ndarray, sizes: np.ndarray) -> Charts:
    """Segments, triangles or tetrahedra: ``corners`` (t, d + 1, 3) and their lengths, areas or volumes (t,).

    Duffy's map of the cube, which collapses one side after another.
    """
    dimension = corners.shape[1] - 1

    def images(k: np.ndarray, u: np.ndarray) -> Images:
        points, rest, weights = corners[k, 0].copy(), np.ones(len(u)), factorial(dimension) * sizes[k]
        for i in range(dimension):
            rest = rest * u[:, i]
            points += rest[:, None] * (corners[k, i + 1] - corners[k, i])
            weights = weights * u[:, i] ** (dimension - 1 - i)
        return points, weights

    return Charts(dimension, len(corners), images)
