"""Equations of motion in other coordinates: fewer, or combinations of the joints' own."""

import numpy as np

from vinculum.scalars import directional, jacobian


def reduce_equations(M, h, v, x, x_dot) -> tuple[np.ndarray, np.ndarray]:
    r"""Ã and h̃ of Ã ẍ + h̃ = Nᵀ τ from M v̇ + h = τ, where v = N(x) ẋ.

    .. math:: \tilde{\mathcal A} = N^T M N,\qquad \tilde h = N^T (h + M \dot N \dot x)

    ``v``: (nv,) over the symbols ``x``, ``x_dot``; M and h over them too. Cheremensky, On Concept of Mechanical
    System, end of section 2.2.5: q = N q̃, or q̇ = N q̃̇ in general.
    """
    N = jacobian(v, x_dot)
    return N.T @ (M @ N), N.T @ (h + M @ directional(v, x, x_dot))
