"""Chetaev's realization: reactions along the derivative of the constraint with respect to the velocities."""

from dataclasses import dataclass
from typing import ClassVar, final

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, refusal


@final
@dataclass(frozen=True)
class Chetaev(Realization):
    r"""Reactions along ∂F/∂v, also for constraints that are nonlinear in the velocities.

    .. math:: R = \lambda^a\frac{\partial F_a}{\partial v},\qquad \frac{\partial F_a}{\partial v}\,\delta q = 0

    Of all accelerations that satisfy F = 0, the motion has the one closest to the free acceleration in the kinetic
    metric (Gauss). The reactions do work unless v·∂F/∂v vanishes with F. For a constraint linear in accelerations,
    Gauss's principle gives reactions along ∂F/∂v̇ (Appell). Gołubowska (64)–(68).

    >>> vc.Chetaev().claims.name
    'Chetaev'
    """

    claims: ClassVar[Claims] = Claims("Chetaev", (0, 1, 2), True, True, False, "Gołubowska (64)–(68)")

    @property
    def holds(self) -> bool:
        return True

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level == 2 and not is_linear:
            raise refusal(where, "accelerations enter it in other ways than linearly, so they may not follow from it uniquely",
                          "solve it for one acceleration, or use vc.LagrangianSystem with vc.Vakonomic(multipliers=…)")  # fmt: skip
