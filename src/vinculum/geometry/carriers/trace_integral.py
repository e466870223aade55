"""How the trace integral ∫ g : dT of a tensor measure changes when a carrier convects it: two rates, and a condition of sign."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError, StartError, shorten
from vinculum.geometry.carriers.carrier import Carrier
from vinculum.geometry.carriers.lie_derivative import lie_derivative_graphs
from vinculum.geometry.chart import TracedNumbers, own_parameters
from vinculum.geometry.connection import derivative_graphs
from vinculum.geometry.fields import LOWER, UPPER, TensorField, field_of
from vinculum.geometry.metric import Metric
from vinculum.geometry.tensor_measure import TensorMeasure, check_dimension
from vinculum.geometry.virtual_power import Distribution
from vinculum.screws.entries import is_number
from vinculum.tolerances.functions import CARRIED, POSITIVE

STENCIL = {1: 45.0 / 60.0, 2: -9.0 / 60.0, 3: 1.0 / 60.0}
"""The central difference of order six: the weight of f(x + kh) − f(x − kh), over h, by k."""


@final
@dataclass(frozen=True)
class TraceRate:
    """d/dτ ∫ g : dT_τ: ``by_transport``, from values on measures that were carried, and ``by_equilibrium``, −2 ⟨equ T, η⟩."""

    by_transport: float
    by_equilibrium: float


def trace_rate(carrier: Carrier, measure: TensorMeasure, step: float = CARRIED,
               parameters: Mapping[str, float] | None = None) -> TraceRate:  # fmt: skip
    r"""The rate of the trace integral of a tensor measure that a carrier convects, at τ = 0, in two ways.

    .. math:: \frac{d}{d\tau}\int g : dT_\tau = 2\,\langle T_\tau, \operatorname{def}\eta\rangle
              = -2\,\langle \operatorname{equ}T_\tau, \eta\rangle

    ``step``: the distance in τ of the measures whose trace integrals are subtracted. Moreau, (10.1).
    """
    if not isinstance(carrier, Carrier):
        raise ModelError(f"a rate needs a vc.geometry.Carrier; got {shorten(carrier)}")
    if not is_number(step) or step <= 0.0:
        raise StartError(f"{carrier._where}: step is {shorten(step)}; give a positive number")
    metric = carrier.metric

    def whole(tau: float) -> float:
        return carrier.convect_measure(measure, tau, parameters).pair(
            metric, parameters=own_parameters(metric.chart, parameters)
        )

    total = sum(w * (whole(c * step) - whole(-c * step)) for c, w in STENCIL.items()) / step
    return TraceRate(float(total), -2.0 * Distribution(metric, measure, "covector").pair(carrier.field, parameters))


@final
@dataclass(frozen=True)
class SecondTraceRate:
    """d²/dτ² ∫ g : dT_τ: ``total`` = ``stretching`` + ``curving`` + ``pushing``.

    ``by_lie_derivatives``: the same as ⟨T, L_η L_η g⟩, without a connection.
    """

    stretching: float
    curving: float
    pushing: float
    by_lie_derivatives: float

    @property
    def total(self) -> float:
        """The second rate."""
        return self.stretching + self.curving + self.pushing


def second_trace_rate(metric: Metric, measure: TensorMeasure, vector: Callable | TensorField,
                      parameters: Mapping[str, float] | None = None) -> SecondTraceRate:  # fmt: skip
    r"""The second rate of the trace integral of a tensor measure that the flow of η convects.

    .. math:: \frac{d^2}{d\tau^2}\int g : dT_\tau = 2\int g_{kl}\,\eta^k{}_{|i}\,\eta^l{}_{|j}\,dT^{ij}
              - 2\int R_{kilj}\,\eta^k\eta^l\,dT^{ij} - 2\,\langle\operatorname{equ}T, \nabla_\eta\eta\rangle

    The last term vanishes where T is in equilibrium. The first is positive for every field η if T is nonnegative, and for fields
    that vary rapidly it is larger than the second: the sign of T decides whether an equilibrium may be a minimum. Moreau,
    Remark 2.2 and end of section 11.
    """
    check_dimension(metric, measure)
    chart = metric.chart
    eta = field_of(chart, "vector eta", vector, rank=1, indices=UPPER)
    slopes = derivative_graphs(eta)
    stretched = slopes.T @ (chart.g @ slopes)
    curved = -1.0 * np.einsum("kilj,k,l->ij", metric.riemann.components, eta.components, eta.components)
    turning = TensorField(chart, "a", UPPER, slopes @ eta.components)
    twice = lie_derivative_graphs(
        eta, TensorField(chart, "h", LOWER * 2, lie_derivative_graphs(eta, TensorField(chart, "g", LOWER * 2, chart.g)))
    )
    numbers = TracedNumbers(chart, "the second rate", np.stack([stretched, curved, twice]), eta.parameters)
    kappa = numbers.at(measure.points, parameters)
    first, second, lie = np.einsum("nij,nkij->k", measure.tensors, kappa)
    pushed = -2.0 * Distribution(metric, measure, "covector").pair(turning, _of(turning, parameters))
    return SecondTraceRate(2.0 * float(first), 2.0 * float(second), pushed, float(lie))


def _of(field: TensorField, given: Mapping[str, float] | None) -> dict[str, float]:
    return {name: x for name, x in (given or {}).items() if name in field.parameters}


@final
@dataclass(frozen=True, eq=False)
class SignCondition:
    """The least eigenvalue of the densities T of a tensor measure in an orthonormal frame, relative to the largest, with the ``place``
    (n,) where it is found and its ``direction``, a covector (n,): T(κ, κ) has its sign."""

    least: float
    place: np.ndarray
    direction: np.ndarray

    @property
    def holds(self) -> bool:
        """Whether T(κ, κ) ≥ 0 for every covector κ, up to round-off."""
        return self.least >= -POSITIVE


def sign_condition(
    metric: Metric, measure: TensorMeasure, parameters: Mapping[str, float] | None = None
) -> SignCondition:
    r"""Whether a tensor measure is nonnegative, as that of every motion and mixture is.

    .. math:: \langle T^{ij}, \varphi_i\varphi_j\rangle \ge 0

    Where it is not, a carrier that oscillates along the ``direction`` makes the second rate of the trace integral negative
    (`second_trace_rate`). Moreau, Remark 2.2.
    """
    check_dimension(metric, measure)
    if not len(measure.points):
        raise StartError(f"{metric.chart.where}: the tensor measure has no points; give one that has")
    L = np.linalg.cholesky(metric(measure.points, parameters))
    values, axes = np.linalg.eigh(np.swapaxes(L, 1, 2) @ measure.tensors @ L)
    largest = float(np.abs(values).max())
    k = int(np.argmin(values[:, 0]))
    direction = L[k] @ axes[k, :, 0]
    return SignCondition(float(values[k, 0]) / largest if largest else 0.0, measure.points[k], direction)
