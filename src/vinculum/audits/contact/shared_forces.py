"""Forces of unilateral constraints whose load distribution is not unique: whether some forces in the friction cones
produce the motion.
"""

import numpy as np

from vinculum.audits.impacts.shared_compression import FIRST_EDGES
from vinculum.tolerances.certificates import SHARED_WELL
from vinculum.tolerances.iterations import SHARING_ROUNDS
from vinculum.tolerances.rank import DEPENDENT_ROWS


def unexplained_share(
    J: np.ndarray, mobility: np.ndarray, R: np.ndarray, axes: list[np.ndarray | None], slips: list
) -> float:
    r"""The relative part of the reactions R (n,), in the kinetic metric, that no forces allowed by the laws of c unilateral constraints
    produce.

    .. math:: \min\ \|R - J^T \lambda\|_{M^{-1}},\qquad \lambda_N \ge 0,\quad \lambda_T \in \lambda_N D,\quad
        \lambda_T = -\lambda_N\,\nabla |u|_D \text{ where a slip } u \text{ is}

    ``J`` (3 c, n): rows of normal and tangential velocity; ``axes``: half axes of the ellipse D of each, None without friction; ``slips``:
    u (2,) of those that slide, else None. The edges of a cone span it. Least squares with nonnegative coefficients use some of the edges.
    Each round adds the edge that reduces the residual most, until no edge reduces it.
    """
    from scipy.optimize import nnls

    root, whole = _root(mobility), float(np.sqrt(max(R @ mobility @ R, 0.0)))
    if whole == 0.0:
        return 0.0
    own = [J[3 * c : 3 * c + 3] for c in range(len(axes))]
    fixed = [_rows(rows, D, slips[c]) for c, (rows, D) in enumerate(zip(own, axes, strict=True))]
    cones = [rows for rows in fixed if len(rows) == 3]
    edges = np.concatenate([rows if len(rows) == 1 else rows[0] + FIRST_EDGES @ rows[1:] for rows in fixed])
    best = np.inf
    for _ in range(SHARING_ROUNDS):
        x = nnls((edges @ root.T).T, root @ R)[0]
        left = R - edges.T @ x
        error = float(np.sqrt(max(left @ mobility @ left, 0.0))) / whole
        if error <= SHARED_WELL or not error < best or not cones:
            return min(error, best)
        best, edges = error, np.concatenate([edges, [_edge(rows, mobility @ left) for rows in cones]])
    return best


def _edge(rows: np.ndarray, way: np.ndarray) -> np.ndarray:
    """The edge of a round cone that goes farthest along a way (n,)."""
    along = rows[1:] @ way
    return rows[0] + along @ rows[1:] / max(float(np.hypot(*along)), np.finfo(float).tiny)


def _root(mobility: np.ndarray) -> np.ndarray:
    """A matrix whose square is the inverse of the mass matrix."""
    sizes, turned = np.linalg.eigh(mobility)
    return np.sqrt(np.maximum(sizes, 0.0))[:, None] * turned.T


def unexplained_without_friction(
    J: np.ndarray, mobility: np.ndarray, R: np.ndarray, axes: list[np.ndarray | None], slips: list
) -> float:
    """The same with λ_N ≥ 0 as the only condition: contacts that do not slide may have any friction."""
    from scipy.optimize import nnls

    root = _root(mobility)
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
