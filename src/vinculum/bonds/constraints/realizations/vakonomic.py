"""Vakonomic realization: the constraint enters the action with a multiplier that is part of the state."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.bonds.constraints.realizations.reaching import Reaching
from vinculum.bonds.constraints.realizations.realization import Claims, Realization, check_one_for_each, refusal
from vinculum.errors import ModelError
from vinculum.scalars.math import dot
from vinculum.screws.entries import entries, shorten

NAMED = ("zero", "dalembert")
RULES = '"zero", "dalembert" or vc.constraints.Reaching({joint: coordinates}, at=…)'


@final
@dataclass(frozen=True, eq=False)
class Vakonomic(Realization):
    r"""The action of L + μ F is stationary among all curves that satisfy F = 0.

    .. math:: R = \mu^a\frac{\partial F_a}{\partial q} - \frac{d}{dt}\Big(\mu^a\frac{\partial F_a}{\partial v}\Big)

    The multipliers μ satisfy differential equations: they are part of the state, and the same positions and velocities
    have different continuations with different ``multipliers`` μ(0). These are one number for all rows or one for
    each; or a rule that computes them when a motion starts: "zero"; "dalembert", the values, if they exist, for which
    the motion is that of d'Alembert's or Chetaev's reactions; or a `Reaching`, the values for which named coordinates
    reach given values at an instant. Gołubowska, Some aspects of affine motion and nonholonomic constraints (47)–(53),
    (69)–(73).

    >>> vc.Vakonomic(multipliers=0.0).claims.name
    'vakonomic'
    """

    _: KW_ONLY
    multipliers: Any = None
    claims: ClassVar[Claims] = Claims("vakonomic", (1,), True, True, True, "Gołubowska (47)–(53), (69)–(90)", True)

    def __post_init__(self):
        given = self.multipliers
        if given is None:
            raise ModelError(
                "vakonomic: multipliers are not given; they are part of the state as positions and velocities are, and every value "
                f"starts another motion: give multipliers=0.0, or one number for each row, or a rule: {RULES}"
            )
        if isinstance(given, Reaching) or (isinstance(given, str) and given in NAMED):
            return
        if isinstance(given, str):
            raise ModelError(
                f"vakonomic: multipliers is {shorten(given)}; give their values at the start, as multipliers=0.0, or a rule: {RULES}"
            )
        array = entries("vakonomic: multipliers", given)
        if array.ndim > 1 or array.dtype == object or not array.size:
            raise ModelError("vakonomic: multipliers must be one number, or one number for each row of the constraint")
        object.__setattr__(self, "multipliers", array)

    @property
    def rule(self) -> str | Reaching | None:
        """The rule that computes the multipliers at the start; None if they are numbers."""
        return None if isinstance(self.multipliers, np.ndarray) else self.multipliers

    @property
    def holds(self) -> bool:
        return True

    def start(self, where: str, count: int) -> np.ndarray:
        if isinstance(self.multipliers, str):
            return np.zeros(count)
        numbers = self.multipliers.guess if isinstance(self.multipliers, Reaching) else self.multipliers
        what = "guesses of multipliers" if isinstance(self.multipliers, Reaching) else "multipliers"
        check_one_for_each(where, f"{what} at the start", numbers, count)
        return np.array(np.broadcast_to(numbers, count), dtype=float)

    def lagrangian(self, F, mu) -> Any:
        return dot(mu, F)

    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        if level == 0:
            raise refusal(where, "for a constraint on positions the vakonomic motion is d'Alembert's, and its multiplier no free data",
                          "use vc.DAlembert(), or give the differentiated condition as velocity=")  # fmt: skip
        if level == 2:
            raise refusal(where, "bodies and joints have vakonomic motions for constraints on velocities, and this one is on accelerations",
                          "use vc.LagrangianSystem, which takes vakonomic constraints of any order, or vc.Chetaev()")  # fmt: skip
