"""Reader of a stored run: its checked head, and its arrays block by block."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from pathlib import Path
from typing import Any, final

import numpy as np

from vinculum.errors import FileError
from vinculum.motion.storage.files import CHECKSUM_BYTES, chunk_end, read_json, unpack

FORMAT, VERSION = "vinculum run", 12
KEY_ENCODING = {"name": "default", "configuration": {"separator": "."}}
CODECS = {"float64": ("bytes", "crc32c"), "uint8": ("bytes", "gzip")}
CHUNK_BYTES = 1 << 20


def rows_of_a_chunk(row: Sequence[int]) -> int:
    """How many rows of this shape one chunk holds."""
    return max(1, CHUNK_BYTES // (8 * max(1, prod(row))))


@final
@dataclass(frozen=True)
class Head:
    """What the first file of a run says: how far it was committed, and how it was made.

    ``rows``: the shape of a row of every array; ``checks``: the checksums of its chunks, so that none is taken for another.
    """

    run: str
    steps: int
    crossings: int
    finished: bool
    method: Mapping[str, Any]
    parameters: Mapping[str, float]
    events: tuple[str, ...]
    log: tuple[str, ...]
    model: str
    made_by: str
    changes: int = 0
    atoms: int = 0
    phases: str = ""
    meetings: int = 0
    contact_solver: int = 0
    pressing: int = 0
    grid: int = 0
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    checks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def attributes(self) -> dict[str, Any]:
        """Plain data for the folder's attributes."""
        plain = {name: list(x) if isinstance(x, tuple) else x for name, x in vars(self).items()}
        plain |= {"rows": _lists(self.rows), "checks": _lists(self.checks)}
        return seal({"format": FORMAT, "format_version": VERSION} | plain)

    def count(self, name: str) -> int:
        """Committed rows of an array."""
        return {"times": self.steps + 1, "coefficients": self.steps, "model": -1, "phases": -1}.get(
            name, getattr(self, name, 0)
        )


def _lists(arrays: Mapping[str, Sequence]) -> dict[str, list]:
    return {name: list(x) for name, x in arrays.items()}


