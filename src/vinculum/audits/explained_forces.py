"""Whether some forces in the cones of friction explain a reaction where contacts can share their load in many ways."""

import numpy as np

ROUNDS, STEPS, ENOUGH = 40, 100, 1e-6


def unexplained(W: np.ndarray, b: np.ndarray, square: np.ndarray, mu: np.ndarray) -> np.ndarray:
    r"""What no forces in the cones explain of reactions R, relative to these, (T,).

    .. math:: \min_{P_N \ge 0,\ |P_T| \le \mu P_N} \|H^T P - R\|_{M^{-1}} \,/\, \|R\|_{M^{-1}}

    by Nesterov's accelerated gradients, a convex problem. ``W``: H M⁻¹ Hᵀ (T, 3 m, 3 m); ``b``: H M⁻¹ R (T, 3 m); ``square``: |R|² (T,);
    ``mu`` (m,), zero without friction.
    """
    rate = 1.0 / np.maximum(np.abs(np.linalg.eigvalsh(W)).max(axis=1), np.finfo(float).tiny)[:, None]
    P = ahead = np.zeros_like(b)
    pace, left = 1.0, np.full(len(b), np.inf)
    for _ in range(ROUNDS):
        for _ in range(STEPS):
            moved = _in_cones(ahead - rate * ((W @ ahead[:, :, None])[:, :, 0] - b), mu)
            next_pace = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * pace**2))
            ahead, P, pace = moved + (pace - 1.0) / next_pace * (moved - P), moved, next_pace
        square_left = np.einsum("ti,tij,tj->t", P, W, P) - 2.0 * np.einsum("ti,ti->t", P, b) + square
        left = np.sqrt(np.maximum(square_left, 0.0) / np.maximum(square, np.finfo(float).tiny))
        if np.all(left <= ENOUGH):
            break
    return left


def _in_cones(P: np.ndarray, mu: np.ndarray) -> np.ndarray:
    """The nearest forces in the cones."""
    force = P.reshape(len(P), -1, 3)
    normal, tangent = force[:, :, 0], np.hypot(force[:, :, 1], force[:, :, 2])
    inside, polar = tangent <= mu * normal, mu * tangent <= -normal
    pressed = np.where(inside, normal, np.where(polar, 0.0, (normal + mu * tangent) / (1.0 + mu**2)))
    share = np.where(inside, 1.0, mu * pressed / np.maximum(tangent, np.finfo(float).tiny))
    return np.stack([pressed, share * force[:, :, 1], share * force[:, :, 2]], axis=2).reshape(P.shape)
