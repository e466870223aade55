"""The rigid body."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bodies.body import Body, check_mass, check_name, principal_values
from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.kinematics import RIGID
from vinculum.bodies.mass_source import read_sources
from vinculum.bodies.mechanics import WITH_ROTATION, BodyMechanics
from vinculum.bodies.varying import FunctionOfMass, VaryingMass
from vinculum.errors import ModelError
from vinculum.measures.measure import Measure
from vinculum.scalars import Value
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import TYPED


@final
@dataclass(frozen=True, eq=False)
class RigidBody(Body):
    """A rigid body: mass [kg], mass center ``com`` (3,) [m] and inertia (3, 3) [kg m²] in its own frame.

    ``inertia`` is about the mass center, or about the frame's origin with ``about="origin"``; three numbers are the
    diagonal. `RigidBody.solid` and `RigidBody.of` make a body from a solid or from a mass measure, which is kept in
    ``measure``. Cheremensky, On Concept of Mechanical System, section 2.2.

    ``sources``: a `MassSource` or a list of them; its mass is then a part of the state, and ``mass`` is where it starts. ``com`` and
    ``inertia`` may then be functions of the mass, as ``com=lambda m: (0, 0, 0.1 * m)``; given as numbers they are those at the start:
    the mass center stays, and the inertia about it is proportional to the mass.

    >>> rod = vc.RigidBody("rod", mass=1.0, com=(0, 0, -0.5), inertia=(0.084, 0.084, 0.001))
    >>> ball = vc.RigidBody.solid("ball", vc.shapes.Sphere(0.1), density=1000)
    >>> round(float(ball.mass), 6)
    4.18879
    """

    name: str
    mass: Value
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = None
    about: str = "center"
    shape: Any = None
    measure: Measure | None = None  # type: ignore[override] - a field of a frozen class is read-only, as the property is
    sources: Any = ()

    def __post_init__(self):
        check_name("body", self.name)
        where = f"body '{self.name}'"
        if self.inertia is None:
            raise ModelError(
                f"{where}: inertia is missing; give a 3×3 matrix, its diagonal, or use RigidBody.solid; "
                "a body without inertia is a vc.MassPoint"
            )
        if self.about not in ("center", "origin"):
            raise ModelError(f"{where}: about={self.about!r} is not known; use 'center' or 'origin'")
        object.__setattr__(self, "mass", entries(f"{where}: mass", self.mass, ()).item())
        object.__setattr__(self, "sources", read_sources(where, self.sources))
        for name, shapes in (("com", ((3,),)), ("inertia", ((3, 3), (3,)))):
            given = getattr(self, name)
            if callable(given):
                self._check_function(where, name)
                object.__setattr__(self, name, FunctionOfMass(f"{where}: {name}", given, shapes[0]))
                continue
            numbers = entries(f"{where}: {name}", given, *shapes)
            object.__setattr__(self, name, np.diag(numbers) if name == "inertia" and numbers.shape == (3,) else numbers)
        self._check()

    @classmethod
    def solid(cls, name: str, shape, *, density=None, mass=None, at=(0, 0, 0), sources=()) -> "RigidBody":
        """A homogeneous solid with the given density [kg/m³] or mass [kg], at the pose ``at`` in the body's frame."""
        return cls.of(name, Measure.solid(shape, density=density, mass=mass, at=at), shape=shape, sources=sources)

    @classmethod
    def of(cls, name: str, measure: Measure, shape=None, sources=()) -> "RigidBody":
        """A body with the given mass measure; with ``sources`` it is the measure at the start."""
        if not isinstance(measure, Measure):
            raise ModelError(
                f"body {name!r}: {measure!r} is not a mass measure; make one with vc.Measure.solid, .mesh, .atoms or the like"
            )
        return cls(
            name, measure.mass, measure.center, measure.inertia_at_center, shape=shape, measure=measure, sources=sources
        )

    @property
    def center(self) -> np.ndarray:
        return self._center(self.mass)

    @property
    def inertia_at_center(self) -> np.ndarray:
        return self._inertia_at_center(self.mass)

    @property
    def turns(self) -> bool:
        return True

    @cached_property
    def mechanics(self) -> BodyMechanics:  # type: ignore[override]
        if not self.sources:
            return WITH_ROTATION
        return BodyMechanics(RIGID, varying=VaryingMass(self.sources, self._center, self._inertia_at_center))

    def _in_frame(self, functions: FunctionsInFrame) -> Body:
        sources = tuple(source.in_frame(functions, self.turns) for source in self.sources)
        return replace(self, sources=sources) if sources else self

    def _check(self, values: Mapping[str, float] | None = None) -> None:
        where = f"body '{self.name}'"
        if self.shape is not None:
            self.shape.check(values)
        check_mass(self.name, self.mass, values)
        for source in self.sources:
            source.check(where, values)
        check_finite(f"{where}: com", self.center, values)
        check_inertia(where, self._inertia(self.mass), self.inertia_at_center, values, self.about)

    def _center(self, mass) -> np.ndarray:
        return np.asarray(self.com(mass) if callable(self.com) else self.com)

    def _inertia(self, mass) -> np.ndarray:
        """The inertia as it was given, at a mass."""
        return np.asarray(self.inertia(mass) if callable(self.inertia) else self.inertia)

    def _inertia_at_center(self, mass) -> np.ndarray:
        there = mass if callable(self.inertia) else self.mass
        J = self._inertia(there)
        if self.about == "origin":
            c = self._center(there)
            J = J - there * ((c @ c) * np.eye(3) - np.outer(c, c))
        return J if there is mass else J * (mass / self.mass)

    def _check_function(self, where: str, name: str) -> None:
        if not self.sources:
            raise ModelError(
                f"{where}: {name} is a function of the mass, but the mass does not vary; give sources=vc.MassSource(…), or numbers"
            )


def check_inertia(
    where: str, inertia, at_center, values: Mapping[str, float] | None = None, about: str = "center"
) -> None:
    """Refuse a physically impossible inertia (3, 3); ``at_center``: the same about the mass center."""
    given = check_finite(f"{where}: inertia", inertia, values)
    with np.errstate(over="ignore"):
        size, skewed = max(np.abs(given).max(), np.finfo(float).tiny), np.abs(given - given.T)
    if skewed.max() > TYPED * size:
        i, j = np.unravel_index(skewed.argmax(), (3, 3))
        raise ModelError(
            f"{where}: inertia is not symmetric: entry ({i}, {j}) is {given[i, j]:g} but ({j}, {i}) is "
            f"{given[j, i]:g}; check the products of inertia"
        )
    central = check_finite(f"{where}: inertia", at_center, values)
    (a, b, c), unit = principal_values(central)
    A, B, C = (f"{float(x) * unit:g}" for x in (a, b, c))
    moments, typed = f"principal moments ({A}, {B}, {C})", TYPED * (size / unit)
    hint = "" if about == "center" else " about the mass center (the inertia was given about the origin)"
    if a < -typed:
        raise ModelError(f"{where}: {moments}{hint} are not all positive; check signs and the point `about`")
    if c > a + b + typed:
        raise ModelError(
            f"{where}: {moments}{hint} break the triangle inequality {C} <= {A} + {B}; check the products of inertia"
        )
