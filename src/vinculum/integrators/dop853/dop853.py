"""Adaptive Runge–Kutta method of order 8 over the LLVM function: for large systems, and if heyoka is absent."""

import math
import time as clock

import numpy as np

from vinculum.compile.calls import Field
from vinculum.compile.evaluate import evaluate_rows
from vinculum.compile.passes.switches import Switched, play
from vinculum.compile.recent import Recent
from vinculum.compile.tape import Tape
from vinculum.compile.targets.llvm.machine import compile_tape
from vinculum.compile.trace import trace
from vinculum.compile.width import WIDTH
from vinculum.errors import MethodError
from vinculum.integrators.dop853 import lanes as loops
from vinculum.integrators.dop853.coefficients import EXTENDED, POWER
from vinculum.integrators.watch.charts import ChartWatch, split_at_chart
from vinculum.integrators.watch.crossings import soonest_return
from vinculum.integrators.watch.loops import LoopWatch, cut, end_state
from vinculum.integrators.watch.modes import ChatterWatch, cross, mode_inputs, modes_at, switched_of
from vinculum.motion.events import Crossing
from vinculum.motion.impulses.dips import instants_of_dips
from vinculum.motion.pieces import horner
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.scalars import Scalar, symbols
from vinculum.tolerances.round_off import NEXT_TO_ZERO, NOISE_OF_EVENTS
from vinculum.tolerances.sizes import KEPT_TAPES, LARGEST_CHUNK, SECONDS_PER_CHUNK
from vinculum.tolerances.steps import CLOCK_UNIT, LEAST_SIZE, STEP_SAFETY, STEP_SHRINKS, UNITS_OF_A_STEP
from vinculum.tolerances.time import CLOCK_RESOLUTION, CROSSINGS_TOGETHER

FIRST_CHUNK_OF_CONDITIONS = 16
CHUNK_OF_CHARTS = 512
FAILURES = {
    loops.COLLAPSED: "the step size collapsed near t = {:.9g} s: the motion meets a singularity or a jump there",
    loops.NOT_FINITE: "the state stopped being finite near t = {:.9g} s",
}


def dop853_steps(problem: Problem) -> StepSource:
    """The steps of a run, in chunks of about a tenth of a second of work."""
    return _Run(problem).chunks()


def _monomials() -> np.ndarray:
    """Matrix (8, 8) from (state, F₀ … F₆) to the coefficients of powers of θ = (t − t_k)/h."""
    result = np.zeros((8, 8))
    result[0, 0] = 1.0
    factor = np.poly1d([1.0])
    for r in range(POWER):
        factor = factor * (np.poly1d([1.0, 0.0]) if r % 2 == 0 else np.poly1d([-1.0, 1.0]))
        powers = factor.coeffs[::-1]
        result[: len(powers), 1 + r] = powers
    return result


MONOMIALS = _monomials()


