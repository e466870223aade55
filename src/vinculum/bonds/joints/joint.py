"""`Joint`: the description of a joint. Its kinematics is its `kind`, its spring, damper and drive its `compliance`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import numpy as np

from vinculum.bodies import Body, check_name
from vinculum.bonds.joints.compliance import Compliance
from vinculum.bonds.joints.coordinates import Coordinates
from vinculum.bonds.joints.kind import JointKind
from vinculum.bonds.joints.limits import read_limits
from vinculum.errors import ModelError, StartError
from vinculum.screws import frame_pose, is_rotation
from vinculum.screws.entries import check_finite, entries
from vinculum.tolerances.functions import NEARLY_A_ROTATION


@dataclass(frozen=True, eq=False)
class Joint(ABC):
    """A joint from ``parent`` to ``child``, each a body or its name (``"ground"`` is the fixed frame).

    ``at`` places the joint on the parent and ``to`` on the child: a position or a `Pose`. ``damping`` and ``stiffness``
    are one number or one for each velocity; ``rest`` are the coordinates of the relaxed spring. ``drive`` is a
    function of any of ``t``, ``q``, ``v`` (time, and the joint's own coordinates and velocities; numbers if there is
    one, else arrays) that returns the generalized force [N or N m]. ``limits``: (lower, upper) between which the
    coordinate stays, or a `Limits` with the impact law of these stops, or a list with one for each coordinate (None
    for one without). ``kind``: the functions of its coordinates.
    """

    name: str
    parent: Body | str
    child: Body | str
    _: KW_ONLY
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    damping: Any = 0.0
    stiffness: Any = 0.0
    rest: Any = None
    drive: Callable | None = None
    limits: Any = None
    kind: JointKind[Coordinates] = field(init=False, repr=False)

    def __post_init__(self):
        check_name("joint", self.name)
        where = f"joint '{self.name}'"
        for side in (self.parent, self.child):
            if not isinstance(side, (Body, str)):
                raise ModelError(f"{where}: {side!r} is not a body; give a body, its name, or 'ground'")
        object.__setattr__(self, "at", frame_pose(self.at, f"{where}: at"))
        object.__setattr__(self, "to", frame_pose(self.to, f"{where}: to"))
        object.__setattr__(self, "kind", self._read_kind(where))
        object.__setattr__(self, "damping", self._per_velocity("damping", self.damping))
        object.__setattr__(self, "stiffness", self._per_velocity("stiffness", self.stiffness))
        own = self.kind.coordinates
        try:
            rest = own.identity if self.rest is None else own.position(where, self.rest)
        except StartError as error:
            raise ModelError(f"{where}: rest: {error}") from error
        object.__setattr__(self, "rest", entries(f"{where}: rest", rest, (self.nq,)))
        object.__setattr__(self, "limits", read_limits(where, self.limits, own))
        check_joint(self)
        compliance_of(self).try_drive(f"{where}: drive")

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self.kind.coordinates.nq

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return self.kind.coordinates.nv

    @abstractmethod
    def _read_kind(self, where: str) -> JointKind:
        """Read the fields of the joint itself and make its kind."""

    def _check(self, where: str, values: Mapping[str, float] | None) -> None:  # noqa: B027 - most have no numbers of their own
        """Refuse invalid numbers of its own fields."""

    def _per_velocity(self, what: str, given) -> np.ndarray:
        array = entries(f"joint '{self.name}': {what}", given)
        if array.shape not in ((), (self.nv,)):
            raise ModelError(f"joint '{self.name}': {what} must be one number or {self.nv}, got shape {array.shape}")
        return array if array.shape else np.array([array.item()] * self.nv, dtype=array.dtype)


def compliance_of(joint: Joint) -> Compliance:
    """Spring, damper and drive of a joint, as functions of its coordinates."""
    return Compliance(joint.kind.coordinates, joint.stiffness, joint.damping, joint.rest, joint.drive)


def check_joint(joint: Joint, values: Mapping[str, float] | None = None) -> None:
    """Refuse invalid numbers."""
    where = f"joint '{joint.name}'"
    for what in ("damping", "stiffness", "rest"):
        check_finite(f"{where}: {what}", getattr(joint, what), values)
    for side in ("at", "to"):
        check_finite(f"{where}: {side}", getattr(joint, side).p, values)
        if not is_rotation(check_finite(f"{where}: {side}", getattr(joint, side).R, values), NEARLY_A_ROTATION):
            raise ModelError(f"{where}: {side} contains a matrix that is not a rotation with these parameter values")
    if np.any(check_finite(f"{where}: damping", joint.damping, values) < 0):
        raise ModelError(
            f"{where}: damping {joint.damping} is negative, it would supply energy; use drive= for an active joint"
        )
    joint._check(where, values)


def with_kind(joint: Joint, kind: JointKind) -> Joint:
    """The same joint with another kind: at another instant, or with another reference attitude of its chart."""
    other = copy(joint)
    object.__setattr__(other, "kind", kind)
    return other


def with_child(joint: Joint, child: Body) -> Joint:
    """The same joint for another body that is like its child, with that body's name."""
    other = copy(joint)
    object.__setattr__(other, "name", child.name)
    object.__setattr__(other, "child", child)
    return other