def seal(attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes with a digest of all of them."""
    rest = {name: x for name, x in attributes.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "seal": hashlib.sha256(text.encode()).hexdigest()}


def is_run(folder: Path) -> bool:
    """Whether a folder holds a Vinculum run, finished or not."""
    try:
        return read_json(folder, "zarr.json")["attributes"]["format"] == FORMAT
    except (FileError, OSError, KeyError, TypeError):
        return False


def read_head(folder: Path) -> Head:
    """The head of the run in ``folder``; whatever is no such run is refused."""
    try:
        data = read_json(folder, "zarr.json")
    except OSError as error:
        raise FileError(_why_not(folder, error)) from error
    attributes = data.get("attributes") if isinstance(data, dict) else None
    if not isinstance(attributes, dict) or attributes.get("format") != FORMAT:
        raise FileError(
            f"{folder} is a zarr folder but not a Vinculum run; give a folder written by motion.save or out="
        )
    version = attributes.get("format_version")
    if version != VERSION:
        raise FileError(
            f"{folder} is stored in format {version!r}, and this Vinculum reads format {VERSION}; "
            "use the version of Vinculum that wrote it"
        )
    try:
        return _head(attributes)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise FileError(
            f"{folder}: zarr.json is damaged: {type(error).__name__}: {error}; restore it or run again"
        ) from error


def stored_content(folder: Path, name: str) -> bytes:
    """The bytes of a compressed array of one chunk."""
    shape, chunks = _description(folder, name, "uint8")
    if len(shape) != 1 or shape != chunks:
        raise FileError(
            f"{folder}: array '{name}' is not stored as Vinculum stores it; the folder is damaged or foreign"
        )
    try:
        return unpack(folder, name, "c.0", shape[0])
    except OSError as error:
        raise FileError(f"{folder}: chunk '{name}/c.0' is missing; restore it from a copy or run again") from error


@final
class StoredArray:
    """Rows of one array of a stored run, read from the disk when asked for, and checked.

    Behaves as a read-only array for integers, slices and `numpy.asarray`; the last chunk read stays in memory.
    """

    def __init__(self, folder: Path, name: str, head: Head):
        self.run, self.dtype = head.run, np.dtype("float64")
        self._folder, self._name = folder, name
        self._checks, self._finished = head.checks.get(name, ()), head.finished
        shape, self._chunks = _description(folder, name, "float64")
        count, row = head.count(name), tuple(head.rows.get(name, ()))
        if count > shape[0] or (head.finished and count < shape[0]):
            raise FileError(f"{folder}: array '{name}' has {shape[0]} rows where {count} were committed; it is damaged")
        if shape[1:] != row or self._chunks != (rows_of_a_chunk(row), *(max(1, k) for k in row)):
            raise FileError(
                f"{folder}: the rows of array '{name}' have shape {shape[1:]} instead of {row}; it is damaged"
            )
        self.shape = (count, *row)
        self._array: Any = None
        self._cached: tuple[int, np.ndarray] | None = None
        self._stamp = _stamp(folder)
        self._check_files()

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return self._read(0, len(self)).astype(dtype or self.dtype, copy=bool(copy))

    def __getitem__(self, key) -> np.ndarray:
        if isinstance(key, (int, np.integer)):
            place = int(key) + len(self) if key < 0 else int(key)
            if not 0 <= place < len(self):
                raise IndexError(f"row {key} of '{self._name}', which has {len(self)}")
            return self._read(place, place + 1)[0]
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step == 1:
                return self._read(start, max(start, stop))
        return np.asarray(self)[key]

    def _read(self, start: int, stop: int) -> np.ndarray:
        if prod(self.shape[1:]) == 0 or stop <= start:
            return np.empty((max(stop - start, 0), *self.shape[1:]), self.dtype)
        rows = self._chunks[0]
        chunk = start // rows
        if (stop - 1) // rows > chunk:
            return self._fetch(start, stop)
        cached = self._cached
        if cached is None or cached[0] != chunk:
            cached = self._cached = chunk, self._fetch(chunk * rows, min((chunk + 1) * rows, len(self)))
        return cached[1][start - chunk * rows : stop - chunk * rows]

    def _fetch(self, start: int, stop: int) -> np.ndarray:
        """Rows from the disk: zarr gives fill values for a missing chunk, which here are NaN and refused."""
        import zarr

        self._same_run()
        self._check_files(start, stop)
        try:
            if self._array is None:
                self._array = zarr.open_array(self._folder, path=self._name, mode="r", zarr_format=3)
            values = np.asarray(self._array[start:stop])
        except Exception as error:
            self._check_files()
            raise FileError(
                f"{self._folder}: rows {start} to {stop} of array '{self._name}' are damaged: {error}; "
                "restore the folder from a copy or run again"
            ) from error
        if self.dtype.kind == "f" and np.isnan(values).any():
            self._check_files()
            raise FileError(f"{self._folder}: rows {start} to {stop} of array '{self._name}' were never written")
        values.flags.writeable = False
        return values

    def _check_files(self, start: int = 0, stop: int | None = None) -> None:
        """Refuse a run of which a chunk is missing, cut short or not the one that was committed."""
        rows, stop = self._chunks[0], len(self) if stop is None else stop
        if prod(self.shape) == 0:
            return
        whole = prod(self._chunks) * self.dtype.itemsize + CHECKSUM_BYTES
        for chunk in range(start // rows, -(-stop // rows)):
            name = ".".join(("c", str(chunk), *"0" * (self.ndim - 1)))
            try:
                size, check = chunk_end(self._folder, self._name, name)
            except OSError as error:
                raise FileError(
                    f"{self._folder}: chunk '{self._name}/{name}' is missing; restore it from a copy or run again"
                ) from error
            if size != whole:
                raise FileError(
                    f"{self._folder}: chunk '{self._name}/{name}' has {size} bytes instead of {whole}; "
                    "restore it from a copy or run again"
                )
            # The last chunk of a run that is not finished may hold more rows by now.
            settled = self._finished or (chunk + 1) * rows <= len(self)
            if settled and self._checks[chunk : chunk + 1] != (check,):
                raise FileError(
                    f"{self._folder}: chunk '{self._name}/{name}' breaks its checksum; restore it from a copy or run again"
                )

    def _same_run(self) -> None:
        """Refuse to mix two runs: the folder may have been replaced since it was opened."""
        stamp = _stamp(self._folder)
        if stamp != self._stamp:
            if read_head(self._folder).run != self.run:
                raise FileError(f"{self._folder} contains another run than when it was opened; load it again")
            self._stamp, self._array = stamp, None


def _description(folder: Path, name: str, data_type: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and chunk shape; nothing but the plain layout that Vinculum writes is read (no pickles, no objects)."""
    try:
        data = read_json(folder, name, "zarr.json")
    except OSError as error:
        raise FileError(f"{folder}: array '{name}' is missing; restore it from a copy or run again") from error
    try:
        plain = (
            data["zarr_format"] == 3
            and data["node_type"] == "array"
            and data["data_type"] == data_type
            and data["chunk_grid"]["name"] == "regular"
            and data["chunk_key_encoding"] == KEY_ENCODING
            and tuple(codec["name"] for codec in data["codecs"]) == CODECS[data_type]
            and not data.get("storage_transformers")
        )
        shape = tuple(map(_whole, data["shape"]))
        chunks = tuple(map(_whole, data["chunk_grid"]["configuration"]["chunk_shape"]))
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(
            f"{folder}: the description of array '{name}' is damaged: {type(error).__name__}: {error}"
        ) from error
    if not plain or not shape or len(shape) != len(chunks) or min(chunks) < 1 or min(shape) < 0:
        raise FileError(
            f"{folder}: array '{name}' is not stored as Vinculum stores it; the folder is damaged or foreign"
        )
    return shape, chunks


def _head(data: Mapping[str, Any]) -> Head:
    if data["finished"] and seal(dict(data))["seal"] != data.get("seal"):
        raise ValueError("it does not say what was written")
    head = Head(
        str(data["run"]),
        _whole(data["steps"]),
        _whole(data["crossings"]),
        bool(data["finished"]),
        {"name": str(data["method"]["name"])}
        | {k: _number(data["method"].get(k)) for k in ("tolerance", "step", "max_step", "theta")}
        | {"impacts": _text(data["method"].get("impacts"))},
        {str(k): _finite(x) for k, x in data["parameters"].items()},
        tuple(map(_word, data["events"])),
        tuple(map(_word, data["log"])),
        str(data["model"]),
        _word(data["made_by"]),
        _whole(data.get("changes", 0)),
        _whole(data.get("atoms", 0)),
        str(data.get("phases", "")),
        _whole(data.get("meetings", 0)),
        _whole(data.get("contact_solver", 0)),
        _whole(data.get("pressing", 0)),
        _whole(data["grid"]),
        {str(name): tuple(map(_whole, row)) for name, row in data["rows"].items()},
        {str(name): tuple(map(_word, checks)) for name, checks in data["checks"].items()},
    )
    counts = (
        head.steps,
        head.crossings,
        head.changes,
        head.atoms,
        head.meetings,
        head.contact_solver,
        head.pressing,
        head.grid,
    )
    if min(counts) < 0:
        raise ValueError(f"some of the counts {counts} of steps and what they hold are negative")
    return head


def _word(x) -> str:
    if not isinstance(x, str):
        raise TypeError(f"{x!r} where a text should be")
    return x


def _whole(x) -> int:
    if type(x) is not int:
        raise TypeError(f"{x!r} where a whole number should be")
    return x


def _text(x) -> str | None:
    return None if x is None else str(x)


def _finite(x) -> float:
    if isinstance(x, bool) or not isfinite(number := float(x)):
        raise ValueError(f"{x!r} where a finite number should be")
    return number


def _number(value) -> float | None:
    return None if value is None else _finite(value)


def _why_not(folder: Path, error: OSError) -> str:
    if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return f"{folder} cannot be read: {error.strerror or error}; check the path and its permissions"
    if not os.path.lexists(folder):
        # A process that is killed while it puts a run in the place of another leaves both beside it.
        beside = {"an earlier run": f".{folder.name}.old", "an unfinished run": f".{folder.name}.partial"}
        found = [
            f"{what} is in {folder.with_name(name)}" for what, name in beside.items() if folder.with_name(name).is_dir()
        ]
        return f"{folder} does not exist; {' and '.join(found) or 'check the path'}"
    if not folder.is_dir():
        return f"{folder} is a file, not the folder of a Vinculum run; give a folder written by motion.save or out="
    return f"{folder} is not a Vinculum run: it contains no zarr.json; give a folder written by motion.save or out="


def _stamp(folder: Path) -> tuple[int, int]:
    try:
        status = os.stat(folder / "zarr.json")
    except OSError as error:
        raise FileError(f"{folder} is no longer there; it was moved or removed after it was opened") from error
    return status.st_ino, status.st_mtime_ns
