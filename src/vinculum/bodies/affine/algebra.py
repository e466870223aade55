"""Algebra of deformations over floats or symbols: determinant, inverse, polar decomposition."""

import numpy as np

from vinculum.scalars import inverse3
from vinculum.scalars.math import cross, dot, norm, sqrt
from vinculum.screws import axial
from vinculum.tolerances.iterations import POLAR_ITERATIONS


def determinant(F):
    """det F of a square matrix (n, n), n = 1, 2, 3."""
    if len(F) == 3:
        return dot(F[:, 0], cross(F[:, 1], F[:, 2]))
    return F[0, 0] * F[1, 1] - F[0, 1] * F[1, 0] if len(F) == 2 else F[0, 0]


def inverse(F) -> np.ndarray:
    """F⁻¹ of a square matrix (n, n), n = 1, 2, 3."""
    if len(F) == 3:
        return inverse3(F)
    if len(F) == 2:
        return np.array([[F[1, 1], -F[0, 1]], [-F[1, 0], F[0, 0]]]) * (1.0 / determinant(F))
    return np.array([[1.0 / F[0, 0]]])


def pseudo_inverse(F) -> np.ndarray:
    """(FᵀF)⁻¹Fᵀ (d, n) of a matrix (n, d) with independent columns; F⁻¹ if it is square."""
    return inverse(F) if F.shape[0] == F.shape[1] else inverse(F.T @ F) @ F.T


def invariants(F) -> tuple:
    r"""Principal invariants of the Green tensor G = FᵀF, one for each dimension.

    .. math:: I_1 = \operatorname{tr} G,\qquad I_2 = \tfrac12(I_1^2 - \operatorname{tr} G^2),\qquad I_3 = \det G
    """
    G = F.T @ F
    trace = sum(G[i, i] for i in range(len(G)))
    if len(G) == 3:
        return trace, 0.5 * (trace * trace - np.sum(G * G)), determinant(F) ** 2 if len(F) == 3 else determinant(G)
    return (trace, determinant(G)) if len(G) == 2 else (trace,)


def with_normal(F, F_dot=None) -> tuple[np.ndarray, np.ndarray | None]:
    """A flat deformation (3, 2) with its unit normal as a third column, and the rate of that."""
    c = cross(F[:, 0], F[:, 1])
    size = norm(c)
    n = c / size
    whole = np.concatenate([F, n[:, None]], axis=1)
    if F_dot is None:
        return whole, None
    c_dot = cross(F_dot[:, 0], F[:, 1]) + cross(F[:, 0], F_dot[:, 1])
    n_dot = (c_dot - dot(n, c_dot) * n) / size
    return whole, np.concatenate([F_dot, n_dot[:, None]], axis=1)


def polar_rotation(F) -> np.ndarray:
    r"""The rotation U (3, 3) of F = U A with A symmetric and positive definite. Gołubowska (100).

    .. math:: X_{k+1} = \tfrac12\big(\gamma_k X_k + \gamma_k^{-1}X_k^{-T}\big),\qquad
        \gamma_k = \Big(\frac{|X_k^{-1}|}{|X_k|}\Big)^{1/2}

    Newton's iteration with scaling, a fixed number of steps, so that it can be differentiated. Higham, SIAM J. Sci. Stat. Comput. 7
    (1986) 1160.
    """
    X = F
    for _ in range(POLAR_ITERATIONS):
        Y = inverse3(X).T
        scale = sqrt(sqrt(np.sum(Y * Y) / np.sum(X * X)))
        X = 0.5 * (scale * X + (1.0 / scale) * Y)
    return X


def polar_angular_velocity(F, F_dot, U) -> np.ndarray:
    r"""Angular velocity (3,) of the rotation U of the polar decomposition, in world axes.

    .. math:: (\operatorname{tr}A\;1 - A)\,\hat\omega = \operatorname{ax}(U^T\dot F - \dot F^T U),\qquad \omega = U\hat\omega

    From Ḟ = U (ω̂ A + Ȧ), whose skew part holds no Ȧ: Gołubowska (101), (102).
    """
    A, B = U.T @ F, U.T @ F_dot
    A = 0.5 * (A + A.T)
    trace = A[0, 0] + A[1, 1] + A[2, 2]
    return U @ (inverse3(trace * np.eye(3) - A) @ (2.0 * axial(B)))
