"""The interface of bodies: a name and a mass measure, with mass, mass center and inertia."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.mechanics import WITH_ROTATION, WITHOUT_ROTATION, BodyMechanics, second_moment_of
from vinculum.errors import ModelError
from vinculum.measures.measure import Measure
from vinculum.scalars import Value
from vinculum.screws.entries import check_finite

GROUND = "ground"


class Body(ABC):
    """A named body; all quantities in the axes of its own frame."""

    name: str
    mass: Value

    @property
    @abstractmethod
    def measure(self) -> Measure | None:
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
    def mechanics(self) -> BodyMechanics:
        """What its mechanics is made of besides mass, mass center and inertia."""
        return WITH_ROTATION if self.turns else WITHOUT_ROTATION

    @abstractmethod
    def _check(self, values: Mapping[str, float] | None = None) -> None:
        """Refuse physically impossible numbers; ``values`` replace the defaults of parameters."""

    def _in_frame(self, functions: FunctionsInFrame) -> "Body":
        """The same body described in another inertial frame; most bodies say nothing about the world."""
        return self


def body_in_frame(body: Body, functions: FunctionsInFrame) -> Body:
    """The same body described in another inertial frame."""
    return body._in_frame(functions)


def check_body(body: Body, values: Mapping[str, float] | None = None) -> None:
    """Refuse physically impossible numbers; ``values`` replace the defaults of parameters."""
    body._check(values)


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


def second_moment(body: Body) -> np.ndarray:
    """∫ρ r rᵀ (3, 3) [kg m²] of a body about its mass center, in its own axes."""
    known = body.mechanics.second_moment
    return second_moment_of(body.inertia_at_center) if known is None else known


def principal_values(J: np.ndarray) -> tuple[np.ndarray, float]:
    """Eigenvalues of the symmetric part of a finite matrix in rising order, in units of its largest entry; and this unit. Also of entries
    whose sums overflow."""
    size = float(max(np.abs(J).max(), np.finfo(float).tiny))
    half = 0.5 * (J / size)
    return np.linalg.eigvalsh(half + half.T), size


def check_mass(name: str, mass, values: Mapping[str, float] | None = None) -> float:
    """The mass of body ``name`` as a positive number."""
    number = float(check_finite(f"body '{name}': mass", mass, values))
    if not number > 0.0:
        raise ModelError(
            f"body '{name}': mass {number:g} kg is not positive; every body needs mass > 0 "
            "(weld a light part to its neighbor with vc.Weld instead)"
        )
    return number
