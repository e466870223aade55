"""Other coordinates x for a system: q = f(x), with the velocities v = N(x) ẋ that follow."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.equations.recursions.coordinate_rates import velocities
from vinculum.errors import MethodError, ModelError, VinculumError
from vinculum.scalars import directional, jacobian, replay, symbol, vector
from vinculum.scalars.math import NUMERIC
from vinculum.systems import Tree, nearest


@final
@dataclass(frozen=True, eq=False)
class Coordinates:
    """Names and symbols of the new coordinates and their rates, and q (nq,) and v (nv,) over them."""

    names: tuple[str, ...]
    x: np.ndarray
    x_dot: np.ndarray
    q: np.ndarray
    v: np.ndarray


def chosen_coordinates(tree: Tree, function: Callable) -> Coordinates:
    """The coordinates that a user's function of them names: its arguments are x, its result {joint: coordinates}.

    Joints that the result leaves out keep their own coordinates, behind the new ones. Cheremensky, On Concept of
    Mechanical System, end of section 2.2.5: q = N q̃.
    """
    names = _argument_names(function)
    x = np.array([*(symbol(name) for name in names), None], dtype=object)[:-1]
    try:
        given = function(*x)
    except VinculumError:
        raise
    except Exception as error:
        raise ModelError(f"coordinates: the function failed on symbols: {type(error).__name__}: {error}; "
                         "write it with vc.math, without `if`") from error  # fmt: skip
    q, names, x = _joint_coordinates(tree, given, list(names), list(x))
    x_dot = np.array([*(symbol(f"{name}_dot") for name in names), None], dtype=object)[:-1]
    result = Coordinates(tuple(names), x, x_dot, q, velocities(tree, q, directional(q, x, x_dot)))
    _check_rank(tree, result)
    return result


def _argument_names(function: Callable) -> tuple[str, ...]:
    if not callable(function):
        raise ModelError(
            f"coordinates must be a function of the new coordinates that returns {{joint: coordinate}}, got {function!r}; "
            "such as lambda a, b: {'shoulder': a, 'elbow': b - a}"
        )
    return tuple(inspect.signature(function).parameters)


def _joint_coordinates(tree: Tree, given, names: list[str], x: list) -> tuple[np.ndarray, list[str], np.ndarray]:
    if not isinstance(given, Mapping):
        raise ModelError(f"coordinates: the function must return {{joint: coordinate}}, got {type(given).__name__}")
    known = {link.joint.name: link for link in tree.links}
    given = {name if isinstance(name, str) else name.name: value for name, value in given.items()}
    for name in given:
        if name not in known:
            raise ModelError(f"coordinates: there is no joint '{name}' in system '{tree.name}'{nearest(name, known)}")
    parts = []
    for link in tree.links:
        if link.joint.name in given:
            own = np.atleast_1d(vector(given[link.joint.name]))
            if own.shape != (link.joint.nq,):
                raise ModelError(
                    f"coordinates: joint '{link.joint.name}' has {link.joint.nq} coordinates, got an array of shape {own.shape}"
                )
        else:
            labels = [
                f"{link.joint.name}.{label}" if label else link.joint.name
                for label in link.joint.kind.coordinates.q_labels
            ]
            own = np.array([*(symbol(label) for label in labels), None], dtype=object)[:-1]
            names, x = [*names, *labels], [*x, *own]
        parts.append(own)
    return np.concatenate([np.zeros(0), *parts]), names, np.array([*x, None], dtype=object)[:-1]


def _check_rank(tree: Tree, chosen: Coordinates) -> None:
    N = jacobian(chosen.v, chosen.x_dot)
    rng = np.random.default_rng(0)
    values = {id(s): value for s, value in zip(chosen.x, rng.uniform(0.2, 1.0, len(chosen.x)), strict=True)}

    def number(leaf):
        return values[id(leaf)] if leaf.op == "symbol" else leaf.args[1]

    rank = np.linalg.matrix_rank(replay(N, number, NUMERIC).astype(float)) if N.size else 0
    if rank < len(chosen.x):
        raise MethodError(
            f"coordinates {', '.join(chosen.names)} of system '{tree.name}' move the joints in only {rank} independent ways "
            f"of {len(chosen.x)}: NᵀN is singular; leave out those that change nothing"
        )
