"""A spring between two points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, Limit, read_ends, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.lines import SMOOTHED, dashpot, line_between, line_distance, smooth_length
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.bonds.symbol import Symbol
from vinculum.scalars import Value
from vinculum.screws.entries import entries
from vinculum.tolerances.functions import DASHPOT_FADES, NO_DIRECTION, SMOOTH_LENGTH


@final
@dataclass(frozen=True, eq=False)
class SpringLaw(ActionLaw):
    """What a `Spring` does."""

    spring: "Spring"

    @property
    def is_relative(self) -> bool:
        return True

    @property
    def _has_rest_length(self) -> bool:
        return not isinstance(self.spring.rest_length, float) or self.spring.rest_length != 0.0

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        d = line_between(views, self.spring.at, self.spring.to)
        if not self._has_rest_length:
            return 0.5 * self.spring.stiffness * square(d)
        stretch = smooth_length(d, self.spring.rest_length) - self.spring.rest_length
        return 0.5 * self.spring.stiffness * stretch * stretch

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        if isinstance(self.spring.damping, float) and self.spring.damping == 0.0:
            return None
        return dashpot(
            views, self.spring.at, self.spring.to, self.spring.damping, DASHPOT_FADES * self.spring.rest_length
        )

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return line_distance(views, self.spring.at, self.spring.to, SMOOTH_LENGTH * self.spring.rest_length)

    def limits(self, views: Sequence[BodyView]) -> list[Limit]:
        if not self._has_rest_length:
            return []
        margin = (NO_DIRECTION * self.spring.rest_length) * (NO_DIRECTION * self.spring.rest_length)
        room = square(line_between(views, self.spring.at, self.spring.to)) - margin
        return [Limit(room, f"{self.spring.called} has zero length", passable=True, margin=margin)]

    def notes(self) -> list[str]:
        return [SMOOTHED] if self._has_rest_length else []

    def symbol(self) -> Symbol | None:
        return Symbol("spring", (self.spring.at, self.spring.to))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.spring.called
        check_sign(where, "stiffness", self.spring.stiffness, "N/m", values)
        check_sign(where, "rest_length", self.spring.rest_length, "m", values)
        check_sign(where, "damping", self.spring.damping, "N s/m", values)


@final
@dataclass(frozen=True, eq=False)
class Spring(Action):
    r"""A spring from the point ``at`` of body ``a`` to the point ``to`` of body ``b``, either of which may be the ground.

    .. math:: U = \tfrac12 k\,(|d| - \ell_0)^2,\qquad d = x_a + R_a p_a - x_b - R_b p_b

    ``stiffness`` k [N/m]; ``rest_length`` ℓ₀ [m]. With ℓ₀ = 0, U = ½ k d·d is smooth everywhere. Otherwise the
    direction of the force is undefined at zero length: no motion can start there, and one that reaches it passes
    straight through. ``damping`` [N s/m]: of a parallel dashpot.
    ``at``, ``to``: (3,) [m] in the bodies' frames. O'Reilly and Srinivasa, On Potential Energies and Constraints in the
    Dynamics of Rigid Bodies and Particles, section 6.

    >>> spring = vc.Spring("spring", "bob", "ground", stiffness=8.0, rest_length=0.3, to=(0, 0, 1))
    """

    name: str
    a: Body | str
    b: Body | str
    stiffness: Value
    rest_length: Value = 0.0
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    damping: Value = 0.0

    def __post_init__(self):
        check_name("spring", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        for what in ("stiffness", "rest_length", "damping"):
            object.__setattr__(self, what, number(where, what, getattr(self, what)))
        for what in ("at", "to"):
            object.__setattr__(self, what, entries(f"{where}: {what}", getattr(self, what), (3,)))
        self.law.check()

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return SpringLaw(self)
