"""Sliders: fields of a main vector and a moment over all points."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.scalars import math, vector
from vinculum.screws.entries import of_shape
from vinculum.screws.rotations import skew


@final
@dataclass(frozen=True, eq=False)
class Slider:
    r"""The field :math:`l^{p_x, q_x}` of a main vector p and a moment, which is q at the point x.

    .. math:: p_y = p_x, \qquad q_y = q_x + r_{yx} \times p_x, \qquad r_{yx} = x - y

    ``point``: (3,) [m]; ``p``, ``q``: (3,), or (3, 3) for a tensor slider, :math:`Q_y = Q_x + r_{yx}^\times P_x`.
    Without ``q`` the slider is homogeneous (a bound force). All components are in one frame. Cheremensky, On Concept
    of Mechanical System, definition 1, eq. (1), and section 1.1.4.
    """

    point: np.ndarray
    p: np.ndarray
    q: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self):
        point, p = vector(self.point), vector(self.p)
        q = np.zeros(p.shape) if self.q is None else vector(self.q)
        if point.shape != (3,) or p.shape not in ((3,), (3, 3)) or q.shape != p.shape:
            raise ModelError(
                f"slider: point, p and q have shapes {point.shape}, {p.shape} and {q.shape}: give a point "
                "of three numbers, and p and q as two 3-vectors or two 3×3 tensors"
            )
        for name, array in (("point", point), ("p", p), ("q", q)):
            object.__setattr__(self, name, array)

    def at(self, y) -> "Slider":
        """The same field, reduced at the point ``y``, (3,)."""
        y = of_shape("slider: point", y, (3,))
        return Slider(y, self.p, self.q + skew(self.point - y) @ self.p)

    def wrench(self, y) -> np.ndarray:
        """Column {p, q_y}, main vector first: (6,), or (6, 3) for a tensor slider."""
        return np.concatenate([self.p, self.at(y).q])

    def twist(self, y) -> np.ndarray:
        """Column {q_y, p}, moment first: (6,), or (6, 3) for a tensor slider."""
        return np.concatenate([self.at(y).q, self.p])

    def invariants(self) -> tuple:
        """The invariants: p and p · q; for a tensor slider P and the symmetric part of PᵀQ."""
        if self.p.ndim == 1:
            return self.p, math.dot(self.p, self.q)
        product = self.p.T @ self.q
        return self.p, 0.5 * (product + product.T)

    def apply(self, n) -> "Slider":
        """The vector slider {P n, Q n} of a tensor slider and a normal ``n``, (3,)."""
        if self.p.ndim == 1:
            raise ModelError("slider: a vector slider does not act on a normal: give p and q as 3×3 tensors")
        n = of_shape("slider: normal", n, (3,))
        return Slider(self.point, self.p @ n, self.q @ n)

    def scale(self, factor) -> "Slider":
        """The slider with p and q multiplied by a number."""
        factor = of_shape("slider: factor", factor, ()).item()
        return Slider(self.point, factor * self.p, factor * self.q)

    def __add__(self, other) -> "Slider":
        if not isinstance(other, Slider):
            return NotImplemented
        there = other.at(self.point)
        return Slider(self.point, self.p + there.p, self.q + there.q)

    def __radd__(self, other) -> "Slider":
        return self if isinstance(other, int) and other == 0 else NotImplemented
