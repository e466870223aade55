"""The contents of a model file: a system, its start, its events and how to run it; files of formats that other packages read."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from vinculum.errors import FileError, VinculumError
from vinculum.systems.event import Event
from vinculum.systems.files.faults import Faults
from vinculum.systems.files.problems import show
from vinculum.systems.files.schema import RunTable
from vinculum.systems.files.values import Values
from vinculum.systems.start import At
from vinculum.systems.system import System
from vinculum.upward import METHOD_REFUSAL, OTHER_READERS, extension

AUTO = "auto"
UNITS = {"until": "s", "begin": "s", "step": "s", "tolerance": "1", "theta": "1"}
AS_WRITTEN = ("method", "grid", "repair", "resolve", "impacts")


@final
@dataclass(frozen=True, eq=False)
class ModelFile:
    """A checked model file; ``system`` is a `System`, or a `LagrangianSystem` if the file has no bodies.

    ``start``, ``events`` and ``run`` are arguments of `simulate`. Settings in ``run`` and attitudes in ``start`` are
    evaluated with the parameter values in the file; everything else follows a change of ``parameters``.
    """

    system: Any
    start: Mapping[str, At | list]
    events: tuple[Event, ...]
    run: Mapping[str, Any]
    parameters: Mapping[str, float]


def read_by_extension(path: Path, suffix: str, changed: Mapping[str, float | str]) -> ModelFile:
    """The model that the reader for this ending makes of a file: a function of the path and of changed parameters that returns a
    `ModelFile`, or a `System` alone."""
    if not path.is_file():
        raise FileError(f"there is no file {path}; check the name and the folder")
    read = extension(OTHER_READERS, suffix)
    try:
        found = read(path, changed)
    except VinculumError:
        raise
    except Exception as error:
        raise FileError(
            f"{path} cannot be read by the reader for .{suffix} ({type(error).__name__}: {error}); check the file, or mend that reader"
        ) from error
    if isinstance(found, System):
        return ModelFile(found, {}, (), {}, {})
    if not isinstance(found, ModelFile):
        raise FileError(
            f"{path}: the reader for .{suffix} returned a {type(found).__name__}; it returns a vc.System or a ModelFile"
        )
    return found


def run_settings(
    values: Values, table: RunTable, faults: Faults, method_refusal: Callable[[str], str | None] = METHOD_REFUSAL
) -> dict[str, Any]:
    """Arguments of `simulate` by name; what is wrong is kept among the ``faults``. ``method_refusal``: why there is no such method."""
    run: dict[str, Any] = {}
    for key, unit in UNITS.items():
        if getattr(table, key) is not None:
            with faults.keep("[run]"):
                run[key] = values.settle(f"[run] {key}", getattr(table, key), unit)
    with faults.keep("[run]"):
        if "until" in run and "begin" in run and run["until"] <= run["begin"]:
            raise FileError(f"{values.file}: [run] until = {run['until']:g} s is not after begin = {run['begin']:g} s; "
                            "the end comes after the start")  # fmt: skip
    with faults.keep("[run]"):
        step = run.get("step", 1.0)
        if not (math.isfinite(step) and step > 0.0):
            raise FileError(f"{values.file}: [run] step = {step:g} s must be a positive and finite number of seconds")
    with faults.keep("[run]"):
        refused = None if table.method in (None, AUTO) else method_refusal(table.method)
        if refused is not None:
            raise FileError(f"{values.file}: [run] method = {show(table.method)}{refused}")
    return run | {key: getattr(table, key) for key in AS_WRITTEN if getattr(table, key) is not None}
