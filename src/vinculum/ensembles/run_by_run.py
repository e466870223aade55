"""Runs whose states are long: one run at a time on each thread."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vinculum.ensembles.by_type import Taken
from vinculum.ensembles.runs import Runs, runs_of
from vinculum.errors import RunError
from vinculum.models.model import Model
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import StepSource


def run_by_run(
    model: Model,
    steps_of: Callable[[int], StepSource],
    states: np.ndarray,
    values: np.ndarray,
    begin: float,
    instants: np.ndarray,
    threads: int,
    taken: Taken | None = None,
) -> Runs:
    """Runs on a grid, each with its own steps; ``steps_of`` returns those of a run by its number. A run that stops has no states from there
    on; where an applied impulse acts, states are those after it. ``taken``: what a loop has done of them before."""
    later = instants[instants > begin]
    result, steps = np.full((len(states), len(later), states.shape[1]), np.nan), np.zeros(len(states), dtype=np.int64)
    halted: list[bool] = []
    left, states = np.arange(len(states)), states.copy()
    if taken is not None:
        result, steps, left = taken.result, taken.steps, taken.left
        halted += [True] * taken.halted

    def run(k: int) -> None:
        struck = False
        try:
            for chunk in steps_of(k):
                if halted:
                    return
                if not len(chunk.coefficients):
                    struck = struck or chunk.atoms is not None
                    if chunk.failure:
                        return
                    continue
                after = later >= chunk.times[0] if struck else later > chunk.times[0]
                if struck and chunk.times[0] == begin:
                    states[k] = np.asarray(chunk.coefficients)[0, :, 0]
                struck = False
                seen = np.flatnonzero(after & (later <= chunk.times[-1]))
                if len(seen):
                    result[k, seen] = model.on_charts(Pieces(chunk.times, chunk.coefficients).state(later[seen]))
                steps[k] += len(chunk.times) - 1
                if chunk.failure:
                    return
        except RunError:
            return

    try:
        for k in left[:1]:
            run(int(k))  # compiles what all runs share
        with ThreadPoolExecutor(max(1, min(threads, len(left) - 1))) as pool:
            list(pool.map(run, left[1:].tolist()))
    except KeyboardInterrupt:
        halted.append(True)
    return runs_of(model, begin, instants, states, values, result, steps, bool(halted))
