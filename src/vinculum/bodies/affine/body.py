"""The affine body: mass center and deformation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bodies.affine.kinematics import AffineKinematics
from vinculum.bodies.affine.kinetics import AffineKinetics
from vinculum.bodies.affine.law import DeformationLaw
from vinculum.bodies.affine.law_checks import check_dissipation, check_energy
from vinculum.bodies.body import Body, check_mass, check_name, principal_values
from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.mechanics import BodyMechanics
from vinculum.errors import ModelError, shorten
from vinculum.measures.measure import Measure
from vinculum.measures.solids.corners import Corners
from vinculum.scalars import Value
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import TYPED
from vinculum.tolerances.rank import SINGULAR_SECOND_MOMENT


@final
@dataclass(frozen=True, eq=False)
class AffineBody(Body):
    r"""A body that deforms homogeneously: the material point a is at x = r + φ a.

    .. math:: T = \tfrac12 m|\dot r|^2 + \tfrac12\operatorname{tr}(\dot\varphi J\dot\varphi^T),\qquad
        m\ddot r = f,\qquad \ddot\varphi J = -\frac{\partial V}{\partial\varphi} - \frac{\partial\Psi}{\partial\dot\varphi} + \dots

    ``mass`` m [kg]; ``second_moment`` J = ∫ a aᵀ dm (3, 3) [kg m²] about the mass center, which is the origin of the body's frame; three
    numbers are the diagonal. ``energy`` V(φ) [J]: a function of the matrix φ, written with `vc.math`, or one of `vc.energies`.
    ``dissipation`` Ψ(φ, φ̇) [W]: Rayleigh's function, half the dissipated power where it is quadratic in φ̇. ``dimension``: of the material,
    3, or 2 for a flat body (φ is 3×2) and 1 for a rod-like one (3×1). ``planar``: a flat body that stays in the x-y plane (φ is 2×2).
    It is free in space; its start is (position, deformation), and its rate (velocity, rate of the deformation). ``shape``: of its
    material, for contact; it deforms with the body. Gołubowska et al., section 4, (97)–(104).

    >>> jelly = vc.AffineBody.solid("jelly", vc.shapes.Box((1, 1, 1)), mass=2.0, energy=vc.energies.NeoHookean(1.0, shear=500.0))
    """

    name: str
    mass: Value
    second_moment: Any
    energy: Callable | None = None
    dissipation: Callable | None = None
    dimension: int = 3
    planar: bool = False
    measure: Measure | None = None  # type: ignore[override] - a field of a frozen class is read-only, as the property is
    shape: Any = None

    def __post_init__(self):
        check_name("body", self.name)
        where = f"body '{self.name}'"
        dimension = 2 if self.planar and self.dimension == 3 else self.dimension
        if dimension not in (1, 2, 3):
            raise ModelError(f"{where}: dimension {shorten(self.dimension)} is not 1, 2 or 3")
        if self.planar and dimension != 2:
            raise ModelError(f"{where}: a planar body is flat; leave dimension out, or give dimension=2")
        object.__setattr__(self, "dimension", dimension)
        object.__setattr__(self, "planar", bool(self.planar))
        object.__setattr__(self, "mass", entries(f"{where}: mass", self.mass, ()).item())
        given = entries(
            f"{where}: second_moment", self.second_moment, (3, 3), (3,), (dimension, dimension), (dimension,)
        )
        object.__setattr__(self, "second_moment", np.diag(given) if given.ndim == 1 else given)
        self._check()
        if self.energy is not None:
            check_energy(where, self.energy, self._shape)
        if self.dissipation is not None:
            check_dissipation(where, self.dissipation, self._shape)

    @classmethod
    def solid(cls, name: str, shape, *, density=None, mass=None, **laws) -> "AffineBody":
        """A body whose material is a homogeneous solid with the given density [kg/m³] or mass [kg]; ``laws``: energy and dissipation."""
        return cls.of(name, Measure.solid(shape, density=density, mass=mass), shape=shape, **laws)

    @classmethod
    def of(cls, name: str, measure: Measure, shape=None, **laws) -> "AffineBody":
        """A body with the given mass measure, whose mass center must be at the origin; ``laws``: energy and dissipation."""
        if not isinstance(measure, Measure):
            raise ModelError(
                f"body {name!r}: {measure!r} is not a mass measure; make one with vc.Measure.solid or vc.Measure.atoms"
            )
        J, c = measure.inertia_at_center, check_finite(f"body '{name}': mass center", measure.center)
        second = 0.5 * (J[0, 0] + J[1, 1] + J[2, 2]) * np.eye(3) - J
        size = np.sqrt(np.abs(check_finite(f"body '{name}': inertia", J)).max() / check_finite("mass", measure.mass))
        if np.abs(c).max() > TYPED * size:
            raise ModelError(
                f"body '{name}': the mass center of its measure is at {c.tolist()}, but an affine body's frame has its origin there; shift "
                "the measure with measure.transform(vc.Pose(…))"
            )
        return cls(name, measure.mass, second, measure=measure, shape=shape, **laws)

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def inertia_at_center(self) -> np.ndarray:
        return np.zeros((3, 3))

    @property
    def turns(self) -> bool:
        return True

    @cached_property
    def mechanics(self) -> BodyMechanics:  # type: ignore[override]
        kind, whole = self._kinematics, np.zeros((3, 3), dtype=self._material.dtype)
        whole[: self.dimension, : self.dimension] = self._material
        energy, loss = self.energy, self.dissipation
        return BodyMechanics(
            kind,
            whole,
            AffineKinetics(kind, self._material),
            energy=None if energy is None else lambda K: energy(kind.restrict(K)),
            dissipation=None if loss is None else lambda K, K_dot: loss(kind.restrict(K), kind.restrict(K_dot)),
        )

    def _in_frame(self, functions: FunctionsInFrame) -> Body:
        if not functions.frame.turns:
            return self
        R, n = functions.frame.rotation, self._kinematics.rows
        energy, loss, Q = self.energy, self.dissipation, R[:n, :n].T
        if energy is not None and not isinstance(energy, DeformationLaw):
            own_energy = energy
            energy = lambda F: own_energy(Q @ F)
        if loss is not None and not isinstance(loss, DeformationLaw):
            own_loss = loss
            loss = lambda F, F_dot: own_loss(Q @ F, Q @ F_dot)
        return replace(self, energy=energy, dissipation=loss)

    def _check(self, values: Mapping[str, float] | None = None) -> None:
        where = f"body '{self.name}'"
        check_mass(self.name, self.mass, values)
        self._check_shape(where, values)
        for law in (self.energy, self.dissipation):
            if isinstance(law, DeformationLaw):
                law.check(values)
        J = check_finite(f"{where}: second_moment", self.second_moment, values)
        with np.errstate(over="ignore"):
            size, skewed = np.abs(J).max(), np.abs(J - J.T)
        if skewed.max() > TYPED * size:
            i, j = np.unravel_index(skewed.argmax(), J.shape)
            raise ModelError(
                f"{where}: second_moment is not symmetric: entry ({i}, {j}) is {J[i, j]:g} but ({j}, {i}) is {J[j, i]:g}"
            )
        n = self.dimension
        moments, unit = principal_values(J[:n, :n])
        if not moments[0] > SINGULAR_SECOND_MOMENT * max(moments[-1], np.finfo(float).tiny / unit):
            shown = ", ".join(f"{float(x) * unit:g}" for x in moments)
            raise ModelError(
                f"{where}: second_moment has the principal values ({shown}) kg m², which must all be positive for "
                f"dimension={n}; a flat body "
                "needs dimension=2 and a rod-like one dimension=1, with the material along the first axes"
            )
        if len(J) > n and np.abs(J[n:]).max() > TYPED * size:
            raise ModelError(
                f"{where}: dimension={n}, but second_moment is {J.tolist()}: mass lies off the first {n} material "
                f"{'axes' if n > 1 else 'axis'}; give dimension=3, or the moments of the flat or rod-like body"
            )

    def _check_shape(self, where: str, values: Mapping[str, float] | None) -> None:
        if self.shape is None:
            return
        if self.dimension < 3 and not isinstance(self.shape, Corners):
            raise ModelError(
                f"{where}: dimension={self.dimension}, but its shape {shorten(self.shape)} is a solid; give vc.shapes.Corners(points) of "
                "its material, or use vc.Unilateral with gaps at its points"
            )
        if isinstance(self.shape, Corners) and np.any(self.shape.points[:, self.dimension :]):
            raise ModelError(
                f"{where}: dimension={self.dimension}, but corners of its shape lie off the first {self.dimension} material "
                f"{'axes' if self.dimension > 1 else 'axis'}; give points of shape (n, {self.dimension})"
            )
        self.shape.check(values)

    @property
    def _kinematics(self) -> AffineKinematics:
        return AffineKinematics(self.dimension, self.planar)

    @property
    def _material(self) -> np.ndarray:
        return np.asarray(self.second_moment)[: self.dimension, : self.dimension]

    @property
    def _shape(self) -> tuple[int, int]:
        return self._kinematics.rows, self.dimension
