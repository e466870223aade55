"""`Embedding`: a curve, surface or hypersurface in Euclidean space, given by a parametrization."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vinculum.derivations.lagrangian.system import coordinate_names
from vinculum.errors import ModelError, shorten
from vinculum.geometry.chart import TracedNumbers
from vinculum.geometry.fields import TensorField
from vinculum.geometry.metric import Metric
from vinculum.scalars import depends_on, jacobian, symbol
from vinculum.scalars.math import sqrt
from vinculum.systems.jets import JetFunction, jet_function
from vinculum.systems.pickling import check_picklable


@final
@dataclass(frozen=True, eq=False)
class Embedding:
    r"""The image of a function f from coordinates x to points of the Euclidean space of any dimension.

    ``places``: a function of the ``coordinates`` by their names, or of their array ``q``, that returns the d > n Cartesian coordinates of
    a point; write it with `vc.math`. ``domain``: positive where the chart serves, as in `Metric`. A system of mass points is embedded in
    √m-weighted coordinates, in which its kinetic energy is ½|ẏ|². Gołubowska (28), (37).
    """

    name: str
    coordinates: Sequence[str]
    places: Callable | JetFunction
    domain: Callable | JetFunction | None = None

    def __post_init__(self):
        if not isinstance(self.name, str) or not self.name or not self.name.isprintable():
            raise ModelError(f"an embedding is named {shorten(self.name)}; give it a name, such as 'torus'")
        object.__setattr__(self, "coordinates", coordinate_names(self._where, self.coordinates))
        object.__setattr__(self, "places", jet_function(f"{self._where}: places", self.places, self.coordinates))
        if self.domain is not None:
            object.__setattr__(self, "domain", jet_function(f"{self._where}: domain", self.domain, self.coordinates))
        assert self.metric is not None
        if self.dimension <= len(self.coordinates):
            raise ModelError(
                f"{self._where}: places returned {self.dimension} numbers for {len(self.coordinates)} coordinates; return more: the "
                "Cartesian coordinates of a point of the space around it"
            )

    def __reduce__(self):
        given = (self.name, self.coordinates, self.places, self.domain)
        check_picklable(self._where, dict(zip(("places", "domain"), given[2:], strict=True)))
        return Embedding, given

    def __copy__(self):
        return self

    def __deepcopy__(self, known):
        return self

    def __repr__(self):
        return f"Embedding({self.name!r}, coordinates {', '.join(self.coordinates)}, in {self.dimension} dimensions)"

    @property
    def _where(self) -> str:
        return f"embedding '{self.name}'"

    @cached_property
    def metric(self) -> Metric:
        r"""The induced metric :math:`g_{\mu\nu} = \partial_\mu f\cdot\partial_\nu f`, (37)."""

        def components(levels, t):
            J = jacobian(self._image(levels[0]), levels[0])
            return J.T @ J

        return Metric(
            self.name, self.coordinates, JetFunction(f"{self._where}: its metric", 0, components), self.domain
        )

    def _image(self, q: np.ndarray) -> np.ndarray:
        function, t = self.places, symbol("t")
        assert isinstance(function, JetFunction)
        if function.order > 0:
            raise ModelError(f"{self._where}: places is a function of velocities; give one of coordinates alone")
        image = function.row((q,), t)
        if depends_on(np.append(image, 0.0), [t]):
            raise ModelError(f"{self._where}: places is a function of the time; give one of coordinates alone")
        return image

    @cached_property
    def image(self) -> np.ndarray:
        """f as graphs (d,) over the symbols of the chart of its metric."""
        return self._image(self.metric.chart.q)

    @property
    def dimension(self) -> int:
        """d, the dimension of the space around it."""
        return len(self.image)

    def points(self, q, parameters: Mapping[str, float] | None = None) -> np.ndarray:
        """Points (d,) or (B, d) at coordinates (n,) or (B, n)."""
        return self._points.at(q, parameters)

    @cached_property
    def _points(self) -> TracedNumbers:
        return TracedNumbers(self.metric.chart, "the point", self.image)

    @cached_property
    def second_form(self) -> np.ndarray:
        r"""The second fundamental form as graphs (d, n, n): :math:`f_{,ij} - \Gamma^k_{ij} f_{,k}`, normal to the tangents."""
        chart = self.metric.chart
        slopes = chart.derivatives(self.image)
        return chart.derivatives(slopes) - np.tensordot(slopes, chart.christoffel, axes=1)

    @cached_property
    def geometric_potential(self) -> TensorField:
        r"""What confinement adds to −Δ, in units of ħ²/2m.

        .. math:: \tfrac14\,|\operatorname{tr}\mathrm{II}|^2 - \tfrac12\,|\mathrm{II}|^2

        It is −k²/4 on a curve of curvature k, and −(H² − K) on a surface of mean curvature H and Gaussian curvature K. II is the second
        fundamental form. R. C. T. da Costa, Quantum mechanics of a constrained particle, 1981; the confining potential is the same in all
        normal directions, and has no torsion of its own.
        """
        chart, II = self.metric.chart, self.second_form
        raised = np.einsum("ik,dkl,lj->dij", chart.inverse, II, chart.inverse)
        trace = np.einsum("ij,dij->d", chart.inverse, II)
        found = 0.25 * (trace @ trace) - 0.5 * np.einsum("dij,dij->", raised, II)
        return TensorField(chart, "V", "", np.array(found, dtype=object))

    @property
    def codimension(self) -> int:
        """d − n, the number of normal directions."""
        return self.dimension - self.metric.chart.n

    @cached_property
    def projection(self) -> np.ndarray:
        """The projection (d, d) onto the normal directions as graphs."""
        chart = self.metric.chart
        slopes = chart.derivatives(self.image)
        return np.eye(self.dimension) - slopes @ chart.inverse @ slopes.T

    def normals(self, references: np.ndarray) -> np.ndarray:
        """Orthonormal normals (d − n, d) as graphs. ``references`` (d − n − 1, d): fixed vectors, whose normal parts are made orthonormal
        one after the other. The last normal is orthogonal to all tangents and to the other normals."""
        found: list[np.ndarray] = []
        for one in references:
            v = self.projection @ one
            for other in found:
                v = v - (other @ v) * other
            found.append(v / sqrt(v @ v))
        others = np.array([*self.metric.chart.derivatives(self.image).T, *found], dtype=object).T
        minors = [
            (-1) ** i * _determinant(np.delete(others, i, axis=0)) for i in range(self.dimension)
        ]  # the generalized cross product
        last = np.array(minors, dtype=object)
        return np.array([*found, last / sqrt(last @ last)], dtype=object)


def _determinant(A: np.ndarray):
    if len(A) == 1:
        return A[0, 0]
    minors = (np.delete(np.delete(A, 0, axis=0), j, axis=1) for j in range(len(A)))
    return sum((-1) ** j * A[0, j] * _determinant(minor) for j, minor in enumerate(minors))
