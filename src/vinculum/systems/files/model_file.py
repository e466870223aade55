"""The contents of a model file: a system, its start, its events and how to run it; files of formats that other packages read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from vinculum.errors import FileError, VinculumError
from vinculum.systems.event import Event
from vinculum.systems.start import At
from vinculum.systems.system import System
from vinculum.upward import OTHER_READERS, extension


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
