"""Rotations as 3×3 matrices: from an axis, a rotation vector or two directions, and back."""

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import math, vector
from vinculum.screws.entries import numeric
from vinculum.tolerances.functions import NEARLY_A_ROTATION, SHORTEST_AXIS, TYPED
from vinculum.tolerances.sizes import SERIES_BELOW


def skew(f) -> np.ndarray:
    r"""Matrix of the vector product with f.

    .. math:: f^\times g = f \times g

    ``f``: (3,); result (3, 3). Cheremensky, On Concept of Mechanical System, eq. (4).
    """
    f1, f2, f3 = vector(f)
    return vector([[0.0, -f3, f2], [f3, 0.0, -f1], [-f2, f1, 0.0]])


def axial(A) -> np.ndarray:
    r"""Vector of the skew part of A, the inverse of `skew`.

    .. math:: f = \tfrac12 (A_{32} - A_{23},\ A_{13} - A_{31},\ A_{21} - A_{12})

    ``A``: (3, 3); result (3,).
    """
    A = vector(A)
    return 0.5 * vector([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])


def rotation(axis, angle) -> np.ndarray:
    r"""Matrix of the rotation by ``angle`` about the unit vector ``axis``.

    .. math:: C = n n^T + \cos\theta\,(I - n n^T) + \sin\theta\, n^\times

    ``axis``: (3,), of length one; ``angle``: [rad]; result (3, 3). About a coordinate axis the entries are exactly
    0, 1, ±cos θ and ±sin θ.
    """
    n = vector(axis)
    along = np.outer(n, n)
    return along + math.cos(angle) * (np.eye(3) - along) + math.sin(angle) * skew(n)


def exp(rotation_vector) -> np.ndarray:
    r"""Matrix of the rotation about the vector w by the angle |w|.

    .. math:: C = I + \frac{\sin\theta}{\theta}\, w^\times + \frac{1 - \cos\theta}{\theta^2}\,(w^\times)^2,
              \qquad \theta = |w|

    ``rotation_vector``: (3,) [rad]; result (3, 3). Near zero both factors are their series in θ².
    """
    w = vector(rotation_vector)
    x = math.dot(w, w)
    near = x < SERIES_BELOW
    theta = math.sqrt(math.where(near, 1.0, x))
    first = math.where(near, _series(x, 6.0, 20.0, 42.0, 72.0), math.sin(theta) / theta)
    half = math.sin(0.5 * theta) / theta
    second = math.where(near, 0.5 * _series(x, 12.0, 30.0, 56.0, 90.0), 2.0 * half * half)
    K = skew(w)
    return np.eye(3) + first * K + second * (K @ K)


def log(R) -> np.ndarray:
    r"""Rotation vector w of the matrix, with |w| ≤ π and exp(w) = R.

    ``R``: (3, 3) numbers; result (3,) [rad]. At the angle π the two vectors ±w give one rotation; either may come.
    """
    q = quaternion_of(R)
    sine = np.linalg.norm(q[1:])
    factor = 2.0 * np.arctan2(sine, q[0]) / sine if sine > 0.0 else 2.0
    return factor * q[1:]


def rotation_onto(a, b) -> np.ndarray:
    r"""A rotation that carries the direction a to the direction b, by the smallest angle.

    .. math:: C = I + (a \times b)^\times + \frac{((a \times b)^\times)^2}{1 + a \cdot b}, \qquad C a = b

    ``a``, ``b``: (3,) numbers, not zero; result (3, 3). At an obtuse angle a is first turned over about the normal of a
    and b, so that the denominator stays above one; opposite directions turn about some normal of a.
    """
    a, b = _direction("rotation_onto", a), _direction("rotation_onto", b)
    if a @ b >= 0.0:
        K = skew(math.cross(a, b))
        return np.eye(3) + K + K @ K / (1.0 + a @ b)
    normal = math.cross(a, b)
    if np.linalg.norm(normal) < SHORTEST_AXIS:
        normal = math.cross(a, np.eye(3)[np.argmin(np.abs(a))])
    u = _direction("rotation_onto", normal)
    u = _direction("rotation_onto", math.cross(math.cross(a, u), a))
    return rotation_onto(-a, b) @ (2.0 * np.outer(u, u) - np.eye(3))


