"""The field of a pair loop, and the methods that can follow it."""

import math
from contextlib import AbstractContextManager
from typing import final

import numpy as np

from vinculum.errors import MethodError
from vinculum.integrators.looped.steps import RatesField
from vinculum.models.looped_rates import field_of_pairs
from vinculum.models.model import Model
from vinculum.models.pair_loop.type import pair_loop_of
from vinculum.models.pair_loop.workspace import PairLoopField
from vinculum.tolerances.sizes import LOOP_ROWS

METHODS = ("dop853", "rk4", "verlet")


@final
class PairRates(RatesField):
    """Rates of mass points; where they are not finite, the nearest pair is named."""

    def __init__(self, model: Model, values: np.ndarray):
        self._model, self._work = model, PairLoopField(pair_loop_of(model), values)
        self.compiled = field_of_pairs(self._work.points, self._work.work, self._work.rest)
        self.is_piecewise = pair_loop_of(model).is_piecewise

    def thread_pool(self, units: int) -> AbstractContextManager:
        return self._work.thread_pool(units)

    def nearest(self, state: np.ndarray) -> str:
        return f"; nearest are {nearest_pair(self._model, state)}"


def nearest_pair(model: Model, state: np.ndarray) -> str:
    """The two nearest bodies, in words."""
    x, names = state[: model.nq].reshape(-1, 3), list(model.layout.bodies)
    best = (math.inf, 0, 0)
    for first in range(0, len(x), LOOP_ROWS):
        rows = x[first : first + LOOP_ROWS]
        squares = ((rows[:, None] - x[None]) ** 2).sum(axis=2)
        squares[np.arange(len(rows)), first + np.arange(len(rows))] = math.inf
        squares = np.where(np.isfinite(squares), squares, math.inf)
        i, j = np.unravel_index(int(np.argmin(squares)), squares.shape)
        best = min(best, (float(squares[i, j]), first + int(i), int(j)))
    _, i, j = best
    i, j = sorted((i, j))
    return f"'{names[i]}' and '{names[j]}', {math.sqrt(best[0]):.3g} m apart"


def check_method(model: Model, name: str) -> None:
    """Refuse methods that need the equations as graphs, and methods that need forces which depend on positions alone."""
    if name not in METHODS:
        raise MethodError(
            f"method '{name}' needs the equations written out, but the {pair_loop_of(model).pairs} pairs of '{model.name}' run as a loop; "
            "use 'dop853', 'rk4' or 'verlet', or fewer bodies"
        )
    if name == "verlet" and pair_loop_of(model).feels_velocity:
        raise MethodError(
            f"method 'verlet' needs forces that depend only on positions in a pair loop, but some of '{model.name}' depend on velocities; "
            "use 'dop853' or 'rk4'"
        )
