"""Motions that were computed elsewhere: their arrays, and the model that they are motions of."""

from collections.abc import Mapping

import numpy as np

from vinculum.derivations.assembly import assembled
from vinculum.errors import StartError
from vinculum.kernels.model import Model
from vinculum.motion.arguments import floats

MOST = 12


def given_states(model: Model, time, q, v) -> tuple[np.ndarray, np.ndarray]:
    """Instants (T,) and states (T, nq + nv) of a motion that was computed elsewhere; others are refused."""
    time, q, v = (floats(f"a motion of '{model.name}': {name}", x) for name, x in (("time", time), ("q", q), ("v", v)))
    if time.ndim != 1 or len(time) < 2 or not np.all(np.diff(time) > 0):
        raise StartError("a motion's instants must be at least two numbers that grow")
    for name, array, width in (("q", q, model.nq), ("v", v, model.nv)):
        if array.shape != (len(time), width):
            raise StartError(
                f"a motion of '{model.name}': {name} must have shape {(len(time), width)}, got {array.shape}; its columns are "
                f"{', '.join(model.layout[f'{name}_names'][:MOST])}{', …' * (width > MOST)}"
            )
    return time, np.concatenate([q, v], axis=1)


def model_on_branch(model: Model, time: np.ndarray, states: np.ndarray, values: Mapping[str, float]) -> Model:
    """The model as it is on the branch that these states lie on."""
    if not model.layout["gaps"] or model.tree is None:
        return model
    known = np.array([values[name] for name in sorted(values)], dtype=float)
    k = len(states) // 2
    return assembled(model, states[k, : model.nq], states[k, model.nq :], known, t=float(time[k])).model


def check_same_layout(a: Model, b: Model) -> None:
    """Refuse to carry a motion of model a over to model b, unless both have the same coordinates and velocities."""
    if a.layout["q_names"] != b.layout["q_names"] or a.layout["v_names"] != b.layout["v_names"]:
        raise StartError(
            f"system '{b.name}' has coordinates {b.layout['q_names']}, the motion has {a.layout['q_names']}; "
            "only systems with the same joints can share a motion"
        )
