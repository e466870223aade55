"""Sums of very many terms."""

import numpy as np


def compensated_sums(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Running sums of rows and their rounding errors, so that very many steps cost no accuracy.

    Knuth, The Art of Computer Programming 2, section 4.2.2.
    """
    sums = np.cumsum(rows, axis=0)
    added = np.diff(sums, axis=0)
    lost = (sums[:-1] - (sums[1:] - added)) + (rows[1:] - added)
    return sums, np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(lost, axis=0)])
