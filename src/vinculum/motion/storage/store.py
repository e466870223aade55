"""Stored runs: a motion saved, streamed and loaded, with its equations. Nothing is unpickled."""

import os
import uuid
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.errors import FileError, StartError
from vinculum.models.conditions.closed_loops import visible
from vinculum.models.model import Model
from vinculum.motion.arguments import reached_instants
from vinculum.motion.by_type import MOTIONS
from vinculum.motion.chart_changes import ChartChange, row_width
from vinculum.motion.doors import METHOD_CLAIMS
from vinculum.motion.events import Crossing
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import NUMBERS, ContactSolver
from vinculum.motion.impulses.meetings import Meetings
from vinculum.motion.impulses.pressing import PressingContacts
from vinculum.motion.method import GIVEN, METHODS, Method
from vinculum.motion.pieces import Pieces
from vinculum.motion.problem import Problem, Steps
from vinculum.motion.storage.drafts import Draft
from vinculum.motion.storage.models import stored_model, stored_phases
from vinculum.motion.storage.recorder import Recorder
from vinculum.motion.storage.stored import Head, StoredArray, is_run, read_head
from vinculum.tolerances.sizes import FREE_BODIES_RECORD as PRESSES_WIDE
from vinculum.tolerances.sizes import TREE_RECORD
from vinculum.tolerances.time import RUN_ENDED


def save(motion: Any, path) -> None:
    """Write the record of a motion to the zarr folder ``path``, all or nothing; an earlier run there is replaced."""
    if motion.origin is not None:
        raise StartError(
            f"this motion of '{motion.origin.model.name}' is judged by another system or other parameters, which a stored run does not "
            "hold; save the motion it was made of, and replace after vc.load"
        )
    if motion.carried is not None:
        raise StartError(
            f"this motion of '{motion.model.name}' is seen from another frame, which a stored run does not hold; save the motion it was "
            "made of, and take at(frame=…) after vc.load"
        )
    draft = Draft(path, is_run)
    steps, crossings, changes, atoms = motion.pieces.coefficients, motion.crossings, motion.changes, motion.atoms
    contact_solver = motion.contact_solver
    run = steps.run if isinstance(steps, StoredArray) else uuid.uuid4().hex
    events = tuple(dict.fromkeys(crossing.name for crossing in crossings))
    with draft.writing() as folder:
        recorder = Recorder(
            folder, motion.model, motion.method, motion.parameters, motion.time, events, run, motion.made_by
        )
        for edges, coefficients in motion.pieces.blocks():
            recorder.append(edges, coefficients, crossings, changes, atoms, contact_solver)
            crossings, changes, atoms, contact_solver = (), (), None, None
        recorder.finish(motion.time, motion.log, motion.phases)
        draft.publish()


def load(path) -> Any:
    """The `Motion` stored in the folder ``path``; its steps are read from disk when needed.

    For a killed run, ``.NAME.partial``, it contains the steps that were written completely.

    >>> run = vc.load("run.zarr")  # doctest: +SKIP
    """
    try:
        folder = Path(os.path.realpath(path))
    except (TypeError, ValueError) as error:
        raise FileError(f"{path!r} is not a path; give the folder of a stored run, for example 'run.zarr'") from error
    head = read_head(folder)
    if head.steps == 0:
        raise FileError(f"{folder} contains no complete step: its run ended before the first was stored; run it again")
    model, pieces = stored_model(folder, head), _pieces(folder, head)
    fits = pieces.coefficients.ndim == 3 and pieces.size == model.nq + model.nv
    if not fits or set(head.parameters) != set(visible(model.parameters)):
        raise FileError(f"{folder}: the stored steps or parameters do not fit the stored model; the folder is damaged")
    grid = np.array(StoredArray(folder, "grid", head))
    log = head.log
    if not head.finished:
        grid = reached_instants(grid, pieces.begin, pieces.end)
        log = (*log, f"unfinished: what was committed are steps until t = {pieces.end:.9g} s, {head.steps} in all")
    made = _method(folder, head), dict(head.parameters), _crossings(folder, head)
    kept = {
        "changes": _changes(folder, head, model),
        "atoms": _atoms(folder, head, model),
        "phases": stored_phases(folder, head, model),
        "contact_solver": _contact_solver(folder, head, model),
        "made_by": head.made_by,
    }
    return MOTIONS.of(model).make_stored(model, pieces, grid, *made, log, **kept)


