"""The derivative of a function of a rotation with respect to turning."""

import numpy as np

from vinculum.screws.rotations import axial


def rotation_slope(P, R) -> np.ndarray:
    r"""Vector σ_R (3,) with dΣ/dt = σ_R · ω, of a function Σ(R) whose slopes by the nine entries are P = ∂Σ/∂R.

    .. math:: \Sigma_R = \tfrac12(P R^T - R P^T),\qquad \sigma_R = -\varepsilon[\Sigma_R]

    How Σ is continued off the rotations does not matter. O'Reilly and Srinivasa, On Potential Energies and Constraints in the
    Dynamics of Rigid Bodies and Particles, (4).
    """
    return 2.0 * axial(P @ R.T)
