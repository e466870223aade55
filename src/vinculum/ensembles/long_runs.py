"""Runs of models whose states are long and whose equations are not written out: one run at a time on each thread."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vinculum.ensembles.runs import Runs, runs_of
from vinculum.errors import RunError
from vinculum.integrators.by_type import STEPS
from vinculum.models.model import Model
from vinculum.motion.method import Method
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem


def long_runs(model: Model, method: Method, states, values, begin: float, instants, threads: int) -> Runs:
    """Runs on a grid, each with its own steps."""
    later = instants[instants > begin]
    result, steps = np.full((len(states), len(later), states.shape[1]), np.nan), np.zeros(len(states), dtype=np.int64)
    halted: list[bool] = []

    def run(k: int) -> None:
        problem = Problem(model, method, begin, float(later[-1]), states[k].copy(), values[k])
        try:
            for chunk in STEPS.of(model).steps(problem):
                if halted:
                    return
                first, last = chunk.times[0], chunk.times[-1]
                seen = np.flatnonzero((later > first) & (later <= last))
                if len(seen):
                    found = Pieces(chunk.times, chunk.coefficients).state(later[seen])
                    result[k, seen] = model.on_charts(found)
                steps[k] += len(chunk.times) - 1
        except RunError:
            return

    try:
        run(0)  # compiles what all runs share
        with ThreadPoolExecutor(max(1, min(threads, len(states) - 1))) as pool:
            list(pool.map(run, range(1, len(states))))
    except KeyboardInterrupt:
        halted.append(True)
    return runs_of(model, begin, instants, states, values, result, steps, bool(halted))
