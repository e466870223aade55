"""Runs with adaptive steps, by dop853."""

import numpy as np

from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.ensembles.guards import guards
from vinculum.ensembles.runs import Runs, runs_of, shared_work
from vinculum.errors import MethodError
from vinculum.models.model import Model
from vinculum.tolerances.methods import ENSEMBLE_FIRST_STEP
from vinculum.tolerances.rank import CHART_LOST

MAX_STEPS = 10_000_000


def adaptive_runs(model: Model, states, values, begin: float, instants, tolerance: float, threads: int) -> Runs:
    """Runs on a grid, each with its own steps; where there are constraints every step ends on them."""
    from vinculum.compile.calls import Field
    from vinculum.integrators.dop853.lanes import Control, Jobs, Limits, Outcome, error_groups, run_many

    check_smooth(model)
    kernel = compile_tape(model.tape("motion"))
    projection = compile_tape(model.tape("projection")).lanes if model.layout.kept else 0
    count, n = states.shape
    later = instants[instants > begin]
    result = np.full((count, len(later), n), np.nan)
    failed, steps = np.zeros(count, dtype=bool), np.zeros(count, dtype=np.int64)
    first_step = ENSEMBLE_FIRST_STEP * (later[-1] - begin)
    control, guarded = Control(tolerance, error_groups(model.layout), 0.0), guards(model)

    def job(first: int, last: int, halt: np.ndarray) -> None:
        field = Field(kernel.lanes, np.zeros((kernel.tape.n_in, WIDTH)), n)
        starts, parameters = (np.array(part[first:last], order="C") for part in (states, values))
        outcome = Outcome(result[first:last], failed[first:last], steps[first:last])
        limits = Limits(MAX_STEPS, halt, guarded, CHART_LOST)
        run_many(field, projection, Jobs(starts, parameters, begin, later, first_step), control, limits, outcome)

    interrupted = shared_work(count, threads, job)
    return runs_of(model, begin, instants, states, values, result, steps, interrupted)


def check_smooth(model: Model) -> None:
    """Refuse what these runs cannot follow."""
    if model.tape("motion").is_piecewise():
        raise MethodError(f"system '{model.name}' has piecewise forces, whose switches an ensemble does not look for; "
                          "use method='rk4' with a step that resolves them, or simulate run by run")  # fmt: skip
    if model.layout.rank < len(model.layout.kept):
        raise MethodError(
            f"system '{model.name}' has conditions that depend on each other, and an ensemble with method='dop853' cannot take others for "
            "independent on the way; use method='rk4' with a step, or leave redundant ones out"
        )
