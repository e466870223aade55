r"""Pairs of vectors inside the second-order cone x₀ > |x₁|, and the scaling that makes both vectors of a pair equal.

.. math:: W p = W^{-1} z = \ell,\qquad W = \eta \begin{bmatrix} w_0 & w_1^T \\ w_1 & 1 + w_1 w_1^T/(1 + w_0)\end{bmatrix}

Vectors are rows (m, 3), one for every contact.
Nesterov and Todd, Math. Oper. Res. 22 (1997) 1; Vandenberghe, The CVXOPT linear and quadratic cone program solvers (2010).
"""

import numpy as np


def inside(x: np.ndarray) -> np.ndarray:
    """x₀² − |x₁|² (m,), positive inside the cone."""
    size = np.hypot(x[:, 1], x[:, 2])
    return (x[:, 0] - size) * (x[:, 0] + size)


def scaling(p: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """w (m, 3) and η (m,) of pairs inside the cone; None if one is outside."""
    a, b = inside(p), inside(z)
    if not (np.all(a > 0.0) and np.all(b > 0.0)):
        return None
    a, b = np.sqrt(a), np.sqrt(b)
    g = 1.0 / (2.0 * np.sqrt(0.5 + 0.5 * (p * z).sum(axis=1) / (a * b)))
    w = np.column_stack([z[:, 0] / b + p[:, 0] / a, z[:, 1:] / b[:, None] - p[:, 1:] / a[:, None]]) * g[:, None]
    return w, np.sqrt(b / a)


def scale(w: np.ndarray, sign: float, factor: np.ndarray, x: np.ndarray) -> np.ndarray:
    """W x for sign 1 and factor η, W⁻¹ x for sign −1 and factor 1/η."""
    t = sign * (w[:, 1] * x[:, 1] + w[:, 2] * x[:, 2])
    s = sign * (x[:, 0] + t / (1.0 + w[:, 0]))
    return np.column_stack([w[:, 0] * x[:, 0] + t, x[:, 1:] + w[:, 1:] * s[:, None]]) * factor[:, None]


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The product a ∘ b of the cone's Jordan algebra."""
    return np.column_stack([(a * b).sum(axis=1), a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:]])


def quotient(l: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The vectors y with ℓ ∘ y = x."""
    a = (l[:, 0] * x[:, 0] - l[:, 1] * x[:, 1] - l[:, 2] * x[:, 2]) / inside(l)
    return np.column_stack([a, (x[:, 1:] - a[:, None] * l[:, 1:]) / l[:, :1]])


def farthest(x: np.ndarray, d: np.ndarray) -> float:
    """The largest t ≤ 1e3 for which all x + t d are in the cone."""
    a, k = inside(d), inside(x)
    b = x[:, 0] * d[:, 0] - x[:, 1] * d[:, 1] - x[:, 2] * d[:, 2]
    root = b * b - a * k
    q = -(b + np.copysign(np.sqrt(np.maximum(root, 0.0)), b))
    ends = np.concatenate([(q / a)[root >= 0.0], (k / q)[root >= 0.0], (-x[:, 0] / d[:, 0])[d[:, 0] < 0.0]])
    return float(np.min(ends[ends > 0.0], initial=1e3))
