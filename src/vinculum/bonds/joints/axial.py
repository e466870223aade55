"""Joints along and about one axis: revolute, prismatic, helical, cylindrical."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.flat import FlatJoint
from vinculum.bonds.joints.gaps import Gap, shifts, tilts, turns, unturned, upright
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cos, norm, sin
from vinculum.screws import Pose, rotation, rotation_onto
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import SHORTEST_AXIS

Z = (0.0, 0.0, 1.0)


def unit_axis(where: str, axis) -> np.ndarray:
    """The direction of an axis, of length one; length zero is refused."""
    number = value(axis)
    if not norm(number) > SHORTEST_AXIS:
        size = f"{norm(number):g}, too short to tell a direction" if np.any(number) else "zero"
        raise ModelError(f"{where}: axis {number.tolist()} has length {size}; give a direction such as (0, 0, 1)")
    return axis / norm(axis)


def check_axis(where: str, axis, values: Mapping[str, float] | None = None) -> None:
    """Refuse values of parameters that leave an axis, made of length one, without a direction."""
    number = value(axis, values)
    if not abs(norm(number) - 1.0) < 1e-6:
        raise ModelError(
            f"{where}: axis is {number.tolist()} with these parameter values: its length before it is made one must "
            "lie between 1e-150 and 1e150; give a direction such as (0, 0, 1)"
        )


def rod_on_z(mass, moment, about_origin) -> tuple[tuple, tuple]:
    """An inertia split into a rest and a thin rod on the z axis, which turning about z leaves as it is."""
    along = 0.5 * (about_origin[0, 0] + about_origin[1, 1] - about_origin[2, 2])
    rod = np.diag([along, along, 0.0])
    return (0.0, np.array([moment[0], moment[1], 0.0]), about_origin - rod), (
        mass,
        np.array([0.0, 0.0, moment[2]]),
        rod,
    )


def without_turning(mass, moment, about_origin) -> tuple[tuple, tuple]:
    """An inertia split into mass with its moment and a rotational rest, which sliding leaves as it is."""
    return (mass, moment, np.zeros((3, 3))), (0.0, np.zeros(3), about_origin)


@dataclass(frozen=True, eq=False)
class AxialJoint(FlatJoint):
    """A joint with one ``axis``, given in the frames that ``at`` and ``to`` place; its length does not matter."""

    axis: Any = Z

    def _prepare(self) -> None:
        axis = entries(f"joint '{self.name}': axis", self.axis, (3,))
        object.__setattr__(self, "axis", unit_axis(f"joint '{self.name}'", axis))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        FlatJoint.check(self, values)
        check_axis(f"joint '{self.name}'", self.axis, values)

    @property
    def has_open_axis(self) -> bool:
        return self.axis.dtype == object

    @property
    def alignment(self) -> Pose:
        if self.axis.dtype == object:
            return Pose()
        return Pose.of(rotation_onto(np.array(Z), self.axis), np.zeros(3))

    @property
    def direction(self) -> np.ndarray:
        """The axis in the working frame: z, unless it holds parameters."""
        return self.axis if self.axis.dtype == object else np.array(Z)

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)

    def _along_z(self, offset: list, turn, shift) -> tuple[np.ndarray, Pose] | None:
        """An offset and what is left of a turn about z and a shift along it; None if the axis is not z."""
        if self.axis.dtype == object:
            return None
        return np.array(offset), Pose.of(rotation(Z, turn), np.array([0.0, 0.0, shift]))


@final
@dataclass(frozen=True, eq=False)
class Revolute(AxialJoint):
    """A hinge: the child turns about ``axis`` by the angle q [rad]."""

    @property
    def nv(self) -> int:
        return 1

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("",)

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("rad",)

    def absorbed(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([turn], 0.0, shift)

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return rod_on_z(mass, moment, about_origin) if self.axis.dtype != object else None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), *tilts(X.R)]

    def sides(self, X: Pose) -> list:
        return upright(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.direction, q[0]), np.zeros(3))

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([np.zeros(3), self.direction]).reshape(6, 1)


@final
@dataclass(frozen=True, eq=False)
class Prismatic(AxialJoint):
    """A slider: the child moves along ``axis`` by q [m]."""

    @property
    def nv(self) -> int:
        return 1

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("",)

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m",)

    def absorbed(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([shift], turn, 0.0)

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return unturned(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(np.eye(3), self.direction * q[0])

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([self.direction, np.zeros(3)]).reshape(6, 1)


@final
@dataclass(frozen=True, eq=False)
class Helical(AxialJoint):
    """A screw: the child turns about ``axis`` by q [rad] and moves along it by ``pitch`` q; pitch in [m/rad]."""

    pitch: Any = None

    def _prepare(self) -> None:
        AxialJoint._prepare(self)
        if self.pitch is None:
            raise ModelError(f"joint '{self.name}': pitch is missing; give the advance in metres per radian")
        object.__setattr__(self, "pitch", entries(f"joint '{self.name}': pitch", self.pitch, ()).item())

    def check(self, values: Mapping[str, float] | None = None) -> None:
        AxialJoint.check(self, values)
        check_finite(f"joint '{self.name}': pitch", self.pitch, values)

    @property
    def nv(self) -> int:
        return 1

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("",)

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("rad",)

    def absorbed(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([turn], 0.0, shift - self.pitch * turn)

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *tilts(X.R), ("thread", self._thread(X)[1])]

    def sides(self, X: Pose) -> list:
        return [*upright(X.R), self._thread(X)[0]]

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.direction, q[0]), self.direction * (self.pitch * q[0]))

    def _thread(self, X: Pose) -> tuple:
        """Cosine and sine of the turn less what the advance along the axis asks for; a thread without pitch is a stop."""
        if isinstance(self.pitch, float) and self.pitch == 0.0:
            return 1.0, X.p[2]
        asked = X.p[2] / self.pitch
        c, s = cos(asked), sin(asked)
        return X.R[0, 0] * c + X.R[1, 0] * s, X.R[1, 0] * c - X.R[0, 0] * s

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([self.direction * self.pitch, self.direction]).reshape(6, 1)


@final
@dataclass(frozen=True, eq=False)
class Cylindrical(AxialJoint):
    """A sleeve: the child moves along ``axis`` by q[0] [m] and turns about it by q[1] [rad]."""

    @property
    def nv(self) -> int:
        return 2

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("slide", "angle")

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m", "rad")

    def absorbed(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([shift, turn], 0.0, 0.0)

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *tilts(X.R)]

    def sides(self, X: Pose) -> list:
        return upright(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.direction, q[1]), self.direction * q[0])

    def subspace(self, q) -> np.ndarray:
        zero = np.zeros(3)
        return np.stack([np.concatenate([self.direction, zero]), np.concatenate([zero, self.direction])], axis=1)
