"""The steps of a run whose state is long and whose equations are not written out: compiled loops over time."""

import math

import numpy as np

from vinculum.errors import RunError, StartError
from vinculum.integrators.dop853 import lanes as codes
from vinculum.integrators.dop853.coefficients import EXTENDED, POWER
from vinculum.integrators.dop853.dop853 import FAILURES, dense_coefficients
from vinculum.integrators.fixed_step.fixed_step import hermite
from vinculum.integrators.tabled import loops
from vinculum.integrators.tabled.field import TableRates
from vinculum.integrators.tabled.memory import steps_of_a_chunk
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.models.model import Model
from vinculum.models.tabled.rates import table_rates
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.sizes import (
    LARGEST_IN_MEMORY,
    NUMBERS_PER_POINT,
)
from vinculum.tolerances.steps import END_REACHED, LEAST_SIZE, WHOLE_STEPS


def steps_over_tables(problem: Problem, field: TableRates) -> StepSource:
    """The steps of a run in chunks; where the run meets a singularity, the field says what is near."""
    _check_start(problem, field)
    made = _adaptive_steps(problem, field) if problem.method.step is None else _fixed_steps(problem, field)
    signs = None
    for chunk in made:
        if problem.event_tape is not None and len(chunk.coefficients):
            failure = chunk.failure
            chunk, signs = with_crossings(problem, chunk, signs)
            chunk = chunk if chunk.stopped or not failure else _ending(chunk, failure)
        yield chunk
        if chunk.stopped:
            return


def largest_grid(model: Model) -> int:
    """Number of instants, at least two, for which all results of so many bodies fit into memory."""
    return max(2, LARGEST_IN_MEMORY // (8 * NUMBERS_PER_POINT * len(model.layout.bodies)))


def check_grid(model: Model, instants: np.ndarray) -> None:
    """Refuse a grid on which energies and forces of all bodies do not fit into memory."""
    size = 8 * len(instants) * NUMBERS_PER_POINT * len(model.layout.bodies)
    if size > LARGEST_IN_MEMORY and len(instants) > 2:
        raise StartError(
            f"a grid of {len(instants)} instants of {len(model.layout.bodies)} bodies takes {size / 2**30:.1f} GiB once their "
            f"energies and forces are asked for; give a coarser one, such as grid={largest_grid(model)}, and look closer with motion.at"
        )


def _check_start(problem: Problem, field: TableRates) -> None:
    out = np.empty(len(problem.state))
    table_rates(field.tables, np.ascontiguousarray(problem.state), problem.begin, out)
    if not np.all(np.isfinite(out)):
        raise RunError(
            f"the run of '{problem.model.name}' could not start: the forces are not finite{field.nearest(problem.state)}; "
            "start them apart, or use an energy that stays finite there"
        )


def _adaptive_steps(problem: Problem, field: TableRates) -> StepSource:
    n, size, method = len(problem.state), steps_of_a_chunk(len(problem.state)), problem.method
    y, K = problem.state.copy(), np.zeros((EXTENDED, n))
    t, span = problem.begin, problem.until - problem.begin
    table_rates(field.tables, y, t, K[0])
    rate, largest = np.abs(K[0]).max(initial=0.0), np.abs(y).max(initial=0.0)
    h = min(0.01 * max(largest, LEAST_SIZE) / rate if rate > 0.0 else 0.01 * span, 0.1 * span)
    longest = math.inf if method.max_step is None else method.max_step
    groups, log = codes.error_groups(problem.model.layout), _remarks(field)
    while t < problem.until:
        times, starts, F = np.empty(size + 1), np.empty((size, n)), np.empty((size, POWER, n))
        with field.thread_pool(size):
            now, record = codes.Clock(t, problem.until, h, longest), codes.Record(times, starts, F)
            status, steps, t, h = loops.dop853(field.tables, y, now, method.tolerance, groups, K, record)
        failure = None
        if status in FAILURES:
            failure = f"{FAILURES[status].format(t)}{field.nearest(y)}"
        elif status == loops.OPENED:
            failure = f"after t = {t:.9g} s the constraints cannot be kept{field.nearest(y)}; try a smaller tolerance"
        edges = times[: steps + 1].copy()
        yield Steps(edges, dense_coefficients(edges, starts[:steps], F[:steps]), [], log, failure)
        log = []
        if failure:
            return


def _fixed_steps(problem: Problem, field: TableRates) -> StepSource:
    h, n, size = problem.method.step, len(problem.state), steps_of_a_chunk(len(problem.state))
    assert h is not None
    advance = {"rk4": loops.rk4, "verlet": loops.verlet}[problem.method.claims.name]
    span = problem.until - problem.begin
    whole = int(span / h * (1 + WHOLE_STEPS))
    rest = span - whole * h
    every, done, y, log = whole + (rest > WHOLE_STEPS * span), 0, problem.state.copy(), _remarks(field)
    while done < every:
        steps, length = (min(size, whole - done), h) if done < whole else (1, rest)
        begin = problem.begin + done * h
        states, jacobians, start = np.empty((steps, n)), np.empty((steps + 1, n)), y.copy()
        with field.thread_pool(steps):
            taken = advance(field.tables, y, begin, length, states, jacobians)
        times = begin + length * np.arange(taken + 1)
        if done * h + steps * length >= span * (1 - END_REACHED) and taken == steps:
            times[-1] = problem.until
        values = np.concatenate([start[None], states[:taken]])
        failure = None
        if taken < steps:
            near = field.nearest(values[-1])
            failure = f"the state stopped being finite after t = {times[-1]:.9g} s{near}; try a smaller step"
        yield Steps(times, hermite(times, values, jacobians[: taken + 1]), [], log, failure)
        log, done = [], done + taken
        if failure:
            return


def _remarks(field: TableRates) -> list[str]:
    if not field.is_piecewise:
        return []
    return [
        "some force has switches, which a run of many bodies does not locate: steps across them are only as accurate as their error "
        "estimate"
    ]


def _ending(steps: Steps, failure: str) -> Steps:
    return Steps(steps.times, steps.coefficients, steps.crossings, steps.log, failure, steps.stopped)
