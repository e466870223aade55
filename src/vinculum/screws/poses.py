"""Poses of frames, and the transformation of wrenches and twists between frames."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.scalars import math, value, vector
from vinculum.screws.charts import Quaternion
from vinculum.screws.entries import entries
from vinculum.screws.rotations import is_rotation, skew


@final
@dataclass(frozen=True, init=False, eq=False)
class Pose:
    """Pose of a frame B in a frame A: the origin ``p`` (3,) [m] and the rotation ``R`` (3, 3) from B to A.

    ``position``: three numbers; ``rotation``: a rotation matrix, a quaternion of four numbers (normalized), or None.
    ``X_AC = X_AB @ X_BC``. Cheremensky, On Concept of Mechanical System, section 1.1.3.

    >>> turned = vc.Pose((1, 0, 0), rotation=[[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    >>> turned.apply((1, 0, 0)).tolist()
    [1.0, 1.0, 0.0]
    """

    p: np.ndarray
    R: np.ndarray

    def __init__(self, position=(0.0, 0.0, 0.0), rotation=None):
        R = np.eye(3) if rotation is None else _rotation(rotation)
        R.flags.writeable = False
        object.__setattr__(self, "p", entries("pose: position", position, (3,)))
        object.__setattr__(self, "R", R)

    @classmethod
    def of(cls, R, p) -> "Pose":
        """The pose with a rotation (3, 3) and an origin (3,), without checks."""
        X = object.__new__(cls)
        object.__setattr__(X, "p", p)
        object.__setattr__(X, "R", R)
        return X

    def __matmul__(self, other) -> "Pose":
        """X_AC = X_AB @ X_BC."""
        if not isinstance(other, Pose):
            return NotImplemented
        return Pose.of(self.R @ other.R, self.p + self.R @ other.p)

    def inverse(self) -> "Pose":
        """X_BA of X_AB."""
        return Pose.of(self.R.T, -(self.R.T @ self.p))

    def apply(self, r) -> np.ndarray:
        """Position in A of the point with position ``r`` in B: (3,), or (n, 3) for n points."""
        r = vector(r)
        if r.ndim not in (1, 2) or r.shape[-1] != 3:
            raise ModelError(f"pose: position of shape {r.shape} must be (3,), or (n, 3) for n points")
        return r @ self.R.T + self.p


def frame_pose(at, what: str = "frame") -> Pose:
    """The pose that a user's ``at=`` or ``to=`` means: a `Pose`, or a position of three numbers with no rotation."""
    return at if isinstance(at, Pose) else Pose.of(np.eye(3), entries(f"{what}: position", at, (3,)))


def _rotation(rotation) -> np.ndarray:
    given = entries("pose: rotation", rotation, (3, 3), (4,))
    number = np.asarray(value(given))
    if given.shape == (4,):
        if not np.any(number):
            raise ModelError(
                "pose: the quaternion (0, 0, 0, 0) has no direction: its length must be positive; "
                "the identity is (1, 0, 0, 0)"
            )
        if given.dtype == float:
            given = np.ldexp(given, -np.frexp(np.abs(given).max())[1])  # exact, and its square can be taken
        return Quaternion().matrix(given) / (given @ given)
    if not is_rotation(number):
        with np.errstate(over="ignore", invalid="ignore"):
            off, det = np.abs(number.T @ number - np.eye(3)).max(), np.linalg.det(number)
        raise ModelError(
            f"pose: rotation {number.tolist()} is not a rotation matrix: RᵀR differs from I by {off:.2g} "
            f"and det R is {det:.6g}; give all digits, a quaternion (w, x, y, z) or vinculum.screws.rotation(axis, angle)"
        )
    return given


def L_wr(X) -> np.ndarray:
    r"""Matrix (6, 6) that carries wrenches from B to A.

    .. math:: L^{wr} = \begin{bmatrix} R & O \\ p^\times R & R \end{bmatrix}, \qquad F_A = L^{wr} F_B

    ``X``: pose X_AB. F_B is reduced at B's origin, in B; F_A at A's origin, in A. These matrices form a group:
    L(X_AB) L(X_BC) = L(X_AC). Cheremensky, On Concept of Mechanical System, eq. (6), theorem 1.
    """
    return np.block([[X.R, np.zeros((3, 3))], [skew(X.p) @ X.R, X.R]])


def L_tw(X) -> np.ndarray:
    r"""Matrix (6, 6) that carries twists from B to A, the inverse transpose of `L_wr`.

    .. math:: L^{tw} = \begin{bmatrix} R & p^\times R \\ O & R \end{bmatrix}, \qquad V_A = L^{tw} V_B

    ``X``: pose X_AB. Cheremensky, On Concept of Mechanical System, eq. (9), in the direction of theorem 1.
    """
    return np.block([[X.R, skew(X.p) @ X.R], [np.zeros((3, 3)), X.R]])


def Phi(V) -> np.ndarray:
    r"""Matrix (6, 6) of the derivative of `L_wr` from the right.

    .. math:: \dot L^{wr} = L^{wr} \Phi, \qquad \Phi = \begin{bmatrix} \omega^\times & O \\ v^\times & \omega^\times
              \end{bmatrix}

    ``V``: (6,) twist of B in A, reduced at B's origin, in B.
    Cheremensky, On Concept of Mechanical System, eqs. (7), (8).
    """
    v, w = skew(V[:3]), skew(V[3:])
    return np.block([[w, np.zeros((3, 3))], [v, w]])


def Psi(V_0) -> np.ndarray:
    r"""Matrix (6, 6) of the derivative of `L_wr` from the left.

    .. math:: \dot L^{wr} = \Psi L^{wr}, \qquad
              \Psi = \begin{bmatrix} \omega^\times & O \\ (v + p \times \omega)^\times & \omega^\times \end{bmatrix}

    ``V_0``: (6,) twist of B in A, reduced at A's origin, in A: ``transform_twist(X_AB, V)``, whose first part is the
    velocity v + p × ω of the body's point at that origin. Cheremensky, On Concept of Mechanical System, eq. (7), where
    the velocity of B's origin is printed in its place.
    """
    return Phi(V_0)


def Phi_tw(V) -> np.ndarray:
    r"""Matrix (6, 6) of the derivative of `L_tw` from the right, :math:`\dot L^{tw} = L^{tw} \Phi^{tw}`.

    .. math:: \Phi^{tw} = -\Phi^T = \begin{bmatrix} \omega^\times & v^\times \\ O & \omega^\times \end{bmatrix}

    ``V``: (6,) twist of B in A, reduced at B's origin, in B.
    Cheremensky, On Concept of Mechanical System, eq. (9).
    """
    v, w = skew(V[:3]), skew(V[3:])
    return np.block([[w, v], [np.zeros((3, 3)), w]])


def Psi_tw(V_0) -> np.ndarray:
    r"""Matrix (6, 6) of the derivative of `L_tw` from the left, :math:`\dot L^{tw} = \Psi^{tw} L^{tw}`.

    ``V_0``: (6,) twist of B in A, reduced at A's origin, in A. :math:`\Psi^{tw} = -\Psi^T`.
    """
    return Phi_tw(V_0)


def shift_twist(V_AB_E, p_BC_E) -> np.ndarray:
    r"""Twist of C, a frame fixed in the same body as B.

    .. math:: v_{AC} = v_{AB} + \omega_{AB} \times p_{BC}, \qquad \omega_{AC} = \omega_{AB}

    ``V_AB_E``: (6,) velocity [m/s] then angular velocity [rad/s], in E. ``p_BC_E``: (3,) [m].
    Dual to `shift_wrench`: the power F · V is the same at B and at C.
    Cheremensky, On Concept of Mechanical System, eq. (1).
    """
    V = vector(V_AB_E)
    return np.concatenate([V[:3] + math.cross(V[3:], p_BC_E), V[3:]])


def shift_wrench(F_BP_E, p_PQ_E) -> np.ndarray:
    r"""Wrench reduced at Q instead of P.

    .. math:: f_Q = f_P, \qquad m_Q = m_P - p_{PQ} \times f_P

    ``F_BP_E``: (6,) force [N] then moment [N m], in E. ``p_PQ_E``: (3,) [m].
    Cheremensky, On Concept of Mechanical System, eq. (1).
    """
    F = vector(F_BP_E)
    return np.concatenate([F[:3], F[3:] + math.cross(F[:3], p_PQ_E)])


def transform_twist(X_AB, V_B) -> np.ndarray:
    r"""Twist reduced at A's origin, in A, of a twist reduced at B's origin, in B.

    .. math:: \omega_A = R\,\omega_B, \qquad v_A = R\,v_B + p \times \omega_A

    ``V_B``: (6,); result (6,), equal to ``L_tw(X_AB) @ V_B``. Cheremensky, On Concept of Mechanical System, eq. (9).
    """
    V = vector(V_B)
    omega = X_AB.R @ V[3:]
    return np.concatenate([X_AB.R @ V[:3] + math.cross(X_AB.p, omega), omega])


def transform_wrench(X_AB, F_B) -> np.ndarray:
    r"""Wrench reduced at A's origin, in A, of a wrench reduced at B's origin, in B.

    .. math:: f_A = R\,f_B, \qquad m_A = R\,m_B + p \times f_A

    ``F_B``: (6,); result (6,), equal to ``L_wr(X_AB) @ F_B``. Cheremensky, On Concept of Mechanical System, theorem 1.
    """
    F = vector(F_B)
    force = X_AB.R @ F[:3]
    return np.concatenate([force, X_AB.R @ F[3:] + math.cross(X_AB.p, force)])


def power(F, V):
    """Power F · V [W] of a wrench on a twist, both reduced at one point and in one frame; the same in every frame."""
    return math.dot(F, V)
