"""Penalty: a stiff energy instead of the constraint."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.bonds.constraints.realizations.realization import Claims, Realization, check_one_for_each, refusal
from vinculum.errors import ModelError
from vinculum.scalars import value
from vinculum.screws.entries import entries
from vinculum.tolerances.functions import SYMMETRIC_STIFFNESS


@final
@dataclass(frozen=True, eq=False)
class Penalty(Realization):
    r"""A penalty energy for a constraint on positions; for large κ the motion tends to d'Alembert's.

    .. math:: U_\kappa = \tfrac12\kappa^{ab}F_a F_b

    ``stiffness`` κ: a positive number, one for each row, or a symmetric positive definite matrix. The error of
    positions is of order 1/κ, that of velocities of order 1/√κ if the reaction is nonzero at the start. Gołubowska
    (25), (26).

    >>> vc.Penalty(1e6).claims.name
    'penalty'
    """

    stiffness: Any
    claims: ClassVar[Claims] = Claims("penalty", (0,), False, True, False, "Gołubowska (25), (26)")

    def __post_init__(self):
        kappa = entries("penalty: stiffness", self.stiffness)
        number = np.asarray(value(kappa))
        if number.ndim > 2 or not number.size or (number.ndim == 2 and number.shape[0] != number.shape[1]):
            raise ModelError(
                f"penalty: stiffness has shape {number.shape}; give one positive number, one for each row, or a symmetric matrix of them"
            )
        object.__setattr__(self, "stiffness", kappa)
        self.check_values("penalty")

    def check_values(self, where: str, values: Mapping[str, float] | None = None) -> None:
        number = np.asarray(value(self.stiffness, values))
        if number.ndim == 2 and np.abs(number - number.T).max() > SYMMETRIC_STIFFNESS * np.abs(number).max():
            raise ModelError(f"{where}: stiffness {number.tolist()} is not symmetric; an energy has a symmetric matrix")
        if not (
            np.all(np.isfinite(number)) and (np.linalg.eigvalsh(number) if number.ndim == 2 else number).min() > 0.0
        ):
            raise ModelError(
                f"{where}: stiffness {number.tolist()} is not positive; the constraint would repel the motion"
            )

    def energy(self, F) -> Any:
        kappa = self.stiffness
        if kappa.ndim == 2:
            return 0.5 * (F @ (kappa @ F))
        return 0.5 * (F @ (kappa * F))

    def multipliers(self, F) -> Any:
        return -(self.stiffness @ F) if self.stiffness.ndim == 2 else -(self.stiffness * F)

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level != 0:
            raise refusal(where, "a penalty is an energy of positions, and this constraint is not on positions",
                          "use vc.constraints.ViscousFriction(κ), which resists violated velocities, or vc.DAlembert()")  # fmt: skip
        check_one_for_each(where, "rows of stiffness", self.stiffness, count)
