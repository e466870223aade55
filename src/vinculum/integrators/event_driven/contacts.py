"""All boundaries of a system at one state."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Contacts:
    """All boundaries at one state: gaps (m,), speeds u = H v + drift (3 m,), slopes H, biases, and the inverse inertia K on the bonds."""

    gaps: np.ndarray
    speeds: np.ndarray
    slopes: np.ndarray
    biases: np.ndarray
    K: np.ndarray
    rates: np.ndarray
