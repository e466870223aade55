"""Deformation of the metric by a vector field, and equilibrium and divergence of tensors and tensor measures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.geometry.chart import TracedNumbers
from vinculum.geometry.connection import derivative_graphs
from vinculum.geometry.fields import LOWER, UPPER, TensorField, field_of
from vinculum.geometry.metric import Metric
from vinculum.geometry.tensor_measure import TensorMeasure, check_dimension
from vinculum.measures.bumps import VectorBump


@final
@dataclass(frozen=True, eq=False)
class Distribution:
    """equ T or div T of a tensor ``measure``: of order one, known by its values on test fields.

    ``kind``: "covector" for equ T, which takes vector fields; "vector" for div T, which takes covector fields.
    """

    metric: Metric
    measure: TensorMeasure
    kind: str

    def pair(self, test: Callable | TensorField | VectorBump, parameters: Mapping[str, float] | None = None) -> float:
        r"""⟨equ T, η⟩ = −⟨T, def η⟩ on a vector field η, or ⟨div T, α⟩ = −⟨T, ∇α⟩ on a covector field α.

        ``test``: a function of the coordinates that returns its components, written with `vc.math`, or a
        `vc.measures.VectorBump`. Moreau, (7.5).
        """
        points, chart = self.measure.points, self.metric.chart
        covariant = self.kind == "vector"
        if isinstance(test, VectorBump):
            if len(test.bump.center) != chart.n:
                raise ModelError(
                    f"{chart.where} has {chart.n} coordinates, and the test field {len(test.bump.center)} components"
                )
            kappa = _bump_strain(self.metric, test, points, covariant, parameters)
        else:
            field = field_of(chart, "test field", test, rank=1, indices=LOWER if covariant else UPPER)
            graphs = derivative_graphs(field) if covariant else deformation_graphs(field)
            kappa = TracedNumbers(chart, "the deformation", graphs, field.parameters).at(points, parameters)
        return -float(np.einsum("nij,nij->", self.measure.tensors, kappa))


def deformation(metric: Metric, vector: Callable | TensorField) -> TensorField:
    r"""def v, half the Lie derivative of the metric along a vector field; zero if and only if v is a Killing field.

    .. math:: (\operatorname{def}v)_{ij} = \tfrac12 (g_{ij,k}v^k + g_{kj}v^k{}_{,i} + g_{ik}v^k{}_{,j})
              = \tfrac12 (v_{i|j} + v_{j|i})

    ``vector``: a function of the coordinates that returns n components. Moreau, (7.2).
    """
    field = field_of(metric.chart, "vector v", vector, rank=1, indices=UPPER)
    return TensorField(metric.chart, rf"\mathrm{{def}}\,{field.symbol}", LOWER * 2, deformation_graphs(field))


def deformation_graphs(field: TensorField) -> np.ndarray:
    """(def v)_ij as graphs."""
    chart, v = field.chart, field.components
    lowered = chart.g @ chart.derivatives(v)
    return 0.5 * (chart.metric_derivatives @ v + lowered + lowered.T)


def equilibrium(metric: Metric, tensor: Callable | TensorField | TensorMeasure) -> TensorField | Distribution:
    r"""equ T: the efforts that balance stresses T.

    .. math:: \langle\operatorname{equ}T, \eta\rangle = -\langle T, \operatorname{def}\eta\rangle,\qquad
              (\operatorname{equ}T)_k = g_{jk}T^{ij}{}_{,i} + (g_{ik,j} - \tfrac12 g_{ij,k})\,T^{ij}

    Of a smooth symmetric field T^ij it is a covector field, per unit of Riemannian volume: the formula is applied to the
    components √det g T^ij on the chart. Of a `TensorMeasure` it is a distribution. Moreau, (7.5)–(7.7).
    """
    if isinstance(tensor, TensorMeasure):
        check_dimension(metric, tensor)
        return Distribution(metric, tensor, "covector")
    chart = metric.chart
    field = field_of(chart, "tensor T", tensor, rank=2, indices=UPPER * 2)
    weight = chart.volume_density
    T = 0.5 * weight * (field.components + field.components.T)  # only the symmetric part does work on a deformation
    slopes = chart.metric_derivatives
    found = (chart.g @ np.einsum("iji->j", chart.derivatives(T)) + np.einsum("ikj,ij->k", slopes, T)
             - 0.5 * np.einsum("ijk,ij->k", slopes, T)) * (1.0 / weight)  # fmt: skip
    return TensorField(chart, rf"\mathrm{{equ}}\,{field.symbol}", LOWER, found)


def divergence(metric: Metric, tensor: Callable | TensorField | TensorMeasure) -> TensorField | Distribution:
    r"""div of a vector field vⁱ, a scalar field; of a tensor field T^ij, a vector field; of a `TensorMeasure`, a distribution.

    .. math:: \operatorname{div}v = v^i{}_{|i},\qquad (\operatorname{div}T)^j = T^{ij}{}_{|i}

    Moreau, (7.7): equ T is div T with its index lowered.
    """
    if isinstance(tensor, TensorMeasure):
        check_dimension(metric, tensor)
        return Distribution(metric, tensor, "vector")
    field = field_of(metric.chart, "tensor T", tensor)
    if field.indices not in (UPPER, UPPER * 2):
        raise ModelError(
            f"{metric.chart.where}: divergence of indices '{field.indices}'; give a vector field, or a tensor field with two upper indices"
        )
    found = np.trace(derivative_graphs(field), axis1=0, axis2=len(field.indices))
    return TensorField(
        metric.chart, rf"\mathrm{{div}}\,{field.symbol}", field.indices[1:], np.array(found, dtype=object)
    )


def _bump_strain(metric: Metric, test: VectorBump, points: np.ndarray, covariant: bool, parameters) -> np.ndarray:
    """def η or ∇α of a bump at points, (N, n, n)."""
    values, slopes = test(points), test.derivatives(points)
    if covariant:
        return slopes - np.einsum("nkij,nk->nij", metric.christoffel(points, parameters), values)
    chart = metric.chart
    first = TracedNumbers(chart, "the derivative of g", chart.metric_derivatives).at(points, parameters)
    lowered = metric(points, parameters) @ slopes
    return 0.5 * (np.einsum("nijk,nk->nij", first, values) + lowered + np.swapaxes(lowered, 1, 2))
