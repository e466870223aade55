"""Confinement to a curve or surface by a strong potential ½κν² of the distance ν, and the limit of its levels as κ grows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import MethodError, StartError, shorten
from vinculum.geometry.chart import TracedNumbers, names_apart
from vinculum.geometry.embedding import Embedding
from vinculum.geometry.fields import component_graphs
from vinculum.geometry.metric import Metric
from vinculum.geometry.quantum.bases import HermiteBasis, first_sizes
from vinculum.geometry.quantum.quantization import Quantization
from vinculum.geometry.quantum.ranges import OSCILLATOR, Range
from vinculum.geometry.quantum.states import States
from vinculum.geometry.quantum.stationary import tensor_form
from vinculum.motion.arguments import floats
from vinculum.scalars import jacobian, substitute, symbols
from vinculum.systems.jets import JetFunction
from vinculum.tolerances.quantum import (
    BEFORE_FOCUS,
    CONFINED_LEVELS,
    EXCITED,
    HERMITE_ENDS,
    HERMITE_LEAST,
    NORMAL_FRAMES,
    NORMALS_APART,
    RITZ,
)
from vinculum.tolerances.sizes import MOST_STATES


def confine(operator: Quantization, kappa: float | Callable) -> Quantization:
    r"""The particle around the manifold, in the potential V + ½κν² of the distance ν from it.

    ``operator``: that of an `Embedding`, as of a curve in the plane or in space. ``kappa``: the stiffness, a number or a function of the
    coordinates. The chart is (x, ν), with places f(x) + ν · n(x), in the Euclidean metric; n are orthonormal normals, which may rotate
    along the manifold, since the potential is the same in all normal directions. Gołubowska (25), (26), and the remark after (40).
    """
    space = operator.space
    if not isinstance(space, Embedding):
        raise MethodError(
            f"{operator.where}: confinement is in the space around the manifold; give a vc.geometry.Embedding"
        )
    chart = space.metric.chart
    stiffness = _stiffness(operator, kappa)
    V_along = 0.0 if operator.potential is None else component_graphs(chart, "potential", operator.potential).item()
    n, c = chart.n, space.codimension
    if c > 2:
        raise MethodError(
            f"{operator.where} has {c} normal directions, and confinement is computed for one and two: curves in the plane and in space, "
            "surfaces in space and in four dimensions; the geometric potential, confined=True, serves for all"
        )
    distances = symbols("nu", c)
    reached = space.image + distances @ space.normals(_references(operator, space))
    across = _names_across(chart.coordinates, c)
    names = (*chart.coordinates, *across)

    def components(levels, t):
        J = jacobian(substitute(reached, np.concatenate([chart.q, distances]), levels[0]), levels[0])
        return J.T @ J

    def potential(levels, t):
        x, nu = levels[0][:n], levels[0][n:]
        own = np.array([stiffness, V_along], dtype=object)
        k, V = substitute(own, chart.q, x)
        return V + 0.5 * k * (nu @ nu)

    low, high = _sampled_stiffness(operator, stiffness)
    width = (operator.hbar**2 / (operator.mass * np.sqrt(low * high))) ** 0.25
    widest = (operator.hbar**2 / (operator.mass * low)) ** 0.25
    reach = BEFORE_FOCUS * _reach(operator, space)
    if reach < HERMITE_LEAST * widest:
        raise StartError(
            f"{operator.where}: at κ = {low:.3g} its states are {widest:.3g} wide, and a center of curvature is {reach:.3g} away, where "
            f"normals meet; take κ above {low * (HERMITE_LEAST * widest / reach) ** 4:.3g}"
        )
    end = min(HERMITE_ENDS * widest, reach)
    where = f"tube around {space.name}"
    metric = Metric(where, names, JetFunction(f"metric '{where}': components", 0, components))
    ranges: dict[str, Any] = {**operator.ranges, **dict.fromkeys(across, Range(-end, end, OSCILLATOR, width))}
    used = dict(operator.parameters or {})
    V = JetFunction(f"metric '{where}': potential", 0, potential)
    return Quantization(metric, ranges, V, operator.mass, operator.hbar, parameters=used or None)


@final
@dataclass(frozen=True, eq=False)
class Confinement:
    r"""Levels of a confined particle next to those of the operators on the manifold.

    ``kappa`` (K,): the stiffnesses. ``levels`` (K, k): tangential levels, less ½ħω for each normal direction. ``intrinsic`` (k,): levels of
    −ħ²/2m Δ + V;
    ``confined`` (k,): those with the geometric potential. ``limits`` and ``slopes`` (k,): the polynomial in κ^(−1/2) through all
    ``levels`` and its first derivative, at κ → ∞; ``errors`` (k,): how much the limits change without the first stiffness.
    ``quanta``: for each stiffness the mean number of transversal quanta of all its lowest states, in the order of their levels;
    ``spectra``: these levels, less the same.
    """

    kappa: np.ndarray
    levels: np.ndarray
    intrinsic: np.ndarray
    confined: np.ndarray
    limits: np.ndarray
    slopes: np.ndarray
    errors: np.ndarray
    quanta: tuple[np.ndarray, ...]
    spectra: tuple[np.ndarray, ...]

    @property
    def shifts(self) -> np.ndarray:
        """Limits less the intrinsic levels (k,)."""
        return self.limits - self.intrinsic

    def __str__(self):
        rows = [f"{'κ':>12} {'levels − ½ħω':>16}"]
        rows += [
            f"{k:12.4g} " + " ".join(f"{x:12.8f}" for x in row) for k, row in zip(self.kappa, self.levels, strict=True)
        ]
        for name in ("limits", "confined", "intrinsic"):
            rows.append(f"{name:>12} " + " ".join(f"{x:12.8f}" for x in getattr(self, name)))
        met = [(k, int((n > EXCITED).sum())) for k, n in zip(self.kappa, self.quanta, strict=True)]
        rows += [
            f"at κ = {k:.4g} {count} of the lowest states have transversal quanta: tangential levels meet ħω there"
            for k, count in met
            if count
        ]
        return "\n".join(rows)


def compare_confinement(
    operator: Quantization, kappa: Any, count: int = 4, tolerance: float = CONFINED_LEVELS
) -> Confinement:
    r"""Levels of a particle that is confined with growing stiffness, their limit, and the levels of both operators on the manifold.

    ``kappa`` (K,): at least two stiffnesses. Levels less ½ħω for each normal direction, ω = √(κ/m), tend to those with
    the geometric potential, not to the
    intrinsic ones. Tangential levels above ħω lie among states with transversal quanta; these are told apart by the mean number of
    quanta, which fails where both mix.
    """
    stiffness = floats(f"{operator.where}: kappa", kappa)
    if stiffness.ndim != 1 or len(stiffness) < 2 or np.any(np.diff(stiffness) <= 0.0) or not stiffness[0] > 0.0:
        raise StartError(
            f"{operator.where}: kappa is {shorten(kappa)}; give two or more positive stiffnesses that increase"
        )
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= MOST_STATES:
        raise StartError(f"{operator.where}: count is {shorten(count)}; give a whole number from 1 to {MOST_STATES}")
    allowed = floats(f"{operator.where}: tolerance", tolerance)
    if allowed.shape != () or not allowed > 0.0:
        raise StartError(f"{operator.where}: tolerance is {shorten(tolerance)}; give one positive number")
    if not isinstance(operator.space, Embedding):
        confine(operator, float(stiffness[0]))
        raise AssertionError("a metric without a space around it is refused")
    given = (operator.space, operator.ranges, operator.potential, operator.mass, operator.hbar)
    intrinsic, bent = (
        Quantization(*given, confined=confined, parameters=operator.parameters)
        .states(int(count), tolerance=float(allowed))
        .levels
        for confined in (False, True)
    )
    levels, quanta, spectra = [], [], []
    for k in stiffness:
        found, n = _tangential(confine(operator, float(k)), int(count), float(allowed), float(np.ptp(bent)) + 1.0)
        ground = 0.5 * operator.space.codimension * operator.hbar * np.sqrt(k / operator.mass)
        levels.append(found[n <= EXCITED][:count] - ground)
        quanta.append(n)
        spectra.append(found - ground)
    table, small = np.array(levels), stiffness**-0.5
    powers = np.vander(small, increasing=True)
    fitted = np.linalg.solve(powers, table)
    fewer = np.linalg.solve(powers[1:, :-1], table[1:])
    return Confinement(stiffness, table, intrinsic, bent, fitted[0], fitted[1], np.abs(fitted[0] - fewer[0]), tuple(quanta),
                       tuple(spectra))  # fmt: skip


def _tangential(tube: Quantization, count: int, tolerance: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Levels of the lowest states, among them ``count`` without transversal quanta; the mean number of quanta of each."""
    asked = count
    while True:
        size = float(np.abs(tube.states(1, tolerance=1.0).levels[0])) + scale
        states = tube.states(asked, tolerance=max(tolerance * scale / size, 2.0 * RITZ))
        n = transversal_quanta(states)
        if (n <= EXCITED).sum() >= count:
            return states.levels, n
        asked = asked + max(2, asked // 2)


def transversal_quanta(states: States) -> np.ndarray:
    """The mean number of transversal quanta of confined states, (k,)."""
    form: Any = states.functions
    bases = form.form.bases
    shares = (states.coefficients**2).reshape(*(basis.size for basis in bases), len(states))
    found = np.zeros(len(states))
    for axis, basis in enumerate(bases):
        if isinstance(basis, HermiteBasis):
            found += basis.degrees @ np.moveaxis(shares, axis, 0).reshape(basis.size, -1, len(states)).sum(axis=1)
    return found / (states.coefficients**2).sum(axis=0)


def _stiffness(operator: Quantization, kappa: Any) -> Any:
    if callable(kappa):
        found = component_graphs(operator.chart, "kappa", kappa)
        if found.ndim:
            raise StartError(f"{operator.where}: kappa returned shape {found.shape}; return one number")
        return found.item()
    number = floats(f"{operator.where}: kappa", kappa)
    if number.shape != () or not number > 0.0:
        raise StartError(
            f"{operator.where}: kappa is {shorten(kappa)}; give a positive number or a function of the coordinates"
        )
    return float(number)


def _samples(operator: Quantization) -> np.ndarray:
    return tensor_form(operator, first_sizes(operator.spans, 1)).nodes[0]


def _sampled_stiffness(operator: Quantization, stiffness: Any) -> tuple[float, float]:
    found = _at_samples(operator, "kappa", np.array([stiffness]))
    if not found.min() > 0.0:
        raise StartError(
            f"{operator.where}: kappa is {found.min():.3g} at some place; a confining stiffness is positive"
        )
    return float(found.min()), float(found.max())


def _names_across(coordinates: Sequence[str], count: int) -> tuple[str, ...]:
    """Names of the normal coordinates, unlike those of the manifold."""
    names = ("normal",) if count == 1 else tuple(f"normal_{k + 1}" for k in range(count))
    return names_apart((*coordinates, *names), "along")[len(coordinates) :]


def _reach(operator: Quantization, space: Embedding) -> float:
    """The smallest radius of curvature along a normal; with several, at most this."""
    chart, d = space.metric.chart, space.dimension
    found = _at_samples(operator, "its curvature", np.concatenate([space.second_form, chart.g[None]]))
    shapes = np.linalg.solve(found[:, d:], found[:, :d])
    curvatures = np.sqrt((np.abs(np.linalg.eigvals(shapes)).max(axis=2) ** 2).sum(axis=1))
    return 1.0 / max(float(curvatures.max()), np.finfo(float).tiny)


def _references(operator: Quantization, space: Embedding) -> np.ndarray:
    """Fixed vectors (c − 1, d) whose normal parts are independent everywhere: of some random ones those that are farthest from that."""
    count, d, draw = space.codimension - 1, space.dimension, np.random.default_rng(2)
    if not count:
        return np.zeros((0, d))
    P = _at_samples(operator, "its normal directions", space.projection)
    drawn = [np.linalg.qr(draw.normal(size=(d, count)))[0].T for _ in range(NORMAL_FRAMES)]
    least = [float(np.linalg.svd(P @ one.T, compute_uv=False)[:, -1].min()) for one in drawn]
    if max(least) < NORMALS_APART:
        raise MethodError(
            f"{operator.where}: its tube needs normals that vary smoothly, and no fixed vectors have normal parts that are independent at "
            "all places; take a part of the manifold"
        )
    return drawn[int(np.argmax(least))]


def _at_samples(operator: Quantization, what: str, graphs: np.ndarray) -> np.ndarray:
    """Numbers (Q, …) of graphs at some places of the manifold."""
    numbers = TracedNumbers(operator.chart, what, np.asarray(graphs, dtype=object))
    known = {name: x for name, x in (operator.parameters or {}).items() if name in numbers.parameters}
    return numbers.at(_samples(operator), known)
