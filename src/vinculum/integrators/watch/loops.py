"""Closed loops during a run: round-off in gaps decays, independent combinations are updated, singular positions are detected."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.evaluate import compile_for_again
from vinculum.equations.constraints.closures import STIFFNESS, mixing_name
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.watch.seen_conditions import Seen, seen_along, watching
from vinculum.integrators.watch.singular_positions import Encounter, SingularWatch
from vinculum.integrators.watch.troubled_conditions import list_names, row_told, rows_without_gradient
from vinculum.models.conditions.closed_loops import mix_parameters
from vinculum.models.conditions.gaps import gap_places, gaps_at
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.constraints import LOOP_SAFETY, LOOPS_OPEN, SLIGHTLY_OPEN
from vinculum.tolerances.watch import ENDED, LOOK_AHEAD, SHARE_OF_TROUBLE, SHORT_STEP_OF_LOOPS, STALE, USUAL_DECAY

DECAY = {"taylor": 1.0, "rk4": 0.0, "verlet": 0.0, "midpoint": 0.0}
"""Round-off in the gaps decays by this fraction in a step; methods with fixed steps end each step where all conditions hold."""
UNABLE = "the velocities do not continue uniquely"
OTHERWISE = "this method cannot continue; method='taylor' passes such positions where the motion continues smoothly"


@final
class LoopWatch:
    """Handles loops between the chunks of a run."""

    def __init__(self, problem: Problem):
        self._problem = problem
        self._model = problem.model
        self.needed = bool(problem.model.layout.gaps) and problem.model.layout.rank > 0
        self.of_places = self.needed and 0 in problem.model.layout.levels
        self._names = problem.model.parameter_names
        rows = STEPS.of(problem.model).watched_rows(problem)
        self.singular = None if rows is None else SingularWatch(problem, rows)
        self._longest = 0.0
        self._stiffness = self._names.index(STIFFNESS) if self.needed else -1
        self._open = min(max(LOOP_SAFETY * (problem.method.claimed or 1.0), SLIGHTLY_OPEN), LOOPS_OPEN)
        self._decay = DECAY.get(problem.method.claims.name, USUAL_DECAY)
        if self.needed and problem.thorough:
            compile_for_again(gap_places(problem.model).tape)
        self._seen: tuple[Steps, Seen] | None = None

    def settle(self, steps: Steps) -> None:
        """Set the parameters for the next chunk: the decay rate of round-off, matched to the steps, and the mixing of gaps at the
        present position.
        """
        if not self.needed or not len(steps.coefficients):
            return
        problem, layout = self._problem, self._model.layout
        self._longest = max(self._longest, self._look(steps).longest)
        if self._longest == 0.0:
            return
        problem.parameters[self._stiffness] = min(self._decay / self._longest, problem.quickest)
        if layout.rank == len(layout.kept):
            return
        state = self._look(steps).ends[-1:]
        if np.all(np.isfinite(state)):
            problem.parameters[:] = mix_parameters(self._model, state, steps.times[-1], problem.parameters)[0]

    def fresh(self, steps: Steps) -> int:
        """How many of the steps were taken while the mixing of gaps was still good for their positions."""
        layout = self._model.layout
        kept, rank = layout.kept, layout.rank
        if not self.needed or rank == len(kept) or len(steps.coefficients) < 2:
            return len(steps.coefficients)
        places = [self._names.index(mixing_name(i, j)) for i in range(rank) for j in range(len(kept))]
        P = self._problem.parameters[places].reshape(rank, len(kept))
        at = gaps_at(
            self._model, steps.coefficients[:, :, 0], steps.times[:-1], self._problem.parameters, watching=True
        )
        J = at.jacobians[:, kept]
        mixed_now = np.linalg.svd((P * at.sizes[:, None, kept]) @ J, compute_uv=False)[:, -1]
        stale = mixed_now < STALE * np.linalg.svd(J, compute_uv=False)[:, rank - 1]
        return max(int(np.argmax(stale)), 1) if stale.any() else len(stale)

    def sound(self, steps: Steps) -> Steps:
        """The steps before loops open, or before conditions lose their derivatives while steps become ever shorter; with the reason if
        the run ends.

        Loops open if the mechanism is locked, or if the steps are too long.
        """
        if not self.needed or not len(steps.coefficients):
            return steps
        seen = self._look(steps)
        if seen.worst > self._open:
            k = watching().first_above(seen.violations, self._open)
            kept = cut(steps, k if k or steps.times[0] > self._problem.begin else 1)
            told = self._opening(seen.violations[k], float(steps.times[k + 1]))
            return replace(kept, failure=told, expanded=steps.expanded)
        if seen.longest < SHORT_STEP_OF_LOOPS * self._longest:
            told = rows_without_gradient(self._model, seen.ends[-1], float(steps.times[-1]), self._problem.parameters)
            if told:
                return replace(steps, failure=f"the steps become ever shorter near t = {steps.times[-1]:.9g} s{told}")
        return steps

    def _opening(self, gaps: np.ndarray, t: float) -> str:
        worst = int(np.argmax(gaps))
        what = "the loops opened by {:.2g} of their length"
        if self._model.layout.gaps[worst][0] in self._model.layout.constraints:
            rows = np.flatnonzero(gaps > SHARE_OF_TROUBLE * gaps[worst]).tolist()
            what = f"{list_names([row_told(self._model, i) for i in rows])} came to be violated by {{:.2g}}"
        return (
            f"{what.format(gaps[worst])} near t = {t:.9g} s: the mechanism is locked there, conditions contradict each other, or the steps "
            "are too long; use a smaller tolerance or step"
        )

    def check_steps(self, steps: Steps) -> Steps:
        """The steps of a method without series. They end before a singular position, or before loops open."""
        met = self.find_encounter(steps)
        before = self.sound(steps if met is None else cut(steps, met.step))
        if met is None or before.failure is not None:
            return replace(before, failure=before.failure or steps.failure)
        return self.end_before(steps, met)

    def find_encounter(self, steps: Steps) -> Encounter | None:
        """The first singular position that the steps meet."""
        if self.singular is None or not len(steps.coefficients):
            return None
        return self.singular.find_encounter(steps, self._jacobians(steps))

    def end_before(self, steps: Steps, met: Encounter) -> Steps:
        """The steps before a singular position, with the reason why they are the last."""
        assert self.singular is not None
        last = met.instant - ENDED * met.length
        able = self._problem.method.claims.name == "taylor" or not (met.simple and self.singular.continues(met))
        why = f"{self.singular.text(met)}; from there {UNABLE if able else OTHERWISE}"
        return replace(cut_steps(steps, met.step, last), failure=why)

    def _jacobians(self, steps: Steps) -> np.ndarray:
        """Jacobians (3 S, k, n) at the beginning of each step, a little later, and at its end."""
        assert self.singular is not None
        return self._look(steps).jacobians if self.needed else self.singular.along(steps)

    def _look(self, steps: Steps) -> Seen:
        """The conditions along some steps; they are evaluated once and stored."""
        if self._seen is None or self._seen[0] is not steps:
            self._seen = steps, seen_along(self._model, steps, self._problem.parameters, LOOK_AHEAD)
        return self._seen[1]


def cut_steps(steps: Steps, step: int, end: float) -> Steps:
    """The steps until ``end``, which lies in or before the step number ``step``.

    If that step begins after ``end``, earlier steps are cut; no step is extended.
    """
    while step > 0 and steps.times[step] >= end:
        step -= 1
    end = min(end, float(steps.times[step + 1]))
    if not end > steps.times[step]:
        return cut(steps, step)
    made = cut(steps, step + 1)
    return replace(made, times=np.append(made.times[:-1], end), crossings=[c for c in made.crossings if c.time <= end])


def cut(steps: Steps, count: int) -> Steps:
    """The first ``count`` steps of a chunk, with the crossings in them."""
    times = steps.times[: count + 1]
    return Steps(times, steps.coefficients[:count], [c for c in steps.crossings if c.time <= times[-1]], steps.log)


def end_state(steps: Steps) -> np.ndarray:
    """The state after the last step, (n,)."""
    return horner(steps.coefficients[-1:], np.diff(steps.times[-2:]))[0]
