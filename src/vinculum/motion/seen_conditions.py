"""What is to be seen of closed loops and constraints along the steps of a run, in one compiled call where there is machine code."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.kernels.closed_loops import clearance_of
from vinculum.kernels.evaluate import evaluate_again, machine_code
from vinculum.kernels.gaps import gap_places
from vinculum.kernels.model import Model
from vinculum.motion.problem import Steps


@final
@dataclass(frozen=True, eq=False)
class Seen:
    """Conditions along S steps: states at their ends (S, n), violations there (S, m), clearances (S,) where they begin and at a part
    of each, slopes (3 S, k, nv) there and at the ends, and the length [s] of the longest step."""

    ends: np.ndarray
    violations: np.ndarray
    here: np.ndarray
    ahead: np.ndarray
    slopes: np.ndarray
    longest: float


def seen_along(model: Model, steps: Steps, values: np.ndarray, look: float) -> Seen:
    """Conditions along some steps, with clearances at a part ``look`` of each; ``values``: the model's parameters in order."""
    from vinculum.kernels.gap_watch import watch, watch_along

    places, count, code = gap_places(model), len(steps.coefficients), machine_code(gap_places(model).tape)
    tape, layout = places.tape, (places.kept, places.levels, places.begins, model.nq, model.nv)
    X, Y = np.empty((3 * count, places.width)), np.empty((3 * count, tape.n_out))
    broken, J = np.empty((count, len(places.levels))), np.empty((3 * count, len(places.kept), model.nv))
    clear, series = np.empty(2 * count), np.ascontiguousarray(steps.coefficients)
    longest = watch_along(code.batch if code else 0, series, steps.times, values, look, *layout, X, Y, broken, J, clear)
    if code is None:
        watch(X, evaluate_again(tape, X), *layout, broken, J, clear)
    if J.shape[1] > 1:
        clear = clearance_of(J[: 2 * count], model.layout["rank"])
    return Seen(X[2 * count :, : places.at], broken, clear[:count], clear[count:], J, longest)
