"""A run: steps are taken, monitored and stored until its end, a failure or Ctrl-C, and become a motion."""

from dataclasses import replace
from typing import final

import numpy as np

from vinculum.compile.targets import arrays
from vinculum.errors import RunError
from vinculum.integrators.sources import smooth_steps
from vinculum.integrators.watch.encounters import nearest_bodies
from vinculum.integrators.watch.limits import LimitWatch
from vinculum.integrators.watch.loops import end_state
from vinculum.integrators.watch.stalls import crawling
from vinculum.integrators.watch.table_ends import with_watched_roots, with_watched_tables
from vinculum.integrators.watch.troubled_conditions import last_state, rows_without_gradient
from vinculum.motion.arguments import reached_instants
from vinculum.motion.by_type import MOTIONS
from vinculum.motion.chart_changes import ChartChange
from vinculum.motion.events import Crossing
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.motion import Motion
from vinculum.motion.phases import Phase
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.progress import Progress
from vinculum.motion.record import Record
from vinculum.motion.storage.sinks import sink_of
from vinculum.motion.views import ServosMotion


class NoSeriesError(Exception):
    """A state that has rates but no finite Taylor series, at the ``instant`` of the start or of a switch [s]."""

    def __init__(self, instant: float):
        super().__init__(instant)
        self.instant = instant


def run(
    problem: Problem, instants, named, out, progress: bool, log: list[str], source=smooth_steps, room: int | None = None
) -> Motion:
    """The motion whose steps come from ``source``, seen at ``instants``, with the parameters ``named`` and what is said in ``log``.

    ``out``: a folder to which steps are streamed, or None; ``room``: the most bytes of them in memory, if fewer than usual.
    """
    sink = sink_of(out, problem, named, instants, room)
    limits = LimitWatch(problem)
    limits.check_start()
    touches = None
    if problem.model.layout.unilaterals and "distances" in problem.model.type.tape_names(problem.model):
        from vinculum.integrators.event_driven.gap_touches import GapTouches

        touches = GapTouches(problem)
    had, failure, interrupted = _Gathered(problem, log, out is None), None, False
    with sink, Progress(problem.begin, problem.until, progress) as bar:
        try:
            for chunk in source(problem, limits):
                broken = chunk.failure
                chunk = with_watched_roots(problem, with_watched_tables(problem, chunk))
                chunk = had.add(chunk if touches is None else touches.check_steps(chunk))
                sink.append(chunk)
                failure = chunk.failure or crawling(problem, had.count, had.end) or sink.full
                if broken and chunk.failure == broken:
                    failure += had.reasons(broken)
                bar.update(float(chunk.times[-1]))
                if failure:
                    break
        except KeyboardInterrupt:
            log.append(f"interrupted by the user at t = {sink.end(problem.begin):.9g} s")
            interrupted = True
            if sink.empty:
                raise
        if failure:
            log.append(failure)
        switched = (
            out is None and source is smooth_steps and problem.model.type.has_graphs and problem.tape.is_piecewise()
        )
        if had.unexpanded and (sink.empty or switched) and np.all(np.isfinite(had.last_rates())):
            raise NoSeriesError(had.end)
        if sink.empty:
            raise RunError(f"the run of '{problem.model.name}' could not start: {failure}")
        pieces = sink.pieces(had.crossings, log)
        solved = ContactSolver.join(had.contact_solver)
        if solved is not None and out is not None and MOTIONS.of(problem.model).keeps_pressing:
            solved = replace(solved, pressing=sink.pressing())
    inside = reached_instants(instants, pieces.begin, pieces.end) if failure or had.stopped or interrupted else instants
    record = Record(problem.model, pieces, inside, problem.method, named, tuple(had.crossings), tuple(log), interrupted,
                    tuple(had.changes), Atoms.join(had.atoms), tuple(had.phases), solved)  # fmt: skip
    exceeded = ServosMotion(record).excess
    if exceeded:
        record = replace(record, log=(*log, *map(str, exceeded)))
    motion = Motion(record)
    if failure:
        raise RunError(
            f"the run of '{problem.model.name}' stopped: {failure}; what was computed until "
            f"t = {pieces.end:.9g} s is in the error's `motion`",
            motion,
        )
    return motion


@final
class _Gathered:
    """What chunks of steps leave behind beside the steps themselves."""

    def __init__(self, problem: Problem, log: list[str], in_memory: bool):
        self.problem, self.log, self.in_memory = problem, log, in_memory
        self.crossings: list[Crossing] = []
        self.changes: list[ChartChange] = []
        self.atoms: list[Atoms] = []
        self.phases: list[Phase] = []
        self.contact_solver: list[ContactSolver] = []
        self.count, self.stopped, self.unexpanded = 0, False, False
        self.end, self.lengths, self._last = problem.begin, np.zeros(0), None

    def add(self, chunk: Steps) -> Steps:
        """The chunk, whose change of charts is told at which step it happens."""
        self.crossings += chunk.crossings
        if chunk.change is not None:
            change = replace(chunk.change, step=self.count)
            chunk = replace(chunk, change=change)
            self.changes.append(change)
        self.count += len(chunk.coefficients)
        self.log += chunk.log
        self.atoms += [chunk.atoms] if chunk.atoms is not None else []
        self.phases += [replace(chunk.phase, step=self.count)] if chunk.phase is not None else []
        if chunk.contact_solver is not None:
            self.contact_solver.append(
                chunk.contact_solver if self.in_memory else replace(chunk.contact_solver, pressing=None)
            )
        if len(chunk.coefficients):
            self.end, self._last = float(chunk.times[-1]), chunk
        self.lengths = np.diff(chunk.times)
        self.stopped, self.unexpanded = chunk.stopped, not chunk.expanded
        return chunk

    def reasons(self, told: str) -> str:
        """What may be behind a failure: a limit nearly met, bodies near each other, rows that lost their slope, or the last state."""
        model, values, state = self.problem.model, self.problem.parameters, self._last_state()
        met = LimitWatch(self.problem).nearly_met(self.end, state)
        if met:
            return "" if met.removeprefix("; ") in told else met
        why = nearest_bodies(model, state, self.end, values)
        if any(known in told for known in ("singular position", "ever shorter", "constrains nothing")):
            return why
        length = float(self.lengths[-1]) if len(self.lengths) else 0.0
        return why + (
            rows_without_gradient(model, state, self.end, values, length) or last_state(model, state, self.end)
        )

    def last_rates(self) -> np.ndarray:
        """Rates of the last state."""
        problem = self.problem
        return arrays.evaluate(problem.tape, problem.rows(self._last_state()[None], np.array([self.end])))

    def _last_state(self) -> np.ndarray:
        return self.problem.state if self._last is None else end_state(self._last)
