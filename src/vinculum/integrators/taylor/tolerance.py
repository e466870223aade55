"""The tolerance of a Taylor series for states with entries of different sizes."""

import math
from weakref import WeakKeyDictionary

import numpy as np

from vinculum.compile.evaluate import evaluate, evaluate_again
from vinculum.models.model import Model
from vinculum.tolerances.steps import LEAST_MIXED, LOWEST_TOLERANCE, THREE_DIGITS


def series_tolerance(model: Model, row: np.ndarray, tolerance: float) -> float:
    """The tolerance for heyoka, which measures errors relative to the largest number of the state, or to one.

    ``row``: (q, v, t, parameters) at the start. If a state mixes sizes (a spinning body far away) or is small altogether, the tolerance
    is lowered in powers of a thousand. Numbers of one unit and joint share one size. The size of velocities v with accelerations a is
    v²/a if that is larger: the amplitude of an oscillation, the radius of an orbit.
    """
    least, largest = _sizes(model, row)
    if largest == 0.0:
        return tolerance
    # Numbers below the smallest normal number have no usable size.
    mixed = math.log10(max(1.0, largest)) - math.log10(max(least, LEAST_MIXED * largest, np.finfo(float).tiny))
    # The order that heyoka chooses leaves a margin of at least a factor of ten.
    return max(tolerance * THREE_DIGITS ** math.floor(max(mixed - 1.0, 0.0) / 3.0), LOWEST_TOLERANCE)


def _sizes(model: Model, row: np.ndarray) -> tuple[float, float]:
    """Size of the smallest nonzero group of the state, and of the largest number; the last result is stored."""
    key, known = row.tobytes(), _known.get(model)
    if known is not None and known[0] == key:
        return known[1]
    groups, nq = np.asarray(model.layout.groups, dtype=int), model.nq
    state = np.abs(row[: len(groups)])
    largest = float(state.max(initial=0.0))
    least = 0.0
    if largest > 0.0:
        evaluated = evaluate_again if model.type.has_graphs else evaluate
        least = _least(state, np.abs(evaluated(model.tape("motion"), row[None])[0]), groups, nq)
    _known[model] = key, (least, largest)
    return least, largest


def _least(state: np.ndarray, rates: np.ndarray, groups: np.ndarray, nq: int) -> float:
    """The size of the smallest group; ``state`` and ``rates`` are absolute values."""
    order = np.argsort(groups, kind="stable")
    begins = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sizes, fastest = (np.maximum.reduceat(x[order], begins) for x in (state, rates))
    lasts = (order[begins] >= nq) & (fastest > 0.0) & (fastest < np.inf)
    speeds = np.where(lasts, sizes, 0.0)
    sizes = np.maximum(sizes, speeds * speeds / np.where(lasts, fastest, 1.0))
    return float(sizes[sizes > 0.0].min())


_known: "WeakKeyDictionary[Model, tuple[bytes, tuple[float, float]]]" = WeakKeyDictionary()
