"""Values of many polynomials at once."""

import numpy as np

from vinculum.compile.kernels import njit


@njit(nogil=True, cache=True)
def polynomial_values(coefficients, which, t):
    """Σ_j c[which[k], i, j] t[k]^j, (K, n), by Horner's rule; coefficients c (m, n, order + 1), all arrays contiguous."""
    _, size, orders = coefficients.shape
    values = np.empty((len(t), size))
    for k in range(len(t)):
        own = coefficients[which[k]]
        for i in range(size):
            total = own[i, orders - 1]
            for j in range(orders - 2, -1, -1):
                total = total * t[k] + own[i, j]
            values[k, i] = total
    return values
