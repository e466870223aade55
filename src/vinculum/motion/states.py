"""States of a motion at any instants: recorded, in the user's charts, and as rows for the model's tapes."""

from typing import Any

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.conditions.closed_loops import mix_parameters
from vinculum.motion.chart_changes import in_users_charts, parameter_rows, stretch_at
from vinculum.motion.method import GIVEN


def states_at(motion: Any, time: np.ndarray) -> np.ndarray:
    """States (T, nq + nv) of a motion at instants, with loops closed and quaternions of length one."""
    return motion.model.on_charts(recorded_states(motion, time, motion.pieces.state(time)))


def recorded_states(motion: Any, time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None = None) -> np.ndarray:
    """States of the dense output with closed loops, unless they were computed elsewhere; those of a motion that is judged by another
    system are on the constraints of its own.

    ``stretch``: the changes of chart that came before each row, by default those up to its instant.
    """
    if motion.carried is not None:
        return recorded_states(motion.carried.record, time - motion.carried.frame.later, states, stretch)
    motion = motion.origin or motion
    model = motion.model
    if motion.method.claims is GIVEN or not model.layout.gaps:
        return states
    return model.type.closed_states(model, states, time, parameters_at(motion, time, stretch))


def shown_states(motion: Any, time: np.ndarray, states: np.ndarray) -> np.ndarray:
    """States of the dense output in the charts of the joints, as they are given out."""
    return in_users_charts(motion, time, states) if motion.changes else states


def tape_rows(motion: Any, time: np.ndarray, states: np.ndarray, stretch: np.ndarray | None = None) -> np.ndarray:
    """Rows (q, v, t, parameters) for the model's tapes, from states of the dense output."""
    parameters = mix_parameters(motion.model, states, time, parameters_at(motion, time, stretch))
    return np.concatenate([states, time[:, None], parameters], axis=1)


def tape_groups(motion: Any, tape: str, time: np.ndarray, states: np.ndarray) -> dict[str, np.ndarray]:
    """What one of the model's tapes gives at states of the motion, (T, …) for each group."""
    if motion.carried is not None:
        there, own = motion.carried.record, time - motion.carried.frame.later
        return motion.carried.groups(tape, there, own, states, tape_groups(there, tape, own, states))
    return evaluate_groups(motion.model.tape(tape), tape_rows(motion, time, states))


def parameters_at(motion: Any, time: np.ndarray, stretch: np.ndarray | None = None) -> np.ndarray:
    """The model's parameters (p,), or for every instant (T, p) where charts change."""
    if not motion.changes:
        return motion.values
    stretch = stretch_at(motion.changes, time) if stretch is None else stretch
    return parameter_rows(motion.model, motion.changes, motion.values, stretch)
