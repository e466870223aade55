"""Stalled runs: their steps shrink without bound before an instant that they do not pass."""

from collections import deque
from typing import final

import numpy as np

from vinculum.integrators.watch.loops import end_state
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.sizes import NUMBERS_LISTED
from vinculum.tolerances.watch import ADVANCED, HOPELESS, LAST_STEPS, SHRUNK


def crawling(problem: Problem, count: int, t: float) -> str | None:
    """Message if a run makes no progress: a thousand steps have covered less than 1e-10 of it."""
    done, span = t - problem.begin, problem.until - problem.begin
    if count < LAST_STEPS or done > HOPELESS * span:
        return None
    more = count * span / max(done, np.finfo(float).tiny)
    return (
        f"its first {count} steps are {done / count:.1e} s long and the {span:g} s would take {more:.0e} of them: forces are "
        "too stiff for this method, for example from a penalty or friction with a very large coefficient; use a smaller coefficient, "
        "a realization that keeps the constraint, such as vc.DAlembert(), or method='idas'"
    )


@final
class StallWatch:
    """Checks whether the last thousand steps of a run are shorter than a millionth of its largest step and make no progress."""

    def __init__(self, problem: Problem):
        self._problem, self._largest = problem, 0.0
        self._edges: deque[float] = deque(maxlen=LAST_STEPS + 1)

    def failure(self, steps: Steps, full: str | None) -> str | None:
        """Why the run has to end after these steps, or None; ``full``: message that no more steps can be stored."""
        if not len(steps.coefficients):
            return full
        self._largest = max(self._largest, float(np.diff(steps.times).max()))
        self._edges.extend(steps.times[1:].tolist() if self._edges else steps.times.tolist())
        advance, elapsed = self._edges[-1] - self._edges[0], self._edges[-1] - self._problem.begin
        if len(self._edges) <= LAST_STEPS or advance / LAST_STEPS > SHRUNK * self._largest:
            return full
        if full is None and advance > ADVANCED * elapsed:
            return None
        return (
            f"near t = {self._edges[-1]:.9g} s its steps have shrunk to {advance / LAST_STEPS:.1e} s, at {self._where(steps)}: the "
            "equations are singular there, for example where rows of a constraint vanish or depend on each other, or where bodies meet"
        )

    def _where(self, steps: Steps) -> str:
        count, state = self._problem.model.nq, end_state(steps)
        q, v = (
            ", ".join(f"{x:.6g}" for x in part[:NUMBERS_LISTED]) + ", …" * (len(part) > NUMBERS_LISTED)
            for part in (state[:count], state[count:])
        )
        return f"q = [{q}], v = [{v}]"
