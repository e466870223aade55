"""Adaptive Taylor series by heyoka: machine precision, dense output, events on the series."""

import sys
import time as clock
from typing import Any, NamedTuple

import numpy as np

from vinculum.compile.evaluate import evaluate
from vinculum.compile.tape import Tape
from vinculum.compile.targets.heyoka import heyoka
from vinculum.errors import MethodError
from vinculum.integrators.taylor.careful import Careful
from vinculum.integrators.taylor.integrator_cache import Code, drop_idle, integrator_for, keep
from vinculum.integrators.taylor.listener import Listener
from vinculum.integrators.taylor.loop import SeriesLoop
from vinculum.integrators.watch.charts import ChartWatch, split_at_chart
from vinculum.integrators.watch.crossings import soonest_return, with_last_crossings
from vinculum.integrators.watch.loops import LoopWatch, cut, end_state
from vinculum.integrators.watch.modes import modes_at
from vinculum.integrators.watch.singular_passages import pass_singular
from vinculum.motion.events import Crossing
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.sizes import LARGEST_CHUNK, LARGEST_CHUNK_OF_CHARTS, SECONDS_PER_CHUNK
from vinculum.tolerances.steps import LEAST_SIZE, LITTLE_CHANGE, LITTLE_TIME, NO_ADVANCE
from vinculum.tolerances.time import CLOCK_RESOLUTION

BYTES_PER_CHUNK = 6 << 20
"""Steps are written faster if they fit into the processor's cache."""
BYTES_PER_CHUNK_OF_LOOP = 16 << 20
SECONDS_PER_STEP = 2e-8
COMPACT_ABOVE = 100
LARGEST_IN_LINE = 400
SECONDS_WORTH_COMPILING = 60.0
FEW_ENOUGH = 10_000
"""Number of steps below which optimizing a phase's equations does not pay: it takes some 15 000 times as long as it saves in one step."""
FIRST_CHUNK_OF_PLACES, FIRST_CHUNK_OF_RATES = 8, 64
"""Steps before the conditions are first checked: few for conditions on positions, more for conditions on velocities alone."""
GROWTH = 16
MOST_COPIED = 256
"""Steps in one call whose coefficients are copied one by one in less time than heyoka's dense output takes to begin."""
PART_OF_FLIGHT = 0.3
FEW_STEPS = 4  # the integrator may take a step of zero length where a stopping event begins at zero


def taylor_steps(problem: Problem) -> StepSource:
    """The steps of a run, in chunks of about a tenth of a second of work.

    By default the series are compiled quickly. They are compiled again as straight-line code if the run is long enough for that to pay.
    """
    in_line = problem.thorough or len(problem.tape.code) <= COMPACT_ABOVE
    later = problem.thorough is None and not in_line and _size_in_line(problem.tape) <= LARGEST_IN_LINE
    where: tuple[float, np.ndarray] | None = (problem.begin, problem.state)
    if problem.is_phase and not problem.thorough:
        where = yield from _with_compiled(problem, *where, Code(in_line, optimized=False), Patience(FEW_ENOUGH))
    if where is not None:
        where = yield from _with_compiled(
            problem, *where, Code(in_line), Patience(seconds=SECONDS_WORTH_COMPILING if later else np.inf)
        )
    if where is not None:
        yield from _with_compiled(problem, *where, Code(in_line=True), Patience())


class Patience(NamedTuple):
    """The steps and seconds that the rest of a run may take before other code pays.

    Steps are counted once, after the first chunk. No clock decides the length of that chunk, so that the same run has the same bits.
    """

    steps: float = np.inf
    seconds: float = np.inf


def _with_compiled(problem: Problem, t: float, state: np.ndarray, code: Code, patience: Patience):
    """Yield steps from a state; returns the instant and state reached if the rest of the run would exceed ``patience``."""
    key, (ta, loop, listener) = integrator_for(problem, code)
    listener.listen(problem)
    _place(ta, listener, problem, t, state)
    try:
        return (yield from _propagate(ta, loop, listener, problem, patience))
    finally:
        listener.problem = None
        keep(key, (ta, loop, listener))


def _size_in_line(tape: Tape) -> int:
    """Number of operations whose work grows with the square of the order."""
    return sum(name not in ("add", "sub", "neg") for name, _, _ in tape.rows())


def _place(ta, listener: Listener, problem: Problem, t: float, state: np.ndarray) -> None:
    """Set the integrator to a state at an instant, with the modes of that state."""
    if ta.with_events:
        ta.reset_cooldowns()
    ta.time = t
    ta.state[:] = state
    if problem.tape.is_piecewise():
        listener.modes = modes_at(problem.tape, state, t, problem.parameters)
    listener.set_parameters(ta)


