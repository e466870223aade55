"""A chart: coordinates, the components of a metric over them as graphs, and the part of space in which they serve."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.evaluate import evaluate_again
from vinculum.compile.tape import Tape
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, StartError, shorten
from vinculum.motion.arguments import floats, named_values
from vinculum.scalars import Scalar, ldl, ldl_solve, parameters
from vinculum.scalars.differentiate import Along
from vinculum.scalars.math import sqrt
from vinculum.systems import nearest
from vinculum.tolerances.rank import SINGULAR_MASS
from vinculum.tolerances.samples import METRIC_BOX, METRIC_TRIES

PIVOTS_OF_A_ROOT = 4
"""Of more pivots the product may leave the range of floats, as for the masses of atoms in kg; of fewer, formulas would be split."""
NO_PIVOT = "some velocity has no kinetic energy at any place, so that g is singular or indefinite everywhere; look at the formula"


@final
@dataclass(frozen=True, eq=False)
class Chart:
    """``q``: symbols (n,); ``g``: graphs (n, n), symmetric; ``inside``: a graph that is positive where the chart serves, or None."""

    name: str
    coordinates: tuple[str, ...]
    q: np.ndarray
    g: np.ndarray
    inside: Scalar | None = None

    def __repr__(self):
        return f"chart of '{self.name}'"

    def __getstate__(self):
        """The fields alone: derivatives are known by the ids of nodes, which other processes and copies do not share."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __deepcopy__(self, known):
        return self

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return len(self.q)

    @property
    def where(self) -> str:
        return f"metric '{self.name}'"

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of the parameters of the metric."""
        return parameters(np.array([*self.g.ravel(), 0.0 if self.inside is None else self.inside], dtype=object))

    @cached_property
    def metric_derivatives(self) -> np.ndarray:
        """g_ij,k (n, n, n), k last."""
        n, found = self.n, np.zeros((self.n,) * 3, dtype=object)
        rows, columns = np.tril_indices(n)
        for k, along in enumerate(self.directions):
            found[rows, columns, k] = along.of(self.g[rows, columns])
            found[columns, rows, k] = found[rows, columns, k]
        return found

    @cached_property
    def second_metric_derivatives(self) -> np.ndarray:
        """g_ij,kl (n, n, n, n)."""
        n, found = self.n, np.zeros((self.n,) * 4, dtype=object)
        rows, columns = np.tril_indices(n)
        for l, along in enumerate(self.directions):
            made = along.of(self.metric_derivatives[rows, columns, l:])
            for k in range(l, n):
                for i, j in ((rows, columns), (columns, rows)):
                    found[i, j, k, l] = found[i, j, l, k] = made[:, k - l]
        return found

    @cached_property
    def directions(self) -> tuple[Along, ...]:
        """Derivatives along every coordinate."""
        return tuple(Along(self.q, unit) for unit in np.eye(self.n))

    def derivatives(self, x) -> np.ndarray:
        """x_,k with k as the last index."""
        x = np.asarray(x, dtype=object)
        return np.stack([along.of(x) for along in self.directions], axis=-1)

    @cached_property
    def inverse(self) -> np.ndarray:
        """g^ij (n, n)."""
        try:
            found = np.asarray(ldl_solve(self.g, np.eye(self.n)), dtype=object)
        except ZeroDivisionError as error:
            raise MethodError(f"{self.where}: {NO_PIVOT}") from error
        rows, columns = np.tril_indices(self.n, -1)
        found[columns, rows] = found[rows, columns]
        return found

    @cached_property
    def volume_density(self) -> Scalar:
        """√det g."""
        try:
            _, d = ldl(self.g)
        except ZeroDivisionError as error:
            raise MethodError(f"{self.where}: {NO_PIVOT}") from error
        roots = [sqrt(math.prod(d[k : k + PIVOTS_OF_A_ROOT])) for k in range(0, self.n, PIVOTS_OF_A_ROOT)]
        return math.prod(roots[1:], start=roots[0])

    @cached_property
    def lowered_christoffel(self) -> np.ndarray:
        """Γ_m,ij = ½ (g_mi,j + g_mj,i − g_ij,m), (n, n, n), m first."""
        first = np.swapaxes(self.metric_derivatives, 1, 2)  # (m, j, i) of g_mi,j
        return 0.5 * (np.swapaxes(first, 1, 2) + first - np.moveaxis(self.metric_derivatives, 2, 0))

    @cached_property
    def christoffel(self) -> np.ndarray:
        """Γ^k_ij (n, n, n), k first."""
        return np.tensordot(self.inverse, self.lowered_christoffel, axes=1)

    @cached_property
    def _check_tape(self) -> Tape:
        outputs = {"g": self.g, "inside": [1.0 if self.inside is None else self.inside]}
        return trace({"q": self.q}, outputs, self.parameters)

    def values(self, places: np.ndarray, given: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
        """g (B, n, n), and what is positive inside the chart (B,), without checks."""
        rows = with_parameters(places, {name: given[name] for name in self.parameters})
        with np.errstate(all="ignore"):
            found = evaluate_again(self._check_tape, rows)
        return found[:, :-1].reshape(len(rows), self.n, self.n), found[:, -1]

    def check_definite(self, places: np.ndarray, given: Mapping[str, float]) -> np.ndarray:
        """g (B, n, n) at places; one outside the chart, and one where g is not positive definite, is refused.

        ``given``: values of all parameters.
        """
        g, inside = self.values(places, given)
        outside = np.flatnonzero(~(inside > 0.0))
        if len(outside):
            raise StartError(
                f"{self.where}: {self.place(places[outside[0]])} is outside its chart; take another chart there"
            )
        bad = np.flatnonzero(~is_definite(g))
        if len(bad):
            raise StartError(f"{self.where}: {fault_of(self, g[bad[0]], places[bad[0]])}")
        return g

    def place(self, q: np.ndarray) -> str:
        """Coordinates in words."""
        return ", ".join(f"{name} = {x:.6g}" for name, x in zip(self.coordinates, q, strict=True))


@final
@dataclass(frozen=True, eq=False)
class TracedNumbers:
    """Graphs of any shape over the coordinates of a chart, evaluated at places where the metric is sound; ``what`` names them.

    ``more``: parameters of what they were made from, which may be given though the graphs do not hold them.
    """

    chart: Chart
    what: str
    graphs: np.ndarray
    more: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def parameters(self) -> dict[str, float]:
        """Names and default values of the parameters of the graphs and of the metric."""
        return {**self.chart.parameters, **self.more, **parameters(self.graphs)}

    @cached_property
    def tape(self) -> Tape:
        """The graphs over coordinates and then parameters."""
        return trace({"q": self.chart.q}, {"value": self.graphs}, self.parameters)

    def at(self, q, given: Mapping[str, float] | None = None) -> np.ndarray:
        """Numbers at coordinates (n,), in the shape of the graphs, or at rows (B, n) of them."""
        chart = self.chart
        one, places = places_of(chart, q)
        values = parameter_values(chart.where, self.parameters, given)
        chart.check_definite(places, values)
        with np.errstate(all="ignore"):
            found = evaluate_again(self.tape, with_parameters(places, values))
        bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
        if len(bad):
            raise StartError(
                f"{chart.where}: {self.what} is not finite at {chart.place(places[bad[0]])}; choose a place where it is defined"
            )
        found = found.reshape(len(places), *np.shape(self.graphs))
        return found[0] if one else found


def is_definite(g: np.ndarray) -> np.ndarray:
    """Whether matrices (B, n, n), scaled to unit diagonal, are positive definite and not singular, (B,)."""
    diagonal = np.einsum("bii->bi", g)
    sound = np.isfinite(g).all(axis=(1, 2)) & (diagonal > 0.0).all(axis=1)
    scale = 1.0 / np.sqrt(np.where(sound[:, None], diagonal, 1.0))
    scaled = np.where(sound[:, None, None], g, np.eye(g.shape[1])) * scale[:, :, None] * scale[:, None, :]
    values = np.linalg.eigvalsh(scaled)
    return sound & (values[:, 0] > SINGULAR_MASS * values[:, -1])


def fault_of(chart: Chart, g: np.ndarray, q: np.ndarray) -> str:
    """What is wrong with a matrix that is not positive definite."""
    if not np.all(np.isfinite(g)):
        return f"g is not finite at {chart.place(q)}; choose coordinates that serve there"
    least, most = np.linalg.eigvalsh(g)[[0, -1]]
    kind = "singular" if abs(least) <= SINGULAR_MASS * abs(most) else "not positive definite"
    return (
        f"g is {kind} at {chart.place(q)}, its eigenvalues are {least:.6g} to {most:.6g}; a kinetic energy is positive for every "
        "velocity: look at the formula, or choose coordinates that serve there"
    )


def sample_places(chart: Chart, count: int, given: Mapping[str, float] | None = None) -> np.ndarray:
    """Random places (count, n) of the chart, at which g is positive definite."""
    draw = np.random.default_rng(3)
    tries = draw.uniform(-METRIC_BOX, METRIC_BOX, (METRIC_TRIES * count, chart.n))
    g, inside = chart.values(tries, parameter_values(chart.where, chart.parameters, given))
    kept = tries[(inside > 0.0) & is_definite(g)][:count]
    if len(kept) < count:
        raise MethodError(
            f"{chart.where}: of {len(tries)} random places with coordinates between {-METRIC_BOX:g} and {METRIC_BOX:g} only {len(kept)} "
            "are in its chart; say with at= where to look"
        )
    return kept


def places_of(chart: Chart, q) -> tuple[bool, np.ndarray]:
    """Coordinates (B, n) of places; whether one place was given."""
    places = floats(f"{chart.where}: q", q)
    if places.ndim not in (1, 2) or places.shape[-1] != chart.n or not len(places):
        raise StartError(
            f"{chart.where}: q has shape {places.shape}; give its {chart.n} coordinates {', '.join(chart.coordinates)}, or rows of them"
        )
    return places.ndim == 1, np.atleast_2d(places)


def with_parameters(places: np.ndarray, known: Mapping[str, float]) -> np.ndarray:
    """Rows of coordinates and then of parameters, as tapes take them."""
    values = [known[name] for name in sorted(known)]
    return np.concatenate([places, np.broadcast_to(values, (len(places), len(values)))], axis=1)


def parameter_values(where: str, known: Mapping[str, float], given: Mapping[str, float] | None) -> dict[str, float]:
    """The known parameters with the values that are given, and their defaults otherwise."""
    wanted = named_values(given)
    for name in wanted:
        if name not in known:
            raise StartError(f"{where} has no parameter {shorten(name)}{nearest(str(name), known)}")
    result = {}
    for name, default in known.items():
        found = floats(f"{where}: parameter '{name}'", wanted.get(name, default))
        if found.shape != ():
            raise StartError(f"{where}: parameter '{name}' is {shorten(wanted[name])}; give one number")
        result[name] = float(found)
    return result


def own_parameters(chart: Chart, given: Mapping[str, float] | None) -> dict[str, float]:
    """Those of the given values that are parameters of the metric."""
    return {name: x for name, x in named_values(given).items() if name in chart.parameters}


def vector_of(chart: Chart, what: str, x) -> np.ndarray:
    """The components (n,) of a vector at a place."""
    found = floats(f"{chart.where}: {what}", x)
    if found.shape != (chart.n,):
        raise StartError(
            f"{chart.where}: {what} has shape {found.shape}; give {chart.n} components along {', '.join(chart.coordinates)}"
        )
    return found


def names_apart(coordinates: Sequence[str], prefix: str) -> tuple[str, ...]:
    """Names of components along coordinates that differ from all of these."""
    while any(f"{prefix}_{name}" in coordinates for name in coordinates):
        prefix += prefix[-1]
    return tuple(f"{prefix}_{name}" for name in coordinates)
