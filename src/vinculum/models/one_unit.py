"""Lengths and speeds of a system in one unit: rotations and deformations count by the arms at which they move contacts."""

import numpy as np

from vinculum.models.layout import Layout


def is_displacement(layout: Layout) -> np.ndarray:
    """Which velocities (nv,) are displacements in time; others are rates of rotations and deformations."""
    return np.array([unit == "m/s" for unit in layout.v_units], dtype=bool)


def arms_of(layout: Layout, jacobians: np.ndarray) -> np.ndarray:
    """Displacements (nv,) of contacts per unit of each velocity: one for displacements, the largest arm [m] in Jacobians (…, nv)
    otherwise."""
    every = np.abs(np.where(np.isfinite(jacobians), jacobians, 0.0)).reshape(-1, len(layout.v_units))
    return np.where(is_displacement(layout), 1.0, every.max(axis=0, initial=0.0))


def weights_of(layout: Layout, size: float) -> np.ndarray:
    """Factors (nq,) that make lengths of all coordinates: one for lengths, the ``size`` of the system for others; zero for masses."""
    weights = np.array([1.0 if unit == "m" else size for unit in layout.q_units])
    weights[list(layout.masses.values())] = 0.0
    return weights


def size_of(layout: Layout, q: np.ndarray, jacobians: np.ndarray) -> float:
    """The size of a system [m]: its largest coordinate that is a length, in positions (…, nq), or its largest arm."""
    lengths = np.array([unit == "m" for unit in layout.q_units], dtype=bool)
    arms = arms_of(layout, jacobians)[~is_displacement(layout)]
    return max(float(np.abs(q[..., lengths]).max(initial=0.0)), float(arms.max(initial=0.0)))
