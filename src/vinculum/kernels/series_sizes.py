"""How large the terms of Taylor series are."""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)


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
