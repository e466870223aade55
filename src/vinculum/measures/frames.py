"""Changes of inertial frame, as maps of time-space."""

from collections.abc import Callable

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import numeric

ORTHONORMAL = 1e-12


def change_of_frame(velocity, rotation=None, shift=None) -> Callable:
    r"""The map ξ' = Λ ξ + shift of places ξ = (t, x) to another inertial frame, with its Jacobian Λ: for `KineticMeasure.pushed`.

    .. math:: \Lambda = \begin{bmatrix} 1 & 0 \\ v & R \end{bmatrix},\qquad C' = \Lambda\,C\,\Lambda^T

    ``velocity`` v: (d,) [m/s], of what was at rest; ``rotation`` R: (d, d), orthonormal; ``shift``: (1 + d,). |det Λ| = 1, so the volume of
    time-space stays. Moreau, An expression of classical dynamics, section 3.
    """
    v = numeric("frame: velocity", velocity)
    R = np.eye(len(v)) if rotation is None else numeric("frame: rotation", rotation)
    d = np.zeros(1 + len(v)) if shift is None else numeric("frame: shift", shift)
    if v.ndim != 1 or R.shape != (len(v), len(v)) or d.shape != (1 + len(v),):
        raise ModelError(
            f"frame: velocity {v.shape}, rotation {R.shape} and shift {d.shape} must be (d,), (d, d) and (1 + d,)"
        )
    if np.abs(R @ R.T - np.eye(len(v))).max() > ORTHONORMAL:
        raise ModelError(
            "frame: rotation is not orthonormal, so lengths would change; give axes of length one at right angles"
        )
    Lambda = np.block([[np.ones((1, 1)), np.zeros((1, len(v)))], [v[:, None], R]])

    def mapped(xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return xi @ Lambda.T + d, np.broadcast_to(Lambda, (len(xi), *Lambda.shape))

    return mapped
