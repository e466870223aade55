"""A kernel that is bound to its first argument gives what it gives without."""

from typing import NamedTuple

import numpy as np

from vinculum.compile.kernels import bind, njit

Many = NamedTuple("Many", [(f"x{k}", np.ndarray) for k in range(9)])


@njit(nogil=True)
def _total(many, y, factor):
    found = 0.0
    for x in many:
        for k in range(len(x)):
            found += factor * x[k]
    for k in range(len(y)):
        found += y[k]
    return found


def test_a_bound_kernel_reads_the_present_numbers_of_the_same_arrays():
    many = Many(*(np.arange(3.0) + k for k in range(9)))
    call = bind(_total, many)
    for factor in (1.0, -2.5):
        for y in (np.ones(4), np.ones(0)):
            assert call(y, factor) == _total(many, y, factor)
    many.x4[:] = 100.0
    assert call(np.ones(4), 1.0) == _total(many, np.ones(4), 1.0) == 4.0 + sum(x.sum() for x in many)
