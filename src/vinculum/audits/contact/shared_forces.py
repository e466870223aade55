"""Forces of unilateral constraints whose load distribution is not unique: whether some forces in the friction cones
produce the motion.
"""

from itertools import pairwise

import numpy as np

from vinculum.tolerances.certificates import SHARED_WELL
from vinculum.tolerances.iterations import SHARING_ITERATIONS, SHARING_PATIENCE
from vinculum.tolerances.rank import DEPENDENT_ROWS


def unexplained_share(
    J: np.ndarray, mobility: np.ndarray, R: np.ndarray, axes: list[np.ndarray | None], slips: list
) -> float:
    r"""The relative part of the reactions R (n,), in the kinetic metric, that no forces allowed by the laws of c unilateral constraints
    produce.

    .. math:: \min\ \|R - J^T \lambda\|_{M^{-1}},\qquad \lambda_N \ge 0,\quad \lambda_T \in \lambda_N D,\quad
        \lambda_T = -\lambda_N\,\nabla |u|_D \text{ where a slip } u \text{ is}

    ``J`` (3 c, n): rows of normal and tangential velocity; ``axes``: half axes of the ellipse D of each, None without friction; ``slips``:
    u (2,) of those that slide, else None. Accelerated projected gradients need no inverse. Beck and Teboulle, SIAM J. Imaging Sci. 2
    (2009) 183.
    """
    blocks = [_rows(J[3 * c : 3 * c + 3], own, slips[c]) for c, own in enumerate(axes)]
    H = np.concatenate(blocks)
    ends = np.cumsum([0, *map(len, blocks)])
    W, b, whole = H @ mobility @ H.T, H @ mobility @ R, float(R @ mobility @ R)
    step, x = 1.0 / max(float(np.linalg.eigvalsh(W)[-1]), np.finfo(float).tiny), np.zeros(len(H))
    y, momentum, best, idle = x, 1.0, np.inf, 0
    for _ in range(SHARING_ITERATIONS):
        old, x = x, _projected(y - step * (W @ y - b), ends)
        left = R - H.T @ x
        error = float(np.sqrt(max(left @ mobility @ left, 0.0) / whole)) if whole > 0.0 else 0.0
        best, idle = (error, 0) if error < 0.99 * best else (min(error, best), idle + 1)
        if best <= SHARED_WELL or idle > SHARING_PATIENCE:
            break
        later = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        astray = (W @ y - b) @ (x - old) > 0.0
        y, momentum = (x, 1.0) if astray else (x + (momentum - 1.0) / later * (x - old), later)
    return best


def unexplained_without_friction(
    J: np.ndarray, mobility: np.ndarray, R: np.ndarray, axes: list[np.ndarray | None], slips: list
) -> float:
    """The same with λ_N ≥ 0 as the only condition: contacts that do not slide may have any friction."""
    from scipy.optimize import nnls

    sizes, turned = np.linalg.eigh(mobility)
    root = np.sqrt(np.maximum(sizes, 0.0))[:, None] * turned.T
    blocks = [_rows(J[3 * c : 3 * c + 3], own, slips[c]) for c, own in enumerate(axes)]
    held = np.concatenate([np.zeros((0, J.shape[1])), *(rows[1:] for rows in blocks)]) @ root.T
    away, size, _ = np.linalg.svd(held.T, full_matrices=False)
    away = away[:, size > DEPENDENT_ROWS * size.max(initial=0.0)]
    H, r = np.array([rows[0] for rows in blocks]) @ root.T, root @ R
    H, left = H - H @ away @ away.T, r - away @ (away.T @ r)
    whole = float(np.linalg.norm(r))
    return float(nnls(H.T, left)[1]) / whole if whole > 0.0 else 0.0


def _rows(own: np.ndarray, axes: np.ndarray | None, slip: np.ndarray | None) -> np.ndarray:
    """Rows whose coefficients are λ_N alone, or λ_N and λ_T over the half axes, in the cone |λ_T| ≤ λ_N."""
    if axes is None or not np.any(axes > 0.0):
        return own[:1]
    if slip is not None:
        drag = axes**2 * slip / max(np.linalg.norm(axes * slip), np.finfo(float).tiny)
        return own[:1] - drag[None] @ own[1:]
    return np.concatenate([own[:1], axes[:, None] * own[1:]])


def _projected(z: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The projection of z onto half-lines and circular cones."""
    x = z.copy()
    for a, b in pairwise(ends):
        if b - a == 1:
            x[a] = max(x[a], 0.0)
            continue
        size = float(np.hypot(x[a + 1], x[a + 2]))
        if size > x[a]:
            pressed = max(0.5 * (x[a] + size), 0.0)
            x[a + 1 : b] *= pressed / max(size, np.finfo(float).tiny)
            x[a] = pressed
    return x
