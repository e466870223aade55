"""Redundancy of the impulses of unilateral constraints and contacts."""

import numpy as np

from vinculum.tolerances.contact import INSIDE_THE_CONE, PRESSES
from vinculum.tolerances.rank import DEPENDENT_ROWS


def surplus(jacobians: np.ndarray, mobility: np.ndarray, P: np.ndarray, axes: np.ndarray) -> int:
    """The dimension of the set of impulses near P (c, 3) with the same velocities.

    ``derivatives`` (3 c, nv), ``mobility`` (nv, nv): M⁻¹ on the velocities that other bonds leave; ``axes`` (c, 2): half axes of friction,
    not positive without. A contact that sticks has three unknown impulses, one that slides or has no friction one.
    """
    pressed = np.flatnonzero(P[:, 0] > PRESSES * np.abs(P).max(initial=0.0))
    rows = []
    for c in pressed:
        own, rough = jacobians[3 * c : 3 * c + 3], np.all(axes[c] > 0.0)
        used = np.hypot(*(P[c, 1:] / np.where(axes[c] > 0.0, axes[c], 1.0))) / P[c, 0]
        if rough and used < 1.0 - INSIDE_THE_CONE:
            rows += list(own)
        else:
            rows.append(P[c] / P[c, 0] @ own if rough else own[0])
    if len(rows) < 2:
        return 0
    squares, turned = np.linalg.eigh(mobility)
    sizes = np.linalg.svd(np.array(rows) @ (turned * np.sqrt(np.maximum(squares, 0.0))), compute_uv=False)
    return len(rows) - int(np.sum(sizes > DEPENDENT_ROWS * sizes[0])) if sizes[0] > 0.0 else 0
