"""Viscous friction: a strong resistance to violating velocities."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, refusal
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class ViscousFriction(Realization):
    r"""A viscous force along the rows of a constraint on velocities; for large κ the motion tends to d'Alembert's,
    with errors of order 1/κ.

    .. math:: D = -\kappa\,\omega_a F_a

    ``coefficient`` κ > 0. Gołubowska, after (58), with Kozlov's limits.

    >>> vc.constraints.ViscousFriction(100.0).claims.name
    'viscous friction'
    """

    coefficient: Any
    claims: ClassVar[Claims] = Claims("viscous friction", (1,), False, False, False, "Kozlov; Gołubowska, section 3")

    def __post_init__(self):
        kappa = entries("viscous friction: coefficient", self.coefficient, ()).item()
        object.__setattr__(self, "coefficient", kappa)
        self.check_values("viscous friction")

    def check_values(self, where: str, values: Mapping[str, float] | None = None) -> None:
        number = float(value(self.coefficient, values))
        if not 0.0 < number < math.inf:
            raise ModelError(f"{where}: coefficient {number:g} is not positive; it would drive the motion away")

    def multipliers(self, F) -> Any:
        return -self.coefficient * F

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level != 1:
            raise refusal(where, "viscous friction resists velocities, and this constraint is not on velocities",
                          "use vc.Penalty(κ) for positions, or vc.DAlembert()")  # fmt: skip
