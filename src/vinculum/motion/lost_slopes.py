"""Rows of constraints whose slope passes through zero: for an instant they keep nothing."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.kernels.gaps import LOST, gaps_at
from vinculum.kernels.model import Model
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Steps
from vinculum.motion.seen_conditions import Seen
from vinculum.motion.troubled_conditions import row_told, state_told

PLACES, ROUNDS = 17, 8


@final
@dataclass(frozen=True, eq=False)
class LostSlope:
    """A row without slope: the step in which it is met, the instant, the state there, and the row in words."""

    step: int
    instant: float
    state: np.ndarray
    told: str

    def remark(self, model: Model) -> str:
        """What is met, when and where."""
        return (
            f"at t = {self.instant:.9g} s {self.told} has no slope and keeps nothing, so the rank is singular there, at "
            f"{state_told(model, self.state)}"
        )


def lost_slope(model: Model, steps: Steps, seen: Seen, values: np.ndarray) -> LostSlope | None:
    """The first place of steps at which the slope ∂F/∂v of a constraint's row vanishes, or None."""
    held, kept, gaps = model.layout["constraints"], model.layout["kept"], model.layout["gaps"]
    if not held or not seen.many:
        return None
    usual = np.linalg.norm(np.where(np.isfinite(seen.slopes), seen.slopes, 0.0), axis=2).max(axis=0)
    for i, k in np.argwhere(seen.turned).tolist():
        if gaps[kept[k]][0] in held:
            found = _least(model, steps, i, values, kept[k], float(usual[k]))
            if found is not None:
                return found
    return None


def _slopes(model: Model, states: np.ndarray, times, values, rows: list[int]) -> tuple[np.ndarray, np.ndarray]:
    J = gaps_at(model, states, times, values, watching=True).slopes[:, rows]
    J = np.where(np.isfinite(J), J, 0.0)
    return J, np.linalg.norm(J, axis=2)


def _least(model: Model, steps: Steps, i: int, values, row: int, usual: float) -> LostSlope | None:
    """Where within a step the slope of a row is least, if that is nothing."""
    piece, low, high = steps.coefficients[i : i + 1], 0.0, float(steps.times[i + 1] - steps.times[i])
    k, places, states, size = 0, np.zeros(1), piece[:, :, 0], np.full(1, np.inf)
    for _ in range(ROUNDS):
        places = np.linspace(low, high, PLACES)
        states = horner(np.repeat(piece, PLACES, axis=0), places)
        size = _slopes(model, states, steps.times[i] + places, values, [row])[1][:, 0]
        k = int(np.argmin(size))
        low, high = places[max(k - 1, 0)], places[min(k + 1, PLACES - 1)]
    if not size[k] < LOST * usual:
        return None
    return LostSlope(i, float(steps.times[i] + places[k]), states[k], row_told(model, row))
