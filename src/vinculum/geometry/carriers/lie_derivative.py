"""Lie derivatives of tensor fields."""

from collections.abc import Callable

import numpy as np

from vinculum.geometry.fields import UPPER, TensorField, field_of
from vinculum.geometry.metric import Metric


def lie_derivative(
    metric: Metric, vector: Callable | TensorField, tensor: Callable | TensorField, indices: str | None = None
) -> TensorField:
    r"""L_η T: the rate at which the pull-back of a field by the flow of η changes.

    .. math:: (L_\eta T)^i{}_j = \eta^k\,T^i{}_{j,k} - \eta^i{}_{,k}\,T^k{}_j + \eta^k{}_{,j}\,T^i{}_k

    ``vector``: η, a function of the coordinates that returns n components. ``tensor``: one that returns components of any rank up to
    four, or a field; ``indices``: their kinds, all contravariant by default. No connection enters: the metric gives the chart alone. A
    field that is convected changes at a fixed place at the rate −L_η T. Moreau, section 9.
    """
    chart = metric.chart
    eta = field_of(chart, "vector eta", vector, rank=1, indices=UPPER)
    field = field_of(chart, "tensor T", tensor, indices=indices)
    found = lie_derivative_graphs(eta, field)
    return TensorField(chart, rf"L_{{{eta.symbol}}} {field.symbol}", field.indices, found)


def lie_derivative_graphs(eta: TensorField, field: TensorField) -> np.ndarray:
    """L_η T as graphs."""
    chart, T = field.chart, field.components
    D = chart.derivatives(eta.components)
    result = np.asarray(np.tensordot(chart.derivatives(T), eta.components, axes=1), dtype=object)
    for place, kind in enumerate(field.indices):
        turned = np.tensordot(T, D, axes=([place], [1 if kind == UPPER else 0]))
        result = result + (-1.0 if kind == UPPER else 1.0) * np.moveaxis(turned, -1, place)
    return result
