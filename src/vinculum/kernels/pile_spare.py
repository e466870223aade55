r"""What impulses that miss their law a little may do: the work on the velocities after them that a residual leaves room for.

With ε = P − proj(P − u/w), the projection onto a convex set that holds 0 gives

.. math:: P \cdot u \le w\,\varepsilon\cdot(P - \varepsilon) + \varepsilon\cdot u \le |\varepsilon|\,(w\,|P| + |u|)

for every contact, where exact impulses have P · u ≤ 0.
"""

import numpy as np
from numba import njit

from vinculum.kernels.pile_any import any_speeds
from vinculum.kernels.pile_round import round_speeds


@njit(nogil=True, cache=True, error_model="numpy")
def spare_work(m, is_round, lists, P, V, error, u):
    """The bound [J] summed over m contacts by Cauchy and Schwarz; ``error`` = ‖ε‖/‖P‖, u (m, 3) is overwritten."""
    who, frame, arms, wide, _W, weight, target = lists
    if is_round:
        round_speeds(m, who, frame, arms, target, V, u)
    else:
        any_speeds(m, who, frame, wide, target, V, u)
    size = reach = 0.0
    for c in range(m):
        p = P[c, 0] ** 2 + P[c, 1] ** 2 + P[c, 2] ** 2
        s = np.sqrt(u[c, 0] ** 2 + u[c, 1] ** 2 + u[c, 2] ** 2) if p > 0.0 else 0.0
        size += p
        reach += (np.sqrt(p) / min(weight[c, 0], weight[c, 1]) + s) ** 2
    return error * np.sqrt(size * reach)
