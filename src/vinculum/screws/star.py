"""The star product of two vectors, which turns a × (ω × b) into a matrix times ω."""

import numpy as np

from vinculum.scalars.math import dot, vector


def star(a, b) -> np.ndarray:
    r"""Matrix a * b (3, 3) with a × (ω × b) = (a * b) ω for every ω.

    .. math:: a * b = E\,(a\cdot b) - b\,a^T = -a^\times b^\times = (b * a)^T

    ``a``, ``b``: (3,). Bilinear; symmetric only for parallel vectors. Telegin (2014), eqs. (20), (21).
    """
    a, b = vector(a), vector(b)
    return dot(a, b) * np.eye(3) - np.outer(b, a)
