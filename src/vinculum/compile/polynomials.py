"""Values of many polynomials at once, in compiled code where that pays."""

from functools import cache as remembered

import numpy as np
from numba import typeof

from vinculum.compile.kernels import njit
from vinculum.tolerances.sizes import COEFFICIENTS_WORTH_COMPILING


@njit(nogil=True, cache=True)
def evaluate_polynomials(coefficients, which, t, values):
    """Σ_j c[which[k], i, j] t[k]^j, (K, n), by Horner's rule; coefficients c (m, n, order + 1), all arrays contiguous."""
    _, size, orders = coefficients.shape
    for k in range(len(t)):
        own = coefficients[which[k]]
        for i in range(size):
            total = own[i, orders - 1]
            for j in range(orders - 2, -1, -1):
                total = total * t[k] + own[i, j]
            values[k, i] = total


def polynomial_values(coefficients: np.ndarray, which: np.ndarray, t: np.ndarray) -> np.ndarray:
    """The same as a new array, of any arrays."""
    values = np.empty((len(t), coefficients.shape[1]))
    numbers = np.ascontiguousarray(which, dtype=np.int64), np.ascontiguousarray(t, dtype=float)
    evaluate_polynomials(np.ascontiguousarray(coefficients), *numbers, values)
    return values


def pays(count: int) -> bool:
    """Whether compiled code is used for so many coefficients: if an earlier process kept it, or once NumPy has taken as long for all
    that it was asked for as compiling takes. Both do the same operations, with the same last bits."""
    if _was_kept():
        return True
    _evaluated[0] += count
    return _evaluated[0] > COEFFICIENTS_WORTH_COMPILING


_evaluated = [0]
"""Coefficients that NumPy has evaluated in this process."""


@remembered
def _was_kept() -> bool:
    arrays = np.zeros((1, 1, 1)), np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros((1, 1))
    return evaluate_polynomials.load(tuple(typeof(one) for one in arrays))
