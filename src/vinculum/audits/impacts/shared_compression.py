r"""Impulses of compression of contacts that share their load in more than one way, as Poisson's law bounds them.

The whole impulses P of an impact are known, and the speeds u at the end of compression are unique or nearly so. Impulses Pᶜ of
compression are sought with these speeds, in the cones of friction, and with

.. math:: (1 + e)\, P^c_N + s = P_N, \qquad s \ge 0, \qquad s = 0 \text{ where the contact separates.}

Edges span the cones, so this is a problem of least squares with nonnegative coefficients. Each round adds the edges that reduce the
residual most. What it finds is judged by the law itself, so a bad proposal condemns nothing and excuses nothing.
"""

import numpy as np

from vinculum.tolerances.iterations import SHARING_ROUNDS

FIRST_EDGES = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=1)
"""Directions of the edges of a cone that are tried at first."""


def shared_compression(W, change, slips, axes, bounds) -> np.ndarray:
    """Impulses Pᶜ (n,) with W Pᶜ = ``change`` (n,), as nearly as nonnegative coefficients of edges allow.

    ``slips``: for each contact None if it separates, zeros (2,) if it sticks, and its slip otherwise; ``axes`` (m, 2): half axes of the
    ellipses of friction, negative without friction; ``bounds``: (numbers of contacts, factors 1 + e, impulses P_N, whether they
    separate after the impact).
    """
    from scipy.optimize import nnls

    which, factors, most, leaves = bounds
    cones = [c for c, slip in enumerate(slips) if slip is not None and axes[c, 0] > 0.0 and not slip.any()]
    edges = [_edge(c, axes[c], way, len(W)) for c, slip in enumerate(slips) if slip is not None
             for way in (FIRST_EDGES if c in cones else [_drag(axes[c], slip)])]  # fmt: skip
    weights = np.sqrt(np.maximum(np.diag(W), np.finfo(float).tiny))
    slack = np.diag(weights[3 * which])[:, ~leaves]
    wanted = np.concatenate([change / weights, weights[3 * which] * most])
    best, found = np.inf, np.zeros(len(W))
    for _ in range(SHARING_ROUNDS if edges else 0):
        E = np.array(edges).T
        bounded = weights[3 * which, None] * factors[:, None] * E[3 * which]
        A = np.block([[(W @ E) / weights[:, None], np.zeros((len(W), slack.shape[1]))], [bounded, slack]])
        x = nnls(A, wanted)[0]
        left = wanted - A @ x
        if not np.linalg.norm(left) < best:
            break
        best, found = float(np.linalg.norm(left)), E @ x[: E.shape[1]]
        downhill = W @ (left[: len(W)] / weights)
        edges += [_edge(c, axes[c], _direction(axes[c] * downhill[3 * c + 1 : 3 * c + 3]), len(W)) for c in cones]
    return found


def _edge(c: int, axes: np.ndarray, way: np.ndarray, n: int) -> np.ndarray:
    """The impulse (n,) of contact c with a unit normal part and friction at its limit along a way (2,)."""
    edge = np.zeros(n)
    edge[3 * c] = 1.0
    edge[3 * c + 1 : 3 * c + 3] = np.maximum(axes, 0.0) * way
    return edge


def _drag(axes: np.ndarray, slip: np.ndarray) -> np.ndarray:
    """The direction (2,) of friction against a slip, over the half axes."""
    return -_direction(np.maximum(axes, 0.0) * slip)


def _direction(way: np.ndarray) -> np.ndarray:
    return way / max(float(np.hypot(*way)), np.finfo(float).tiny)
