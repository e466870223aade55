"""The interface of realizations: how forces enforce a constraint, which determines the motion."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from vinculum.bonds.actions import ContactForce, Force, Interaction
from vinculum.bonds.constraints.realizations.arguments import Named
from vinculum.bonds.joints import Joint
from vinculum.errors import ModelError

Direction = str | Joint | Force | Interaction | ContactForce
"""What exerts an effort: a joint along its velocities, or a unit wrench."""


@final
@dataclass(frozen=True)
class Claims:
    """``levels``: the orders of constraints it covers (0 positions, 1 velocities, 2 accelerations); ``exact``: whether the
    constraint holds to round-off; ``ideal``: whether its reactions do no work on constraints that are linear and do not move;
    ``adds_state``: whether multipliers have initial values of their own; where it is described; ``varies``: whether it adds to the
    Lagrangian, so that its reactions hold rates of multipliers and accelerations."""

    name: str
    levels: tuple[int, ...]
    exact: bool
    ideal: bool
    adds_state: bool
    reference: str
    varies: bool = False


class Realization(metaclass=Named):
    """How a constraint F = 0 acts on the motion. Each kind says what it adds to the equations of the unconstrained system.

    - multipliers that keep F = 0, with reactions λ ∂F/∂v along the rows (`holds`);
    - or multipliers that follow from F itself (`multipliers`), which for constraints on positions may have an `energy`;
    - or a term of the Lagrangian (`lagrangian`), whose multipliers may be part of the state (`start`);
    - or multipliers that keep F = 0 by efforts along other `directions` than the rows.
    """

    claims: ClassVar[Claims]

    @property
    def holds(self) -> bool:
        """Whether multipliers enforce F = 0."""
        return False

    @property
    def varies(self) -> bool:
        """Whether it adds to the Lagrangian."""
        return self.claims.varies

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Directions of the efforts that enforce F = 0; empty if these are along the rows."""
        return ()

    @property
    def rule(self) -> Any:
        """The rule for the initial multipliers; None if they are numbers or there are none."""
        return None

    def ranges(self, where: str, count: int) -> list[list[float]] | None:
        """Bounds of the multiplier of each row; None if there are none."""
        return None

    def energy(self, F) -> Any:
        """Potential energy [J] of the violation F (k,) of a constraint on positions."""
        return 0.0

    def multipliers(self, F) -> Any:
        """λ (k,) of the reactions λ ∂F/∂v that resist a violation F (k,); zero where other multipliers keep F = 0."""
        return 0.0 * F

    def start(self, where: str, count: int) -> np.ndarray:
        """Values at the start of the multipliers that are part of the state; none for most realizations."""
        return np.zeros(0)

    def lagrangian(self, F, mu) -> Any:
        """The term added to the Lagrangian [J], from F (k,) and the multipliers that are part of the state, or
        None."""
        return None

    def check_values(self, where: str, values: Mapping[str, float] | None = None) -> None:
        """Refuse invalid parameter values."""

    @abstractmethod
    def check(self, where: str, level: int, is_linear: bool, count: int) -> None:
        """Refuse constraints that this realization does not cover, or of another number of rows than it has numbers for; ``is_linear``:
        in the velocities."""


def check_one_for_each(where: str, what: str, given: np.ndarray, count: int) -> None:
    """Refuse numbers that are neither one for all nor one for each of ``count`` rows."""
    if given.ndim and len(given) != count:
        raise refusal(where, f"it has {count} row{'s' * (count != 1)} and {len(given)} {what}",
                      "give one number for each row, or one for all")  # fmt: skip


def refusal(where: str, what: str, remedy: str) -> ModelError:
    """A realization that is impossible for its constraint."""
    return ModelError(f"{where}: {what}; {remedy}")
