"""The prescribed body, whose motion is a given function of time."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from vinculum.bodies.body import Body, check_name
from vinculum.bodies.frame_changes import FunctionsInFrame
from vinculum.bodies.path import Path, path_of
from vinculum.bodies.rigid import check_inertia
from vinculum.errors import ModelError
from vinculum.scalars import Value, value
from vinculum.screws.entries import check_finite, entries


@final
@dataclass(frozen=True, eq=False)
class PrescribedBody(Body):
    """A body with prescribed motion: its origin is at ``position`` [m] and its axes have the ``rotation`` in the
    world.

    ``position``: three numbers or a function of t that returns them. ``rotation``: None, a pair (axis, angle), a quaternion
    (scalar first) or a rotation matrix; or a function of t that returns one of them; axis and angle of a pair may be
    functions of t too. Write the functions with `vc.math`; they must be twice differentiable. ``mass`` [kg] may be
    zero;
    ``com`` (3,) [m] and ``inertia`` about it [kg m²], as for a `RigidBody`, are in the body's own axes. ``shape``: a
    solid at the body's origin, for a `Contact`.

    The drive that moves it is not a bond of the system: its wrench and power are results. O'Reilly and Srinivasa,
    section 7.3, (32)–(38).

    >>> table = vc.PrescribedBody("table", position=lambda t: (0.02 * vc.math.sin(10 * t), 0, 0))
    >>> wheel = vc.PrescribedBody("wheel", rotation=((0, 0, 1), lambda t: 3 * t))
    """

    name: str
    position: Any = (0.0, 0.0, 0.0)
    rotation: Any = None
    mass: Value = 0.0
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)
    shape: Any = None
    path: Path = field(init=False, repr=False)

    def __post_init__(self):
        check_name("body", self.name)
        where = f"body '{self.name}'"
        inertia = entries(f"{where}: inertia", self.inertia, (3, 3), (3,))
        object.__setattr__(self, "mass", entries(f"{where}: mass", self.mass, ()).item())
        object.__setattr__(self, "com", entries(f"{where}: com", self.com, (3,)))
        object.__setattr__(self, "inertia", np.diag(inertia) if inertia.shape == (3,) else inertia)
        object.__setattr__(self, "path", path_of(where, self.position, self.rotation))
        self._check()

    @property
    def measure(self) -> None:
        return None

    @property
    def center(self) -> np.ndarray:
        return self.com

    @property
    def inertia_at_center(self) -> np.ndarray:
        return self.inertia

    @property
    def turns(self) -> bool:
        return True

    def _in_frame(self, functions: FunctionsInFrame) -> Body:
        frame, path = functions.frame, self.path
        R, u = frame.rotation, frame.velocity

        def position(t):
            return R @ path.at(t - frame.later).p + (t - frame.later) * u + frame.place

        return replace(self, position=position, rotation=lambda t: R @ path.at(t - frame.later).R)

    def _check(self, values: Mapping[str, float] | None = None) -> None:
        where = f"body '{self.name}'"
        check_finite(f"{where}: com", self.com, values)
        mass = float(check_finite(f"{where}: mass", self.mass, values))
        if mass < 0.0:
            raise ModelError(f"{where}: mass {mass:g} kg is negative; a prescribed body has mass 0 or more")
        if mass > 0.0:
            check_inertia(where, self.inertia, self.inertia, values)
        elif np.any(value(self.inertia, values)):
            raise ModelError(f"{where}: mass is 0 but the inertia is not; give mass= as well, or leave the inertia out")
        self.path.check(where, values)
