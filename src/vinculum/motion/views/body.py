"""View of one body of a motion, and of a material point."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, StartError
from vinculum.measures.kinetic import KineticMeasure
from vinculum.motion.states import tape_groups
from vinculum.motion.views.bodies import BodiesMotion
from vinculum.motion.views.deformation import DeformationMotion
from vinculum.motion.views.environment import Environment
from vinculum.scalars import value
from vinculum.screws.entries import entries, shorten
from vinculum.systems import nearest


@final
@dataclass(frozen=True, eq=False)
class BodyMotion(DeformationMotion):
    """A body on the grid of a motion, in world axes."""

    motion: Any
    name: str

    def __repr__(self):
        return f"body '{self.name}' on {self.motion!r}"

    @property
    def position(self) -> np.ndarray:
        """Position of the body's origin, (T, 3) [m]."""
        return self._samples("position")

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of the body's origin, (T, 3) [m/s]."""
        return self._samples("velocity")

    @property
    def rotation(self) -> np.ndarray:
        """R_WB, (T, 3, 3); of a body that deforms the rotation of its polar decomposition."""
        return self._samples("rotation").reshape(-1, 3, 3)

    @property
    def angular_velocity(self) -> np.ndarray:
        """Angular velocity, (T, 3) [rad/s]."""
        return self._samples("angular_velocity")

    @property
    def twist(self) -> np.ndarray:
        """V_WB_B: velocity of the body's origin and angular velocity in the body's own axes, (T, 6)."""
        R_BW = np.swapaxes(self.rotation, 1, 2)
        parts = [part[:, :, None] for part in (self.velocity, self.angular_velocity)]
        return np.concatenate([R_BW @ part for part in parts], axis=1)[:, :, 0]

    @property
    def mass(self) -> np.ndarray:
        """Mass, (T,) [kg]."""
        return self._samples("mass")[:, 0]

    @property
    def center(self) -> np.ndarray:
        """Position of the mass center, (T, 3) [m]."""
        return self._alone().center

    @property
    def momentum(self) -> np.ndarray:
        """Momentum screw at the world's origin, (T, 6) [N s, N m s]."""
        return self._alone().momentum

    @property
    def kinetic_measure(self) -> KineticMeasure:
        """Mass and momentum as a measure on time-space (t, x, y, z)."""
        return self._alone().kinetic_measure

    @property
    def environment(self) -> Environment:
        """What everything outside the body exerts on it, as parts and sum."""
        return self._alone().environment

    def balance(self, window=None, sides=("right", "right")) -> Any:
        """The balance of its momentum screw and kinetic energy in a ``window``; see `BodiesMotion.balance`."""
        return self._alone().balance(window, sides)

    def point(self, place) -> "PointMotion":
        """The material point at ``place`` (3,) [m] of the body's own frame."""
        try:
            material = value(entries("point", place, (3,)))
        except ModelError as error:
            raise StartError(f"point {shorten(place)} must be three finite numbers, in the body's own frame") from error
        return PointMotion(self, material)

    @property
    def drive(self) -> np.ndarray:
        """Wrench of the drive of a prescribed body on it, at its origin, (T, 6) [N, N m]."""
        self._drive_number()
        return tape_groups(self.motion, "reactions", self.motion.time, self.motion._states)[self.name]

    @property
    def drive_power(self) -> np.ndarray:
        """Power of the drive of a prescribed body, (T,) [W]."""
        return self.motion._balance["drive_power"][:, self._drive_number()]

    def _alone(self) -> BodiesMotion:
        return BodiesMotion(self.motion, (self.name,))

    def _samples(self, what: str) -> np.ndarray:
        turning = what in ("rotation", "angular_velocity")
        if turning and self._deforms and not np.any(self._deformations("deformation").reshape(-1, 3, 3)[:, :, 1:]):
            raise StartError(f"body '{self.name}' is rod-like and has no {what.replace('_', ' ')}; use its deformation")
        return self.motion._bodies[f"{self.name}/{what}"]

    def _drive_number(self) -> int:
        model, known = self.motion.model, self.motion.model.layout.prescribed
        if self.name not in known:
            raise StartError(
                f"body '{self.name}' of system '{model.name}' is not prescribed and has no drive of its own"
                f"{nearest(self.name, known)}; the power of joints' drives is part of the energy balance"
            )
        return known.index(self.name)


@final
@dataclass(frozen=True, eq=False)
class PointMotion:
    """A material point of a body on the grid of a motion, in world axes."""

    body: BodyMotion
    place: np.ndarray

    @property
    def position(self) -> np.ndarray:
        """Position, (T, 3) [m]."""
        return self.body.position + self.body.deformation @ self.place

    @property
    def velocity(self) -> np.ndarray:
        """Velocity, (T, 3) [m/s]."""
        if self.body._deforms:
            return self.body.velocity + self.body.deformation_rate @ self.place
        return self.body.velocity + np.cross(self.body.angular_velocity, self.body.rotation @ self.place)
