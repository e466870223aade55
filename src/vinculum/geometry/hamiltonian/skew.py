"""Linear equations with a skew matrix, over floats or symbols."""

from collections.abc import Sequence

import numpy as np


def skew_solve(C: np.ndarray, b: np.ndarray, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """Solution x (c,) of C x = b for a skew matrix (c, c), by elimination with the pivots C_ij of given ``pairs``."""
    C, b = np.array(C, dtype=object), np.array(b, dtype=object)
    left = [k for pair in pairs for k in pair]
    used = []
    for i, j in pairs:
        left = [k for k in left if k not in (i, j)]
        pivot = 1.0 / C[i, j]
        used.append((i, j, pivot, C[i].copy(), C[j].copy(), b[i], b[j], tuple(left)))
        for k in left:
            # rows i and j give x_j = (b_i − Σ C_il x_l)/c and x_i = −(b_j − Σ C_jl x_l)/c
            b[k] = b[k] - (C[k, j] * b[i] - C[k, i] * b[j]) * pivot
        update = {
            (k, l): C[k, l] - (C[k, j] * C[i, l] - C[k, i] * C[j, l]) * pivot for k in left for l in left if k < l
        }
        for (k, l), value in update.items():
            C[k, l], C[l, k] = value, -1.0 * value
    x = np.zeros(len(b), dtype=object)
    for i, j, pivot, row_i, row_j, b_i, b_j, rest in reversed(used):
        x[j] = (b_i - sum((row_i[l] * x[l] for l in rest), 0.0)) * pivot
        x[i] = (sum((row_j[l] * x[l] for l in rest), 0.0) - b_j) * pivot
    return x
