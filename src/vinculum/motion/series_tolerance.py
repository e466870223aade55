"""The tolerance of a Taylor series for states that mix sizes."""

import math
from typing import final
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.kernels.evaluate import evaluate, evaluate_again
from vinculum.kernels.model import Model


def series_tolerance(model: Model, row: np.ndarray, tolerance: float) -> float:
    """The tolerance for heyoka, which measures errors against the largest number of the state, or against one.

    ``row``: (q, v, t, parameters) at the start. Where a state mixes sizes (a spinning body far away) or is small altogether, the
    tolerance is lowered in powers of a thousand. Numbers of one unit and joint are sized together, velocities v with
    accelerations a by v²/a if that is more: the amplitude of an oscillation, the radius of an orbit.
    """
    groups = _known.get(model) or _known.setdefault(model, _Groups(model))
    state = np.abs(row[: len(groups.order)])
    if state.max(initial=0.0) == 0.0:
        return tolerance
    evaluated = evaluate_again if model.swarm is None else evaluate
    rates = np.abs(evaluated(model.tape("motion"), row[None])[0])
    least = groups.least_size(state, rates)
    largest = float(state.max())
    mixed = math.log10(max(1.0, largest) / max(least, 1e-9 * largest))
    # the order that heyoka takes leaves a factor of ten and more in hand
    return max(tolerance * 1e-3 ** math.floor(max(mixed - 1.0, 0.0) / 3.0), 1e-40)


@final
class _Groups:
    """Numbers of a model's state that are sized together: their order by groups, where groups begin, and which are velocities."""

    def __init__(self, model: Model):
        groups = np.asarray(model.layout["groups"], dtype=int)
        self.order = np.argsort(groups, kind="stable")
        self.begins = np.flatnonzero(np.diff(groups[self.order], prepend=-1))
        self.of_velocities = self.order[self.begins] >= model.nq

    def least_size(self, state: np.ndarray, rates: np.ndarray) -> float:
        """The size of the smallest group that is not zero; ``state`` and ``rates`` without signs."""
        sizes, fastest = (np.maximum.reduceat(x[self.order], self.begins) for x in (state, rates))
        lasts = self.of_velocities & (fastest > 0.0) & (fastest < np.inf)
        sizes = np.maximum(sizes, np.where(lasts, sizes * sizes / np.where(lasts, fastest, 1.0), 0.0))
        return float(sizes[sizes > 0.0].min())


_known: "WeakKeyDictionary[Model, _Groups]" = WeakKeyDictionary()
