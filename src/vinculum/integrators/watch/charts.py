"""Rotation charts during a run: near a singularity a joint's chart gets another reference attitude."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.integrators.watch.loops import cut
from vinculum.models.layout import ChartEntry
from vinculum.motion.chart_changes import ChartChange, base_places
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.screws import chart as chart_of
from vinculum.screws import conjugate, quaternion_product, unit_quaternion
from vinculum.tolerances.rank import CHART_CHANGES, CHART_FRESH, CHART_HALFWAY, CHART_LOST
from vinculum.tolerances.sizes import CHANGES_LISTED

PLACES = (0.25, 0.5, 0.75, 1.0)


@final
class ChartWatch:
    """Handles rotation charts between the chunks of a run."""

    def __init__(self, problem: Problem):
        self._problem = problem
        self._charts = problem.model.layout.charts
        self.needed = bool(self._charts)
        self._names = problem.model.parameter_names
        self._count = 0

    def good(self, steps: Steps) -> int:
        """How many of the steps keep all charts away from their singularities.

        A step that begins in a fresh chart always counts as good, so every change is followed by a step.
        """
        if not self.needed or not len(steps.coefficients):
            return len(steps.coefficients)
        h, bad = np.diff(steps.times), np.zeros(len(steps.coefficients), dtype=bool)
        for entry in self._charts:
            chart, c = chart_of(entry.chart), steps.coefficients[:, slice(*entry.q)]
            least = np.min([chart.condition(horner(c, place * h)) for place in PLACES], axis=0)
            if self._movable(entry):
                bad |= ~(least >= CHART_CHANGES) & ~(chart.condition(c[:, :, 0]) > CHART_FRESH)
            else:
                bad |= ~(least >= CHART_LOST)
        return int(np.argmax(bad)) if bad.any() else len(bad)

    def start(self, t: float, state: np.ndarray) -> tuple[np.ndarray, Steps] | None:
        """The change before the first step, for a start near a singularity."""
        near = any(
            self._movable(entry) and chart_of(entry.chart).condition(state[slice(*entry.q)]) < CHART_CHANGES
            for entry in self._charts
        )
        return self.change_charts(t, state) if near else None

    def change_charts(self, t: float, state: np.ndarray) -> tuple[np.ndarray, Steps]:
        r"""The state at t in fresh charts, and steps of zero length that record the change.

        .. math:: R_{base}' = R_{base}\,R(q)\,R(q_{center})^{-1}, \qquad q' = q_{center}
        """
        problem, after, log = self._problem, state.copy(), []
        where = [chart_of(entry.chart).condition(state[slice(*entry.q)]) for entry in self._charts]
        movable = [(c, entry) for c, entry in zip(where, self._charts, strict=True) if self._movable(entry)]
        limit = CHART_HALFWAY if any(c <= CHART_HALFWAY for c, _ in movable) else CHART_FRESH
        for _, entry in (pair for pair in movable if pair[0] <= limit):
            chart, own = chart_of(entry.chart), slice(*entry.q)
            places = [self._names.index(name) for name in entry.base]
            turn = quaternion_product(problem.parameters[places], chart.quaternion(state[own]))
            problem.parameters[places] = unit_quaternion(
                quaternion_product(turn, conjugate(chart.quaternion(chart.center)))
            )
            after[own] = chart.center
            log += self._remark(entry, t)
        if np.array_equal(after, state):
            fixed = [(c, i) for i, c in enumerate(where) if not self._movable(self._charts[i])]
            return state, self._ending(t, state, self._refusal(self._charts[min(fixed)[1]], t))
        nq = problem.model.nq
        change = ChartChange(t, state[:nq].copy(), after[:nq].copy(), problem.parameters[base_places(problem.model)])
        return after, replace(self._ending(t, state, None), log=log, change=change)

    def _movable(self, entry: ChartEntry) -> bool:
        return bool(entry.base) and entry.joint not in self._problem.shown

    def _ending(self, t: float, state: np.ndarray, failure: str | None) -> Steps:
        return Steps(np.array([t]), np.empty((0, len(state), 1)), failure=failure)

    def _remark(self, entry: ChartEntry, t: float) -> list[str]:
        self._count += 1
        if self._count > CHANGES_LISTED:
            return []
        further = "; further changes are not listed" if self._count == CHANGES_LISTED else ""
        return [f"joint '{entry.joint}': changed chart near a singularity of '{entry.chart}' at t = {t:.9g} s{further}"]

    def _refusal(self, entry: ChartEntry, t: float) -> str:
        looks = "a drive" if not entry.base else "an event"
        return (
            f"joint '{entry.joint}' comes near a singularity of its chart '{entry.chart}' at t = {t:.9g} s, and "
            f"{looks} uses its coordinates, so the chart cannot be changed; use chart='quaternion', or use its body instead"
        )


def split_at_chart(charts: ChartWatch, steps: Steps) -> tuple[Steps, int | None]:
    """The steps before the first one that comes near a singularity, and its number; all steps and None if there is none."""
    good = charts.good(steps)
    return (steps, None) if good == len(steps.coefficients) else (cut(steps, good), good)
