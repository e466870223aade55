"""Writer of a run to a zarr folder during the run; memory is constant, and every commit is a valid run."""

import hashlib
import json
import os
import time as clock
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.errors import FileError
from vinculum.models.model import Model
from vinculum.models.tree_geometry import geometry_at
from vinculum.motion.chart_changes import ChartChange, row_width
from vinculum.motion.events import Crossing
from vinculum.motion.impulses.atoms import Atoms
from vinculum.motion.impulses.contact_solver import NUMBERS, ContactSolver
from vinculum.motion.method import Method
from vinculum.motion.phases import Phase
from vinculum.motion.pieces import Coefficients
from vinculum.motion.storage.drafts import sync
from vinculum.motion.storage.files import chunk_end
from vinculum.motion.storage.json_pieces import json_bytes
from vinculum.motion.storage.stored import KEY_ENCODING, Head, rows_of_a_chunk
from vinculum.motion.storage.versions import installed_versions
from vinculum.tolerances.sizes import TREE_RECORD

ENDLESS = 1 << 40
SECONDS_BETWEEN_COMMITS = 0.5


@final
class Recorder:
    """A growing run in ``folder``; ``run`` names its steps, so that a reader knows them again.

    The committed number of steps is written last: whatever kills the process, a reader finds that many whole steps.
    """

    def __init__(
        self,
        folder: Path,
        model: Model,
        method: Method,
        parameters: Mapping[str, float],
        grid: np.ndarray,
        events: Sequence[str],
        run: str,
        made_by: str = "",
    ):
        import zarr

        content = model_bytes(model, parameters)
        checksum = hashlib.sha256(content).hexdigest()
        settings = {
            "name": method.claims.name,
            "tolerance": method.tolerance,
            "step": method.step,
            "max_step": method.max_step,
            "impacts": method.impacts,
            "theta": method.theta,
        }
        self.head = Head(
            run, 0, 0, False, settings, dict(parameters), tuple(events), (), checksum, made_by or installed_versions()
        )
        self._folder = folder
        self._group: Any = zarr.create_group(folder, zarr_format=3, attributes=self.head.attributes())
        self._write_bytes("model", content)
        self._grid = self._write_grid(grid)
        self._times = _Rows(self._group, folder, "times", (), ("edge",))
        self._crossings = _Rows(self._group, folder, "crossings", (3,), ("crossing", "event_time_direction"))
        width = row_width(model)
        self._changes = _Rows(self._group, folder, "changes", (width,), ("change", "numbers")) if width else None
        self._struck = model.nv if model.layout.impulses else 0
        self._atoms: _Rows | None = None
        self._meetings: _Rows | None = None
        self._contact_solver: _Rows | None = None
        self._presses: _Rows | None = None
        self._coefficients: _Rows | None = None
        self._committed = -np.inf

    def append(
        self,
        times: np.ndarray,
        coefficients: Coefficients,
        crossings: Iterable[Crossing],
        changes: Sequence[ChartChange] = (),
        atoms: Atoms | None = None,
        contact_solver: ContactSolver | None = None,
    ) -> None:
        """Take consecutive steps, changes of chart, impulses and their solves; commit them if the last commit was some time ago."""
        if atoms is not None and atoms.meetings is not None and len(atoms.meetings):
            if self._meetings is None:
                self._meetings = _Rows(self._group, self._folder, "meetings", (TREE_RECORD,), ("meeting", "numbers"))
            before = 0 if self._atoms is None else len(self._atoms)
            self._meetings.append(atoms.meetings.renumber(atoms.meetings.atoms + before).rows)
        if atoms is not None and len(atoms):
            given = np.zeros((len(atoms), self._struck)) if atoms.given is None else atoms.given
            rows = np.column_stack([atoms.times, atoms.durations, atoms.contact_impulses, given])
            if self._atoms is None:
                self._atoms = _Rows(
                    self._group, self._folder, "atoms", rows.shape[1:], ("atom", "time_span_contact_impulses")
                )
            self._atoms.append(rows)
        if contact_solver is not None and len(contact_solver):
            self._take_contact_solver(contact_solver)
        if self._changes is not None and changes:
            self._changes.append(np.stack([change.row() for change in changes]))
        index = {name: i for i, name in enumerate(self.head.events)}
        rows = [(index[c.name], c.time, c.direction) for c in crossings]
        if rows:
            self._crossings.append(np.array(rows, dtype=float))
        if len(coefficients) == 0:
            return
        if self._coefficients is None:
            self._coefficients = _Rows(
                self._group, self._folder, "coefficients", coefficients.shape[1:], ("step", "state", "order")
            )
            self._times.append(times[:1])
        self._times.append(times[1:])
        self._coefficients.append(np.asarray(coefficients))
        if clock.monotonic() - self._committed > SECONDS_BETWEEN_COMMITS:
            self.commit()

    def _take_contact_solver(self, contact_solver: ContactSolver) -> None:
        if self._contact_solver is None:
            self._contact_solver = _Rows(
                self._group, self._folder, "contact_solver", (len(NUMBERS),), ("instant", "numbers")
            )
        if contact_solver.pressing is not None and len(contact_solver.pressing):
            if self._presses is None:
                wide = (contact_solver.pressing.width,)
                self._presses = _Rows(self._group, self._folder, "pressing", wide, ("contact", "numbers"))
            self._presses.append(contact_solver.pressing.shift(len(self._contact_solver)))
        self._contact_solver.append(contact_solver.rows)

    def commit(self, **said) -> None:
        """Bring everything taken so far to the disk, then say so."""
        if self._coefficients is None:
            return
        counted = {"crossings": self._crossings, "changes": self._changes, "atoms": self._atoms, "meetings": self._meetings,
                   "contact_solver": self._contact_solver, "pressing": self._presses, "grid": self._grid}  # fmt: skip
        counted = {name: rows for name, rows in counted.items() if rows is not None}
        every = {"coefficients": self._coefficients, "times": self._times, **counted}
        for rows in every.values():
            rows.flush()
        self.head = replace(
            self.head,
            steps=len(self._coefficients),
            rows={name: rows.row for name, rows in every.items()},
            checks={name: tuple(rows.checks) for name, rows in every.items()},
            **{name: len(rows) for name, rows in counted.items()},
            **said,
        )
        _rewrite(self._folder / "zarr.json", attributes=self.head.attributes())
        self._committed = clock.monotonic()

    def finish(self, grid: np.ndarray, log: Sequence[str], phases: Sequence[Phase] = ()) -> None:
        """The last commit, with the grid, the log and the phases of the whole run."""
        self._grid = self._write_grid(grid)
        content = phase_bytes(phases) if phases else b""
        if phases:
            self._write_bytes("phases", content)
        self.commit(log=tuple(log), finished=True, phases=hashlib.sha256(content).hexdigest() if phases else "")

    def _write_bytes(self, name: str, content: bytes) -> None:
        from zarr.codecs import GzipCodec

        self._group.create_array(
            name,
            data=np.frombuffer(content, np.uint8),
            chunks=(len(content),),
            compressors=[GzipCodec(level=3)],
            chunk_key_encoding=KEY_ENCODING,
        )

    def _write_grid(self, grid: np.ndarray) -> "_Rows":
        rows = _Rows(self._group, self._folder, "grid", (), ("time",))
        rows.append(grid)
        rows.flush()
        return rows


