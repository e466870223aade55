"""Runs of a model file with the settings of the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from vinculum.cli.answers import in_options
from vinculum.errors import FileError, RunError


@final
@dataclass(frozen=True, eq=False)
class Run:
    """A motion; ``failure`` says why it ended early, ``interrupted`` that the user wanted it."""

    motion: Any
    failure: str | None = None
    interrupted: bool = False


def changed_parameters(settings: Sequence[str]) -> dict[str, str]:
    """The parameters named by ``--set name=value``."""
    changed = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise FileError(f"--set {setting}: this is not name=value; write it as --set m=1.5 or --set 'tilt=30 deg'")
        changed[name.strip()] = value.strip()
    return changed


def run_file(file: Any, name: Path, settings: dict[str, Any], out: Path | None, progress: bool) -> Run:
    """The motion of a `ModelFile`; ``settings`` that are not None replace those of the file."""
    from vinculum.simulation import simulate

    chosen = dict(file.run) | {key: value for key, value in settings.items() if value is not None}
    if "until" not in chosen:
        raise FileError(f"{name}: [run] until is missing; add it to the file or give --until SECONDS")
    try:
        motion = simulate(file.system, start=file.start, events=file.events, out=out, progress=progress, **chosen)
    except RunError as error:
        if error.motion is None:
            raise
        return Run(error.motion, failure=in_options(str(error).split("; what was computed")[0]))
    return Run(motion, interrupted=motion.record.interrupted)
