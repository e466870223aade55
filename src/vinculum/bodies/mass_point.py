"""The mass point."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from vinculum.bodies.body import Body, check_mass, check_name
from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.kinematics import POINT
from vinculum.bodies.mass_source import read_sources
from vinculum.bodies.mechanics import WITHOUT_ROTATION, BodyMechanics
from vinculum.bodies.varying import VaryingMass, point_center, point_inertia
from vinculum.errors import ModelError, shorten
from vinculum.measures.measure import Measure
from vinculum.measures.solids.elementary import Sphere
from vinculum.scalars import Value
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class MassPoint(Body):
    """A point with mass, at the origin of its frame. Cheremensky, On Concept of Mechanical System, section 2.1.

    ``mass``: [kg], > 0. Without a joint it is free and has three velocities. ``sources``: a `MassSource` or a list of them; its mass is
    then a part of the state, and ``mass`` is where it starts. ``shape``: a sphere about the point, for a `Contact`; it does not rotate.

    >>> vc.MassPoint("bob", mass=0.5).mass
    0.5
    """

    name: str
    mass: Value
    sources: Any = ()
    shape: Any = None

    def __post_init__(self):
        check_name("body", self.name)
        object.__setattr__(self, "mass", entries(f"body '{self.name}': mass", self.mass, ()).item())
        object.__setattr__(self, "sources", read_sources(f"body '{self.name}'", self.sources))
        if self.shape is not None and not isinstance(self.shape, Sphere):
            raise ModelError(
                f"body '{self.name}': shape is {shorten(self.shape)}, and a mass point, which does not rotate, can only be a sphere; give "
                "vc.shapes.Sphere(r), or use a vc.RigidBody"
            )
        self._check()

    @property
    def measure(self) -> Measure:
        return Measure.atoms([(0.0, 0.0, 0.0)], [self.mass])

    @property
    def center(self) -> np.ndarray:
        return np.zeros(3)

    @property
    def inertia_at_center(self) -> np.ndarray:
        return np.zeros((3, 3))

    @property
    def turns(self) -> bool:
        return False

    @cached_property
    def mechanics(self) -> BodyMechanics:  # type: ignore[override]
        if not self.sources:
            return WITHOUT_ROTATION
        return BodyMechanics(POINT, varying=VaryingMass(self.sources, point_center, point_inertia))

    def _in_frame(self, functions: FunctionsInFrame) -> Body:
        sources = tuple(source.in_frame(functions, self.turns) for source in self.sources)
        return replace(self, sources=sources) if sources else self

    def _check(self, values: Mapping[str, float] | None = None) -> None:
        check_mass(self.name, self.mass, values)
        if self.shape is not None:
            self.shape.check(values)
        for source in self.sources:
            source.check(f"body '{self.name}'", values)
