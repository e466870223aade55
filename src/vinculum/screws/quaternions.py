"""The algebra of quaternions, scalar part first."""

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import math, vector


def quaternion_product(a, b) -> np.ndarray:
    r"""Hamilton's product of two quaternions.

    .. math:: \Lambda \circ M = \{\lambda_0\mu_0 - \lambda\cdot\mu,\ \lambda_0\mu + \mu_0\lambda + \lambda\times\mu\}

    ``a``, ``b``: (4,); result (4,). Cheremensky, On Concept of Mechanical System, definition 5.
    """
    a, b = vector(a), vector(b)
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[scalar], a[0] * b[1:] + b[0] * a[1:] + math.cross(a[1:], b[1:])])


def conjugate(q) -> np.ndarray:
    r"""The quaternion with its vector part reversed, :math:`\tilde\Lambda = \{\lambda_0, -\lambda\}`. Shape (4,)."""
    q = vector(q)
    return np.concatenate([q[:1], -q[1:]])


def unit_quaternion(q) -> np.ndarray:
    """The quaternion scaled to length one, (4,); a zero quaternion is refused."""
    q = vector(q)
    if q.shape != (4,) or (q.dtype == float and not math.norm(q) > 0.0):
        raise StartError(
            f"quaternion {q.tolist()} has no direction: give four numbers (w, x, y, z), not all zero; "
            "the identity is (1, 0, 0, 0)"
        )
    return q / math.norm(q)
