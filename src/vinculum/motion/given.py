"""Motions that were computed elsewhere: their arrays, and the model that they are motions of."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from vinculum.derivations.assembly import assembled
from vinculum.errors import StartError
from vinculum.kernels.model import Model
from vinculum.kernels.models import model_for
from vinculum.motion.arguments import floats
from vinculum.motion.phases import Phase
from vinculum.systems import System

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


def other_phases(motion: Any, system, values: Mapping[str, float]) -> tuple[Phase, ...]:
    """The phases of a motion with the models and parameters of another system: boundaries of the same names are closed in them."""
    if not motion.phases or not isinstance(system, System):
        return tuple(replace(phase, values=_known(phase.model, values, phase.values)) for phase in motion.phases)
    models: dict[tuple, Model] = {}
    ends = [*(phase.step for phase in motion.phases[1:]), len(motion.pieces)]
    for phase, end in zip(motion.phases, ends, strict=True):
        if phase.closed in models or end == phase.step:
            continue
        missing = [name for name, _ in phase.closed if name not in model_for(system).layout["boundaries"]]
        if missing:
            raise StartError(
                f"the motion rests on boundary '{missing[0]}', which the other system does not have; add one of that name"
            )
        model = model_for(system.with_contacts(dict(phase.closed)))
        known = dict(zip(model.parameter_names, _known(model, values), strict=True))
        time = np.asarray(motion.pieces.times[phase.step : phase.step + 2])
        models[phase.closed] = model_on_branch(model, time, motion.pieces.state(time), known)
    chosen = [(phase, models.get(phase.closed, phase.model)) for phase in motion.phases]
    return tuple(replace(phase, model=model, values=_known(model, values)) for phase, model in chosen)


def _known(model: Model, values: Mapping[str, float], own: np.ndarray | None = None) -> np.ndarray:
    """All parameters of a model in order: those named in ``values``, and its own."""
    defaults = model.parameters if own is None else dict(zip(model.parameter_names, own, strict=True))
    return np.array([values.get(name, defaults[name]) for name in model.parameter_names], dtype=float)
