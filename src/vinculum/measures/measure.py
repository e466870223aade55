"""Mass measures: atoms plus densities, and their integrals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.parts import Atoms, Part, Uniform, Varying
from vinculum.measures.solid import Solid
from vinculum.scalars import Value, math, value, vector
from vinculum.screws import Pose, Slider, frame_pose, skew
from vinculum.screws.entries import entries
from vinculum.tolerances.sizes import HIGHEST_DEGREE


@final
@dataclass(frozen=True, eq=False)
class Measure:
    r"""A mass measure :math:`\rho\,\mu`: a sum of densities on solids and of atoms, in one frame.

    Made by `Measure.atoms`, `Measure.solid` and ``+``. Cheremensky, On Concept of Mechanical System, section 1.1.2 and
    eq. (10).

    >>> ball = vc.Measure.solid(vc.shapes.Sphere(0.1), density=1000)
    """

    parts: tuple[Part, ...]

    @classmethod
    def atoms(cls, points, masses) -> "Measure":
        """The measure of points with mass. ``points``: (n, 3) [m]; ``masses``: (n,) [kg], all positive."""
        points, masses = entries("measure: points", points), entries("measure: masses", masses)
        if masses.ndim != 1 or len(masses) == 0 or points.shape != (len(masses), 3):
            raise ModelError(
                f"measure: points of shape {points.shape} and masses of shape {masses.shape} differ: give "
                "n points of three numbers and n masses, n ≥ 1"
            )
        if not np.all(np.asarray(value(masses)) > 0.0):
            bad = int(np.argmin(value(masses)))
            raise ModelError(
                f"measure: atom {bad} has mass {value(masses)[bad]:g} kg: every mass must be positive; "
                "leave the point out, or lower the density instead of adding a negative atom"
            )
        return cls((Atoms(points, masses),))

    @classmethod
    def solid(cls, shape: Solid, *, density=None, mass=None, at=(0.0, 0.0, 0.0), order: int = 8) -> "Measure":
        """The measure of a solid of a density [kg/m³] or a mass [kg], placed at ``at`` (a position or a `Pose`).

        ``density``: a positive number, for which all moments are in closed form, or a function of the position in the
        solid's own frame, integrated by a quadrature exact to the degree ``order`` of density times integrand.
        """
        if not isinstance(shape, Solid):
            raise ModelError(
                f"measure: {shape!r} is not a solid: give a Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid or Polytope"
            )
        if (density is None) == (mass is None):
            raise ModelError(f"measure: density {density!r} and mass {mass!r} for one solid: give exactly one of them")
        X = frame_pose(at, "measure")
        if callable(density):
            _check_degree("quadrature order", order, 2)
            part: Part = Varying(shape, density, order, X)
        elif mass is None:
            part = Uniform(shape, _positive("density", density, "kg/m³") * _volume(shape), X)
        else:
            part = Uniform(shape, _positive("mass", mass, "kg"), X)
        if not np.isfinite(value(part.mass)):
            raise ModelError(
                f"measure: a {type(shape).__name__.lower()} of this size has no finite mass; check its units"
            )
        if not value(part.mass) > 0.0:
            raise ModelError("measure: the density is zero at every point: a body needs mass > 0")
        return cls((part,))

    def __add__(self, other) -> "Measure":
        return Measure(self.parts + other.parts) if isinstance(other, Measure) else NotImplemented

    def transform(self, X: Pose) -> "Measure":
        """The measure transformed by the pose ``X_AB``: this one is in B, the result in A."""
        return Measure(tuple(part.transform(X) for part in self.parts))

    @property
    def mass(self) -> Value:
        """Mass ∫ ρ dμ [kg]. Cheremensky, On Concept of Mechanical System, eq. (10)."""
        return sum(part.mass for part in self.parts)

    @property
    def first_moment(self) -> np.ndarray:
        """Static moment ∫ ρ r dμ about the origin, (3,) [kg m]."""
        total: Any = sum(part.mass * part.center for part in self.parts)
        return total

    @property
    def center(self) -> np.ndarray:
        """Mass center, (3,) [m]."""
        return self.parts[0].center if len(self.parts) == 1 else self.first_moment / self.mass

    @property
    def second_moment(self) -> np.ndarray:
        """∫ ρ r rᵀ dμ about the origin, (3, 3) [kg m²]."""
        return self._second_moment_about(np.zeros(3))

    @property
    def inertia(self) -> np.ndarray:
        r"""Inertia about the origin, :math:`J = \int\rho\,(|r|^2 I - r r^T)\,d\mu`, (3, 3) [kg m²]."""
        return _inertia(self.second_moment)

    @property
    def inertia_at_center(self) -> np.ndarray:
        """Inertia about the mass center, (3, 3) [kg m²]."""
        if len(self.parts) == 1:
            return _inertia(self.parts[0].central_moment)
        return _inertia(self._second_moment_about(self.center))

    def point_masses(self, degree: int) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 3) and masses (n,) with the same moments up to the ``degree``.

        Atoms are kept. A homogeneous ball is replaced by its center, because its 1/r potential outside is that of a
        point.
        """
        _check_degree("degree", degree, 0)
        found = [part.point_masses(degree) for part in self.parts]
        return np.concatenate([points for points, _ in found]), np.concatenate([masses for _, masses in found])

    @property
    def Theta(self) -> np.ndarray:
        r"""Inertia (6, 6) that maps the twist at the origin to the momentum wrench at the origin.

        .. math:: \Theta = \begin{bmatrix} m I & -m r_c^\times \\ m r_c^\times & J \end{bmatrix}

        Cheremensky, On Concept of Mechanical System, lemma 1, integrated.
        """
        S = skew(self.first_moment)
        return np.block([[self.mass * np.eye(3), -S], [S, self.inertia]])

    def momentum(self, V) -> np.ndarray:
        r"""Momentum wrench (p, q) at the origin of the body that moves with the twist V.

        .. math:: \mathcal P = \int l^{\rho v_x}\,d\mu, \qquad v_x = v + \omega \times r

        ``V``: (6,) [m/s, rad/s]; result (6,) [kg m/s, kg m²/s], one integral of sliders, equal to ``Theta @ V``.
        Cheremensky, On Concept of Mechanical System, section 1.2.
        """
        V = vector(V)
        return self.integrate(lambda x: V[:3] + math.cross(V[3:], x), order=2).wrench(np.zeros(3))

    def integrate(self, p_of_x: Callable, q_of_x: Callable | None = None, at=(0.0, 0.0, 0.0), order: int = 8) -> Slider:
        r"""Screw measure with the densities p and q per unit mass, reduced at the point ``at``.

        .. math:: \pi_y = \Big\{\int p_x\,\rho\,d\mu,\ \int (q_x + r_{yx} \times p_x)\,\rho\,d\mu\Big\}

        ``p_of_x``, ``q_of_x``: functions of a position (3,) that give (3,); solids are integrated by a quadrature exact
        to the degree ``order``, atoms are summed. Cheremensky, On Concept of Mechanical System, eq. (2).
        """
        _check_degree("quadrature order", order, 0)
        y = entries("measure: at", at, (3,))
        p, q = np.zeros(3), np.zeros(3)
        for part in self.parts:
            for x, m in zip(*part.nodes(order), strict=True):
                p_x = m * vector(p_of_x(x))
                p, q = p + p_x, q + math.cross(x - y, p_x)
                if q_of_x is not None:
                    q = q + m * vector(q_of_x(x))
        return Slider(y, p, q)

    def _second_moment_about(self, y) -> np.ndarray:
        total = np.zeros((3, 3))
        for part in self.parts:
            r = part.center - y
            total = total + part.central_moment + part.mass * np.outer(r, r)
        return total


def _check_degree(what: str, degree, least: int) -> None:
    """Refuse degrees of polynomials that no quadrature has, or one with too many points."""
    if isinstance(degree, bool) or not isinstance(degree, (int, np.integer)) or not least <= degree <= HIGHEST_DEGREE:
        raise ModelError(
            f"measure: {what} {shorten(degree)} is too low or too high: give a whole number from {least} to {HIGHEST_DEGREE}"
        )


def _inertia(S) -> np.ndarray:
    """tr(S) I − S, without the cancellation on the diagonal."""
    (x, xy, xz), (_, y, yz), (_, _, z) = S
    return vector([[y + z, -xy, -xz], [-xy, z + x, -yz], [-xz, -yz, x + y]])


def _volume(shape: Solid) -> Value:
    try:
        with np.errstate(over="ignore"):
            return shape.volume
    except OverflowError:
        return np.inf


def _positive(what: str, x, unit: str) -> Value:
    number = entries(f"measure: {what}", x, ()).item()
    if not value(number) > 0.0:
        raise ModelError(f"measure: {what} {value(number):g} {unit} is not positive: a solid needs {what} > 0")
    return number
