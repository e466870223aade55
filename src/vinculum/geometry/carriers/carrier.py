"""`Carrier`: the flow of a vector field on a chart, and the vectors, covectors, tensors and tensor measures that it convects."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, ModelError, StartError, shorten
from vinculum.geometry.carriers.support import box_of, cut_off_graph
from vinculum.geometry.chart import parameter_values, places_of, with_parameters
from vinculum.geometry.fields import HIGHEST_RANK, LOWER, UPPER, TensorField
from vinculum.geometry.metric import Metric
from vinculum.geometry.tensor_measure import TensorMeasure, check_dimension
from vinculum.motion.arguments import floats
from vinculum.scalars import depends_on, symbol
from vinculum.screws.entries import is_number
from vinculum.systems.jets import JetFunction, jet_function
from vinculum.tolerances.methods import INTEGRATED
from vinculum.tolerances.sizes import MOST_FLOW_CALLS


@final
@dataclass(frozen=True, eq=False)
class Carrier:
    r"""A medium that moves over the chart of a metric with the velocity η, and carries along what is attached to it.

    .. math:: \frac{\partial x}{\partial\tau} = \eta(\tau, x)

    ``velocity``: a function of the coordinates that returns n components, written with `vc.math`; its argument ``t`` is the
    parameter τ. ``support``: a pair (low, high) for each coordinate, or None for one along which it does not end; the velocity
    is multiplied with (1 − s²)⁴, s from −1 to 1 over the pair, so that it has compact support. Moreau, (9.1), Definition 9.1.

    >>> plane = vc.geometry.Metric("plane", ["x", "y"], lambda: np.eye(2))
    >>> turn = vc.geometry.Carrier(plane, lambda x, y: (-y, x))
    >>> turn.flow([1.0, 0.0], np.pi / 2).round(12)
    array([0., 1.])
    """

    metric: Metric
    velocity: Callable | JetFunction
    support: Sequence | None = None

    def __post_init__(self):
        if not isinstance(self.metric, Metric):
            raise ModelError(f"a carrier moves over {shorten(self.metric)}; give a vc.geometry.Metric")
        chart = self.metric.chart
        function = jet_function(f"{self._where}: velocity", self.velocity, chart.coordinates)
        if function.order > 0:
            raise ModelError(
                f"{self._where}: its velocity is a function of velocities; give one of {', '.join(chart.coordinates)} or q, and t"
            )
        object.__setattr__(self, "velocity", function)
        if self.support is not None:
            object.__setattr__(self, "support", tuple(box_of(self._where, self.support, chart.coordinates)))
        assert self.components is not None

    def __repr__(self):
        ends = "" if self.support is None else ", compact support" if None not in self.support else ", partly cut off"
        return f"Carrier(on '{self.metric.name}'{ends})"

    @property
    def _where(self) -> str:
        return f"carrier on '{self.metric.name}'"

    @cached_property
    def _tau(self):
        return symbol("t")

    @cached_property
    def components(self) -> np.ndarray:
        """η as graphs (n,) over the coordinates of the chart and τ."""
        chart = self.metric.chart
        assert isinstance(self.velocity, JetFunction)
        eta = self.velocity.row((chart.q,), self._tau, chart.n)
        if self.support is not None:
            eta = cut_off_graph(chart.q, self.support) * eta
        return np.asarray(eta, dtype=object)

    @property
    def field(self) -> TensorField:
        """η as a vector field; a velocity that changes with τ has none."""
        if depends_on(self.components, [self._tau]):
            raise MethodError(
                f"{self._where}: its velocity changes with t, the parameter of the flow; a field has one value at a place"
            )
        return TensorField(self.metric.chart, r"\eta", UPPER, self.components)

    @cached_property
    def _tape(self) -> Tape:
        chart = self.metric.chart
        outputs = {"eta": self.components, "D": chart.derivatives(self.components)}
        return trace({"q": chart.q, "t": np.array([self._tau])}, outputs, chart.parameters)

    def flow(self, q, tau: float, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Where the medium that is at coordinates (n,) or (B, n) at τ = 0 is at ``tau``."""
        one, places = places_of(self.metric.chart, q)
        found = self._carry(places, tau, parameters)[0]
        return found[0] if one else found

    def convect(
        self, q, tensor, tau: float, indices: str = UPPER, parameters: Mapping[str, float] | None = None
    ) -> np.ndarray:
        r"""Components at ``tau`` of a tensor that is attached to the medium at q and convected by it.

        .. math:: \dot c^i = \eta^i{}_{,j}\,c^j,\qquad \dot c^*_k = -\eta^j{}_{,k}\,c^*_j,\qquad
                  \dot C^i{}_j = \eta^i{}_{,k}\,C^k{}_j - \eta^k{}_{,j}\,C^i{}_k

        ``tensor``: components (n, …, n), or (B, n, …, n) at places (B, n). ``indices``: one sign for each of its indices, "^" for a
        contravariant and "_" for a covariant one. Moreau, (9.2), (9.3), Remark 9.3.
        """
        chart = self.metric.chart
        one, places = places_of(chart, q)
        if not isinstance(indices, str) or set(indices) - {UPPER, LOWER} or len(indices) > HIGHEST_RANK:
            raise ModelError(
                f"{self._where}: indices is {shorten(indices)}; give '^' or '_' for each index, at most {HIGHEST_RANK}"
            )
        T = floats(f"{self._where}: tensor", tensor)
        T = T[None] if one else T
        if T.shape != (len(places), *(chart.n,) * len(indices)):
            raise ModelError(
                f"{self._where}: the tensor has shape {T.shape[1:] if one else T.shape}; with indices '{indices}' give an array of size "
                f"{chart.n} along each of them{'' if one else ', for each place'}"
            )
        _, J = self._carry(places, tau, parameters)
        back = np.swapaxes(np.linalg.inv(J), 1, 2)
        for place, kind in enumerate(indices):
            turn = J if kind == UPPER else back
            T = np.moveaxis(np.einsum("bij,bj...->bi...", turn, np.moveaxis(T, place + 1, 1)), 1, place + 1)
        return T[0] if one else T

    def convect_measure(
        self, measure: TensorMeasure, tau: float, parameters: Mapping[str, float] | None = None
    ) -> TensorMeasure:
        r"""The tensor measure at ``tau`` that the medium convects.

        .. math:: \langle p_\tau T, p_\tau\kappa\rangle = \langle T, \kappa\rangle

        A tensor T at x becomes J T Jᵀ where the medium has come to. Moreau, end of section 9.
        """
        if not isinstance(measure, TensorMeasure):
            raise ModelError(f"{self._where}: the measure is {shorten(measure)}; give a vc.geometry.TensorMeasure")
        check_dimension(self.metric, measure)
        places, J = self._carry(measure.points, tau, parameters)
        tensors = J @ measure.tensors @ np.swapaxes(J, 1, 2)
        return TensorMeasure(places, 0.5 * (tensors + np.swapaxes(tensors, 1, 2)))

    def _carry(
        self, places: np.ndarray, tau: float, parameters: Mapping[str, float] | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Places (B, n) at τ and the derivatives J (B, n, n) of the flow there, J̇ = Dη J. A flow that leaves the chart is refused."""
        from scipy.integrate import solve_ivp

        chart = self.metric.chart
        if not is_number(tau):
            raise StartError(f"{self._where}: tau is {shorten(tau)}; give a number")
        known = dict(self._tape.parameters)
        values = parameter_values(self._where, known, parameters)
        own = {name: values[name] for name in chart.parameters}
        chart.check_definite(places, own)
        B, n = places.shape
        if tau == 0.0:
            return places.copy(), np.broadcast_to(np.eye(n), (B, n, n)).copy()

        calls = count()

        def rate(at: float, y: np.ndarray) -> np.ndarray:
            if next(calls) > MOST_FLOW_CALLS:
                raise MethodError(
                    f"{self._where}: its flow takes more than {MOST_FLOW_CALLS} evaluations until tau = {tau:g}; it came to {at:.6g}, "
                    "take a smaller one"
                )
            x, J = y[: B * n].reshape(B, n), y[B * n :].reshape(B, n, n)
            rows = with_parameters(np.concatenate([x, np.full((B, 1), at)], axis=1), values)
            found = evaluate_groups(self._tape, rows, again=True)
            return np.concatenate([found["eta"].ravel(), (found["D"].reshape(B, n, n) @ J).ravel()])

        start = np.concatenate([places.ravel(), np.broadcast_to(np.eye(n), (B, n, n)).ravel()])
        with np.errstate(all="ignore"):
            found = solve_ivp(rate, (0.0, float(tau)), start, method="DOP853", rtol=INTEGRATED, atol=INTEGRATED)
        for at, y in zip(found.t, found.y.T, strict=True):
            self._check_inside(y[: B * n].reshape(B, n), at, own)
        if found.status != 0:
            raise MethodError(
                f"{self._where}: its flow cannot be followed beyond tau = {found.t[-1]:.6g}; its velocity grows without bounds, give it a "
                "support"
            )
        return found.y[: B * n, -1].reshape(B, n), found.y[B * n :, -1].reshape(B, n, n)

    def _check_inside(self, x: np.ndarray, tau: float, values: Mapping[str, float]) -> None:
        try:
            self.metric.chart.check_definite(x, values)
        except StartError as error:
            raise StartError(f"{self._where}: at tau = {tau:.6g} it leaves the chart: {error}") from error
