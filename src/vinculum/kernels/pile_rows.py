r"""What velocities of bodies do at contacts and impulses of contacts do to bodies, as rows of numbers for spheres and other shapes alike.

.. math:: u = H\,V - \hat u,\qquad V = V_0 + B\,P,\qquad B = M^{-1} H^T

Vectors of velocities (6 n,) are in the order in which bodies are numbered.
"""

import numpy as np
from numba import njit

from vinculum.kernels import calls  # noqa: F401  (it tells Numba where to keep what it compiles)


@njit(nogil=True, cache=True)
def rows_of(m, moving, number, is_round, contacts, bodies):
    """Places (m, 2) of the first entries of both bodies, −1 for walls; rows H and columns B (m, 2, 3, 6)."""
    who, frame, arms, wide, _W, _weight, _target = contacts
    lightness, spin = bodies
    at, H, B = np.full((m, 2), -1), np.zeros((m, 2, 3, 6)), np.zeros((m, 2, 3, 6))
    for c in range(m):
        for side in range(2):
            body = who[c, side]
            if body >= moving:
                continue
            at[c, side] = 6 * number[body]
            sign = 1.0 if side == 0 else -1.0
            for k in range(3):
                for d in range(3):
                    H[c, side, k, d] = sign * frame[c, k, d]
                    B[c, side, k, d] = sign * lightness[body] * frame[c, k, d]
                    if not is_round:
                        H[c, side, k, 3 + d] = sign * wide[c, side, k, d]
                        B[c, side, k, 3 + d] = sign * wide[c, 2 + side, k, d]
            if is_round:
                r = -arms[c, 0] if side == 0 else -arms[c, 1]
                for d in range(3):
                    H[c, side, 1, 3 + d], H[c, side, 2, 3 + d] = r * frame[c, 2, d], -r * frame[c, 1, d]
                    B[c, side, 1, 3 + d], B[c, side, 2, 3 + d] = (
                        spin[body] * H[c, side, 1, 3 + d],
                        spin[body] * H[c, side, 2, 3 + d],
                    )
    return at, H, B


@njit(nogil=True, cache=True)
def at_contacts(m, at, H, x, out):
    """Write H x (m, 3)."""
    for c in range(m):
        for k in range(3):
            s = 0.0
            for side in range(2):
                a = at[c, side]
                if a >= 0:
                    for d in range(6):
                        s += H[c, side, k, d] * x[a + d]
            out[c, k] = s


@njit(nogil=True, cache=True)
def pushed(m, at, B, P, x):
    """Add B P to x (6 n,)."""
    for c in range(m):
        for side in range(2):
            a = at[c, side]
            if a >= 0:
                for k in range(3):
                    p = P[c, k]
                    for d in range(6):
                        x[a + d] += B[c, side, k, d] * p


@njit(nogil=True, cache=True)
def assembled(m, at, H, B, D, first, begin, lower, upper):
    """Write 1 + B D H, with D (m, 3, 3) of every contact: rows left of the diagonal, columns above and on it."""
    for k in range(len(lower)):
        lower[k] = upper[k] = 0.0
    for i in range(len(first)):
        upper[begin[i] + i - first[i]] = 1.0
    T = np.empty((3, 6))
    for c in range(m):
        for right in range(2):
            b = at[c, right]
            if b < 0:
                continue
            for k in range(3):
                for e in range(6):
                    T[k, e] = (
                        D[c, k, 0] * H[c, right, 0, e] + D[c, k, 1] * H[c, right, 1, e] + D[c, k, 2] * H[c, right, 2, e]
                    )
            for left in range(2):
                a = at[c, left]
                if a < 0:
                    continue
                for d in range(6):
                    for e in range(6):
                        s = B[c, left, 0, d] * T[0, e] + B[c, left, 1, d] * T[1, e] + B[c, left, 2, d] * T[2, e]
                        i, j = a + d, b + e
                        if j < i:
                            lower[begin[i] + j - first[i]] += s
                        else:
                            upper[begin[j] + i - first[j]] += s
