"""Attitudes of free bodies: quaternions, their rotation matrices, and tensors in world axes."""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.tolerances.contact import SMALL_ROTATION


@njit(nogil=True, cache=True, error_model="numpy")
def matrix(Q, R):
    """Write the rotation matrix (3, 3) of a unit quaternion (4,)."""
    w, x, y, z = Q[0], Q[1], Q[2], Q[3]
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def rotate(Q, x, y, z, out):
    """Write the quaternion Q (4,) after a rotation by the vector (x, y, z) in world axes."""
    angle = np.sqrt(x * x + y * y + z * z)
    s = np.sin(0.5 * angle) / angle if angle > SMALL_ROTATION else 0.5 - angle * angle / 48.0
    a, b, c, d = np.cos(0.5 * angle), s * x, s * y, s * z
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
