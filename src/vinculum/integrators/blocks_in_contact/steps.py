"""The steps of a run of blocks in contact, in chunks."""

import time as clock
from functools import cached_property
from typing import final

import numpy as np

from vinculum.compile.entries import remembered_tuples
from vinculum.contact.free_bodies.closings import PLAIN, WATCHED
from vinculum.contact.sparse.arrays import Settings
from vinculum.errors import StartError
from vinculum.integrators.blocks_in_contact.located import BlocksStepper
from vinculum.integrators.blocks_in_contact.quadratics import Quadratics
from vinculum.integrators.blocks_in_contact.step import (
    COUNT,
    DEPTH,
    DONE,
    HIT,
    INFINITE,
    MISSED,
    MOVED,
    OPENED,
    RESIDUAL,
    SWEEPS,
    Taken,
    room_for,
)
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
from vinculum.tolerances.sizes import FREE_BODIES_NUMBERS_PER_CHUNK, FREE_BODIES_RECORD, SECONDS_PER_CHUNK
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
        gone, failure = through.first(*_paths(place, chunk.taken)) if len(chunk.lengths) else None, chunk.failure
        if gone is not None:
            keep = gone[0] + (place is None)
            failure = told_passage(
                list(model.layout.shapes), shapes.moving, gone, chunk.edges[keep], float(chunk.lengths[keep])
            )
            chunk, left = chunk.until(keep), left[:0]
        if len(chunk.lengths):
            place = chunk.taken.centers[-1], chunk.taken.axes[-1]
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
    _check_gaps(model, work.gaps(state[:nq], t), least)
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


def _check_gaps(model: Model, gaps: np.ndarray, least: float) -> None:
    """Refuse a start beyond unilateral constraints."""
    worst = int(np.argmin(gaps)) if len(gaps) else -1
    if worst >= 0 and not gaps[worst] >= -least:
        name = list(model.layout.unilaterals)[worst]
        raise StartError(
            f"system '{model.name}': the gap of unilateral constraint '{name}' is {gaps[worst]:.3g} at the start; it must not be "
            "negative, so start on its other side"
        )


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
    """Steps taken, one after the other: edges, lengths, and what they wrote."""

    def __init__(self, t: float, state: np.ndarray, nq: int):
        self.edges, self.lengths, self._state, self._nq = np.array([t]), np.zeros(0), state, nq
        self._parts: list[Taken] = []
        self.failure: str | None = None
        self.pressing, self.seconds = np.zeros((0, FREE_BODIES_RECORD)), 0.0

    def add(self, lengths: np.ndarray, taken: Taken) -> None:
        """Add steps."""
        if len(lengths):
            self.edges = np.concatenate([self.edges, np.cumsum([self.edges[-1], *lengths])[1:]])
            self.lengths = np.concatenate([self.lengths, lengths])
            self._parts.append(taken)

    @cached_property
    def taken(self) -> Taken:
        """What all steps wrote."""
        if not self._parts:
            return room_for(0, self._state, self._nq, 0)
        states = [self._state[None], *(part.states[1:] for part in self._parts)]
        others = zip(*(part[1:] for part in self._parts), strict=True)
        return Taken(np.concatenate(states), *(np.concatenate(x) for x in others))

    def until(self, count: int) -> "_Chunk":
        """The first steps alone."""
        self.edges, self.lengths, self.taken = self.edges[: count + 1], self.lengths[:count], self.taken.part(count)
        self.pressing = self.pressing[self.pressing[:, 0] < count]
        return self

    def coefficients(self) -> Quadratics:
        """Coefficients (k, n, 3) of the states in all steps."""
        return Quadratics(self.taken.states, self.taken.middles, self.lengths)

    def contact_solver(self) -> ContactSolver:
        residual, sweeps, contacts, depth, moved, work, finished = self.taken.reports.T
        k = len(self.lengths)
        return ContactSolver(
            self.edges[:-1] + 0.5 * self.lengths, residual, sweeps, contacts, depth, moved, np.full(k, self.seconds / max(1, k)),
            np.full(k, np.nan), work, finished, PressingContacts(self.pressing),
        )  # fmt: skip


