"""Mass measures: atoms plus densities, and their integrals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, shorten
from vinculum.measures.integration import check_accuracy, integrate_parts
from vinculum.measures.meshes.polyhedron import Polyhedron
from vinculum.measures.parts import Atoms, Density, Drawn, Part, Uniform, Varying
from vinculum.measures.regions import Region
from vinculum.measures.restriction import restrict_part
from vinculum.measures.solids.base import Solid
from vinculum.measures.spread import Spread
from vinculum.measures.thin import Thin, image_of_function, polyline, triangle_surface
from vinculum.scalars import Value, math, value, vector
from vinculum.screws import Pose, Slider, frame_pose, skew
from vinculum.screws.entries import entries, is_number, numeric
from vinculum.tolerances.functions import MESH_ACCURACY, RESTRICTED_ACCURACY
from vinculum.tolerances.round_off import FEW_ROUND_OFFS
from vinculum.tolerances.sizes import HIGHEST_DEGREE


@final
@dataclass(frozen=True, eq=False)
class Measure:
    r"""A mass measure :math:`\rho\,\mu`: a sum of densities on solids, surfaces and lines, and of atoms, in one frame.

    Made by `Measure.atoms`, `solid`, `mesh`, `surface` and `line`, and by ``+``. Differences, multiples and ``signed=True`` give signed
    measures, such as holes and charges. Cheremensky, On Concept of Mechanical System, section 1.1.2 and eq. (10).

    >>> ball = vc.Measure.solid(vc.shapes.Sphere(0.1), density=1000)
    """

    parts: tuple[Part, ...]

    @classmethod
    def atoms(cls, points, masses, *, signed: bool = False) -> "Measure":
        """The measure of points with mass. ``points``: (n, 3) [m]; ``masses``: (n,) [kg], all positive unless ``signed``."""
        points, masses = entries("measure: points", points), entries("measure: masses", masses)
        if masses.ndim != 1 or len(masses) == 0 or points.shape != (len(masses), 3):
            raise ModelError(
                f"measure: points of shape {points.shape} and masses of shape {masses.shape} differ: give "
                "n points of three numbers and n masses, n ≥ 1"
            )
        if not signed and not np.all(np.asarray(value(masses)) > 0.0):
            bad = int(np.argmin(value(masses)))
            raise ModelError(
                f"measure: atom {bad} has mass {value(masses)[bad]:g} kg: every mass must be positive; "
                "leave the point out, or give signed=True for charges and the like"
            )
        return cls((Atoms(points, masses),))

    @classmethod
    def solid(
        cls, shape: Solid, *, density=None, mass=None, at=(0.0, 0.0, 0.0), order: int = 8, accuracy=None, signed=False
    ) -> "Measure":
        """The measure of a solid of a density [kg/m³] or a mass [kg], placed at ``at`` (a position or a `Pose`).

        ``density``: a positive number, for which all moments are in closed form, or a function of the position in the
        solid's own frame. That is integrated by a quadrature exact to the degree ``order`` of density times integrand, or, with
        ``accuracy``, by an adaptive one whose estimate of the relative error of all moments is below it. ``signed``: numbers may
        be negative.
        """
        if not isinstance(shape, Solid):
            raise ModelError(
                f"measure: {shape!r} is not a solid: give a Sphere, Box, Cylinder, Capsule, Cone, Ellipsoid, Polytope, Polyhedron or "
                "Tetrahedra"
            )
        X = frame_pose(at, "measure")
        _check_one_of(density, mass, "solid")
        if callable(density):
            given = Density(density, "kg/m³", shape, bool(signed))
            if accuracy is None:
                check_degree("quadrature order", order, 2)
                part: Part = Varying(shape, given, order, X)
            else:
                check_accuracy("measure", accuracy)
                center = np.asarray(value(shape.center), dtype=float)
                ball = (center, float(value(shape.reach(center))))
                part = Spread(shape.charts.weigh(_numbers(given)), ball, accuracy, X, look=Drawn(X, shape))
        elif mass is None:
            part = Uniform(shape, _positive("density", density, "kg/m³", signed) * _volume(shape), X)
        else:
            part = Uniform(shape, _positive("mass", mass, "kg", signed), X)
        _check_mass(part, type(shape).__name__.lower(), signed)
        return cls((part,))

    @classmethod
    def mesh(
        cls, source, triangles=None, *, density=None, mass=None, at=(0.0, 0.0, 0.0), scale: float = 1.0, accuracy=None
    ) -> "Measure":
        """The measure of the solid inside a closed mesh.

        ``source``: the path of an STL, OBJ or PLY file, or corners (n, 3) [m], and then ``triangles`` (t, 3) that name them.
        ``scale``: meters per unit of the file, 0.001 for millimeters. Moments of one density are exact sums over the triangles; a
        function is integrated to the ``accuracy``. Triangles that face the wrong way are turned; open edges are refused by name.
        """
        if isinstance(source, Polyhedron):
            shape = source
        elif triangles is None:
            shape = Polyhedron.read(source, scale)
        else:
            if not is_number(scale) or not scale > 0.0:
                raise ModelError(f"mesh: scale {shorten(scale)} must be a number > 0")
            shape = Polyhedron(float(scale) * numeric("mesh: corners", source), triangles)
        accuracy = MESH_ACCURACY if accuracy is None and callable(density) else accuracy
        return cls.solid(shape, density=density, mass=mass, at=at, accuracy=accuracy)

    @classmethod
    def surface(
        cls, source, triangles=None, *, over=None, density=None, mass=None, at=(0.0, 0.0, 0.0), accuracy=None
    ) -> "Measure":
        """The measure of a surface of a density [kg/m²] or a mass [kg], a number or a function of the position in its own frame.

        ``source``: corners (n, 3) [m] with ``triangles`` (t, 3), open or closed; or a function of two numbers that returns a position,
        written with `vc.math`, with their intervals ``over=((low, high), (low, high))``. ``accuracy``: of the moments, 1e-8 if none
        is given.
        """
        thin = triangle_surface(source, triangles) if over is None else image_of_function("surface", source, over)
        return cls((_thin_part(thin, "kg/m²", density, mass, frame_pose(at, "surface"), accuracy),))

    @classmethod
    def line(cls, source, *, over=None, density=None, mass=None, at=(0.0, 0.0, 0.0), accuracy=None) -> "Measure":
        """The measure of a line of a density [kg/m] or a mass [kg], a number or a function of the position in its own frame.

        ``source``: corners (n, 3) [m] that segments connect in turn; or a function of one number that returns a position, written
        with `vc.math`, with its interval ``over=(low, high)``. ``accuracy``: of the moments, 1e-8 if none is given.
        """
        thin = polyline(source) if over is None else image_of_function("line", source, over)
        return cls((_thin_part(thin, "kg/m", density, mass, frame_pose(at, "line"), accuracy),))

    def __add__(self, other) -> "Measure":
        return Measure(self.parts + other.parts) if isinstance(other, Measure) else NotImplemented

    def __sub__(self, other) -> "Measure":
        return self + -1.0 * other if isinstance(other, Measure) else NotImplemented

    def __mul__(self, factor) -> "Measure":
        number = entries("measure: factor", factor, ()).item()
        return Measure(tuple(part.scale(number) for part in self.parts))

    __rmul__ = __mul__

    def restrict(self, region, at=(0.0, 0.0, 0.0), accuracy: float = RESTRICTED_ACCURACY) -> "Measure":
        """The measure χ ρ μ of what is in a region.

        ``region``: a solid of `vc.shapes`, placed at ``at``, or a function b of positions (n, 3) that returns (n,), negative inside.
        Atoms on its boundary belong to it. ``accuracy``: of the moments, as estimated; the error is mostly far smaller.
        Of a region that is given by a function, pieces smaller than a sixteenth of a part may be overlooked.
        """
        check_accuracy("measure", accuracy)
        chosen = Region.of(region, frame_pose(at, "measure"))
        parts = tuple(one for part in self.parts if (one := restrict_part(part, chosen, accuracy)) is not None)
        if not parts:
            raise ModelError(
                "measure: nothing of it is in the region; check where the region is, and the sign of its function"
            )
        return Measure(parts)

    def transform(self, X: Pose) -> "Measure":
        """The measure transformed by the pose ``X_AB``: this one is in B, the result in A."""
        return Measure(tuple(part.transform(X) for part in self.parts))

    @property
    def mass(self) -> Value:
        """Mass ∫ ρ dμ [kg]. Cheremensky, On Concept of Mechanical System, eq. (10)."""
        return sum(part.mass for part in self.parts)

    @property
    def center(self) -> np.ndarray:
        """Mass center, (3,) [m]."""
        total = [float(value(part.mass)) for part in self.parts]
        masses = [np.asarray(value(part.masses)) for part in self.parts if isinstance(part, Atoms)]
        size = sum(map(abs, total)) + sum(float(np.abs(one).sum()) for one in masses)
        if abs(sum(total)) <= FEW_ROUND_OFFS * size:
            raise ModelError(
                "measure: its total is zero, so it has no mass center; vc.measures.moments(measure) has its first moment, the dipole"
            )
        return self.parts[0].center if len(self.parts) == 1 else self._first_moment / self.mass

    @property
    def inertia(self) -> np.ndarray:
        r"""Inertia about the origin, :math:`J = \int\rho\,(|r|^2 I - r r^T)\,d\mu`, (3, 3) [kg m²]."""
        return _inertia(self._second_moment_about(np.zeros(3)))

    @property
    def inertia_at_center(self) -> np.ndarray:
        """Inertia about the mass center, (3, 3) [kg m²]."""
        if len(self.parts) == 1:
            return _inertia(self.parts[0].central_moment)
        return _inertia(self._second_moment_about(self.center))

    @property
    def Theta(self) -> np.ndarray:
        r"""Inertia (6, 6) that maps the twist at the origin to the momentum wrench at the origin.

        .. math:: \Theta = \begin{bmatrix} m I & -m r_c^\times \\ m r_c^\times & J \end{bmatrix}

        Cheremensky, On Concept of Mechanical System, lemma 1, integrated.
        """
        S = skew(self._first_moment)
        return np.block([[self.mass * np.eye(3), -S], [S, self.inertia]])

    def momentum(self, V) -> np.ndarray:
        r"""Momentum wrench (p, q) at the origin of the body that moves with the twist V.

        .. math:: \mathcal P = \int l^{\rho v_x}\,d\mu, \qquad v_x = v + \omega \times r

        ``V``: (6,) [m/s, rad/s]; result (6,) [kg m/s, kg m²/s], one integral of sliders, equal to ``Theta @ V``.
        Cheremensky, On Concept of Mechanical System, section 1.2.
        """
        V = vector(V)
        return self.integrate(lambda x: V[:3] + math.cross(V[3:], x), order=2).wrench(np.zeros(3))

    def integrate(
        self, p_of_x: Callable, q_of_x: Callable | None = None, at=(0.0, 0.0, 0.0), order: int = 8, accuracy=None
    ) -> Slider:
        r"""Screw measure with the densities p and q per unit mass, reduced at the point ``at``.

        .. math:: \pi_y = \Big\{\int p_x\,\rho\,d\mu,\ \int (q_x + r_{yx} \times p_x)\,\rho\,d\mu\Big\}

        ``p_of_x``, ``q_of_x``: functions of a position (3,) that give (3,); solids are integrated by a quadrature exact
        to the degree ``order``, or with ``accuracy`` by an adaptive one, atoms are summed. Cheremensky, On Concept of Mechanical
        System, eq. (2).
        """
        check_degree("quadrature order", order, 0)
        y = entries("measure: at", at, (3,))

        def slider(x) -> np.ndarray:
            p = vector(p_of_x(x))
            q = math.cross(x - y, p)
            return np.concatenate([p, q if q_of_x is None else q + vector(q_of_x(x))])

        found = integrate_parts(self.parts, slider, order, accuracy).value
        return Slider(y, found[:3], found[3:])

    @property
    def _first_moment(self) -> np.ndarray:
        total: Any = sum(part.first_moment for part in self.parts)
        return total

    def _second_moment_about(self, y) -> np.ndarray:
        total: Any = sum(part.second_about(y) for part in self.parts)
        return total


def _thin_part(thin: Thin, unit: str, density, mass, X: Pose, accuracy) -> Part:
    """The mass on a surface or line."""
    what = {"kg/m²": "surface", "kg/m": "line"}[unit]
    _check_one_of(density, mass, what)
    accuracy = MESH_ACCURACY if accuracy is None else accuracy
    check_accuracy(what, accuracy)
    look = Drawn(X, facets=thin.facets) if thin.facets is not None else None
    if callable(density):
        return _check_mass(
            Spread(thin.charts.weigh(_numbers(Density(density, unit, None, False))), thin.ball, accuracy, X, look=look),
            what,
        )
    if mass is None:
        number = float(value(_positive("density", density, unit)))
    else:
        extent = Spread(thin.charts, thin.ball, accuracy, X).mass
        number = float(value(_positive("mass", mass, "kg"))) / float(value(extent))
    return _check_mass(
        Spread(thin.charts.weigh(lambda x: np.full(len(x), number)), thin.ball, accuracy, X, look=look), what
    )


def _numbers(density: Density) -> Callable[[np.ndarray], np.ndarray]:
    return lambda points: np.asarray(value(density.at(points)), dtype=float)


def _check_one_of(density, mass, what: str) -> None:
    if (density is None) == (mass is None):
        raise ModelError(f"measure: density {density!r} and mass {mass!r} for one {what}: give exactly one of them")


def _check_mass(part: Part, what: str, signed=False) -> Part:
    """The part, if it has a finite mass."""
    if not np.isfinite(value(part.mass)):
        raise ModelError(f"measure: a {what} of this size has no finite mass; check its units")
    if not signed and not value(part.mass) > 0.0:
        raise ModelError("measure: the density is zero at every point: a body needs mass > 0")
    return part


def check_degree(what: str, degree, least: int) -> None:
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


def _positive(what: str, x, unit: str, signed=False) -> Value:
    number = entries(f"measure: {what}", x, ()).item()
    if not signed and not value(number) > 0.0:
        raise ModelError(
            f"measure: {what} {value(number):g} {unit} is not positive: a body needs {what} > 0; give signed=True to Measure.solid for "
            "charges and the like"
        )
    return number