@final
class _Rows:
    """An array that grows by rows, written in whole chunks; `flush` writes the unfinished last one and the length.

    To zarr the array is endless, because its `resize` takes time that grows with the number of chunks.
    """

    def __init__(self, group: Any, folder: Path, name: str, row: tuple[int, ...], dimensions: tuple[str, ...]):
        from zarr.codecs import Crc32cCodec

        self.row, self.checks = tuple(row), []
        self._rows = rows_of_a_chunk(row)
        self._folder, self._name = folder, name
        self._array = group.create_array(
            name,
            shape=(ENDLESS, *row),
            chunks=(self._rows, *(max(1, k) for k in row)),
            dtype="float64",
            fill_value=np.nan,
            compressors=[Crc32cCodec()],
            chunk_key_encoding=KEY_ENCODING,
            dimension_names=dimensions,
            overwrite=True,
        )
        self._tail: list[np.ndarray] = []
        self._whole = 0
        self._count = 0
        self._unsynced: set[int] = set()

    def __len__(self) -> int:
        return self._count

    def append(self, values: np.ndarray) -> None:
        if np.isnan(values).any():
            raise FileError(
                f"{self._folder}: the '{self._name}' of the motion contain NaN, which is not a state of a system"
            )
        self._tail.append(values)
        self._count += len(values)
        ready = (self._count - self._whole) // self._rows * self._rows
        if ready:
            pending = np.concatenate(self._tail)
            self._put(pending[:ready])
            self._whole += ready
            self._tail = [pending[ready:].copy()]

    def flush(self) -> None:
        """Write what is pending and bring it to the disk."""
        if self._count > self._whole:
            self._tail = [np.concatenate(self._tail)]
            self._put(self._tail[0])
        folder = self._folder / self._name
        for chunk in sorted(self._unsynced):
            name = ".".join(("c", str(chunk), *"0" * (self._array.ndim - 1)))
            sync(folder / name)
            self.checks[chunk:] = [chunk_end(self._folder, self._name, name)[1]]
        self._unsynced.clear()
        _rewrite(folder / "zarr.json", shape=[self._count, *self._array.shape[1:]])

    def _put(self, values: np.ndarray) -> None:
        stop = self._whole + len(values)
        if values.size:
            self._array[self._whole : stop] = values
            self._unsynced.update(range(self._whole // self._rows, -(-stop // self._rows)))


def _rewrite(path: Path, **entries) -> None:
    """Change entries of a description, all or nothing, and bring it to the disk."""
    changed = path.with_suffix(".partial")
    changed.write_text(json.dumps(json.loads(path.read_bytes()) | entries, indent=2))
    sync(changed)
    os.replace(changed, path)
    sync(path.parent)


def model_bytes(model: Model, parameters: Mapping[str, float] | None = None) -> bytes:
    """The stored form of a model as JSON; with the ``parameters`` of a run also what it looks like there."""
    geometry = None if parameters is None else geometry_at(model, parameters)
    seen = {} if geometry is None else {"geometry": geometry}
    return json_bytes({**model.type.to_dict(model), **seen})


def phase_bytes(phases: Sequence[Phase]) -> bytes:
    """Phases with the models they are in, each model once, as JSON."""
    models = {id(phase.model): phase.model for phase in phases}
    places = {key: k for k, key in enumerate(models)}
    written = [
        {"step": phase.step, "closed": [list(pair) for pair in phase.closed], "model": places[id(phase.model)],
         "values": phase.values.tolist(), "begin": phase.begin, "stepped": phase.stepped} for phase in phases
    ]  # fmt: skip
    kept = [json.loads(model_bytes(model)) for model in models.values()]
    return json_bytes({"models": kept, "phases": written})
