"""Dense output for a motion given on a grid."""

import math
from itertools import pairwise

import numpy as np

from vinculum.motion.pieces import Pieces

DEGREE = 7


def spline_pieces(time: np.ndarray, states: np.ndarray, degree: int = DEGREE) -> Pieces:
    """The interpolating splines of the highest odd degree that the grid allows, as polynomials in local time.

    Where an instant stands twice, one spline ends and another begins, with limits from the left and from the right.
    """
    edges, coefficients = [time[:1]], []
    for part in smooth_parts(time):
        edges.append(time[part][1:])
        coefficients.append(_polynomials(time[part], states[part], degree))
    width = max(c.shape[2] for c in coefficients)
    padded = [np.pad(c, ((0, 0), (0, 0), (0, width - c.shape[2]))) for c in coefficients]
    return Pieces(np.concatenate(edges), np.concatenate(padded))


def smooth_parts(time: np.ndarray) -> list[slice]:
    """The stretches between instants that stand twice."""
    cuts = [0, *(np.flatnonzero(np.diff(time) == 0.0) + 1).tolist(), len(time)]
    return [slice(a, b) for a, b in pairwise(cuts) if b - a > 1]


def double_breaks(time: np.ndarray, breaks: np.ndarray) -> np.ndarray:
    """Instants in order, those of ``breaks`` that lie inside twice."""
    inside = breaks[(breaks > time[0]) & (breaks < time[-1])]
    return np.sort(np.concatenate([np.setdiff1d(time, inside), np.repeat(np.unique(inside), 2)]))


def _polynomials(time: np.ndarray, states: np.ndarray, degree: int) -> np.ndarray:
    from scipy.interpolate import make_interp_spline

    while degree >= len(time):
        degree -= 2
    spline = make_interp_spline(time, states, k=max(degree, 1))
    derivatives = [spline(time[:-1], nu=j) / math.factorial(j) for j in range(spline.k + 1)]
    return np.stack(derivatives, axis=2)
