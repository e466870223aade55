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
    of each, and the length [s] of the longest step."""

    ends: np.ndarray
    violations: np.ndarray
    here: np.ndarray
    ahead: np.ndarray
    longest: float


def seen_along(model: Model, steps: Steps, values: np.ndarray, look: float) -> Seen:
    """Conditions along some steps, with clearances at a part ``look`` of each; ``values``: the model's parameters in order."""
    from vinculum.kernels.gap_watch import rows_along, watched, watched_rows

    places, count = gap_places(model), len(steps.coefficients)
    layout = places.kept, places.levels, places.begins, model.nq, model.nv
    series, code = np.ascontiguousarray(steps.coefficients), machine_code(places.tape)
    if code is not None:
        X, broken, J, clear, longest = watched_rows(
            code.batch, series, steps.times, values, look, places.tape.n_out, *layout
        )
    else:
        X, longest = rows_along(series, steps.times, values, look)
        broken, J, clear = watched(X, evaluate_again(places.tape, X), *layout)
    if J.shape[1] > 1:
        clear = clearance_of(J, model.layout["rank"])
    return Seen(X[2 * count :, : places.at], broken, clear[:count], clear[count:], longest)
