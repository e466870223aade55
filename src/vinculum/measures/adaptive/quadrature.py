"""Adaptive quadrature: cells are bisected where two rules differ most, until the estimate of the error is as asked for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.adaptive.cells import Cells, Nodes, bisect, choose, gauss_nodes, join_cells, whole_cells
from vinculum.measures.adaptive.cut_cells import Levels, cut_nodes, lines_across, unseen_measures
from vinculum.measures.charts import Charts
from vinculum.tolerances.round_off import FEW_ROUND_OFFS, TEN_ROUND_OFFS
from vinculum.tolerances.samples import HALVINGS_OF_A_CUT_CHART
from vinculum.tolerances.shapes import NARROWEST_CELL
from vinculum.tolerances.sizes import MOST_ADAPTIVE_POINTS, MOST_INTEGRATION_POINTS

RULES = ((7, 5), (5, 4), (4, 3), (3, 2), (2, 1))
"""Points along each axis of a cell, of the rule that counts and of the one that it is compared with; charts in great number get few,
and those that a region cuts, whose edges converge by bisection alone."""
Function = Callable[[np.ndarray], np.ndarray]


class Quadrature(NamedTuple):
    """What an adaptive quadrature found.

    ``value`` (m,), ``error`` (m,): its estimate, ``size`` (m,): the integral of absolute values; ``points`` (n, 3) and ``weights`` (n,)
    of the finer rule.
    """

    value: np.ndarray
    error: np.ndarray
    size: np.ndarray
    points: np.ndarray
    weights: np.ndarray


class _Evaluated(NamedTuple):
    """Cells with their integrals: ``value``, ``error`` and ``size`` (c, m), and the nodes of the finer rule."""

    cells: Cells
    value: np.ndarray
    error: np.ndarray
    size: np.ndarray
    nodes: Nodes


class _Cut(NamedTuple):
    """A region's ``levels``, and of each chart the axis of the lines on which it is cut out, ``axes`` (k,)."""

    levels: Levels
    axes: np.ndarray


def integrate_charts(
    what: str, charts: Charts, function: Function, accuracy: float, levels: Levels | None = None
) -> Quadrature:
    """Integrals of the components of a function over charts, each to an ``accuracy`` relative to that of its absolute value.

    ``function``: of points (n, 3) that returns (n, m). ``levels``: functions of points, (f, n), all negative in the region to which the
    integral is restricted. The estimate of the error of a cell is the difference of Gauss's rules of 7 and 5 points along each axis,
    which is the error of the coarser one; in a cell whose lines cross the boundary of a region in different
    ways, it is at least the corner that no line of the rules meets.
    """
    rule = _rule(what, charts, RULES if levels is None else RULES[1:])
    cells, cut = whole_cells(charts), None if levels is None else _Cut(levels, lines_across(charts, levels))
    axes = None if cut is None else cut.axes
    for _ in range(0 if cut is None else HALVINGS_OF_A_CUT_CHART):
        cells = bisect(charts, cells, axes)
    done = _evaluate(charts, function, cells, cut, rule)
    spent = len(done.nodes.points)
    while True:
        size = done.size.sum(0)
        scale = error_scale(size, accuracy)
        share = (done.error / scale).max(1)
        total = float((done.error.sum(0) / scale).max(initial=0.0))
        if not np.isfinite(total):
            raise ModelError(
                f"{what}: an integral is not finite; give a function that is finite at every point, and lengths whose squares are numbers"
            )
        if total <= accuracy or not len(share):
            break
        worst = np.argsort(-share, kind="stable")
        left = share.sum() - np.cumsum(share[worst])
        chosen = worst[: 1 + int(np.searchsorted(-left, -0.5 * accuracy))]
        spent += 2 * len(chosen) * rule[0] ** charts.dimension
        narrow = (done.cells.high - done.cells.low)[worst[0]].max() < NARROWEST_CELL
        if spent > MOST_ADAPTIVE_POINTS or narrow:
            cell = worst[0]
            middle = 0.5 * (done.cells.low[cell] + done.cells.high[cell])
            place = charts.images(done.cells.chart[[cell]], middle[None])[0][0]
            raise ModelError(
                f"{what}: the accuracy {accuracy:g} is not reached with {spent} points; the estimate of the relative "
                f"error is {total:.1e}, and most of it comes from near {np.round(place, 6).tolist()}, where the integrand jumps, "
                "has an edge or grows without end; ask for less, or divide the body there"
            )
        fresh = _evaluate(charts, function, bisect(charts, choose(done.cells, chosen), axes), cut, rule)
        kept = np.ones(len(share), dtype=bool)
        kept[chosen] = False
        done = _merge(done, kept, fresh)
    error = np.maximum(done.error.sum(0), FEW_ROUND_OFFS * size)
    return Quadrature(done.value.sum(0), error, size, done.nodes.points, done.nodes.weights)


def error_scale(size: np.ndarray, accuracy: float) -> np.ndarray:
    """What errors of components are relative to: the integral of their absolute value, or what makes round-off of the largest one pass."""
    scale = np.maximum(size, TEN_ROUND_OFFS / accuracy * size.max(initial=0.0))
    return np.where(scale > 0.0, scale, 1.0)


def _rule(what: str, charts: Charts, rules: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The finest rule with which a first look at all charts takes an eighth of the points that are allowed."""
    for rule in rules:
        if 8 * charts.count * rule[0] ** charts.dimension <= MOST_INTEGRATION_POINTS:
            return rule
    raise ModelError(
        f"{what}: {charts.count} cells are too many for integrals to an accuracy; simplify the mesh, or leave accuracy= out: its "
        "moments are exact sums without it"
    )


def _evaluate(charts: Charts, function: Function, cells: Cells, cut: _Cut | None, rule: tuple[int, int]) -> _Evaluated:
    found = []
    for count in rule:
        nodes = (
            gauss_nodes(charts, cells, count) if cut is None else cut_nodes(charts, cut.levels, cells, cut.axes, count)
        )
        f = function(nodes.points)
        terms = nodes.weights[:, None] * f
        found.append((nodes, _sums(nodes.cell, terms, len(cells.chart)), terms, np.abs(f).max(axis=0, initial=0.0)))
    (nodes, fine, terms, largest), (_, coarse, _, _) = found
    error = np.abs(fine - coarse)
    if cut is not None:
        error = np.maximum(error, unseen_measures(charts, cut.levels, cells, cut.axes)[:, None] * largest)
    return _Evaluated(cells, fine, error, _sums(nodes.cell, np.abs(terms), len(cells.chart)), nodes)


def _sums(owner: np.ndarray, terms: np.ndarray, count: int) -> np.ndarray:
    return np.stack([np.bincount(owner, column, count) for column in terms.T], axis=1)


def _merge(done: _Evaluated, kept: np.ndarray, fresh: _Evaluated) -> _Evaluated:
    mine = kept[done.nodes.cell]
    number = np.cumsum(kept) - 1
    nodes = Nodes(
        np.concatenate([done.nodes.points[mine], fresh.nodes.points]),
        np.concatenate([done.nodes.weights[mine], fresh.nodes.weights]),
        np.concatenate([number[done.nodes.cell[mine]], int(kept.sum()) + fresh.nodes.cell]),
    )
    value, error, size = (np.concatenate([old[kept], new]) for old, new in zip(done[1:4], fresh[1:4], strict=True))
    return _Evaluated(join_cells(choose(done.cells, kept), fresh.cells), value, error, size, nodes)
