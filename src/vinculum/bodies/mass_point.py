"""The mass point."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.bodies.body import Body, check_mass, check_name
from vinculum.measures.measure import Measure
from vinculum.scalars import Value
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class MassPoint(Body):
    """A point with mass, at the origin of its frame. Cheremensky, On Concept of Mechanical System, section 2.1.

    ``mass``: [kg], > 0. Without a joint it is free and has three velocities.
    """

    name: str
    mass: Value

    def __post_init__(self):
        check_name("body", self.name)
        object.__setattr__(self, "mass", entries(f"body '{self.name}': mass", self.mass, ()).item())
        self.check()

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

    def check(self, values: Mapping[str, float] | None = None) -> None:
        check_mass(self.name, self.mass, values)
