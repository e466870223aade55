"""The tolerance of a Taylor series for states that mix sizes."""

import numpy as np

from vinculum.kernels.evaluate import evaluate, evaluate_again
from vinculum.kernels.model import Model


def series_tolerance(model: Model, row: np.ndarray, tolerance: float) -> float:
    """The tolerance for heyoka, which measures errors against the largest number of the state, or against one.

    ``row``: (q, v, t, parameters) at the start. Where a state mixes sizes (a spinning body far away) or is small altogether, the
    tolerance is lowered in powers of a thousand. Numbers of one unit and joint are sized together, velocities v with
    accelerations a by v²/a if that is more: the amplitude of an oscillation, the radius of an orbit.
    """
    groups, nq = np.asarray(model.layout["groups"], dtype=int), model.nq
    state = np.abs(row[: len(groups)])
    if state.max(initial=0.0) == 0.0:
        return tolerance
    evaluated = evaluate_again if model.swarm is None else evaluate
    rates = np.abs(evaluated(model.tape("motion"), row[None])[0])
    sizes = []
    for g in range(groups.max() + 1):
        own = np.flatnonzero(groups == g)
        size, rate = state[own].max(), rates[own].max()
        lasting = size * size / rate if own[0] >= nq and np.isfinite(rate) and rate > 0.0 else 0.0
        sizes.append(max(size, lasting))
    largest = state.max()
    smallest = max(min(s for s in sizes if s > 0.0), 1e-9 * largest)
    mixed = np.log10(max(1.0, largest) / smallest)
    # the order that heyoka takes leaves a factor of ten and more in hand
    return max(tolerance * 1e-3 ** np.floor(max(mixed - 1.0, 0.0) / 3.0), 1e-40)