class _Run:
    """The working arrays of one run, and the work between chunks."""

    def __init__(self, problem: Problem):
        tape = problem.tape
        self.problem = problem
        self.form = switched_of(tape) if tape.is_piecewise() else None
        self.count, self.width = (self.form.count, self.form.width) if self.form else (0, 0)
        self.kernel = compile_tape(self.form.smooth if self.form else tape)
        watched = _watch_tape(problem, self.form)
        self.watch = compile_tape(watched) if watched is not None else None
        self.m = watched.n_out if watched is not None else 0
        self.n = n = tape.n_out
        self.x = np.zeros((self.kernel.tape.n_in, WIDTH))
        self.y = np.repeat(problem.state[:, None], WIDTH, axis=1)
        self.K, self.new = np.zeros((EXTENDED, n, WIDTH)), np.zeros((n, WIDTH))
        self.g = np.zeros((3, max(self.m, 1), WIDTH))
        self.x[n + 1 + self.width :] = problem.parameters[:, None]
        self.modes = modes_at(tape, problem.state, problem.begin, problem.parameters) if self.form else np.zeros(0)
        self.t, self.h = problem.begin, 0.0
        self.longest = math.inf if problem.method.max_step is None else problem.method.max_step
        self.groups = loops.error_groups(problem.model.layout)
        self.chatter = ChatterWatch(problem.until - problem.begin)
        self.loops, self.charts = LoopWatch(problem), ChartWatch(problem)
        self._restart()
        self.h = min(self.h, 0.25 * soonest_return(problem, problem.state, problem.begin))
        self._note_signs()

    @property
    def _field(self) -> Field:
        return Field(self.kernel.lanes, self.x, self.n)

    @property
    def _watching(self) -> loops.Watch:
        return loops.Watch(self.watch.lanes if self.watch else 0, self.m, self.g)

    @property
    def _stages(self) -> loops.Stages:
        return loops.Stages(self.y, self.K, self.new)

    @property
    def _control(self) -> loops.Control:
        return loops.Control(self.problem.method.tolerance, self.groups, self.problem.strength)

    def _restart(self) -> None:
        """Compute the rates at the present state and a first guess of the step."""
        n = self.n
        self.x[n + 1 : n + 1 + self.width] = mode_inputs(self.problem.tape, self.modes)[:, None]
        self.x[:n], self.x[n] = self.y, self.t
        loops.run_lanes(self.kernel.lanes, self.x, self.K[0])
        rate, size = np.abs(self.K[0, :, 0]).max(initial=0.0), np.abs(self.y[:, 0]).max(initial=0.0)
        span = self.problem.until - self.problem.begin
        guess = (
            0.01 * max(size, LEAST_SIZE) / rate if rate > np.finfo(float).tiny and np.isfinite(rate) else 0.01 * span
        )
        self.h = min(guess, 0.1 * span, self.h or math.inf)

    def _note_signs(self) -> None:
        if self.watch:
            loops.evaluate_watched(self.watch.lanes, self.x, self.n, self.t, self.y, self.g[0])

    def chunks(self) -> StepSource:
        size, finished = FIRST_CHUNK_OF_CONDITIONS if self.loops.singular is not None else 256, False
        largest = CHUNK_OF_CHARTS if self.charts.needed else LARGEST_CHUNK
        begun = self.charts.start(self.t, self.y[:, 0])
        if begun is not None:
            self._go_on_from(self.t, begun[0], self.h)
            yield begun[1]
        while not finished:
            began = clock.perf_counter()
            times, starts, F = np.empty(size + 1), np.empty((size, self.n)), np.empty((size, POWER, self.n))
            now = loops.Clock(self.t, self.problem.until, self.h, self.longest)
            record = loops.Record(times, starts, F)
            status, steps, self.t, self.h = loops.run_one(
                self._field, self._watching, now, self._control, self._stages, record
            )
            failure = FAILURES[status].format(self.t) if status in FAILURES else None
            made = Steps(
                times[: steps + 1].copy(),
                dense_coefficients(times[: steps + 1], starts[:steps], F[:steps]),
                [],
                [],
                failure,
            )
            every = made
            made, near = split_at_chart(self.charts, made)
            if self.loops.singular is not None and len(made.coefficients):
                made = self._with_closed_loops(made)
            if near is not None and made.failure is None:
                yield made
                if near == len(made.coefficients):
                    begin = float(every.times[near])
                    state, told = self.charts.change_charts(begin, every.coefficients[near, :, 0])
                    self._go_on_from(begin, state, float(every.times[near + 1] - begin))
                    finished = told.failure is not None
                    yield told
                continue
            dip = self._first_dip(made)
            if dip is not None:
                k, instant = dip
                yield cut(made, k)
                self._go_on_from(
                    float(made.times[k]), made.coefficients[k, :, 0].copy(), instant - float(made.times[k])
                )
                continue
            finished = self.t >= self.problem.until or made.failure is not None
            yield made
            if status == loops.SIGN_CHANGE and made.times[-1] == self.t:
                chunk = self._cross()
                finished = chunk.stopped or chunk.failure is not None or self.t >= self.problem.until
                yield chunk
            spent = max(clock.perf_counter() - began, CLOCK_RESOLUTION)
            size = int(np.clip(max(steps, 1) * SECONDS_PER_CHUNK / spent, 64, min(4 * size, largest)))

    def _first_dip(self, made: Steps) -> tuple[int, float] | None:
        """The first step within which an event function crosses zero and comes back, and the instant at which it is farthest; None if
        there is no such step.

        The next step then ends there, so that its sign change is seen. Steps of a free motion have any length.
        """
        problem, count, tape = self.problem, len(made.coefficients), self.problem.event_tape
        if tape is None or not count or made.failure is not None:
            return None
        edges, coefficients = np.asarray(made.times), np.asarray(made.coefficients)

        def both_signs(t: np.ndarray) -> np.ndarray:
            piece = np.clip(np.searchsorted(edges, t, side="right") - 1, 0, count - 1)
            states = horner(coefficients[piece], t - edges[piece])
            found = evaluate_rows(tape, problem.rows(states, t))
            return np.hstack([found, -found])

        noise, values = np.tile(self._noise()[self.count :], 2), both_signs(edges)
        dips = instants_of_dips(both_signs, edges, values, noise)
        if not len(dips):
            return None
        at, begins = both_signs(dips), np.searchsorted(edges, dips, side="right") - 1
        crossed = ((at < -noise) & (values[begins] > noise) & (values[begins + 1] > noise)).any(axis=1)
        if not crossed.any():
            return None
        first = int(np.argmax(crossed))
        return int(begins[first]), float(dips[first])

    def _with_closed_loops(self, made: Steps) -> Steps:
        good = self.loops.fresh(made)
        stale = good < len(made.coefficients)
        made = self.loops.check_steps(cut(made, good) if stale else made)
        self.loops.settle(made)
        self.x[self.n + 1 + self.width :] = self.problem.parameters[:, None]
        if stale and made.failure is None:
            self._go_on_from(float(made.times[-1]), end_state(made), float(np.diff(made.times)[-1]))
        return made

    def _go_on_from(self, t: float, state: np.ndarray, step: float) -> None:
        self.t, self.y[:], self.h = t, state[:, None], step
        self.x[self.n + 1 + self.width :] = self.problem.parameters[:, None]
        self._restart()
        self._note_signs()

    def _cross(self) -> Steps:
        """One step that ends where the first watched function has just changed sign; handles the events and switches there.

        There is no such step if its error is too large: the next steps are shorter. The step in which the sign change was seen was
        longer, and its error tells nothing about this one where the rates change suddenly, as those of a slip that comes to rest.
        """
        g, h = self.g[:, :, 0], self.h
        found, noise = [], self._noise()
        for k in range(self.m):
            if k >= self.count and (np.abs(g[:, k]) <= noise[k]).all():
                continue
            sign = math.copysign(1.0, g[0, k])
            bracket = (0.0, 0.5 * h) if g[0, k] * g[1, k] < 0 else (0.5 * h, h) if g[0, k] * g[2, k] < 0 else None
            if bracket:
                length = loops.locate(self._field, self._watching, k, sign, self.t, bracket, self._stages)
                found.append((length, k, -int(sign)))
        first = min(found, default=(h,))[0]
        together = [hit for hit in found if hit[0] <= first + CROSSINGS_TOGETHER * max(abs(self.t), first)]
        start, begin = self.y[:, 0].copy(), self.t
        length = _up_to_clock(begin, max((hit[0] for hit in together), default=h))
        steps, F = np.full(WIDTH, length), np.empty((1, POWER, self.n))
        loops.attempt(self.kernel.lanes, self.x, self.n, np.full(WIDTH, begin), steps, self.y, self.K, self.new)
        shorter = self._shorter_step(length)
        if shorter is not None:
            self.h = shorter
            return Steps(np.array([begin]), np.empty((0, self.n, 8)))
        loops.dense(self.kernel.lanes, self.x, self.n, np.full(WIDTH, begin), steps, self.y, self.K, F[0])
        self.y[:] = self.new
        self.t = begin + length
        failure, stopped, crossings = None, False, []
        for _, which, direction in sorted(together, key=lambda hit: hit[1] < self.count):
            if which < self.count:
                failure = failure or self._switch(which, direction)
                continue
            event = self.problem.events[which - self.count]
            if event.direction in (0, direction):
                crossings.append(Crossing(event.name, self.t, direction))
                stopped = stopped or event.stop
        self.h = h
        self._restart()
        self._note_signs()
        for _, which, direction in together:
            side = 1.0 if self.form and which < self.count and self.form.many()[which] else direction
            if self.g[0, which, 0] * side <= 0.0:
                self.g[0, which, :] = side * NEXT_TO_ZERO
        times = np.array([begin, self.t])
        if self.t == begin:
            return Steps(times[:1], np.empty((0, self.n, 8)), crossings, [], failure, stopped)
        return Steps(times, dense_coefficients(times, start[None], F), crossings, [], failure, stopped)

    def _noise(self) -> np.ndarray:
        """Values (m,) that the watched functions may have by round-off of the state: bodies that touch and move alike have such gaps.

        The lanes hold states that differ by round-off, with other signs in each.
        """
        assert self.watch is not None
        signs = np.random.default_rng(0).choice((-1.0, 1.0), self.y.shape)
        near, g = self.y * (1.0 + NOISE_OF_EVENTS * signs), np.empty((self.m, WIDTH))
        loops.evaluate_watched(self.watch.lanes, self.x, self.n, self.t, near, g)
        return np.ptp(g, axis=1)

    def _shorter_step(self, length: float) -> float | None:
        """The next trial after an attempted step of this ``length`` whose error is too large; None if it is not, or if none is shorter."""
        norms = np.empty(WIDTH)
        loops.error_norms(self._stages, np.full(WIDTH, length), self._control, norms)
        shorter = length * max(STEP_SHRINKS, STEP_SAFETY * float(norms[0]) ** (-0.125)) if norms[0] > 1.0 else length
        lasts = shorter > UNITS_OF_A_STEP * CLOCK_UNIT * max(abs(self.t), NEXT_TO_ZERO)
        return shorter if shorter < length and lasts else None

    def _switch(self, which: int, direction: int) -> str | None:
        problem = self.problem
        try:
            over = problem.is_over(self.t)
            self.modes = cross(
                problem.tape, self.y[:, 0], self.t, problem.parameters, self.modes, which, direction, over
            )
        except MethodError as error:
            return str(error)
        return self.chatter.note_switch(self.t)


