"""Changes of inertial frame, as maps of time-space."""

from dataclasses import dataclass
from typing import final

import numpy as np

from vinculum.errors import ModelError
from vinculum.screws.entries import numeric
from vinculum.tolerances.functions import ORTHONORMAL
from vinculum.tolerances.sizes import MOST_DIMENSIONS


@final
@dataclass(frozen=True, eq=False)
class ChangeOfFrame:
    r"""The map ξ' = Λ ξ + shift of points ξ = (t, x) to another inertial frame; `change_of_frame` makes it.

    ``velocity`` u (d,) [m/s], ``rotation`` R (d, d), ``shift`` (1 + d,): x' = R x + u t + a, t' = t + t₀.
    """

    velocity: np.ndarray
    rotation: np.ndarray
    shift: np.ndarray

    @property
    def matrix(self) -> np.ndarray:
        """Λ, (1 + d, 1 + d)."""
        d = len(self.velocity)
        return np.block([[np.ones((1, 1)), np.zeros((1, d))], [self.velocity[:, None], self.rotation]])

    @property
    def later(self) -> float:
        """t₀ [s], by which clocks of the new frame are ahead."""
        return float(self.shift[0])

    @property
    def place(self) -> np.ndarray:
        """a (d,) [m], where the origin of the old frame is at its instant zero."""
        return self.shift[1:]

    @property
    def turns(self) -> bool:
        """Whether the axes differ."""
        return bool(np.any(self.rotation != np.eye(len(self.rotation))))

    def __call__(self, xi) -> tuple[np.ndarray, np.ndarray]:
        """Points (n, 1 + d), time first, in the new frame, and the Jacobian Λ at each of them."""
        xi, Lambda = numeric("frame: places", xi), self.matrix
        if xi.ndim != 2 or xi.shape[1] != len(Lambda):
            raise ModelError(
                f"frame: points of shape {xi.shape} must be (n, {len(Lambda)}), as its velocity has {len(self.velocity)} components"
            )
        return xi @ Lambda.T + self.shift, np.broadcast_to(Lambda, (len(xi), *Lambda.shape))


def change_of_frame(velocity, rotation=None, shift=None) -> ChangeOfFrame:
    r"""The map ξ' = Λ ξ + shift of points ξ = (t, x) to another inertial frame, with its Jacobian Λ, for
    `KineticMeasure.push_forward` and `Motion.at`.

    .. math:: \Lambda = \begin{bmatrix} 1 & 0 \\ v & R \end{bmatrix},\qquad C' = \Lambda\,C\,\Lambda^T

    ``velocity`` v: (d,) [m/s], of points at rest in the old frame; ``rotation`` R: (d, d), orthonormal; ``shift``: (1
    + d,). |det Λ| = 1, so the volume of time-space stays. Moreau, An expression of classical dynamics, section 3.
    """
    v = numeric("frame: velocity", velocity)
    if v.ndim != 1 or not 1 <= len(v) <= MOST_DIMENSIONS or not np.all(np.isfinite(v)):
        raise ModelError(
            f"frame: velocity of shape {v.shape} must be (d,) finite numbers, d from 1 to {MOST_DIMENSIONS}"
        )
    R = np.eye(len(v)) if rotation is None else numeric("frame: rotation", rotation)
    d = np.zeros(1 + len(v)) if shift is None else numeric("frame: shift", shift)
    if R.shape != (len(v), len(v)) or d.shape != (1 + len(v),):
        raise ModelError(
            f"frame: velocity {v.shape}, rotation {R.shape} and shift {d.shape} must be (d,), (d, d) and (1 + d,)"
        )
    if np.abs(R @ R.T - np.eye(len(v))).max() > ORTHONORMAL:
        raise ModelError(
            "frame: rotation is not orthonormal, so lengths would change; give axes of length one at right angles"
        )
    return ChangeOfFrame(v, R, d)
