"""Adaptive power series of the projected equations, in Numba: machine precision and dense output without heyoka."""

import math
import time as clock

import numpy as np

from vinculum.derivations.power_series.power_series import failure, rows_of
from vinculum.derivations.power_series.projected import projected_program
from vinculum.errors import MethodError
from vinculum.integrators.taylor.careful import Careful
from vinculum.integrators.watch.charts import ChartWatch, split_at_chart
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.sizes import LARGEST_CHUNK, LARGEST_CHUNK_OF_CHARTS, SECONDS_PER_CHUNK
from vinculum.tolerances.steps import FEWEST_TERMS
from vinculum.tolerances.time import CLOCK_RESOLUTION

FORM = "newton-euler"


def series_order(tolerance: float) -> int:
    """The order that needs the fewest operations for a tolerance, ⌈1 − ½ ln ε⌉. Jorba and Zou, 3.2."""
    return max(FEWEST_TERMS, math.ceil(1.0 - 0.5 * math.log(tolerance)))


def check_smooth(problem: Problem) -> None:
    """Refuse events and switching forces, which a series cannot handle."""
    if problem.events:
        raise MethodError("method 'series' does not watch events; use method='taylor' or 'dop853'")
    switching = projected_program(problem.model, FORM, feedback=True).switching
    if switching:
        raise MethodError(
            f"method 'series' needs smooth forces, and '{problem.model.name}' has {list(switching)} of variables; "
            "use method='taylor' or 'dop853', which locate switches"
        )


def series_steps(problem: Problem) -> StepSource:
    """The steps of a run, in chunks of about a tenth of a second of work."""
    check_smooth(problem)
    return _chunks(problem)


def _chunks(problem: Problem) -> StepSource:
    from vinculum.compile.series.steps import COLLAPSED, DONE, FULL, Program, Sizes, Span, advance

    model, tolerance = problem.model, problem.method.tolerance
    assert tolerance is not None
    order = series_order(tolerance)
    program = projected_program(model, FORM, feedback=True)
    groups = np.array(model.layout.groups, dtype=np.int64)
    careful, charts, t, state, size = Careful(problem), ChartWatch(problem), problem.begin, problem.state, 64
    largest = LARGEST_CHUNK_OF_CHARTS if charts.needed else LARGEST_CHUNK
    begun = charts.start(t, state)
    if begun is not None:
        state = begun[0]
        yield begun[1]
    W = rows_of(program, state, model.nv, problem.parameters, order)
    while True:
        began = clock.perf_counter()
        times, coefficients = np.empty(size + 1), np.empty((size, len(state), order + 1))
        until = careful.until(t)
        W[: len(state), 0] = state
        code = Program(program.code, program.moving, program.tangent, program.results)
        span = Span(t, until, careful.longest)
        sizes = Sizes(model.nq, model.nv, order)
        status, count, where = advance(code, W, sizes, span, groups, tolerance, times, coefficients)
        times, coefficients = times[: count + 1], coefficients[:count]
        reason = None
        if status == COLLAPSED:
            reason = f"the step size collapsed near t = {times[-1]:.9g} s: the motion meets a singularity there"
        elif status not in (DONE, FULL):
            reason = str(failure(program, model.name, status, where, float(times[-1])))
        steps, near = split_at_chart(charts, Steps(times, coefficients, [], [], reason))
        doubtful = careful.first_doubtful(steps, [])
        if doubtful is not None and careful.shorten(steps, doubtful):
            t, state = float(times[doubtful]), coefficients[doubtful, :, 0].copy()
            yield Steps(times[: doubtful + 1], coefficients[:doubtful])
            continue
        yield steps
        if near is not None:
            t = float(times[near])
            state, told = charts.change_charts(t, coefficients[near, :, 0])
            yield told
            if told.failure:
                return
            W = rows_of(program, state, model.nv, problem.parameters, order)
            continue
        t, state = float(times[-1]), W[: len(state), 0].copy()
        if reason or t >= problem.until:
            return
        spent = max(clock.perf_counter() - began, CLOCK_RESOLUTION)
        size = int(np.clip(max(count, 1) * SECONDS_PER_CHUNK / spent, 16, min(4 * size, largest)))
