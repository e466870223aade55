"""Adaptive Taylor series by heyoka: machine precision, dense output, events on the series."""

import time as clock
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from vinculum.errors import MethodError
from vinculum.kernels import arrays
from vinculum.kernels.tape import Tape
from vinculum.kernels.taylor_series import expressions, heyoka
from vinculum.motion.careful import Careful
from vinculum.motion.events import Crossing
from vinculum.motion.modes import ChatterWatch, crossed, modes_at, switched_of
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.motion.series_tolerance import series_tolerance

SECONDS_PER_CHUNK = 0.1
LARGEST_CHUNK = 16_384
SECONDS_PER_STEP = 2e-8
COMPACT_ABOVE = 1500


@final
@dataclass
class _Listener:
    """What the events of one run do; the compiled integrator outlives the run and calls whoever listens now."""

    problem: Problem | None = None
    crossings: list[Crossing] = field(default_factory=list)
    watch: ChatterWatch = field(default_factory=lambda: ChatterWatch(1.0))
    chatter: str | None = None
    stopped: bool = False
    modes: np.ndarray = field(default_factory=lambda: np.zeros(0))
    switches: list[float] = field(default_factory=list)

    def __deepcopy__(self, memo):
        return self  # heyoka copies the callbacks it is given; all copies must speak to this listener

    def listen(self, problem: Problem) -> None:
        self.problem, self.crossings, self.chatter, self.stopped, self.switches = problem, [], None, False, []
        self.watch = ChatterWatch(problem.until - problem.begin)

    def switch(self, ta, index: int, direction: int) -> bool:
        problem = self.problem
        assert problem is not None
        if ta.time - problem.begin <= 1e-13 * (problem.until - problem.begin):
            return True
        try:
            self.modes = crossed(problem.tape, ta.state, ta.time, problem.parameters, self.modes, index, direction)
        except MethodError as error:
            self.chatter = str(error)
            return False
        self.switches.append(ta.time)
        set_parameters(ta, self.modes, problem.parameters)
        self.chatter = self.watch.switched(ta.time)
        self._note_events_at_the_switch(ta.state.copy(), ta.time)
        return self.chatter is None and not self.stopped

    def _note_events_at_the_switch(self, state: np.ndarray, t: float) -> None:
        """Events whose function vanishes where a switch ended the step: heyoka reports only one of the two."""
        problem = self.problem
        assert problem is not None
        if problem.event_tape is None:
            return
        ahead = 1e-7

        def row(x, instant):
            return np.concatenate([x, [instant], problem.parameters])[None]

        rates = arrays.evaluate(problem.tape, row(state, t))[0]
        values = arrays.evaluate(problem.event_tape, row(state, t))[0]
        later = arrays.evaluate(problem.event_tape, row(state + ahead * rates, t + ahead))[0]
        for k, event in enumerate(problem.events):
            direction = int(np.sign(later[k] - values[k]))
            if abs(values[k]) <= 1e-6 * abs(later[k] - values[k]) and event.direction in (0, direction):
                before = len(self.crossings)
                self.note(k, t, direction)
                self.stopped = self.stopped or (event.stop and len(self.crossings) > before)

    def note(self, index: int, t: float, direction: int) -> None:
        """Record a crossing; a function that starts at zero has not crossed it."""
        problem = self.problem
        assert problem is not None
        name = problem.events[index].name
        known = any(c.name == name and abs(c.time - t) <= 1e-12 * max(1.0, abs(t)) for c in self.crossings)
        if not known and t - problem.begin > 1e-13 * (problem.until - problem.begin):
            self.crossings.append(Crossing(name, float(t), int(direction)))

    def stop(self, ta, index: int, direction: int) -> bool:
        before = len(self.crossings)
        self.note(index, ta.time, direction)
        self.stopped = len(self.crossings) > before
        return not self.stopped


_idle: dict[tuple, list] = {}


def taylor_steps(problem: Problem) -> StepSource:
    """The steps of a run, in chunks of about a tenth of a second of work."""
    key = _key(problem)
    ready = _idle.setdefault(key, [])
    ta, listener = ready.pop() if ready else _compiled(problem)
    listener.listen(problem)
    _place(ta, listener, problem, problem.begin, problem.state)
    try:
        yield from _propagate(ta, listener, problem)
    finally:
        ready.append((ta, listener))


def _place(ta, listener: _Listener, problem: Problem, t: float, state: np.ndarray) -> None:
    """Set the integrator to a state at an instant, in the modes that belong there."""
    if ta.with_events:
        ta.reset_cooldowns()
    ta.time = t
    ta.state[:] = state
    if problem.tape.is_piecewise():
        listener.modes = modes_at(problem.tape, state, t, problem.parameters)
    set_parameters(ta, listener.modes, problem.parameters)


def set_parameters(ta, modes: np.ndarray, parameters: np.ndarray) -> None:
    """Modes first, then the model's parameters; heyoka keeps only as many as its expressions mention."""
    values = np.concatenate([modes, parameters])
    ta.pars[:] = values[: len(ta.pars)]


