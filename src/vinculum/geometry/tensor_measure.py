"""`TensorMeasure`: symmetric contravariant tensors concentrated at points, along curves, or spread over a chart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.trace import trace
from vinculum.errors import ModelError, shorten
from vinculum.geometry.chart import own_parameters
from vinculum.geometry.fields import LOWER, TensorField, field_of
from vinculum.geometry.metric import Metric
from vinculum.motion.arguments import floats
from vinculum.scalars import directional, jacobian, symbol, symbols, vector
from vinculum.screws.entries import is_number
from vinculum.systems.jets import jet_function
from vinculum.tolerances.functions import POSITIVE
from vinculum.tolerances.samples import ORDER_OF_A_WINDOW, PANELS_OF_A_WINDOW
from vinculum.tolerances.sizes import MOST_NODES

WHERE = "tensor measure"


@final
@dataclass(frozen=True, eq=False)
class TensorMeasure:
    r"""A measure T with values in the symmetric contravariant tensors, :math:`\langle T, \kappa\rangle = \int \kappa_{ij}\,dT^{ij}`.

    It is a sum of ``tensors`` (N, n, n) at ``points`` (N, n): atoms as they are, curves and densities by Gauss's rule. Its
    components are measures on the chart, so a smooth field Φ enters as Φ √det g dq. Moreau, (7.3), (7.4).
    """

    points: np.ndarray
    tensors: np.ndarray

    def __post_init__(self):
        points, tensors = floats(f"{WHERE}: points", self.points), floats(f"{WHERE}: tensors", self.tensors)
        if points.ndim != 2 or not points.shape[1] or tensors.shape != (*points.shape, points.shape[1]):
            raise ModelError(
                f"{WHERE}: points of shape {points.shape} and tensors of shape {tensors.shape}; give (N, n) and (N, n, n)"
            )
        size = np.abs(tensors).max(axis=(1, 2), initial=0.0)
        skew = np.abs(tensors - np.swapaxes(tensors, 1, 2)).max(axis=(1, 2), initial=0.0)
        bad = np.flatnonzero(skew > POSITIVE * size)
        if len(bad):
            k = int(bad[0])
            raise ModelError(
                f"{WHERE}: the tensor at {points[k].tolist()} is not symmetric: {shorten(tensors[k].tolist())}; give T + Tᵀ"
            )
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "tensors", tensors)

    def __repr__(self):
        return f"TensorMeasure({len(self.points)} nodes in {self.points.shape[1]} coordinates)"

    @classmethod
    def curve(cls, path: Callable, begin: float, until: float, tensor: Callable | None = None,
              panels: int = PANELS_OF_A_WINDOW) -> "TensorMeasure":  # fmt: skip
        """T(s) ds along a curve: ``path`` and ``tensor`` are functions of ``s`` that return coordinates (n,) and components (n, n).

        Without ``tensor`` it is the square of the tangent, as of a unit mass that moves with the time s. Write both with `vc.math`.
        """
        if not (is_number(begin) and is_number(until) and begin < until):
            raise ModelError(
                f"{WHERE}: a curve from {shorten(begin)} to {shorten(until)}; give two numbers, the smaller one first"
            )
        s = symbol("s")
        x = jet_function(f"{WHERE}: path", path, ("s",)).row((np.array([s]),), s)
        n = len(x)
        if tensor is None:
            tangent = directional(x, [s], [1.0])
            T = np.outer(tangent, tangent)
        else:
            T = vector(jet_function(f"{WHERE}: tensor", tensor, ("s",)).at((np.array([s]),), s))
            if T.shape != (n, n):
                raise ModelError(
                    f"{WHERE}: tensor returned shape {T.shape}; return ({n}, {n}), as path returns {n} coordinates"
                )
        places, weights = _rule(float(begin), float(until), panels, 1)
        tape = trace({"s": np.array([s])}, {"x": x, "T": T})
        found = evaluate_groups(tape, _with_defaults(places[:, None], tape.parameters))
        return cls(found["x"], weights[:, None, None] * found["T"].reshape(-1, n, n))

    @classmethod
    def density(cls, metric: Metric, tensor: Callable | TensorField, box: Sequence, panels: int = 4,
                parameters: Mapping[str, float] | None = None) -> "TensorMeasure":  # fmt: skip
        """Φ √det g dq of a smooth field Φ^ij on a box of the chart: pairs (low, high), one for each coordinate."""
        n, chart = metric.chart.n, metric.chart
        field = field_of(chart, "tensor T", tensor, rank=2, indices="^^")
        edges = floats(f"{WHERE}: box", box)
        if edges.shape != (n, 2) or not np.all(edges[:, 0] < edges[:, 1]):
            raise ModelError(f"{WHERE}: box is {shorten(box)}; give {n} pairs (low, high)")
        rules = [_rule(low, high, panels, n) for low, high in edges]
        points = np.stack([axis.ravel() for axis in np.meshgrid(*(x for x, _ in rules), indexing="ij")], axis=1)
        weights = np.array([np.prod(one) for one in product(*(w for _, w in rules))])
        weights = weights * metric.volume_density(points, own_parameters(chart, parameters))
        return cls(points, weights[:, None, None] * field(points, parameters))

    def __add__(self, other) -> "TensorMeasure":
        if not isinstance(other, TensorMeasure):
            return NotImplemented
        if other.points.shape[1] != self.points.shape[1]:
            raise ModelError(
                f"{WHERE}: sum of measures in {self.points.shape[1]} and {other.points.shape[1]} coordinates; they must agree"
            )
        return TensorMeasure(np.concatenate([self.points, other.points]), np.concatenate([self.tensors, other.tensors]))

    def __mul__(self, share: float) -> "TensorMeasure":
        if not is_number(share):
            raise ModelError(f"{WHERE}: multiplied by {shorten(share)}; give a number")
        return TensorMeasure(self.points, float(share) * self.tensors)

    __rmul__ = __mul__

    def push_forward(self, places: Callable) -> "TensorMeasure":
        r"""The measure carried by a map, or seen in another chart: ``places`` is a function of ``q`` that returns the new coordinates.

        .. math:: T' = J\,T\,J^T \text{ at } \psi(q),\qquad J = D\psi

        Moreau, section 9.
        """
        n = self.points.shape[1]
        q = symbols("q", n)
        image = jet_function(f"{WHERE}: places", places, tuple(f"x{i + 1}" for i in range(n))).row((q,), None)
        tape = trace({"q": q}, {"x": image, "J": jacobian(image, q)})
        found = evaluate_groups(tape, _with_defaults(self.points, tape.parameters))
        J = found["J"].reshape(-1, len(image), n)
        return TensorMeasure(found["x"], J @ self.tensors @ np.swapaxes(J, 1, 2))

    def pair(
        self, metric: Metric, kappa: Callable | TensorField | None = None, parameters: Mapping[str, float] | None = None
    ) -> float:
        """⟨T, κ⟩ with a covariant field κ_ij on the chart of a metric; by default κ = g."""
        check_dimension(metric, self)
        field = metric.tensor if kappa is None else field_of(metric.chart, "kappa", kappa, rank=2, indices=LOWER * 2)
        return float(np.einsum("nij,nij->", self.tensors, field(self.points, parameters)))


def check_dimension(metric: Metric, measure: TensorMeasure) -> None:
    """Refuse a measure with another number of coordinates."""
    if measure.points.shape[1] != metric.chart.n:
        raise ModelError(
            f"{metric.chart.where} has {metric.chart.n} coordinates and the tensor measure {measure.points.shape[1]}; give one on its chart"
        )


def _rule(low: float, high: float, panels: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss's rule on equal panels."""
    if not isinstance(panels, (int, np.integer)) or isinstance(panels, bool) or panels < 1 or (
        (panels * ORDER_OF_A_WINDOW) ** dimension > MOST_NODES
    ):  # fmt: skip
        raise ModelError(
            f"{WHERE}: panels is {shorten(panels)}; give a whole number from 1 on, with at most {MOST_NODES} nodes in "
            f"{dimension} coordinates, each panel with {ORDER_OF_A_WINDOW}"
        )
    x, w = np.polynomial.legendre.leggauss(ORDER_OF_A_WINDOW)
    half = 0.5 * (high - low) / panels
    middles = low + half * (2.0 * np.arange(panels) + 1.0)
    return (middles[:, None] + half * x).ravel(), np.tile(half * w, panels)


def _with_defaults(rows: np.ndarray, known: Sequence[tuple[str, float]]) -> np.ndarray:
    return np.concatenate([rows, np.broadcast_to([x for _, x in known], (len(rows), len(known)))], axis=1)
