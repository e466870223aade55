"""A spring between two attitudes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, Limit, read_ends
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.efforts import couple
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.bonds.potentials.turns import half_turn_limit, relative_rotation
from vinculum.bonds.symbol import Symbol
from vinculum.scalars import Value
from vinculum.screws import frame_pose
from vinculum.screws.rotation_angles import squared_angle


@final
@dataclass(frozen=True, eq=False)
class TorsionSpringLaw(ActionLaw):
    """What a `TorsionSpring` does."""

    spring: "TorsionSpring"

    @property
    def is_relative(self) -> bool:
        return True

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.5 * self.spring.stiffness * squared_angle(relative_rotation(views, self.spring.at, self.spring.to))

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        if isinstance(self.spring.damping, float) and self.spring.damping == 0.0:
            return None
        a, b = views
        moment: Any = -self.spring.damping * (a.angular_velocity - b.angular_velocity)
        return [(0.0 * moment, couple(a, moment)), (0.0 * moment, couple(b, -moment))]

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return []

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        return [half_turn_limit(self.spring.called, views, self.spring.at, self.spring.to)]

    def symbol(self) -> Symbol | None:
        return Symbol("torsion spring", (self.spring.at.p, self.spring.to.p))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.spring.called
        check_sign(where, "stiffness", self.spring.stiffness, "N m/rad", values)
        check_sign(where, "damping", self.spring.damping, "N m s/rad", values)


@final
@dataclass(frozen=True, eq=False)
class TorsionSpring(Action):
    r"""A torsion spring between the frame ``at`` of body ``a`` and the frame ``to`` of body ``b``.

    .. math:: U = \tfrac12 k\,\vartheta^2,\qquad \cos\vartheta = \tfrac12(\mathrm{tr}\,Y - 1),\qquad M_b = -k\vartheta\,n

    ϑ is the angle and n the axis of the relative rotation Y, about any axis. The moment is smooth at ϑ = 0. At ϑ = π
    it jumps: a run that reaches it stops. ``stiffness`` k [N m/rad]; ``damping`` [N m s/rad] against the relative
    angular velocity; ``at``, ``to``: a `Pose` each; only the rotation matters. O'Reilly and Srinivasa, On Potential
    Energies and Constraints in the Dynamics of Rigid Bodies and Particles, section 6.

    >>> spring = vc.potentials.TorsionSpring("spring", "balance", "ground", stiffness=0.01)
    """

    name: str
    a: Body | str
    b: Body | str
    stiffness: Value
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    damping: Value = 0.0

    def __post_init__(self):
        check_name("torsion spring", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        for what in ("stiffness", "damping"):
            object.__setattr__(self, what, number(where, what, getattr(self, what)))
        for what in ("at", "to"):
            object.__setattr__(self, what, frame_pose(getattr(self, what), f"{where}: {what}"))
        self.law.check()

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return TorsionSpringLaw(self)
