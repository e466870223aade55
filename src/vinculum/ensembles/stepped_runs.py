"""Runs with contact by time stepping, posed as `simulate` poses them."""

from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.ensembles.by_type import TOGETHER
from vinculum.ensembles.run_by_run import run_by_run
from vinculum.ensembles.runs import Runs
from vinculum.errors import StartError
from vinculum.integrators.sources import smooth_steps
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.models.model import Model
from vinculum.motion.method import STEPPED
from vinculum.motion.problem import Problem, StepSource
from vinculum.simulation.by_type import RUNS, Prepared, Watched
from vinculum.simulation.options import Options


def stepped_runs(system: Any, model: Model, options: Options, states, values, instants, threads: int) -> Runs:
    """Runs on a grid. All starts are checked before the first run. Runs that are taken together do not locate impacts; those that applied
    impulses strike are not taken together."""
    together = TOGETHER.answers_for(model) and not model.layout.impulses
    if together:
        options = replace(options, impacts=STEPPED)

    def problem(k: int) -> Problem:
        return _problem(system, model, options, k, states[k], values[k])

    taken = None
    if options.step is not None and together:
        taken = TOGETHER.of(model).take(problem(0), states, instants, threads, problem)
    problems = {int(k): problem(k) for k in (range(len(states)) if taken is None else taken.left.tolist())}

    def steps_of(k: int) -> StepSource:
        return smooth_steps(problems[k], LimitWatch(problems[k]))

    return run_by_run(model, steps_of, states, values, options.begin, instants, threads, taken)


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
