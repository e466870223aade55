"""An elastic mount between two frames."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, Limit, read_ends
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.efforts import couple, effort_at
from vinculum.bonds.potentials.numbers import check_semidefinite, six_by_six
from vinculum.bonds.potentials.turns import half_turn_limit, relative_rotation
from vinculum.bonds.symbol import Symbol
from vinculum.scalars.math import cross, dot
from vinculum.screws import frame_pose
from vinculum.screws.rotation_angles import rotation_vector


@final
@dataclass(frozen=True, eq=False)
class BushingLaw(ActionLaw):
    """What a `Bushing` does."""

    bushing: "Bushing"

    @property
    def is_relative(self) -> bool:
        return True

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        a, b = views
        p = (a.rotation @ self.bushing.at.R).T @ (b.point(self.bushing.to.p) - a.point(self.bushing.at.p))
        xi = np.concatenate([p, rotation_vector(relative_rotation(views, self.bushing.at, self.bushing.to))])
        return 0.5 * dot(xi, self.bushing.stiffness @ xi)

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        if self.bushing.damping.dtype != object and not self.bushing.damping.any():
            return None
        a, b = views
        R, x = a.rotation @ self.bushing.at.R, b.point(self.bushing.to.p)
        carried = a.velocity + cross(a.angular_velocity, x - a.position)
        twist = np.concatenate([R.T @ (b.point_velocity(self.bushing.to.p) - carried),
                                R.T @ (b.angular_velocity - a.angular_velocity)])  # fmt: skip
        wrench = -(self.bushing.damping @ twist)
        force, moment = R @ wrench[:3], R @ wrench[3:]
        return [
            (-force, couple(a, -moment) - effort_at(a, x, force)),
            (force, couple(b, moment) + effort_at(b, x, force)),
        ]

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return []

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        K = self.bushing.stiffness
        if K.dtype != object and not K[:, 3:].any():
            return []
        return [half_turn_limit(self.bushing.called, views, self.bushing.at, self.bushing.to)]

    def symbol(self) -> Symbol | None:
        return Symbol("bushing", (self.bushing.at.p, self.bushing.to.p))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        for what in ("stiffness", "damping"):
            check_semidefinite(self.bushing.called, what, getattr(self.bushing, what), values)


@final
@dataclass(frozen=True, eq=False)
class Bushing(Action):
    r"""An elastic mount between the frame ``at`` of body ``a`` and the frame ``to`` of body ``b``.

    .. math:: U = \tfrac12\,\xi^T K\,\xi,\qquad \xi = (p,\ \varphi)

    p is the origin and φ the rotation vector of b's frame relative to a's frame, so U is invariant under common
    motions of both bodies. ``stiffness`` K: (6, 6), symmetric and positive semidefinite, or its diagonal (6,), in N/m
    and N m/rad, translations first. ``damping``: the same in N s/m and N m s/rad, for the twist of b's frame relative
    to a's, at b's origin and in a's axes. It is smooth at rest. A run stops at a rotation by half a turn, where φ
    jumps. O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and Particles,
    (15).
    """

    name: str
    a: Body | str
    b: Body | str
    stiffness: Any
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    damping: Any = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def __post_init__(self):
        check_name("bushing", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        for what in ("stiffness", "damping"):
            object.__setattr__(self, what, six_by_six(where, what, getattr(self, what)))
        for what in ("at", "to"):
            object.__setattr__(self, what, frame_pose(getattr(self, what), f"{where}: {what}"))
        self.law.check()

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return BushingLaw(self)
