"""Joints with more than one axis, and the weld: universal, planar, translation, weld."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.axial import check_axis, unit_axis
from vinculum.bonds.joints.coordinates import FlatCoordinates
from vinculum.bonds.joints.gaps import Gap, shifts, tilts, turn_sides, turns, upright
from vinculum.bonds.joints.joint import Joint
from vinculum.bonds.joints.kind import JointKind
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.scalars.math import cross
from vinculum.screws import Pose, rotation
from vinculum.screws.entries import entries
from vinculum.tolerances.functions import PARALLEL_JOINT_AXES


@final
@dataclass(frozen=True, eq=False)
class UniversalKind(JointKind):
    axes: np.ndarray
    coordinates = FlatCoordinates(("first", "second"), ("rad", "rad"))

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
class PlanarKind(JointKind):
    coordinates = FlatCoordinates(("x", "y", "angle"), ("m", "m", "rad"))

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
class TranslationKind(JointKind):
    coordinates = FlatCoordinates(("x", "y", "z"), ("m", "m", "m"))

    def turned_coordinates(self, R: np.ndarray) -> tuple[np.ndarray, int] | None:
        return R, 3

    def pass_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        """Translation does not change the rotational part of an inertia."""
        return (mass, moment, np.zeros((3, 3))), (0.0, np.zeros(3), about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return turns(X.R)

    def sides(self, X: Pose) -> list:
        return turn_sides(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(np.eye(3), q)

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([np.eye(3), np.zeros((3, 3))])


@final
@dataclass(frozen=True, eq=False)
class WeldKind(JointKind):
    coordinates = FlatCoordinates((), ())

    def pass_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        return (0.0, np.zeros(3), np.zeros((3, 3))), (mass, moment, about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return turn_sides(X.R)

    def pose(self, q) -> Pose:
        return Pose()

    def subspace(self, q) -> np.ndarray:
        return np.zeros((6, 0))


@final
@dataclass(frozen=True, eq=False)
class Universal(Joint):
    """A cross joint: a turn by q[0] about ``axes[0]``, fixed in the parent, then by q[1] about ``axes[1]`` [rad].

    >>> vc.Universal("cross", "shaft", "drive", axes=((1, 0, 0), (0, 1, 0))).nv
    2
    """

    axes: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

    def _read_kind(self, where: str) -> JointKind:
        axes = np.array([unit_axis(where, axis) for axis in entries(f"{where}: axes", self.axes, (2, 3))])
        object.__setattr__(self, "axes", axes)
        return UniversalKind(axes)

    def _check(self, where: str, values: Mapping[str, float] | None) -> None:
        for axis in self.axes:
            check_axis(where, axis, values)
        first, second = value(self.axes, values)
        if np.linalg.norm(np.cross(first, second)) < PARALLEL_JOINT_AXES:
            raise ModelError(
                f"{where}: axes {first.tolist()} and {second.tolist()} are parallel, both turn "
                "the same way; use vc.Revolute or give two directions"
            )


@final
@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """The child slides in the joint frame's x-y plane and turns about z: coordinates (x, y, angle) and their rates.

    >>> vc.Planar("ice", "ground", "sledge").nv
    3
    """

    def _read_kind(self, where: str) -> JointKind:
        return PlanarKind()


@final
@dataclass(frozen=True, eq=False)
class Translation(Joint):
    """The child translates without rotation: coordinates (x, y, z) in the parent's joint frame. Free mass points have
    this joint.

    >>> vc.Translation("gantry", "ground", "hook").nv
    3
    """

    def _read_kind(self, where: str) -> JointKind:
        return TranslationKind()


@final
@dataclass(frozen=True, eq=False)
class Weld(Joint):
    """The child is fixed to the parent.

    >>> vc.Weld("bolt", "arm", "hand", at=(0, 0, 0.3)).nv
    0
    """

    def _read_kind(self, where: str) -> JointKind:
        return WeldKind()
