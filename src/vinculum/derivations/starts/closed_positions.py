"""Positions with closed loops, by the Levenberg–Marquardt method from a guess and from positions around it.

Prescribed bodies stay where they are at the instant ``t`` [s].
"""

import numpy as np

from vinculum.models.conditions.closed_loops import move
from vinculum.models.conditions.gaps import Gaps, gaps_at
from vinculum.models.model import Model
from vinculum.tolerances.constraints import CLOSED, CLOSED_ASTRAY
from vinculum.tolerances.iterations import (
    CLOSING_ITERATIONS,
    CLOSING_LONGEST,
    CLOSING_STALLED,
    CLOSING_TRIES,
    DAMPING_AGAIN,
    FIRST_DAMPING,
    LEAST_DAMPING,
    MOST_DAMPING,
)
from vinculum.tolerances.round_off import NEAR_ROUND_OFF


def distances(model: Model, at: Gaps, q: np.ndarray) -> np.ndarray:
    """How far mass points at coordinates (B, nq) are from conditions on their places, in parts of the largest coordinate, (B, m).

    They tell what is small where all lengths are, and so all F. Zero within 1e-15 m, and where other bodies bring lengths of their own.
    """
    kinds, units = model.layout.bodies.values(), model.layout.v_units
    if any(body.kind != "MassPoint" for body in kinds) or any(unit != "m/s" for unit in units):
        return np.zeros_like(at.values)
    extent = np.abs(q[:, : model.nv]).max(axis=1, initial=0.0, keepdims=True)
    jacobians = np.linalg.norm(at.jacobians, axis=2)
    apart = np.abs(at.values) / np.where(jacobians > 0.0, jacobians, np.inf)
    return np.where(apart > NEAR_ROUND_OFF, apart / np.where(extent > 0.0, extent, np.inf), 0.0)


def is_closed(model: Model, state, t: float, values) -> bool:
    """Whether all gaps vanish to round-off, on the side where that means closed joints."""
    at = gaps_at(model, state[None], t, values)
    reach = max(1.0, np.abs(state[: model.nq]).max(initial=0.0))
    if not np.abs(at.values).max(initial=0.0) <= 100 * CLOSED * reach:
        return False
    return bool((distances(model, at, state[None, : model.nq]) <= CLOSED_ASTRAY).all() and (at.sides > 0.0).all())


def closed_position(
    model: Model, state, t: float, values, fixed: np.ndarray, best: np.ndarray | None = None
) -> tuple[np.ndarray, bool]:
    """The state with closed loops if one is found, from the guess first and then from places around it, else the nearest; and whether
    it is closed."""
    rng: np.random.Generator | None = None
    for trial in range(CLOSING_TRIES):
        first = state
        if trial:
            rng = rng or np.random.default_rng(0)
            change = np.where(fixed, 0.0, rng.normal(size=model.nv) * min(0.2 * trial, 1.5))
            first = move(model, state[None], change[None], values)[0]
        found = least_gaps(model, first, t, values, fixed)
        if is_closed(model, found, t, values):
            return found, True
        if best is None or _openness(model, found, t, values) < _openness(model, best, t, values):
            best = found
    assert best is not None
    return best, False


def _openness(model: Model, state, t: float, values) -> float:
    at = gaps_at(model, state[None], t, values)
    return float(np.abs(at.values).max(initial=0.0)) + float(np.any(at.sides <= 0.0))


def least_gaps(model: Model, state: np.ndarray, t: float, values, fixed: np.ndarray) -> np.ndarray:
    """Least gaps by the Levenberg–Marquardt method, with the given coordinates fixed."""
    free = ~fixed
    damping = FIRST_DAMPING
    on_places = np.flatnonzero(np.array(model.layout.levels) == 0)
    at = gaps_at(model, state[None], t, values)
    size = np.linalg.norm(at.values)
    for _ in range(CLOSING_ITERATIONS):
        if not free.any() or (size <= CLOSED and (distances(model, at, state[None, : model.nq]) <= CLOSED).all()):
            break
        J = at.jacobians[0][np.ix_(on_places, free)]
        A = np.concatenate([J, np.sqrt(damping) * np.eye(free.sum())])
        step = np.zeros(model.nv)
        step[free] = np.linalg.lstsq(A, np.concatenate([-at.values[0, on_places], np.zeros(free.sum())]), rcond=None)[0]
        longest = np.abs(step).max()
        step *= min(1.0, CLOSING_LONGEST / longest) if longest > 0.0 else 1.0
        tried = move(model, state[None], step[None], values)[0]
        after = gaps_at(model, tried[None], t, values)
        new = np.linalg.norm(after.values)
        if new < size:
            state, at, size, damping = tried, after, new, max(damping * 0.1 * min(1.0, new), LEAST_DAMPING)
        elif damping > MOST_DAMPING or longest < CLOSING_STALLED:
            break
        else:
            damping = max(damping, DAMPING_AGAIN) * 10.0
    return state
