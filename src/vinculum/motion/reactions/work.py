"""Work of reactions and servos, by quadrature of their power over every step."""

from collections.abc import Callable
from typing import Any

import numpy as np

from vinculum.tolerances.sizes import NODES_AT_ONCE

X, W = np.polynomial.legendre.leggauss(10)


def accumulated_work(motion: Any, power: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """∫ P dt from the beginning of a motion to each instant of its grid, (T,) [J], with ten nodes on every step.

    ``power``: P at instants.
    """
    begin, end = motion.pieces.begin, motion.pieces.end
    edges = np.unique(np.concatenate([np.asarray(motion.pieces.times), np.clip(motion.time, begin, end)]))
    h = np.diff(edges)
    nodes = (edges[:-1, None] + 0.5 * h[:, None] * (1.0 + X)).ravel()
    parts = [power(nodes[k : k + NODES_AT_ONCE]) for k in range(0, len(nodes), NODES_AT_ONCE)]
    steps = 0.5 * h * (np.concatenate([np.zeros(0), *parts]).reshape(len(h), len(X)) @ W)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    return total[np.searchsorted(edges, np.clip(motion.time, begin, end))]
