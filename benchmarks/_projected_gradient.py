r"""Impulses of all contacts by accelerated projected gradients: contacts are independent within an iteration, with one step size.

.. math:: \min_{P \in K}\ \tfrac12 P^T W P + P^T (u_0 - \hat u + \mu s\,e_N),\qquad s \leftarrow |u_T|

For fixed s the minimum gives an associated law; updating s until it is |u_T| gives Coulomb's law. Impulses are measured in units of √w.
Momentum is reset if it points uphill, and the step is shortened if the function decreases too little. Mazhar, Heyn, Negrut and Tasora,
ACM Trans. Graph. 34 (2015) 32; De Saxcé and Feng, Math. Comput. Modelling 28 (1998) 225.
"""

import numpy as np

from vinculum.contact.sparse.rows import Rows
from vinculum.tolerances.round_off import NEXT_TO_ZERO

RENEWED = 20
"""Iterations after which s is recomputed, the velocity that friction adds to the normal velocity."""
LONGER = 0.9
"""Factor of the inverse step length from one iteration to the next."""
CURVATURE_ROUND_OFF = 1e-12
"""Fraction by which a measured curvature may exceed its bound: round-off of two products."""


def gradients(rows: Rows, P: np.ndarray, tolerance: float, most: int) -> tuple[float, np.ndarray, int]:
    """The residual, the best impulses (m, 3) found from the initial guess P, and the number of iterations."""
    Q, Y, best, found, theta, inverse = P, P, np.inf, P, 1.0, 1.0
    weight, shift = rows.weight[:, 1:2], np.zeros(len(P))
    for iteration in range(most):
        error = rows.residual(Q)
        if error < best:
            best, found = error, Q
        if error <= tolerance:
            return best, found, iteration
        if iteration % RENEWED == 0:
            v = rows.speeds(rows.velocities(Q))
            shift, theta, Y = rows.mu * np.hypot(v[:, 1], v[:, 2]), 1.0, Q
        old, u = Q, rows.speeds(rows.velocities(Y))
        u[:, 0] += shift
        while True:
            Q = nearest(rows.mu, Y - weight / inverse * u)
            step = Q - Y
            curved = float(step.ravel() @ (rows.H @ (rows.B @ step.ravel())))
            if curved <= inverse * (step**2 / weight).sum() * (1.0 + CURVATURE_ROUND_OFF) or not np.isfinite(curved):
                break
            inverse *= 2.0
        following = 0.5 * theta * (np.sqrt(theta * theta + 4.0) - theta)
        beta, theta = theta * (1.0 - theta) / (theta * theta + following), following
        if (u * (Q - old)).sum() > 0.0:
            theta, beta = 1.0, 0.0
        Y, inverse = Q + beta * (Q - old), LONGER * inverse
    return best, found, most


def nearest(mu: np.ndarray | float, Z: np.ndarray) -> np.ndarray:
    """The points (m, 3) of the cone |P_T| ≤ μ P_N that are nearest to Z."""
    slip = np.hypot(Z[:, 1], Z[:, 2])
    pressed = np.where(slip <= mu * Z[:, 0], Z[:, 0], np.maximum(Z[:, 0] + mu * slip, 0.0) / (1.0 + mu * mu))
    scale = np.where(slip <= mu * Z[:, 0], 1.0, mu * pressed / np.maximum(slip, NEXT_TO_ZERO))
    return np.column_stack([pressed, Z[:, 1:] * scale[:, None]])
