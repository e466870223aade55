r"""Pairs of vectors inside the second-order cone x₀ > |x₁|, and the scaling that makes both of a pair the same.

.. math:: W p = W^{-1} z = \ell,\qquad W = \eta \begin{bmatrix} w_0 & w_1^T \\ w_1 & 1 + w_1 w_1^T/(1 + w_0)\end{bmatrix}

Nesterov and Todd, Math. Oper. Res. 22 (1997) 1; Vandenberghe, The CVXOPT linear and quadratic cone program solvers (2010).
"""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def inside(x):
    """x₀² − |x₁|² of one vector (3,), positive inside the cone."""
    size = np.sqrt(x[1] * x[1] + x[2] * x[2])
    return (x[0] - size) * (x[0] + size)


@njit(nogil=True, cache=True, error_model="numpy")
def scaling(p, z, w):
    """η, and w (3,) is written, for one pair inside the cone; zero where one is not."""
    a, b = inside(p), inside(z)
    if not (a > 0.0 and b > 0.0):
        return 0.0
    a, b = np.sqrt(a), np.sqrt(b)
    g = 1.0 / (2.0 * np.sqrt(0.5 + 0.5 * (p[0] * z[0] + p[1] * z[1] + p[2] * z[2]) / (a * b)))
    w[0] = g * (z[0] / b + p[0] / a)
    w[1], w[2] = g * (z[1] / b - p[1] / a), g * (z[2] / b - p[2] / a)
    return np.sqrt(b / a)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def scaled(w, sign, factor, x, y, z):
    """W x for sign 1 and factor η, W⁻¹ x for sign −1 and factor 1/η."""
    t = sign * (w[1] * y + w[2] * z)
    s = sign * (x + t / (1.0 + w[0]))
    return factor * (w[0] * x + t), factor * (y + w[1] * s), factor * (z + w[2] * s)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def quotient(l, x, y, z):
    """The vector that makes (x, y, z) in the product ℓ ∘ · of the cone."""
    a = (l[0] * x - l[1] * y - l[2] * z) / inside(l)
    return a, (y - a * l[1]) / l[0], (z - a * l[2]) / l[0]


@njit(nogil=True, cache=True, error_model="numpy")
def farthest(m, x, d):
    """The largest t at most 1e3 for which all x + t d (m, 3) are in the cone."""
    best = 1e3
    for c in range(m):
        a, k = inside(d[c]), inside(x[c])
        b = x[c, 0] * d[c, 0] - x[c, 1] * d[c, 1] - x[c, 2] * d[c, 2]
        if d[c, 0] < 0.0:
            best = min(best, -x[c, 0] / d[c, 0])
        root = b * b - a * k
        if root >= 0.0:
            q = -(b + (np.sqrt(root) if b >= 0.0 else -np.sqrt(root)))
            if a != 0.0 and q / a > 0.0:
                best = min(best, q / a)
            if q != 0.0 and k / q > 0.0:
                best = min(best, k / q)
    return best
