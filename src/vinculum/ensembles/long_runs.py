"""Runs of models whose equations are not written out."""

from vinculum.ensembles.run_by_run import run_by_run
from vinculum.ensembles.runs import Runs
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.event_driven.given_impulses import with_given_impulses
from vinculum.models.model import Model
from vinculum.motion.method import Method
from vinculum.motion.problem import Problem, StepSource


def long_runs(model: Model, method: Method, states, values, begin: float, instants, threads: int) -> Runs:
    """Runs on a grid, each with its own steps."""
    end = float(instants[instants > begin][-1])

    def steps_of(k: int) -> StepSource:
        problem, steps = Problem(model, method, begin, end, states[k].copy(), values[k]), STEPS.of(model).steps
        return with_given_impulses(problem, steps) if model.layout.impulses else steps(problem)

    return run_by_run(model, steps_of, states, values, begin, instants, threads)
