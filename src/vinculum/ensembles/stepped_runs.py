"""Runs with contact by time stepping: one run at a time on each thread, posed as `simulate` poses it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from vinculum.ensembles.runs import Runs, runs_of
from vinculum.errors import RunError, StartError
from vinculum.integrators.sources import smooth_steps
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.models.model import Model
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem
from vinculum.simulation.by_type import RUNS, Prepared, Watched
from vinculum.simulation.options import Options


def stepped_runs(system: Any, model: Model, options: Options, states, values, instants, threads: int) -> Runs:
    """Runs on a grid; a run that stops has no states from there on."""
    later = instants[instants > options.begin]
    result, steps = np.full((len(states), len(later), states.shape[1]), np.nan), np.zeros(len(states), dtype=np.int64)
    problems = [_problem(system, model, options, k, states[k], values[k]) for k in range(len(states))]
    halted: list[bool] = []

    def run(k: int) -> None:
        try:
            for chunk in smooth_steps(problems[k], LimitWatch(problems[k])):
                if halted:
                    return
                seen = np.flatnonzero((later > chunk.times[0]) & (later <= chunk.times[-1]))
                if len(seen):
                    result[k, seen] = model.on_charts(Pieces(chunk.times, chunk.coefficients).state(later[seen]))
                steps[k] += len(chunk.times) - 1
                if chunk.failure:
                    return
        except RunError:
            return

    try:
        run(0)  # compiles what all runs share
        with ThreadPoolExecutor(max(1, min(threads, len(states) - 1))) as pool:
            list(pool.map(run, range(1, len(states))))
    except KeyboardInterrupt:
        halted.append(True)
    return runs_of(model, options.begin, instants, states, values, result, steps, bool(halted))


def _problem(system: Any, model: Model, options: Options, k: int, state: np.ndarray, values: np.ndarray) -> Problem:
    """The run number k; a start that cannot be is refused with its number."""
    named = dict(zip(model.parameter_names, values.tolist(), strict=True))
    of_type = RUNS.of(model)
    begin, until = float(options.begin), float(options.until)
    prepared = Prepared(system, model, begin, until, state.copy(), values, named, named, Watched())
    try:
        prepared = of_type.check_start(prepared, options)
        return of_type.problem(prepared, of_type.method(prepared, options), options)[0]
    except StartError as error:
        raise StartError(f"run {k}: {error}") from error
