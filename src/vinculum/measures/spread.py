"""Mass spread over charts: densities integrated to an accuracy, surfaces, lines, and what a region leaves of a solid."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vinculum.measures.adaptive.cut_cells import Levels
from vinculum.measures.adaptive.quadrature import Quadrature, integrate_charts
from vinculum.measures.charts import Charts
from vinculum.measures.parts import Drawn, Part, second_moment
from vinculum.measures.regions import Region, all_levels
from vinculum.scalars import Value, math, value, vector
from vinculum.screws import Pose


@final
@dataclass(frozen=True, eq=False)
class Spread(Part):
    """Charts whose measure is the mass, restricted to regions, with moments to an accuracy.

    ``own``: the charts in their own frame, at the pose ``X``; ``ball``: a point (3,) of that frame and the distance to the farthest mass
    [m]; ``regions``: in the frame of the whole; ``look``: what is drawn.
    """

    own: Charts
    ball: tuple[np.ndarray, float]
    accuracy: float
    X: Pose
    regions: tuple[Region, ...] = ()
    look: Drawn | None = None

    @property
    def mass(self) -> Value:
        return float(self._found.value[0])

    @property
    def first_moment(self) -> np.ndarray:
        return self._found.value[1:4]

    def second_about(self, y) -> np.ndarray:
        return second_moment(self._found.points - y, self._found.weights)

    @property
    def is_empty(self) -> bool:
        """Whether its regions leave nothing."""
        return not len(self._found.weights)

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        return self._found.points, self._found.weights

    @property
    def charts(self) -> Charts:
        return self.own.transform(self.X)

    @property
    def levels(self) -> Levels | None:
        return all_levels(self.regions)

    def reach(self, point) -> Value:
        center, radius = self.ball
        return math.norm(self.X.apply(center) - vector(point)) + radius

    def transform(self, X: Pose) -> "Spread":
        look = None if self.look is None else self.look._replace(X=X @ self.look.X)
        return replace(self, X=X @ self.X, regions=tuple(one.transform(X) for one in self.regions), look=look)

    def scale(self, factor) -> "Spread":
        number = float(value(factor))
        return replace(self, own=self.own.weigh(lambda points: np.full(len(points), number)))

    @property
    def drawn(self) -> Drawn | None:
        return self.look

    @cached_property
    def _found(self) -> Quadrature:
        return integrate_charts("measure", self.charts, _moments, self.accuracy, self.levels)


def _moments(x: np.ndarray) -> np.ndarray:
    """1, r and the products of its components, (n, 10): whose integrals are the moments up to the degree two."""
    products = [x[:, i] * x[:, j] for i in range(3) for j in range(i, 3)]
    return np.stack([np.ones(len(x)), *x.T, *products], axis=1)
