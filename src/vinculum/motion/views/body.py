"""View of one body of a motion, and of a material point."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.errors import ModelError, StartError
from vinculum.motion.views.affine import AffineMotion
from vinculum.motion.views.bodies import BodiesMotion
from vinculum.motion.views.drive import DriveMotion, drive_of
from vinculum.motion.views.measures import MeasuresMotion
from vinculum.scalars import value
from vinculum.screws.entries import entries, shorten


@final
@dataclass(frozen=True, eq=False)
class BodyMotion:
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
    def affine(self) -> AffineMotion:
        """Its deformation and the rates of it."""
        return AffineMotion(self.motion, self.name)

    @property
    def drive(self) -> DriveMotion:
        """What moves a prescribed body."""
        return drive_of(self.motion, self.name)

    @property
    def measures(self) -> MeasuresMotion:
        """Its kinetic measure, what the environment exerts on it, and the balance of both."""
        return MeasuresMotion(self.motion, (self.name,))

    def point(self, place) -> "PointMotion":
        """The material point at ``place`` (3,) [m] of the body's own frame."""
        try:
            material = value(entries("point", place, (3,)))
        except ModelError as error:
            raise StartError(f"point {shorten(place)} must be three finite numbers, in the body's own frame") from error
        return PointMotion(self, material)

    def _alone(self) -> BodiesMotion:
        return BodiesMotion(self.motion, (self.name,))

    def _samples(self, what: str) -> np.ndarray:
        if what in ("rotation", "angular_velocity") and self.affine._is_rod_like:
            raise StartError(
                f"body '{self.name}' is rod-like and has no {what.replace('_', ' ')}; use its affine.deformation"
            )
        return self.motion._bodies[f"{self.name}/{what}"]


@final
@dataclass(frozen=True, eq=False)
class PointMotion:
    """A material point of a body on the grid of a motion, in world axes."""

    body: BodyMotion
    place: np.ndarray

    @property
    def position(self) -> np.ndarray:
        """Position, (T, 3) [m]."""
        return self.body.position + self.body.affine.deformation @ self.place

    @property
    def velocity(self) -> np.ndarray:
        """Velocity, (T, 3) [m/s]."""
        if self.body.affine._deforms:
            return self.body.velocity + self.body.affine.deformation_rate @ self.place
        return self.body.velocity + np.cross(self.body.angular_velocity, self.body.rotation @ self.place)
