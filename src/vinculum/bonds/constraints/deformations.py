"""Constraints on the deformation of a body: rotation-less motion, and constant volume."""

from functools import partial

import numpy as np

from vinculum.bodies import Body
from vinculum.bodies.affine.algebra import determinant
from vinculum.bonds.body_view import BodyView
from vinculum.bonds.constraints.constraint import Constraint
from vinculum.bonds.constraints.realizations import Realization
from vinculum.errors import ModelError
from vinculum.scalars.math import sqrt


def rotationless(name: str, body: Body | str, *, realization: Realization | str | None = None) -> Constraint:
    r"""Rotation-less motion of a body that deforms: its affine velocity Ω = φ̇φ⁻¹ is symmetric.

    .. math:: \Omega_{32} - \Omega_{23} = \Omega_{13} - \Omega_{31} = \Omega_{21} - \Omega_{12} = 0

    Three rows, the last alone for a planar body. It is not integrable. The multipliers μ of `vc.Vakonomic(multipliers=μ)` are
    the skew matrix
    Λ = μ^× of L + tr ΛᵀΩ; with an energy V(G) the vakonomic spin Σ = Λ + ½ [Ω, φJφᵀ] is constant. Gołubowska et al. (96), (106).
    """
    return Constraint(name, body, velocity=_curl, realization=realization)


def incompressible(name: str, body: Body | str, *, realization: Realization | str | None = None) -> Constraint:
    r"""Constant volume of a body that deforms (area of a flat one, length of a rod-like one): √det φᵀφ = 1."""
    return Constraint(name, body, position=partial(_excess, name), realization=realization)


def _curl(body: BodyView) -> np.ndarray:
    W = body.affine.affine_velocity
    rows = [W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]
    return np.array(rows[2:] if body._state.kinematics.is_planar else rows, dtype=object)


def _excess(name: str, body: BodyView):
    if not body._state.kinematics.deforms:
        raise ModelError(
            f"constraint '{name}': body '{body.name}' does not deform, so its volume is constant; leave the constraint out"
        )
    n, F = (
        body._state.kinematics.material_dimension,
        body.affine.deformation[:, : body._state.kinematics.material_dimension],
    )
    if n == 3 or body._state.kinematics.is_planar:
        return determinant(F[:n]) - 1.0
    return sqrt(determinant(F.T @ F)) - 1.0
