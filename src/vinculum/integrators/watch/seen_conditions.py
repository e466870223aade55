"""Residuals of closed loops and constraints along the steps of a run, in one compiled call if there is machine code."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from vinculum.compile.evaluate import evaluate_again, machine_code
from vinculum.models.conditions.gaps import gap_places
from vinculum.models.model import Model
from vinculum.motion.problem import Steps


class Seen(NamedTuple):
    """Conditions along S steps.

    States at the ends of the steps (S, n); violations there (S, m); Jacobians (3 S, k, nv) at the beginning of each step, at a fraction
    of it, and at its end; the length [s] of the longest step; and the largest violation.
    """

    ends: np.ndarray
    violations: np.ndarray
    jacobians: np.ndarray
    longest: float
    worst: float


def seen_along(model: Model, steps: Steps, values: np.ndarray, look: float) -> Seen:
    """Conditions along some steps, evaluated also at a fraction ``look`` of each step; ``values``: the model's parameters in order."""
    places, count = gap_places(model), len(steps.coefficients)
    tape, code = places.tape, machine_code(places.tape)
    layout = watching().Layout(places.kept, places.levels, places.begins, model.nq, model.nv)
    X, Y = np.empty((3 * count, places.width)), np.empty((3 * count, tape.n_out))
    broken, J = np.empty((count, len(places.levels))), np.empty((3 * count, len(places.kept), model.nv))
    series, seen = np.ascontiguousarray(steps.coefficients), watching().Seen(broken, J)
    batch = code.batch if code else 0
    longest, worst = watching().watch_along(batch, (series, steps.times), values, look, layout, (X, Y), seen)
    if code is None:
        worst = watching().watch(X, evaluate_again(tape, X), layout, seen)
    return Seen(X[2 * count :, : places.at], broken, J, longest, worst)


@cache
def watching() -> Any:
    """The compiled loops of `gap_watch`; Numba is loaded on the first call."""
    from vinculum.models.conditions import watch

    return watch
