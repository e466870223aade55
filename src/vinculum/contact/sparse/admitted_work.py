r"""Bound on the work of impulses with a residual, on the velocities after them.

With ε = P − proj(P − u/w), the projection onto a convex set that contains 0 gives

.. math:: P \cdot u \le w\,\varepsilon\cdot(P - \varepsilon) + \varepsilon\cdot u \le |\varepsilon|\,(w\,|P| + |u|)

for every contact. Exact impulses have P · u ≤ 0.
"""

import numpy as np

from vinculum.compile.kernels import njit
from vinculum.contact.cones import within
from vinculum.contact.sparse.block_rows import side_defect, side_speeds
from vinculum.contact.sparse.general_rows import any_speeds
from vinculum.contact.sparse.sphere_rows import round_speeds


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def residual_work(problem, iterate, u):
    """The bound [J] summed over all contacts; u (m, 3) is overwritten."""
    m, weight, P = problem.m, problem.rows.weight, iterate.P
    write_speeds(problem.rows.arms, problem.rows.wide, problem.rows.sides, problem, iterate.V, u)
    total = 0.0
    for c in range(m):
        p, q, r = P[c]
        size = np.sqrt(p * p + q * q + r * r)
        if size > 0.0:
            missing = _defect(problem.rows.sides, c, problem, P, u)
            total += missing * (
                size / min(weight[c, 0], weight[c, 1]) + np.sqrt(u[c, 0] ** 2 + u[c, 1] ** 2 + u[c, 2] ** 2)
            )
    return total


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def _defect(sides, c, problem, P, u):
    """|P − proj(P − u/w)| of a contact. ``sides``: those of the rows."""
    weight, missing = problem.rows.weight, 0.0
    # Numba does not compile the branch of an argument that is None.
    if sides is None:
        p, q, r = P[c]
        a = max(p - u[c, 0] * weight[c, 0], 0.0) - p
        b, d = within(q - u[c, 1] * weight[c, 1], r - u[c, 2] * weight[c, 1], problem.cones[c] * p)
        missing = np.sqrt(a * a + (b - q) ** 2 + (d - r) ** 2)
    if sides is not None:
        missing = side_defect(c, problem, P, u)
    return missing


@njit(nogil=True, cache=True, error_model="numpy", forceinline=True)
def write_speeds(arms, wide, sides, problem, V, u):
    """Write relative velocities (m, 3), the normal ones minus their targets. ``arms``, ``wide``, ``sides``: those of the rows."""
    # Numba does not compile the branch of an argument that is None.
    if arms is not None:
        round_speeds(problem, V, u)
    if wide is not None:
        any_speeds(problem, V, u)
    if sides is not None:
        side_speeds(problem, V, u)
