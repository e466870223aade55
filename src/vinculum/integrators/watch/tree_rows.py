"""Rows of closed loops and constraints of bodies, whose Jacobian is monitored during a run."""

from collections.abc import Callable
from typing import final

import numpy as np

from vinculum.integrators.watch.troubled_conditions import dependent_ones, row_told
from vinculum.integrators.watched_rows import WatchedRows
from vinculum.models.conditions.closed_loops import changed_coordinates, least_changes_per_unit, move
from vinculum.models.conditions.gaps import gap_places, gaps_at
from vinculum.models.one_unit import is_displacement
from vinculum.motion.problem import Problem


@final
class TreeRows(WatchedRows):
    """Gaps of closing joints and rows of constraints of a system of bodies; ``given``: parameters as a function of time, if they change."""

    def __init__(self, problem: Problem, given: Callable[[np.ndarray], np.ndarray] | None = None):
        self.model, self._problem, self._given = problem.model, problem, given
        layout = self.model.layout
        self.rank, self._kept, self._levels = layout.rank, layout.kept, np.array(layout.levels)
        self.tape = self.model.tape("closures")
        of = self.tape.slices(self.tape.outputs)
        self.residuals = np.concatenate([np.arange(of[name].start, of[name].stop) for name in ("gaps", "gap_rates")])
        self.own = np.array(self._kept) + len(self._levels) * (self._levels[self._kept] > 0)

    def jacobians(self, states: np.ndarray, times) -> np.ndarray:
        values = self._problem.parameters if self._given is None else self._given(np.broadcast_to(times, len(states)))
        return gap_places(self.model).jacobians(states, times, values)

    def turns(self) -> np.ndarray:
        return ~is_displacement(self.model.layout)

    def corrections(self, state: np.ndarray, t: float) -> Callable[[np.ndarray], np.ndarray]:
        model, values = self.model, self._problem.parameters
        at = gaps_at(model, state[None], t, values)
        on_places, on_speeds = np.flatnonzero(self._levels == 0), np.flatnonzero(self._levels < 2)
        of_rates = least_changes_per_unit(at.jacobians[:, on_speeds], at.mass, self.rank)[0]
        same = len(on_places) == len(on_speeds)
        of_gaps = of_rates if same else least_changes_per_unit(at.jacobians[:, on_places], at.mass, self.rank)[0]

        def change(found: np.ndarray) -> np.ndarray:
            gaps, rates = found.reshape(2, -1) / at.sizes[0]
            result = np.zeros(model.nq + model.nv)
            if len(on_places):
                along = -of_gaps @ gaps[on_places]
                result[: model.nq] = changed_coordinates(model, state[None], along[None], values)[0]
            result[model.nq :] = -of_rates @ rates[on_speeds]
            return result

        return change

    def drift(self, state: np.ndarray, dt: np.ndarray) -> np.ndarray:
        states = np.repeat(state[None], len(dt), axis=0)
        return move(self.model, states, dt[:, None] * state[self.model.nq :], self._problem.parameters)

    def names(self) -> list[str]:
        return [row_told(self.model, i) for i in self._kept]

    def of_constraints(self) -> np.ndarray:
        layout = self.model.layout
        return np.array([layout.gaps[i][0] in layout.constraints for i in self._kept])

    def subject(self, state: np.ndarray, t: float) -> str:
        return dependent_ones(self.model, state, t, self._problem.parameters)
