"""Covariant derivatives, and the operator of Laplace and Beltrami."""

from collections.abc import Callable

import numpy as np

from vinculum.geometry.fields import LOWER, UPPER, TensorField, field_of
from vinculum.geometry.metric import Metric


def covariant_derivative(metric: Metric, tensor: Callable | TensorField, indices: str | None = None) -> TensorField:
    r"""∇T, with the index of differentiation last.

    .. math:: T^i{}_{j|k} = T^i{}_{j,k} + \Gamma^i_{km} T^m{}_j - \Gamma^m_{kj} T^i{}_m

    ``tensor``: a function of the coordinates that returns the components, or a field; ``indices``: their kinds, such as "^_", all
    contravariant by default.
    """
    field = field_of(metric.chart, "tensor T", tensor, indices=indices)
    return TensorField(metric.chart, rf"\nabla {field.symbol}", field.indices + LOWER, derivative_graphs(field))


def derivative_graphs(field: TensorField) -> np.ndarray:
    """T_|k as graphs, k last."""
    chart, T = field.chart, field.components
    result = chart.derivatives(T)
    for place, kind in enumerate(field.indices):
        if kind == UPPER:
            added = np.tensordot(T, chart.christoffel, axes=([place], [2]))  # (…, i, k) of Γ^i_km T^m
            result = result + np.moveaxis(added, -2, place)
        else:
            added = np.tensordot(T, chart.christoffel, axes=([place], [0]))  # (…, k, j) of Γ^m_kj T_m
            result = result - np.moveaxis(added, -1, place)
    return result


def laplace_beltrami(metric: Metric, function: Callable | TensorField) -> TensorField:
    r"""Δf of a scalar function of the coordinates.

    .. math:: \Delta f = g^{ij}\,(f_{,ij} - \Gamma^k_{ij} f_{,k})
              = \frac1{\sqrt{\det g}}\,\big(\sqrt{\det g}\;g^{ij} f_{,j}\big)_{,i}

    Gołubowska (39), (40).
    """
    field = field_of(metric.chart, "function f", function, rank=0)
    chart = metric.chart
    slope = TensorField(chart, "f", LOWER, chart.derivatives(field.components))
    found = np.einsum("ij,ij->", chart.inverse, derivative_graphs(slope))
    return TensorField(chart, rf"\Delta {field.symbol}", "", np.array(found, dtype=object))
