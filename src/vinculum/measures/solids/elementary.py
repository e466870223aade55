"""Elementary solids: sphere, box, cylinder, capsule, cone, ellipsoid."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.measures.charts import Charts, ball_sector, block, join_charts, tube
from vinculum.measures.quadrature import ball, disc, prism, segment
from vinculum.measures.solids.base import Solid
from vinculum.scalars import Value, value, vector
from vinculum.scalars.math import abs, hypot, maximum, norm, pi

ROUND = 4.0 / 3.0 * pi


@final
@dataclass(frozen=True, eq=False)
class Sphere(Solid):
    """A ball centered at the origin. ``radius`` [m].

    >>> round(float(vc.shapes.Sphere(0.5).volume), 6)
    0.523599
    """

    radius: Value
    shapes = ((),)

    @property
    def is_ball(self) -> bool:
        return True

    @property
    def volume(self) -> Value:
        return ROUND * self.radius**3

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def mean_square(self) -> np.ndarray:
        return self.radius**2 / 5.0 * np.eye(3)

    def reach(self, point) -> Value:
        return norm(point) + self.radius

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = ball(order)
        return self.radius * points, self.radius**3 * weights

    @property
    def charts(self) -> Charts:
        return ball_sector(np.full(3, float(value(self.radius))))

    def levels(self, points: np.ndarray) -> np.ndarray:
        return (_squares(points).sum(1) - float(value(self.radius)) ** 2)[None]


@final
@dataclass(frozen=True, eq=False)
class Box(Solid):
    """A rectangular block about the origin with its edges along the axes. ``size``: the three edges, (3,) [m].

    >>> float(vc.shapes.Box((1, 2, 3)).volume)
    6.0
    """

    size: np.ndarray
    shapes = ((3,),)

    @property
    def volume(self) -> Value:
        return self.size[0] * self.size[1] * self.size[2]

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def mean_square(self) -> np.ndarray:
        return _diagonal(self.size * self.size / 12.0)

    def reach(self, point) -> Value:
        return norm(abs(vector(point)) + 0.5 * self.size)

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        line = segment(order, -0.5, 0.5)
        square = prism((line[0][:, None], line[1]), line)
        points, weights = prism(square, line)
        return points * self.size, self.volume * weights

    @property
    def charts(self) -> Charts:
        return block(self.size)

    def levels(self, points: np.ndarray) -> np.ndarray:
        half = 0.5 * np.asarray(value(self.size), dtype=float)
        return np.concatenate([points - half, -points - half], axis=1).T


@final
@dataclass(frozen=True, eq=False)
class Cylinder(Solid):
    """A circular cylinder along z, centered at the origin. ``radius``, ``length`` [m].

    >>> round(float(vc.shapes.Cylinder(0.5, 2.0).volume), 6)
    1.570796
    """

    radius: Value
    length: Value
    shapes = ((), ())

    @property
    def volume(self) -> Value:
        return pi * self.radius**2 * self.length

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def mean_square(self) -> np.ndarray:
        across = self.radius**2 / 4.0
        return _diagonal([across, across, self.length**2 / 12.0])

    def reach(self, point) -> Value:
        x, y, z = vector(point)
        return hypot(hypot(x, y) + self.radius, abs(z) + 0.5 * self.length)

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = prism(disc(order), segment(order, -0.5, 0.5))
        return points * vector([self.radius, self.radius, self.length]), self.radius**2 * self.length * weights

    @property
    def charts(self) -> Charts:
        return tube(self.radius, self.length)

    def levels(self, points: np.ndarray) -> np.ndarray:
        r, half, z = float(value(self.radius)), 0.5 * float(value(self.length)), points[:, 2]
        return np.stack([_squares(points[:, :2]).sum(1) - r**2, z - half, -z - half])


@final
@dataclass(frozen=True, eq=False)
class Capsule(Solid):
    """A cylinder along z with a half ball at each end, centered at the origin.

    ``radius`` [m]; ``length``: of the cylinder without the half balls [m].

    >>> round(float(vc.shapes.Capsule(0.5, 2.0).volume), 6)
    2.094395
    """

    radius: Value
    length: Value
    shapes = ((), ())

    @property
    def volume(self) -> Value:
        return pi * self.radius**2 * self.length + ROUND * self.radius**3

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def mean_square(self) -> np.ndarray:
        r, h = self.radius, self.length
        ends = 4.0 * r / (3.0 * h + 4.0 * r)  # share of the volume
        middle = 3.0 * h / (3.0 * h + 4.0 * r)
        across = middle * r**2 / 4.0 + ends * r**2 / 5.0
        return _diagonal([across, across, middle * h**2 / 12.0 + ends * (h**2 / 4.0 + 0.375 * h * r + r**2 / 5.0)])

    def reach(self, point) -> Value:
        x, y, z = vector(point)
        return hypot(hypot(x, y), abs(z) + 0.5 * self.length) + self.radius

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        r, h = self.radius, self.length
        tube, tube_weights = prism(disc(order), segment(order, -0.5, 0.5))
        cap, cap_weights = ball(order, lowest=0.0)
        end = vector([0.0, 0.0, 0.5 * h])
        points = [tube * vector([r, r, h]), r * cap + end, -(r * cap + end)]
        return np.concatenate(points), np.concatenate([r**2 * h * tube_weights, r**3 * cap_weights, r**3 * cap_weights])

    @property
    def charts(self) -> Charts:
        r, half = float(value(self.radius)), 0.5 * float(value(self.length))
        ends = [ball_sector(np.full(3, r), *cap) for cap in ((0.0, 0.5 * pi, half), (0.5 * pi, pi, -half))]
        return join_charts(tube(self.radius, self.length), *ends)

    def levels(self, points: np.ndarray) -> np.ndarray:
        r, half = float(value(self.radius)), 0.5 * float(value(self.length))
        beyond = points[:, 2] - np.clip(points[:, 2], -half, half)
        return (_squares(points[:, :2]).sum(1) + beyond**2 - r**2)[None]


@final
@dataclass(frozen=True, eq=False)
class Cone(Solid):
    """A circular cone along z with the center of its base at the origin and its apex at z = height.

    ``radius`` of the base, ``height`` [m]. The mass center is at z = height / 4.

    >>> round(float(vc.shapes.Cone(0.5, 2.0).volume), 6)
    0.523599
    """

    radius: Value
    height: Value
    shapes = ((), ())

    @property
    def volume(self) -> Value:
        return pi / 3.0 * self.radius**2 * self.height

    @property
    def center(self) -> np.ndarray:
        return vector([0.0, 0.0, 0.25 * self.height])

    @property
    def mean_square(self) -> np.ndarray:
        across = 0.15 * self.radius**2
        return _diagonal([across, across, 0.1 * self.height**2])

    def reach(self, point) -> Value:
        x, y, z = vector(point)
        return maximum(hypot(hypot(x, y) + self.radius, z), hypot(hypot(x, y), self.height - z))

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = prism(disc(order), segment(order + 2, 0.0, 1.0))
        slim = 1.0 - points[:, 2]
        points = points * np.stack([slim, slim, np.ones(len(slim))], axis=1)
        r, h = self.radius, self.height
        return points * vector([r, r, h]), r**2 * h * (weights * slim**2)

    @property
    def charts(self) -> Charts:
        return tube(self.radius, self.height, narrowing=1.0)

    def levels(self, points: np.ndarray) -> np.ndarray:
        r, h, z = float(value(self.radius)), float(value(self.height)), points[:, 2]
        return np.stack([_squares(points[:, :2]).sum(1) - (r * (1.0 - z / h)) ** 2, -z, z - h])


@final
@dataclass(frozen=True, eq=False)
class Ellipsoid(Solid):
    """An ellipsoid about the origin with its axes along x, y, z. ``semiaxes``: (3,) [m].

    >>> round(float(vc.shapes.Ellipsoid((1, 2, 3)).volume), 6)
    25.132741
    """

    semiaxes: np.ndarray
    shapes = ((3,),)

    @property
    def volume(self) -> Value:
        return ROUND * self.semiaxes[0] * self.semiaxes[1] * self.semiaxes[2]

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def mean_square(self) -> np.ndarray:
        return _diagonal(self.semiaxes * self.semiaxes / 5.0)

    def reach(self, point) -> Value:
        a, b, c = self.semiaxes
        return norm(point) + maximum(a, maximum(b, c))

    def quadrature(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = ball(order)
        return points * self.semiaxes, self.volume / ROUND * weights

    @property
    def charts(self) -> Charts:
        return ball_sector(self.semiaxes)

    def levels(self, points: np.ndarray) -> np.ndarray:
        return (_squares(points / np.asarray(value(self.semiaxes), dtype=float)).sum(1) - 1.0)[None]


def _diagonal(entries) -> np.ndarray:
    """The matrix (3, 3) with these entries on its diagonal and exact zeros elsewhere."""
    a, b, c = vector(entries)
    return vector([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]])


def _squares(points: np.ndarray) -> np.ndarray:
    return points * points
