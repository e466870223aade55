"""The parts of a mass measure: atoms, and solids with a density."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import NamedTuple, final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.adaptive.cut_cells import Levels
from vinculum.measures.adaptive.quadrature import Function, integrate_charts
from vinculum.measures.charts import Charts
from vinculum.measures.solids.base import Solid
from vinculum.scalars import Value, math, value, vector
from vinculum.screws import Pose
from vinculum.tolerances.round_off import FEW_ROUND_OFFS


class Part(ABC):
    """A mass measure of one kind, in the frame of the whole."""

    @property
    @abstractmethod
    def mass(self) -> Value:
        """Mass [kg]."""

    """∫ ρ dμ [kg]."""

    @property
    @abstractmethod
    def first_moment(self) -> np.ndarray:
        """∫ ρ r dμ about the origin, (3,) [kg m]."""

    @property
    def center(self) -> np.ndarray:
        """∫ ρ r dμ / ∫ ρ dμ, (3,) [m]."""
        return self.first_moment / self.mass

    @abstractmethod
    def second_about(self, y) -> np.ndarray:
        """∫ ρ (r − y)(r − y)ᵀ dμ about a point y, (3, 3) [kg m²]."""

    @property
    def central_moment(self) -> np.ndarray:
        """∫ ρ (r − c)(r − c)ᵀ dμ about the part's own center c, (3, 3) [kg m²]."""
        return self.second_about(self.center)

    @abstractmethod
    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and masses (n,) with ∫ f ρ dμ = Σ mᵢ f(rᵢ) for polynomials f up to the degree ``order``."""

    @property
    @abstractmethod
    def charts(self) -> Charts | None:
        """Charts in the frame of the whole whose measure is the mass, at the values of parameters; None for atoms."""

    @property
    def levels(self) -> Levels | None:
        """Functions of points (n, 3), (f, n), all negative in the region to which the charts are restricted; None without one."""
        return None

    def integrate(self, function: Function, accuracy: float) -> tuple[np.ndarray, np.ndarray]:
        """The integral (m,) of a function of points (n, 3) that returns (n, m), and the estimate of its error."""
        charts = self.charts
        if charts is not None:
            found = integrate_charts("measure", charts, function, accuracy, self.levels)
            return found.value, found.error
        points, masses = (np.asarray(value(x), dtype=float) for x in self.nodes(0))
        terms = masses[:, None] * function(points)
        return terms.sum(0), FEW_ROUND_OFFS * np.abs(terms).sum(0)

    @property
    def is_points(self) -> bool:
        """Whether a potential 1/r sees nothing but points outside."""
        return False

    def point_masses(self, degree: int) -> tuple[np.ndarray, np.ndarray]:
        """Points and masses that stand for the part in a potential 1/r: `nodes`, or fewer where they do as well."""
        return self.nodes(degree)

    @abstractmethod
    def reach(self, point) -> Value:
        """Distance [m] from ``point`` (3,) to the farthest mass, or a little more; a homogeneous ball counts as its center."""

    @abstractmethod
    def transform(self, X: Pose) -> "Part":
        """The part carried along by the pose X."""

    @abstractmethod
    def scale(self, factor) -> "Part":
        """The part with its mass multiplied by a number, which may be negative."""

    @property
    def drawn(self) -> "Drawn | None":
        """What it looks like; None if it is not drawn."""
        return None


class Drawn(NamedTuple):
    """A solid at a pose, or ``facets`` instead: corners (n, 3) and triangles (t, 3) of a surface there."""

    X: Pose
    shape: Solid | None = None
    facets: tuple[np.ndarray, np.ndarray] | None = None


@final
@dataclass(frozen=True, eq=False)
class Atoms(Part):
    """Points (n, 3) [m] with masses (n,) [kg]."""

    points: np.ndarray
    masses: np.ndarray

    @property
    def mass(self) -> Value:
        return self.masses.sum()

    @property
    def first_moment(self) -> np.ndarray:
        return self.masses @ self.points

    def second_about(self, y) -> np.ndarray:
        return second_moment(self.points - y, self.masses)

    @property
    def charts(self) -> None:
        return None

    @property
    def is_points(self) -> bool:
        return True

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        return self.points, self.masses

    def reach(self, point) -> Value:
        return reduce(math.maximum, [math.norm(r - vector(point)) for r in self.points])

    def transform(self, X: Pose) -> "Atoms":
        return Atoms(X.apply(self.points), self.masses)

    def scale(self, factor) -> "Atoms":
        return Atoms(self.points, factor * self.masses)


@final
@dataclass(frozen=True, eq=False)
class Uniform(Part):
    """A solid of one density, in closed form, with the mass ``total`` [kg]."""

    shape: Solid
    total: Value
    X: Pose

    @property
    def mass(self) -> Value:
        return self.total

    @property
    def first_moment(self) -> np.ndarray:
        return self.mass * self.center

    @property
    def center(self) -> np.ndarray:
        return self.X.apply(self.shape.center)

    def second_about(self, y) -> np.ndarray:
        r = self.center - y
        return self.central_moment + self.mass * np.outer(r, r)

    @property
    def central_moment(self) -> np.ndarray:
        c = self.shape.center
        return self.mass * symmetric(self.X.R @ (self.shape.mean_square - np.outer(c, c)) @ self.X.R.T)

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = self.shape.quadrature(order)
        return self.X.apply(points), self.mass / self.shape.volume * weights

    @property
    def charts(self) -> Charts:
        density = float(value(self.mass)) / float(value(self.shape.volume))
        return self.shape.charts.weigh(lambda x: np.full(len(x), density)).transform(self.X)

    @property
    def is_points(self) -> bool:
        return self.shape.is_ball

    def point_masses(self, degree: int) -> tuple[np.ndarray, np.ndarray]:
        return (self.center[None], vector([self.mass])) if self.shape.is_ball else self.nodes(degree)

    def reach(self, point) -> Value:
        if self.shape.is_ball:
            return math.norm(self.center - vector(point))
        return self.shape.reach(self.X.inverse().apply(point))

    def transform(self, X: Pose) -> "Uniform":
        return Uniform(self.shape, self.mass, X @ self.X)

    def scale(self, factor) -> "Uniform":
        return Uniform(self.shape, factor * self.mass, self.X)

    @property
    def drawn(self) -> Drawn | None:
        return Drawn(self.X, self.shape)


@final
@dataclass(frozen=True, eq=False)
class Varying(Part):
    """A solid with a density [kg/m³] that is a function of the position in the solid's own frame.

    All integrals are quadratures of the order given at least. ``factor``: a number by which the density is multiplied.
    """

    shape: Solid
    density: "Density"
    order: int
    X: Pose
    factor: Value = 1.0

    @property
    def mass(self) -> Value:
        return self._nodes[1].sum()

    @property
    def first_moment(self) -> np.ndarray:
        points, masses = self._nodes
        return masses @ points

    def second_about(self, y) -> np.ndarray:
        return second_moment(self._nodes[0] - y, self._nodes[1])

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = self.shape.quadrature(max(order, self.order))
        return self.X.apply(points), self.factor * (weights * self.density.at(points))

    @property
    def charts(self) -> Charts:
        factor = float(value(self.factor))
        return self.shape.charts.weigh(lambda x: factor * np.asarray(value(self.density.at(x)), dtype=float)).transform(
            self.X
        )

    def reach(self, point) -> Value:
        return self.shape.reach(self.X.inverse().apply(point))

    def transform(self, X: Pose) -> "Varying":
        return replace(self, X=X @ self.X)

    def scale(self, factor) -> "Varying":
        return replace(self, factor=factor * self.factor)

    @property
    def drawn(self) -> Drawn | None:
        return Drawn(self.X, self.shape)

    @cached_property
    def _nodes(self) -> tuple[np.ndarray, np.ndarray]:
        return self.nodes(self.order)


@final
@dataclass(frozen=True, eq=False)
class Density:
    """A density of the user's, per volume, area or length, as a function of the position in its own frame.

    ``unit``: of what it returns; ``shape``: the solid in which it must not be negative, if there is one; ``signed``: whether it may be
    negative.
    """

    function: Callable
    unit: str
    shape: Solid | None
    signed: bool

    def at(self, points) -> np.ndarray:
        """Densities (n,) at points (n, 3), checked."""
        densities = vector([self._at_point(r) for r in points])
        number = np.asarray(value(densities))
        finite = np.isfinite(number)
        bad = np.flatnonzero(~finite if self.signed else ~(finite & (number >= 0.0)))
        if len(bad):
            self._refuse(np.asarray(value(points[bad]), dtype=float), number[bad])
        return densities

    def _refuse(self, places: np.ndarray, number: np.ndarray) -> None:
        """Refuse densities that are not finite, and negative ones inside the solid; those of a mesh may be outside."""
        inside = np.ones(len(places), bool) if self.shape is None else np.all(self.shape.levels(places) <= 0.0, axis=0)
        blamed = np.flatnonzero(~np.isfinite(number) | inside)
        if not len(blamed):
            return
        k = int(blamed[0])
        condition = "be finite" if self.signed else "be finite and not negative"
        where = "inside the solid" if inside[k] else "also outside the mesh, between its center and its triangles"
        remedy = "" if self.signed or not np.isfinite(number[k]) else "; give signed=True for charges and the like"
        raise ModelError(
            f"measure: the density is {number[k]:g} {self.unit} at {places[k].tolist()} in its own frame: it must "
            f"{condition} {where}{remedy}"
        )

    def _at_point(self, r) -> Value:
        place = np.asarray(value(r)).tolist()
        try:
            given = self.function(r)
        except Exception as error:
            raise ModelError(
                f"measure: the density function failed at {place}: {type(error).__name__}: {error}; it must give one "
                f"number [{self.unit}] for every position (x, y, z) in its own frame"
            ) from error
        try:
            density = vector(given)
        except (TypeError, ValueError):
            density = None
        if density is None or density.shape != ():
            raise ModelError(
                f"measure: the density function gives {given!r} at {place}: it must give one number [{self.unit}] "
                "for a position of three numbers"
            )
        return density.item()


def second_moment(points, masses) -> np.ndarray:
    """Σ mᵢ rᵢ rᵢᵀ of points (n, 3) and masses (n,), (3, 3)."""
    return symmetric((points * masses[:, None]).T @ points)


def symmetric(S) -> np.ndarray:
    """The matrix (3, 3) with the upper half of S in both halves: round-off leaves it symmetric."""
    (x, xy, xz), (_, y, yz), (_, _, z) = S
    return vector([[x, xy, xz], [xy, y, yz], [xz, yz, z]])
