"""Charts that the boundary of a region cuts: Gauss's rule along lines, between the points where they cross it."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from vinculum.measures.adaptive.cells import Cells, Nodes, unit_rule
from vinculum.measures.charts import Charts
from vinculum.tolerances.iterations import CROSSING_ROUNDS
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.samples import SAMPLES_OF_A_CHART, SAMPLES_OF_A_LINE, SAMPLES_OF_A_SIDE
from vinculum.tolerances.shapes import UNSEEN_CORNER
from vinculum.tolerances.sizes import MOST_INTEGRATION_POINTS

Levels = Callable[[np.ndarray], np.ndarray]
MORE_ALONG_LINES = 4


class _Lines(NamedTuple):
    """Lines through cells along one axis: ``cell`` (l,), and their ``places`` (l, d) in the cube, of which that of the axis is free."""

    cell: np.ndarray
    places: np.ndarray
    weights: np.ndarray


class _Stretches(NamedTuple):
    """Stretches of lines inside a region: ``line``, ``begin`` and ``end`` (k,), fractions of the line in its cell."""

    line: np.ndarray
    begin: np.ndarray
    end: np.ndarray


def lines_across(charts: Charts, levels: Levels) -> np.ndarray:
    """The axis of each chart (k,) along which lines have the most even share inside, where levels (functions of points (n, 3), (f, n))
    are all negative: the one for which it jumps least from line to line, on a grid of samples."""
    d = charts.dimension
    n = SAMPLES_OF_A_CHART if charts.count * SAMPLES_OF_A_CHART**d <= MOST_INTEGRATION_POINTS // 8 else 3
    u = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, n)] * d, indexing="ij"), axis=-1).reshape(-1, d)
    points, _ = charts.images(np.repeat(np.arange(charts.count), len(u)), np.tile(u, (charts.count, 1)))
    inside = np.all(levels(points) <= 0.0, axis=0).reshape(charts.count, *[n] * d)
    jumps = np.zeros((d, charts.count))
    for axis in range(d):
        share = inside.mean(axis=1 + axis)
        for k in range(1, d):
            jumps[axis] += (np.diff(share, axis=k) ** 2).reshape(charts.count, -1).mean(1)
    return np.argmin(jumps, axis=0)


def cut_nodes(charts: Charts, levels: Levels, cells: Cells, axes: np.ndarray, count: int) -> Nodes:
    """Points of the part of each cell where all levels are negative: on lines along the axis of its chart, four more than ``count``
    between crossings, as cells are long along them."""
    d, found = charts.dimension, [Nodes(np.zeros((0, 3)), np.zeros(0), np.zeros(0, dtype=np.int64))]
    u, w = unit_rule(count, d - 1) if d > 1 else (np.zeros((1, 0)), np.ones(1))
    x, wx = unit_rule(count + MORE_ALONG_LINES, 1)
    for axis in range(d):
        mine = np.flatnonzero(axes[cells.chart] == axis)
        if not len(mine):
            continue
        lines = _lines(cells, mine, axis, u, w)
        line, begin, end = _stretches(charts, levels, cells, axis, lines)
        s = (begin[:, None] + (end - begin)[:, None] * x[:, 0]).ravel()
        many = np.repeat(line, len(x))
        points, weights = _place(charts, cells, axis, lines, many, s)
        cell = lines.cell[many]
        lengths = ((end - begin)[:, None] * wx).ravel() * (cells.high - cells.low)[cell, axis]
        found.append(Nodes(points, weights * lengths * lines.weights[many], cell))
    return Nodes(*(np.concatenate(one) for one in zip(*found, strict=True)))


def unseen_measures(charts: Charts, levels: Levels, cells: Cells, axes: np.ndarray) -> np.ndarray:
    """What the boundary of a region may cut off between the lines of a rule in each cell, (c,).

    Lines on a grid up to the sides of a cell are compared. If they cross the boundary in different ways, it is a corner between them, as
    high as the lengths inside differ.
    """
    d, found = charts.dimension, np.zeros(len(cells.chart))
    if d == 1:
        return found
    n = SAMPLES_OF_A_SIDE
    u = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, n)] * (d - 1), indexing="ij"), axis=-1).reshape(-1, d - 1)
    for axis in range(d):
        mine = np.flatnonzero(axes[cells.chart] == axis)
        if not len(mine):
            continue
        lines = _lines(cells, mine, axis, u, np.ones(len(u)))
        count = len(lines.cell)
        line, begin, end = _stretches(charts, levels, cells, axis, lines)
        inside = np.bincount(line, end - begin, count).reshape(-1, len(u))
        kinds = np.bincount(line, 4.0 + (begin == 0.0) + 2.0 * (end == 1.0), count).reshape(-1, len(u))
        _, weights = _place(charts, cells, axis, lines, np.arange(count), np.full(count, 0.5))
        bulk = np.abs(weights).reshape(-1, len(u)).mean(1) * (cells.high - cells.low)[mine].prod(1)
        found[mine] = np.where(np.ptp(kinds, axis=1) > 0.0, UNSEEN_CORNER * np.ptp(inside, axis=1) * bulk, 0.0)
    return found


def _lines(cells: Cells, mine: np.ndarray, axis: int, u: np.ndarray, w: np.ndarray) -> _Lines:
    across = [k for k in range(cells.low.shape[1]) if k != axis]
    low, wide = cells.low[mine], (cells.high - cells.low)[mine]
    places = np.zeros((len(mine) * len(u), low.shape[1]))
    places[:, across] = (low[:, None, across] + wide[:, None, across] * u).reshape(len(places), len(across))
    return _Lines(np.repeat(mine, len(u)), places, (wide[:, across].prod(1)[:, None] * w).ravel())


def _place(charts: Charts, cells: Cells, axis: int, lines: _Lines, line: np.ndarray, s: np.ndarray):
    """Points (n, 3) and weights (n,) on lines, at fractions s of their cells."""
    cell, at = lines.cell[line], lines.places[line]
    at[:, axis] = cells.low[cell, axis] + (cells.high - cells.low)[cell, axis] * s
    return charts.images(cells.chart[cell], at)


def _stretches(charts: Charts, levels: Levels, cells: Cells, axis: int, lines: _Lines) -> _Stretches:
    def place(line: np.ndarray, s: np.ndarray) -> np.ndarray:
        return _place(charts, cells, axis, lines, line, s)[0]

    line, begin, end = _intervals(_crossings(place, levels, len(lines.cell)), len(lines.cell))
    inside = np.all(levels(place(line, 0.5 * (begin + end))) <= 0.0, axis=0)
    return _Stretches(line[inside], begin[inside], end[inside])


def _crossings(place: Callable, levels: Levels, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Lines and fractions at which one of the levels changes its sign, by Chandrupatla's method."""
    s, b = _stations(place, levels, lines)
    face, line, gap = np.nonzero((b[:, :, 1:] > 0.0) != (b[:, :, :-1] > 0.0))
    if not len(line):
        return line, np.zeros(0)

    def level(at: np.ndarray) -> np.ndarray:
        return levels(place(line, at))[face, np.arange(len(line))]

    x1, x2 = s[line, gap], s[line, gap + 1]
    f1, f2 = b[face, line, gap], b[face, line, gap + 1]
    t = np.full(len(line), 0.5)
    for _ in range(CROSSING_ROUNDS):
        x = x1 + t * (x2 - x1)
        f = level(x)
        same = (f > 0.0) == (f1 > 0.0)
        x3, f3 = np.where(same, x1, x2), np.where(same, f1, f2)
        x2, f2 = np.where(same, x2, x1), np.where(same, f2, f1)
        x1, f1 = x, f
        room = np.abs(x2 - x1)
        if room.max() <= FEW_ROUND_OFFS:
            break
        with np.errstate(divide="ignore", invalid="ignore"):
            xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
            smooth = (phi * phi < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
            t = f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
            least = np.minimum(0.5, 0.5 * FEW_ROUND_OFFS / room)
        t = np.clip(np.where(smooth & np.isfinite(t), t, 0.5), least, 1.0 - least)
    return line, np.where(np.abs(f1) < np.abs(f2), x1, x2)


def _stations(place: Callable, levels: Levels, lines: int) -> tuple[np.ndarray, np.ndarray]:
    """Fractions (l, s) of lines and the levels there (f, l, s): evenly, and where a parabola through three of them is nearest to zero."""
    s = np.linspace(0.0, 1.0, SAMPLES_OF_A_LINE)
    b = levels(place(np.repeat(np.arange(lines), len(s)), np.tile(s, lines))).reshape(-1, lines, len(s))
    k = 1 + np.argmin(np.abs(b[:, :, 1:-1]), axis=2)[:, :, None]
    left, middle, right = (np.take_along_axis(b, k + step, axis=2)[:, :, 0] for step in (-1, 0, 1))
    bend = left - 2.0 * middle + right
    shift = np.where(bend == 0.0, 0.0, 0.5 * (left - right) / np.where(bend == 0.0, 1.0, bend))
    extra = np.clip(s[k[:, :, 0]] + np.clip(shift, -1.0, 1.0) * s[1], 0.0, 1.0).T
    more = levels(place(np.repeat(np.arange(lines), extra.shape[1]), extra.ravel())).reshape(-1, lines, extra.shape[1])
    s, b = np.concatenate([np.tile(s, (lines, 1)), extra], axis=1), np.concatenate([b, more], axis=2)
    order = np.argsort(s, axis=1, kind="stable")
    return np.take_along_axis(s, order, axis=1), np.take_along_axis(b, order[None], axis=2)


def _intervals(cuts: tuple[np.ndarray, np.ndarray], lines: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lines and the two ends of every stretch between neighboring cuts or ends of a line."""
    line = np.concatenate([cuts[0], np.arange(lines), np.arange(lines)])
    s = np.concatenate([cuts[1], np.zeros(lines), np.ones(lines)])
    order = np.lexsort((s, line))
    line, s = line[order], s[order]
    inner = (line[1:] == line[:-1]) & (s[1:] > s[:-1])
    return line[:-1][inner], s[:-1][inner], s[1:][inner]
