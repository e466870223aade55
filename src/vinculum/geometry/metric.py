"""`Metric`: a Riemannian metric on a chart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.derivations.lagrangian.system import coordinate_names
from vinculum.errors import ModelError, shorten
from vinculum.geometry.chart import Chart, fault_of, is_definite, parameter_values, places_of
from vinculum.geometry.curvature import lowered_riemann
from vinculum.geometry.fields import LOWER, UPPER, TensorField, component_graphs
from vinculum.geometry.sources import kinetic_graph
from vinculum.scalars import Scalar, jacobian, substitute, symbol
from vinculum.systems.jets import JetFunction, jet_function
from vinculum.systems.pickling import check_picklable
from vinculum.tolerances.functions import POSITIVE
from vinculum.tolerances.rank import SINGULAR_MASS
from vinculum.tolerances.samples import METRIC_BOX, METRIC_TRIES


@final
@dataclass(frozen=True, eq=False)
class Metric:
    r"""A Riemannian metric g on one chart, :math:`ds^2 = g_{ij}\,dq^i\,dq^j`.

    ``components``: a function of the ``coordinates`` by their names, or of the array ``q`` of all of them, that returns the
    matrix g (n, n); write it with `vc.math`. ``domain``: a function of the same that is positive where the chart serves; places
    outside are refused, and geodesics stop at its edge. g must be symmetric and positive definite where it is asked for. Moreau, An
    expression of classical dynamics, sections 7 and 8.

    >>> sphere = vc.geometry.Metric("sphere", ["u", "w"], lambda u, w: [[1, 0], [0, vc.math.sin(u) ** 2]])
    >>> round(float(vc.geometry.sectional_curvature(sphere, (1.0, 0.0), (1, 0), (0, 1))), 12)
    1.0
    """

    name: str
    coordinates: Sequence[str]
    components: Callable | JetFunction
    domain: Callable | JetFunction | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name or not self.name.isprintable():
            raise ModelError(f"a metric is named {shorten(self.name)}; give it a name, such as 'sphere'")
        where = f"metric '{self.name}'"
        object.__setattr__(self, "coordinates", coordinate_names(where, self.coordinates))
        object.__setattr__(self, "components", jet_function(f"{where}: components", self.components, self.coordinates))
        if self.domain is not None:
            object.__setattr__(self, "domain", jet_function(f"{where}: domain", self.domain, self.coordinates))
        assert self.chart is not None

    def __reduce__(self):
        given = (self.name, self.coordinates, self.components, self.domain)
        check_picklable(f"metric '{self.name}'", dict(zip(("components", "domain"), given[2:], strict=True)))
        return Metric, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    def __repr__(self):
        return f"Metric({self.name!r}, coordinates {', '.join(self.coordinates)})"

    @classmethod
    def of(
        cls, system: Any, coordinates: Callable | None = None, domain: Callable | None = None, *, at: Any = None
    ) -> "Metric":
        r"""The metric of a kinetic energy, :math:`E_c = \tfrac12 g_{ij}\,\dot q^i\,\dot q^j`.

        Of a `System` it is the mass matrix in coordinates and their rates; of a `LagrangianSystem` the Hessian ∂²L/∂v∂v.
        ``coordinates``: a function from other coordinates to those of the joints, as in `derive`. ``at``: a place instead, written like
        the start of a run, or the coordinates (n,) of a `LagrangianSystem`; about it quaternions have three coordinates that vanish
        there, and closed loops and holonomic constraints leave some coordinates, by which the others follow. A system with any of these
        needs one of both. Moreau, (8.1).
        """
        found = kinetic_graph(system, coordinates, at)
        where = f"metric '{found.name}'"
        g = JetFunction(f"{where}: components", 0, lambda levels, t: substitute(found.g, found.q, levels[0]))
        if found.inside is None:
            return cls(found.name, found.coordinates, g, domain)
        if domain is not None:
            raise ModelError(
                f"{where}: with at= the chart ends where constraints cannot be solved from there; leave domain out"
            )
        inside = JetFunction(f"{where}: domain", 0, lambda levels, t: substitute([found.inside], found.q, levels[0])[0])
        return cls(found.name, found.coordinates, g, inside)

    def restrict(self, places: Callable, coordinates: Sequence[str], name: str | None = None,
                 domain: Callable | None = None) -> "Metric":  # fmt: skip
        r"""The metric induced on the surface q = f(x), or the same metric in other coordinates x.

        .. math:: g'_{\mu\nu} = g_{ij}(f)\,\frac{\partial f^i}{\partial x^\mu}\,\frac{\partial f^j}{\partial x^\nu}

        ``places``: the function f. Gołubowska (28)–(31), (37).
        """
        where = f"{self.chart.where}, restricted"
        names = coordinate_names(where, coordinates)
        f = jet_function(f"{where}: places", places, names)
        if f.order > 0:
            raise ModelError(f"{where}: places is a function of velocities; give one of coordinates alone")

        def pull_back(levels, t):
            own = self.chart
            image = f.row(levels[:1], t, own.n)
            J = jacobian(image, levels[0])
            return J.T @ substitute(own.g, own.q, image) @ J

        return Metric(
            name or f"{self.name} on a surface", names, JetFunction(f"{where}: components", 0, pull_back), domain
        )

    def __call__(self, q, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """g_ij (n, n) at coordinates (n,), or (B, n, n) at rows of them."""
        one, places = places_of(self.chart, q)
        g = self.chart.check_definite(places, parameter_values(self.chart.where, self.chart.parameters, parameters))
        return g[0] if one else g

    @property
    def parameters(self) -> dict[str, float]:
        """Names and default values of its parameters."""
        return dict(self.chart.parameters)

    @property
    def tensor(self) -> TensorField:
        """g_ij as a field."""
        return TensorField(self.chart, "g", LOWER * 2, self.chart.g)

    @property
    def inverse(self) -> TensorField:
        """g^ij as a field."""
        return TensorField(self.chart, "g", UPPER * 2, self.chart.inverse)

    @property
    def volume_density(self) -> TensorField:
        r"""√det g, with which :math:`\sqrt{\det g}\,dq` is the Riemannian volume."""
        return TensorField(self.chart, r"\sqrt{\det g}", "", np.array(self.chart.volume_density, dtype=object))

    @cached_property
    def christoffel(self) -> TensorField:
        r"""The Christoffel symbols :math:`\Gamma^k_{ij} = \tfrac12 g^{km}(g_{mi,j} + g_{mj,i} - g_{ij,m})`, k first."""
        return TensorField(self.chart, r"\Gamma", UPPER + LOWER * 2, self.chart.christoffel)

    @cached_property
    def riemann(self) -> TensorField:
        r"""The curvature tensor :math:`R_{ijkl} = g_{im}(\Gamma^m_{lj,k} - \Gamma^m_{kj,l} + \Gamma^m_{kp}\Gamma^p_{lj} -
        \Gamma^m_{lp}\Gamma^p_{kj})`; on the unit sphere R_1212 = det g."""
        return TensorField(self.chart, "R", LOWER * 4, lowered_riemann(self.chart))

    @cached_property
    def ricci(self) -> TensorField:
        r"""The Ricci tensor :math:`R_{jl} = g^{ik} R_{ijkl}`."""
        found = np.einsum("ik,ijkl->jl", self.chart.inverse, self.riemann.components)
        return TensorField(self.chart, "R", LOWER * 2, found)

    @cached_property
    def scalar_curvature(self) -> TensorField:
        r"""The scalar curvature :math:`g^{jl} R_{jl}`, on a surface twice the Gaussian curvature."""
        found = np.einsum("jl,jl->", self.chart.inverse, self.ricci.components)
        return TensorField(self.chart, "R", "", np.array(found, dtype=object))

    @cached_property
    def chart(self) -> Chart:
        """Coordinates and components as graphs."""
        names = tuple(self.coordinates)
        q = np.array([*(symbol(name) for name in names), None], dtype=object)[:-1]
        bare = Chart(self.name, names, q, np.eye(len(names), dtype=object))
        g = component_graphs(bare, "components", self.components)
        if g.ndim != 2:
            raise ModelError(f"{bare.where}: its function returned shape {g.shape}; return a matrix {(len(q), len(q))}")
        inside = None if self.domain is None else component_graphs(bare, "domain", self.domain)
        if inside is not None and (inside.ndim or not isinstance(inside.item(), Scalar)):
            raise ModelError(
                f"{bare.where}: domain must return one number that is positive inside the chart and depends on the place"
            )
        _check(Chart(self.name, names, q, g))
        rows, columns = np.tril_indices(len(q), -1)
        g[columns, rows] = g[rows, columns]
        return Chart(self.name, names, q, g, None if inside is None else inside.item())


def _check(chart: Chart) -> None:
    """Refuse matrices that are not symmetric, those that are constant and not positive definite, and those that are singular everywhere."""
    places = np.random.default_rng(4).uniform(-METRIC_BOX, METRIC_BOX, (METRIC_TRIES, chart.n))
    g, _ = chart.values(places, chart.parameters)
    finite = np.isfinite(g).all(axis=(1, 2))
    g, places = g[finite], places[finite]
    skew = np.abs(g - np.swapaxes(g, 1, 2))
    bad = np.flatnonzero(skew.max(axis=(1, 2), initial=0.0) > POSITIVE * np.abs(g).max(axis=(1, 2), initial=0.0))
    if len(bad):
        k = bad[0]
        i, j = np.unravel_index(np.argmax(skew[k]), (chart.n, chart.n))
        raise ModelError(
            f"{chart.where}: it is not symmetric at {chart.place(places[k])}: g_{i}{j} = {g[k, i, j]:.6g} and "
            f"g_{j}{i} = {g[k, j, i]:.6g}; return a symmetric matrix"
        )
    sizes = np.abs(np.linalg.eigvalsh(g))
    singular = sizes.min(axis=1, initial=np.inf) <= SINGULAR_MASS * sizes.max(axis=1, initial=0.0)
    constant = not any(isinstance(x, Scalar) for x in chart.g.ravel())
    if len(g) and (np.all(singular) or (constant and not is_definite(g[:1])[0])):
        raise ModelError(f"{chart.where}: {fault_of(chart, g[0], places[0])}")
