"""Dense output for a motion that is given on a grid only."""

import math

import numpy as np

from vinculum.motion.pieces import Pieces

DEGREE = 7


def spline_pieces(time: np.ndarray, states: np.ndarray, degree: int = DEGREE) -> Pieces:
    """The interpolating spline of the highest odd degree that the grid allows, as polynomials in local time."""
    from scipy.interpolate import make_interp_spline

    while degree >= len(time):
        degree -= 2
    spline = make_interp_spline(time, states, k=max(degree, 1))
    derivatives = [spline(time[:-1], nu=j) / math.factorial(j) for j in range(spline.k + 1)]
    return Pieces(time, np.stack(derivatives, axis=2))
