"""Fixed-step integrators: RK4, velocity Verlet, implicit midpoint; dense output by cubic Hermite interpolation."""

from dataclasses import replace

import numpy as np

from vinculum.compile.calls import Field
from vinculum.compile.evaluate import evaluate
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.width import WIDTH
from vinculum.integrators.fixed_step import lanes as loops
from vinculum.integrators.variables import inward, is_canonical, outward, stepping_field
from vinculum.integrators.watch.charts import ChartWatch, split_at_chart
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.integrators.watch.loops import LoopWatch
from vinculum.integrators.watch.table_ends import departure_ahead
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.sizes import CHUNK_OF_CLOSED_LOOPS, CHUNK_OF_FIXED_STEPS
from vinculum.tolerances.steps import END_REACHED, WHOLE_STEPS

KINDS = {"rk4": loops.RK4, "verlet": loops.VERLET, "midpoint": loops.MIDPOINT}


def fixed_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time."""
    name, model, h = problem.method.claims.name, problem.model, problem.method.step
    kernel = compile_tape(stepping_field(name, model))
    n = problem.tape.n_out
    assert h is not None
    x = np.zeros((kernel.tape.n_in, WIDTH))
    x[n], x[n + 1 :] = problem.begin, problem.parameters[:, None]
    x[:n] = inward(name, model, problem.rows(problem.state[None], np.array([problem.begin]))).T
    span = problem.until - problem.begin
    whole = int(span / h * (1 + WHOLE_STEPS))
    rest = span - whole * h
    loops_watch, charts = LoopWatch(problem), ChartWatch(problem)
    projection = compile_tape(model.tape("projection")).lanes if loops_watch.needed else 0
    broken = np.zeros(WIDTH, dtype=bool)
    redundant = model.layout.rank < len(model.layout.kept)
    chunk_size = CHUNK_OF_CLOSED_LOOPS if redundant or charts.needed else CHUNK_OF_FIXED_STEPS
    every = whole + (rest > WHOLE_STEPS * span)
    state, signs, done = problem.state, None, 0
    log = _remarks(problem)
    begun = charts.start(problem.begin, state)
    if begun is not None:
        state = begun[0]
        x[:n], x[n + 1 :] = state[:, None], problem.parameters[:, None]
        yield begun[1]
    while done < every:
        steps, length = (min(chunk_size, whole - done), h) if done < whole else (1, rest)
        offset = done * h
        begin = problem.begin + offset
        own = np.empty((steps, n, WIDTH))
        field, plan = Field(kernel.lanes, x, n), loops.Plan(KINDS[name], begin, length, steps, 1)
        if loops_watch.needed:
            taken = loops.advance_projected(field, model.nq, plan, projection, own, broken)
        else:
            taken = loops.advance(field, model.nq, plan, own)
        times = begin + length * np.arange(taken + 1)
        if offset + steps * length >= span * (1 - END_REACHED) and taken == steps:
            times[-1] = problem.until
        moved = outward(name, model, problem.rows(own[:taken, :, 0], times[1:]))
        values = np.concatenate([state[None], moved])
        jacobians = evaluate(problem.tape, problem.rows(values, times))
        finite = np.isfinite(values).all(axis=1) & np.isfinite(jacobians).all(axis=1)
        failure = None
        if not finite.all():
            taken = max(int(np.argmin(finite)) - 1, 0)
            failure = departure_ahead(problem, values[taken], float(times[taken]), length)
            failure = failure or f"the state stopped being finite after t = {times[taken]:.9g} s; try a smaller step"
        made = Steps(times[: taken + 1], hermite(times, values, jacobians)[:taken], [], log, failure)
        chunk, near = split_at_chart(charts, made)
        taken = len(chunk.coefficients)
        if problem.event_tape is not None and taken:
            chunk, signs = with_crossings(problem, chunk, signs)
        if loops_watch.needed and taken:
            chunk = loops_watch.check_steps(chunk)
            if broken[0] and not chunk.failure:
                chunk = replace(chunk, failure=f"the conditions can no longer be met after t = {chunk.times[-1]:.9g} s")
            loops_watch.settle(chunk)
            x[n + 1 :] = problem.parameters[:, None]
        yield chunk
        if chunk.failure or chunk.stopped:
            return
        state, log, done = values[taken], [], done + taken
        if near is not None:
            state, told = charts.change_charts(float(made.times[near]), state)
            x[:n], x[n + 1 :] = state[:, None], problem.parameters[:, None]
            yield told
            if told.failure:
                return


def _remarks(problem: Problem) -> list[str]:
    name = problem.method.claims.name
    if problem.method.claims.symplectic and not is_canonical(name, problem.model):
        why = "loops are closed" if problem.model.layout.gaps else "some velocities are not rates of coordinates"
        return [f"{name} is reversible but not symplectic here: {why}"]
    return []


def hermite(times: np.ndarray, values: np.ndarray, jacobians: np.ndarray) -> np.ndarray:
    """Cubic coefficients (S, n, 4) that match values and derivatives at both ends of every step."""
    h = np.diff(times)[:, None]
    a, b, da, db = values[:-1], values[1:], jacobians[:-1], jacobians[1:]
    chord = (b - a) / h
    return np.stack([a, da, (3 * chord - 2 * da - db) / h, (da + db - 2 * chord) / h**2], axis=2)
