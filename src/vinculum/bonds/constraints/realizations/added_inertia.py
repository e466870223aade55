"""Added inertia: a large kinetic energy of violating velocities instead of the constraint."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, check_one_for_each, refusal
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.screws.entries import entries


@final
@dataclass(frozen=True, eq=False)
class AddedInertia(Realization):
    r"""The Lagrangian L + ½ κ F²; for large κ the motion tends to the vakonomic one with multipliers κ F, with errors
    of order 1/κ.

    .. math:: \tilde L = L + \tfrac12\kappa F_a F_a,\qquad \mu_a = \kappa F_a

    ``coefficient`` κ > 0, one number or one for each row. To approach the vakonomic motion that starts with μ(0), start with
    velocities at which F = μ(0)/κ. Kozlov; Gołubowska, section 3.

    >>> vc.constraints.AddedInertia(100.0).claims.name
    'added inertia'
    """

    coefficient: Any
    claims: ClassVar[Claims] = Claims("added inertia", (1,), False, False, False, "Kozlov; Gołubowska, section 3", True)

    def __post_init__(self):
        kappa = entries("added inertia: coefficient", self.coefficient)
        number = np.asarray(value(kappa))
        if number.ndim > 1 or not number.size:
            raise ModelError(
                f"added inertia: coefficient has shape {number.shape}; give one number, or one for each row"
            )
        object.__setattr__(self, "coefficient", kappa)
        self.check_values("added inertia")

    def check_values(self, where: str, values: Mapping[str, float] | None = None) -> None:
        number = np.asarray(value(self.coefficient, values))
        if not np.all((number > 0.0) & np.isfinite(number)):
            raise ModelError(f"{where}: coefficient {number.tolist()} is not positive; it would reduce inertia")

    def lagrangian(self, F, mu) -> Any:
        return 0.5 * (F @ (self.coefficient * F))

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level != 1:
            raise refusal(where, "added inertia resists velocities, and this constraint is not on velocities",
                          "use vc.Penalty(κ) for positions, or vc.DAlembert()")  # fmt: skip
        check_one_for_each(where, "coefficients of added inertia", self.coefficient, count)
