"""Attitudes of free bodies: quaternions, their rotation matrices, and tensors in world axes."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.contact import SERIES_ROTATION


@njit(nogil=True, cache=True, error_model="numpy")
def matrix(Q, R):
    """Write the rotation matrix (3, 3) of a unit quaternion (4,)."""
    w, x, y, z = Q[0], Q[1], Q[2], Q[3]
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _half_angle(y):
    """cos √y and ½ sin √y / √y, by seven terms of their series in y."""
    a, b = 1.0 - y * (1.0 / 132.0), 1.0 - y * (1.0 / 156.0)
    a, b = 1.0 - y * (1.0 / 90.0) * a, 1.0 - y * (1.0 / 110.0) * b
    a, b = 1.0 - y * (1.0 / 56.0) * a, 1.0 - y * (1.0 / 72.0) * b
    a, b = 1.0 - y * (1.0 / 30.0) * a, 1.0 - y * (1.0 / 42.0) * b
    a, b = 1.0 - y * (1.0 / 12.0) * a, 1.0 - y * (1.0 / 20.0) * b
    return 1.0 - 0.5 * y * a, 0.5 - y * (1.0 / 12.0) * b


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def rotate(Q, x, y, z, out):
    """Write the quaternion Q (4,) after a rotation by the vector (x, y, z) in world axes."""
    square = x * x + y * y + z * z
    if square <= SERIES_ROTATION:
        a, s = _half_angle(0.25 * square)
    else:
        angle = np.sqrt(square)
        a, s = np.cos(0.5 * angle), np.sin(0.5 * angle) / angle
    b, c, d = s * x, s * y, s * z
    w, x, y, z = Q[0], Q[1], Q[2], Q[3]
    e, f, g, h = (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
    size = 1.0 / np.sqrt(e * e + f * f + g * g + h * h)
    out[0], out[1], out[2], out[3] = size * e, size * f, size * g, size * h


@njit(nogil=True, cache=True, error_model="numpy")
def in_world(R, own, out):
    """Write R A Rᵀ, (3, 3), for a symmetric A in body axes."""
    for i in range(3):
        for j in range(i, 3):
            s = 0.0
            for k in range(3):
                s += R[i, k] * (own[k, 0] * R[j, 0] + own[k, 1] * R[j, 1] + own[k, 2] * R[j, 2])
            out[i, j] = out[j, i] = s
