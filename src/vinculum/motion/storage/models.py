"""Models and phases of a stored run, read back and checked."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.bodies import GROUND
from vinculum.errors import FileError
from vinculum.models.geometry import Geometry
from vinculum.models.model import Model
from vinculum.models.types import model_from_dict
from vinculum.motion.phases import Phase
from vinculum.motion.storage.stored import Head, stored_content


def stored_model(folder: Path, head: Head) -> Model:
    """The model of the run, checked."""
    data = _read_verified(folder, head, "model", head.model)

    def model() -> Model:
        found = model_from_dict(data)
        if "geometry" not in data:
            return found
        return replace(found, geometry=Geometry.from_dict(data["geometry"], {*found.layout.bodies, GROUND}))

    return _read_or_refuse(folder, model)


def stored_phases(folder: Path, head: Head, model: Model) -> tuple[Phase, ...]:
    """The phases of the run, with the models they are in."""
    if not head.phases:
        return ()
    data = _read_verified(folder, head, "phases", head.phases)

    def phases() -> tuple[Phase, ...]:
        models = [model_from_dict(one) for one in data["models"]]
        found = tuple(
            Phase(
                int(one["step"]),
                tuple((str(a), str(b)) for a, b in one["closed"]),
                models[one["model"]],
                np.array(one["values"], dtype=float),
                float(one["begin"]),
                float(one.get("stepped", 0.0)),
            )
            for one in data["phases"]
        )
        steps = [phase.step for phase in found]
        fit = all(phase.values.shape == (len(phase.model.parameter_names),) for phase in found)
        same = all((phase.model.nq, phase.model.nv) == (model.nq, model.nv) for phase in found)
        if not (found and fit and same and steps == sorted(steps) and steps[0] >= 0 and steps[-1] <= head.steps):
            raise FileError("the phases of the stored run do not fit its steps or its model; the folder is damaged")
        return found

    return _read_or_refuse(folder, phases)


def _read_verified(folder: Path, head: Head, name: str, checksum: str) -> Any:
    content = stored_content(folder, name)
    if hashlib.sha256(content).hexdigest() != checksum:
        raise FileError(f"{folder}: the stored {name} breaks its checksum; restore the folder from a copy or run again")
    return _read_or_refuse(folder, lambda: json.loads(content))


def _read_or_refuse(folder: Path, read: Callable[[], Any]) -> Any:
    """What is read from a stored model; whatever cannot be is refused."""
    try:
        return read()
    except FileError as error:
        raise FileError(f"{folder}: {error}; run it again with this version of Vinculum") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        raise FileError(f"{folder}: the stored model is damaged: {type(error).__name__}: {error}") from error
