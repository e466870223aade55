"""Tables inside a step of a series: the piece is a mode, and its polynomial and ends are numbers looked up by the mode."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.scalars import Piecewise, Scalar


@final
@dataclass(frozen=True, eq=False)
class Slot:
    """A number that stays as long as a mode does: ``rows[m]`` in piece m."""

    mode: int
    rows: np.ndarray
    symbol: Scalar

    def number(self, modes: np.ndarray) -> float:
        return float(self.rows[min(max(int(modes[self.mode]), 0), len(self.rows) - 1)])


def polynomial(table: Piecewise) -> list[np.ndarray]:
    """Origin and coefficients of every piece."""
    return [table.origins, *table.coefficients.T]


def horner(x, origin, *terms):
    """The polynomial of one piece."""
    y, distance = terms[-1], x - origin
    for term in reversed(terms[:-1]):
        y = y * distance + term
    return y


def bounds(table: Piecewise) -> list[np.ndarray]:
    """Of every piece: whether it ends on the left and where, and the same on the right."""
    found = []
    for shift in (0, 1):
        place = np.arange(table.count) - table.first - 1 + shift
        ends = (place >= 0) & (place < len(table.edges))
        where = table.edges[np.clip(place, 0, len(table.edges) - 1)] if len(table.edges) else np.zeros(table.count)
        found += [ends.astype(float), np.where(ends, where, 0.0)]
    return found


def inside(x, ends_left, left, ends_right, right):
    """(x − left) · (right − x), positive inside of a piece; a side without an end does not count."""
    return (ends_left * (x - left) + (1.0 - ends_left)) * (ends_right * (right - x) + (1.0 - ends_right))


def piece_at(table: Piecewise, x: float) -> int:
    """The piece that holds x, −1 or `count` outside of the range; its ends belong to it."""
    piece = table.first + int(np.searchsorted(table.edges, x, side="right"))
    return min(max(piece, 0), table.count - 1) if table.holds(x) else piece


def nearest_edge(table: Piecewise, x: float) -> tuple[float, int]:
    """The edge nearest to x, infinite if there is none, and the piece on its left."""
    if not len(table.edges):
        return np.inf, 0
    i = int(np.argmin(np.abs(table.edges - x)))
    return float(table.edges[i]), table.first + i
