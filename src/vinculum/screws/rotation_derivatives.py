"""The derivative of a function with respect to a rotation, from its nine entries or from coordinates."""

import numpy as np

from vinculum.errors import StartError
from vinculum.scalars import vector
from vinculum.scalars.math import cross
from vinculum.screws.chart import Chart
from vinculum.screws.rotations import axial
from vinculum.tolerances.rank import CHART_SINGULAR


def rotation_gradient(P, R) -> np.ndarray:
    r"""Vector σ_R (3,) with dΣ/dt = σ_R · ω, of a function Σ(R) whose derivatives by the nine entries are P = ∂Σ/∂R.

    .. math:: \Sigma_R = \tfrac12(P R^T - R P^T),\qquad \sigma_R = -\varepsilon[\Sigma_R]

    How Σ is continued off the rotations does not matter. O'Reilly and Srinivasa, On Potential Energies and Constraints in the
    Dynamics of Rigid Bodies and Particles, (4).
    """
    return 2.0 * axial(P @ R.T)


def turning_basis(chart: Chart, c) -> np.ndarray:
    r"""Vectors g_i (3, size) in world axes with ω = ċ^i g_i, of coordinates ``c`` (size,).

    .. math:: g_i = -\tfrac12\,\varepsilon\Big[\frac{\partial R}{\partial c^i} R^T\Big]

    O'Reilly and Srinivasa, (5).
    """
    return chart.matrix(c) @ chart.D(c)


def dual_turning_basis(chart: Chart, c) -> np.ndarray:
    """Vectors g^i (size, 3) in world axes with ċ^i = g^i · ω; for three coordinates g^j · g_i = δ. O'Reilly and Srinivasa, (6)."""
    _refuse_singular(chart, c)
    return chart.D_inverse(c) @ chart.matrix(c).T


def chart_gradient(slopes, chart: Chart, c) -> np.ndarray:
    r"""The vector σ_R (3,) of `rotation_gradient`, of a function of the coordinates ``c`` whose derivatives ∂Σ/∂c^i are (size,).

    .. math:: \sigma_R = \frac{\partial\Sigma}{\partial c^i}\,g^i

    O'Reilly and Srinivasa, (6). A singular place of the chart, where the dual basis has no value, is refused.
    """
    return vector(slopes) @ dual_turning_basis(chart, c)


def quaternion_gradient(slopes, q) -> np.ndarray:
    r"""The vector σ_R (3,) of `rotation_gradient`, of a function of a unit quaternion ``q`` (4,) whose derivatives are (4,).

    .. math:: \sigma_R = \tfrac12\,(-q_v\,\Sigma_{,0} + q_0\,\Sigma_{,v} + q_v\times\Sigma_{,v})

    How Σ is continued off length one does not matter, since q̇ keeps it.
    """
    s, q = vector(slopes), vector(q)
    return 0.5 * (-q[1:] * s[0] + q[0] * s[1:] + cross(q[1:], s[1:]))


def _refuse_singular(chart: Chart, c) -> None:
    numbers = vector(c)
    if numbers.dtype != object and not chart.condition(numbers) > CHART_SINGULAR:
        raise StartError(
            f"chart '{chart.name}' is singular at {numbers.tolist()}: its dual basis has no value there; use rotation_gradient, "
            "or another chart"
        )
