"""Joints along and about one axis: revolute, prismatic, helical, cylindrical."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.coordinates import FlatCoordinates
from vinculum.bonds.joints.gaps import Gap, shifts, tilts, turn_sides, turns, upright
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cos, norm, sin
from vinculum.screws import Pose, rotation, rotation_onto
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import SHORTEST_AXIS, UNIT_AXIS

Z = (0.0, 0.0, 1.0)


def unit_axis(where: str, axis) -> np.ndarray:
    """The direction of an axis, of length one; length zero is refused."""
    number = value(axis)
    if not norm(number) > SHORTEST_AXIS:
        size = f"{norm(number):g}, too short for a direction" if np.any(number) else "zero"
        raise ModelError(f"{where}: axis {number.tolist()} has length {size}; give a direction such as (0, 0, 1)")
    return axis / norm(axis)


def check_axis(where: str, axis, values: Mapping[str, float] | None = None) -> None:
    """Refuse parameter values for which a normalized axis has no direction."""
    number = value(axis, values)
    if not abs(norm(number) - 1.0) < UNIT_AXIS:
        raise ModelError(
            f"{where}: axis is {number.tolist()} with these parameter values: its length before it is made one must "
            "lie between 1e-150 and 1e150; give a direction such as (0, 0, 1)"
        )


def rod_on_z(mass, moment, about_origin) -> tuple[tuple, tuple]:
    """An inertia split into a remainder and a thin rod on the z axis, which is invariant under rotations about z."""
    along = 0.5 * (about_origin[0, 0] + about_origin[1, 1] - about_origin[2, 2])
    rod = np.diag([along, along, 0.0])
    return (0.0, np.array([moment[0], moment[1], 0.0]), about_origin - rod), (
        mass,
        np.array([0.0, 0.0, moment[2]]),
        rod,
    )


@dataclass(frozen=True, eq=False)
class AxialKind(JointKind):
    """Common part of joints with one ``axis``. ``is_open``: whether it contains parameters; otherwise it is along z of the working frame,
    also where joints that are alike have symbols in place of their numbers."""

    axis: np.ndarray
    is_open: bool

    @property
    def has_open_axis(self) -> bool:
        return self.is_open

    @property
    def alignment(self) -> Pose:
        return Pose() if self.has_open_axis else Pose.of(rotation_onto(np.array(Z), self.axis), np.zeros(3))

    @property
    def direction(self) -> np.ndarray:
        """The axis in the working frame."""
        return self.axis if self.has_open_axis else np.array(Z)

    def _along_z(self, offset: list, turn, shift) -> tuple[np.ndarray, Pose] | None:
        """An offset and what is left of a turn about z and a shift along it; None if the axis is not z."""
        if self.has_open_axis:
            return None
        return np.array(offset), Pose.of(rotation(Z, turn), np.array([0.0, 0.0, shift]))


@final
@dataclass(frozen=True, eq=False)
class RevoluteKind(AxialKind):
    coordinates = FlatCoordinates(("",), ("rad",))

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([turn], 0.0, shift)

    def pass_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return rod_on_z(mass, moment, about_origin) if not self.has_open_axis else None

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
class PrismaticKind(AxialKind):
    coordinates = FlatCoordinates(("",), ("m",))

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([shift], turn, 0.0)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return turn_sides(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(np.eye(3), self.direction * q[0])

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([self.direction, np.zeros(3)]).reshape(6, 1)


@final
@dataclass(frozen=True, eq=False)
class HelicalKind(AxialKind):
    pitch: Any
    coordinates = FlatCoordinates(("",), ("rad",))

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([turn], 0.0, shift - self.pitch * turn)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *tilts(X.R), ("thread", self._thread(X)[1])]

    def sides(self, X: Pose) -> list:
        return [*upright(X.R), self._thread(X)[0]]

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.direction, q[0]), self.direction * (self.pitch * q[0]))

    def _thread(self, X: Pose) -> tuple:
        """Cosine and sine of the angle minus the angle that follows from the advance along the axis; a thread without
        pitch is a stop."""
        if isinstance(self.pitch, float) and self.pitch == 0.0:
            return 1.0, X.p[2]
        asked = X.p[2] / self.pitch
        c, s = cos(asked), sin(asked)
        return X.R[0, 0] * c + X.R[1, 0] * s, X.R[1, 0] * c - X.R[0, 0] * s

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([self.direction * self.pitch, self.direction]).reshape(6, 1)


@final
@dataclass(frozen=True, eq=False)
class CylindricalKind(AxialKind):
    coordinates = FlatCoordinates(("slide", "angle"), ("m", "rad"))

    def absorb(self, turn: float, shift: float) -> tuple[np.ndarray, Pose] | None:
        return self._along_z([shift, turn], 0.0, 0.0)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xy"), *tilts(X.R)]

    def sides(self, X: Pose) -> list:
        return upright(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.direction, q[1]), self.direction * q[0])

    def subspace(self, q) -> np.ndarray:
        zero = np.zeros(3)
        return np.stack([np.concatenate([self.direction, zero]), np.concatenate([zero, self.direction])], axis=1)


@dataclass(frozen=True, eq=False)
class AxialJoint(Joint):
    """A joint with one ``axis``, given in the frames ``at`` and ``to``; its length does not matter."""

    axis: Any = Z

    def _read_axis(self, where: str) -> tuple[np.ndarray, bool]:
        """The axis, and whether it contains parameters."""
        axis = unit_axis(where, entries(f"{where}: axis", self.axis, (3,)))
        object.__setattr__(self, "axis", axis)
        return axis, axis.dtype == object

    def _check(self, where: str, values: Mapping[str, float] | None) -> None:
        check_axis(where, self.axis, values)


@final
@dataclass(frozen=True, eq=False)
class Revolute(AxialJoint):
    """A hinge: the child turns about ``axis`` by the angle q [rad].

    >>> system = vc.System("pendulum", gravity=(0, 0, -9.81))
    >>> bob = system.add(vc.MassPoint("bob", mass=0.5))
    >>> hinge = system.add(vc.Revolute("hinge", "ground", bob, axis=(0, 1, 0), to=(0, 0, 0.3)))
    >>> motion = vc.simulate(system, until=1.0, start={"hinge": 0.2}, method="dop853")
    >>> motion.audit().verdict
    'passed'
    """

    def _read_kind(self, where: str) -> JointKind:
        return RevoluteKind(*self._read_axis(where))


@final
@dataclass(frozen=True, eq=False)
class Prismatic(AxialJoint):
    """A slider: the child moves along ``axis`` by q [m].

    >>> rail = vc.Prismatic("rail", "ground", "cart", axis=(1, 0, 0), damping=0.5)
    >>> rail.nq, rail.nv
    (1, 1)
    """

    def _read_kind(self, where: str) -> JointKind:
        return PrismaticKind(*self._read_axis(where))


@final
@dataclass(frozen=True, eq=False)
class Helical(AxialJoint):
    """A screw: the child turns about ``axis`` by q [rad] and moves along it by ``pitch`` q; pitch in [m/rad].

    >>> screw = vc.Helical("screw", "ground", "nut", pitch=0.005 / (2 * np.pi))
    """

    pitch: Any = None

    def _read_kind(self, where: str) -> JointKind:
        axis, is_open = self._read_axis(where)
        if self.pitch is None:
            raise ModelError(f"{where}: pitch is missing; give the advance in meters per radian")
        object.__setattr__(self, "pitch", entries(f"{where}: pitch", self.pitch, ()).item())
        return HelicalKind(axis, is_open, self.pitch)

    def _check(self, where: str, values: Mapping[str, float] | None) -> None:
        check_axis(where, self.axis, values)
        check_finite(f"{where}: pitch", self.pitch, values)


@final
@dataclass(frozen=True, eq=False)
class Cylindrical(AxialJoint):
    """A cylindrical joint: the child moves along ``axis`` by q[0] [m] and turns about it by q[1] [rad].

    >>> vc.Cylindrical("sleeve", "ground", "rod", axis=(0, 0, 1)).nv
    2
    """

    def _read_kind(self, where: str) -> JointKind:
        return CylindricalKind(*self._read_axis(where))
