"""Coarser triangles of a large mesh, for pictures."""

import numpy as np

from vinculum.tolerances.sizes import MOST_DRAWN_TRIANGLES


def coarsen(corners: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners and triangles of a mesh without those that it does not use, at most `MOST_DRAWN_TRIANGLES`.

    A larger mesh gets one corner, the mean, for all that lie in one cell of a grid, whose spacing is doubled until it is small enough.
    """
    spacing = float(np.ptp(corners, axis=0).max()) / np.sqrt(MOST_DRAWN_TRIANGLES)
    while len(triangles) > MOST_DRAWN_TRIANGLES:
        cells = np.floor((corners - corners.min(0)) / spacing).astype(np.int64)
        wide = cells.max(0) + 1
        _, which, count = np.unique(
            (cells[:, 0] * wide[1] + cells[:, 1]) * wide[2] + cells[:, 2], return_inverse=True, return_counts=True
        )
        which = which.reshape(-1)
        corners = np.stack([np.bincount(which, column) for column in corners.T], axis=1) / count[:, None]
        a, b, c = which[triangles].T
        triangles = which[triangles][(a != b) & (b != c) & (c != a)]
        spacing *= 2.0
    used, named = np.unique(triangles, return_inverse=True)
    return corners[used], named.reshape(-1, 3)