def is_rotation(R, tolerance: float = TYPED) -> bool:
    """Whether RᵀR = I within the tolerance and det R > 0. ``R``: (3, 3) numbers."""
    R = numeric("is_rotation", R)
    return bool(
        R.shape == (3, 3)
        and np.all(np.abs(R) <= 1.0 + tolerance)
        and np.abs(R.T @ R - np.eye(3)).max() <= tolerance
        and np.linalg.det(R) > 0.0
    )


def quaternion_of(R) -> np.ndarray:
    r"""Unit quaternion of a rotation matrix, scalar first and not negative.

    The largest column of 4ΛΛᵀ, whose entries are sums of entries of R, is scaled to length one: no cancellation at any
    angle. ``R``: (3, 3) numbers; result (4,). Cheremensky, On Concept of Mechanical System, eq. (33) read backwards.
    """
    R = numeric("the attitude of a matrix", R)
    if not is_rotation(R, NEARLY_A_ROTATION):
        raise StartError(
            f"the matrix {R.tolist()} is not a rotation: RᵀR must be I and det R must be 1; "
            "make it with vinculum.screws.rotation(axis, angle) or from a unit quaternion"
        )
    trace, S = np.trace(R), R + R.T
    w = 2.0 * axial(R)
    column = np.block([[np.array([[1.0 + trace]]), w[None, :]], [w[:, None], S + (1.0 - trace) * np.eye(3)]])
    q = column[np.argmax(np.diag(column))]
    q = q / np.linalg.norm(q)
    return -q if q[0] < 0.0 else q


def _series(x, a, b, c, d):
    """1 − x/a·(1 − x/b·(1 − x/c·(1 − x/d)))."""
    return 1.0 - x / a * (1.0 - x / b * (1.0 - x / c * (1.0 - x / d)))


def _direction(what: str, a) -> np.ndarray:
    a = numeric(what, a)
    length = math.norm(a) if a.shape == (3,) else 0.0
    if not np.isfinite(length) or length == 0.0:
        raise StartError(f"{what}: {a.tolist()} is not a direction: give three finite numbers, not all zero")
    return a / length


def congruence(R, A) -> np.ndarray:
    """R A Rᵀ for a 3×3 matrix A, with half the products where R turns about a coordinate axis.

    .. math:: a' = a - s u,\\ d' = d + s u,\\ b' = c u - c_{21},\\ c_{21}' = c u - b,\\ u = s (a - d) + c (b + c_{21})

    for the block ((a, b), (c₂₁, d)) that a turn by (c, s) mixes. A symmetric A (the same entries) stays so.
    """
    axis = _coordinate_axis(R)
    if axis is None:
        return R @ A @ R.T
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = R[i, i], R[j, i]
    result = np.array(A, dtype=object)
    u = s * (A[i, i] - A[j, j]) + c * (A[i, j] + A[j, i])
    mixed = c * u
    result[i, i], result[j, j] = A[i, i] - s * u, A[j, j] + s * u
    result[i, j], result[j, i] = mixed - A[j, i], mixed - A[i, j]
    result[i, axis], result[j, axis] = c * A[i, axis] - s * A[j, axis], s * A[i, axis] + c * A[j, axis]
    result[axis, i], result[axis, j] = c * A[axis, i] - s * A[axis, j], s * A[axis, i] + c * A[axis, j]
    return result


def _coordinate_axis(R) -> int | None:
    """0, 1 or 2 where R turns about that axis and its entries show it exactly, else None."""
    for axis in range(3):
        others = [R[axis, (axis + 1) % 3], R[axis, (axis + 2) % 3], R[(axis + 1) % 3, axis], R[(axis + 2) % 3, axis]]
        if (
            all(isinstance(x, float) and x == 0.0 for x in others)
            and isinstance(R[axis, axis], float)
            and R[axis, axis] == 1.0
        ):
            return axis
    return None