def _propagate(ta, listener: _Listener, problem: Problem) -> StepSource:
    hy = heyoka()
    limit = int(np.clip(SECONDS_PER_CHUNK / (SECONDS_PER_STEP * (50 + len(problem.tape.code))), 16, LARGEST_CHUNK))
    careful = Careful(problem)
    while True:
        began, t, state = clock.perf_counter(), ta.time, ta.state.copy()
        result = ta.propagate_until(careful.until(t), max_steps=limit, c_output=True, max_delta_t=careful.longest)
        steps = _steps_of(hy, ta, listener, problem, result, t)
        listener.crossings, listener.switches, switches = [], [], listener.switches
        doubtful = careful.first_doubtful(steps, switches)
        if doubtful is not None and careful.shorten(steps, doubtful):
            kept = Steps(steps.times[: doubtful + 1], steps.coefficients[:doubtful])
            kept.crossings.extend(c for c in steps.crossings if c.time <= kept.times[-1])
            at = steps.coefficients[doubtful, :, 0]
            listener.stopped, listener.chatter = False, None
            _place(ta, listener, problem, float(steps.times[doubtful]), at)
            yield kept
            continue
        yield steps
        if steps.failure or listener.stopped or ta.time >= problem.until:
            return
        if ta.time == t and np.array_equal(ta.state, state):
            yield Steps(
                np.array([t]), np.empty((0, len(state), 1)), [], [], f"the run cannot move on from t = {t:.9g} s"
            )
            return
        spent = max(clock.perf_counter() - began, 1e-6)
        limit = int(np.clip(limit * SECONDS_PER_CHUNK / spent, 16, min(4 * limit, LARGEST_CHUNK)))


def _steps_of(hy, ta, listener: _Listener, problem: Problem, result, t: float) -> Steps:
    """What one call of the integrator has made, with the reason if it must be the last."""
    outcome, output = result[0], result[4]
    failure, outcomes = listener.chatter, hy.taylor_outcome
    if outcome == outcomes.err_nf_state:
        failure = f"the state stopped being finite after t = {ta.time if np.isfinite(ta.time) else t:.9g} s"
    elif outcome == outcomes.step_limit and ta.time - t <= 1e-13 * max(abs(t), problem.until - problem.begin):
        failure = f"the step size collapsed near t = {ta.time:.9g} s: the motion meets a singularity there"
    times, coefficients = np.array([t]), np.empty((0, len(ta.state), 1))
    if output is not None and output.n_steps:
        times, coefficients = np.array(output.times), np.array(output.tcs)
        finite = np.isfinite(coefficients).all(axis=(1, 2))
        if not finite.all():
            keep = int(np.argmin(finite))
            failure = failure or f"the state stopped being finite near t = {times[keep]:.9g} s"
            times, coefficients = times[: keep + 1], coefficients[:keep]
    return Steps(times, coefficients, listener.crossings, [], failure, listener.stopped)


def _key(problem: Problem) -> tuple:
    events = problem.event_tape.digest if problem.event_tape else ""
    return problem.tape.digest, events, tuple((e.direction, e.stop) for e in problem.events), _tolerance(problem)


def _tolerance(problem: Problem) -> float:
    assert problem.method.tolerance is not None
    return series_tolerance(problem.model.layout["groups"], problem.state, problem.method.tolerance)


def _compiled(problem: Problem) -> tuple[Any, _Listener]:
    hy = heyoka()
    tape = problem.tape
    form = switched_of(tape) if tape.is_piecewise() else None
    count = form.count if form else 0
    n, n_parameters = tape.n_out, len(problem.parameters)
    state = list(hy.make_vars(*(f"s{i}" for i in range(n)))) if n > 1 else [hy.make_vars("s0")]
    modes = [hy.par[i] for i in range(count)]
    given = [hy.par[count + i] for i in range(n_parameters)]
    inputs = [*state, hy.time, *modes, *given]
    right = expressions(form.smooth if form else tape, inputs)
    listener = _Listener()
    stopping, noting = [], []
    if form:
        for i, function in enumerate(expressions(form.functions, inputs)):
            stopping.append(hy.t_event(function, callback=_Switch(listener, i)))
    if problem.event_tape is not None:
        functions = _event_expressions(problem.event_tape, [*state, hy.time], given)
        directions = {-1: hy.event_direction.negative, 0: hy.event_direction.any, 1: hy.event_direction.positive}
        for i, (event, function) in enumerate(zip(problem.events, functions, strict=True)):
            if event.stop:
                stopping.append(
                    hy.t_event(function, callback=_Stop(listener, i), direction=directions[event.direction])
                )
            else:
                noting.append(hy.nt_event(function, callback=_Note(listener, i), direction=directions[event.direction]))
    ta = hy.taylor_adaptive(list(zip(state, right, strict=True)), np.zeros(n),
                            tol=_tolerance(problem), high_accuracy=True, t_events=stopping, nt_events=noting,
                            compact_mode=len(tape.code) > COMPACT_ABOVE)  # fmt: skip
    return ta, listener


def _event_expressions(tape: Tape, state: list, given: list) -> list:
    if tape.is_piecewise():
        raise MethodError(
            "an event's function must be smooth for the Taylor method (no abs, min, max, where); "
            "split it into several events, or use method='dop853'"
        )
    return expressions(tape, [*state, *given])


@final
@dataclass(frozen=True)
class _Switch:
    listener: _Listener
    index: int

    def __call__(self, ta, direction):
        return self.listener.switch(ta, self.index, direction)


@final
@dataclass(frozen=True)
class _Stop:
    listener: _Listener
    index: int

    def __call__(self, ta, direction):
        return self.listener.stop(ta, self.index, direction)


@final
@dataclass(frozen=True)
class _Note:
    listener: _Listener
    index: int

    def __call__(self, ta, t, direction):
        self.listener.note(self.index, t, direction)
