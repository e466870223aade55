"""Joints with more than one axis and fixed ones: universal, planar, translation, weld."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.axial import check_axis, unit_axis, without_turning
from vinculum.bonds.joints.flat import FlatJoint
from vinculum.bonds.joints.gaps import Gap, shifts, tilts, turns, unturned, upright
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cross
from vinculum.screws import Pose, rotation
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class Universal(FlatJoint):
    """A cross joint: a turn by q[0] about ``axes[0]``, fixed in the parent, then by q[1] about ``axes[1]`` [rad]."""

    axes: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

    def _prepare(self) -> None:
        axes = entries(f"joint '{self.name}': axes", self.axes, (2, 3))
        object.__setattr__(self, "axes", np.array([unit_axis(f"joint '{self.name}'", axis) for axis in axes]))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        FlatJoint.check(self, values)
        for axis in self.axes:
            check_axis(f"joint '{self.name}'", axis, values)
        first, second = value(self.axes, values)
        if np.linalg.norm(np.cross(first, second)) < 1e-9:
            raise ModelError(
                f"joint '{self.name}': axes {first.tolist()} and {second.tolist()} are parallel, both turn "
                "the same way; use vc.Revolute or give two directions"
            )

    @property
    def nv(self) -> int:
        return 2

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("first", "second")

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("rad", "rad")

    @property
    def alignment(self) -> Pose:
        return Pose()

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), ("cross", self.axes[0] @ (X.R @ self.axes[1]) - self.axes[0] @ self.axes[1])]

    def sides(self, X: Pose) -> list:
        return []

    def pose(self, q) -> Pose:
        return Pose.of(rotation(self.axes[0], q[0]) @ rotation(self.axes[1], q[1]), np.zeros(3))

    def subspace(self, q) -> np.ndarray:
        first = rotation(self.axes[1], q[1]).T @ self.axes[0]
        zero = np.zeros(3)
        columns = [np.concatenate([zero, first]), np.concatenate([zero, self.axes[1]])]
        return np.stack(columns, axis=1)

    def subspace_rate(self, q, v) -> np.ndarray:
        first = rotation(self.axes[1], q[1]).T @ self.axes[0]
        return np.concatenate([np.zeros(3), -cross(self.axes[1] * v[1], first * v[0])])


@final
@dataclass(frozen=True, eq=False)
class Planar(FlatJoint):
    """The child slides in the joint frame's x-y plane and turns about z: coordinates (x, y, angle) and their rates."""

    @property
    def nv(self) -> int:
        return 3

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("x", "y", "angle")

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m", "m", "rad")

    @property
    def alignment(self) -> Pose:
        return Pose()

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return None

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "z"), *tilts(X.R)]

    def sides(self, X: Pose) -> list:
        return upright(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(rotation((0.0, 0.0, 1.0), q[2]), np.array([q[0], q[1], 0.0]))

    def subspace(self, q) -> np.ndarray:
        R = rotation((0.0, 0.0, 1.0), q[2])
        zero = np.zeros(3)
        columns = [np.concatenate([R[0], zero]), np.concatenate([R[1], zero]), np.array([0.0, 0, 0, 0, 0, 1])]
        return np.stack(columns, axis=1)

    def subspace_rate(self, q, v) -> np.ndarray:
        R = rotation((0.0, 0.0, 1.0), q[2])
        slide = R[0] * v[0] + R[1] * v[1]
        return np.concatenate([-cross(np.array([0.0, 0.0, v[2]]), slide), np.zeros(3)])


@final
@dataclass(frozen=True, eq=False)
class Translation(FlatJoint):
    """The child moves without turning: coordinates (x, y, z) in the parent's joint frame. A free mass point has it."""

    @property
    def nv(self) -> int:
        return 3

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ("x", "y", "z")

    @property
    def q_units(self) -> tuple[str, ...]:
        return ("m", "m", "m")

    @property
    def alignment(self) -> Pose:
        return Pose()

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return without_turning(mass, moment, about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return turns(X.R)

    def sides(self, X: Pose) -> list:
        return unturned(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(np.eye(3), q)

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([np.eye(3), np.zeros((3, 3))])

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)


@final
@dataclass(frozen=True, eq=False)
class Weld(FlatJoint):
    """The child is fixed to the parent."""

    @property
    def nv(self) -> int:
        return 0

    @property
    def q_labels(self) -> tuple[str, ...]:
        return ()

    @property
    def q_units(self) -> tuple[str, ...]:
        return ()

    @property
    def alignment(self) -> Pose:
        return Pose()

    def absorbed(self, turn: float, shift: float) -> None:
        return None

    def passed_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return (0.0, np.zeros(3), np.zeros((3, 3))), (mass, moment, about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return unturned(X.R)

    def pose(self, q) -> Pose:
        return Pose()

    def subspace(self, q) -> np.ndarray:
        return np.zeros((6, 0))

    def subspace_rate(self, q, v) -> np.ndarray:
        return np.zeros(6)