@final
class StreamSink:
    """Steps go to the disk while the run goes on, from a thread of their own; memory does not grow with the run.

    The folder ``path`` appears when the run is over. Until then the steps are in ``.NAME.partial``, where they stay if
    the process is killed or the disk is full; a run that raises leaves nothing.
    """

    def __init__(self, path, problem: Problem, parameters: Mapping[str, float], grid: np.ndarray):
        self._draft = Draft(path, is_run)
        self._problem, self._parameters, self._grid = problem, parameters, grid
        self._recorder: Recorder
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="vinculum-stream")
        self._pending: Future | None = None
        self._end: float | None = None
        self._early = False
        self._keep = False
        self._count, self._phases = 0, []

    def __enter__(self):
        problem = self._problem
        with self._draft.writing() as folder:
            self._recorder = Recorder(
                folder,
                problem.model,
                problem.method,
                self._parameters,
                self._grid,
                [event.name for event in problem.events],
                uuid.uuid4().hex,
            )
        return self

    def __exit__(self, *failure):
        self._worker.shutdown()
        if self._keep:
            self._draft.release()
        else:
            self._draft.discard()

    @property
    def full(self) -> None:
        """A disk says itself when it is full."""
        return None

    @property
    def empty(self) -> bool:
        return self._end is None

    def end(self, begin: float) -> float:
        """The instant reached so far."""
        return begin if self._end is None else self._end

    def append(self, steps: Steps) -> None:
        """Hand the steps to the writing thread, once it has dealt with the ones before."""
        self._settle()
        self._early = bool(steps.failure or steps.stopped)
        changes = () if steps.change is None else (steps.change,)
        self._pending = self._worker.submit(
            self._recorder.append,
            steps.times,
            steps.coefficients,
            steps.crossings,
            changes,
            steps.atoms,
            steps.contact_solver,
        )
        if steps.phase is not None:
            self._phases.append(replace(steps.phase, step=self._count))
        self._count += len(steps.coefficients)
        if len(steps.coefficients):
            self._end = float(steps.times[-1])

    def pieces(self, crossings, log) -> Pieces:
        """Finish the folder, move it to its place and read from there."""
        self._settle()
        begin, until, end = self._problem.begin, self._problem.until, self.end(self._problem.begin)
        early = self._early or until - end > RUN_ENDED * (until - begin)
        grid = reached_instants(self._grid, begin, end) if early else self._grid
        self._pending = self._worker.submit(self._finish, grid, log)
        self._settle()
        return _pieces(self._draft.path, self._recorder.head)

    def pressing(self) -> PressingContacts:
        """The impulses of free bodies in contact, read from the folder on first use."""
        return _pressing_contacts(self._draft.path, self._recorder.head)

    def _finish(self, grid: np.ndarray, log) -> None:
        self._recorder.finish(grid, log, self._phases)
        self._draft.publish()
        self._keep = True

    def _settle(self) -> None:
        """Wait for the writing thread; where it failed, what it had committed stays."""
        if self._pending is None:
            return
        try:
            self._pending.result()
        except (OSError, FileError) as error:
            done = self._recorder.head.steps
            self._keep = done > 0
            kept = f"what was committed so far, {done} step{'s' * (done != 1)}, stays in {self._draft.folder}, which vc.load reads; "
            raise self._draft.refusal(error, kept if done else "") from error
        self._pending = None


def _pieces(folder: Path, head: Head) -> Pieces:
    return Pieces(
        StoredArray(folder, "times", head),
        StoredArray(folder, "coefficients", head),
    )


