"""One of the two measures of a pair: charts in cells, or atoms."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.measures.adaptive.cells import Cells, bisect, gauss_nodes, whole_cells
from vinculum.measures.charts import Charts
from vinculum.measures.measure import Measure
from vinculum.measures.parts import Part
from vinculum.measures.spread import Spread
from vinculum.scalars import value


@final
@dataclass(frozen=True, eq=False)
class Side:
    """A part of a measure: ``charts``, or the nodes ``points`` (n, 3) and ``masses`` (n,) if it has none.

    ``accuracy``: of the nodes of a part that a region cuts, else zero. ``part``: what it is a side of.
    """

    part: Part
    charts: Charts | None
    points: np.ndarray
    masses: np.ndarray
    accuracy: float = 0.0

    @classmethod
    def of(cls, part: Part) -> "Side":
        """The side of a part; one that a region cuts is represented by the nodes of its own moments."""
        if part.charts is not None and part.levels is None:
            return cls(part, part.charts, np.zeros((0, 3)), np.zeros(0))
        points, masses = (np.asarray(value(x), dtype=float) for x in part.nodes(0))
        return cls(part, None, points, masses, part.accuracy if isinstance(part, Spread) else 0.0)

    @property
    def dimension(self) -> int:
        return 0 if self.charts is None else self.charts.dimension

    def whole_nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and masses (n,) of one rule over the whole, exact for polynomials up to the degree ``order``, or about so."""
        if self.charts is None:
            return self.points, self.masses
        if isinstance(self.part, Spread):
            found = gauss_nodes(self.charts, self.start(), order // 2 + 1)
            return found.points, found.weights
        points, masses = self.part.nodes(order)
        return np.asarray(value(points), dtype=float), np.asarray(value(masses), dtype=float)

    def start(self) -> Cells:
        """Its cells before any bisection; all atoms are one."""
        if self.charts is None:
            return Cells(np.zeros(1, dtype=np.int64), np.zeros((1, 0)), np.zeros((1, 0)))
        return whole_cells(self.charts)

    def halve(self, cells: Cells) -> Cells:
        """The halves of cells, first all lower ones."""
        assert self.charts is not None
        return bisect(self.charts, cells)

    def nodes(self, cells: Cells, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (c, n, 3) and masses (c, n) of a rule in cells, each of which may occur several times."""
        if self.charts is None:
            c = len(cells.chart)
            return np.broadcast_to(self.points, (c, *self.points.shape)), np.broadcast_to(
                self.masses, (c, len(self.masses))
            )
        rows = np.concatenate([cells.chart[:, None], cells.low, cells.high], axis=1)
        _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        found = gauss_nodes(self.charts, Cells(*(one[first] for one in cells)), count)
        points, masses = found.points.reshape(len(first), -1, 3), found.weights.reshape(len(first), -1)
        return points[which.reshape(-1)], masses[which.reshape(-1)]


def sides_of(measure: Measure) -> list[Side]:
    """The sides of all parts of a measure."""
    return [Side.of(part) for part in measure.parts]
