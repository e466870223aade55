"""What the mechanics of a body is made of besides its mass, mass center and inertia. No other code asks for the kind of a body."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies.kinematics import POINT, RIGID, BodyKinematics
from vinculum.bodies.varying import VaryingMass
from vinculum.scalars import value


class InnerKinetics(ABC):
    """The kinetics of velocities w that move no frame, such as the rates of a deformation; K is the matrix that carries the points."""

    inertia: np.ndarray
    """M (n, n) of their kinetic energy ½ w·M w."""

    @abstractmethod
    def spin(self, K, w) -> np.ndarray:
        """Their angular momentum (3,) [N m s] about the mass center, in world axes."""

    @abstractmethod
    def vorticities(self, K, w) -> dict[str, tuple]:
        """Value and size [N m s] of the momenta of turns of the material, by the name of the material axis."""


@final
@dataclass(frozen=True, eq=False)
class BodyMechanics:
    """``kinematics``: how the body carries its points.

    ``second_moment``: ∫ρ r rᵀ (3, 3) [kg m²] about its mass center, where the inertia does not tell it; ``inner``: the
    kinetics of its inner velocities; ``extra_inertia``: Θ (6, 6) of a kinetic energy ½ V·Θ V of its twist V = (v, ω)
    at its origin in its axes, besides that of its mass and inertia, which has no weight; ``energy`` [J] and ``dissipation`` [W]: of
    its deformation, functions of K and of K and K̇; ``varying``: its mass as a part of the state. None where it has none.
    """

    kinematics: BodyKinematics
    second_moment: np.ndarray | None = None
    inner: InnerKinetics | None = None
    extra_inertia: np.ndarray | None = None
    energy: Callable | None = None
    dissipation: Callable | None = None
    varying: VaryingMass | None = None

    @property
    def is_constant(self) -> bool:
        """Whether the body moves as a point or a frame alone, with inertias that stay as they are in its axes."""
        return not self.kinematics.deforms and self.inner is None and self.varying is None

    @property
    def goes_over_tables(self) -> bool:
        """Whether bodies of this kind run over tables: constant ones, and those that deform and do not pass det φ = 0 unnoticed."""
        return self.is_constant or self.stops_inversion or self.deforms_unnoticed

    @property
    def deforms_unnoticed(self) -> bool:
        """Whether it has an energy of its deformation that goes on beyond det φ = 0, so that this limit must be watched."""
        return self.kinematics.deforms and self.energy is not None and not self.stops_inversion

    @property
    def is_thin(self) -> bool:
        """Whether it has no inside that could be turned out: a flat or rod-like body in space."""
        return self.kinematics.material_dimension < 3 and not self.kinematics.is_planar

    @property
    def stops_inversion(self) -> bool:
        """Whether the energy of a deformation is not defined beyond det φ = 0, so that no motion passes unnoticed there."""
        if not self.kinematics.deforms:
            return False
        if self.energy is None:
            return self.is_thin
        beyond = np.diag([0.0 if self.is_thin else -1.0, 1.0, 1.0]).astype(object)
        with np.errstate(all="ignore"):
            return not np.isfinite(np.asarray(value(self.energy(beyond)), dtype=float))


WITHOUT_ROTATION, WITH_ROTATION = BodyMechanics(POINT), BodyMechanics(RIGID)
"""Of bodies with nothing besides."""


def second_moment_of(inertia) -> np.ndarray:
    """∫ρ r rᵀ (3, 3) of an inertia J: ½ tr(J) 1 − J."""
    return 0.5 * (inertia[0, 0] + inertia[1, 1] + inertia[2, 2]) * np.eye(3) - inertia