def _crossings(folder: Path, head: Head) -> tuple[Crossing, ...]:
    rows = np.asarray(StoredArray(folder, "crossings", head))
    try:
        return tuple(Crossing(head.events[int(event)], float(t), int(direction)) for event, t, direction in rows)
    except (IndexError, ValueError) as error:
        raise FileError(
            f"{folder}: the stored crossings do not fit the stored events; the folder is damaged"
        ) from error


def _changes(folder: Path, head: Head, model: Model) -> tuple[ChartChange, ...]:
    width = row_width(model)
    if not width or not head.changes:
        return ()
    rows = np.asarray(StoredArray(folder, "changes", head))
    if rows.shape[1:] != (width,) or np.any(np.diff(rows[:, :2], axis=0) < 0.0):
        raise FileError(f"{folder}: the stored changes of chart do not fit the stored model; the folder is damaged")
    return tuple(ChartChange.of_row(row, model.nq) for row in rows)


def _atoms(folder: Path, head: Head, model: Model) -> Atoms | None:
    entries = model.layout.unilaterals.values()
    width = 3 * sum(2 if entry.lengths else 1 for entry in entries)
    own = model.nv if model.layout.impulses else 0
    if head.method["name"] == GIVEN.name:
        return None
    meetings = _meetings(folder, head, model)
    if not head.atoms:
        given = np.zeros((0, own)) if own else None
        return Atoms(np.zeros(0), np.zeros((0, width)), given, meetings) if own or model.is_bounded else None
    rows = np.asarray(StoredArray(folder, "atoms", head))
    if rows.shape[1:] != (2 + width + own,) or not np.all(np.diff(rows[:, 0]) >= 0.0):
        raise FileError(f"{folder}: the stored impulses do not fit the stored model; the folder is damaged")
    given = rows[:, 2 + width :] if own else None
    return Atoms(rows[:, 0], rows[:, 2 : 2 + width], given, meetings, rows[:, 1])


def _meetings(folder: Path, head: Head, model: Model) -> Meetings | None:
    if not head.meetings:
        answering = model.shapes is not None or (MOTIONS.of(model).keeps_pressing and model.layout.impulses)
        return Meetings(np.zeros((0, TREE_RECORD))) if answering else None
    rows = np.asarray(StoredArray(folder, "meetings", head))
    found = Meetings(rows)
    if not found.fits(head.atoms, MOTIONS.of(model).shape_count(model)):
        raise FileError(f"{folder}: the stored contacts do not fit the stored model; the folder is damaged")
    return found


def _contact_solver(folder: Path, head: Head, model: Model) -> ContactSolver | None:
    if not head.contact_solver:
        return None
    rows = np.asarray(StoredArray(folder, "contact_solver", head))
    answers = MOTIONS.of(model)
    pressing = _pressing_contacts(folder, head) if answers.keeps_pressing else None
    if rows.shape[1:] != (len(NUMBERS),) or not np.all(np.diff(rows[:, 0]) >= 0.0):
        raise FileError(f"{folder}: what is stored about the impulses does not fit; the folder is damaged")
    if pressing is not None:
        try:
            answers.check_pressing(model, pressing, len(rows))
        except FileError as error:
            raise FileError(f"{folder}: {error}") from error
    return ContactSolver.of_rows(rows, pressing)


def _pressing_contacts(folder: Path, head: Head) -> PressingContacts:
    return PressingContacts(StoredArray(folder, "pressing", head) if head.pressing else np.zeros((0, PRESSES_WIDE)))


def _method(folder: Path, head: Head) -> Method:
    name = head.method["name"]
    claims = METHODS.get(name) or METHOD_CLAIMS(name)
    if claims is None:
        raise FileError(f"{folder}: the run was made by method {name!r}, which this Vinculum does not know")
    return Method(claims, head.method["tolerance"], head.method["step"], head.method.get("max_step"),
                  head.method.get("impacts"), head.method.get("theta"))  # fmt: skip
