"""The joint of a prescribed body: no coordinates, and a pose that depends only on time."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vinculum.bodies import Path, PrescribedBody
from vinculum.bonds.joints.coordinates import FlatCoordinates
from vinculum.bonds.joints.gaps import Gap, shifts, turn_sides, turns
from vinculum.bonds.joints.joint import Joint, with_kind
from vinculum.bonds.joints.kind import JointKind
from vinculum.errors import ModelError
from vinculum.screws import Pose


@final
@dataclass(frozen=True, eq=False)
class PrescribedKind(JointKind[FlatCoordinates]):
    """``along``: the path at one instant, or as a function of time. There are no ``coordinates``, and a start is
    refused."""

    along: Path
    coordinates: FlatCoordinates

    @property
    def path(self) -> Path:
        return self.along

    def pass_on(self, mass, moment, about_origin) -> tuple[tuple, tuple] | None:
        """The inertia of a prescribed body does not enter the equations of motion."""
        return (0.0, np.zeros(3), np.zeros((3, 3))), (mass, moment, about_origin)

    def gaps(self, X: Pose) -> list[Gap]:
        return [*shifts(X.p, "xyz"), *turns(X.R)]

    def sides(self, X: Pose) -> list:
        return turn_sides(X.R)

    def pose(self, q) -> Pose:
        return Pose.of(self.along.R, self.along.p)

    def subspace(self, q) -> np.ndarray:
        return np.zeros((6, 0))


@final
@dataclass(frozen=True, eq=False)
class Prescribed(Joint):
    """The child, a `PrescribedBody`, moves along its own path."""

    def _read_kind(self, where: str) -> JointKind:
        if not isinstance(self.child, PrescribedBody):
            raise ModelError(f"{where}: {self.child!r} is not a prescribed body; give a vc.PrescribedBody")
        return PrescribedKind(self.child.path, FlatCoordinates((), (), refusal_of_start(self.name)))


def joint_at(joint: Joint, t) -> Joint:
    """A joint at the instant ``t``, a number or a symbol; a joint with coordinates does not depend on it."""
    return joint if joint.kind.path is None else _along(joint, joint.kind.path.at(t))


def stop_joint(joint: Joint) -> Joint:
    """A joint without prescribed motion."""
    path = joint.kind.path
    return joint if path is None else _along(joint, replace(path, twist=np.zeros(6), twist_rate=np.zeros(6)))


def _along(joint: Joint, path: Path) -> Joint:
    coordinates = joint.kind.coordinates
    assert isinstance(coordinates, FlatCoordinates)
    return with_kind(joint, PrescribedKind(path, coordinates))


def refusal_of_start(name: str) -> str:
    """Why a prescribed body has no start."""
    return (
        f"body '{name}' is prescribed: its position and velocity are given functions of time at every instant; leave it out of "
        "the start, or change the functions"
    )
