"""Cells: boxes in the unit cubes of charts, and the points of Gauss's rule in them."""

from typing import NamedTuple

import numpy as np

from vinculum.measures.charts import Charts
from vinculum.measures.quadrature import segment

STATIONS = np.linspace(0.0, 1.0, 5)


class Cells(NamedTuple):
    """``chart`` (c,), ``low`` and ``high`` (c, d): which chart, and opposite corners in its cube."""

    chart: np.ndarray
    low: np.ndarray
    high: np.ndarray


class Nodes(NamedTuple):
    """``points`` (n, 3) [m], ``weights`` (n,) and the cell of each, ``cell`` (n,)."""

    points: np.ndarray
    weights: np.ndarray
    cell: np.ndarray


def whole_cells(charts: Charts) -> Cells:
    """One cell for each chart."""
    shape = (charts.count, charts.dimension)
    return Cells(np.arange(charts.count), np.zeros(shape), np.ones(shape))


def choose(cells: Cells, which: np.ndarray) -> Cells:
    """Some of the cells."""
    return Cells(*(one[which] for one in cells))


def join_cells(*several: Cells) -> Cells:
    """The cells of all together."""
    return Cells(*(np.concatenate(one) for one in zip(*several, strict=True)))


def bisect(charts: Charts, cells: Cells, axes: np.ndarray | None = None) -> Cells:
    """The halves of each cell, across the axis along which it is longest in space.

    ``axes``: of each chart the axis of the lines on which a region is cut out; along it cells may be eight times as long.
    """
    count, d = cells.low.shape
    middle, lengths = 0.5 * (cells.low + cells.high), np.empty((count, d))
    for axis in range(d):
        u = np.repeat(middle[:, None], len(STATIONS), axis=1)
        u[:, :, axis] = cells.low[:, None, axis] + (cells.high - cells.low)[:, None, axis] * STATIONS
        path = charts.images(np.repeat(cells.chart, len(STATIONS)), u.reshape(-1, d))[0].reshape(count, -1, 3)
        lengths[:, axis] = np.linalg.norm(np.diff(path, axis=1), axis=2).sum(1)
    if axes is not None and d > 1:
        lengths[np.arange(count), axes[cells.chart]] *= 0.125
    across = (np.arange(count), np.argmax(lengths, axis=1))
    low, high = cells.low.copy(), cells.high.copy()
    low[across] = high[across] = middle[across]
    return Cells(np.tile(cells.chart, 2), np.concatenate([cells.low, low]), np.concatenate([high, cells.high]))


def unit_rule(count: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's points (n, d) and weights (n,) in the unit cube, ``count`` along each axis."""
    x, w = segment(2 * count - 2, 0.0, 1.0)
    points = np.stack(np.meshgrid(*[x] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    weights = np.prod(np.stack(np.meshgrid(*[w] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension), axis=1)
    return points, weights


def gauss_nodes(charts: Charts, cells: Cells, count: int) -> Nodes:
    """Points of Gauss's rule, ``count`` along each axis of every cell."""
    u, w = unit_rule(count, charts.dimension)
    wide = cells.high - cells.low
    places = (cells.low[:, None] + wide[:, None] * u).reshape(-1, charts.dimension)
    points, weights = charts.images(np.repeat(cells.chart, len(u)), places)
    return Nodes(points, weights * (wide.prod(1)[:, None] * w).ravel(), np.repeat(np.arange(len(wide)), len(u)))
