"""Stalled runs: their steps shrink without bound before an instant that they do not pass."""

from collections import deque
from typing import final

import numpy as np

from vinculum.integrators.watch.loops import end_state
from vinculum.motion.problem import Problem, Steps
from vinculum.tolerances.sizes import NUMBERS_LISTED
from vinculum.tolerances.watch import ADVANCED, HOPELESS, LAST_STEPS, SHRUNK


def crawling(problem: Problem, count: int, t: float) -> str | None:
    """That a run gets nowhere: a thousand steps have done less than 1e-10 of it."""
    done, span = t - problem.begin, problem.until - problem.begin
    if count < LAST_STEPS or done > HOPELESS * span:
        return None
    more = count * span / max(done, np.finfo(float).tiny)
    return (
        f"its first {count} steps are {done / count:.1e} s long and the {span:g} s would take {more:.0e} of them: forces are "
        "too stiff for this method, as with a penalty or a friction with a very large coefficient; use a smaller one, a realization that "
        "keeps the constraint, such as vc.DAlembert(), or method='idas'"
    )


@final
class StallWatch:
    """Looks at the last thousand steps of a run: whether they are less than a millionth of its largest and get nowhere."""

    def __init__(self, problem: Problem):
        self._problem, self._largest = problem, 0.0
        self._edges: deque[float] = deque(maxlen=LAST_STEPS + 1)

    def failure(self, steps: Steps, full: str | None) -> str | None:
        """Why the run shall end after these steps, or None; ``full``: that there is no room for more of them."""
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
            "equations are singular there, as where rows of a constraint vanish or depend on each other, or bodies meet"
        )

    def _where(self, steps: Steps) -> str:
        count, state = self._problem.model.nq, end_state(steps)
        q, v = (
            ", ".join(f"{x:.6g}" for x in part[:NUMBERS_LISTED]) + ", …" * (len(part) > NUMBERS_LISTED)
            for part in (state[:count], state[count:])
        )
        return f"q = [{q}], v = [{v}]"
