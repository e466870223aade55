"""Contacts of the shapes of a tree at single states: at the start of a run, and for its certificate."""

import numpy as np

from vinculum.compile.evaluate import evaluate, evaluate_groups
from vinculum.errors import StartError
from vinculum.models.model import Model
from vinculum.motion.impulses.meetings import Meetings
from vinculum.tolerances.contact import DEEP_START
from vinculum.tolerances.sizes import TREE_RECORD


def contacts_at(model: Model, rows: np.ndarray, within: float = 0.0) -> Meetings:
    """All contacts of the shapes at rows (q, v, t, parameters) that are closed or may close within a time [s]; without impulses.

    ``atoms`` of the result are the indices of the rows.
    """
    assert model.shapes is not None
    outputs = evaluate(model.tape("shapes"), rows)
    work, found = _workspace(model, outputs.shape[1]), []
    for k, (out, row) in enumerate(zip(outputs, rows, strict=True)):
        count = work.look(out, row[model.nq : model.nq + model.nv].copy(), within)
        who, axes, places, gaps = work.contacts(count)
        numbers = np.zeros((count, TREE_RECORD))
        numbers[:, 0], numbers[:, 1:3], numbers[:, 3:6], numbers[:, 15] = k, who, places, gaps
        numbers[:, 6:15] = axes.reshape(count, 9)
        found.append(numbers)
    return Meetings(np.concatenate([np.zeros((0, TREE_RECORD)), *found]))


def shape_places(model: Model, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centers (B, s, 3) and axes (B, s, 3, 3) of the moving shapes at rows (q, v, t, parameters)."""
    assert model.shapes is not None
    found, count = evaluate_groups(model.tape("shapes"), rows), model.shapes.moving
    return found["centers"].reshape(-1, count, 3), found["axes"].reshape(-1, count, 3, 3)


def check_shapes_apart(model: Model, t: float, state: np.ndarray, values: np.ndarray) -> None:
    """Refuse a start with penetrating shapes."""
    assert model.shapes is not None
    out = evaluate(model.tape("shapes"), np.concatenate([state, [t], values])[None])[0]
    work, names = _workspace(model, len(out)), model.layout.shapes
    who, _axes, _places, gaps = work.contacts(work.look(out, np.ascontiguousarray(state[model.nq :]), 0.0))
    depth, body, wall = work.beneath()
    if depth > 0.0:
        raise StartError(
            f"system '{model.name}': the center of '{names[body]}' starts {depth:.3g} m beyond '{names[wall]}', on the inner side of this "
            "surface; start it on the outer side, where the corners of the triangles run counterclockwise"
        )
    small = float(model.shapes.reaches[: model.shapes.moving].min())
    if not len(gaps) or gaps.min() >= -DEEP_START * small:
        return
    k = int(np.argmin(gaps))
    one, other = (names[i] for i in who[k])
    raise StartError(
        f"system '{model.name}': '{one}' and '{other}' start {-gaps[k]:.3g} m inside each other; start them apart, leave the pair "
        "out of the contact, or let resolve=True move the coordinates as little as needed"
    )


def _workspace(model: Model, width: int):
    """What finds contacts of the model's shapes; compiled collision code is loaded for systems with shapes only."""
    from vinculum.models.shapes.workspace import TreeWork

    assert model.shapes is not None
    return TreeWork(model.shapes, width)
