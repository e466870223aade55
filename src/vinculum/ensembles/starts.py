"""Starts and parameters of many runs, as the rows of two arrays."""

from collections.abc import Mapping

import numpy as np

from vinculum.bodies import BodyGroup
from vinculum.errors import StartError, VinculumError, shorten
from vinculum.models.model import Model
from vinculum.motion.arguments import floats, named_values
from vinculum.scalars import value
from vinculum.screws import Pose
from vinculum.simulation.multipliers.rules import ruled_constraints
from vinculum.systems import At, nearest, start_state
from vinculum.systems.start import spread_groups
from vinculum.systems.tree import Link


def batch(model: Model, start, parameters) -> tuple[np.ndarray, np.ndarray]:
    """States (B, n) and parameter values (B, p)."""
    values = _values(model, parameters)
    given = isinstance(start, (tuple, list)) and len(start) == 2
    states = _pair(model, *start) if given else _states_by_name(model, start)
    sizes = ({len(x) for x in values.values()} | {len(states)}) - {1}
    if len(sizes) > 1:
        raise StartError(f"the batches of start and parameters differ in length: {sorted(sizes)}")
    count = sizes.pop() if sizes else 1
    picked = [{name: x[i if len(x) > 1 else 0] for name, x in values.items()} for i in range(count if values else 1)]
    rows = np.stack([model.parameter_values(each) for each in picked])
    states, rows = np.broadcast_to(states, (count, states.shape[1])), np.broadcast_to(rows, (count, rows.shape[1]))
    return states if given else _with_masses(model, states, rows), rows


