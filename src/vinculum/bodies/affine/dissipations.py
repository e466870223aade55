"""Ready-made dissipation functions of a deformation."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vinculum.bodies.affine.algebra import determinant, pseudo_inverse
from vinculum.bodies.affine.law import DeformationLaw
from vinculum.scalars import Value
from vinculum.scalars.math import sqrt


@final
@dataclass(frozen=True, eq=False)
class NewtonianViscosity(DeformationLaw):
    r"""The dissipation of a Newtonian fluid that fills the body.

    .. math:: \Psi = \tfrac12 J\mathcal V_0\,\big(2\eta\operatorname{tr}D'^2 + \zeta(\operatorname{tr}D)^2\big),\qquad
        D = \tfrac12(\Omega + \Omega^T),\quad D' = D - \tfrac1d\operatorname{tr}D

    ``volume`` 𝒱₀ [m³] of the undeformed body; ``shear`` viscosity η and ``bulk`` viscosity ζ [Pa s]. Rigid motions are not damped.
    """

    volume: Value
    shear: Value
    bulk: Value = 0.0

    may_be_zero = ("bulk",)

    def __call__(self, F, F_dot) -> Any:
        # the strain rate in the material's own axes has the same invariants for square φ, and lies in the body for a flat one
        G = F.T @ F
        rate = 0.5 * (F_dot.T @ F + F.T @ F_dot)
        mixed = pseudo_inverse(G) @ rate
        trace = sum(mixed[i, i] for i in range(len(mixed)))
        square = np.sum(mixed * mixed.T)
        size = determinant(F) if F.shape[0] == F.shape[1] else sqrt(determinant(G))
        return (
            0.5
            * self.volume
            * size
            * (2.0 * self.shear * (square - trace * trace / len(mixed)) + self.bulk * trace * trace)
        )
