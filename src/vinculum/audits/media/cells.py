"""Integrals of the fields of a medium over cells of space and time and over their faces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.measures.continua.media import Medium

ROWS = 7
"""Mass, momentum and angular momentum."""


@final
@dataclass(frozen=True, eq=False)
class Terms:
    """Sums (7,) over one cell for mass, momentum and moment at a point: the ``change`` and what flowed out, what ``acted``, what the other
    phases gave as ``exchange``, and the sum of all ``sizes``."""

    change: np.ndarray
    acted: np.ndarray
    exchange: np.ndarray
    sizes: np.ndarray


def split_box(box: np.ndarray, window: np.ndarray, cells: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Corners (2, 3) and instants (2,) of cells that fill a box in a window of time."""
    edges = [np.linspace(low, high, cells + 1) for low, high in [*box.T, window]]
    for i in np.ndindex(*[cells] * 4):
        low, high = (np.array([edge[k + step] for edge, k in zip(edges, i, strict=True)]) for step in (0, 1))
        yield np.stack([low[:3], high[:3]]), np.array([low[3], high[3]])


def cell_terms(medium: Medium, corners: np.ndarray, window: np.ndarray, point: np.ndarray, order: int) -> Terms:
    r"""The terms of (15) for the medium in a cell, by Gauss–Legendre quadrature with ``order`` nodes along each axis.

    .. math:: \Big[\int l^{p,q}\,dx\Big]_{t_1}^{t_2} + \int\!\oint l^{p,q}\,(v\cdot n)
        = \int\!\int l^{f,m} + \int\!\oint l^{\mathcal Tn,\mathcal Cn}
    """
    u, w = np.polynomial.legendre.leggauss(order)
    nodes = [_nodes(low, high, u, w) for low, high in [*corners.T, window]]
    change, acted, exchange, sizes = (np.zeros(ROWS) for _ in range(4))
    for instant, sign in ((window[0], -1.0), (window[1], 1.0)):
        x, t, weights = _grid([*nodes[:3], (np.array([instant]), np.ones(1))])
        _add(change, sizes, sign * weights, _carried_screws(medium, x, t, point))
    for axis in range(3):
        for side, sign in ((0, -1.0), (1, 1.0)):
            face = list(nodes)
            face[axis] = np.array([corners[side, axis]]), np.ones(1)
            x, t, weights = _grid(face)
            out = sign * medium.at("velocity", x, t)[:, axis]
            _add(change, sizes, weights * out, _carried_screws(medium, x, t, point))
            pull = medium.at("stress", x, t)[:, :, axis], medium.at("couple_stress", x, t)[:, :, axis]
            _add(acted, sizes, sign * weights, _slider(x, point, *pull))
    x, t, weights = _grid(nodes)
    force = medium.at("force", x, t) + medium.at("increment", x, t)
    given = _slider(x, point, force, medium.at("couple", x, t))
    given[:, 0] = medium.at("source", x, t)
    _add(acted, sizes, weights, given)
    shared = _slider(x, point, medium.at("exchange", x, t), medium.at("exchange_couple", x, t))
    _add(exchange, sizes, weights, shared)
    return Terms(change, acted, exchange, sizes)


def _nodes(low: float, high: float, u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    half = 0.5 * (high - low)
    return low + half * (1.0 + u), half * w


def _grid(nodes: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (n, 3), instants (n,) and weights (n,) of a product of rules along x, y, z and t."""
    places = np.meshgrid(*(x for x, _ in nodes), indexing="ij")
    weights = np.ones(places[0].shape)
    for k, (_, w) in enumerate(nodes):
        weights = weights * w.reshape([-1 if i == k else 1 for i in range(4)])
    return np.column_stack([one.ravel() for one in places[:3]]), places[3].ravel(), weights.ravel()


def _carried_screws(medium: Medium, x: np.ndarray, t: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Mass, momentum and moment of momentum (n, 7) per volume."""
    rows = _slider(x, point, medium.at("momentum", x, t), medium.at("spin", x, t))
    rows[:, 0] = medium.at("density", x, t)
    return rows


def _slider(x: np.ndarray, point: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Sliders (n, 7) reduced at a point, (1); the first number is left for a mass."""
    return np.column_stack([np.zeros(len(x)), p, q + np.cross(x - point, p)])


def _add(total: np.ndarray, sizes: np.ndarray, weights: np.ndarray, rows: np.ndarray) -> None:
    total += weights @ rows
    sizes += np.abs(weights) @ np.abs(rows)
