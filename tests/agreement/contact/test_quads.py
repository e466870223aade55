"""Four numbers at once against NumPy."""

import numpy as np
from numba import njit

from vinculum.compile.vectors.quads import difference, less_product, product, put_quad, quad_at, sums, with_product
from vinculum.contact.sparse.packed_spheres import aligned_zeros


@njit
def combined(x, y, z, number, out):
    a, b, c = quad_at(x.ctypes.data), quad_at(y.ctypes.data), quad_at(z.ctypes.data)
    put_quad(out.ctypes.data, difference(a, b))
    put_quad(out.ctypes.data + 32, with_product(product(number, a), b, c))
    put_quad(out.ctypes.data + 64, less_product(a, number, c))
    return sums(a, b, c)


def test_operations_are_those_of_numpy():
    x, y, z = np.random.default_rng(0).normal(size=(3, 4))
    out = np.zeros(16)
    found = combined(x, y, z, 0.3, out)
    np.testing.assert_allclose(found, [x.sum(), y.sum(), z.sum()], rtol=1e-15, atol=1e-15)
    expected = np.concatenate([x - y, 0.3 * x + y * z, x - 0.3 * z, np.zeros(4)])
    np.testing.assert_allclose(out, expected, rtol=1e-15, atol=1e-15)


def test_rows_of_eight_begin_with_cache_lines():
    assert all(aligned_zeros((n, 8)).ctypes.data % 64 == 0 for n in range(1, 50))