def _up_to_clock(t: float, length: float) -> float:
    """The shortest step of at least this length that ends on a representable instant."""
    end = t + length
    return (end if end - t >= length else math.nextafter(end, math.inf)) - t


def dense_coefficients(times: np.ndarray, starts: np.ndarray, F: np.ndarray) -> np.ndarray:
    """Coefficients (S, n, 8) of powers of t − t_k."""
    basis = np.concatenate([starts[:, None, :], F], axis=1)
    powers = np.einsum("kr,srn->snk", MONOMIALS, basis)
    return powers / np.diff(times)[:, None, None] ** np.arange(8)


def _watch_tape(problem: Problem, form: Switched | None) -> Tape | None:
    """Switching functions and events as one tape over (q, v, t, modes, parameters); equal phases share it."""
    width = form.width if form else 0
    if not width and problem.event_tape is None:
        return None
    events = problem.event_tape
    key = f"{problem.tape.digest} {events.digest if events is not None else ''}"
    return _kept.get(key) or _kept.keep(key, _trace_watched(problem, form, width))


_kept: Recent[Tape] = Recent(KEPT_TAPES)


def _trace_watched(problem: Problem, form: Switched | None, width: int) -> Tape:
    n = problem.tape.n_out
    groups = {"state": symbols("x", n), "t": symbols("t", 1)} | ({"modes": symbols("mode", width)} if width else {})
    given = [Scalar("parameter", *item) for item in problem.tape.parameters]
    outputs = []
    if form is not None and width:
        switches = form.functions
        values = play(switches, [*groups["state"], *groups["t"], *groups.get("modes", ()), *given])
        outputs += [values[r] for r in switches.results.tolist()]
    if problem.event_tape is not None:
        values = play(problem.event_tape, [*groups["state"], *groups["t"], *given])
        outputs += [values[r] for r in problem.event_tape.results.tolist()]
    return trace(groups, {"watched": outputs}, dict(problem.tape.parameters))
