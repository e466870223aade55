"""The interface of bodies: a name and a mass measure, with mass, mass center and inertia."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import numpy as np

from vinculum.bodies.kinematics import POINT, RIGID, BodyKinematics
from vinculum.errors import ModelError
from vinculum.measures.measure import Measure
from vinculum.scalars import Value
from vinculum.screws.entries import check_finite

GROUND = "ground"


class Body(ABC):
    """A named body; all quantities in the axes of its own frame."""

    name: str
    mass: Value
    measure: Measure | None
    """The mass distribution; None if only mass, center and inertia are known."""

    @property
    @abstractmethod
    def center(self) -> np.ndarray:
        """Mass center, (3,) [m]."""

    @property
    @abstractmethod
    def inertia_at_center(self) -> np.ndarray:
        """Inertia about the mass center, (3, 3) [kg m²]."""

    @property
    @abstractmethod
    def turns(self) -> bool:
        """Whether the body has a rotation (a mass point has none)."""

    @property
    def second_moment_at_center(self) -> np.ndarray:
        """∫ρ r rᵀ about the mass center (3, 3) [kg m²]: ½ tr(J) I − J of the inertia J."""
        J = self.inertia_at_center
        return 0.5 * (J[0, 0] + J[1, 1] + J[2, 2]) * np.eye(3) - J

    @property
    def kinematics(self) -> BodyKinematics:
        """How it carries its points."""
        return RIGID if self.turns else POINT

    @property
    def inner_inertia(self) -> np.ndarray | None:
        """M (n, n) of the kinetic energy ½ w·M w of velocities w besides those of its frame, such as rates of a deformation."""
        return None

    @property
    def added_inertia(self) -> np.ndarray | None:
        """Θ (6, 6) of a kinetic energy ½ V·Θ V of its twist V = (v, ω) at its origin in its axes, besides that of its mass and inertia; it has
        no weight."""
        return None

    def spin(self, K, w) -> np.ndarray:
        """Angular momentum (3,) [N m s] of its inner velocities w about its mass center, in world axes."""
        return np.zeros(3)

    def material_momenta(self, K, w) -> dict[str, tuple]:
        """Value and size of the momenta of turns of the material, by the material axis; none for a body that does not deform."""
        return {}

    @property
    def own_energy(self) -> Callable | None:
        """Energy [J] of its deformation, a function of the matrix K that carries its points."""
        return None

    @property
    def own_dissipation(self) -> Callable | None:
        """Rayleigh's dissipation function [W] of its deformation, a function of K and K̇."""
        return None

    @abstractmethod
    def check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse physically impossible numbers; ``values`` replace the defaults of parameters."""


def check_name(kind: str, name) -> None:
    """Refuse names that cannot be addressed."""
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"{kind}: the name {name!r} is not a word: give a non-empty string")
    if name == GROUND and kind not in ("system", "event"):
        raise ModelError(f"{kind} '{GROUND}': this name is the fixed frame's: choose another")
    if any(c in name for c in "/\\\n\t\0"):
        raise ModelError(f"{kind} {name!r}: names must not contain slashes, tabs or line ends")
    if any("\ud800" <= c <= "\udfff" for c in name):
        raise ModelError(
            f"{kind} {name!r}: a part of the name is not a character, so it cannot be stored; choose another name"
        )


def check_mass(name: str, mass, values: Mapping[str, float] | None = None) -> float:
    """The mass of body ``name`` as a positive number."""
    number = float(check_finite(f"body '{name}': mass", mass, values))
    if not number > 0.0:
        raise ModelError(
            f"body '{name}': mass {number:g} kg is not positive; every body needs mass > 0 "
            "(weld a light part to its neighbor with vc.Weld instead)"
        )
    return number
