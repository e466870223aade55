"""The angle and the rotation vector of a rotation, as functions of its entries that are smooth at the identity."""

from math import comb

import numpy as np

from vinculum.scalars.math import sqrt
from vinculum.screws.rotations import axial
from vinculum.tolerances.sizes import ANGLE_HALVINGS, ANGLE_TERMS

SQUARES = [2.0 * 4.0**n / (n * n * comb(2 * n, n)) for n in range(1, ANGLE_TERMS)]
"""Coefficients of 4 asin(√x)²/x in powers of x."""
RATIOS = [comb(2 * n, n) / (4.0**n * (2 * n + 1)) for n in range(ANGLE_TERMS)]
"""Coefficients of asin(√x)/√x in powers of x."""


def half_turn_distance(R):
    r"""cos²(θ/2) of a rotation by the angle θ: one at no rotation, zero at half a turn.

    .. math:: \cos^2\tfrac\theta2 = \tfrac14(1 + \mathrm{tr}\,R)
    """
    return 0.25 * (1.0 + R[0, 0] + R[1, 1] + R[2, 2])


def squared_angle(R):
    r"""θ² [rad²] of a rotation by the angle θ < π, an analytic function of the trace.

    .. math:: \theta^2 = 4\arcsin^2\sqrt{x},\qquad x = \sin^2\tfrac\theta2 = \tfrac14(3 - \mathrm{tr}\,R)

    The angle is halved by sin²(φ/2) = sin²φ / (2 + 2 cos φ) until the series in x ends at double precision. At half a turn
    its slope has no limit. O'Reilly and Srinivasa, On Potential Energies and Constraints in the Dynamics of Rigid Bodies and
    Particles, section 3, give cos θ.
    """
    x, _ = _halve_angle(R)
    return 4.0**ANGLE_HALVINGS * x * _polynomial(SQUARES, x)


def rotation_vector(R) -> np.ndarray:
    r"""Rotation vector (3,) [rad] of a rotation by the angle θ < π.

    .. math:: \varphi = \frac{\theta}{\sin\theta}\,\mathrm{ax}\,R

    The factor is an analytic function of the trace, as in `squared_angle`. ``R``: (3, 3).
    """
    x, cosines = _halve_angle(R)
    return _polynomial(RATIOS, x) / (np.prod(cosines) * sqrt(1.0 - x)) * axial(R)


def _halve_angle(R) -> tuple:
    """sin² of half the angle halved `ANGLE_HALVINGS` times, and the cosines on the way."""
    x, cosines = 0.25 * (3.0 - R[0, 0] - R[1, 1] - R[2, 2]), []
    for _ in range(ANGLE_HALVINGS):
        cosines.append(sqrt(1.0 - x if cosines else half_turn_distance(R)))
        x = x / (2.0 + 2.0 * cosines[-1])
    return x, cosines


def _polynomial(coefficients, x):
    total = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = total * x + c
    return total
