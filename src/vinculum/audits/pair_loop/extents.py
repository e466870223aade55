"""Scales of the moments of very many mass points."""

import numpy as np


def extent_of_moments(L: np.ndarray, balance: dict[str, np.ndarray]) -> np.ndarray:
    """L with Σ |(c − C) × p| of all points in place of the system's moment: in a cloud the moments cancel nearly or completely."""
    count = len(L)
    mass, c = balance["mass"][:, :, None], balance["center"].reshape(count, -1, 3)
    p = balance["momentum"].reshape(count, -1, 6)[..., :3]
    share = mass / mass.sum(axis=1, keepdims=True)
    arm, relative = c - (share * c).sum(axis=1, keepdims=True), p - share * p.sum(axis=1, keepdims=True)
    extent = L.copy()
    extent[:, -6:-3] = np.abs(np.cross(arm, relative)).sum(axis=1)
    return extent
