"""One contact with its frame."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.shapes import AXIS_OF_FRAMES


@njit(nogil=True, cache=True, error_model="numpy")
def add(m, i, j, n, p, gap, found):
    """Write contact m of shapes i and j with the normal n (3) at the point p (3); returns the new number of contacts."""
    who, frame, place, gaps = found.who, found.frame, found.place, found.gap
    n0, n1, n2 = n
    if m < len(gaps):
        who[m, 0], who[m, 1] = i, j
        place[m, 0], place[m, 1], place[m, 2] = p
        gaps[m] = gap
        if abs(n0) < AXIS_OF_FRAMES:
            t0, t1, t2 = 0.0, n2, -n1
        else:
            t0, t1, t2 = -n2, 0.0, n0
        s = 1.0 / np.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
        t0, t1, t2 = s * t0, s * t1, s * t2
        f = frame[m]
        f[0, 0], f[0, 1], f[0, 2] = n0, n1, n2
        f[1, 0], f[1, 1], f[1, 2] = t0, t1, t2
        f[2, 0], f[2, 1], f[2, 2] = n1 * t2 - n2 * t1, n2 * t0 - n0 * t2, n0 * t1 - n1 * t0
    return m + 1


@njit(nogil=True, cache=True, error_model="numpy")
def add_round(m, i, j, n, center, radius, gap, found):
    """Add the contact of a sphere whose normal passes through its center."""
    r = radius + 0.5 * gap
    return add(m, i, j, n, (center[0] - r * n[0], center[1] - r * n[1], center[2] - r * n[2]), gap, found)


@njit(nogil=True, cache=True, error_model="numpy")
def least(begun, m, found):
    """The smallest gap of the contacts from ``begun`` on; infinite if there are none. Contacts that did not fit are ignored."""
    gaps, low = found.gap, np.inf
    for k in range(begun, min(m, len(gaps))):
        low = min(low, gaps[k])
    return low
