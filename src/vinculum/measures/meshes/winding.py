"""Winding numbers of closed surfaces."""

import numpy as np

from vinculum.tolerances.sizes import ANGLES_AT_ONCE


def winding_numbers(corners: np.ndarray, triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How often a surface of triangles winds around points (n, 3): one inside, zero outside, one half on a triangle.

    The sum of solid angles over 4π (van Oosterom and Strackee, The solid angle of a plane triangle).
    """
    found = np.empty(len(points))
    at_once = max(1, ANGLES_AT_ONCE // len(triangles))
    for begin in range(0, len(points), at_once):
        seen = corners[triangles][None] - points[begin : begin + at_once, None, None]
        a, b, c = (seen[:, :, k] for k in range(3))
        la, lb, lc = (np.linalg.norm(x, axis=2) for x in (a, b, c))
        above = np.einsum("nti,nti->nt", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("nti,nti->nt", x, y) for x, y in ((a, b), (b, c), (c, a)))
        below = la * lb * lc + ab * lc + bc * la + ca * lb
        found[begin : begin + at_once] = np.arctan2(above, below).sum(1) / (2.0 * np.pi)
    return found
