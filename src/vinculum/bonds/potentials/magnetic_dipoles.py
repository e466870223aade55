"""Two magnets, each a dipole fixed in its body."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from vinculum.bodies import Body, check_name
from vinculum.bonds.actions import Action, ActionLaw, Distance, Effort, read_ends, square
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.potentials.lines import line_between, line_distance
from vinculum.bonds.potentials.numbers import check_sign, number
from vinculum.errors import ModelError
from vinculum.scalars import Value
from vinculum.scalars.math import dot, pow
from vinculum.screws.entries import check_finite, entries


@final
@dataclass(frozen=True, eq=False)
class MagneticDipolesLaw(ActionLaw):
    """What a `MagneticDipoles` does."""

    dipoles: "MagneticDipoles"

    @property
    def is_relative(self) -> bool:
        return True

    def energy_at(self, views: Sequence[BodyView], t) -> Any:
        for view in views:
            if not view._state.turns:
                raise ModelError(
                    f"{self.dipoles.called}: '{view.name}' is a mass point, which no torque can turn; make it a vc.RigidBody"
                )
        d = line_between(views, self.dipoles.at, self.dipoles.to)
        one, other = (view.rotation @ m for view, m in zip(views, self.dipoles.moments, strict=True))
        r2 = square(d)
        return self.dipoles.constant * (
            dot(one, other) * pow(r2, -1.5) - 3.0 * dot(one, d) * dot(other, d) * pow(r2, -2.5)
        )

    def efforts_at(self, views: Sequence[BodyView], t) -> list[Effort] | None:
        return None

    def distances(self, views: Sequence[BodyView]) -> list[Distance]:
        return line_distance(views, self.dipoles.at, self.dipoles.to)

    def check(self, values: Mapping[str, float] | None = None) -> None:
        where = self.dipoles.called
        check_finite(f"{where}: moments", self.dipoles.moments, values)
        check_sign(where, "constant", self.dipoles.constant, "N/A²", values, positive=True)


@final
@dataclass(frozen=True, eq=False)
class MagneticDipoles(Action):
    r"""Energy of a dipole at the point ``at`` of body ``a`` and one at the point ``to`` of body ``b``.

    .. math:: U = \frac{\mu_0}{4\pi}\Big[\frac{m_a\cdot m_b}{r^3} - \frac{3\,(m_a\cdot d)(m_b\cdot d)}{r^5}\Big],\qquad r = |d|

    ``moments``: two vectors (3,) [A m²], each in its body's frame; forces and torques follow. ``constant`` μ₀/4π [N/A²], that
    of vacuum by default. Jackson, Classical Electrodynamics, section 5.7.
    """

    name: str
    a: Body | str
    b: Body | str
    moments: Any
    at: Any = (0.0, 0.0, 0.0)
    to: Any = (0.0, 0.0, 0.0)
    constant: Value = 1.00000000055e-7

    def __post_init__(self):
        check_name("magnetic dipoles", self.name)
        where = self.called
        read_ends(where, [self.a, self.b])
        object.__setattr__(self, "moments", entries(f"{where}: moments", self.moments, (2, 3)))
        for what in ("at", "to"):
            object.__setattr__(self, what, entries(f"{where}: {what}", getattr(self, what), (3,)))
        object.__setattr__(self, "constant", number(where, "constant", self.constant))
        self.law.check()

    @property
    def ends(self) -> tuple[Body | str, ...]:
        return (self.a, self.b)

    @property
    def law(self) -> ActionLaw:
        return MagneticDipolesLaw(self)
