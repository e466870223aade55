"""Parts of a motion between changes of chart, and the coordinates shown to the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.models.model import Model
from vinculum.motion.pieces import horner
from vinculum.screws import chart as chart_of
from vinculum.screws.sheets import continued_coordinates, nearest_coordinates, product, quaternions

PLACES = np.array([0.0, 0.25, 0.5, 0.75])


@final
@dataclass(frozen=True, eq=False)
class ChartChange:
    """A change of base before the step number ``step``: coordinates ``before`` and ``after`` it, (nq,), and all bases, (4 J,)."""

    time: float
    before: np.ndarray
    after: np.ndarray
    base: np.ndarray
    step: int = 0

    def row(self) -> np.ndarray:
        """All numbers in one row, to be stored."""
        return np.concatenate([[self.step, self.time], self.before, self.after, self.base])

    @classmethod
    def of_row(cls, row: np.ndarray, nq: int) -> "ChartChange":
        """The change that was stored as this row."""
        before, after, base = np.split(row[2:], [nq, 2 * nq])
        return cls(float(row[1]), before, after, base, int(row[0]))


def row_width(model: Model) -> int:
    """Length of a stored row; 0 for a model whose charts never change."""
    count = len(base_places(model))
    return 2 + 2 * model.nq + count if count else 0


def base_places(model: Model) -> list[int]:
    """Where the bases stand among the model's parameters, four for every joint that has one."""
    names = model.parameter_names
    return [names.index(name) for entry in model.layout.charts for name in entry.base]


def stretch_at(changes: Sequence[ChartChange], time: np.ndarray, side: str = "right") -> np.ndarray:
    """How many changes came before each instant, with ``side="right"`` up to it, (T,)."""
    return np.searchsorted([change.time for change in changes], time, side="right" if side == "right" else "left")


def stretch_of(changes: Sequence[ChartChange], steps: np.ndarray) -> np.ndarray:
    """How many changes came before each step, (B,)."""
    return np.searchsorted([change.step for change in changes], steps, side="right")


def parameter_rows(model: Model, changes: Sequence[ChartChange], values: np.ndarray, stretch: np.ndarray) -> np.ndarray:
    """Rows (B, p) of parameters with the bases of each stretch; ``values``: (p,), those of the start."""
    table = np.repeat(values[None], len(changes) + 1, axis=0)
    table[1:, base_places(model)] = [change.base for change in changes]
    return table[stretch]


def jumps(changes: Sequence[ChartChange], stretch: np.ndarray) -> np.ndarray:
    """What the changes up to each stretch have added to the coordinates, (B, nq)."""
    each = np.array([change.after - change.before for change in changes])
    return np.concatenate([np.zeros((1, each.shape[1])), np.cumsum(each, axis=0)])[stretch]


def in_users_charts(motion: Any, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """States (T, n) at instants of a motion with all joints in their users' charts.

    Of the numbers that name a rotation there, those that continue the motion are given, whatever the instants.
    """
    changes: Sequence[ChartChange] = motion.changes
    result, later = states.copy(), stretch_at(changes, time) > 0
    if not later.any():
        return result
    rows = parameter_rows(motion.model, changes, motion.values, stretch_at(changes, time[later]))
    names = motion.model.parameter_names
    samples, steps, instants = _sample_coordinates(motion)
    place = np.clip(np.searchsorted(instants, time[later], side="right") - 1, 0, None)
    sample_rows = parameter_rows(motion.model, changes, motion.values, stretch_of(changes, steps))
    for entry in motion.model.layout.charts:
        if entry.base:
            chart, own, bases = chart_of(entry.chart), slice(*entry.q), [names.index(n) for n in entry.base]
            path = continued_coordinates(
                chart, _attitudes(chart, sample_rows[:, bases], samples[:, own]), changes[0].before[own]
            )
            result[later, own] = nearest_coordinates(
                chart, _attitudes(chart, rows[:, bases], states[later, own]), path[place]
            )
    return result


def _attitudes(chart, base: np.ndarray, c: np.ndarray) -> np.ndarray:
    q = product(base, quaternions(chart, c))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def _sample_coordinates(motion: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates at four places of every step after the first change, the numbers of their steps, and the instants."""
    nq, first, number, found = motion.model.nq, motion.changes[0].step, 0, []
    for edges, coefficients in motion.pieces.blocks():
        steps = np.repeat(np.arange(len(coefficients)), len(PLACES))
        local = (np.diff(edges)[:, None] * PLACES).ravel()
        chosen = steps + number >= first
        steps, local = steps[chosen], local[chosen]
        found.append((horner(coefficients[steps, :nq], local), steps + number, edges[steps] + local))
        number += len(coefficients)
    q, steps, times = (np.concatenate(part) for part in zip(*found, strict=True))
    return q, steps, times
