"""Sizes of the terms of Taylor series."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.steps import NEARLY_TOLERANCE


@njit(nogil=True, cache=True)
def series_sizes(series, low, high):
    """Largest |coefficient| over the state, of order 0 (S,) and of the orders low … high − 1 (S, high − low)."""
    count, size, _ = series.shape
    values, terms = np.zeros(count), np.zeros((count, high - low))
    for k in range(count):
        for i in range(size):
            values[k] = max(values[k], abs(series[k, i, 0]))
            for j in range(low, high):
                terms[k, j - low] = max(terms[k, j - low], abs(series[k, i, j]))
    return values, terms


@njit(nogil=True, cache=True)
def is_long(series, h, low, largest):
    """Whether a term of order low + j of one step's series (n, order + 1) exceeds ``largest[j]``, relative to the state if above one.

    Slightly smaller terms count as well, so that the exact check decides.
    """
    size = 1.0
    for i in range(series.shape[0]):
        size = max(size, abs(series[i, 0]))
    power = h ** (low - 1)
    for j in range(largest.shape[0]):
        power *= h
        term = 0.0
        for i in range(series.shape[0]):
            term = max(term, abs(series[i, low + j]))
        if not term * power <= NEARLY_TOLERANCE * largest[j] * size:
            return True
    return False
