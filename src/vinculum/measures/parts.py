"""The parts of a mass measure: atoms, and solids with a density."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.measures.solid import Solid
from vinculum.scalars import Value, math, value, vector
from vinculum.screws import Pose


class Part(ABC):
    """A mass measure of one kind, in the frame of the whole."""

    mass: Value
    """∫ ρ dμ [kg]."""

    @property
    @abstractmethod
    def center(self) -> np.ndarray:
        """∫ ρ r dμ / ∫ ρ dμ, (3,) [m]."""

    @property
    @abstractmethod
    def central_moment(self) -> np.ndarray:
        """∫ ρ (r − c)(r − c)ᵀ dμ about the part's own center c, (3, 3) [kg m²]."""

    @abstractmethod
    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and masses (n,) with ∫ f ρ dμ = Σ mᵢ f(rᵢ) for polynomials f up to the degree ``order``."""

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
    def center(self) -> np.ndarray:
        return self.masses @ self.points / self.mass

    @property
    def central_moment(self) -> np.ndarray:
        return second_moment(self.points - self.center, self.masses)

    @property
    def is_points(self) -> bool:
        return True

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        return self.points, self.masses

    def reach(self, point) -> Value:
        return reduce(math.maximum, [math.norm(r - vector(point)) for r in self.points])

    def transform(self, X: Pose) -> "Atoms":
        return Atoms(X.apply(self.points), self.masses)


@final
@dataclass(frozen=True, eq=False)
class Uniform(Part):
    """A solid of one density, in closed form. ``mass`` [kg]."""

    shape: Solid
    mass: Value
    X: Pose

    @property
    def center(self) -> np.ndarray:
        return self.X.apply(self.shape.center)

    @property
    def central_moment(self) -> np.ndarray:
        c = self.shape.center
        return self.mass * symmetric(self.X.R @ (self.shape.mean_square - np.outer(c, c)) @ self.X.R.T)

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = self.shape.quadrature(order)
        return self.X.apply(points), self.mass / self.shape.volume * weights

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


@final
@dataclass(frozen=True, eq=False)
class Varying(Part):
    """A solid with a density [kg/m³] that is a function of the position in the solid's own frame.

    All integrals are quadratures of the order given at least.
    """

    shape: Solid
    density: Callable
    order: int
    X: Pose

    @property
    def mass(self) -> Value:
        return self._nodes[1].sum()

    @property
    def center(self) -> np.ndarray:
        points, masses = self._nodes
        return masses @ points / masses.sum()

    @property
    def central_moment(self) -> np.ndarray:
        return second_moment(self._nodes[0] - self.center, self._nodes[1])

    def nodes(self, order: int) -> tuple[np.ndarray, np.ndarray]:
        points, weights = self.shape.quadrature(max(order, self.order))
        densities = vector([self._density_at(r) for r in points])
        number = np.asarray(value(densities))
        if not np.all(np.isfinite(number) & (number >= 0.0)):
            bad = int(np.argmin(np.where(np.isfinite(number), number, -np.inf)))
            place = np.asarray(value(points[bad])).tolist()
            raise ModelError(
                f"measure: the density is {number[bad]:g} kg/m³ at {place} in the solid's frame: it must "
                "be finite and not negative inside the solid"
            )
        return self.X.apply(points), weights * densities

    def _density_at(self, r) -> Value:
        place = np.asarray(value(r)).tolist()
        try:
            given = self.density(r)
        except Exception as error:
            raise ModelError(
                f"measure: the density function failed at {place}: {type(error).__name__}: {error}; it must give one "
                "number [kg/m³] for every position (x, y, z) in the solid's frame"
            ) from error
        try:
            density = vector(given)
        except (TypeError, ValueError):
            density = None
        if density is None or density.shape != ():
            raise ModelError(
                f"measure: the density function gives {given!r} at {place}: it must give one number [kg/m³] "
                "for a position of three numbers"
            )
        return density.item()

    def reach(self, point) -> Value:
        return self.shape.reach(self.X.inverse().apply(point))

    def transform(self, X: Pose) -> "Varying":
        return Varying(self.shape, self.density, self.order, X @ self.X)

    @cached_property
    def _nodes(self) -> tuple[np.ndarray, np.ndarray]:
        return self.nodes(self.order)


def second_moment(points, masses) -> np.ndarray:
    """Σ mᵢ rᵢ rᵢᵀ of points (n, 3) and masses (n,), (3, 3)."""
    return symmetric((points * masses[:, None]).T @ points)


def symmetric(S) -> np.ndarray:
    """The matrix (3, 3) with the upper half of S in both halves: round-off leaves it symmetric."""
    (x, xy, xz), (_, y, yz), (_, _, z) = S
    return vector([[x, xy, xz], [xy, y, yz], [xz, yz, z]])
