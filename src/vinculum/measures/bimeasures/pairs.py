"""Integrals over pairs of points of two measures, adaptive in both."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.adaptive.cells import Cells, choose
from vinculum.measures.adaptive.quadrature import error_scale
from vinculum.measures.bimeasures.sides import Side
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.shapes import GAP_OF_SMOOTH_PAIRS, NARROWEST_CELL, STEEP_PAIR
from vinculum.tolerances.sizes import MOST_PAIRS_OF_POINTS, PAIRS_AT_ONCE

RULES = ((9, 7), (7, 5), (5, 4), (4, 3), (3, 2), (2, 1))
"""Points along each axis of a cell, of the rule that counts and of the one that it is compared with."""
FIRST_RULE = {1: 0, 2: 1, 3: 1, 4: 2, 5: 3, 6: 3}
"""Which of them is the finest, by the dimensions of both cells together."""
ORDERS = (4, 8, 12, 16, 20, 24, 30, 36, 44)
"""Orders of rules over whole bodies that are tried before cells are."""
MOST_WHOLE = 16
"""Most charts of a body that is tried as a whole."""
Law = Callable[[np.ndarray, np.ndarray], np.ndarray]


class PairIntegral(NamedTuple):
    """``value`` (m,), the estimate of its ``error`` (m,), and ``size`` (m,), the integral of absolute values."""

    value: np.ndarray
    error: np.ndarray
    size: np.ndarray


class _Pairs(NamedTuple):
    """Pairs of cells with ``value``, ``error`` and ``size`` (p, m), and the length of each of the two cells, ``lengths`` (p, 2) [m]."""

    a: Cells
    b: Cells
    value: np.ndarray
    error: np.ndarray
    size: np.ndarray
    lengths: np.ndarray


def integrate_pairs(one: Side, other: Side, law: Law, accuracy: float) -> PairIntegral:
    """∫∫ f(x, y) dμ(x) dν(y) of a function of points (n, 3) and (n, 3) that returns (n, m), each component to an accuracy relative to
    the integral of its absolute value.

    The estimate of the error of a pair of cells is the difference of two rules, or all of its contribution if the force is so uneven that
    two rules may miss the same peak. The larger cell of the worst pairs is bisected.
    """
    found = _try_orders(one, other, law, accuracy)
    if found is not None:
        return found
    a, b = one.start(), other.start()
    first = np.repeat(np.arange(len(a.chart)), len(b.chart))
    second = np.tile(np.arange(len(b.chart)), len(a.chart))
    spent, rule = [0], _rule(one, other, len(first))
    done = _evaluate(one, other, choose(a, first), choose(b, second), law, rule, spent)
    while True:
        size = done.size.sum(0)
        scale = error_scale(size, accuracy)
        share = (done.error / scale).max(1)
        total = float((done.error.sum(0) / scale).max())
        if total <= accuracy:
            break
        worst = np.argsort(-share, kind="stable")
        left = share.sum() - np.cumsum(share[worst])
        chosen = worst[: 1 + int(np.searchsorted(-left, -0.5 * accuracy))]
        wide = [(cells.high - cells.low)[worst[0]].max(initial=0.0) for cells in (done.a, done.b)]
        if spent[0] > MOST_PAIRS_OF_POINTS or max(wide) < NARROWEST_CELL:
            _refuse(one, other, done, int(worst[0]), spent[0], total, accuracy)
        kept = np.ones(len(share), dtype=bool)
        kept[chosen] = False
        parts = [_Pairs(choose(done.a, kept), choose(done.b, kept), *(x[kept] for x in done[2:]))]
        halved = done.lengths[:, 0] >= done.lengths[:, 1]
        for mine, side in ((chosen[halved[chosen]], 0), (chosen[~halved[chosen]], 1)):
            if len(mine):
                cells = [choose(done.a, mine), choose(done.b, mine)]
                cells[side] = (one, other)[side].halve(cells[side])
                cells[1 - side] = choose(cells[1 - side], np.tile(np.arange(len(mine)), 2))
                parts.append(_evaluate(one, other, cells[0], cells[1], law, rule, spent))
        done = _join(parts)
    return PairIntegral(done.value.sum(0), np.maximum(done.error.sum(0), FEW_ROUND_OFFS * size), size)


def _try_orders(one: Side, other: Side, law: Law, accuracy: float) -> PairIntegral | None:
    """The integral by rules of rising order over whole bodies, if two of them agree; None if they do not, as for bodies that are near."""
    charts = [side.charts for side in (one, other)]
    if all(x is None for x in charts):
        value, size = _sum_all(one, other, 0, law)
        return PairIntegral(value, FEW_ROUND_OFFS * size, size)
    if any(x is not None and x.count > MOST_WHOLE for x in charts) or not _are_apart(one, other):
        return None
    before: np.ndarray | None = None
    last = np.inf
    for order in ORDERS:
        counts = [len(side.whole_nodes(order)[1]) for side in (one, other)]
        if counts[0] * counts[1] > MOST_PAIRS_OF_POINTS // 4:
            return None
        value, size = _sum_all(one, other, order, law)
        if before is not None:
            error = np.abs(value - before)
            off = float((error / error_scale(size, accuracy)).max())
            if off <= accuracy:
                return PairIntegral(value, np.maximum(error, FEW_ROUND_OFFS * size), size)
            if off > 0.7 * last:
                return None
            last = off
        before = value
    return None


def _are_apart(one: Side, other: Side) -> bool:
    """Whether the gap between two bodies is so large against their sizes that a law that is singular in a point converges by orders."""
    x, y = (side.whole_nodes(ORDERS[1])[0] for side in (one, other))
    if len(x) * len(y) > MOST_PAIRS_OF_POINTS // 4:
        return False
    from scipy.spatial import KDTree

    gap = float(KDTree(x).query(y)[0].min())
    sizes = [float(np.linalg.norm(np.ptp(points, axis=0))) for points in (x, y)]
    return gap > GAP_OF_SMOOTH_PAIRS * max(sizes)


def _sum_all(one: Side, other: Side, order: int, law: Law) -> tuple[np.ndarray, np.ndarray]:
    """The sum of the law over all pairs of nodes of both bodies, and of its absolute value, (m,)."""
    (x, m), (y, n) = one.whole_nodes(order), other.whole_nodes(order)
    value, size, _ = _sum(x[None], m[None], y[None], n[None], law)
    return value[0], size[0]


def _rule(one: Side, other: Side, pairs: int) -> tuple[int, int]:
    """The finest rule with which a first look at all pairs of cells takes a sixteenth of the points that are allowed."""
    for rule in RULES[FIRST_RULE[one.dimension + other.dimension] :]:
        points = [len(side.masses) if side.charts is None else rule[0] ** side.dimension for side in (one, other)]
        if 16 * pairs * points[0] * points[1] <= MOST_PAIRS_OF_POINTS:
            return rule
    raise ModelError(
        f"bi-measure: {pairs} pairs of cells are too many to integrate over; simplify the meshes, or replace a distant body by points"
    )


def _evaluate(one: Side, other: Side, a: Cells, b: Cells, law: Law, rule: tuple[int, int], spent: list[int]) -> _Pairs:
    found, lengths, size, steep = [], np.zeros((len(a.chart), 2)), np.zeros(0), np.zeros(0, dtype=bool)
    for count in rule:
        (x, m), (y, n) = one.nodes(a, count), other.nodes(b, count)
        per_pair = x.shape[1] * y.shape[1]
        at_once = max(1, PAIRS_AT_ONCE // per_pair)
        sums = [_sum(x[k : k + at_once], m[k : k + at_once], y[k : k + at_once], n[k : k + at_once], law)
                for k in range(0, len(x), at_once)]  # fmt: skip
        value, absolute, unevenness = (np.concatenate([one_sum[i] for one_sum in sums]) for i in range(3))
        spent[0] += len(x) * per_pair
        if not found:
            size, steep = absolute, unevenness > STEEP_PAIR
            for k, (side, points) in enumerate(((one, x), (other, y))):
                lengths[:, k] = 0.0 if side.charts is None else np.linalg.norm(np.ptp(points, axis=1), axis=1)
        found.append(value)
    error = np.abs(found[0] - found[1])
    return _Pairs(a, b, found[0], np.where(steep[:, None], np.maximum(error, size), error), size, lengths)


def _sum(
    x: np.ndarray, m: np.ndarray, y: np.ndarray, n: np.ndarray, law: Law
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sums (p, k) of the law and of its absolute value over all pairs of points of each pair of cells, and how many times its largest
    force, the first three components, is its mean (p,)."""
    p, i, j = len(x), x.shape[1], y.shape[1]
    value, absolute, peak = [], [], np.zeros(p)
    rows = max(1, PAIRS_AT_ONCE // max(1, p * j))
    for begin in range(0, i, rows):
        part = x[:, begin : begin + rows]
        left = np.repeat(part.reshape(-1, 3), j, axis=0)
        right = np.broadcast_to(y[:, None], (p, part.shape[1], j, 3)).reshape(-1, 3)
        weights = (m[:, begin : begin + rows, None] * n[:, None]).reshape(p, -1)
        f = law(left, right).reshape(p, weights.shape[1], -1)
        value.append(np.einsum("pn,pnk->pk", weights, f))
        absolute.append(np.einsum("pn,pnk->pk", np.abs(weights), np.abs(f)))
        peak = np.maximum(peak, np.abs(f[:, :, :3]).max(axis=(1, 2)))
    whole = np.sum(absolute, axis=0)
    mean = whole[:, :3].max(1) / np.maximum(np.abs(m).sum(1) * np.abs(n).sum(1), np.finfo(float).tiny)
    return np.sum(value, axis=0), whole, peak / np.where(mean > 0.0, mean, 1.0)


def _join(parts: list[_Pairs]) -> _Pairs:
    a, b = (Cells(*(np.concatenate(x) for x in zip(*(part[i] for part in parts), strict=True))) for i in (0, 1))
    return _Pairs(a, b, *(np.concatenate([part[i] for part in parts]) for i in range(2, 6)))


def _refuse(one: Side, other: Side, done: _Pairs, worst: int, spent: int, total: float, accuracy: float) -> None:
    (x, _), (y, _) = one.nodes(choose(done.a, np.array([worst])), 3), other.nodes(choose(done.b, np.array([worst])), 3)
    apart = np.linalg.norm(x[0][:, None] - y[0][None], axis=2)
    i, j = np.unravel_index(int(np.argmin(apart)), apart.shape)
    where = f"{np.round(x[0][i], 6).tolist()} and {np.round(y[0][j], 6).tolist()}"
    if apart[i, j] < done.lengths[worst].max():
        raise ModelError(
            f"bi-measure: the two measures touch or overlap near {where}, where the law is singular: after {spent} pairs of "
            f"points the estimate of the relative error is {total:.1e}, not {accuracy:g}; move them apart, soften the law (as "
            "1/(r² + ε²)), or ask for less accuracy"
        )
    raise ModelError(
        f"bi-measure: the accuracy {accuracy:g} is not reached with {spent} pairs of points; the estimate of the relative "
        f"error is {total:.1e}, and most of it comes from the points {where}; ask for less accuracy"
    )
