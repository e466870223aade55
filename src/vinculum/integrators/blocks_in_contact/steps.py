"""The steps of a run of blocks in contact, in chunks."""

import time as clock
from typing import final

import numpy as np

from vinculum.compile.entries import remembered_tuples
from vinculum.contact.free_bodies.closings import PLAIN, WATCHED
from vinculum.contact.sparse.arrays import Settings
from vinculum.errors import StartError
from vinculum.integrators.blocks_in_contact.located import BlocksStepper, BlocksTaken
from vinculum.integrators.blocks_in_contact.step import DONE, HIT, INFINITE, MISSED, OPENED, StepResult
from vinculum.integrators.blocks_in_contact.work import BlocksWork
from vinculum.integrators.free_bodies.passages import Passages, told_passage
from vinculum.integrators.free_bodies.steps import edges_of_steps
from vinculum.integrators.located_impacts import Cutter, Located, least_impact_speed
from vinculum.integrators.watch.crossings import with_crossings
from vinculum.models.blocks_in_contact.block_shapes import Meets
from vinculum.models.blocks_in_contact.type import block_shapes_of
from vinculum.models.model import Model
from vinculum.models.tabled.reactions import told_dependent_row
from vinculum.motion.impulses.contact_solver import ContactSolver
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.method import LOCATED
from vinculum.motion.problem import Problem, Steps, StepSource
from vinculum.tolerances.contact import DEEP_START
from vinculum.tolerances.sizes import FREE_BODIES_NUMBERS_PER_CHUNK, FREE_BODIES_RECORD
from vinculum.tolerances.time_stepping import FREE_BODIES_SWEEPS, MOST_PARTS

LONGEST_CHUNK = 256