@final
class _Run:
    """The state of a run, and its steps."""

    def __init__(self, problem: Problem, work: BlocksWork):
        self._problem, self._work, self._state = problem, work, problem.state.copy()
        self._h, self._tolerance = problem.method.step or 0.0, problem.method.tolerance or 0.0
        self._stepper = BlocksStepper(work, Settings(self._tolerance, FREE_BODIES_SWEEPS), self._h)
        self._cutter, self.located, self._batch = Cutter(self._stepper, self._h, DONE), Located(), 1

    def chunk(self, t: float, left: np.ndarray, size: int, told: _Remarks) -> tuple[np.ndarray, _Chunk]:
        """At most ``size`` steps from t on, of the lengths that are ``left``; those that are left then, and the steps."""
        work, begun = self._work, clock.perf_counter()
        chunk = _Chunk(t, self._state, self._problem.model.nq)
        work.begin()
        with remembered_tuples():
            left = self._fill(chunk, left, size, told)
        chunk.seconds, chunk.pressing = clock.perf_counter() - begun, work.pressing_contacts()
        return left, chunk

    def _fill(self, chunk: _Chunk, left: np.ndarray, size: int, told: _Remarks) -> np.ndarray:
        """Add steps to a chunk; the lengths that are left then."""
        while len(left) and len(chunk.lengths) < size:
            count = len(chunk.lengths)
            status, report = self._advance(chunk, left, size, told)
            left = left[len(chunk.lengths) - count :]
            if status == HIT:
                status, report = self._cut(chunk, left, told)
                left = left[status == DONE :]
            if status == DONE:
                continue
            if status in (MISSED, OPENED) and left[0] > 1.5 * self._h / MOST_PARTS:
                left, told.halved = np.concatenate([[0.5 * left[0]] * 2, left[1:]]), told.halved + 1
                continue
            dependent = told_dependent_row(self._problem.model, self._work.tables.dependent_row)
            chunk.failure = _failure(status, report, float(chunk.edges[-1]), self._tolerance, dependent)
            break
        return left

    def _advance(self, chunk: _Chunk, left: np.ndarray, size: int, told: _Remarks) -> tuple[int, np.ndarray]:
        """Take so many of the steps that are left as compiled code should take at once; how the last one ended, and its report."""
        begun, stepper = clock.perf_counter(), self._stepper
        count = min(self._batch, size - len(chunk.lengths), len(left))
        impacts = WATCHED if self._problem.method.impacts == LOCATED else PLAIN
        stepper.at(len(chunk.lengths), self._state)
        status, made = stepper.take_all(
            float(chunk.edges[-1]), left[:count], float(left[min(count, len(left) - 1)]), impacts
        )
        done = len(made.reports) - (status != DONE)
        self._add(chunk, left[:done], made.part(done), told)
        spent = clock.perf_counter() - begun
        self._batch = (
            int(np.clip(SECONDS_PER_CHUNK / spent * len(made.reports), 1, 2 * count)) if spent > 0.0 else 2 * count
        )
        return status, made.reports[-1]

    def _cut(self, chunk: _Chunk, left: np.ndarray, told: _Remarks) -> tuple[int, np.ndarray]:
        """Take the first step that is left, cut at the impacts in it; how the last part ended, and its report."""
        self._stepper.at(len(chunk.lengths), self._state)
        swift = least_impact_speed(self._work.shapes.pull, self._h, self._work.fastest)
        cut = self._cutter.cut(float(chunk.edges[-1]), float(left[0]), float(left[min(1, len(left) - 1)]), swift)
        self.located.note(cut)
        if cut.failed is not None:
            return cut.failed.status, cut.failed.result.reports[-1]
        for part in cut.parts:
            self._add(chunk, np.array([part.length]), part.result, told)
        return DONE, cut.parts[-1].result.reports[-1]

    def _add(self, chunk: _Chunk, lengths: np.ndarray, taken: Taken, told: _Remarks) -> None:
        """Add steps to a chunk, and go on from their end."""
        chunk.add(lengths, taken)
        told.deepest = max(told.deepest, float(taken.reports[:, DEPTH].max(initial=0.0)))
        told.moved = max(told.moved, float(taken.reports[:, MOVED].max(initial=0.0)))
        self._state = taken.states[-1]


def _paths(place, taken: Taken):
    """Centers of the shapes in the middles of steps (k, s, 3), from the last middle before on, and a function that returns their axes."""
    centers, axes = taken.centers, taken.axes
    if place is not None:
        centers, axes = np.concatenate([place[0][None], centers]), np.concatenate([place[1][None], axes])
    return centers, lambda: axes


def _failure(status: int, report: np.ndarray, t: float, tolerance: float, dependent: str) -> str:
    if status == OPENED or dependent:
        return f"after t = {t:.9g} s the constraints cannot be kept{dependent}; try a smaller step"
    if status == MISSED:
        return (
            f"the impulses of {report[COUNT]:.0f} contacts at t = {t:.9g} s have residual {report[RESIDUAL]:.1e} after "
            f"{report[SWEEPS]:.0f} sweeps, which is more than {tolerance:.0e}; try a larger tolerance= or a smaller step"
        )
    if status == INFINITE:
        return f"the state stopped being finite after t = {t:.9g} s; try a smaller step"
    return f"the forces of the step at t = {t:.9g} s did not converge; try a smaller step"
