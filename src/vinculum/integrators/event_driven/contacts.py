"""All unilateral constraints of a system at one state."""

from dataclasses import dataclass
from typing import final

import numpy as np


@final
@dataclass(frozen=True, eq=False)
class Contacts:
    """All unilateral constraints at one state.

    Gaps (m,), contact velocities u = H v + drift (3 m,), the Jacobian H, the biases of the accelerations, the inverse K of the mass
    matrix under the bilateral constraints, and the accelerations ``rates`` (nv,) without contact forces.
    """

    gaps: np.ndarray
    speeds: np.ndarray
    jacobians: np.ndarray
    biases: np.ndarray
    K: np.ndarray
    rates: np.ndarray
