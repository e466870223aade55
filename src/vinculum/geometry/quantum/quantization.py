"""`Quantization`: the operator −ħ²/2m Δ + V on a manifold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.errors import MethodError, ModelError, StartError, shorten
from vinculum.geometry.chart import Chart, TracedNumbers, parameter_values, places_of
from vinculum.geometry.embedding import Embedding
from vinculum.geometry.fields import component_graphs
from vinculum.geometry.metric import Metric
from vinculum.geometry.quantum.packets import Packet, evolve_packet
from vinculum.geometry.quantum.ranges import OSCILLATOR, PERIODIC, Range, names_of_ends, ranges_of
from vinculum.geometry.quantum.states import States
from vinculum.geometry.quantum.stationary import finite_element_states, spectral_states
from vinculum.geometry.quantum.weak_form import Coefficients
from vinculum.motion.arguments import floats
from vinculum.scalars import Scalar
from vinculum.scalars.math import sqrt
from vinculum.systems.jets import JetFunction
from vinculum.tolerances.quantum import JOINED_ENDS, LEVELS
from vinculum.tolerances.sizes import MOST_STATES

SPECTRAL, ELEMENTS = "spectral", "finite elements"


@final
@dataclass(frozen=True, eq=False)
class Quantization:
    r"""A particle on a manifold: the operator H, its states and its motion.

    .. math:: H = -\frac{\hbar^2}{2m}\,\Delta + V,\qquad
              \Delta\Psi = \frac1{\sqrt g}\,\partial_i\big(\sqrt g\,g^{ij}\,\partial_j\Psi\big)

    ``space``: a `Metric` or an `Embedding`; the metric of a kinetic energy has the masses in it, so that ``mass`` is then 1. ``ranges``:
    {coordinate: (low, high, kind)}, the kind "periodic", "walls" (Ψ = 0), "free" (no flux) or "poles" (as ϑ on a sphere). ``potential``:
    a function V of the coordinates, written with `vc.math`. ``confined``: whether the potential is added that appears when the manifold
    is that of a strong confining potential, which needs an `Embedding`; ``frequency``: the angular frequency ω of that confinement where
    it varies along the manifold, a function of the coordinates: it adds ½ħω and (ħ²/16m)|∇ω|²/ω² for each normal direction.
    Gołubowska (37)–(40).
    """

    space: Metric | Embedding
    ranges: Mapping[str, tuple[float, float, str] | Range]
    potential: Callable | JetFunction | None = None
    mass: float = 1.0
    hbar: float = 1.0
    confined: bool = False
    frequency: Callable | JetFunction | None = None
    parameters: Mapping[str, float] | None = None

    def __post_init__(self):
        if not isinstance(self.space, (Metric, Embedding)):
            raise ModelError(
                f"a quantization is on {shorten(self.space)}; give a vc.geometry.Metric or vc.geometry.Embedding"
            )
        where = self.where
        for name in ("mass", "hbar"):
            found = floats(f"{where}: {name}", getattr(self, name))
            if found.shape != () or not found > 0.0:
                raise ModelError(f"{where}: {name} is {shorten(getattr(self, name))}; give one positive number")
            object.__setattr__(self, name, float(found))
        if not isinstance(self.confined, (bool, np.bool_)):
            raise ModelError(f"{where}: confined is {shorten(self.confined)}; give True or False")
        if (self.confined or self.frequency is not None) and not isinstance(self.space, Embedding):
            raise ModelError(
                f"{where}: what confinement adds depends on the space around the manifold, and a metric knows none; give a "
                "vc.geometry.Embedding"
            )
        object.__setattr__(self, "ranges", dict(zip(self.chart.coordinates, self._ranges(), strict=True)))
        values = parameter_values(self.chart.where, self._numbers.parameters, self.parameters)
        object.__setattr__(self, "parameters", values)
        self._check_ends()

    def __repr__(self):
        return f"Quantization({self.chart.name!r}, {names_of_ends(self.chart.coordinates, self.spans)})"

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"quantization of '{self.space.name}'"

    @property
    def chart(self) -> Chart:
        """Coordinates and metric as graphs."""
        return (self.space.metric if isinstance(self.space, Embedding) else self.space).chart

    @property
    def spans(self) -> tuple[Range, ...]:
        """The ranges in the order of the coordinates."""
        return tuple(self.ranges[name] for name in self.chart.coordinates)  # pyright: ignore[reportReturnType]

    def _ranges(self) -> tuple[Range, ...]:
        return ranges_of(self.where, self.chart.coordinates, self.ranges)

    def states(self, count: int = 10, *, method: str = SPECTRAL, resolution: int | Sequence[int] | None = None,
               tolerance: float = LEVELS) -> States:  # fmt: skip
        """The lowest ``count`` states, with an estimate of the error of each level.

        ``method``: "spectral" (Fourier, Legendre and spherical harmonics; refined until two expansions agree to ``tolerance``, relative
        to the largest level asked for), or "finite elements" (biquadratic, of scikit-fem; ``resolution`` elements along each coordinate,
        compared with half as many).
        """
        n, unknown = self.chart.n, f"{self.where}: count is {shorten(count)}"
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= MOST_STATES:
            raise StartError(f"{unknown}; give a whole number from 1 to {MOST_STATES}")
        if method == SPECTRAL:
            allowed = floats(f"{self.where}: tolerance", tolerance)
            if allowed.shape != () or not allowed > 0.0:
                raise StartError(f"{self.where}: tolerance is {shorten(tolerance)}; give one positive number")
            return spectral_states(self, int(count), self._resolution(resolution, n), float(allowed))
        if method == ELEMENTS:
            return finite_element_states(self, int(count), self._resolution(resolution, n))
        raise MethodError(f"{self.where}: method is {shorten(method)}; give '{SPECTRAL}' or '{ELEMENTS}'")

    def evolve(self, psi: Callable, times: Any, *, resolution: int | Sequence[int] | None = None,
               tolerance: float = LEVELS) -> Packet:  # fmt: skip
        """The wave packet that starts at the first of the ``times`` as ``psi``: a function of places (B, n) that returns complex numbers
        (B,). It is normalized first, and its norm is kept to round-off.
        """
        instants = floats(f"{self.where}: times", times)
        if instants.ndim != 1 or not len(instants) or np.any(np.diff(instants) <= 0.0):
            raise StartError(f"{self.where}: times has shape {instants.shape}; give instants that increase")
        if not callable(psi):
            raise StartError(f"{self.where}: psi is {shorten(psi)}; give a function of places (B, n)")
        allowed = floats(f"{self.where}: tolerance", tolerance)
        if allowed.shape != () or not allowed > 0.0:
            raise StartError(f"{self.where}: tolerance is {shorten(tolerance)}; give one positive number")
        return evolve_packet(self, psi, instants, self._resolution(resolution, self.chart.n), float(allowed))

    def _resolution(self, given: Any, n: int) -> tuple[int, ...] | None:
        if given is None:
            return None
        told = (
            f"{self.where}: resolution is {shorten(given)}; give a whole number, or one for each of the {n} coordinates"
        )
        found = floats(f"{self.where}: resolution", given)
        if found.ndim > 1 or found.size not in (1, n) or np.any(found != np.round(found)) or np.any(found < 2):
            raise StartError(told + ", at least 2")
        if np.any(found > MOST_STATES):
            raise StartError(told + f", at most {MOST_STATES}")
        return tuple(int(x) for x in np.broadcast_to(found, (n,)))

    def coefficients(self, places: np.ndarray) -> Coefficients:
        """√g, g^ij and V at places (Q, n)."""
        found = self._numbers.at(places, self.parameters)
        n = self.chart.n
        return Coefficients(found[:, 0], found[:, 2:].reshape(-1, n, n), found[:, 1])

    def potential_at(self, q) -> np.ndarray:
        """V with all that confinement adds, at coordinates (n,) or (B, n)."""
        one, places = places_of(self.chart, q)
        found = self.coefficients(places).potential
        return found[0] if one else found

    @cached_property
    def _numbers(self) -> TracedNumbers:
        chart = self.chart
        graphs = np.array([chart.volume_density, self._potential(), *chart.inverse.ravel()], dtype=object)
        return TracedNumbers(chart, "the operator", graphs)

    def _own_potential(self) -> Scalar | float:
        """V as a graph, without what confinement adds."""
        return 0.0 if self.potential is None else self._scalar("potential", self.potential)

    def _potential(self) -> Scalar | float:
        chart, total = self.chart, self._own_potential()
        if not isinstance(self.space, Embedding):
            return total
        unit = self.hbar**2 / (2.0 * self.mass)
        if self.confined:
            total = total + unit * self.space.geometric_potential.components.item()
        if self.frequency is not None:
            omega = self._scalar("frequency", self.frequency)
            slopes = np.array(chart.derivatives(omega), dtype=object)
            square = slopes @ chart.inverse @ slopes
            each = 0.5 * self.hbar * sqrt(omega * omega) + unit * square / (8.0 * omega * omega)
            total = total + (self.space.dimension - chart.n) * each
        return total

    def _scalar(self, what: str, given: Callable | JetFunction) -> Any:
        found = component_graphs(self.chart, what, given)
        if found.ndim:
            raise ModelError(f"{self.where}: {what} returned shape {found.shape}; return one number")
        return found.item()

    def _check_ends(self) -> None:
        """Refuse ranges that are called periodic where the operator differs at both ends."""
        draw = np.random.default_rng(5)
        for k, (name, one) in enumerate(zip(self.chart.coordinates, self.spans, strict=True)):
            if one.kind != PERIODIC:
                continue
            low = np.stack(
                [draw.uniform(a.low, a.high, 4) if a.kind != OSCILLATOR else np.zeros(4) for a in self.spans], axis=1
            )
            high = low.copy()
            low[:, k], high[:, k] = one.low, one.high
            both = [self.coefficients(places) for places in (low, high)]
            for what in ("volume", "inverse", "potential"):
                a, b = (getattr(found, what) for found in both)
                if np.any(np.abs(a - b) > JOINED_ENDS * max(1.0, float(np.abs(a).max()))):
                    raise ModelError(
                        f"{self.where}: '{name}' is called periodic from {one.low:.6g} to {one.high:.6g}, but the metric or the potential "
                        "differs between these ends; give the whole period, or 'walls' or 'free'"
                    )
