"""Chetaev's realization: reactions along the slopes of the constraint by the velocities."""

from dataclasses import dataclass
from typing import ClassVar, final

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, refused


@final
@dataclass(frozen=True)
class Chetaev(Realization):
    r"""Reactions along ∂F/∂v, also of constraints that are not linear in the velocities.

    .. math:: R = \lambda^a\frac{\partial F_a}{\partial v},\qquad \frac{\partial F_a}{\partial v}\,\delta q = 0

    Of all accelerations that keep F = 0 it is the one nearest to the free one in the kinetic metric (Gauss). Its reactions work
    unless v·∂F/∂v vanishes with F. Gołubowska (64)–(68).
    """

    claims: ClassVar[Claims] = Claims("Chetaev", (0, 1), True, True, False, "Gołubowska (64)–(68)")

    @property
    def holds(self) -> bool:
        return True

    def check(self, where: str, level: int, is_linear: bool) -> None:
        if level == 2:
            raise refused(where, "Chetaev's condition is about velocities, and this constraint is on accelerations",
                          "use a constraint on velocities, or another realization")  # fmt: skip
