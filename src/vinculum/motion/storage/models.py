"""Models and phases of a stored run, read back and checked."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from vinculum.compile.tape import Tape
from vinculum.contact.free_bodies.pile import Pile
from vinculum.errors import FileError
from vinculum.models.layout import Layout
from vinculum.models.model import Model, pile_model, swarm_model
from vinculum.models.pair_loop.swarm import Swarm
from vinculum.models.shapes.tree_shapes import TreeShapes
from vinculum.motion.phases import Phase
from vinculum.motion.storage.layouts import check_outputs, checked_layout
from vinculum.motion.storage.stored import Head, stored_content


def stored_model(folder: Path, head: Head) -> Model:
    """The model of the run, checked."""
    data = _checked(folder, head, "model", head.model)
    if "swarm" in data:
        return _guarded(
            folder, lambda: _swarm_model(folder, checked_layout(data["layout"]), Swarm.from_dict(data["swarm"]))
        )
    if "pile" in data:
        return _guarded(
            folder, lambda: _pile_model(folder, checked_layout(data["layout"]), Pile.from_dict(data["pile"]))
        )
    return _guarded(folder, lambda: _model_of(folder, data))


def stored_phases(folder: Path, head: Head, model: Model) -> tuple[Phase, ...]:
    """The phases of the run, with the models they are in."""
    if not head.phases:
        return ()
    data = _checked(folder, head, "phases", head.phases)

    def phases() -> tuple[Phase, ...]:
        models = [_model_of(folder, one) for one in data["models"]]
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

    return _guarded(folder, phases)


def _checked(folder: Path, head: Head, name: str, checksum: str) -> Any:
    content = stored_content(folder, name)
    if hashlib.sha256(content).hexdigest() != checksum:
        raise FileError(f"{folder}: the stored {name} breaks its checksum; restore the folder from a copy or run again")
    return _guarded(folder, lambda: json.loads(content))


def _guarded(folder: Path, read: Callable[[], Any]) -> Any:
    """What is read from a stored model; whatever cannot be is refused."""
    try:
        return read()
    except FileError as error:
        raise FileError(f"{folder}: {error}; run it again with this version of Vinculum") from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError, OverflowError) as error:
        raise FileError(f"{folder}: the stored model is damaged: {type(error).__name__}: {error}") from error


def _model_of(folder: Path, data: dict[str, Any]) -> Model:
    layout = checked_layout(data["layout"])
    tapes = {name: Tape.from_dict(tape) for name, tape in data["tapes"].items()}
    model = Model(layout, tapes, shapes=TreeShapes.from_dict(data["shapes"]) if "shapes" in data else None)
    if not all(tapes[name].inputs == _inputs(model, name) for name in model.tape_names()):
        raise FileError("the tapes of the stored model do not fit its layout; the folder is damaged")
    if any([name for name, _ in tape.parameters] != list(model.parameter_names) for tape in tapes.values()):
        raise FileError("the tapes of the stored model have other parameters than its layout; the folder is damaged")
    shapes = model.shapes
    if len(layout.shapes) != (0 if shapes is None else len(shapes.kinds)):
        raise FileError("the shapes of the stored model do not fit its layout; the folder is damaged")
    if shapes is not None and shapes.carried.shape[1] != model.nv:
        raise FileError("the shapes of the stored model do not fit its velocities; the folder is damaged")
    check_outputs(model)
    return model


def _swarm_model(folder: Path, layout: Layout, swarm: Swarm) -> Model:
    given = [name for name, _ in swarm.numbers.parameters]
    fitting = len(layout.bodies) == swarm.count and given == sorted(layout.parameters)
    if not fitting or any([name for name, _ in g.tape.parameters] != given for g in swarm.groups):
        raise FileError(f"{folder}: the swarm of the stored model does not fit its layout; the folder is damaged")
    return swarm_model(layout, swarm)


def _pile_model(folder: Path, layout: Layout, pile: Pile) -> Model:
    if len(layout.bodies) != pile.count or len(layout.q_names) != 7 * pile.count:
        raise FileError(f"{folder}: the pile of the stored model does not fit its layout; the folder is damaged")
    return pile_model(layout, pile)


def _inputs(model: Model, tape: str) -> tuple[tuple[str, int], ...]:
    state = (("q", model.nq), ("p" if tape in ("canonical", "velocities") else "v", model.nv), ("t", 1))
    if tape == "curves":
        n, order = model.nq, model.lagrangian.order
        state = (*((f"level{k}", n) for k in range(order + 1)), ("t", 1))
    accelerations = (("a", model.nv),) if tape == "hamel" else ()
    return state + accelerations + ((("parameters", len(model.parameters)),) if model.parameters else ())
