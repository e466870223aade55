"""d'Alembert's realization: reactions along the constraint's own covectors."""

from dataclasses import dataclass
from typing import ClassVar, final

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, refusal


@final
@dataclass(frozen=True)
class DAlembert(Realization):
    r"""Reactions R = λ ∂F/∂q for positions, R = λ ω for velocities ω v + c = 0: they do no work on virtual displacements.

    .. math:: M\dot v + h = \tau + \lambda^a\omega_a,\qquad \omega_a\,\delta q = 0

    Gołubowska, Some aspects of affine motion and nonholonomic constraints (36), (56).

    >>> vc.DAlembert().claims.name
    "d'Alembert"
    """

    claims: ClassVar[Claims] = Claims("d'Alembert", (0, 1), True, True, False, "Gołubowska (34)–(36), (54)–(58)")

    @property
    def holds(self) -> bool:
        return True

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level == 2:
            raise refusal(where, "d'Alembert's principle says nothing about constraints on accelerations",
                          "use vc.Chetaev() for Gauss's principle (reactions along ∂F/∂v̇) or vc.Servo(…) to name the effort, both in a "
                          "vc.System; or vc.Vakonomic(multipliers=…) in a vc.LagrangianSystem")  # fmt: skip
        if not is_linear:
            raise refusal(
                where,
                "d'Alembert's principle covers constraints that are linear in the velocities, and this one is not",
                "use vc.Chetaev() for reactions along ∂F/∂v",
            )