def block_steps(problem: Problem) -> StepSource:
    """The steps of a run in chunks; the last step is shortened to end on time. A step whose impulses miss the tolerance is repeated as two
    steps of half its length, and so on."""
    model, h = problem.model, problem.method.step
    assert h is not None and problem.method.tolerance is not None
    work, shapes = BlocksWork(model, problem.parameters), block_shapes_of(model)
    size = int(np.clip(FREE_BODIES_NUMBERS_PER_CHUNK // (model.nq + model.nv), 1, LONGEST_CHUNK))
    left, through = np.diff(edges_of_steps(problem.begin, problem.until, h)), Passages(shapes, Meets(shapes))
    run, t, told, signs, place = _Run(problem, work), problem.begin, _Remarks(), None, None
    while len(left):
        left, chunk = run.chunk(t, left, size, told)
        gone, failure = through.first(*_paths(place, chunk)) if chunk.centers else None, chunk.failure
        if gone is not None:
            keep = gone[0] + (place is None)
            failure = told_passage(
                list(model.layout.shapes), shapes.moving, gone, chunk.edges[keep], float(chunk.lengths[keep])
            )
            chunk, left = chunk.until(keep), left[:0]
        if chunk.centers:
            place = chunk.centers[-1], chunk.axes[-1]
        edges, t = chunk.edges, float(chunk.edges[-1])
        if not len(left) and failure is None:
            edges[-1] = problem.until
        log = [*told.remarks(), *run.located.remarks()] if failure or not len(left) else []
        steps = Steps(edges, chunk.coefficients(), [], log, failure, contact_solver=chunk.contact_solver())
        if problem.event_tape is not None and len(edges) > 1:
            steps, signs = with_crossings(problem, steps, signs)
        yield steps
        if failure or steps.stopped:
            return


def apart_at_start(
    model: Model, state: np.ndarray, t: float, values: np.ndarray, resolve
) -> tuple[np.ndarray, list[str]]:
    """A start without penetration, and remarks. A start with penetration is refused unless ``resolve`` is set."""
    if not np.all(np.isfinite(state)):
        raise StartError(f"system '{model.name}': the start contains numbers that are not finite")
    work, shapes, nq = BlocksWork(model, values), block_shapes_of(model), model.nq
    least = DEEP_START * float(shapes.reaches[: shapes.moving].min())
    found = work.penetrations(state[:nq], t)
    depth, pair = max(((depth, pair) for pair, depth in found.items()), default=(0.0, (0, 0)))
    if depth <= least:
        return state, []
    one, other = (model.layout.shapes[i] for i in pair)
    told = f"'{one}' and '{other}' start {depth:.3g} m inside each other"
    if not resolve:
        raise StartError(
            f"system '{model.name}': {told}; start them apart, leave the pair out of the contact, or let resolve=True move the coordinates "
            "as little as needed"
        )
    q = work.move_apart(state[:nq], t)
    remaining = max(work.penetrations(q, t).values(), default=0.0)
    if remaining > least:
        raise StartError(
            f"system '{model.name}': {told}, and moving bodies apart leaves {remaining:.3g} m; there is not enough room for all of them"
        )
    moved = float(np.abs(q - state[:nq]).max())
    return np.concatenate([q, state[nq:]]), [f"{told}: coordinates were moved by up to {moved:.3g}"]


@final
class _Remarks:
    """What is to be said at the end of a run: the deepest penetration [m], the largest displacement that removed one, and how many steps
    were halved."""

    def __init__(self):
        self.deepest, self.moved, self.halved = 0.0, 0.0, 0

    def remarks(self) -> list[str]:
        told = [
            f"penetration was at most {self.deepest:.1e} m; coordinates were moved by at most {self.moved:.1e} in a step"
        ]
        if self.halved:
            times = f"{self.halved} time{'s' * (self.halved != 1)}"
            told.append(f"{times} a step missed the tolerance and was taken again as two halves")
        return told


@final
class _Chunk:
    """Steps taken, one after the other: edges, lengths, states, middles, reports, and where the shapes were."""

    def __init__(self, t: float, state: np.ndarray):
        self.edges, self.lengths, self.states, self.middles = np.array([t]), np.zeros(0), [state], []
        self.reports, self.centers, self.axes = [], [], []
        self.failure: str | None = None
        self.pressing, self.seconds = np.zeros((0, FREE_BODIES_RECORD)), 0.0

    def add(self, h: float, made: BlocksTaken) -> None:
        taken = made.step
        self.edges, self.lengths = np.append(self.edges, self.edges[-1] + h), np.append(self.lengths, h)
        self.states.append(np.concatenate([taken.q, taken.v]))
        self.middles.append(taken.middle)
        self.reports.append(taken.report)
        self.centers.append(made.centers)
        self.axes.append(made.axes)

    def until(self, count: int) -> "_Chunk":
        """The first steps alone."""
        self.edges, self.lengths, self.states = self.edges[: count + 1], self.lengths[:count], self.states[: count + 1]
        self.middles, self.reports = self.middles[:count], self.reports[:count]
        self.centers, self.axes = self.centers[:count], self.axes[:count]
        self.pressing = self.pressing[self.pressing[:, 0] < count]
        return self

    def coefficients(self) -> np.ndarray:
        """Coefficients (k, n, 3): coordinates go through beginning, middle and end of a step, velocities change evenly."""
        k, n = len(self.lengths), len(self.states[0])
        if not k:
            return np.zeros((0, n, 3))
        states, h = np.array(self.states), self.lengths[:, None]
        middle = 0.5 * (states[:-1] + states[1:])
        middle[:, : len(self.middles[0])] = np.array(self.middles)
        begin, end = states[:-1], states[1:]
        return np.stack(
            [begin, (4.0 * middle - 3.0 * begin - end) / h, 2.0 * (begin - 2.0 * middle + end) / (h * h)], axis=2
        )

    def contact_solver(self) -> ContactSolver:
        rows = np.array(self.reports, dtype=float).reshape(-1, 7)
        residual, sweeps, contacts, depth, moved, work, finished = rows.T
        k = len(rows)
        return ContactSolver(
            self.edges[:-1] + 0.5 * self.lengths, residual, sweeps, contacts, depth, moved, np.full(k, self.seconds / max(1, k)),
            np.full(k, np.nan), work, finished, PressingContacts(self.pressing),
        )  # fmt: skip


@final
class _Run:
    """The state of a run, and its steps."""

    def __init__(self, problem: Problem, work: BlocksWork):
        self._problem, self._work = problem, work
        self._q, self._v = np.split(problem.state.copy(), [problem.model.nq])
        self._h, self._tolerance = problem.method.step or 0.0, problem.method.tolerance or 0.0
        self._stepper = BlocksStepper(work, Settings(self._tolerance, FREE_BODIES_SWEEPS))
        self._cutter, self.located = Cutter(self._stepper, self._h, DONE), Located()

    def chunk(self, t: float, left: np.ndarray, size: int, told: _Remarks) -> tuple[np.ndarray, _Chunk]:
        """At most ``size`` steps from t on, of the lengths that are ``left``; those that are left then, and the steps."""
        work, begun = self._work, clock.perf_counter()
        chunk = _Chunk(t, np.concatenate([self._q, self._v]))
        work.begin()
        with remembered_tuples():
            left = self._fill(chunk, left, size, told)
        chunk.seconds, chunk.pressing = clock.perf_counter() - begun, work.pressing_contacts()
        return left, chunk

    def _fill(self, chunk: _Chunk, left: np.ndarray, size: int, told: _Remarks) -> np.ndarray:
        """Add steps to a chunk; the lengths that are left then."""
        problem, work, stepper = self._problem, self._work, self._stepper
        while len(left) and len(chunk.lengths) < size:
            d, now, after = float(left[0]), float(chunk.edges[-1]), float(left[min(1, len(left) - 1)])
            stepper.at(len(chunk.lengths), self._q, self._v)
            taken = stepper.take(now, d, after, *self._treatment())
            parts = [taken]
            if taken.status == HIT:
                stepper.at(len(chunk.lengths), self._q, self._v)
                cut = self._cutter.cut(now, d, after, self._treatment()[1])
                self.located.note(cut)
                parts = cut.parts if cut.failed is None else [cut.failed]
            status, result = parts[-1].status, parts[-1].result.step
            if status in (MISSED, OPENED) and d > 1.5 * self._h / MOST_PARTS:
                left, told.halved = np.concatenate([[0.5 * d] * 2, left[1:]]), told.halved + 1
                continue
            if status != DONE:
                dependent = told_dependent_row(problem.model, work.tables.dependent_row)
                chunk.failure = _failure(result, now, self._tolerance, dependent)
                break
            for part in parts:
                chunk.add(part.length, part.result)
                report = part.result.step.report
                told.deepest, told.moved = max(told.deepest, report.penetration), max(told.moved, report.moved)
            self._q, self._v, left = result.q, result.v, left[1:]
        return left

    def _treatment(self) -> tuple[int, float]:
        """What steps do with impacts, and the speed above which they do so."""
        if self._problem.method.impacts != LOCATED:
            return PLAIN, np.inf
        return WATCHED, least_impact_speed(self._work.shapes.pull, self._h, self._work.fastest)


def _paths(place, chunk: _Chunk):
    """Centers of the shapes in the middles of steps (k, s, 3), from the last middle before on, and a function that returns their axes."""
    centers, axes = (list(x) for x in (chunk.centers, chunk.axes))
    if place is not None:
        centers, axes = [place[0], *centers], [place[1], *axes]
    return np.array(centers), lambda: np.array(axes)


def _failure(taken: StepResult, t: float, tolerance: float, dependent: str) -> str:
    report = taken.report
    if taken.status == OPENED or dependent:
        return f"after t = {t:.9g} s the constraints cannot be kept{dependent}; try a smaller step"
    if taken.status == MISSED:
        return (
            f"the impulses of {report.contacts} contacts at t = {t:.9g} s have residual {report.residual:.1e} after {report.sweeps} "
            f"sweeps, which is more than {tolerance:.0e}; try a larger tolerance= or a smaller step"
        )
    if taken.status == INFINITE:
        return f"the state stopped being finite after t = {t:.9g} s; try a smaller step"
    return f"the forces of the step at t = {t:.9g} s did not converge; try a smaller step"
