"""Joints with a rotation chart: spherical and free."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from vinculum.bonds.joints.coordinates import TurningCoordinates
from vinculum.bonds.joints.gaps import Gap, shifts
from vinculum.bonds.joints.joint import Joint, with_kind
from vinculum.bonds.joints.kind import JointKind
from vinculum.errors import ModelError
from vinculum.screws import Pose
from vinculum.screws import chart as chart_of


@final
@dataclass(frozen=True, eq=False)
class SphericalKind(JointKind[TurningCoordinates]):
    coordinates: TurningCoordinates

    def gaps(self, X: Pose) -> list[Gap]:
        return shifts(X.p, "xyz")

    def sides(self, X: Pose) -> list:
        return []

    def pose(self, q) -> Pose:
        return Pose.of(self.coordinates.matrix(q), np.zeros(3))

    def subspace(self, q) -> np.ndarray:
        return np.concatenate([np.zeros((3, 3)), np.eye(3)])


@final
@dataclass(frozen=True, eq=False)
class FreeKind(JointKind[TurningCoordinates]):
    coordinates: TurningCoordinates

    def gaps(self, X: Pose) -> list[Gap]:
        return []

    def sides(self, X: Pose) -> list:
        return []

    def pose(self, q) -> Pose:
        return Pose.of(self.coordinates.matrix(q), q[:3])

    def subspace(self, q) -> np.ndarray:
        return np.eye(6)


@dataclass(frozen=True, eq=False)
class TurningJoint(Joint):
    """A joint whose velocities end with the angular velocity of the child in its own axes."""

    chart: Any = "quaternion"

    def _read_chart(self, placed: bool) -> TurningCoordinates:
        object.__setattr__(self, "chart", chart_of(self.chart))
        return TurningCoordinates(self.chart, placed)

    def _check(self, where: str, values: Mapping[str, float] | None) -> None:
        first, *others = self.stiffness[-3:]
        if any(
            k is not first and not (isinstance(k, float) and isinstance(first, float) and k == first) for k in others
        ):
            raise ModelError(
                f"{where}: the three rotational stiffnesses {self.stiffness[-3:].tolist()} "
                "differ, but a ball spring has one; give one number or equal ones"
            )


@final
@dataclass(frozen=True, eq=False)
class Spherical(TurningJoint):
    """A ball joint. Coordinates: a rotation chart (quaternion, Fedorov, Euler angles); velocities: ω in the child.

    >>> ball = vc.Spherical("ball", "ground", "arm")
    >>> ball.nq, ball.nv
    (4, 3)
    """

    def _read_kind(self, where: str) -> JointKind:
        return SphericalKind(self._read_chart(placed=False))


@final
@dataclass(frozen=True, eq=False)
class Free(TurningJoint):
    """Six degrees of freedom: position (x, y, z) in the parent's joint frame and a rotation chart; velocities: the
    body twist.

    >>> free = vc.Free("place", "ground", "box")
    >>> free.nq, free.nv
    (7, 6)
    """

    def _read_kind(self, where: str) -> JointKind:
        return FreeKind(self._read_chart(placed=True))


def with_base(joint: Joint, base: np.ndarray) -> Joint:
    """The same joint with the reference attitude ``base`` (3, 3) of its chart."""
    kind = joint.kind
    assert isinstance(kind, (SphericalKind, FreeKind))
    return with_kind(joint, replace(kind, coordinates=replace(kind.coordinates, base=base)))
