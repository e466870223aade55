"""Motions at rest: what quantities that vanish with the velocities are measured against."""

import numpy as np

from vinculum.motion import Motion

AT_REST = 1e-9


def sizing_states(motion: Motion, states: np.ndarray) -> np.ndarray:
    """States (B, n) at which terms have a size: the same, or with unit velocities where all velocities are round-off."""
    nq = motion.model.nq
    if np.abs(states[:, nq:]).max(initial=0.0) > AT_REST or not np.any(states[:, nq:]):
        return states
    return np.concatenate([states[:, :nq], np.ones_like(states[:, nq:])], axis=1)
