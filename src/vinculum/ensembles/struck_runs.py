"""Runs between applied impulses: all of them stop at the same instants, are struck, and continue."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from vinculum.ensembles.runs import Runs, runs_of
from vinculum.errors import RunError
from vinculum.integrators.by_type import STEPS
from vinculum.integrators.event_driven.given_impulses import GivenImpulses
from vinculum.motion.problem import Problem

Take = Callable[[np.ndarray, float, np.ndarray], Runs]
"""Runs from states (B, n) at an instant on, at later instants."""


def struck_runs(first: Problem, take: Take, states: np.ndarray, values: np.ndarray, instants: np.ndarray) -> Runs:
    """Runs on a grid, with the impulses of the model; ``first``: the problem of a run alone. At an instant of an impulse, states are those
    after it."""
    model, until = first.model, float(instants[-1])
    cuts = {at for entry in model.layout.impulses.values() for at in entry.at if first.begin <= at < until}
    struck = [GivenImpulses(replace(first, state=y, parameters=p)) for y, p in zip(states, values, strict=True)]
    found, steps = np.full((len(states), len(instants), states.shape[1]), np.nan), np.zeros(len(states), dtype=np.int64)
    states, interrupted, edges = states.copy(), False, sorted({first.begin, *cuts, until})
    for begin, end in pairwise(edges):
        for k in np.flatnonzero(np.isfinite(states).all(axis=1)):
            states[k] = _after(replace(first, state=states[k], parameters=values[k]), struck[k], begin)
        found[:, instants == begin] = states[:, None]
        inside = (instants > begin) & (instants < end)
        runs = take(states, begin, np.append(instants[inside], end))
        reached = np.concatenate([runs.q, runs.v], axis=2)
        found[:, inside], states = reached[:, :-1], reached[:, -1].copy()
        steps, interrupted = steps + runs.steps, runs.interrupted
        if interrupted:
            break
    found[:, instants == until] = states[:, None]
    later = instants > first.begin
    begun = found[:, ~later][:, 0] if not later.all() else states
    return runs_of(model, first.begin, instants, begun, values, found[:, later], steps, interrupted)


def _after(problem: Problem, struck: GivenImpulses, t: float) -> np.ndarray:
    """The state of a run after the impulses that are due; not numbers if these are none."""
    model, state = problem.model, problem.state
    given = struck.due(t, state)
    if struck.failure:
        return np.full_like(state, np.nan)
    if given is None or not np.any(given):
        return state
    try:
        v = STEPS.of(model).answering(problem).after(t, state, given, False)[0]
    except RunError:
        return np.full_like(state, np.nan)
    return np.concatenate([state[: model.nq], v])
