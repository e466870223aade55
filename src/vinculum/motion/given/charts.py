"""Coordinates of motions from other programs, made continuous: wrapped angles, sign changes of quaternions."""

import numpy as np

from vinculum.compile.evaluate import evaluate_groups
from vinculum.models.model import Model
from vinculum.screws.sheets import TURN


def continuous(model: Model, time: np.ndarray, states: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """States (T, n) with quaternions that keep their sign and angles that do not leap by whole turns, and what was changed, in words."""
    states, log = states.copy(), []
    for first, last in model.layout.quaternions:
        turned = np.einsum("ti,ti->t", states[1:, first:last], states[:-1, first:last]) < 0.0
        if turned.any():
            states[1:, first:last] *= np.where(np.cumsum(turned) % 2, -1.0, 1.0)[:, None]
            log.append(
                f"given: the quaternion of {_quoted_name(model, first)} changed its sign {int(turned.sum())} times, which was undone"
            )
    angles = [i for i, unit in enumerate(model.layout.q_units) if unit == "rad"]
    if angles:
        row = np.concatenate([states, time[:, None], np.broadcast_to(values, (len(time), len(values)))], axis=1)
        rates = evaluate_groups(model.tape("rates"), row)["q_dot"]
        expected = 0.5 * (rates[1:] + rates[:-1]) * np.diff(time)[:, None]
        jumps = np.round((np.diff(states[:, : model.nq], axis=0) - expected) / TURN)[:, angles]
        for i, own in zip(angles, jumps.T, strict=True):
            if np.any(own):
                states[1:, i] -= TURN * np.cumsum(own)
                log.append(
                    f"given: {_quoted_name(model, i)} was wrapped {int(np.abs(own).sum())} times, which was undone"
                )
    return states, log


def _quoted_name(model: Model, place: int) -> str:
    return f"'{model.layout.q_names[place]}'"
