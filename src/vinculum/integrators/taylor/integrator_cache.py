"""Integrators compiled by heyoka, with events; each is kept for the next run of its system."""

import gc
import threading
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from vinculum.compile.announce import announcement
from vinculum.compile.evaluate import compile_for_again
from vinculum.compile.tape import Tape
from vinculum.compile.targets.heyoka import expressions, heyoka
from vinculum.errors import MethodError
from vinculum.integrators.taylor.listener import Listener
from vinculum.integrators.taylor.loop import SeriesLoop, series_loop
from vinculum.integrators.taylor.tolerance import series_tolerance
from vinculum.integrators.watch.modes import switched_of
from vinculum.motion.problem import Problem

MOST_IDLE = 32
"""Largest number of systems whose compiled integrators are kept for the next run; each takes some megabytes."""

OPTIMIZED = 3
"""LLVM optimization level that heyoka uses."""

_idle: dict[tuple, list] = {}
_idle_lock = threading.Lock()


class Code(NamedTuple):
    """How series are compiled.

    ``in_line``: as straight-line code; otherwise as loops over operations of one kind, which compile faster. ``optimized``: otherwise
    compiled in a twentieth of the time, for a few steps.
    """

    in_line: bool
    optimized: bool = True


def integrator_for(problem: Problem, code: Code) -> tuple[tuple, tuple[Any, SeriesLoop | None, Listener]]:
    """The key under which to `keep` an integrator, and an integrator of the run's equations and events that no other run uses.

    The integrator comes with its loop, if it has one, and its listener.
    """
    key = (*_key(problem), code)
    with _idle_lock:
        ready = _idle.get(key)
        waiting = ready.pop() if ready else None
    return key, waiting or _compile_integrator(problem, code)


def keep(key: tuple, made: tuple[Any, SeriesLoop | None, Listener]) -> None:
    """Keep an integrator for the next run; the systems that ran longest ago are dropped."""
    with _idle_lock:
        _idle[key] = [*_idle.pop(key, ()), made]
        while len(_idle) > MOST_IDLE:
            del _idle[next(iter(_idle))]


def drop_idle() -> None:
    """Drop all integrators that are kept for later runs."""
    with _idle_lock:
        _idle.clear()
    gc.collect()


def _key(problem: Problem) -> tuple:
    events = problem.event_tape.digest if problem.event_tape else ""
    return problem.tape.digest, events, tuple((e.direction, e.stop) for e in problem.events), _tolerance(problem)


def _tolerance(problem: Problem) -> float:
    assert problem.method.tolerance is not None
    return series_tolerance(*problem.sizes, problem.method.tolerance)


def _compile_integrator(problem: Problem, code: Code) -> tuple[Any, SeriesLoop | None, Listener]:
    hy = heyoka()
    tape = problem.tape
    if problem.thorough:
        compile_for_again(tape)
    form = switched_of(tape) if tape.is_piecewise() else None
    count = form.width if form else 0
    n, n_parameters = tape.n_out, len(problem.parameters)
    state = list(hy.make_vars(*(f"s{i}" for i in range(n)))) if n > 1 else [hy.make_vars("s0")]
    modes = [hy.par[i] for i in range(count)]
    given = [hy.par[count + i] for i in range(n_parameters)]
    inputs = [*state, hy.time, *modes, *given]
    right = expressions(form.smooth if form else tape, inputs)
    listener = Listener()
    stopping, noting = [], []
    if form:
        for i, function in enumerate(expressions(form.functions, inputs)):
            if not form.watched[i]:
                continue
            stopping.append(hy.t_event(function, callback=partial(listener.switch, i)))
    if problem.event_tape is not None:
        functions = _event_expressions(problem.event_tape, [*state, hy.time], given)
        directions = {-1: hy.event_direction.negative, 0: hy.event_direction.any, 1: hy.event_direction.positive}
        for i, (event, function) in enumerate(zip(problem.events, functions, strict=True)):
            if not _changes(hy, function):
                continue
            if event.stop:
                stopping.append(
                    hy.t_event(function, callback=partial(listener.stop, i), direction=directions[event.direction])
                )
            else:
                noting.append(
                    hy.nt_event(function, callback=partial(listener.note, i), direction=directions[event.direction])
                )
    with announcement("equations"):
        ta = hy.taylor_adaptive(list(zip(state, right, strict=True)), np.zeros(n),
                                tol=_tolerance(problem), high_accuracy=True, t_events=stopping, nt_events=noting,
                                compact_mode=not code.in_line, opt_level=OPTIMIZED if code.optimized else 0)  # fmt: skip
    return ta, series_loop(ta), listener


def _changes(hy: Any, function: Any) -> bool:
    """Whether an event function still depends on variables after simplification.

    heyoka refuses functions that are only a number or a parameter; they never cross zero.
    """
    return bool(hy.get_variables(hy.subs(function, {hy.time: hy.make_vars("clock")})))


def _event_expressions(tape: Tape, state: list, given: list) -> list:
    if tape.is_piecewise():
        raise MethodError(
            "an event's function must be smooth for the Taylor method (no abs, min, max, where, tables); "
            "split it into several events, or use method='dop853'"
        )
    return expressions(tape, [*state, *given])
