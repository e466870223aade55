"""Runs that leave a table, or the range of a root: detection and message."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from vinculum.compile.passes.switches import leaves, play
from vinculum.compile.tape import Tape
from vinculum.compile.targets import arrays
from vinculum.compile.trace import trace
from vinculum.errors import MethodError, StartError
from vinculum.integrators.watch.modes import LEAVES, check_tables, modes_at, switched_of
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps
from vinculum.scalars import Piecewise

AHEAD = (0.0, 0.5, 1.0, 2.0)


@lru_cache(maxsize=64)
def _arguments(tape: Tape) -> tuple[list[Piecewise], Tape | None]:
    """The tables of a tape that have a finite end, and the tape of their arguments."""
    wanted = {name: table for name, table in tape.by_name.items() if np.isfinite([table.low, table.high]).any()}
    if not wanted:
        return [], None
    inputs = leaves(tape)
    values = play(tape.with_outer_values(), inputs)
    looked = [(wanted[name], values[operands[0]]) for name, _, operands in tape.rows() if name in wanted]
    groups, start = {}, 0
    for group, size in tape.inputs:
        if group != "parameters":
            groups[group] = np.array([*inputs[start : start + size], None], dtype=object)[:-1]
        start += size
    levels = trace(groups, {"levels": [x for _, x in looked]}, dict(tape.parameters))
    return [table for table, _ in looked], levels


def departure(tape: Tape, X: np.ndarray, times: np.ndarray) -> tuple[int, str] | None:
    """The first of the rows X (B, n_in) at which an argument is outside its table, and the message for its instant in ``times`` (B,)."""
    tables, arguments = _arguments(tape)
    if arguments is None:
        return None
    levels = arrays.evaluate(arguments, X)
    outside = np.stack([np.isfinite(x) & ~table.holds(x) for table, x in zip(tables, levels.T, strict=True)], axis=1)
    if not outside.any():
        return None
    row = int(np.argmax(outside.any(axis=1)))
    column = int(np.argmax(outside[row]))
    table = tables[column]
    return row, LEAVES.format(times[row], table.name, levels[row, column], table.low, table.high)


def check_start(problem: Problem) -> None:
    """Refuse a start outside a table, or one that leaves a table at once."""
    if not problem.tape.tables and (problem.event_tape is None or not problem.event_tape.tables):
        return
    X, times = problem.rows(problem.state[None], np.array([problem.begin])), np.array([problem.begin])
    for tape in (problem.tape, problem.event_tape):
        found = departure(tape, X, times) if tape is not None and tape.tables else None
        if found:
            raise StartError(f"system '{problem.model.name}': {found[1]}")
    if problem.tape.tables:
        given = problem.state, problem.begin, problem.parameters
        try:
            check_tables(problem.tape, *given, modes_at(problem.tape, *given))
        except MethodError as error:
            raise StartError(f"system '{problem.model.name}': {error}") from error


def departure_ahead(problem: Problem, state: np.ndarray, t: float, step: float) -> str | None:
    """Message for the table that a step from a state leaves, predicted by the rates at its start; None if it leaves none."""
    if not problem.tape.tables:
        return None
    rates = arrays.evaluate(problem.tape.with_outer_values(), problem.rows(state[None], np.array([t])))
    times = t + step * np.array(AHEAD)
    states = state + (times - t)[:, None] * rates
    found = departure(problem.tape, problem.rows(states, times), times)
    return found[1] if found else None


def with_watched_tables(problem: Problem, steps: Steps) -> Steps:
    """The steps, cut off where the argument of an event function leaves one of its tables, because the function has no sign there."""
    tape = problem.event_tape
    if tape is None or not tape.tables or not len(steps.coefficients):
        return steps
    h = np.diff(steps.times)
    times = np.stack([steps.times[:-1] + 0.5 * h, steps.times[1:]], axis=1).ravel()
    local = np.stack([0.5 * h, h], axis=1).ravel()
    found = departure(tape, problem.rows(horner(np.repeat(steps.coefficients, 2, axis=0), local), times), times)
    if found is None:
        return steps
    kept = found[0] // 2
    passed = [c for c in steps.crossings if c.time <= steps.times[kept]]
    return replace(steps, times=steps.times[: kept + 1], coefficients=steps.coefficients[:kept], crossings=passed,
                   failure=f"an event evaluates a table outside its range: {found[1]}", stopped=False)  # fmt: skip


def with_watched_roots(problem: Problem, steps: Steps) -> Steps:
    """The steps, cut off where the forces are not numbers, because a root that is continued beyond a switch has no value before it."""
    if not len(steps.coefficients) or not problem.model.type.has_graphs:
        return steps
    tape = problem.tape
    if not tape.is_piecewise() or not switched_of(tape).continued:
        return steps
    ends = horner(np.asarray(steps.coefficients), np.diff(steps.times))[:, : len(problem.state)]
    lost = ~np.isfinite(arrays.evaluate(tape, problem.rows(ends, steps.times[1:]))).all(axis=1)
    if not lost.any():
        return steps
    kept = int(np.argmax(lost))
    passed = [c for c in steps.crossings if c.time <= steps.times[kept]]
    told = f"the forces are not numbers after t = {steps.times[kept]:.9g} s: a root or a logarithm has no value there"
    return replace(steps, times=steps.times[: kept + 1], coefficients=steps.coefficients[:kept], crossings=passed,
                   failure=told, stopped=False)  # fmt: skip
