"""Work of a constraint's reactions, by quadrature of their power over every step."""

from typing import Any

import numpy as np

from vinculum.motion.states import states_at, tape_groups

X, W = np.polynomial.legendre.leggauss(8)


def accumulated_work(motion: Any, name: str) -> np.ndarray:
    """∫ R · q̇ dt from the beginning of a motion to each instant of its grid, (T,) [J], with eight nodes on every step."""
    begin, end = motion.pieces.begin, motion.pieces.end
    edges = np.unique(np.concatenate([np.asarray(motion.pieces.times), np.clip(motion.time, begin, end)]))
    h = np.diff(edges)
    nodes = (edges[:-1, None] + 0.5 * h[:, None] * (1.0 + X)).ravel()
    power = tape_groups(motion, "bonds", nodes, states_at(motion, nodes))[f"{name}/work"][:, 0]
    steps = 0.5 * h * (power.reshape(len(h), len(X)) @ W)
    total = np.concatenate([[0.0], np.cumsum(steps)])
    return total[np.searchsorted(edges, np.clip(motion.time, begin, end))]
