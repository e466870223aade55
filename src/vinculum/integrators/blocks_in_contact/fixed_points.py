"""Fixed points of forces that depend strongly on velocities, such as those of stiff dampers."""

from collections.abc import Sequence

import numpy as np


def next_iterate(points: Sequence[np.ndarray], defects: Sequence[np.ndarray]) -> np.ndarray:
    r"""The next point (n,) of a fixed-point iteration, from its last points x and their defects r = g(x) − x.

    .. math:: x_{k+1} = x_k + r_k - (\Delta X + \Delta R)\,\gamma,\qquad \gamma = \arg\min |r_k - \Delta R\,\gamma|

    γ is found from normal equations of differences of length one; an error of γ leaves the fixed point where it is. For a linear g it ends
    after as many points as g has different eigenvalues, however large these are. Anderson, J. ACM 12 (1965) 547; Walker and Ni, SIAM J.
    Numer. Anal. 49 (2011) 1715.
    """
    x, r = points[-1], defects[-1]
    if len(points) < 2:
        return x + r
    dX, dR = (np.diff(np.array(rows), axis=0) for rows in (points, defects))
    size = np.maximum(np.linalg.norm(dR, axis=1), np.finfo(float).tiny)[:, None]
    dX, dR = dX / size, dR / size
    gamma = np.linalg.lstsq(dR @ dR.T, dR @ r, rcond=None)[0]
    return x + r - gamma @ (dX + dR)
