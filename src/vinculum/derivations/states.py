"""Coordinates, velocities, accelerations and wrenches from a user, as checked arrays of one batch."""

from collections.abc import Mapping

import numpy as np

from vinculum.bodies import Body
from vinculum.errors import ModelError, StartError
from vinculum.models.model import Model
from vinculum.screws import Wrench
from vinculum.systems import At, start_state
from vinculum.systems.tree import Tree
from vinculum.tolerances.functions import UNIT_QUATERNION


def coordinates(model: Model, q) -> np.ndarray:
    """q as (nq,) or (B, nq), with its quaternions at length one; far from that they are refused."""
    if isinstance(q, Mapping):
        rated = [name for name, x in q.items() if isinstance(x, At) and x.rate is not None]
        if rated:
            raise StartError(f"q gives rates of {rated}; q takes positions only, give rates in v")
        return start_state(_tree(model, "q"), q)[0]
    q = numbers_of("q", q, model.nq, model.name)
    for first, last in model.layout.quaternions:
        length = np.linalg.norm(q[..., first:last], axis=-1, keepdims=True)
        if np.any(np.abs(length - 1.0) > UNIT_QUATERNION):
            wrong = np.ravel(length)[np.argmax(np.abs(np.ravel(length) - 1.0))]
            raise StartError(
                f"q of system '{model.name}': the quaternion {model.layout.q_names[first]} … "
                f"{model.layout.q_names[last - 1]} has length {wrong:.6g}, which must be 1; divide it by its length"
            )
        q = q.copy()
        q[..., first:last] /= length
    return q


def _tree(model: Model, what: str) -> Tree:
    if model.tree is None:
        raise StartError(
            f"{what} is given by names, but '{model.name}' comes from a stored run, which has no description; give an array"
        )
    return model.tree


def velocities(model: Model, what: str, given) -> np.ndarray:
    """Velocities or accelerations as (nv,) or (B, nv)."""
    if isinstance(given, Mapping):
        return start_state(_tree(model, what), {name: At(rate=x) for name, x in given.items()})[1]
    return numbers_of(what, given, model.nv, model.name)


def external_wrenches(model: Model, external) -> tuple[tuple[int, ...], list[np.ndarray]]:
    """Links with external wrenches in order, and for each the columns force, moment, point: (9,) or (B, 9)."""
    if external is not None and not isinstance(external, Mapping):
        raise StartError(f"external must map bodies to wrenches, got {type(external).__name__}")
    found: dict[int, np.ndarray] = {}
    for body, given in (external or {}).items():
        name = body if isinstance(body, str) else getattr(body, "name", body)
        what, index = f"external wrench on '{name}'", model.index("bodies", body).index
        if index in found:
            raise StartError(f"{what} is given twice; add the two wrenches")
        if not isinstance(given, Wrench):
            parts = numbers_of(what, given, 6, model.name)
            given = Wrench(force=parts[..., :3], moment=parts[..., 3:])
        parts = [numbers_of(what, part, 3, model.name) for part in (given.force, given.moment, given.at)]
        if np.any(parts[1]) and model.tree is not None:
            _check_moment(what, model.tree.links[index].body)
        batch = batch_length({f"{what}: {k}": x for k, x in zip(("force", "moment", "at"), parts, strict=True)})
        shape = (3,) if batch is None else (batch, 3)
        found[index] = np.concatenate([np.broadcast_to(x, shape) for x in parts], axis=-1)
    order = tuple(sorted(found))
    return order, [found[i] for i in order]


def _check_moment(what: str, body: Body) -> None:
    """Refuse a pure moment on a body that takes none."""
    try:
        body.mechanics.kinematics.couple(body.name, np.ones(3))
    except ModelError as error:
        raise StartError(f"{what}: {error}") from error


def numbers_of(what: str, given, width: int, system: str) -> np.ndarray:
    """Finite numbers of shape (width,) or (B, width)."""
    try:
        array = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise StartError(
            f"{what} of system '{system}' is not numeric: give ({width},) or (B, {width}) numbers"
        ) from error
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise StartError(f"{what} of system '{system}' must have shape ({width},) or (B, {width}), got {array.shape}")
    if not is_finite(array):
        place = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise StartError(f"{what} of system '{system}' is {array[place]} at {list(place)}; give finite numbers")
    return array


def batch_length(arrays: Mapping[str, np.ndarray]) -> int | None:
    """The common number of rows of those that have rows; None if all are single."""
    sizes = {name: len(x) for name, x in arrays.items() if x.ndim == 2}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise StartError(f"the batches differ in length: {said}; give all of them the same number of rows, or none")
    return next(iter(sizes.values()), None)


def is_finite(array: np.ndarray) -> bool:
    """Whether all numbers are finite; their sum, which is quicker, usually shows it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum())) or bool(np.all(np.isfinite(array)))
