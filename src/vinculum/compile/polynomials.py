"""Values of many polynomials at once."""

import numpy as np

from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def polynomial_values(coefficients, t):
    """Σ_j c[k, i, j] t[k]^j, (K, n), by Horner's rule; coefficients (K, n, order + 1), both arrays contiguous."""
    count, size, orders = coefficients.shape
    values = np.empty((count, size))
    for k in range(count):
        for i in range(size):
            total = coefficients[k, i, orders - 1]
            for j in range(orders - 2, -1, -1):
                total = total * t[k] + coefficients[k, i, j]
            values[k, i] = total
    return values
