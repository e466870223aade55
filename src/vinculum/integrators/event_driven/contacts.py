"""All unilateral constraints of a system at one state."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Contacts:
    """All unilateral constraints at one state: gaps (m,), speeds u = H v + drift (3 m,), derivatives H, biases, and the inverse inertia
    K on the bonds."""

    gaps: np.ndarray
    speeds: np.ndarray
    jacobians: np.ndarray
    biases: np.ndarray
    K: np.ndarray
    rates: np.ndarray