def _with_masses(model: Model, states: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """States (B, n) with the starting masses at the parameter values (B, p) of each run."""
    if model.tree is None or not model.tree.varying:
        return states
    states = states.copy()
    for state, row in zip(states, rows, strict=True):
        known = dict(zip(model.parameter_names, row.tolist(), strict=True))
        for link in model.tree.varying:
            state[link.mass_place] = value(link.body.mass, known)
    return states


def _values(model: Model, parameters) -> dict[str, np.ndarray]:
    values = {}
    for name, given in named_values(parameters).items():
        if name not in model.parameters:
            raise StartError(
                f"there is no parameter '{name}' in system '{model.name}'{nearest(name, model.parameters)}"
            )
        values[name] = np.atleast_1d(floats(f"parameter '{name}'", given))
        if values[name].ndim != 1 or not len(values[name]):
            raise StartError(f"parameter '{name}' has shape {values[name].shape}: give one value, or one for each run")
    return values


def _pair(model: Model, q, v) -> np.ndarray:
    q, v = (np.atleast_2d(floats(f"start: {name}", x)) for name, x in (("q", q), ("v", v)))
    if q.shape[1:] != (model.nq,) or v.shape[1:] != (model.nv,) or len(q) != len(v) or not len(q):
        raise StartError(f"start must be q (B, {model.nq}) and v (B, {model.nv}), got {q.shape} and {v.shape}")
    states = np.concatenate([q, v], axis=1)
    for first, last in model.layout.quaternions:
        sizes = np.abs(states[:, first:last]).max(axis=1, keepdims=True)
        if not np.all(sizes):
            run = int(np.argmin(sizes))
            raise StartError(
                f"start of run {run}: the quaternion {states[run, first:last].tolist()} has norm 0 and is not a rotation; "
                "the identity is (1, 0, 0, 0)"
            )
        states[:, first:last] /= sizes
    return model.on_charts(states)


def _states_by_name(model: Model, start) -> np.ndarray:
    tree = model.tree
    if tree is None:
        raise StartError(f"'{model.name}' is a loaded run; an ensemble needs the System it came from")
    ruled = ruled_constraints(model)
    if any(one.rule != "zero" for one in ruled):
        raise StartError(
            f"'{model.name}': the multipliers of '{ruled[0].name}' start by a rule, which is followed run by run in vc.simulate; give an "
            "ensemble their values, as vc.Vakonomic(multipliers=0.0)"
        )
    start = {} if start is None else start
    if not isinstance(start, Mapping):
        raise StartError(
            f"start is {shorten(start)} and must map names of joints or free bodies to values, or be a pair of arrays "
            f"q (B, {model.nq}) and v (B, {model.nv})"
        )
    start = spread_groups(
        {key: _by_bodies(given) if isinstance(key, BodyGroup) else given for key, given in start.items()}
    )
    assert start is not None
    columns: list[tuple[slice, np.ndarray]] = []
    for name in start.keys() & tree.joints.keys():
        link, given = tree.links[tree.joints[name]], start[name]
        at = given if isinstance(given, At) else At(given)
        if at.position is not None:
            columns.append((link.q, _positions(link, at.position)))
        if at.rate is not None:
            columns.append((slice(tree.nq + link.v.start, tree.nq + link.v.stop), _rates(link, at.rate)))
    base = start_state(tree, {name: _first(tree, name, columns) for name in start})
    count = max((len(x) for _, x in columns), default=1)
    states = np.tile(np.concatenate(base), (count, 1))
    for place, x in columns:
        if len(x) not in (1, count):
            raise StartError(f"the start values carry batches of different lengths, {len(x)} and {count}")
        states[:, place] = x
    return states


def _by_bodies(given) -> At:
    """The values of a group by its bodies: rows (n, k) that are the same in all runs stay so, and (B, n, k) become (n, B, k)."""
    at = given if isinstance(given, At) else At(given)
    return At(*(np.swapaxes(x, 0, 1) if _count_axes(x) == 3 else x for x in (at.position, at.rate)))


def _count_axes(given) -> int:
    try:
        return np.ndim(given)
    except ValueError:  # rows of different lengths are refused by whoever reads them
        return 0


def _first(tree, name: str, columns) -> At:
    """The position of the first run, so that joints are checked and filled in as for one run."""
    link = tree.links[tree.joints[name]] if name in tree.joints else None
    return At(next((x[0] for place, x in columns if link is not None and place is link.q), None))


def _positions(link: Link, given) -> np.ndarray:
    """Coordinates (B, nq) of a joint: what one run takes, or rows of that."""
    joint, where = link.joint, f"start of '{link.joint.name}'"
    if isinstance(given, Pose) or (isinstance(given, (list, tuple)) and any(isinstance(x, Pose) for x in given)):
        return np.stack(
            [
                joint.kind.coordinates.position(f"joint '{joint.name}'", pose)
                for pose in ([given] if isinstance(given, Pose) else given)
            ]
        )
    runs = joint.kind.coordinates.runs(given)
    if runs is not None:
        return np.stack([joint.kind.coordinates.position(f"joint '{joint.name}'", one) for one in runs])
    numbers = floats(where, given)
    one, refusal = _position(joint, numbers)
    if numbers.ndim == 0 or (one is not None and numbers.ndim == 1):
        if one is None:
            raise StartError(f"{where}: {refusal}") from refusal
        return one[None]
    rows = [_position(joint, row) for row in numbers]
    many = [row for row, _ in rows if row is not None]
    if one is not None and len(many) == len(rows):
        raise StartError(
            f"{where}: the matrix may be one rotation or {len(rows)} runs; give vc.Pose(rotation=…) for one rotation, "
            "or start=(q, v) with the arrays of all coordinates and velocities"
        )
    if one is not None:
        return one[None]
    if not rows or len(many) < len(rows):
        refused = next((error for _, error in rows if error is not None), refusal)
        raise StartError(
            f"{where}: shape {numbers.shape} is not one position, nor one for each run: {refused}"
        ) from refused
    return np.stack(many)


def _position(joint, given: np.ndarray) -> tuple[np.ndarray | None, VinculumError | None]:
    """The coordinates of one run, or why they are refused."""
    try:
        return joint.kind.coordinates.position(f"joint '{joint.name}'", given), None
    except VinculumError as error:
        return None, error


def _rates(link: Link, given) -> np.ndarray:
    """Velocities (B, nv) of a joint: (nv,) or (B, nv), and a number or (B,) for a joint with one velocity."""
    nv, where = link.joint.nv, f"start of '{link.joint.name}': rate"
    runs = link.joint.kind.coordinates.runs(given)
    if runs is not None:
        return np.stack([link.joint.kind.coordinates.rate(where, one) for one in runs])
    rates = floats(where, given)
    shape = rates.shape
    if nv == 1 and rates.ndim < 2:
        rates = rates.reshape(-1, 1)
    elif rates.ndim == 1:
        rates = rates[None]
    if rates.ndim != 2 or rates.shape[1] != nv or not len(rates):
        wanted = "one number, (B,) or (B, 1)" if nv == 1 else f"({nv},) or (B, {nv})"
        turned = "; transpose it" if len(shape) == 2 and shape[0] == nv else ""
        raise StartError(f"{where} has shape {shape}: give {wanted}, one row for each run{turned}")
    return rates