def _propagate(ta, loop: SeriesLoop | None, listener: Listener, problem: Problem, patience: Patience):
    since, first = clock.perf_counter(), ta.time
    limit = _within(SECONDS_PER_CHUNK / (SECONDS_PER_STEP * (50 + len(problem.tape.code))), LARGEST_CHUNK)
    careful, loops, charts = Careful(problem), LoopWatch(problem), ChartWatch(problem)
    if loops.singular is not None:
        limit = FIRST_CHUNK_OF_PLACES if loops.of_places else FIRST_CHUNK_OF_RATES
    room = BYTES_PER_CHUNK if loop is None else BYTES_PER_CHUNK_OF_LOOP
    order = ta.order
    fitting = _within(room // (8 * len(problem.state) * (order + 1)), LARGEST_CHUNK)
    largest = min(LARGEST_CHUNK_OF_CHARTS, fitting) if charts.needed else fitting
    bounds = careful.bounds(order)
    patience = Patience() if loops.singular is not None or charts.needed else patience
    begun = charts.start(problem.begin, problem.state)
    if begun is not None:
        yield begun[1]
        _place(ta, listener, problem, problem.begin, begun[0])
    while True:
        began, t, state = clock.perf_counter(), ta.time, ta.state.copy()
        few = min(limit, largest)
        longest, most = (_short_step(problem, state, t), FEW_STEPS) if listener.lingers else (np.inf, few)
        lingered, listener.lingers = listener.lingers, False
        ahead = (careful.until(t), most, min(careful.longest, longest), bounds)
        try:
            made = _advance(ta, loop, t, *ahead)
        except ValueError:
            # heyoka compiles its dense output in every call, and did not find the code in a process full of compiled systems
            drop_idle()
            listener.go_back_to(t)
            _place(ta, listener, problem, t, state)
            made = _advance_again(ta, loop, t, *ahead)
        if lingered and ta.with_events:
            ta.reset_cooldowns()  # the cooldown of a root with zero slope may have any length
        crossings, switches = listener.take()
        every = _steps_of(ta, listener, problem, made, t, crossings)
        steps, near = split_at_chart(charts, every)
        doubtful = careful.too_long(steps) if made.long else None
        if doubtful is None:
            doubtful = careful.first_doubtful(steps, switches)
            doubtful = doubtful if doubtful is not None and careful.shorten(steps, doubtful) else None
        if doubtful is not None:
            listener.go_back_to(float(steps.times[doubtful]))
            _place(ta, listener, problem, float(steps.times[doubtful]), steps.coefficients[doubtful, :, 0])
            yield cut(steps, doubtful)
            continue
        met = loops.find_encounter(steps)
        if met is not None:
            limit = _within(2 * met.step, limit)  # steps after the next singular position would be discarded
            steps, beyond, state = pass_singular(problem, loops, steps, met, np.array(ta.pars))
            steps = steps if steps.failure or beyond < met.instant else with_last_crossings(problem, steps)
            listener.go_back_to(float(steps.times[-2]) if beyond > met.instant else beyond)
            _place(ta, listener, problem, beyond, state)
            yield steps
            if steps.failure or steps.stopped or beyond >= problem.until:
                return
            continue
        if loops.needed:
            good = loops.fresh(steps)
            if good < len(steps.coefficients):
                steps, near = cut(steps, good), None
                listener.go_back_to(float(steps.times[-1]))
                _place(ta, listener, problem, float(steps.times[-1]), end_state(steps))
            if longest == np.inf:  # steps that are short for another reason do not bound the decay rate of gaps
                loops.settle(steps)
                listener.set_parameters(ta)
            sound = loops.sound(steps)
            steps = sound if sound.failure else steps
        yield steps
        if near is not None and not steps.failure:
            begin = float(every.times[near])
            state, told = charts.change_charts(begin, every.coefficients[near, :, 0])
            yield told
            if told.failure:
                return
            listener.go_back_to(begin)
            _place(ta, listener, problem, begin, state)
            continue
        if steps.failure or listener.stopped or ta.time >= problem.until:
            return
        if ta.time == t and np.array_equal(ta.state, state):
            yield Steps(
                np.array([t]), np.empty((0, len(state), 1)), [], [], f"the run cannot continue from t = {t:.9g} s"
            )
            return
        so_far = (clock.perf_counter() - since) / max(ta.time - first, sys.float_info.min)
        more = len(steps.coefficients) * (problem.until - ta.time) / max(ta.time - first, sys.float_info.min)
        if so_far * (problem.until - ta.time) > patience.seconds or more > patience.steps:
            return ta.time, ta.state.copy()
        patience = patience._replace(steps=np.inf)
        spent = max(clock.perf_counter() - began, CLOCK_RESOLUTION)
        limit = _within(limit * SECONDS_PER_CHUNK / spent, min(GROWTH * limit, LARGEST_CHUNK))


def _within(count: float, most: int) -> int:
    """A number of steps, at least sixteen if so many are allowed."""
    return int(min(max(count, 16), most))


def _short_step(problem: Problem, state: np.ndarray, t: float) -> float:
    """A length [s] over which almost nothing changes."""
    rates = evaluate(problem.tape, problem.rows(state[None], np.array([t])))[0]
    fastest, size = np.abs(rates).max(initial=0.0), max(np.abs(state).max(initial=0.0), LEAST_SIZE)
    little = LITTLE_CHANGE * size / fastest if fastest > 0.0 else np.inf
    return min(
        LITTLE_TIME * (problem.until - problem.begin), little, PART_OF_FLIGHT * soonest_return(problem, state, t)
    )


class _Made(NamedTuple):
    """The result of one call of an integrator: whether it used up its steps, whether the state is finite, edges and coefficients.

    ``long``: some step may be too long. ``lost``: beginning of the first series that is not finite; it and all later ones are left out.
    """

    exhausted: bool
    finite: bool
    times: np.ndarray
    coefficients: np.ndarray
    long: bool = True
    lost: float | None = None


def _advance(ta, loop: SeriesLoop | None, t: float, until: float, most: int, longest: float, bounds: tuple) -> _Made:
    """Steps from ``t``, where the integrator is, toward ``until``; by the loop if there is one."""
    if loop is not None:
        finite, long, times, coefficients = loop(t, until, most, longest, *bounds)
        ta.time = float(times[-1])
        return _Made(finite and len(coefficients) == most, finite, times, coefficients, long)
    outcomes = heyoka().taylor_outcome
    take = _with_copies if most <= MOST_COPIED and not ta.with_events else _with_dense_output
    outcome, times, coefficients = take(ta, t, until, most, longest)
    # A state that is not finite stays so.
    whole = np.all(np.isfinite(coefficients[:, :, 0] + coefficients[:, :, -1]), axis=1)
    keep = len(whole) if whole.all() else int(np.argmin(whole))
    lost = None if keep == len(whole) else float(times[keep])
    return _Made(outcome == outcomes.step_limit, outcome != outcomes.err_nf_state, times[: keep + 1],
                 coefficients[:keep], lost=lost)  # fmt: skip


def _advance_again(*asked) -> _Made:
    """The same once more, after a call that heyoka did not finish."""
    try:
        return _advance(*asked)
    except ValueError as error:
        raise MethodError(
            f"heyoka could not compile what a run by Taylor series needs ({error}); use method='dop853', or a new process"
        ) from error


def _with_dense_output(ta, t: float, until: float, most: int, longest: float) -> tuple[Any, np.ndarray, np.ndarray]:
    """Outcome, edges and coefficients of steps, from heyoka's dense output, which compiles a function in every call."""
    result = ta.propagate_until(until, max_steps=most, c_output=True, max_delta_t=longest)
    output = result[4]
    if output is None or not output.n_steps:
        return result[0], np.array([t]), np.empty((0, len(ta.state), 1))
    return result[0], np.array(output.times), np.asarray(output.tcs)


def _with_copies(ta, t: float, until: float, most: int, longest: float) -> tuple[Any, np.ndarray, np.ndarray]:
    """The same, by a copy of the coefficients after every step."""
    times, series = [t], []

    def copy(ta) -> bool:
        times.append(ta.time)
        series.append(ta.tc.copy())
        return True

    outcome = ta.propagate_until(until, max_steps=most, max_delta_t=longest, write_tc=True, callback=copy)[0]
    return outcome, np.array(times), np.array(series) if series else np.empty((0, len(ta.state), 1))


def _steps_of(ta, listener: Listener, problem: Problem, made: _Made, t: float, crossings: list[Crossing]) -> Steps:
    """The steps of one call of the integrator, with a failure message if they must be the last."""
    failure = listener.chatter
    collapsed = made.exhausted and ta.time - t <= NO_ADVANCE * max(abs(t), problem.until - problem.begin)
    if collapsed:
        failure = f"the step size collapsed near t = {ta.time:.9g} s: the motion meets a singularity there"
    if made.lost is not None:
        failure = failure or f"the state stopped being finite near t = {made.lost:.9g} s"
    if not made.finite:
        failure = f"the state stopped being finite after t = {made.times[-1]:.9g} s"
    return Steps(
        made.times,
        made.coefficients,
        crossings,
        [],
        failure,
        listener.stopped,
        expanded=made.finite and not collapsed and listener.chatter is None,
    )
