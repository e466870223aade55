"""A dashpot between two points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, read_ends
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.lines import dashpot, line_distance
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.bonds.symbol import Symbol
from vinculum.scalars import Value
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class DamperLaw(ActionLaw):
    """What a `Damper` does."""

    damper: "Damper"

    @property
    def is_relative(self) -> bool:
        return True

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        return 0.0

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return dashpot(views, self.damper.at, self.damper.to, self.damper.damping)

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return line_distance(views, self.damper.at, self.damper.to)

    def symbol(self) -> Symbol | None:
        return Symbol("damper", (self.damper.at, self.damper.to))

    def check(self, values: Mapping[str, float] | None = None) -> None:
        check_sign(self.damper.called, "damping", self.damper.damping, "N s/m", values)


@final
@dataclass(frozen=True, eq=False)
class Damper(Action):
    r"""A dashpot from the point ``at`` of body ``a`` to the point ``to`` of body ``b``, along the line d between them.

    .. math:: F_a = -c\,\frac{d\cdot\dot d}{d\cdot d}\,d

    ``damping`` c [N s/m]; ``at``, ``to``: (3,) [m] in the bodies' frames. The force is undefined at zero length.

    >>> damper = vc.Damper("damper", "piston", "ground", damping=40.0)
    """

    name: str
    a: Body | str
    b: Body | str
    damping: Value
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)

    def __post_init__(self):
        check_name("damper", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        object.__setattr__(self, "damping", number(where, "damping", self.damping))
        for what in ("at", "to"):
            object.__setattr__(self, what, entries(f"{where}: {what}", getattr(self, what), (3,)))
        self.law.check()

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return DamperLaw(self)
